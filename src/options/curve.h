/*
 * The texts of a curve of load against response time: its points, and the bound on the response
 * time that ends or guides it. Pure functions.
 */
#ifndef OPTIONS_CURVE_H
#define OPTIONS_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

enum curve_point_kind {
	CURVE_POINT_NONE,   /* the test is no point of a curve */
	CURVE_POINT_MAX,    /* as fast as possible, in a closed loop */
	CURVE_POINT_SHARE,  /* of the rate that the maximum reached */
	CURVE_POINT_RATE,   /* operations/s within rate_scope */
	CURVE_POINT_SEARCH, /* at the rate that the search chooses */
};

enum { CURVE_SEARCH_POINTS = 24 }; /* measurements that a search makes at most */

/*
 * value: a share, operations/s, or the number of the try from 1 on. draw: measurements of one rate
 * have random choices of their own, as repetitions have; 0: those of the test.
 */
struct curve_point_text {
	enum curve_point_kind kind;
	double value;
	unsigned draw;
};

/*
 * Parses one point as curve_list() writes it: "max", "10%", "2000", "10%-again" or "search1".
 * NULL: no point.
 */
struct curve_point_text curve_point_of(const char *text);

/*
 * Lists the points of a curve such as "max, 10-100/10%" or "1000, 2000" as a list of values:
 * "[max 10% 20% …]". Without has_rates shares are refused before the maximum, of which they are
 * shares. With `again` each point behind the maximum is followed by one that measures its rate
 * again: "[max 10% 10%-again …]". Returns 0, or -1 with ERROR_INPUT, whose text begins with the
 * key.
 */
int curve_list(const char *curve, bool has_rates, bool again, struct text *list, struct error *err);

/* True for a point that measures the rate of the one before it again. */
static inline bool curve_point_is_again(const struct curve_point_text *point)
{
	return point->kind != CURVE_POINT_SEARCH && point->draw;
}

/* Lists the points of a search: the maximum, and as many tries as it may need. */
void curve_list_search(struct text *list);

/* A bound on one statistic of the response times of a point. */
struct curve_bound {
	double quantile; /* 0.99 for p99; 0: the mean; 1: the maximum */
	uint64_t ns;	 /* 0: there is no bound */
};

/*
 * Parses "p99:5ms" (separator ':') or "p99<2ms" (separator '<'); mean and max stand in place of a
 * percentile. key: the option, which begins the error's text. Returns 0, or -1 with ERROR_INPUT.
 */
int curve_parse_bound(const char *text, char separator, const char *key, struct curve_bound *bound,
		      struct error *err);

#endif
