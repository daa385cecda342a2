/* What a phase's result says of merged measures whose truth is known because they are invented. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/pack.h"
#include "result/fields.h"
#include "result/goals.h"

static const uint64_t begin_ns = 1000000000000;

static struct measure *new_measure(void)
{
	const enum operation operations[] = {OPERATION_OPEN, OPERATION_WRITE, OPERATION_CLOSE};

	return measure_create(operations, 3);
}

/* One that works from the begin for so long, in transfers of one length, and does nothing else. */
static void work(struct measure *measure, uint32_t task, uint64_t transfers, uint64_t service_ns)
{
	struct operation_record *record = measure_record(measure, OPERATION_WRITE);
	uint64_t length_ns = transfers * service_ns, end_ns = begin_ns + length_ns;

	measure_reset(measure);
	measure->tasks = 1;
	measure->slowest_task = task;
	measure->bytes = transfers;
	measure->slices_ns = begin_ns;
	extent_add(&measure->begin, begin_ns);
	extent_add(&measure->open_end, begin_ns);
	extent_add(&measure->issue, begin_ns);
	extent_add(&measure->completion, end_ns);
	extent_add(&measure->close_end, end_ns);
	extent_add(&measure->done, end_ns);
	measure->time_sum = measure->time_most = (double)length_ns / 1e9;
	measure->transfer_ns = length_ns;
	for (uint64_t i = 0; i < transfers; i++)
		measure_add(record, service_ns, end_ns, 0, task, 0);
	task_p99_set(&measure->task_p99, &record->histogram, task, task / 8);
}

/* One that opens and closes at once, as all do, and has nothing to move. */
static void idle(struct measure *measure)
{
	measure_reset(measure);
	measure->tasks = measure->idle_tasks = 1;
	measure->slices_ns = begin_ns;
	extent_add(&measure->begin, begin_ns);
	extent_add(&measure->open_end, begin_ns + 1000);
	extent_add(&measure->close_end, begin_ns + 2000);
}

static struct phase_result fill(struct measure *measure)
{
	struct phase_result result = {
		.kind = PHASE_WRITE, .queue_depth = 1, .only_transfers = true};

	phase_result_fill(&result, measure);
	return result;
}

/*
 * Three seconds were measured. Of 600 operations in the percentiles two ended behind the window and
 * one last as late as after 4.9 s; one more began before the window and ended in it.
 */
static void a_load_goes_by_its_window_and_its_histograms_by_their_span(void **state)
{
	const enum operation operations[] = {OPERATION_MIXED};
	struct measure *measure = measure_create(operations, 1);
	struct operation_record *record = measure_record(measure, OPERATION_MIXED);
	struct phase_result result = {.kind = PHASE_LOAD, .queue_depth = 1};

	(void)state;
	measure->tasks = 1;
	measure->load_window_ns = 3000000000;
	extent_add(&measure->begin, begin_ns);
	extent_add(&measure->issue, begin_ns);
	extent_add(&measure->completion, begin_ns + 4900000000);
	extent_add(&measure->close_end, begin_ns + 5000000000);
	for (unsigned i = 0; i < 600; i++)
		measure_add(record, 4900000, begin_ns + 4900000000, 0, 0, 0);
	record->bytes = 600 * 4096;
	record->rated_more = 1 - 2;
	record->rated_more_bytes = -4096;
	measure->bytes = record->bytes;
	phase_result_fill(&result, measure);
	assert_float_equal(result.seconds.window, 3, 1e-9);
	assert_float_equal(phase_headline_seconds(&result), 3, 1e-9);
	assert_float_equal(result.total_rate, 599 / 3., 1e-9);
	assert_float_equal(result.operations_rate, 599 / 3., 1e-9);
	assert_int_equal(result.operations, 600);
	assert_int_equal(result.rated[OPERATION_MIXED], 599);
	assert_float_equal(result.seconds.transfer, 4.9, 1e-9);
	assert_float_equal(result.concurrency.busy_share, 600 * .0049 / 4.9, 1e-9);
	free(measure);
}

