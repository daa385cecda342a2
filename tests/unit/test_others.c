/* The rules on what else was at work, on results whose truth is known because they are invented. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "environment/environment.h"
#include "court.h"

static const char *const plain[] = {"repetitions", "1", NULL};

enum { SECOND_NS = 1000000000 };

/* A phase of 64 MiB and 2.5 s on a device that the kernel counts. */
static struct node_activity *open_watched(struct court *court, enum phase_kind kind)
{
	static const char *const large[] = {"block_size", "16m", "transfer_size", "1m", NULL};
	struct phase_result *phase = open_court(court, kind, large);
	struct measure *measure = phase->measure;

	measure->bytes = 64 * MIB;
	measure->io = (struct kernel_io){.tasks = measure->tasks};
	if (kind == PHASE_READ)
		measure->io.read_bytes = measure->bytes;
	else
		measure->io.write_bytes = measure->bytes;
	measure->activity = (struct node_activity){
		.watched_ns = UINT64_C(5) * SECOND_NS,
		.devices = 2,
		.read_bytes = measure->io.read_bytes,
		.written_bytes = measure->io.write_bytes,
		.stall_nodes = 2,
	};
	return &measure->activity;
}

static void bytes_of_others_on_the_device_are_named(void **state)
{
	struct court court;
	struct node_activity *activity = open_watched(&court, PHASE_READ);

	(void)state;
	assert_true(is_silent(&court, "I1"));
	activity->read_bytes += 16 * MIB;
	assert_true(is_silent(&court, "I1"));
	activity->read_bytes += 16 * MIB;
	assert_verdict(&court, "I1", SEVERITY_WARN, "others moved at least 32 MiB");
	activity->read_bytes -= 32 * MIB;
	/* earlier writes may reach the device in a read */
	activity->written_bytes = activity->dirty_bytes = 100 * MIB;
	assert_true(is_silent(&court, "I1"));
	activity->dirty_bytes = 60 * MIB;
	assert_verdict(&court, "I1", SEVERITY_WARN, "others moved at least 40 MiB");
	activity->devices = 0;
	assert_true(is_silent(&court, "I1"));
	activity->devices = 2;
	court.scene.phases[0].measure->io.tasks--;
	assert_true(is_silent(&court, "I1"));
	close_court(&court);
}

static void own_writes_and_journals_are_not_others(void **state)
{
	struct court court;
	struct node_activity *activity = open_watched(&court, PHASE_WRITE);

	(void)state;
	assert_true(is_silent(&court, "I1"));
	activity->written_bytes = 128 * MIB;
	assert_verdict(&court, "I1", SEVERITY_WARN, "others moved at least 64 MiB");
	court.facts.journals_data = true;
	assert_true(is_silent(&court, "I1"));
	court.facts.journals_data = false;
	court.scene.plan.transfer_bytes = 64 * KIB;
	assert_true(is_silent(&court, "I1"));
	close_court(&court);
}

static void waiting_of_others_is_what_own_tasks_do_not_explain(void **state)
{
	struct court court;
	struct node_activity *activity = open_watched(&court, PHASE_READ);
	struct measure *measure = court.scene.phases[0].measure;

	(void)state;
	activity->cpu_stall_ns = UINT64_C(3) * SECOND_NS;
	activity->cpu_wait_ns = UINT64_C(2) * SECOND_NS;
	measure->scheduled_starts = 4;
	assert_verdict(&court, "I1", SEVERITY_NOTE, "waited for a CPU in 20 % of the phase");
	activity->cpu_wait_ns = UINT64_C(2800000000);
	assert_true(is_silent(&court, "I1"));
	activity->cpu_wait_ns = 0;
	measure->scheduled_starts = 0;
	assert_true(is_silent(&court, "I1"));
	measure->scheduled_starts = 4;
	court.facts.nodes_on_kernel = 2;
	assert_true(is_silent(&court, "I1"));
	close_court(&court);
}

