/* The operations of each task of a load, as numbers and distributions: arithmetic without state. */
#ifndef PLAN_LOAD_PATTERN_H
#define PLAN_LOAD_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/load/arrival.h"
#include "pattern/deck.h"
#include "pattern/distribution.h"
#include "plan/load/items.h"
#include "pattern/kinds.h"
#include "plan/load/sizes.h"

/*
 * The operations of each task of a load, made of parsed pieces. load_pattern_check() checks it; the
 * pattern then stays unchanged. The files, all of one size, are those of one task or of all that
 * share them.
 *
 * Transfers come in runs. A run picks a file, begins at a random place or goes on behind the task's
 * last transfer in that file, and each further transfer goes on behind the one before. Behind the
 * last transfer that fits the file begins again. Tasks that share files and move them sequentially
 * take turns: of N sharers task t moves the transfers t, t + N, … of each file. With every_block
 * a pass visits the blocks of all files, and task t the blocks t, t + N, …
 */
struct load_pattern {
	struct deck operations; /* of enum load_kind */
	struct sizes sizes[LOAD_DATA_KINDS];

	struct deck random; /* deck_make_two(): the share of runs that begin at a random place */
	/* if splits_random, random is for runs that begin with a read, and this one for writes */
	struct deck write_random;
	bool splits_random;
	uint64_t run_length; /* transfers that follow each other in one file; at least 1 */
	uint64_t stride;     /* bytes skipped behind each transfer of a run */
	uint64_t align;	     /* random offsets are multiples of it; 0: of the transfer's size */
	struct distribution distribution; /* of random places */
	bool own_hot_blocks; /* each task has hot blocks of its own; else all have the same */

	uint32_t files;	     /* at least 1 */
	uint64_t file_bytes; /* of each file, or of the region that is visited */
	bool files_given;    /* the caller sets walk.file before each request */
	bool files_in_turn;  /* else file_choice draws the file of each run */
	struct distribution file_choice;

	struct load_item_limits items; /* of each task */

	struct arrival arrival;

	/* Limits of one task; 0: none. The first that is reached ends the walk. */
	uint64_t operation_limit;
	uint64_t byte_limit; /* the walk ends behind the request that reaches it */
	uint64_t passes;     /* how often the task visits its blocks, or as many bytes */

	uint64_t seed;
	uint64_t draw; /* patterns that differ only in it make other random choices */
};

/* True if some operations are on data files, or on items. */
bool load_pattern_moves_data(const struct load_pattern *pattern);
bool load_pattern_has_items(const struct load_pattern *pattern);

/* True if some runs begin at random places, or if all do. */
bool load_pattern_has_random(const struct load_pattern *pattern);
bool load_pattern_is_random(const struct load_pattern *pattern);

/* True if each pass visits every block of the files once. */
bool load_pattern_visits_every_block(const struct load_pattern *pattern);

/* The sizes of a pattern's reads and writes together, in bytes. */
struct load_sizes {
	uint64_t smallest, largest;
	uint64_t divisor; /* the greatest common divisor */
};

struct load_sizes load_pattern_sizes(const struct load_pattern *pattern);

/* How places follow each other. */
enum load_mode {
	LOAD_RUNS,   /* as above */
	LOAD_RANDOM, /* each transfer is a run that begins at a random place */
	LOAD_TURNS,  /* sequential transfers of one size */
	LOAD_EVERY_BLOCK,
};

enum load_mode load_pattern_mode(const struct load_pattern *pattern, const struct load_sizes *all);

/* The bytes of the units that a distribution is over, and their number: at least 1. */
uint64_t load_pattern_unit(const struct load_pattern *pattern, const struct load_sizes *all);
uint64_t load_pattern_units(const struct load_pattern *pattern, uint64_t unit);

/* How many transfers of `length` a pass makes in a file, for LOAD_TURNS and LOAD_EVERY_BLOCK. */
uint64_t load_pattern_per_file(const struct load_pattern *pattern, enum load_mode mode,
			       uint64_t length);

/*
 * Parses the choice of files: in_turn, random, or a distribution other than every_block. key: the
 * option, which begins the error's text. Returns 0, or -1 with ERROR_INPUT.
 */
int load_parse_file_choice(const char *text, const char *key, struct load_pattern *pattern,
			   struct error *err);

/*
 * Checks what the pieces mean together. sharers: the number of tasks that share the files. Returns
 * 0, or -1 with ERROR_INPUT, which names the options and what to do.
 */
int load_pattern_check(const struct load_pattern *pattern, uint32_t sharers, struct error *err);

#endif
