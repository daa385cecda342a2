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

/*
 * Fills the goals of a load phase and returns their number. A closed loop has no goal for its rate.
 * It has one for the depth, as nothing but the storage keeps it from having queue_depth operations
 * in flight, unless it pauses.
 */
unsigned goals_fill(const struct phase_result *phase, const struct plan *plan,
		    struct goal goals[GOALS_MOST]);

#endif
