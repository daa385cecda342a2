/*
 * The blocks of a file that random accesses visit, and how often. A distribution is parsed once;
 * pattern/sampler.h draws from it, plan/load/passes.h visits every block. The definitions and
 * their sources stand in doc/measurement.md. Pure functions.
 */
#ifndef PATTERN_DISTRIBUTION_H
#define PATTERN_DISTRIBUTION_H

#include <stdbool.h>

#include "base/error.h"

enum distribution_kind {
	DISTRIBUTION_EVERY_BLOCK, /* each block once a pass, not drawn */
	DISTRIBUTION_UNIFORM,
	DISTRIBUTION_ZIPF,   /* the block of rank k is visited in proportion to k^-theta */
	DISTRIBUTION_PARETO, /* h of the blocks get 1-h of the accesses, and so on within */
	DISTRIBUTION_NORMAL, /* around the middle of the file */
	DISTRIBUTION_ZONED,  /* zones of the file, from its start on */
	DISTRIBUTION_HOT,    /* two zones of ranks */
	DISTRIBUTION_KINDS
};

enum { DISTRIBUTION_ZONES = 16 };

/* A part of the file, or of the ranks, within which accesses are uniform. */
struct zone {
	double accesses; /* share of the accesses to this zone and those before it */
	double size;	 /* share of the blocks of this zone */
	double begin;	 /* share of the blocks before this zone */
};

struct distribution {
	enum distribution_kind kind;
	double parameter; /* theta; h; standard deviation in files */
	unsigned zones;
	struct zone zone[DISTRIBUTION_ZONES];
};

/*
 * Parses every_block, uniform, zipf:1.2, pareto:0.2, normal:10%, zoned:60/10,30/20,10/70
 * (accesses/size in percent) or hot:90/10. key: the option, which begins the error's text. Returns
 * 0, or -1 with ERROR_INPUT, which says what is wrong and what can be written.
 */
int distribution_parse(const char *text, const char *key, struct distribution *distribution,
		       struct error *err);

const char *distribution_name(enum distribution_kind kind); /* "every_block", … */

/*
 * True if blocks have ranks by how often they are visited, and a random order scatters the ranks
 * over the file, so that hot blocks are no neighbours. normal and zoned name places in the file.
 */
bool distribution_is_scattered(const struct distribution *distribution);

#endif