/* One that creates 1000 items from so many ms after the begin on, and after sync_ms of waiting is
 * synced. */
static struct measure *create_items(uint64_t after_ms, uint64_t for_ms, uint64_t sync_ms)
{
	const enum operation operations[] = {OPERATION_CREATE};
	struct measure *measure = measure_create(operations, 1);
	uint64_t from_ns = begin_ns + 1000000 * after_ms, to_ns = from_ns + 1000000 * for_ms;

	measure->tasks = 1;
	measure->syncs_at_end = sync_ms > 0;
	extent_add(&measure->begin, from_ns);
	extent_add(&measure->issue, from_ns);
	extent_add(&measure->completion, to_ns);
	extent_add(&measure->done, to_ns);
	extent_add(&measure->close_end, to_ns + 1000000 * sync_ms);
	if (sync_ms)
		extent_add(&measure->sync_end, to_ns + 1000000 * sync_ms);
	measure->time_sum = measure->time_most = (double)for_ms / 1e3;
	measure->rate_sum = 1000 / measure->time_sum;
	for (uint64_t i = 0; i < 1000; i++)
		measure_add(measure_record(measure, OPERATION_CREATE), 1000 * for_ms, to_ns, i, 0,
			    0);
	return measure;
}

/* Two of them. */
static struct phase_result fill_items(struct measure *measure, struct measure *other)
{
	struct phase_result result = {.kind = PHASE_FILE_CREATE, .queue_depth = 1};

	measure_merge(measure, other);
	phase_result_fill(&result, measure);
	free(measure);
	free(other);
	return result;
}

static void assert_near(double value, double wanted)
{
	if (fabs(value - wanted) > 1e-9 * fabs(wanted))
		fail_msg("%.12g is not %.12g", value, wanted);
}

static void stamping_inside_a_service_time_is_accounted_once(void **state)
{
	struct measure *measure = new_measure();

	(void)state;
	work(measure, 0, 1000, 2000000);
	measure->content_ns = measure->content_inside_ns = 400000000;
	struct phase_result result = fill(measure);

	assert_near(result.concurrency.accounted, 1);
	assert_near(result.content_share, 0.2);
	/* Where the clock is read after it, it lies beside them. */
	measure->content_inside_ns = 0;
	measure->transfer_ns += measure->content_ns;
	result = fill(measure);
	assert_near(result.concurrency.accounted, 1);
	free(measure);
}

static void operations_and_bytes_go_by_the_same_seconds(void **state)
{
	struct measure *measure = new_measure();

	(void)state;
	work(measure, 0, 1000, 1000000); /* 1 s, and 1 s of syncing */
	measure->syncs_at_end = 1;
	extent_add(&measure->sync_end, begin_ns + 2000000000);
	extent_add(&measure->close_end, begin_ns + 2000000000);
	struct phase_result result = fill(measure);

	assert_near(result.seconds.durable, 2);
	assert_near(result.total_rate, 500);
	assert_near(result.operations_rate, 500);
	free(measure);
}

static void time_that_was_up_leaves_nothing_unaccounted(void **state)
{
	struct measure *measure = new_measure();

	(void)state;
	work(measure, 0, 1000, 2000000);
	measure->walled_tasks = 1;
	assert_near(fill(measure).concurrency.accounted, 1);
	free(measure);
}

static void tasks_with_nothing_to_do_are_in_no_mean(void **state)
{
	struct measure *measure = new_measure(), *other = new_measure();

	(void)state;
	work(measure, 0, 1000, 2000000);
	measure->content_ns = 200000000;
	work(other, 1, 1000, 3000000);
	measure_merge(measure, other);
	for (int i = 0; i < 6; i++) {
		idle(other);
		measure_merge(measure, other);
	}
	struct phase_result result = fill(measure);

	assert_int_equal(measure->tasks, 8);
	assert_int_equal(result.working_tasks, 2);
	assert_near(result.imbalance, 1.2);		     /* 3 s against 2.5 s */
	assert_near(result.concurrency.busy_share, 5.0 / 6); /* 5 s of two places for 3 s */
	assert_near(result.content_share, 0.2 / 6);
	assert_near(result.tail_share, 1.0 / 3);
	free(measure);
	free(other);
}

