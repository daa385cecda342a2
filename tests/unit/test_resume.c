/* What a job that goes on reads from the journal of an earlier session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "assess/repetitions.h"
#include "record/resume.h"
#include "report_scene.h"

#define SCHEMA "\"schema\":{\"name\":\"iorx-result\",\"version\":\"2.0\"}"
#define RUN "{" SCHEMA ",\"run\":{}}\n"
#define TEST(n) "{\"test\":{\"test\":" #n "}}\n"
#define PHASE(n, repetition, index, status)                                                  \
	"{\"phase\":{\"test\":" #n ",\"repetition\":" #repetition ",\"phase_index\":" #index \
	",\"status\":\"" status "\"}}\n"
#define WRITE_READ(n, repetition) \
	PHASE(n, repetition, 0, "complete") PHASE(n, repetition, 1, "complete")
#define TEST_END(n, why) "{\"test_end\":{\"test\":" #n ",\"repetitions_end\":\"" why "\"}}\n"
#define SESSION "{\"session\":{}}\n"

enum { TESTS = 3 };

/* A journal and a job of three tests that write and read. */
struct resume_scene {
	struct job job;
	struct plan plans[TESTS];
	struct recorded recorded[TESTS];
	struct journal_lines lines;
	FILE *file;
};

/* Returns the line that forbids to go on. */
static const struct journal_line *start(struct resume_scene *scene, const char *journal)
{
	struct error err = {0};

	*scene = (struct resume_scene){0};
	job_init(&scene->job, registry_vocabulary());
	for (unsigned i = 0; i < TESTS; i++) {
		job_add_test(&scene->job, NULL);
		scene->plans[i].phase_count = 2;
	}
	scene->file = fmemopen((void *)(uintptr_t)journal, strlen(journal), "r");
	if (journal_lines_read(&scene->lines, scene->file, "a.jsonl", &err))
		fail_msg("%s", err.text);
	return resume_read(&scene->lines, &scene->job, scene->plans, scene->recorded);
}

static void end(struct resume_scene *scene)
{
	journal_lines_release(&scene->lines);
	fclose(scene->file);
	job_release(&scene->job);
}

static void assert_recorded(const struct resume_scene *scene, unsigned number,
			    struct recorded expected)
{
	const struct recorded *own = &scene->recorded[number];

	assert_int_equal(own->repetitions, expected.repetitions);
	assert_int_equal(own->begun, expected.begun);
	assert_int_equal(own->over, expected.over);
}

static void a_repetition_is_done_with_its_last_phase(void **state)
{
	struct resume_scene scene;

	(void)state;
	assert_null(start(&scene, RUN TEST(0) WRITE_READ(0, 0) WRITE_READ(0, 1) TEST_END(0, "asked")
					  TEST(1) WRITE_READ(1, 0) PHASE(1, 1, 0, "complete")
						  PHASE(1, 1, 1, "stopped")));
	assert_recorded(&scene, 0, (struct recorded){2, true, true});
	assert_recorded(&scene, 1, (struct recorded){1, true, false});
	assert_recorded(&scene, 2, (struct recorded){0, false, false});
	end(&scene);
}

static void a_test_that_was_ended_early_wants_more(void **state)
{
	struct resume_scene scene;

	(void)state;
	start(&scene, RUN TEST(0) WRITE_READ(0, 0) TEST_END(0, "ended"));
	assert_recorded(&scene, 0, (struct recorded){1, true, false});
	end(&scene);
}

static void a_torn_last_line_is_cut_off(void **state)
{
	static const char whole[] = RUN TEST(0) WRITE_READ(0, 0), torn[] = "{\"phase\":{\"te";
	char journal[sizeof(whole) + sizeof(torn)];
	struct resume_scene scene;

	(void)state;
	snprintf(journal, sizeof(journal), "%s%s", whole, torn);
	start(&scene, journal);
	assert_int_equal(scene.lines.end, strlen(whole));
	assert_int_equal(scene.lines.size, strlen(journal));
	assert_recorded(&scene, 0, (struct recorded){1, true, false});
	end(&scene);
}

static size_t count_of(const struct resume_scene *scene, enum journal_event event)
{
	size_t count = 0;

	for (size_t i = 0; i < scene->lines.count; i++)
		count += scene->lines.list[i].event == event;
	return count;
}

