/* Lists of values, and the tests they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "options/job.h"
#include "options/turns.h"
#include "tests/unit/fake_vocabulary.h"

struct given {
	const char *key, *value;
};

#define GIVEN(...) ((const struct given[]){__VA_ARGS__, {NULL, NULL}})

/* Each on a line of its own of job.ior, from 1. */
static int make_job(struct job *job, const struct given *given, struct error *err)
{
	struct origin origin = {.kind = ORIGIN_FILE, .column = 5};

	job_init(job, &fake_vocabulary);
	job_add_test(job, NULL);
	job->source = text_copy("job.ior");
	for (; given->key; given++) {
		origin.line++;
		if (job_assign(job, &job->tests[0], given->key, given->value, origin, err))
			return -1;
	}
	return job_complete(job, err);
}

static void make_good(struct job *job, const struct given *given)
{
	struct error err = {0};

	if (make_job(job, given, &err))
		fail_msg("%s", err.text);
}

static void assert_refused(const char *key, const char *value, const char *message)
{
	struct error err = {0};
	struct job job;

	assert_int_equal(make_job(&job, GIVEN({key, value}), &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	job_release(&job);
}

static void a_list_makes_a_test_of_each_value(void **state)
{
	static const char *const spellings[] = {"[1 2 4]", "[1, 2,4]", "1,2,4", " 1 , 2 , 4",
						"[ 1\t2 4 ] "};

	(void)state;
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		struct job job;

		make_good(&job, GIVEN({"tasks", spellings[i]}));
		assert_int_equal(job.test_count, 3);
		for (size_t k = 0; k < 3; k++) {
			const struct test_spec *spec = &job.tests[k];

			assert_int_equal(test_of(spec)->num_tasks, 1u << k);
			assert_true(spec->study.made);
			assert_int_equal(spec->study.count, 1);
			assert_int_equal(
				option_origin(&spec->core, spec->study.options[0].row).line, 1);
		}
		job_release(&job);
	}
}

static void two_lists_are_a_grid_whose_last_option_changes_fastest(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"transferSize", "[4k 64k]"}, {"posix.direct", "[0 1]"},
			      {"queueDepth", "1"}));
	assert_int_equal(job.test_count, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct fake_posix *posix = job.tests[i].backends[0].values;

		assert_int_equal(test_of(&job.tests[i])->transfer_size, i < 2 ? 4096 : 65536);
		assert_int_equal(posix->direct, i % 2);
		assert_int_equal(job.tests[i].study.number, 0);
	}
	job_release(&job);
}

static void strings_are_no_lists_but_the_api(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"status_file", "[a b]"}, {"api", "[posix DUMMY]"},
			      {"null.hint.x", "[1 2]"}));
	assert_int_equal(job.test_count, 2);
	assert_string_equal(test_of(&job.tests[0])->status_file, "[a b]");
	assert_string_equal(test_of(&job.tests[0])->api, "posix");
	assert_string_equal(test_of(&job.tests[1])->api, "null");
	job_release(&job);
}

static void a_later_value_or_list_takes_the_place_of_a_list(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"tasks", "[1 2]"}, {"numTasks", "4"}));
	assert_int_equal(job.test_count, 1);
	assert_int_equal(test_of(&job.tests[0])->num_tasks, 4);
	assert_false(job.tests[0].study.made);
	job_release(&job);
	make_good(&job, GIVEN({"tasks", "[1 2]"}, {"fsync", "[0 1]"}, {"tasks", "[4 8]"}));
	assert_int_equal(job.test_count, 4);
	/* it is the last now */
	assert_int_equal(test_of(&job.tests[0])->num_tasks, 4);
	assert_int_equal(test_of(&job.tests[1])->num_tasks, 8);
	assert_false(test_of(&job.tests[1])->fsync);
	job_release(&job);
}

static void tests_without_lists_stay_and_studies_are_counted(void **state)
{
	struct error err = {0};
	const struct origin origin = {.kind = ORIGIN_COMMAND_LINE, .line = 1};
	struct job job;

	(void)state;
	job_init(&job, &fake_vocabulary);
	for (int i = 0; i < 3; i++)
		job_add_test(&job, NULL)->line = (unsigned)i + 1;
	assert_int_equal(job_assign(&job, &job.tests[0], "tasks", "1,2", origin, &err), 0);
	assert_int_equal(job_assign(&job, &job.tests[2], "tasks", "[3]", origin, &err), 0);
	assert_int_equal(job_complete(&job, &err), 0);
	assert_int_equal(job.test_count, 4);
	assert_false(job.tests[2].study.made);
	assert_int_equal(job.tests[1].study.number, 0);
	assert_int_equal(job.tests[3].study.number, 1);
	assert_int_equal(job.tests[3].line, 3);
	job_release(&job);
}

