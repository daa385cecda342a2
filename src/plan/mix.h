/*
 * The mixed phase of a metadata test: operations drawn at random, by shares, on a population of files that
 * stays constant in number. Pure functions.
 */
#ifndef PLAN_MIX_H
#define PLAN_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "options/metadata.h"
#include "plan/phase.h"

enum mix_kind { MIX_CREATE, MIX_STAT, MIX_READ, MIX_REMOVE, MIX_KINDS };

const char *mix_kind_name(enum mix_kind kind); /* "create", … */
enum operation mix_operation(enum mix_kind kind);

struct mix {
	double shares[MIX_KINDS]; /* of 1; create and remove have the same */
	double asked[MIX_KINDS];  /* as they were given, of 1 */
	bool evened;              /* create and remove were given different shares */
	double task_rate;         /* operations/s of a task; 0: as fast as it can */
	uint64_t operations;      /* of a task; 0: until the time is over */
	double seconds;           /* 0: no limit */
	double think_seconds;     /* after each operation */
};

/* "create:15,stat:60,read:10,remove:15": any positive numbers, as shares of 1; ERROR_INPUT that shows the place. */
int mix_parse_shares(const char *text, double shares[MIX_KINDS], struct error *err);
/* test->mix is given; items: of a task. */
int mix_build(struct mix *mix, const struct metadata *test, uint64_t items, uint32_t tasks,
	      struct error *err);

/* How many of a task's files may be missing at a time: a tenth, at least one. */
uint64_t mix_most_missing(uint64_t items);

/*
 * What comes next. A task's files are places in a ring: the `missing` ones follow the last that was removed, and
 * the oldest of them is made again first.
 */
struct mix_walk {
	const struct mix *mix;
	uint64_t items;
	uint64_t tail;    /* the oldest file: it is removed next */
	uint64_t missing; /* of the places before the tail */
	uint64_t most_missing, missing_so_far; /* allowed, and the largest there was */
	uint64_t state;   /* of the random numbers */
};

void mix_walk_start(struct mix_walk *walk, const struct mix *mix, uint64_t items, uint64_t seed);
/* A share of 1 by the next random number. */
double mix_walk_draw(struct mix_walk *walk);
/* A create where nothing is missing is a remove, and a remove where enough is missing is a create. */
enum mix_kind mix_walk_choose(struct mix_walk *walk);
/* The file it is about; of stat and read at random one that is there. */
uint64_t mix_walk_item(struct mix_walk *walk, enum mix_kind kind);
/* It has been done. */
void mix_walk_done(struct mix_walk *walk, enum mix_kind kind);

#endif