static void what_a_later_session_makes_again_replaces_what_was_there(void **state)
{
	struct resume_scene scene;

	(void)state;
	start(&scene, RUN TEST(0) WRITE_READ(0, 0) PHASE(0, 1, 0, "complete") TEST_END(0, "ended")
			      SESSION WRITE_READ(0, 1));
	assert_recorded(&scene, 0, (struct recorded){2, true, false});
	assert_int_equal(count_of(&scene, EVENT_PHASE), 4);
	assert_int_equal(count_of(&scene, EVENT_TEST_END), 0);
	assert_int_equal(scene.lines.sessions, 2);
	for (size_t i = 0; i < scene.lines.count; i++)
		if (scene.lines.list[i].event == EVENT_PHASE)
			assert_int_equal(scene.lines.list[i].session,
					 scene.lines.list[i].repetition + 1);
	end(&scene);
}

static void a_repetition_that_is_made_again_is_not_done_before_its_end(void **state)
{
	struct resume_scene scene;

	(void)state;
	start(&scene, RUN TEST(0) WRITE_READ(0, 0) WRITE_READ(0, 1) TEST_END(0, "asked")
			      SESSION PHASE(0, 1, 0, "complete"));
	assert_recorded(&scene, 0, (struct recorded){1, true, false});
	assert_int_equal(count_of(&scene, EVENT_PHASE), 4); /* nothing is lost */
	end(&scene);
}

static void members_of_a_set_are_as_far_as_the_last_of_them(void **state)
{
	struct resume_scene scene;

	(void)state;
	start(&scene, RUN TEST(0) TEST(1) WRITE_READ(0, 0) WRITE_READ(1, 0) WRITE_READ(0, 1));
	scene.job.tests[0].set.number = scene.job.tests[1].set.number = 1;
	resume_read(&scene.lines, &scene.job, scene.plans, scene.recorded);
	assert_recorded(&scene, 0, (struct recorded){1, true, false});
	assert_recorded(&scene, 1, (struct recorded){1, true, false});
	end(&scene);
}

static void failures_and_wrong_data_forbid_to_go_on(void **state)
{
	struct resume_scene scene;

	(void)state;
	assert_int_equal(start(&scene, RUN TEST(0) PHASE(0, 0, 0, "failed"))->number, 3);
	end(&scene);
	assert_int_equal(
		start(&scene, RUN TEST(0) "{\"phase\":{\"test\":0,\"repetition\":0,\"phase_index\":"
					  "1,\"status\":\"complete\",\"verification\":"
					  "{\"wrong_transfers\":2}}}\n")
			->number,
		3);
	end(&scene);
}

static void journals_of_another_format_are_refused(void **state)
{
	static const char older[] = "{\"schema\":{\"name\":\"iorx-result\",\"version\":\"1.0\"},"
				    "\"run\":{}}\n";
	FILE *file = fmemopen((void *)(uintptr_t)older, strlen(older), "r");
	struct journal_lines lines;
	struct error err = {0};

	(void)state;
	assert_int_equal(journal_lines_read(&lines, file, "a.jsonl", &err), -1);
	assert_non_null(strstr(err.text, "its schema is not iorx-result 2.0"));
	journal_lines_release(&lines);
	fclose(file);
}

static void options_that_differ_are_named_with_both_values(void **state)
{
	json_t *was = json_loads("{\"tasks\":4,\"options\":{\"block_size\":{\"value\":1},"
				 "\"cold\":{\"value\":\"no\"}}}",
				 0, NULL);
	json_t *is = json_loads("{\"tasks\":2,\"options\":{\"block_size\":{\"value\":2},"
				"\"cold\":{\"value\":\"no\",\"origin\":\"file\"}}}",
				0, NULL);
	struct text differs = {0};

	(void)state;
	resume_compare(was, is, JOURNAL_NO_TEST, &differs);
	assert_non_null(strstr(text_string(&differs), "tasks was 4 and is 2; "));
	text_clear(&differs);
	resume_compare(was, is, 3, &differs);
	assert_string_equal(text_string(&differs), "test 3: block_size was 1 and is 2; ");
	text_release(&differs);
	json_decref(was);
	json_decref(is);
}

