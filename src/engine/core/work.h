/*
 * A workload, as the steps of a phase see it (engine/phase.c). Each workload is one table of these
 * functions, keeps what it needs in a state of its own, and is registered by one row in
 * engine/works.c.
 *
 * A function may be NULL where the workload has nothing to do in that step. source is the task
 * whose data or items the phase is about, as plan_source() says.
 */
#ifndef ENGINE_CORE_WORK_H
#define ENGINE_CORE_WORK_H

#include "engine/core/agree.h"
#include "engine/core/look.h"
#include "engine/core/stamps.h"

struct work {
	/* Creates the workload's state, before anything else of a test. */
	void (*start)(struct worker *worker);
	/* Frees the workload's state, after everything else of a test. */
	void (*stop)(struct worker *worker);

	/*
	 * Lists the operations that the phase's measure has records for. Returns how many. Never
	 * NULL.
	 */
	unsigned (*operations)(const struct plan *plan, const struct phase_plan *phase,
			       enum operation operations[OPERATIONS]);
	/*
	 * Resets the state of the previous phase. Returns the number of transfers or operations of
	 * this task; 0: unknown. Collective over the test's tasks. Never NULL.
	 */
	uint64_t (*reset)(struct worker *worker, const struct phase_plan *phase, uint32_t source);
	/*
	 * Returns how to learn the seed of data that this run did not write; NULL: nothing to
	 * learn.
	 */
	learner *(*learner)(const struct plan *plan, const struct phase_plan *phase);
	/* All preparation that may fail for this task alone. lesson: what was learned, or NULL. */
	int (*prepare)(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		       uint64_t repetition, const struct content_origin *lesson, struct error *err);
	/*
	 * Called when all tasks are prepared: collective preparation. Returns false if there was
	 * nothing to do. After true all tasks agree on the outcome.
	 */
	bool (*prepare_together)(struct worker *worker, const struct phase_plan *phase);
	/* The last step before the common start: looks at caches. */
	void (*observe)(struct worker *worker, const struct phase_plan *phase);
	/* The timed part. Fills all of *stamps. Never NULL. */
	void (*run)(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		    uint64_t repetition, struct stamps *stamps);
	/* Frees what belongs to the phase alone. Also called when the phase did not start. */
	void (*release)(struct worker *worker);
	/*
	 * Adds this task's knowledge to an agreement. Called for both agreements after the timed
	 * part.
	 */
	void (*agree)(struct worker *worker, struct agreement *end);
	/*
	 * Called after the first of these agreements, when all tasks have ended: notes and checks
	 * what exists now.
	 */
	void (*conclude)(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
			 const struct agreement *end);
	/* Completes this task's measure before it is folded with the others'. Never NULL. */
	void (*keep)(struct worker *worker, const struct phase_plan *phase);
};

#endif
