/* The pattern of a load: which operations, where and how often, from its options. */
#include <string.h>

#include "base/units.h"
#include "options/curve.h"
#include "options/steady.h"
#include "plan/load.h"
#include "plan/replay.h"

/* Parses the sizes of one kind of operation: its own option, or sizes. */
static int parse_sizes(const struct load *load, enum load_kind kind, struct sizes *sizes,
		       struct error *err)
{
	const char *own = kind == LOAD_READ ? load->read_sizes : load->write_sizes;
	const char *key = kind == LOAD_READ ? "read_sizes" : "write_sizes";

	if (own && *own)
		return sizes_parse(own, key, sizes, err);
	return sizes_parse(load->sizes, "sizes", sizes, err);
}

bool plan_load_awaits_rate(const struct load *load)
{
	const enum curve_point_kind kind = curve_point_of(load->curve).kind;

	return !load_has_rate(load) && (kind == CURVE_POINT_SHARE || kind == CURVE_POINT_SEARCH);
}

/* The rate of a point that awaits one is 1 until the point runs. */
static double rate_of_options(const struct load *load, double mean_bytes)
{
	const struct curve_point_text point = curve_point_of(load->curve);

	if (plan_load_awaits_rate(load))
		return 1;
	if (point.kind == CURVE_POINT_RATE)
		return point.value;
	return load->byte_rate ? (double)load->byte_rate / mean_bytes : load->rate;
}

/* Mean bytes of an operation on data; operations on items have no byte_rate. */
static double mean_bytes(const struct load_pattern *pattern)
{
	double mean = 0;

	for (enum load_kind kind = 0; kind < LOAD_DATA_KINDS; kind++)
		mean += deck_share(&pattern->operations, kind) * pattern->sizes[kind].mean;
	return mean;
}

/* Converts the rate that the options give to operations/s of all tasks together. */
static double rate_of_all(const struct plan *plan, const struct load *load)
{
	const double rate = rate_of_options(load, mean_bytes(&plan->pattern));

	return load->rate_scope == LOAD_SCOPE_TASK   ? rate * plan->map.tasks
	       : load->rate_scope == LOAD_SCOPE_NODE ? rate * plan->map.nodes
						     : rate;
}

/*
 * The items of a task. New files get numbers of their own, so the share of each operation stays
 * exact whatever the order. Directories are laid out only if some are removed.
 */
static struct load_item_limits load_pattern_items_of(const struct load *load,
						     const struct load_pattern *pattern)
{
	const bool removes = plan_load_has(pattern, LOAD_RMDIR);

	return (struct load_item_limits){
		.files = {.start = load->items, .least = 1},
		.directories = {.start = removes ? load->items : 0},
		.bytes = load->item_bytes,
	};
}

/* The share of runs at random places, for reads and writes apart if they differ. */
static int parse_random(const struct load *load, struct load_pattern *pattern, struct error *err)
{
	const char *text = load->write_random;
	double of_writes = load->random;

	if (text && *text && (units_parse_share(text, &of_writes, err) || of_writes > 1))
		return error_input(err,
				   "write_random: \"%.40s\" is no share; write one from 0%% to "
				   "100%%, as 30%%",
				   text);
	deck_make_two(&pattern->random,
		      plan_load_has(pattern, LOAD_READ) ? load->random : of_writes);
	deck_make_two(&pattern->write_random, of_writes);
	pattern->splits_random =
		plan_load_has(pattern, LOAD_WRITE) &&
		memcmp(&pattern->random, &pattern->write_random, sizeof(pattern->random));
	return 0;
}

int load_pattern_build(struct plan *plan, const struct load *load, struct error *err)
{
	struct load_pattern *pattern = &plan->pattern;
	struct steady_rule steady;

	if (plan->trace)
		return replay_pattern(plan, load, err);
	*pattern = (struct load_pattern){
		.run_length = load->run_length,
		.stride = load->stride,
		.align = load->align,
		.own_hot_blocks = load->hot_blocks == HOT_BLOCKS_OWN,
		.files = (uint32_t)load->files,
		.files_given = load->depth_scope == DEPTH_OF_FILE,
		.files_in_turn = true,
		.file_bytes = load->file_size,
		.operation_limit = load->operation_limit,
		.byte_limit = load->byte_limit,
		.passes = load->passes,
		.seed = (uint64_t)plan->test->random_offset_seed,
		.draw = curve_point_of(load->curve).draw,
	};
	if (load_parse_file_choice(load->file_choice, "file_choice", pattern, err))
		return -1;
	pattern->files_in_turn |= load->files <= 1;
	if (deck_parse_shares(load->operations, "operations", load_kind_names, LOAD_KINDS,
			      &pattern->operations, err))
		return -1;
	for (enum load_kind kind = 0; kind < LOAD_DATA_KINDS; kind++)
		if (parse_sizes(load, kind, &pattern->sizes[kind], err))
			return -1;
	if (load->steady && steady_parse(load->steady, &steady, err))
		return -1;
	pattern->items = load_pattern_items_of(load, pattern);
	if (parse_random(load, pattern, err))
		return -1;
	if (distribution_parse(load->distribution, "distribution", &pattern->distribution, err))
		return -1;
	plan->awaits_rate = plan_load_awaits_rate(load);
	pattern->arrival = (struct arrival){
		.kind = (enum arrival_kind)load->arrival,
		.rate = rate_of_all(plan, load),
		.burst = (uint32_t)load->burst,
		.pause_ns = (uint64_t)(load->burst_pause * 1e9),
		.think_ns = (uint64_t)(load->think_time * 1e9),
	};
	return 0;
}