/* Adds the phases of a session to the result, from their lines. */
static void restore(struct test_result *test, const struct report_scene *scene, size_t first,
		    size_t last, unsigned session)
{
	for (size_t i = first; i < last; i++) {
		json_t *line = record_phase(&scene->test, &scene->phases[i], NULL, 0);

		assert_true(resume_restore(test, line, session));
		json_decref(line);
	}
}

static void numbers_of_lines_give_the_same_summary(void **state)
{
	static const char *const settings[] = {"repetitions", "8", NULL};
	struct report_scene scene;
	struct test_result test;
	struct rate_summary own, past;

	(void)state;
	scene_start(&scene, 1, 2, settings);
	for (uint64_t i = 0; i < 8; i++) {
		scene_phase(&scene, PHASE_WRITE, i, 2 + 0.1 * (double)i, 400, 1000000 + 1000 * i);
		scene_phase(&scene, PHASE_READ, i, 1, 400, 500000);
	}
	test = (struct test_result){.spec = scene.test.spec, .plan = scene.test.plan};
	for (size_t i = 0; i < scene.phase_count; i++)
		test_result_add(&scene.test, &scene.phases[i]);
	restore(&test, &scene, 0, scene.phase_count, 1);
	rate_summary_fill(&own, &scene.test, 0);
	rate_summary_fill(&past, &test, 0);
	assert_int_equal(past.rate.count, 8);
	assert_float_equal(past.rate.median, own.rate.median, 0);
	assert_float_equal(past.rate.deviation, own.rate.deviation, 0);
	assert_float_equal(past.operations_rate, own.operations_rate, 0);
	assert_float_equal(past.pooled, own.pooled, 0);
	assert_float_equal(past.seconds, own.seconds, 0);
	assert_memory_equal(&past.times, &own.times, sizeof(own.times));
	assert_int_equal(past.sessions.count, 1);
	test_result_release(&test);
	scene_release(&scene);
}

static const struct verdict *find_v6(const struct assessed_summary *summary)
{
	for (size_t i = 0; i < summary->count; i++)
		if (!strcmp(summary->verdicts[i].id, "V6"))
			return &summary->verdicts[i];
	return NULL;
}

/* The second session takes `seconds` for each write, the first one 2 s. */
static void check_v6(double seconds, enum severity expected)
{
	static const char *const settings[] = {"repetitions", "8", NULL};
	struct assessed_summary *summaries = memory_allocate(PLAN_PHASES, sizeof(*summaries));
	struct report_scene scene;
	struct test_result test;

	scene_start(&scene, 1, 2, settings);
	for (uint64_t i = 0; i < 8; i++)
		scene_phase(&scene, PHASE_WRITE, i, (i < 4 ? 2 : seconds) + 0.01 * (double)i, 400,
			    1000000);
	test = (struct test_result){.spec = scene.test.spec, .plan = scene.test.plan};
	restore(&test, &scene, 0, 4, 1);
	restore(&test, &scene, 4, 8, 2);
	assess_summaries(&test, summaries);
	assert_non_null(find_v6(&summaries[0]));
	assert_int_equal(find_v6(&summaries[0])->severity, expected);
	test_result_release(&test);
	scene_release(&scene);
	free(summaries);
}

static void two_sessions_carry_a_verdict(void **state)
{
	(void)state;
	check_v6(1.985, SEVERITY_NOTE);
	check_v6(3, SEVERITY_WARN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_repetition_is_done_with_its_last_phase),
		cmocka_unit_test(a_test_that_was_ended_early_wants_more),
		cmocka_unit_test(a_torn_last_line_is_cut_off),
		cmocka_unit_test(what_a_later_session_makes_again_replaces_what_was_there),
		cmocka_unit_test(a_repetition_that_is_made_again_is_not_done_before_its_end),
		cmocka_unit_test(members_of_a_set_are_as_far_as_the_last_of_them),
		cmocka_unit_test(failures_and_wrong_data_forbid_to_go_on),
		cmocka_unit_test(journals_of_another_format_are_refused),
		cmocka_unit_test(options_that_differ_are_named_with_both_values),
		cmocka_unit_test(numbers_of_lines_give_the_same_summary),
		cmocka_unit_test(two_sessions_carry_a_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
