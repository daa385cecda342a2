/* The tables of studies, made from invented rates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "page/studies.h"
#include "result/rate_unit.h"
#include "tests/unit/fake_vocabulary.h"

#define LISTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const double MIB_PER_S = 1 << 20;

struct report_scene {
	struct job job;
	struct studies studies;
	struct text page;
};

/* Makes a row for each point, at 100 MiB/s for the first, 200 for the second, …, +-10 %. */
static struct report_scene start(const char *const *lists)
{
	const struct origin origin = {.kind = ORIGIN_COMMAND_LINE};
	struct report_scene scene = {0};
	struct error err = {0};

	job_init(&scene.job, &fake_vocabulary);
	job_add_test(&scene.job, NULL);
	for (; *lists; lists += 2)
		if (job_assign(&scene.job, &scene.job.tests[0], lists[0], lists[1], origin, &err))
			fail_msg("%s", err.text);
	if (job_complete(&scene.job, &err))
		fail_msg("%s", err.text);
	scene.studies.count = scene.job.test_count;
	scene.studies.rows = memory_allocate(scene.studies.count, sizeof(struct study_row));
	for (size_t i = 0; i < scene.studies.count; i++) {
		const struct test_spec *spec = &scene.job.tests[i];
		const double rate = (double)(i + 1) * 100 * MIB_PER_S;

		scene.studies.rows[i] = (struct study_row){
			.spec = spec,
			.test = (unsigned)i,
			.kind = PHASE_WRITE,
			.series.operation = OPERATION_WRITE,
			.tasks = (uint32_t)test_of(spec)->num_tasks,
			.nodes = 1,
			.working = (uint32_t)test_of(spec)->num_tasks,
			.rate = {rate, 0.9 * rate, 1.1 * rate},
			.operations_rate = 50,
			.p50_ns = 1000000,
			.p99_ns = 1200000,
		};
	}
	return scene;
}

static void lose_intervals(struct report_scene *scene)
{
	for (size_t i = 0; i < scene->studies.count; i++)
		scene->studies.rows[i].rate.lower = scene->studies.rows[i].rate.upper = NAN;
}

static const char *show(struct report_scene *scene)
{
	text_clear(&scene->page);
	studies_page(&scene->studies, &scene->job, &rate_units[UNIT_MIB], &scene->page);
	if (getenv("SHOW_PAGES"))
		fputs(text_string(&scene->page), stderr);
	return text_string(&scene->page);
}

static void end(struct report_scene *scene)
{
	studies_release(&scene->studies);
	text_release(&scene->page);
	job_release(&scene->job);
}

static void assert_has(const char *page, const char *lines)
{
	if (!strstr(page, lines))
		fail_msg("no\n%s\nin\n%s", lines, page);
}

static void two_options_make_a_cross_table(void **state)
{
	struct report_scene scene =
		start(LISTS("transfer_size", "4k,1m", "tasks", "1,2", "repetitions", "8"));

	(void)state;
	scene.studies.rows[1].worst = SEVERITY_WARN;
	scene.studies.rows[2].worst = SEVERITY_FAIL;
	assert_has(show(&scene),
		   "study    2 transfer_size x 2 num_tasks = 4 points x 8 repetitions, "
		   "in turn; weak\n"
		   "         scaling, the first tasks\n"
		   "write    MiB/s, p99      1 task                2 tasks\n"
		   "4KiB      100  (90.0-110) 1.2ms  200? (180-220)  1.2ms\n"
		   "1MiB      300! (270-330)  1.2ms  400  (360-440)  1.2ms\n"
		   "best     write 400 MiB/s: 1MiB, 2 tasks; 1.33 times 1MiB, 1 task "
		   "(1.09-1.63)\n\n");
	end(&scene);
}

static void a_value_that_equals_the_one_above_is_blank(void **state)
{
	struct report_scene scene =
		start(LISTS("api", "[posix null]", "transfer_size", "4k,1m", "tasks", "1,2,4"));

	(void)state;
	assert_has(show(&scene),
		   "\nwrite    MiB/s           1 task           2 tasks           4 tasks\n"
		   "posix    4KiB   100 (90.0-110)    200 (180-220)     300 (270-330)\n"
		   "         1MiB   400 (360-440)     500 (450-550)     600 (540-660)\n"
		   "null     4KiB   700 (630-770)     800 (720-880)     900 (810-990)\n"
		   "         1MiB  1000 (900-1100)   1100 (990-1210)   1200 (1080-1320)\n");
	end(&scene);
}