static void waiting_for_cpus_is_said_where_there_are_too_few(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, plain);

	(void)state;
	judge(&court, "I3");
	phase->p50_ns = 1000;
	phase->p99_ns = 10001;
	phase->measure->scheduled_starts = 0;
	assert_non_null(find_verdict(&court, "I3"));
	assert_string_equal(find_verdict(&court, "I3")->evidence[0].name, "p50_ns");
	phase->p99_ns = 10000;
	assert_null(find_verdict(&court, "I3"));
	phase->p99_ns = 10001;
	phase->operations = 1000; /* the longest ten took 100010 ns or more */
	phase->measure->activity.cpu_wait_ns = 10002;
	assert_non_null(find_verdict(&court, "I3"));
	phase->measure->activity.cpu_wait_ns = 10001;
	assert_null(find_verdict(&court, "I3"));
	phase->measure->activity.cpu_wait_ns = 0;
	phase->measure->scheduled_starts = 4;
	assert_null(find_verdict(&court, "I3"));
	close_court(&court);
}

static void clocks_that_disagree_are_named(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	phase->measure->clock_disagreement = 0.0009;
	assert_true(is_silent(&court, "T2"));
	phase->measure->clock_disagreement = 0.0012;
	assert_verdict(&court, "T2", SEVERITY_WARN, "differ by 0.12 %");
	close_court(&court);
}

static void preloaded_library_is_a_warning_where_operations_are_quick(void **state)
{
	struct court court;

	(void)state;
	open_court(&court, PHASE_WRITE, plain);
	assert_true(is_silent(&court, "P1"));
	court.facts.preloaded = "";
	assert_true(is_silent(&court, "P1"));
	court.facts.preloaded = "libdarshan.so";
	assert_verdict(&court, "P1", SEVERITY_NOTE, "libdarshan.so is preloaded");
	close_court(&court);
	struct phase_result *phase = open_court(&court, PHASE_WRITE, plain);
	struct histogram *times = &measure_record(phase->measure, OPERATION_WRITE)->histogram;

	histogram_init(times);
	histogram_add(times, 5000);
	court.facts.preloaded = "libdarshan.so";
	assert_verdict(&court, "P1", SEVERITY_WARN, "less than 100 us");
	close_court(&court);
}

static void libraries_are_named_without_their_folders(void **state)
{
	char names[64];

	(void)state;
	setenv("LD_PRELOAD", "/opt/lib/libone.so: libtwo.so", 1);
	preloaded_read(names, sizeof(names));
	assert_int_equal(strncmp(names, "libone.so, libtwo.so", 20), 0);
	unsetenv("LD_PRELOAD");
}

static void hints_with_another_value_are_named_once(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, plain);

	(void)state;
	phase->settings = "hint.cb_nodes=2\nhint.striping_unit=4096\n";
	assert_true(is_silent(&court, "P2"));
	phase->settings = "hint.cb_nodes=2\nhint.cb_nodes.asked=8\nhint.x=1\nhint.y.asked=enable\n";
	assert_verdict(&court, "P2", SEVERITY_WARN, "asked for of cb_nodes, y");
	phase->settings = NULL;
	assert_true(is_silent(&court, "P2"));
	close_court(&court);
}

static void calls_warn_where_they_are_many(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, plain);
	uint64_t *const counts[] = {&phase->measure->short_transfers, &phase->measure->retries};

	(void)state;
	assert_true(is_silent(&court, "P3"));
	for (size_t i = 0; i < 2; i++) {
		*counts[i] = 4;
		assert_verdict(&court, "P3", SEVERITY_NOTE,
			       i ? "4 times for 400 operations" : "4 calls of 400 transfers");
		*counts[i] = 5;
		assert_verdict(&court, "P3", SEVERITY_WARN, "service time contains all of its");
		*counts[i] = 0;
	}
	close_court(&court);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_of_others_on_the_device_are_named),
		cmocka_unit_test(own_writes_and_journals_are_not_others),
		cmocka_unit_test(waiting_of_others_is_what_own_tasks_do_not_explain),
		cmocka_unit_test(waiting_for_cpus_is_said_where_there_are_too_few),
		cmocka_unit_test(clocks_that_disagree_are_named),
		cmocka_unit_test(preloaded_library_is_a_warning_where_operations_are_quick),
		cmocka_unit_test(libraries_are_named_without_their_folders),
		cmocka_unit_test(hints_with_another_value_are_named_once),
		cmocka_unit_test(calls_warn_where_they_are_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
