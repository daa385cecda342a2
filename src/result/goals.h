/*
 * What a load asked for beside what came out: its rate, and the share and mean size of each kind of
 * operation, and its depth.
 */
#ifndef RESULT_GOALS_H
#define RESULT_GOALS_H

#include "result/result.h"

enum goal_kind { GOAL_RATE, GOAL_SHARE, GOAL_SIZE, GOAL_DEPTH };

enum { GOALS_MOST = 2 + 2 * LOAD_KINDS };

struct goal {
	enum goal_kind kind;
	enum load_kind of; /* of a share or a size */
	double asked; /* operations/s, a share, mean bytes, or operations in flight of a task */
	double achieved;
	uint64_t operations; /* in the measured window, that the achieved value comes from */
};

/* True if a task keeps its queue full, so that the depth is a goal. */
bool goals_have_depth(const struct plan *plan);

/*
 * Fills the goals of a load phase and returns their number. A closed loop has no goal for its rate.
 * It has one for the depth, as nothing but the storage keeps it from having queue_depth operations
 * in flight, unless it pauses.
 */
unsigned goals_fill(const struct phase_result *phase, const struct plan *plan,
		    struct goal goals[GOALS_MOST]);

/* How a load at a rate kept its schedule, over one phase or several. */
struct kept {
	uint64_t due, issued; /* operations by the schedule, and those issued in time */
	uint64_t phases;
	uint64_t slots; /* operations that all tasks can have in flight */
	double rate;	/* operations/s asked for */
	bool is_random; /* so many are due only in the mean */
};

void kept_add(struct kept *kept, uint64_t due, uint64_t issued, const struct plan *plan);
/* The same over the repetitions of a test that count. */
struct kept kept_over(const struct test_result *test, unsigned phase);

enum { KEPT_MISSED_PERCENT = 5 }; /* so many of its operations a load may miss */

/* True if fewer than 95 % of the operations were issued in time. One operation is no miss. */
bool kept_missed(const struct kept *kept);

/*
 * Operations in flight count as issued. Where they are more than 5 % of those due, an overload does
 * not show: returns the measured time that it takes to show, in seconds. Else 0.
 */
double kept_seconds_needed(const struct kept *kept);

/* The time in which `needed` operations are due; by far most often so, where that is random. */
double kept_seconds_of(double needed, double rate, bool is_random);

#endif
