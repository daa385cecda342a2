/* The rules, on results whose truth is known because they are invented. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "assess/calibrate.h"
#include "environment/environment.h"
#include "environment/mount.h"
#include "assess/metadata.h"
#include "assess/pace.h"
#include "record/comparable.h"
#include "result/goals.h"
#include "court.h"

static const char *const plain[] = {"repetitions", "1", NULL};
static const char *const synced[] = {"fsync", "1", NULL};
static const char *const each[] = {"fsync_per_write", "1", NULL};
static const char *const direct[] = {"posix.direct", "1", NULL};

static void a_phase_is_durable_only_when_every_task_synced(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, synced);

	(void)state;
	phase->measure->syncs_at_end = 4;
	assert_verdict(&court, "D1", SEVERITY_GOOD, "synced inside the timed part, 0.0 MiB left");
	assert_true(phase->durable_rate > 0 && phase->seconds.sync > 0);
	phase->status = PHASE_STOPPED;
	for (uint64_t tasks = 0; tasks < 4; tasks++) {
		phase->measure->syncs_at_end = tasks;
		assert_verdict(&court, "D1", SEVERITY_WARN, "stopped before the sync");
		assert_true(phase->durable_rate == 0 && phase->seconds.durable == 0 &&
			    phase->seconds.sync == 0);
	}
	close_court(&court);
}

static void writes_that_sync_each_time_are_durable_also_when_stopped(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, each);

	(void)state;
	phase->status = PHASE_STOPPED;
	phase->syncs_each_write = true;
	phase->measure->syncs_at_end = 0;
	assert_verdict(&court, "D1", SEVERITY_GOOD, "synced");
	assert_true(phase->durable_rate > 0 && phase->seconds.sync == 0);
	close_court(&court);
}

static void what_was_left_in_memory_is_only_said_where_it_is_known(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, synced);

	(void)state;
	phase->measure->syncs_at_end = 4;
	phase->measure->after = (struct cache_state){0};
	assert_verdict(&court, "D1", SEVERITY_GOOD, "not known");
	assert_null(strstr(judge(&court, "D1")->meaning, "MiB"));
	phase->measure->after = (struct cache_state){.files = 1, .dirty = phase->measure->bytes};
	assert_verdict(&court, "D1", SEVERITY_WARN, "although the data was synced");
	close_court(&court);
	open_court(&court, PHASE_WRITE, plain)->measure->after = (struct cache_state){0};
	assert_verdict(&court, "D1", SEVERITY_WARN, "not known whether the data left memory");
	close_court(&court);
}

static void direct_writes_miss_only_the_flush_of_devices(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, direct);

	(void)state;
	phase->measure->after = (struct cache_state){0};
	assert_verdict(&court, "D1", SEVERITY_NOTE, "caches of devices were not flushed");
	assert_string_equal(judge(&court, "D1")->remedy, "fsync=1 (-e)");
	assert_null(judge(&court, "C4"));
	/* a file system that does not heed O_DIRECT */
	phase->measure->after = (struct cache_state){
		.files = 1, .resident = phase->measure->bytes, .dirty = phase->measure->bytes};
	assert_verdict(&court, "D1", SEVERITY_WARN, "still in memory");
	close_court(&court);
}

static const char *remedy_of(struct court *court, const char *id)
{
	const struct verdict *verdict = judge(court, id);

	assert_non_null(verdict);
	return verdict->remedy;
}

/* The option of the test's own backend, and none where it has no such one. */
static void direct_is_advised_where_there_is_such_an_option(void **state)
{
	(void)state;
	for (size_t i = 0; i < registry_count; i++) {
		const struct backend *backend = registry[i].backend;

		if (!backend || !backend->files)
			continue;
		const char *const settings[] = {"api", backend->name, "check_read", "1", NULL};
		bool has = option_find(backend->options, "direct");
		struct court court;
		struct phase_result *phase = open_court(&court, PHASE_READ, settings);
		char flag[64];

		snprintf(flag, sizeof(flag), has ? ", --%s.direct, " : ".direct", backend->name);
		phase->measure->io.read_bytes = 0;
		phase->checks = true;
		phase->same_kernel = 4;
		court.facts.reads_own_writes = true;
		for (size_t rule = 0; rule < 3; rule++) {
			static const char *const rules[] = {"C1", "C4", "P6"};

			assert_int_equal(strstr(remedy_of(&court, rules[rule]), flag) != NULL, has);
		}
		close_court(&court);
	}
}