static void a_late_start_is_told_from_slow_tasks(void **state)
{
	struct phase_result late = fill_items(create_items(0, 100, 0), create_items(100, 100, 0));
	struct phase_result slow = fill_items(create_items(0, 100, 0), create_items(0, 300, 0));

	(void)state;
	assert_near(late.straggler_loss, 0.5);
	assert_true(fabs(late.loss_without_skew) < 1e-9);
	assert_near(slow.straggler_loss, 0.5);
	assert_near(slow.loss_without_skew, 0.5);
}

static void a_sync_behind_all_is_no_loss_of_any_task(void **state)
{
	/* task 0 syncs for 900 ms, the other one only waited until it had begun */
	struct phase_result result = fill_items(create_items(0, 100, 900), create_items(0, 80, 20));

	(void)state;
	assert_near(result.seconds.total, 1);
	assert_near(result.total_rate, 2000);
	assert_near(result.sum_rate, 22500);
	assert_near(result.straggler_loss, 1 - 20000.0 / 22500);
	assert_near(result.tail_share, 0.2);
}

static void a_phase_in_which_all_are_idle_has_no_numbers_that_are_none(void **state)
{
	struct measure *measure = new_measure();

	(void)state;
	idle(measure);
	struct phase_result result = fill(measure);

	assert_true(result.imbalance == 0 && result.tail_share == 0 && result.content_share == 0);
	assert_true(result.seconds.total > 0 && result.seconds.transfer == 0);
	assert_int_equal(result.working_tasks, 0);
	free(measure);
}

/* Tasks were let go 5 slices before the first one came to the processor. */
static void a_column_of_the_heat_map_is_four_slices_also_after_an_idle_begin(void **state)
{
	enum { LATE = 5, USED = 40 };
	const uint64_t slice_ns = UINT64_C(1) << TIMELINE_NARROWEST;
	struct measure *measure = new_measure();

	(void)state;
	work(measure, 0, 10, (USED - LATE) * slice_ns / 10);
	measure->slices_ns = begin_ns - LATE * slice_ns;
	for (uint64_t i = LATE; i < USED; i++)
		timeline_enter(measure_timeline(measure), i * slice_ns)->bytes = i;
	heatmap_set(measure_heatmap(measure), 0, measure_timeline(measure));

	struct phase_result result = fill(measure);
	const struct slice *slices = measure_timeline(measure)->slices;
	uint64_t bytes = 0;

	assert_int_equal(result.slices_lead_ns, slice_ns);
	assert_int_equal(result.slices, USED - 4);
	assert_int_equal(result.heatmap_columns, (USED - 4) / 4);
	assert_int_equal(slices[0].bytes, 0);
	assert_int_equal(slices[1].bytes, LATE);
	for (uint32_t i = 0; i < result.slices; i++) {
		bytes += slices[i].bytes;
		if (i % 4 < 3)
			continue;
		assert_int_equal(measure_heatmap(measure)->bytes[0][i / 4], bytes);
		bytes = 0;
	}
	free(measure);
}

/* Of task i the p99, all different and in no order. */
static uint64_t p99_of(uint32_t task, uint32_t tasks)
{
	return 100000 + 1000 * (uint64_t)((task * 2654435761u) % tasks);
}

/* As comm_fold() joins them, with one open measure for each level of the tree. */
static void fold(struct measure **levels, struct measure *blob, uint32_t task)
{
	unsigned level = 0;

	for (; (task >> level) & 1; level++) {
		measure_merge(levels[level], blob);
		memcpy(blob, levels[level], blob->size);
	}
	if (!levels[level])
		levels[level] = new_measure();
	memcpy(levels[level], blob, blob->size);
}

