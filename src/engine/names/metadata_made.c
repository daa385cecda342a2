/* How much a metadata phase has to do: by the plan, and by what this repetition could make before. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/names/metadata.h"
#include "engine/names/mix.h"

static uint64_t directories_planned(const struct plan *plan)
{
	return plan->tree.directories * plan->tree.trees;
}

/* Of the trees of this task, or of the target whose it shares. */
static uint64_t directories_there(const struct worker *worker)
{
	return worker->plan->metadata->create ? worker->directories_made
					      : directories_planned(worker->plan);
}

/* Of a shared tree its maker tells all. */
static void learn_from_makers(struct worker *worker)
{
	const struct plan *plan = worker->plan;
	uint64_t *made = memory_allocate(plan->path_count, sizeof(*made));

	if (metadata_keeps_tree(worker))
		made[worker->task] = worker->directories_made;
	comm_most_of_late(worker->comm, made, (int)plan->path_count, worker->idle);
	worker->directories_made = made[plan_base_of(plan, worker->task)];
	free(made);
}

void metadata_keep_trees(struct worker *worker, uint64_t made)
{
	const bool keeps = metadata_keeps_tree(worker);

	worker->directories_made = keeps ? made : directories_planned(worker->plan);
	/* For the agreement, in which who makes none misses none. */
	worker->written = worker->directories_made;
}

void metadata_learn_trees(struct worker *worker, uint64_t least)
{
	worker->trees_are_cut = least < directories_planned(worker->plan);
	if (worker->trees_are_cut && !worker->plan->metadata->unique_dir)
		learn_from_makers(worker);
}

static enum item_kind item_of(enum phase_kind kind)
{
	return phase_is_of_files(kind) ? ITEM_FILE : ITEM_DIRECTORY;
}

/* A mix leaves gaps of its own, and each task knows those of its files. */
static bool follows_mix(const struct plan *plan, enum phase_kind kind)
{
	return plan->metadata->mix && kind == PHASE_FILE_REMOVE;
}

/* Of what task 0 told of all, source's. */
static void keep_told(const struct worker *worker, const struct gap *told, bool of_all, uint32_t source,
		      struct gaps *gaps)
{
	uint64_t first = told->first, end = first + told->count;

	if (of_all) {
		first = plan_items_among(worker->plan, first, source);
		end = plan_items_among(worker->plan, end, source);
	}
	if (end > first)
		gaps_add(gaps, first, end - first);
}

/* most: runs of one task. There follows a step in which all wait for all. */
static void learn_gaps(struct worker *worker, enum phase_kind kind, uint64_t most, uint32_t source,
		       struct gaps *gaps)
{
	const struct gaps *own = &worker->gaps[item_of(kind)];
	const struct metadata *test = worker->plan->metadata;
	bool each = follows_mix(worker->plan, kind) || !(test->collective_create || test->shared_file);
	struct gap *mine = memory_allocate(most, sizeof(*mine)), *told = memory_allocate(most, sizeof(*told));
	const int count = (int)(most * sizeof(*mine) / sizeof(uint64_t));

	if (own->count)
		memcpy(mine, own->at, own->count * sizeof(*mine));
	if (each) {
		comm_ask_numbers(worker->comm, (int)source, &mine->first, &told->first, count, worker->idle);
		comm_wait_for_all(worker->comm, worker->idle);
	} else {
		/* The others have none. */
		comm_most_of_late(worker->comm, &mine->first, count, worker->idle);
		memcpy(told, mine, most * sizeof(*told));
	}
	gaps_clear(gaps);
	for (uint64_t i = 0; i < most; i++)
		keep_told(worker, &told[i], !each && !test->shared_file, source, gaps);
	free(mine);
	free(told);
}

/* Of source's items that this repetition made, up to the last one. */
static uint64_t made_by(struct worker *worker, enum phase_kind kind, uint32_t source, struct gaps *gaps)
{
	const struct metadata *test = worker->plan->metadata;
	uint64_t mine = worker->made[item_of(kind)];
	uint64_t numbers[] = {mine, ~mine, worker->gaps[item_of(kind)].count};

	comm_most_of_late(worker->comm, numbers, 3, worker->idle);
	if (numbers[2])
		learn_gaps(worker, kind, numbers[2], source, gaps);
	else
		gaps_clear(gaps);
	if (test->shared_file || numbers[0] == ~numbers[1])
		return numbers[0];
	if (test->collective_create)
		return plan_items_among(worker->plan, numbers[0], source);
	return comm_ask(worker->comm, (int)source, mine, worker->idle);
}