static void bad_lists_are_sentences(void **state)
{
	(void)state;
	assert_refused("tasks", "[1 2",
		       "num_tasks: the list [1 2 has no \"]\" at its end; in a shell write it "
		       "without blanks, [1,2,4], or in quotes");
	assert_refused("tasks", "[",
		       "num_tasks: the list [ has no \"]\" at its end; in a shell write it without "
		       "blanks, [1,2,4], or in quotes");
	assert_refused("tasks", "[]", "num_tasks: the list is empty");
	assert_refused("tasks", ",", "num_tasks: the list is empty");
	assert_refused("tasks", "[1 [2]]", "num_tasks: a list within a list: [2]");
	assert_refused("tasks", "1,000",
		       "num_tasks: 000 in a list begins with 0; values are separated by blanks or "
		       "commas, and digits are not grouped");
	assert_refused("transferSize", "[1m 4k 1024k]",
		       "transfer_size: 1MiB stands twice in the list");
	assert_refused("null.noise", "[1 7]", "null.noise: 7 is too large; the most is 3");
	assert_refused("verbose", "[0 1]",
		       "verbose: a job has one value; lists are for options of a test");
	assert_refused("setAlignment", "[1 2]",
		       "setAlignment: a list needs the name of the backend before it, such as "
		       "null.alignment");
}

static void a_rule_is_held_against_each_test(void **state)
{
	(void)state;
	assert_refused("transferSize", "[256k 300k]",
		       "job.ior:1: transfer_size: 300KiB does not divide block_size 1MiB; use a "
		       "divisor such as 256KiB");
}

static void too_many_tests_are_refused(void **state)
{
	struct error err = {0};
	struct text list = {0};
	struct job job;

	(void)state;
	for (int i = 1; i <= 40; i++)
		text_add(&list, "%s%d", i > 1 ? "," : "", i);
	assert_int_equal(make_job(&job, GIVEN({"tasks", list.bytes}, {"segmentCount", list.bytes}),
				  &err),
			 -1);
	assert_string_equal(err.text, "job.ior:2: segment_count: the lists of the job make more "
				      "than 1000 tests; shorten them");
	job_release(&job);
	for (int i = 41; i <= 513; i++)
		text_add(&list, ",%d", i);
	assert_refused("tasks", list.bytes, "num_tasks: a list has at most 512 values");
	text_release(&list);
}

/* Why the points of a list of transfer sizes with this option take no turns; NULL: they do. */
static const char *why_not_with(const char *key, const char *value)
{
	struct job job;
	const char *why;

	make_good(&job, GIVEN({"transfer_size", "4k,8k,16k"}, {"repetitions", "3"}, {key, value}));
	assert_int_equal(job.test_count, 3);
	assert_int_equal(turns_points(&job, 0), 3);
	why = turns_why_not(&job, 2);
	job_release(&job);
	return why;
}

static void points_take_turns_unless_something_stays(void **state)
{
	(void)state;
	assert_null(why_not_with("write_file", "1"));
	assert_null(why_not_with("repetitions", "auto"));
	assert_non_null(strstr(why_not_with("keep_file", "1"), "keep_file"));
	assert_non_null(strstr(why_not_with("order", "sequential"), "asked for"));
	assert_non_null(strstr(why_not_with("repetitions", "1"), "one repetition"));
	assert_non_null(strstr(why_not_with("memory_per_node", "10%"), "memory_per_node"));
}

static void only_the_tests_of_one_study_take_turns(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"transfer_size", "4k,8k"}, {"segment_count", "1,2"},
			      {"repetitions", "2"}));
	assert_int_equal(turns_points(&job, 0), 4);
	assert_true(turns_matter(&job, 3));
	job_release(&job);
	make_good(&job, GIVEN({"repetitions", "2"}));
	assert_int_equal(turns_points(&job, 0), 1);
	assert_false(turns_matter(&job, 0));
	job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_makes_a_test_of_each_value),
		cmocka_unit_test(two_lists_are_a_grid_whose_last_option_changes_fastest),
		cmocka_unit_test(strings_are_no_lists_but_the_api),
		cmocka_unit_test(a_later_value_or_list_takes_the_place_of_a_list),
		cmocka_unit_test(tests_without_lists_stay_and_studies_are_counted),
		cmocka_unit_test(bad_lists_are_sentences),
		cmocka_unit_test(a_rule_is_held_against_each_test),
		cmocka_unit_test(too_many_tests_are_refused),
		cmocka_unit_test(points_take_turns_unless_something_stays),
		cmocka_unit_test(only_the_tests_of_one_study_take_turns),
	};

	return cmocka_run_group_tests_name("study", tests, NULL, NULL);
}