static void the_spread_of_p99_over_4096_tasks_is_known_in_bounded_memory(void **state)
{
	enum { TASKS = 4096, LEVELS = 13, FEW = 7 };
	struct measure *levels[LEVELS] = {NULL}, *blob = new_measure();
	struct text packed = {0};
	size_t size = blob->size;

	(void)state;
	for (uint32_t task = 0; task < TASKS; task++) {
		/* Of one that did too little there is no p99, however long it took. */
		work(blob, task, task == FEW ? 367 : 368, task == FEW ? 1 : p99_of(task, TASKS));
		fold(levels, blob, task);
	}
	struct measure *all = levels[LEVELS - 1];
	struct phase_result result = fill(all);
	const struct p99_spread *spread = &result.task_p99;

	assert_int_equal(all->tasks, TASKS);
	assert_int_equal(spread->tasks, TASKS - 1);
	/* Each is the middle of a bucket, clamped to the one value its task has. */
	assert_int_equal(spread->min_ns, 100000);
	assert_int_equal(spread->max_ns, 100000 + 1000 * (TASKS - 1));
	assert_int_equal(p99_of(spread->task, TASKS), spread->max_ns);
	assert_int_equal(spread->node, spread->task / 8);
	assert_true(fabs((double)spread->median_ns / (100000 + 1000.0 * TASKS / 2) - 1) < 0.005);
	assert_int_equal(all->size, size);
	pack_words(&packed, all, all->size);
	assert_true(packed.length < 2 * size);
	printf("%u tasks: a measure of %zu bytes, %zu of them travel\n", (unsigned)TASKS, size,
	       packed.length);
	text_release(&packed);
	for (unsigned level = 0; level < LEVELS; level++)
		free(levels[level]);
	free(blob);
}

static void without_any_p99_there_is_no_spread(void **state)
{
	struct measure *measure = new_measure();

	(void)state;
	work(measure, 0, 10, 1000);
	assert_int_equal(fill(measure).task_p99.tasks, 0);
	free(measure);
}

/* A row of numbers must have what the documents say of it. */
static void check_rows(const struct result_field *fields)
{
	for (const struct result_field *field = fields; field->key; field++) {
		for (const struct result_field *other = fields; other < field; other++)
			if (!strcmp(other->key, field->key))
				fail_msg("%s stands twice in an object", field->key);
		if (field->type == RESULT_BY_HAND)
			continue;
		if (!field->text || field->text[strlen(field->text) - 1] != '.')
			fail_msg("%s has no sentence", field->key);
		if (field->inner)
			check_rows(field->inner);
	}
}

static void every_number_has_a_name_of_its_own_and_a_sentence(void **state)
{
	(void)state;
	check_rows(result_fields);
}

static void a_row_reads_its_member(void **state)
{
	const struct result_field tests[] = {OF_RESULT("test", test, "."),
					     OF_RESULT("warmup", warmup, "."),
					     OF_RESULT("open_s", seconds.open, "."),
					     OF_MEASURE("bytes", bytes, ".")};
	struct measure *measure = measure_create(NULL, 0);
	struct phase_result result = {
		.test = 7, .warmup = true, .seconds.open = 1.5, .measure = measure};
	struct result_source source = result_source_of(&result, NULL);

	(void)state;
	measure->bytes = UINT64_MAX;
	assert_int_equal(result_field_value(&tests[0], &source).count, 7);
	assert_true(result_field_value(&tests[1], &source).truth);
	assert_true(result_field_value(&tests[2], &source).number == 1.5);
	assert_true(result_field_value(&tests[3], &source).count == UINT64_MAX);
	free(measure);
}

static void add_read(struct test_result *test, unsigned index, double rate, uint64_t ns)
{
	static const enum operation operations[] = {OPERATION_READ};
	struct measure *measure = measure_create(operations, 1);
	struct phase_result phase = {.index = index,
				     .kind = PHASE_READ,
				     .total_rate = rate,
				     .seconds.total = 1,
				     .measure = measure};

	measure_add(&measure->records[0], ns, 0, 0, 0, 0);
	test_result_add(test, &phase);
	free(measure);
}