uint64_t metadata_made_of_each(const struct plan *plan, uint64_t least, uint64_t most)
{
	const uint32_t last = plan->map.tasks - 1;

	if (plan->metadata->shared_file)
		return most; /* task 0's, of all */
	if (plan->metadata->collective_create) {
		/* Task 0's, of one owner after the other. */
		least = plan_items_among(plan, most, last);
		most = plan->tree.items;
	}
	/* The last ones may have one fewer by the plan, and then made all. */
	return least < plan_items_of(plan, last) ? least : most;
}

/* By the plan, or of what a status file told. */
static uint64_t planned(const struct worker *worker, enum item_kind kind, uint32_t source)
{
	return status_limit(&worker->status, worker->repetition,
			    kind == ITEM_FILE ? STATUS_FILES : STATUS_DIRECTORIES,
			    plan_items_of(worker->plan, source));
}

/* Gaps only a mix can have left. */
static uint64_t found(struct worker *worker, enum phase_kind kind, uint32_t source, struct gaps *gaps)
{
	uint64_t most = worker->gaps[item_of(kind)].count;

	if (follows_mix(worker->plan, kind))
		comm_most_of_late(worker->comm, &most, 1, worker->idle);
	else
		most = 0;
	if (most)
		learn_gaps(worker, kind, most, source, gaps);
	else
		gaps_clear(gaps);
	return planned(worker, item_of(kind), source);
}

uint64_t metadata_there(struct worker *worker, enum phase_kind kind, uint32_t source, struct gaps *gaps)
{
	uint64_t items = (worker->plan->metadata->create ? made_by : found)(worker, kind, source, gaps);

	return items - gaps_below(gaps, items);
}

/* What task 0 does alone, as the files are everybody's. */
static bool is_of_task_0(const struct plan *plan, enum phase_kind kind)
{
	return plan->metadata->shared_file &&
	       (kind == PHASE_FILE_CREATE || kind == PHASE_FILE_REMOVE);
}

/* Of source's trees in turn with those that share them. */
static uint64_t directories_to_list(struct worker *worker, uint32_t source)
{
	const struct listing listing = metadata_listing(worker->plan, source);
	uint64_t there = directories_there(worker);

	if (worker->trees_are_cut)
		there = comm_ask(worker->comm, (int)source, there, worker->idle);
	return there > listing.first ? (there - listing.first + listing.step - 1) / listing.step : 0;
}

/* Items of owners one behind the other, up to the first whose directories are not all there. */
struct housed {
	uint64_t items;
	bool all;
};

static void join(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct housed *into = (void *)mine->bytes;
	struct housed from;

	(void)context;
	memcpy(&from, theirs, length);
	into->items += into->all ? from.items : 0;
	into->all &= from.all;
}

/* Those of all owners that task 0 makes; of the others nothing. */
static uint64_t housed_of_all(struct worker *worker)
{
	uint64_t items = plan_items_of(worker->plan, worker->task);
	struct housed housed = {
		.items = plan_items_within(worker->plan, worker->task, directories_there(worker)),
	};

	housed.all = housed.items == items;
	if (!worker->trees_are_cut)
		return worker->task ? 0 : worker->plan->files;
	comm_fold_fixed(worker->comm, &housed, sizeof(housed), join, NULL, worker->idle);
	return worker->task ? 0 : housed.items;
}

/* Those whose directories are there; how many others the plan has is noted. */
static uint64_t items_to_make(struct worker *worker, enum phase_kind kind)
{
	const struct plan *plan = worker->plan;
	bool for_all = metadata_is_collective(plan, kind);
	uint64_t wanted, housed;

	if (for_all) {
		housed = housed_of_all(worker);
		wanted = worker->task ? 0 : plan->files;
	} else if (worker->task && is_of_task_0(plan, kind)) {
		return 0;
	} else {
		housed = plan_items_within(plan, worker->task, directories_there(worker));
		wanted = plan_items_of(plan, worker->task);
	}
	worker->without = wanted - housed;
	return housed;
}

uint64_t metadata_available(struct worker *worker, enum phase_kind kind, uint32_t source)
{
	uint64_t there;

	worker->without = 0;
	switch (kind) {
	case PHASE_TREE_CREATE:
		return metadata_keeps_tree(worker) ? directories_planned(worker->plan) : 0;
	case PHASE_TREE_REMOVE:
		return metadata_keeps_tree(worker) ? directories_there(worker) : 0;
	case PHASE_LIST:
		return directories_to_list(worker, source);
	case PHASE_FIND:
		return 0; /* what there is will be seen */
	case PHASE_MIX:
		return mix_available(worker, source);
	case PHASE_DIR_CREATE:
	case PHASE_FILE_CREATE:
		return items_to_make(worker, kind);
	default:
		break;
	}
	there = metadata_there(worker, kind, source, &worker->missing_items);
	return worker->task && is_of_task_0(worker->plan, kind) ? 0 : there;
}