static void damaged_files_are_advised_to_be_kept_only_where_they_are_not(void **state)
{
	static const char *const settings[][5] = {
		{"check_read", "1", NULL}, {"check_read", "1", "keep_file_with_error", "1", NULL}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct court court;
		struct phase_result *phase = open_court(&court, PHASE_READ, settings[i]);

		phase->checks = true;
		phase_result_fill(phase, phase->measure);
		phase->wrong_bytes = 512;
		const struct verdict *verdict = find_verdict(&court, "P6");

		assert_int_equal(verdict->severity, SEVERITY_FAIL);
		assert_int_equal(strstr(verdict->remedy, "-K") != NULL, i == 0);
		close_court(&court);
	}
}

static void a_start_skew_counts_by_its_share_of_the_phase(void **state)
{
	static const struct {
		double skew;
		enum severity severity;
	} cases[] = {{0, SEVERITY_GOOD},
		     {0.009, SEVERITY_GOOD},
		     {0.011, SEVERITY_NOTE},
		     {0.049, SEVERITY_NOTE},
		     {0.051, SEVERITY_WARN}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct court court;
		struct phase_result *phase = open_court(&court, PHASE_WRITE, synced);

		phase->start_skew = cases[i].skew * phase->seconds.total;
		const struct verdict *verdict = find_verdict(&court, "T1");

		assert_int_equal(verdict->severity, cases[i].severity);
		assert_int_equal(*verdict->remedy != 0, cases[i].severity != SEVERITY_GOOD);
		close_court(&court);
	}
}

static void a_short_phase_warns_unless_it_only_makes_or_removes_a_tree(void **state)
{
	static const enum phase_kind kinds[] = {PHASE_WRITE, PHASE_FILE_CREATE, PHASE_TREE_CREATE,
						PHASE_TREE_REMOVE};

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct court court;
		struct phase_result *phase = open_court(&court, PHASE_WRITE, synced);

		phase->kind = kinds[i];
		phase->seconds.total = 0.99;
		phase->start_skew = 0.5;
		const struct verdict *verdict = find_verdict(&court, "T1");

		assert_int_equal(verdict->severity, i < 2 ? SEVERITY_WARN : SEVERITY_NOTE);
		assert_non_null(strstr(verdict->meaning, "below 1 s"));
		if (i >= 2)
			assert_non_null(strstr(verdict->remedy, "more directories"));
		close_court(&court);
	}
}

static void a_phase_that_never_began_is_not_judged(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, synced);

	(void)state;
	phase->status = PHASE_STOPPED;
	measure_reset(phase->measure);
	assert_null(judge(&court, "T1"));
	assert_int_equal(court.count, 0);
	assert_true(phase->total_rate == 0 && phase->start_skew == 0);
	assert_true(phase_resident_before(phase) < 0);
	free(phase->measure);
	phase->measure = NULL;
	assert_null(judge(&court, "T1"));
	assert_true(phase_resident_before(phase) < 0);
	close_court(&court);
}

static bool follows(bool (*rule)(const struct scene *, struct verdict *),
		    const struct phase_result *phase, const struct plan *plan,
		    struct verdict *verdict)
{
	const struct scene scene = {.phase = phase, .measure = phase->measure, .plan = plan};

	return rule(&scene, verdict);
}

