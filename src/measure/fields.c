/* The scalar members of struct measure and how each is merged. */
#include "measure/fields.h"

#define MEMBER(member) ((struct measure *)0)->member
#define ROW(member, how)                                                           \
	{                                                                          \
#member, offsetof(struct measure, member), sizeof(MEMBER(member)), \
			_Generic(MEMBER(member), uint64_t                          \
				 : FIELD_COUNT, uint64_t *                         \
				 : FIELD_COUNT, double                             \
				 : FIELD_NUMBER, struct extent                     \
				 : FIELD_EXTENT),                                  \
			how                                                        \
	}
#define SUM(member) ROW(member, MERGE_SUM)
#define MOST(member) ROW(member, MERGE_MOST)
#define LEAST(member) ROW(member, MERGE_LEAST)
#define SPAN(member) ROW(member, MERGE_SPAN)

const struct measure_field measure_fields[] = {
	SUM(tasks),
	SUM(idle_tasks),
	SUM(failed_tasks),
	SUM(stopped_tasks),
	SUM(left_tasks),
	SUM(walled_tasks),
	SUM(unworn_tasks),
	SUM(syncs_at_end),
	SUM(bytes),
	SUM(bytes_expected),
	SUM(wall_bytes),
	SUM(content_ns),
	SUM(content_inside_ns),
	SUM(transfer_ns),
	SUM(short_transfers),
	SUM(retries),
	SUM(depth_sum),
	SUM(depth_bins),
	SUM(submits),
	SUM(reaps),
	SUM(entries),
	SUM(load_outside),
	SUM(load_ends),
	SUM(load_skipped),
	SUM(load_unfinished),
	SUM(load_due),
	SUM(load_issued),
	SUM(mix_files),
	SUM(mix_slept),
	SUM(mix_late_ns),
	SUM(mix_missed),
	SUM(expected_operations),
	SUM(failed_operations),
	SUM(untried_operations),
	SUM(errors),
	SUM(user_ns),
	SUM(system_ns),
	SUM(voluntary_switches),
	SUM(involuntary_switches),
	SUM(io.tasks),
	SUM(io.rchar),
	SUM(io.wchar),
	SUM(io.syscr),
	SUM(io.syscw),
	SUM(io.read_bytes),
	SUM(io.write_bytes),
	SUM(io.cancelled_write_bytes),
	SUM(before.files),
	SUM(before.bytes),
	SUM(before.resident),
	SUM(before.dirty),
	SUM(before.writeback),
	SUM(source.files),
	SUM(source.bytes),
	SUM(source.holes),
	SUM(activity.watched_ns),
	SUM(activity.devices),
	SUM(activity.read_bytes),
	SUM(activity.written_bytes),
	SUM(activity.dirty_bytes),
	SUM(activity.stall_nodes),
	SUM(activity.cpu_stall_ns),
	SUM(activity.cpu_wait_ns),
	SUM(after.files),
	SUM(after.bytes),
	SUM(after.resident),
	SUM(after.dirty),
	SUM(after.writeback),
	SUM(allocated_bytes),
	SUM(sized_files),
	SUM(hole_bytes),
	SUM(read_back),
	SUM(lost),
	SUM(files_fresh),
	SUM(files_recreated),
	SUM(files_of_ior),
	SUM(files_used_empty),
	SUM(files_overwritten),
	SUM(scheduled_starts),
	SUM(late_starts),
	SPAN(begin),
	SPAN(open_end),
	SPAN(issue),
	SPAN(completion),
	SPAN(wall),
	SPAN(sync_end),
	SPAN(close_end),
	SPAN(done),
	SUM(rate_sum),
	SUM(time_sum),
	MOST(content_share_most),
	LEAST(least_bytes),
	MOST(most_bytes),
	LEAST(wall_least),
	MOST(wall_most),
	LEAST(least_transfers),
	MOST(most_transfers),
	MOST(mix_most_missing),
	MOST(load_oldest_ns),
	MOST(load_window_ns),
	MOST(mix_latest_ns),
	SUM(find.directories),
	SUM(find.files),
	SUM(find.others),
	SUM(find.matches),
	SUM(find.mounts),
	SUM(find.made),
	SUM(find.taken),
	SUM(find.left),
	SUM(targets_made.count),
	SUM(tests_kept.count),
	MOST(clock_residual_ns),
	MOST(clock_drift_ns),
	MOST(clock_disagreement),
	MOST(clock_cost_ns),
	ROW(slices_ns, MERGE_FIRST),
};

const size_t measure_field_count = sizeof(measure_fields) / sizeof(measure_fields[0]);

void measure_fields_reset(struct measure *measure)
{
	for (size_t i = 0; i < measure_field_count; i++) {
		void *value = (char *)measure + measure_fields[i].offset;

		if (measure_fields[i].merge == MERGE_LEAST)
			*(uint64_t *)value = UINT64_MAX;
		else if (measure_fields[i].merge == MERGE_SPAN)
			*(struct extent *)value = (struct extent){.first = UINT64_MAX};
	}
}

static void merge_counts(uint64_t *into, const uint64_t *from, size_t count, enum field_merge merge)
{
	if (merge == MERGE_SUM)
		for (size_t i = 0; i < count; i++)
			into[i] += from[i];
	else if (merge == MERGE_FIRST ? !*into : (merge == MERGE_MOST) == (*from > *into))
		*into = *from;
}

static void merge_numbers(double *into, const double *from, enum field_merge merge)
{
	if (merge == MERGE_SUM)
		*into += *from;
	else if (*from > *into)
		*into = *from;
}

static void merge_spans(struct extent *into, const struct extent *from)
{
	if (from->first == UINT64_MAX)
		return;
	extent_add(into, from->first);
	extent_add(into, from->last);
}

void measure_fields_merge(struct measure *into, const struct measure *from)
{
	for (size_t i = 0; i < measure_field_count; i++) {
		const struct measure_field *field = &measure_fields[i];
		void *mine = (char *)into + field->offset;
		const void *theirs = (const char *)from + field->offset;

		if (field->type == FIELD_COUNT)
			merge_counts(mine, theirs, field->size / sizeof(uint64_t), field->merge);
		else if (field->type == FIELD_NUMBER)
			merge_numbers(mine, theirs, field->merge);
		else
			merge_spans(mine, theirs);
	}
}
