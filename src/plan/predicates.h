/*
 * The predicates of a find: names, sizes and times, as find(1) means them. An entry must satisfy
 * all that are given. Pure functions.
 */
#ifndef PLAN_PREDICATES_H
#define PLAN_PREDICATES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "options/metadata.h"

/*
 * [+-]N and a unit: more than, less than or exactly N units. A started unit counts as a whole one.
 */
struct size_predicate {
	uint64_t unit; /* bytes; 0: no size was given */
	uint64_t count;
	char sign; /* '+', '-' or 0 */
};

struct predicates {
	const char *name; /* pattern for the last component of a path; NULL: any */
	struct size_predicate size;
	bool newer;
	struct timespec than; /* time of the reference file, read before the phase */
};

/*
 * Parses "+1M", "-4k", "100c" or "8" (blocks of 512 bytes). ERROR_INPUT has a text to follow the
 * option's name.
 */
int size_predicate_parse(const char *text, struct size_predicate *size, struct error *err);
/* Leaves the time of `newer` unset, as it is not known yet. */
int predicates_build(struct predicates *predicates, const struct metadata *test, struct error *err);

bool predicates_any(const struct predicates *predicates);
/* True if a predicate needs the result of a stat, not only the name. */
bool predicates_want_stat(const struct predicates *predicates);
bool predicates_name_holds(const struct predicates *predicates, const char *name);
bool predicates_stat_holds(const struct predicates *predicates, const struct stat *status);

#endif