static void response_times_that_are_late_wake_ups_are_marked(void **state)
{
	static const enum operation operations[] = {OPERATION_MIXED, OPERATION_RESPONSE};
	struct phase_result phase = {.kind = PHASE_MIX, .measure = measure_create(operations, 2)};
	struct measure *measure = phase.measure;
	struct verdict verdict = {0};

	(void)state;
	for (int i = 0; i < 100; i++)
		measure_add(measure_record(measure, OPERATION_RESPONSE), 10000, 1000, 0, 0, 0);
	assert_false(follows(pace_woke_late, &phase, NULL, &verdict));
	measure->mix_slept = 50;
	measure->mix_late_ns = 99000;
	assert_false(follows(pace_woke_late, &phase, NULL, &verdict));
	measure->mix_late_ns = 120000;
	assert_true(follows(pace_woke_late, &phase, NULL, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_NOTE);
	assert_non_null(strstr(verdict.meaning, "12 % of the response times is delay of iorx"));
	assert_true(verdict.evidence[1].value == 2400);
	verdict = (struct verdict){0};
	measure->mix_late_ns = 510000;
	assert_true(follows(pace_woke_late, &phase, NULL, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_WARN);
	free(measure);
}

static void busy_tasks_limit_a_load_at_a_rate(void **state)
{
	struct phase_result phase = {.kind = PHASE_LOAD, .concurrency = {.busy_share = 0.81}};
	struct plan plan = {0};
	struct verdict verdict = {0};

	(void)state;
	assert_false(follows(pace_limited_by_client, &phase, &plan, &verdict));
	plan.pattern.arrival.rate = 1000;
	assert_true(follows(pace_limited_by_client, &phase, &plan, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_WARN);
	phase.concurrency.busy_share = 0.79;
	assert_false(follows(pace_limited_by_client, &phase, &plan, &verdict));
}

static void assert_kept(uint64_t due, uint64_t issued, enum severity severity, const char *words)
{
	const struct phase_result phase = {.kind = PHASE_LOAD, .due = due, .issued = issued};
	const struct load load = {0};
	const struct plan plan = {.load = &load,
				  .map = {.tasks = 4},
				  .queue_depth = 2,
				  .pattern = {.arrival = {.rate = 100}}};
	struct verdict verdict = {0};

	assert_int_equal(follows(pace_was_missed, &phase, &plan, &verdict), words != NULL);
	if (!words)
		return;
	assert_int_equal(verdict.severity, severity);
	assert_non_null(strstr(verdict.meaning, words));
}

static void a_load_is_saturated_by_what_was_due_and_not_issued(void **state)
{
	(void)state;
	assert_kept(1000, 1000, SEVERITY_GOOD, NULL);
	assert_kept(1000, 950, SEVERITY_GOOD, NULL);
	assert_kept(1000, 949, SEVERITY_WARN, "saturated: only 95 % of the due rate");
	assert_kept(1000, 0, SEVERITY_WARN, "saturated: only 0 % of the due rate");
	/* the 8 operations in flight count as issued, and are more than 5 % */
	assert_kept(159, 159, SEVERITY_NOTE, "up to 8 operations in flight count as issued");
	assert_kept(159, 151, SEVERITY_WARN, "saturated");
	/* one operation is no miss */
	assert_kept(10, 9, SEVERITY_NOTE, "too short");
	assert_kept(10, 8, SEVERITY_WARN, "saturated");
}

/* The verdict on a load that kept its rate for 60 s, where it has one. */
static bool warns_of_drift(const struct lateness *lateness, double response_mean_ns,
			   struct verdict *verdict)
{
	const struct phase_result phase = {.kind = PHASE_LOAD,
					   .due = 10000,
					   .issued = 10000,
					   .response_mean_ns = response_mean_ns,
					   .lateness = *lateness};
	const struct load load = {0};
	const struct plan plan = {
		.load = &load, .map = {.tasks = 1}, .pattern = {.arrival = {.rate = 100}}};

	*verdict = (struct verdict){0};
	return follows(pace_was_missed, &phase, &plan, verdict);
}

static void a_drift_is_judged_by_what_it_adds_to_the_response_times(void **state)
{
	struct lateness lateness = {
		.known = true, .drifts = true, .drift_ns_per_s = 12000, .seconds = 60};
	struct verdict verdict;

	(void)state;
	assert_true(warns_of_drift(&lateness, 1e6, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_WARN);
	assert_non_null(
		strstr(verdict.meaning, "with each second operations were issued 12.0 us later"));
	assert_true(verdict.evidence[1].value == 0.72);
	/* 720 us are less than 10 % of the response times */
	assert_false(warns_of_drift(&lateness, 10e6, &verdict));
	lateness.drift_ns_per_s = 9000;
	assert_false(warns_of_drift(&lateness, 1e6, &verdict));
	lateness.drift_ns_per_s = -12000;
	assert_false(warns_of_drift(&lateness, 1e6, &verdict));
	lateness = (struct lateness){.known = true, .drift_ns_per_s = 12000, .seconds = 60};
	assert_false(warns_of_drift(&lateness, 1e6, &verdict));
}

/* The verdict on a load of one task of which 10 operations were due and issued. */
static struct verdict short_load(double seconds, bool beside)
{
	const struct phase_result phase = {.kind = PHASE_LOAD, .due = 10, .issued = 10};
	const struct load load = {.beside = beside};
	const struct plan plan = {.load = &load,
				  .load_seconds = seconds,
				  .map = {.tasks = 1},
				  .pattern = {.arrival = {.kind = ARRIVAL_EVEN, .rate = 5}}};
	struct verdict verdict = {0};

	assert_true(follows(pace_was_missed, &phase, &plan, &verdict));
	return verdict;
}

static void a_short_load_is_advised_to_do_what_makes_it_longer(void **state)
{
	(void)state;
	assert_non_null(
		strstr(short_load(2, false).meaning, "up to 1 operation in flight counts as"));
	assert_string_equal(short_load(2, false).remedy, "duration=4 or more");
	assert_string_equal(short_load(0, false).remedy, "more operations");
	assert_string_equal(short_load(0, true).remedy, "");
}

static void repetitions_keep_their_rate_together(void **state)
{
	struct past_phase phases[] = {{.index = 0, .due = 100, .issued = 91},
				      {.index = 0, .due = 100, .issued = 100},
				      {.index = 0, .due = 100, .issued = 0, .warmup = true},
				      {.index = 1, .due = 100, .issued = 0}};
	const struct plan plan = {.map = {.tasks = 4}, .pattern = {.arrival = {.rate = 50}}};
	const struct test_result test = {.plan = &plan, .phases = phases, .phase_count = 4};
	struct kept kept = kept_over(&test, 0);

	(void)state;
	assert_int_equal(kept.due, 200);
	assert_int_equal(kept.issued, 191);
	assert_false(kept_missed(&kept));
	assert_float_equal(kept_seconds_needed(&kept), 0, 0);
	phases[0].due = phases[0].issued = phases[1].due = phases[1].issued = 79;
	kept = kept_over(&test, 0);
	assert_float_equal(kept_seconds_needed(&kept), 1.6, 1e-9);
	/* of random arrivals 80 in the mean are fewer in half of the runs */
	kept.is_random = true;
	assert_float_equal(kept_seconds_needed(&kept), (80 + 4 * sqrt(80)) / 50, 1e-9);
	phases[0].issued = 69;
	kept = kept_over(&test, 0);
	assert_true(kept_missed(&kept));
	assert_float_equal(kept_seconds_needed(&kept), 0, 0);
}

/* A closed loop of 2000 operations of one task with 70 % reads of 4 KiB. */
static void start_load(struct plan *plan, struct load *load, struct phase_result *phase)
{
	const enum operation operations[] = {OPERATION_MIXED, OPERATION_READ, OPERATION_WRITE};
	struct error err = {0};

	*load = (struct load){0};
	*plan = (struct plan){.load = load, .queue_depth = 8, .map = {.tasks = 1}};
	*phase = (struct phase_result){.kind = PHASE_LOAD,
				       .operations = 2000,
				       .depth_by_time = 7.7,
				       .measure = measure_create(operations, 3)};
	assert_int_equal(deck_parse_shares("read:70,write:30", "operations", load_kind_names,
					   LOAD_KINDS, &plan->pattern.operations, &err),
			 0);
	for (enum load_kind kind = 0; kind < LOAD_DATA_KINDS; kind++) {
		struct operation_record *record =
			measure_record(phase->measure, load_operation(kind));

		assert_int_equal(sizes_parse("4k", "sizes", &plan->pattern.sizes[kind], &err), 0);
		record->histogram.count = kind == LOAD_READ ? 1400 : 600;
		record->bytes = record->histogram.count * 4096;
	}
}

static void a_load_that_misses_what_was_asked_for_is_marked(void **state)
{
	struct phase_result phase;
	struct load load;
	struct plan plan;
	struct verdict verdict = {0};

	(void)state;
	start_load(&plan, &load, &phase);
	assert_false(follows(pace_missed_goal, &phase, &plan, &verdict));
	phase.depth_by_time = 7.5;
	assert_true(follows(pace_missed_goal, &phase, &plan, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_WARN);
	assert_non_null(strstr(verdict.meaning, "7.5 operations in flight, and not the 8"));
	/* Pauses and rates keep a queue from being full. */
	load.think_time = 1;
	assert_false(follows(pace_missed_goal, &phase, &plan, &verdict));
	measure_record(phase.measure, OPERATION_WRITE)->histogram.count = 500;
	verdict = (struct verdict){0};
	assert_true(follows(pace_missed_goal, &phase, &plan, &verdict));
	assert_non_null(strstr(verdict.meaning, "writes: their share was 0.25"));
	phase.operations = 999;
	assert_false(follows(pace_missed_goal, &phase, &plan, &verdict));
	free(phase.measure);
}

static void content_that_takes_more_than_a_twentieth_is_marked(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, synced);
	uint64_t twentieth_ns = (uint64_t)(phase->seconds.transfer * 4e9 / 20);

	(void)state;
	assert_null(judge(&court, "T4"));
	phase->measure->content_ns = twentieth_ns * 9 / 10;
	assert_verdict(&court, "T4", SEVERITY_GOOD, "making data took 4.5 %");
	phase->measure->content_ns = twentieth_ns * 11 / 10;
	assert_verdict(&court, "T4", SEVERITY_WARN, "making data took 5.5 %");
	/* Tasks that do nothing make the share of the others no smaller. */
	phase->measure->content_ns = twentieth_ns * 9 / 10;
	phase->measure->idle_tasks = 2;
	assert_verdict(&court, "T4", SEVERITY_WARN, "making data took 9 %");
	close_court(&court);
	phase = open_court(&court, PHASE_READ, plain);
	phase->measure->content_ns = 2 * twentieth_ns;
	phase->checks = true;
	assert_verdict(&court, "T4", SEVERITY_WARN, "comparing data took 10 %");
	phase->kind = PHASE_VERIFY;
	assert_null(judge(&court, "T4"));
	close_court(&court);
}

static void waiting_for_a_cpu_is_no_making_of_data(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, synced);
	struct measure *measure = phase->measure;
	const uint64_t tenth_ns = (uint64_t)(phase->seconds.transfer * 4e9 / 10);

	(void)state;
	measure->content_ns = 5 * tenth_ns;
	measure->activity.cpu_wait_ns = 4 * tenth_ns;
	assert_verdict(&court, "T4", SEVERITY_WARN, "making data took at least 10 % of the time");
	measure->activity.cpu_wait_ns = 5 * tenth_ns;
	assert_verdict(&court, "T4", SEVERITY_GOOD, "making data took at least 0 %");
	measure->activity.cpu_wait_ns = 9 * tenth_ns;
	assert_verdict(&court, "T4", SEVERITY_GOOD, "making data took at least 0 %");
	/* what was counted by stamps has no wait in it */
	measure->content_inside_ns = measure->content_ns;
	assert_verdict(&court, "T4", SEVERITY_WARN, "making data took at least 50 %");
	close_court(&court);
}

static void what_is_made_already_is_not_advised(void **state)
{
	static const char *const costly[] = {"content", "random", NULL};
	const char *const *settings[] = {plain, costly};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct court court;
		struct phase_result *phase = open_court(&court, PHASE_WRITE, settings[i]);

		phase->measure->content_ns = (uint64_t)(phase->seconds.transfer * 4e9);
		assert_verdict(&court, "T4", SEVERITY_WARN, "making data");
		assert_string_equal(judge(&court, "T4")->remedy,
				    i ? "content=stamped, larger transfers, or more tasks"
				      : "larger transfers, or more tasks");
		close_court(&court);
	}
}

static void an_empty_file_that_was_kept_is_told_beside_ior(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, plain);
	struct text sentences = {0}, words = {0};

	(void)state;
	phase->measure->files_used_empty = 1;
	phase_result_fill(phase, phase->measure);
	json_decref(scene_end(&court.scene));
	assert_true(comparable_find(&court.scene.test, &sentences, &words));
	assert_non_null(strstr(text_string(&sentences), "IOR deletes them"));
	assert_string_equal(text_string(&words), "no: content, kept files");
	text_clear(&sentences);
	text_clear(&words);
	phase->files_used_empty = 0;
	json_decref(scene_end(&court.scene));
	assert_true(comparable_find(&court.scene.test, &sentences, &words));
	assert_null(strstr(text_string(&sentences), "IOR deletes them"));
	assert_string_equal(text_string(&words), "yes, except content");
	text_release(&sentences);
	text_release(&words);
	close_court(&court);
}

static void trying_the_counters_leaves_no_file(void **state)
{
	static const char *const settings[] = {"test_file", "tried/file", NULL};
	static const char *const missing[] = {"test_file", "not/there/file", NULL};
	struct mount_facts mount;
	struct error left = {0};
	struct court court;

	(void)state;
	open_court(&court, PHASE_READ, settings);
	mkdir("tried", 0777);
	mount_read(&mount, "tried/file");
	calibrate_reads(&court.scene.test, &mount, &left);
	assert_int_equal(rmdir("tried"), 0);
	assert_int_equal(left.kind, ERROR_NONE);
	strcpy(mount.type, "tmpfs");
	assert_int_equal(calibrate_reads(&court.scene.test, &mount, &left).reads, READS_UNKNOWN);
	strcpy(mount.type, "ext4");
	close_court(&court);
	open_court(&court, PHASE_READ, missing);
	assert_int_equal(calibrate_reads(&court.scene.test, &mount, &left).reads, READS_UNKNOWN);
	close_court(&court);
}

static void cpus_are_counted_on_any_machine(void **state)
{
	(void)state;
	assert_true(cpus_allowed() > 0);
	assert_true(memory_limit() > 0);
}

static int enter(void **state)
{
	(void)state;
	scene_enter();
	return 0;
}

static void a_queue_that_the_kernel_may_give_to_threads_is_warned_of_once(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, plain);

	(void)state;
	phase->settings = "open_flags=O_RDWR\nnowait=true\n";
	assert_null(judge(&court, "Q1"));
	phase->settings = "open_flags=O_RDWR\nnowait=false\nring_flags=none\n";
	assert_verdict(&court, "Q1", SEVERITY_WARN, "ext4 serves no request without waiting");
	court.facts.file_system = NULL;
	assert_verdict(&court, "Q1", SEVERITY_WARN, "this file system serves no request");
	phase->kind = PHASE_READ;
	assert_null(judge(&court, "Q1"));
	close_court(&court);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_phase_is_durable_only_when_every_task_synced),
		cmocka_unit_test(writes_that_sync_each_time_are_durable_also_when_stopped),
		cmocka_unit_test(what_was_left_in_memory_is_only_said_where_it_is_known),
		cmocka_unit_test(direct_writes_miss_only_the_flush_of_devices),
		cmocka_unit_test(direct_is_advised_where_there_is_such_an_option),
		cmocka_unit_test(damaged_files_are_advised_to_be_kept_only_where_they_are_not),
		cmocka_unit_test(a_start_skew_counts_by_its_share_of_the_phase),
		cmocka_unit_test(a_short_phase_warns_unless_it_only_makes_or_removes_a_tree),
		cmocka_unit_test(a_phase_that_never_began_is_not_judged),
		cmocka_unit_test(response_times_that_are_late_wake_ups_are_marked),
		cmocka_unit_test(busy_tasks_limit_a_load_at_a_rate),
		cmocka_unit_test(a_load_is_saturated_by_what_was_due_and_not_issued),
		cmocka_unit_test(repetitions_keep_their_rate_together),
		cmocka_unit_test(a_drift_is_judged_by_what_it_adds_to_the_response_times),
		cmocka_unit_test(a_short_load_is_advised_to_do_what_makes_it_longer),
		cmocka_unit_test(a_load_that_misses_what_was_asked_for_is_marked),
		cmocka_unit_test(content_that_takes_more_than_a_twentieth_is_marked),
		cmocka_unit_test(waiting_for_a_cpu_is_no_making_of_data),
		cmocka_unit_test(what_is_made_already_is_not_advised),
		cmocka_unit_test(an_empty_file_that_was_kept_is_told_beside_ior),
		cmocka_unit_test(a_queue_that_the_kernel_may_give_to_threads_is_warned_of_once),
		cmocka_unit_test(trying_the_counters_leaves_no_file),
		cmocka_unit_test(cpus_are_counted_on_any_machine),
	};

	return cmocka_run_group_tests(tests, enter, NULL);
}