static void without_room_cells_lose_p99_then_intervals(void **state)
{
	struct report_scene scene =
		start(LISTS("transfer_size", "4k,1m", "tasks", "1,2,3,4,5,6,7,8"));

	(void)state;
	assert_has(show(&scene),
		   "\nwrite    MiB/s  num_tasks=1     2     3     4     5     6     7     8\n"
		   "4KiB                    100   200   300   400   500   600   700   800\n"
		   "1MiB                    900  1000  1100  1200  1300  1400  1500  1600\n");
	end(&scene);
}

static void a_table_too_wide_becomes_one_for_each_combination(void **state)
{
	struct report_scene scene =
		start(LISTS("transfer_size", "4k,1m", "tasks", "1,2,3,4,5,6,7,8,9,10,11,12,13"));

	(void)state;
	assert_has(show(&scene), "\nwrite; transfer_size=4KiB\n            tasks nodes    MiB/s ");
	assert_has(show(&scene), "\nwrite; transfer_size=1MiB\n            tasks nodes    MiB/s ");
	end(&scene);
}

static void few_repetitions_have_no_interval(void **state)
{
	struct report_scene scene = start(LISTS("fsync", "[0 1]", "segment_count", "1,2"));

	(void)state;
	lose_intervals(&scene);
	scene.studies.rows[3].rate.value = NAN;
	assert_has(show(&scene), "\nwrite    MiB/s, p99  segment_count=1          2\n"
				 "fsync=0                    100 1.2ms  200 1.2ms\n"
				 "fsync=1                    300 1.2ms    -\n");
	end(&scene);
}

static void one_option_makes_a_row_for_each_value(void **state)
{
	struct report_scene scene = start(LISTS("tasks", "1,2,4", "repetitions", "8"));

	(void)state;
	scene.studies.rows[1].worst = SEVERITY_WARN;
	show(&scene);
	assert_has(text_string(&scene.page),
		   "write       tasks nodes    MiB/s     from      to   op/s  effic. ");
	assert_has(text_string(&scene.page),
		   "\n                2     1   200.00?  180.00  220.00 50.000  100.0%  1.00ms ");
	assert_has(text_string(&scene.page),
		   "\nbest     write 300 MiB/s: 4 tasks; 1.50 times 2 tasks (1.23-1.83)\n\n");
	end(&scene);
}

static void the_best_point_is_compared_with_the_second(void **state)
{
	struct report_scene scene = start(LISTS("transfer_size", "4k,64k,1m"));
	struct line_median *rate = &scene.studies.rows[0].rate;

	(void)state;
	assert_has(show(&scene),
		   "\nbest     write 300 MiB/s: 1MiB; 1.50 times 64KiB (1.23-1.83)\n");
	*rate = (struct line_median){310 * MIB_PER_S, 305 * MIB_PER_S, 900 * MIB_PER_S};
	assert_has(show(&scene),
		   "\nbest     write 310 MiB/s: 4KiB; 1.03 times 1MiB (0.92-3.33) undecided\n");
	lose_intervals(&scene);
	assert_has(show(&scene), "\nbest     write 310 MiB/s: 4KiB; 1.03 times 1MiB\n");
	scene.studies.rows[0].rate.value = scene.studies.rows[1].rate.value = NAN;
	assert_null(strstr(show(&scene), "\nbest "));
	end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_options_make_a_cross_table),
		cmocka_unit_test(a_value_that_equals_the_one_above_is_blank),
		cmocka_unit_test(without_room_cells_lose_p99_then_intervals),
		cmocka_unit_test(a_table_too_wide_becomes_one_for_each_combination),
		cmocka_unit_test(few_repetitions_have_no_interval),
		cmocka_unit_test(one_option_makes_a_row_for_each_value),
		cmocka_unit_test(the_best_point_is_compared_with_the_second),
	};

	return cmocka_run_group_tests_name("study tables", tests, NULL, NULL);
}
