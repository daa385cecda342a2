/* The predicates of a find, as find(1) means them. */
#include "plan/predicates.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static uint64_t unit_of(char letter)
{
	switch (letter) {
	case '\0':
	case 'b':
		return 512;
	case 'c':
		return 1;
	case 'w':
		return 2;
	case 'k':
		return KIB;
	case 'M':
		return MIB;
	case 'G':
		return GIB;
	default:
		return 0;
	}
}

int size_predicate_parse(const char *text, struct size_predicate *size, struct error *err)
{
	const char *digits = text + (*text == '+' || *text == '-');
	char *end;

	errno = 0;
	*size = (struct size_predicate){.sign = digits > text ? *text : '\0'};
	size->count = strtoull(digits, &end, 10);
	if (*digits >= '0' && *digits <= '9' && !errno && (!*end || !end[1]))
		size->unit = unit_of(*end);
	if (size->unit)
		return 0;
	return error_input(err,
			   "find_size: \"%.100s\" is no size as find(1) has them; write N, +N "
			   "(more) or -N (less) with c for bytes, k, M or G, as +1M",
			   text);
}

int predicates_build(struct predicates *predicates, const struct metadata *test, struct error *err)
{
	*predicates = (struct predicates){.name = test->find_name, .newer = test->find_newer};
	return test->find_size ? size_predicate_parse(test->find_size, &predicates->size, err) : 0;
}

bool predicates_any(const struct predicates *predicates)
{
	return predicates->name || predicates_want_stat(predicates);
}

bool predicates_want_stat(const struct predicates *predicates)
{
	return predicates->size.unit || predicates->newer;
}

bool predicates_name_holds(const struct predicates *predicates, const char *name)
{
	return !predicates->name || !fnmatch(predicates->name, name, 0);
}

static bool size_holds(const struct size_predicate *size, uint64_t bytes)
{
	uint64_t units;

	if (!size->unit)
		return true;
	units = bytes / size->unit + (bytes % size->unit > 0);
	return size->sign == '+'   ? units > size->count
	       : size->sign == '-' ? units < size->count
				   : units == size->count;
}

static bool is_newer(const struct timespec *time, const struct timespec *than)
{
	return time->tv_sec != than->tv_sec ? time->tv_sec > than->tv_sec
					    : time->tv_nsec > than->tv_nsec;
}

bool predicates_stat_holds(const struct predicates *predicates, const struct stat *status)
{
	return size_holds(&predicates->size, (uint64_t)status->st_size) &&
	       (!predicates->newer || is_newer(&status->st_mtim, &predicates->than));
}
