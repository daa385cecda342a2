/*
 * The rate that limits allow a phase. A limit is a plain number, such as the speed of a network
 * card; what is above it did not come from the storage. Limits judge and enter no rate.
 */
#ifndef RESULT_POSSIBLE_H
#define RESULT_POSSIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "options/test.h"

enum limit { LIMIT_NETWORK, LIMIT_DEVICE, LIMIT_SERVER, LIMIT_CLIENT, LIMIT_FLOOR, LIMITS };

const char *limit_name(enum limit limit); /* "network" … */

/* A limit of one part, and how many such parts work at the same time. each 0: not known. */
struct bound {
	double each; /* bytes/s */
	uint64_t count;
	bool measured; /* by iorx; else given */
};

struct possible {
	double rate; /* bytes/s that went one way, to be compared; 0: nothing is known */
	struct bound bounds[LIMITS];
	enum unit unit; /* of rates in words */
};

/* The limits that the options give for a test on `nodes` nodes. */
void possible_set(struct possible *possible, const struct run *options, uint32_t nodes);

struct measured;
enum access;
/*
 * Adds the limits that were measured and judge, where none was given. Of several for one limit the
 * one that allows the most counts. any_access: the phase reads and writes.
 */
void possible_add_measured(struct possible *possible, const struct measured *measured,
			   enum access access, bool any_access);

const char *possible_method(const struct possible *possible, enum limit limit); /* "given" … */
/* All parts of a limit together, bytes/s; 0: not known. */
double possible_bound(const struct possible *possible, enum limit limit);
/* The limit that allows the least; false if none is known. */
bool possible_least(const struct possible *possible, enum limit *least);
/* The rate as a share of a known limit. */
double possible_share(const struct possible *possible, enum limit limit);

/* Share of a limit from which on a rate is said to be limited by it. */
#define POSSIBLE_LIMITED 0.9
/* True if the rate is above a known limit: by 5 % where it was given, by 30 % where measured. */
bool possible_is_above(const struct possible *possible, enum limit limit);

void possible_add_rate(struct text *words, double rate, enum unit unit); /* "50 MiB/s" */
/* "1734 MiB/s is 1156 % of network 3 x 50 MiB/s (given)" */
void possible_add_share(struct text *words, const struct possible *possible, enum limit limit);
/* The rate against its least limit: "limited by network (given), 93 %" or "above …, 164 %". */
void possible_add_words(struct text *words, const struct possible *possible);

#endif
