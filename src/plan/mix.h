/*
 * The mixed phase of a metadata test: a load on the test's tree, whose number of files stays nearly
 * constant. Pure functions.
 */
#ifndef PLAN_MIX_H
#define PLAN_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "options/metadata.h"
#include "plan/load/walk.h"
#include "pattern/phase.h"

enum mix_kind { MIX_CREATE, MIX_STAT, MIX_READ, MIX_REMOVE, MIX_KINDS };

const char *mix_kind_name(enum mix_kind kind); /* "create", … */
enum operation mix_operation(enum mix_kind kind);

struct mix {
	double shares[MIX_KINDS]; /* of the deck; create and remove have equal shares */
	double asked[MIX_KINDS];  /* shares as the user gave them; they sum to 1 */
	bool evened;		  /* create and remove were given different shares */
	double task_rate;	  /* operations/s of a task; 0: as fast as it can */
	uint64_t operations;	  /* of a task; 0: until the time is over */
	double seconds;		  /* 0: no limit */
	double think_seconds;	  /* after each operation */
};

/*
 * Parses "create:15,stat:60,read:10,remove:15" as deck_parse_weights() does, scaled to a sum of 1.
 */
int mix_parse_shares(const char *text, double shares[MIX_KINDS], struct error *err);
/* test->mix must be set. items: files of one task. */
int mix_build(struct mix *mix, const struct metadata *test, uint64_t items, uint32_t tasks,
	      struct error *err);

/* How many of a task's files may be missing at a time: a tenth, at least one. */
uint64_t mix_most_missing(uint64_t items);
/* The files that a task of the mix has and removes; items: those that it has at the start. */
struct load_item_limits mix_limits(uint64_t items);
/* The mix as a load on these items: its deck, its pace and its end. mix_build() came before. */
void mix_make_pattern(const struct mix *mix, const struct metadata *test, uint64_t items,
		      uint32_t tasks, struct load_pattern *pattern);

#endif
