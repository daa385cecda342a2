/*
 * What a find looks for: names, sizes and times, as find(1) means them. All that are given must hold.
 * Pure functions.
 */
#ifndef PLAN_PREDICATES_H
#define PLAN_PREDICATES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "options/metadata.h"

/* [+-]N and a unit: more than, less than, or so many units, each begun one counted as a whole. */
struct size_predicate {
	uint64_t unit; /* bytes; 0: none was given */
	uint64_t count;
	char sign;     /* '+', '-' or 0 */
};

struct predicates {
	const char *name; /* a pattern for the last part of a path; NULL: any */
	struct size_predicate size;
	bool newer;
	struct timespec than; /* the file's, found before the phase */
};

/* "+1M", "-4k", "100c", "8" (blocks of 512 bytes); ERROR_INPUT with a text for the option's name. */
int size_predicate_parse(const char *text, struct size_predicate *size, struct error *err);
/* Without the time, which is not known yet. */
int predicates_build(struct predicates *predicates, const struct metadata *test, struct error *err);

bool predicates_any(const struct predicates *predicates);
/* Whether more than the name is needed, so that a stat is. */
bool predicates_want_stat(const struct predicates *predicates);
bool predicates_name_holds(const struct predicates *predicates, const char *name);
bool predicates_stat_holds(const struct predicates *predicates, const struct stat *status);

#endif
