/*
 * The mixed phase of a metadata test: operations are drawn at random by their shares. The number of
 * files stays nearly constant. Pure functions.
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
	double shares[MIX_KINDS]; /* they sum to 1; create and remove have equal shares */
	double asked[MIX_KINDS];  /* shares as the user gave them; they sum to 1 */
	bool evened;              /* create and remove were given different shares */
	double task_rate;         /* operations/s of a task; 0: as fast as it can */
	uint64_t operations;      /* of a task; 0: until the time is over */
	double seconds;           /* 0: no limit */
	double think_seconds;     /* after each operation */
};

/*
 * Parses "create:15,stat:60,read:10,remove:15": any numbers from 0 on, scaled to a sum of 1.
 * ERROR_INPUT shows the place.
 */
int mix_parse_shares(const char *text, double shares[MIX_KINDS], struct error *err);
/* test->mix must be set. items: files of one task. */
int mix_build(struct mix *mix, const struct metadata *test, uint64_t items, uint32_t tasks,
	      struct error *err);

/* How many of a task's files may be missing at a time: a tenth, at least one. */
uint64_t mix_most_missing(uint64_t items);

/*
 * A task's walk over the operations of its mix. Its files form a ring. The `missing` files are
 * those before the tail, the oldest file. The file that was removed first is created again first.
 */
struct mix_walk {
	const struct mix *mix;
	uint64_t items;
	uint64_t tail;    /* the oldest file: it is removed next */
	uint64_t missing; /* files removed and not yet created again */
	uint64_t most_missing, missing_so_far; /* the limit, and the largest value so far */
	uint64_t state;   /* of the random number generator */
};

void mix_walk_start(struct mix_walk *walk, const struct mix *mix, uint64_t items, uint64_t seed);
/* Draws the next random number, from 0 to below 1. */
double mix_walk_draw(struct mix_walk *walk);
/*
 * Draws the next operation. A create becomes a remove if no file is missing, and a remove becomes a
 * create if too many are missing.
 */
enum mix_kind mix_walk_choose(struct mix_walk *walk);
/* The file that the operation works on: for stat and read a random file that exists. */
uint64_t mix_walk_item(struct mix_walk *walk, enum mix_kind kind);
/* Notes that the operation was done. */
void mix_walk_done(struct mix_walk *walk, enum mix_kind kind);

#endif
