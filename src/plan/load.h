/* The plan of a load test. Pure functions. */
#ifndef PLAN_LOAD_H
#define PLAN_LOAD_H

#include "plan/plan.h"

/*
 * Checks the operations on items of a load, and builds the plan of their trees, plan->names: that
 * of an mdtest test with a tree for each task. The trees are made before the load and removed after
 * it. Returns 0, or -1 with *err. Does nothing if the load has no such operations.
 */
int load_trees_build(struct plan *plan, const struct facts *facts, struct error *err);

/*
 * Fills plan->pattern from the options of a load, or from its trace. Returns 0, or -1 with
 * ERROR_INPUT.
 */
int load_pattern_build(struct plan *plan, const struct load *load, struct error *err);

/* The numbers by which a task walks through the load. */
struct load_seat plan_load_seat(const struct plan *plan, uint32_t task);

static inline bool plan_load_has(const struct load_pattern *pattern, enum load_kind kind)
{
	return pattern->operations.cards[kind] > 0;
}

/* True if operations are due at moments that do not depend on how long others take. */
static inline bool plan_load_is_paced(const struct load_pattern *pattern)
{
	return pattern->arrival.kind != ARRIVAL_CLOSED;
}

/* Operations of all tasks that are due per second in a phase of that kind; 0: it has no rate. */
static inline double plan_due_rate(const struct plan *plan, enum phase_kind kind)
{
	return kind == PHASE_MIX    ? plan->mix.task_rate * plan->map.tasks
	       : kind == PHASE_LOAD ? plan->pattern.arrival.rate
				    : 0;
}

/* True if the files of the load are allocated before it, and mostly not written. */
static inline bool plan_load_allocates(const struct plan *plan)
{
	return plan->load && plan->load->layout == LAYOUT_ALLOCATE;
}

/* True with layout=missing: files that hold the load's region are used as they are. */
static inline bool plan_load_uses_found(const struct plan *plan)
{
	return plan->load && plan->load->layout == LAYOUT_MISSING;
}

/* True of the load of a point of a curve whose rate only earlier points tell. */
bool plan_load_awaits_rate(const struct load *load);

/* End of the bytes of file number `file` of a task's files that tasks of the load visit. */
uint64_t plan_load_end(const struct plan *plan, uint32_t file);

/*
 * True if the load makes files of the operating system and leaves them. Files that were there
 * before may be the user's own data.
 */
static inline bool plan_load_leaves_files(const struct plan *plan)
{
	return plan->load && plan->backend->files && plan->load->layout != LAYOUT_NONE &&
	       !plan->load->allow_device && load_pattern_moves_data(&plan->pattern);
}

/* True if the load made all of the files that it leaves. */
static inline bool plan_load_owns_files(const struct plan *plan)
{
	return plan_load_leaves_files(plan) && !plan_load_uses_found(plan);
}

/* True if the content of the files says that iorx made them. */
static inline bool plan_load_stamps(const struct plan *plan)
{
	const int content = plan->test->content;

	return content == CONTENT_STAMPED || content == CONTENT_RANDOM || content == CONTENT_IOR ||
	       content == CONTENT_IOR_OFFSET;
}

/*
 * True if the data of each write says in which pass it was written, so that a read also finds data
 * that is older than the last write. This needs blocks that only one task writes, each once a pass,
 * and none of them left out.
 */
bool plan_load_follows_passes(const struct plan *plan);

/* The largest number that divides all offsets and lengths of the operations, bytes. */
uint64_t plan_load_granule(const struct plan *plan);

#endif