static void two_reads_of_a_plan_are_two_series(void **state)
{
	struct test options = {0};
	struct plan plan = {.test = &options,
			    .phases = {{.kind = PHASE_READ}, {.kind = PHASE_READ}},
			    .phase_count = 2};
	struct test_result test = {.plan = &plan};
	struct rate_summary first, second;

	(void)state;
	add_read(&test, 0, 100, 1000);
	add_read(&test, 1, 7, 2000000);
	rate_summary_fill(&first, &test, 0);
	rate_summary_fill(&second, &test, 1);
	assert_int_equal(first.rate.count, 1);
	assert_true(first.rate.median == 100 && second.rate.median == 7);
	assert_int_equal(first.times.max_ns, 1000);
	assert_int_equal(second.times.max_ns, 2000000);
	assert_int_equal(first.series.nth, 0);
	assert_int_equal(second.series.nth, 1);
	assert_int_equal(first.part_count, 0);
	test_result_release(&test);
}

static void a_mix_has_a_series_for_each_operation_it_was_asked_for(void **state)
{
	struct plan plan = {.phases = {{.kind = PHASE_MIX}},
			    .phase_count = 1,
			    .mix = {.shares = {[MIX_STAT] = 0.5, [MIX_READ] = 0.5},
				    .task_rate = 10}};
	struct series series[SERIES_MOST];

	(void)state;
	assert_int_equal(plan_series(&plan, 0, series), 4);
	assert_int_equal(series[0].operation, OPERATION_MIXED);
	assert_null(series[0].part);
	assert_int_equal(series[2].operation, OPERATION_OPEN_CLOSE);
	assert_string_equal(series[2].part, "read");
	assert_string_equal(series[3].part, "response");
}

static void a_rate_is_missed_below_95_percent_of_what_was_due(void **state)
{
	static const struct {
		uint64_t issued, due;
		bool missed;
	} cases[] = {{0, 0, false}, {950, 1000, false}, {949, 1000, true}, {10, 11, false},
		     {9, 11, true}, {0, 1, false},	{100, 100, false}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct kept kept = {.issued = cases[i].issued, .due = cases[i].due};

		assert_int_equal(kept_missed(&kept), cases[i].missed);
	}
}

static void response_times_are_those_of_each_repetition(void **state)
{
	struct plan plan = {.phases = {{.kind = PHASE_LOAD}}, .phase_count = 1};
	struct test options = {0};
	struct test_result test = {.plan = &plan};
	struct rate_summary summary;

	(void)state;
	plan.test = &options;
	for (unsigned i = 0; i < 6; i++) {
		const struct phase_result phase = {.kind = PHASE_LOAD,
						   .issued = i < 2 ? 90 : 100,
						   .due = 100,
						   .response_mean_ns = 1000 * (i + 1.),
						   .response_p99_ns = i < 5 ? 7000 : 0};

		test_result_add(&test, &phase);
	}
	rate_summary_fill(&summary, &test, 0);
	assert_int_equal(summary.response.missed, 2);
	assert_true(summary.response.mean_ns.median == 3500);
	assert_true(summary.response.mean_ns.interval.lower == 1000);
	assert_int_equal(summary.response.p99_ns.count, 5);
	test_result_release(&test);
}

static void response_times_of_few_operations_have_a_mean(void **state)
{
	static const enum operation operations[] = {OPERATION_MIXED, OPERATION_RESPONSE};
	struct measure *measure = measure_create(operations, 2);
	struct phase_result result = {.kind = PHASE_LOAD};

	(void)state;
	measure->tasks = 1;
	measure_add(&measure->records[0], 1000, 0, 0, 0, 0);
	for (uint64_t i = 0; i < 3; i++)
		measure_add(&measure->records[1], 1000 + 1000 * i, 0, 0, 0, 0);
	phase_result_fill(&result, measure);
	assert_true(result.response_mean_ns == 2000);
	assert_int_equal(result.response_p99_ns, 0);
	free(measure);
}

