/* The table of intervals. */
#include "page/intervals_csv.h"

#include <inttypes.h>

static const char *const names[INTERVAL_KINDS] = {
	[INTERVAL_READ] = "read",
	[INTERVAL_WRITE] = "write",
	[INTERVAL_METADATA] = "metadata",
};

void intervals_csv_head(struct text *out)
{
	text_add(out, "test,repetition,interval,began_epoch_s,from_s,seconds,part,nodes,all_nodes,"
		      "operations_per_s");
	for (enum interval_kind kind = 0; kind < INTERVAL_KINDS; kind++) {
		const char *name = names[kind];

		text_add(out,
			 ",%s_operations,%s_bytes,%s_service_mean_ns,%s_service_p99_ns,"
			 "%s_response_mean_ns,%s_response_p99_ns",
			 name, name, name, name, name, name);
	}
	text_add(out, "\n");
}

/* Mean and p99 of one time; empty where nothing, or too little, was done. */
static void add_times(struct text *out, uint64_t sum_ns, uint64_t count, const uint64_t *buckets)
{
	const uint64_t p99_ns = coarse_percentile(buckets, 0.99);

	text_add(out, ",");
	if (count && sum_ns)
		text_add(out, "%.1f", (double)sum_ns / (double)count);
	text_add(out, ",");
	if (p99_ns)
		text_add(out, "%" PRIu64, p99_ns);
}

void intervals_csv_row(struct text *out, const struct interval_row *row)
{
	static const char *const parts[] = {
		[INTERVAL_WARMUP] = "warm-up",
		[INTERVAL_MEASURED] = "measured",
		[INTERVAL_COOLDOWN] = "cool-down",
	};

	text_add(out, "%u,%" PRIu64 ",%" PRIu64 ",%.3f,%.9g,%.6f,%s,%" PRIu64 ",%" PRIu64 ",%.17g",
		 row->test, row->repetition, row->number, row->began, row->from_s, row->seconds,
		 parts[row->part], row->nodes, row->all_nodes, row->operations_per_s);
	for (enum interval_kind kind = 0; kind < INTERVAL_KINDS; kind++) {
		const struct interval_side *side = &row->counts->sides[kind];

		text_add(out, ",%" PRIu64 ",%" PRIu64, side->operations, side->bytes);
		add_times(out, side->service_ns, side->operations, side->service);
		add_times(out, side->response_ns, side->operations, side->response);
	}
	text_add(out, "\n");
}
