/* The head of a metadata test: its directories, tree, items and mix. */
#include <inttypes.h>

#include "page/page.h"

static void add_directories(struct text *words, const struct plan *plan)
{
	char path[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, path);
		text_add(words, "%s%s", i ? " and " : "", path);
	}
	if (plan->path_count > 1)
		text_add(words, ", taken by the tasks in turn");
}

static void add_tree(struct text *words, const struct plan *plan)
{
	const struct tree *tree = &plan->tree;

	text_add(words, "%s of %" PRIu64 " director%s",
		 plan->metadata->unique_dir ? "a tree for each task" : "one tree for all tasks",
		 tree->directories, tree->directories == 1 ? "y" : "ies");
	if (tree->directories > 1)
		text_add(words, ", %" PRIu64 " level%s deep, branching by %" PRIu64,
			 plan->metadata->depth, plan->metadata->depth == 1 ? "" : "s",
			 tree->branch);
	if (tree->trees > 1)
		text_add(words, "; %" PRIu64 " times, each in a test directory of its own",
			 tree->trees);
}

static void add_items(struct text *words, const struct plan *plan)
{
	const struct tree *tree = &plan->tree;

	if (plan->metadata->shared_file)
		text_add(words, "%" PRIu64 " items for all tasks together", plan->files);
	else if (plan->full_tasks < plan->map.tasks)
		text_add(words, "%" PRIu64 " or %" PRIu64 " items of each task, %" PRIu64 " in all",
			 tree->items - 1, tree->items, plan->files);
	else
		text_add(words, "%" PRIu64 " items of each task, %" PRIu64 " in all", tree->items,
			 plan->files);
	if (plan->queue_depth > 1)
		text_add(words, ", up to %" PRIu64 " of a task in flight", plan->queue_depth);
}

static void add_mix(struct text *words, const struct plan *plan)
{
	const struct mix *mix = &plan->mix;
	const char *between = "mix: ";

	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++)
		if (mix->shares[kind] > 0) {
			text_add(words, "%s%s %.3g %%", between, mix_kind_name(kind),
				 100 * mix->shares[kind]);
			between = ", ";
		}
	if (mix->evened)
		text_add(
			words,
			"; create %.3g %% and remove %.3g %% were balanced, as the number of files "
			"stays",
			100 * mix->asked[MIX_CREATE], 100 * mix->asked[MIX_REMOVE]);
}

void page_add_tree(struct text *words, const struct plan *plan)
{
	page_next(words);
	text_add(words, "in ");
	add_directories(words, plan);
	if (!metadata_only_finds(plan->metadata)) {
		page_next(words);
		add_tree(words, plan);
		page_next(words);
		add_items(words, plan);
	}
	if (plan->metadata->mix) {
		page_next(words);
		add_mix(words, plan);
	}
}
