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

static void short_transfers_warn_where_they_are_many(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_WRITE, plain);

	(void)state;
	assert_true(is_silent(&court, "P3"));
	phase->measure->short_transfers = 1;
	judge(&court, "P3");
	assert_true(phase->operations > 0);
	phase->operations = 100;
	assert_int_equal(find_verdict(&court, "P3")->severity, SEVERITY_NOTE);
	phase->operations = 99;
	assert_int_equal(find_verdict(&court, "P3")->severity, SEVERITY_WARN);
	close_court(&court);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiting_for_cpus_is_said_where_there_are_too_few),
		cmocka_unit_test(clocks_that_disagree_are_named),
		cmocka_unit_test(preloaded_library_is_a_warning_where_operations_are_quick),
		cmocka_unit_test(libraries_are_named_without_their_folders),
		cmocka_unit_test(hints_with_another_value_are_named_once),
		cmocka_unit_test(short_transfers_warn_where_they_are_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