static void only_phases_that_were_measured_have_numbers(void **state)
{
	struct measure *begun = new_measure(), *idle_one = new_measure();
	const struct {
		struct phase_result phase;
		bool has;
	} cases[] = {
		{{.status = PHASE_COMPLETE, .measure = begun}, true},
		{{.status = PHASE_STOPPED, .measure = begun}, true},
		{{.status = PHASE_SKIPPED, .measure = begun}, false},
		{{.status = PHASE_COMPLETE, .measure = idle_one}, false},
		{{.status = PHASE_STOPPED}, false},
		{{.status = PHASE_FAILED, .measure = begun}, false},
		{{.status = PHASE_FAILED, .measure = begun, .failed_operations = 2}, true},
		{{.status = PHASE_FAILED,
		  .measure = begun,
		  .failed_operations = 2,
		  .failed_tasks = 1},
		 false},
	};

	(void)state;
	extent_add(&begun->begin, begin_ns);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(phase_has_numbers(&cases[i].phase), cases[i].has);
	assert_string_equal(phase_status_name(PHASE_SKIPPED), "skipped");
	assert_string_equal(job_status_name(JOB_INTERRUPTED), "interrupted");
	free(begun);
	free(idle_one);
}

static void a_write_is_synced_if_every_task_synced_all(void **state)
{
	struct measure *measure = new_measure();
	struct phase_result phase = {.kind = PHASE_WRITE, .measure = measure};

	(void)state;
	work(measure, 0, 1000, 1000000);
	measure->tasks = 2;
	measure->syncs_at_end = 1;
	assert_false(phase_synced(&phase));
	measure->syncs_at_end = 2;
	assert_true(phase_synced(&phase));
	phase.kind = PHASE_READ;
	assert_false(phase_synced(&phase));
	phase.kind = PHASE_WRITE;
	measure->syncs_at_end = 0;
	phase.syncs_each_write = true;
	assert_true(phase_synced(&phase));
	measure->begin.first = UINT64_MAX;
	assert_false(phase_synced(&phase));
	free(measure);
}

/* Opened after 1 s, issued at 2 s, completed at 5 s, synced at 9 s, closed at 10 s. */
static void intervals_go_from_the_first_begin_to_the_last_end(void **state)
{
	const uint64_t s = 1000000000;
	struct measure *measure = new_measure();

	(void)state;
	measure->tasks = 1;
	measure->bytes = 120;
	extent_add(&measure->begin, begin_ns);
	extent_add(&measure->begin, begin_ns + s / 2);
	extent_add(&measure->open_end, begin_ns + s);
	extent_add(&measure->issue, begin_ns + 2 * s);
	extent_add(&measure->completion, begin_ns + 5 * s);
	extent_add(&measure->sync_end, begin_ns + 9 * s);
	extent_add(&measure->close_end, begin_ns + 10 * s);
	struct phase_result result = fill(measure);

	assert_near(result.seconds.open, 1);
	assert_near(result.seconds.transfer, 3);
	assert_true(result.seconds.sync == 0 && result.seconds.durable == 0);
	assert_near(result.seconds.close, 5);
	assert_near(result.seconds.total, 10);
	assert_near(result.start_skew, 0.5);
	assert_near(result.total_rate, 12);
	assert_near(result.transfer_rate, 40);
	assert_true(result.durable_rate == 0);
	measure->syncs_at_end = 1;
	result = fill(measure);
	assert_near(result.seconds.sync, 4);
	assert_near(result.seconds.durable, 7);
	assert_near(result.seconds.close, 1);
	assert_near(result.durable_rate, 120 / 7.);
	free(measure);
}

static void the_page_cache_holds_at_most_all_of_the_files(void **state)
{
	struct measure *measure = new_measure();
	struct phase_result phase = {.measure = measure};

	(void)state;
	assert_true(phase_resident_before(&(struct phase_result){0}) < 0);
	assert_true(phase_resident_before(&phase) < 0);
	measure->before.files = 1;
	assert_true(phase_resident_before(&phase) < 0);
	measure->before.bytes = 1000;
	assert_true(phase_resident_before(&phase) == 0);
	measure->before.resident = 250;
	assert_near(phase_resident_before(&phase), 0.25);
	measure->before.resident = 4096;
	assert_near(phase_resident_before(&phase), 1);
	free(measure);
}

