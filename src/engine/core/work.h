/*
 * A workload, as the steps of a phase see it (engine/phase.c). Each workload is one table of these
 * functions, keeps what it needs in a state of its own, and is registered by one row in engine/works.c.
 *
 * A function may be NULL where the workload has nothing to do in that step. source is the task whose
 * data or items the phase is about, as plan_source() says.
 */
#ifndef ENGINE_CORE_WORK_H
#define ENGINE_CORE_WORK_H

#include "engine/core/agree.h"
#include "engine/core/look.h"
#include "engine/core/stamps.h"

struct work {
	/* Before anything else of a test: makes the workload's state. Never NULL. */
	void (*start)(struct worker *worker);
	/* After everything else of a test. Never NULL. */
	void (*stop)(struct worker *worker);

	/* The operations that the phase's measure has a record of each for. Returns how many. Never NULL. */
	unsigned (*operations)(const struct plan *plan, const struct phase_plan *phase,
			       enum operation operations[OPERATIONS]);
	/*
	 * Forgets the phase before. Returns how many transfers or operations there are for this task, 0 when
	 * that is not known. Collective over the test's tasks. Never NULL.
	 */
	uint64_t (*reset)(struct worker *worker, const struct phase_plan *phase, uint32_t source);
	/* How to learn the seed of data that this run did not write; NULL where nothing must be learned. */
	learner *(*learner)(const struct plan *plan, const struct phase_plan *phase);
	/* Everything before the start that may fail for this task alone. lesson: what was learned. */
	int (*prepare)(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		       uint64_t repetition, const struct content_origin *lesson, struct error *err);
	/*
	 * Once all tasks are prepared, together. Returns false when there was nothing to do; after true all
	 * tasks agree on how it went.
	 */
	bool (*prepare_together)(struct worker *worker, const struct phase_plan *phase);
	/* The last step before the common start: looks at caches. */
	void (*observe)(struct worker *worker, const struct phase_plan *phase);
	/* The timed part. Fills all of *stamps. Never NULL. */
	void (*run)(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		    uint64_t repetition, struct stamps *stamps);
	/* Frees what was made for the phase alone; also called when the phase did not start. */
	void (*release)(struct worker *worker);
	/* Adds what this task knows to an agreement behind the timed part; called for each of the two. */
	void (*agree)(struct worker *worker, struct agreement *end);
	/* After the first of them, when all tasks have ended: notes and looks at what there is now. */
	void (*conclude)(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
			 const struct agreement *end);
	/* Completes this task's measure before it is joined with the others'. Never NULL. */
	void (*keep)(struct worker *worker, const struct phase_plan *phase);
};

#endif