static struct phase_result fill_kind(enum phase_kind kind, struct measure *measure)
{
	struct phase_result result = {.kind = kind, .queue_depth = 1};

	phase_result_fill(&result, measure);
	return result;
}

static void cache_hits_are_bytes_that_no_device_was_asked_for(void **state)
{
	const enum operation operations[] = {OPERATION_READ, OPERATION_WRITE, OPERATION_MIXED};
	struct measure *measure = measure_create(operations, 3);

	(void)state;
	measure->tasks = 2;
	measure->io.tasks = 1;
	measure->bytes = 1000;
	measure->io.read_bytes = 300;
	assert_true(fill_kind(PHASE_READ, measure).hit_share < 0);
	measure->io.tasks = 2;
	assert_near(fill_kind(PHASE_READ, measure).hit_share, 0.7);
	assert_true(fill_kind(PHASE_WRITE, measure).hit_share < 0);
	/* a load goes by all that it read, also outside its window */
	assert_true(fill_kind(PHASE_LOAD, measure).hit_share < 0);
	measure->counters.reads.bytes = 600;
	assert_near(fill_kind(PHASE_LOAD, measure).hit_share, 0.5);
	measure->io.read_bytes = 5000; /* read-ahead */
	assert_true(fill_kind(PHASE_READ, measure).hit_share == 0);
	free(measure);
}

static void only_phases_that_read_bytes_read(void **state)
{
	struct measure *measure = new_measure();
	struct phase_result phase = {.kind = PHASE_READ};

	(void)state;
	assert_false(phase_reads(&phase));
	phase.measure = measure;
	assert_false(phase_reads(&phase));
	measure->bytes = 1;
	assert_true(phase_reads(&phase));
	phase.kind = PHASE_WRITE;
	assert_false(phase_reads(&phase));
	free(measure);
}

static void a_limit_is_compared_with_what_goes_one_way(void **state)
{
	const enum operation operations[] = {OPERATION_READ, OPERATION_WRITE, OPERATION_STAT,
					     OPERATION_MIXED};
	struct measure *measure = measure_create(operations, 4);

	(void)state;
	measure->tasks = 1;
	measure->bytes = 5000;
	measure->load_window_ns = 2000000000;
	extent_add(&measure->begin, begin_ns);
	extent_add(&measure->close_end, begin_ns + 10000000000);
	measure->records[0].bytes = 1000;
	measure->records[1].bytes = 4500;
	measure->records[1].rated_more_bytes = -500;
	measure->records[2].bytes = 6000;
	measure->records[3].bytes = 5000;
	assert_near(fill_kind(PHASE_LOAD, measure).possible.rate, 2000);
	assert_near(fill_kind(PHASE_READ, measure).possible.rate, 500);
	assert_true(fill_kind(PHASE_FILE_STAT, measure).possible.rate == 0);
	free(measure);
}

static void a_stonewall_that_stopped_a_task_has_a_rate(void **state)
{
	struct measure *measure = new_measure();

	(void)state;
	work(measure, 0, 1000, 2000000);
	measure->wall_bytes = 600;
	extent_add(&measure->wall, begin_ns + 1500000000);
	assert_true(fill(measure).stonewall.seconds == 0);
	measure->walled_tasks = 1;
	struct phase_result result = fill(measure);

	assert_near(result.stonewall.seconds, 1.5);
	assert_near(result.stonewall.rate, 400);
	free(measure);
}

/* Two tasks, one of them idle; four transfers of 1 s in 2 s, submitted with 1, 2, 2 and 3 there. */
static void a_depth_is_a_mean_at_submission_and_over_time(void **state)
{
	struct measure *measure = new_measure();

	(void)state;
	work(measure, 0, 4, 1000000000);
	measure->completion.last = begin_ns + 2000000000;
	measure->tasks = 2;
	measure->idle_tasks = 1;
	assert_true(fill(measure).depth == 0 && fill(measure).depth_by_time == 0);
	measure_submitted(measure, 1, 1);
	measure_submitted(measure, 2, 2);
	measure_submitted(measure, 1, 3);
	struct phase_result result = fill(measure);

	assert_near(result.depth, 2);
	assert_near(result.depth_by_time, 2);
	assert_near(result.concurrency.in_flight, 2);
	free(measure);
}

static void what_failed_tasks_left_open_is_not_accounted(void **state)
{
	struct measure *measure = new_measure();

	(void)state;
	work(measure, 0, 1000, 2000000);
	assert_near(fill(measure).concurrency.accounted, 1);
	measure->stopped_tasks = 1;
	assert_true(fill(measure).concurrency.accounted == 0);
	measure->stopped_tasks = 0;
	measure->failed_tasks = 1;
	assert_true(fill(measure).concurrency.accounted == 0);
	free(measure);
}

static void a_find_is_busy_with_listing_and_with_stats(void **state)
{
	const enum operation operations[] = {OPERATION_LIST, OPERATION_STAT};
	struct measure *measure = measure_create(operations, 2);

	(void)state;
	measure->tasks = 1;
	measure->entries = 50;
	extent_add(&measure->begin, begin_ns);
	extent_add(&measure->issue, begin_ns);
	extent_add(&measure->completion, begin_ns + 4000000000);
	extent_add(&measure->close_end, begin_ns + 5000000000);
	measure_add(&measure->records[0], 1000000000, begin_ns, 0, 0, 0);
	measure_add(&measure->records[1], 2000000000, begin_ns, 0, 0, 0);
	struct phase_result result = fill_kind(PHASE_FIND, measure);

	assert_near(result.total_rate, 10);
	assert_near(result.concurrency.busy_share, 0.75);
	assert_near(fill_kind(PHASE_LIST, measure).concurrency.busy_share, 0.25);
	free(measure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_has_a_name_of_its_own_and_a_sentence),
		cmocka_unit_test(a_row_reads_its_member),
		cmocka_unit_test(two_reads_of_a_plan_are_two_series),
		cmocka_unit_test(a_mix_has_a_series_for_each_operation_it_was_asked_for),
		cmocka_unit_test(a_rate_is_missed_below_95_percent_of_what_was_due),
		cmocka_unit_test(response_times_are_those_of_each_repetition),
		cmocka_unit_test(response_times_of_few_operations_have_a_mean),
		cmocka_unit_test(stamping_inside_a_service_time_is_accounted_once),
		cmocka_unit_test(operations_and_bytes_go_by_the_same_seconds),
		cmocka_unit_test(time_that_was_up_leaves_nothing_unaccounted),
		cmocka_unit_test(a_load_goes_by_its_window_and_its_histograms_by_their_span),
		cmocka_unit_test(tasks_with_nothing_to_do_are_in_no_mean),
		cmocka_unit_test(a_late_start_is_told_from_slow_tasks),
		cmocka_unit_test(a_sync_behind_all_is_no_loss_of_any_task),
		cmocka_unit_test(a_phase_in_which_all_are_idle_has_no_numbers_that_are_none),
		cmocka_unit_test(a_column_of_the_heat_map_is_four_slices_also_after_an_idle_begin),
		cmocka_unit_test(the_spread_of_p99_over_4096_tasks_is_known_in_bounded_memory),
		cmocka_unit_test(without_any_p99_there_is_no_spread),
		cmocka_unit_test(only_phases_that_were_measured_have_numbers),
		cmocka_unit_test(a_write_is_synced_if_every_task_synced_all),
		cmocka_unit_test(intervals_go_from_the_first_begin_to_the_last_end),
		cmocka_unit_test(the_page_cache_holds_at_most_all_of_the_files),
		cmocka_unit_test(cache_hits_are_bytes_that_no_device_was_asked_for),
		cmocka_unit_test(only_phases_that_read_bytes_read),
		cmocka_unit_test(a_limit_is_compared_with_what_goes_one_way),
		cmocka_unit_test(a_stonewall_that_stopped_a_task_has_a_rate),
		cmocka_unit_test(a_depth_is_a_mean_at_submission_and_over_time),
		cmocka_unit_test(what_failed_tasks_left_open_is_not_accounted),
		cmocka_unit_test(a_find_is_busy_with_listing_and_with_stats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
