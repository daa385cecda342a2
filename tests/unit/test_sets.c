/* Sets of tests: lists, curves and copies of their members. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "dialects/dialect.h"
#include "tests/unit/fake_vocabulary.h"

static int make_job(struct job *job, const char *script, uint64_t tasks, struct error *err)
{
	job_init(job, &fake_vocabulary);
	job->tasks = tasks;
	if (script_parse("job.ior", script, strlen(script), job, err))
		return -1;
	return job_complete(job, err);
}

static void make_good(struct job *job, const char *script, uint64_t tasks)
{
	struct error err = {0};

	if (make_job(job, script, tasks, &err))
		fail_msg("%s", err.text);
}

static void assert_refused(const char *script, uint64_t tasks, const char *message)
{
	struct error err = {0};
	struct job job;

	assert_int_equal(make_job(&job, script, tasks, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	job_release(&job);
}

static const struct load *load_at(const struct job *job, size_t number)
{
	assert_true(number < job->test_count);
	return load_of(&job->tests[number]);
}

#define MEMBER(name, settings) \
	"LOAD START\n name=" name ", testFile=" name ", num_tasks=1, " settings "\nLOAD STOP\n"

static void lists_of_members_multiply_and_make_sets(void **state)
{
	struct job job;

	(void)state;
	make_good(&job,
		  "TOGETHER START fsync = [0 1]\n" MEMBER("a", "rate=[1 2 3]")
			  MEMBER("b", "rate=9") "TOGETHER STOP\n" MEMBER("c", "rate=[4 5]"),
		  2);
	assert_int_equal(job.test_count, 14);
	for (size_t i = 0; i < 12; i++) {
		const struct test_spec *spec = &job.tests[i];

		assert_int_equal(spec->set.number, i / 2 + 1);
		assert_true(spec->study.made);
		assert_int_equal(spec->study.number, i % 2);
		assert_int_equal(spec->study.count, 2);
		assert_int_equal(spec->study.options[0].owner, 0);
		assert_int_equal(spec->study.options[1].owner, i % 2 ? -1 : 0);
		assert_int_equal(test_of(spec)->fsync, i / 6);
		assert_true(load_at(&job, i)->rate == (i % 2 ? 9. : (double)(i / 2 % 3 + 1)));
	}
	assert_int_equal(job.tests[12].study.number, 2);
	assert_int_equal(job.tests[12].set.number, 0);
	job_release(&job);
	/* a value of its own takes the place of the list of all */
	make_good(&job,
		  "TOGETHER START fsync = [0 1]\n" MEMBER("a", "rate=1, fsync=1")
			  MEMBER("b", "rate=9") "TOGETHER STOP\n",
		  2);
	assert_int_equal(job.test_count, 4);
	assert_int_equal(job.tests[2].study.options[0].owner, 1);
	assert_true(test_of(&job.tests[0])->fsync && !test_of(&job.tests[1])->fsync);
	job_release(&job);
}

static void a_member_with_a_list_has_a_name_of_its_own(void **state)
{
	static const char message[] = "job.ior:4: name: a member of TOGETHER with a list of values "
				      "needs a name of its own; add name = NAME";

	(void)state;
	assert_refused("TOGETHER START\nLOAD START\n num_tasks=1, rate=[1 2]\nLOAD STOP\n" MEMBER(
			       "b", "") "TOGETHER STOP\n",
		       2, message);
	assert_refused("TOGETHER START\n" MEMBER("a", "rate=[1 2]") MEMBER("a", "rate=[1 2]")
			       MEMBER("b", "") "TOGETHER STOP\n",
		       3, message);
}

static void a_curve_is_one_of_the_whole_set(void **state)
{
	struct job job;

	(void)state;
	make_good(&job,
		  "TOGETHER START\n curve = \"50%,100%\"\n" MEMBER("a", "rate=10") MEMBER(
			  "b", "byte_rate=[1000 2000]") "IOR START\nnum_tasks=1, testFile=c\nIOR "
							"STOP\nTOGETHER STOP\n",
		  3);
	assert_int_equal(job.test_count, 12);
	for (size_t i = 0; i < 4; i++) {
		const struct study *study = &job.tests[3 * i].study;
		const double share = i % 2 ? 1 : .5;

		assert_int_equal(study->count, 2);
		assert_string_equal(study->options[1].row->name, "curve");
		assert_string_equal(load_at(&job, 3 * i)->curve, i % 2 ? "100%" : "50%");
		assert_true(load_at(&job, 3 * i)->rate == 10 * share);
		assert_int_equal(load_at(&job, 3 * i + 1)->byte_rate,
				 (i < 2 ? 1000 : 2000) * share);
		assert_int_equal(job.tests[3 * i + 2].study.options[1].owner, 0);
	}
	job_release(&job);
	assert_refused(
		"TOGETHER START curve=max\n" MEMBER("a", "rate=1")
			MEMBER("b", "byte_rate=1") "TOGETHER STOP\n",
		2,
		"job.ior:1: curve: max is a closed loop, and all loads of the set have a rate; "
		"begin with a share such as 10%");
	assert_refused("TOGETHER START curve=\"10%\"\n" MEMBER("a", "rate=1")
			       MEMBER("b", "") "TOGETHER STOP\n",
		       2,
		       "job.ior:1: curve: 10% is a share of the maximum, which is not known before "
		       "it; begin the curve with max, as in max,10%");
	assert_refused(
		"TOGETHER START\n" MEMBER("a", "curve=max") MEMBER("b", "") "TOGETHER STOP\n", 2,
		"job.ior:3: curve: the points of a curve are those of the whole set; give it "
		"on the line TOGETHER START");
	assert_refused(
		"TOGETHER START curve=\"max,200\"\n" MEMBER("a", "")
			MEMBER("b", "") "TOGETHER STOP\n",
		2,
		"job.ior:1: curve: 200 is a rate; the points of a set are shares of the rates "
		"of its loads, such as 50%");
	assert_refused("TOGETHER START search=\"p99<1s\"\n" MEMBER("a", "rate=1")
			       MEMBER("b", "") "TOGETHER STOP\n",
		       2,
		       "job.ior:3: rate: the points of search are rates already; leave one of the "
		       "two out");
}

static void only_a_curve_rules_out_tests_alone(void **state)
{
	struct job job;

	(void)state;
	make_good(&job,
		  "TOGETHER START alone=1\n" MEMBER("a", "rate=1")
			  MEMBER("b", "") "TOGETHER STOP\n",
		  2);
	assert_int_equal(job.test_count, 4);
	job_release(&job);
	assert_refused(
		"TOGETHER START alone=1, curve=max\n" MEMBER("a", "")
			MEMBER("b", "") "TOGETHER STOP\n",
		2,
		"job.ior:1: alone: a set with a curve has no tests alone; leave one of the two "
		"out");
}

static void copies_have_names_files_and_tasks_of_their_own(void **state)
{
	struct job job;

	(void)state;
	make_good(&job,
		  "TOGETHER START copies=[1 3]\n" MEMBER("a", "") "MDTEST START\n dir=x/@y@@z, "
								  "num_tasks=2, items=1\nMDTEST "
								  "STOP\nTOGETHER STOP\n",
		  9);
	assert_int_equal(job.test_count, 8);
	assert_string_equal(test_of(&job.tests[0])->name, "a");
	assert_string_equal(test_of(&job.tests[2])->name, "a");
	assert_string_equal(test_of(&job.tests[4])->name, "a#2");
	assert_string_equal(test_of(&job.tests[6])->test_file, "a#3");
	assert_string_equal(metadata_of(&job.tests[3])->dir, "x/@y@@z");
	assert_string_equal(metadata_of(&job.tests[7])->dir, "x#3@y@@z#3");
	assert_null(test_of(&job.tests[7])->name);
	for (size_t i = 2; i < 8; i++) {
		assert_int_equal(job.tests[i].set.number, 2);
		assert_int_equal(job.tests[i].set.copy, i / 2);
	}
	job_release(&job);
	assert_refused(
		"TOGETHER START copies=2\n" MEMBER("a", "") "LOAD START\nnum_tasks=rest\n"
							    "LOAD STOP\nTOGETHER STOP\n",
		4,
		"job.ior:7: num_tasks: with copies a member of TOGETHER has a number of tasks; "
		"rest and shares are of all tasks of the job");
	assert_refused(
		"TOGETHER START\n" MEMBER("a", "copies=2")
			MEMBER("b", "copies=1") "TOGETHER STOP\n",
		4,
		"job.ior:6: copies: the members of TOGETHER have equal numbers of copies; give "
		"copies on the line TOGETHER START");
}

/* A member of a set that wants too much is refused when tasks are dealt; see test_deal.c. */
static void exact_tasks_refuses_a_start_with_too_few(void **state)
{
	static const char wide[] = "LOAD START\nexact_tasks=1, testFile=w, num_tasks=2\nLOAD STOP\n"
				   "TOGETHER START copies=2\n" MEMBER("a", "num_tasks=3")
					   MEMBER("b", "") "TOGETHER STOP\n";
	struct job job;

	(void)state;
	assert_refused(wide, 1,
		       "job.ior:2: num_tasks: 2 tasks are wanted but the job has 1; start it with "
		       "mpirun -np 8, as another test wants so many, or lower num_tasks");
	make_good(&job, wide, 2);
	job_release(&job);
	make_good(&job, "LOAD START\nexact_tasks=0, testFile=w, num_tasks=2\nLOAD STOP\n", 1);
	job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_members_multiply_and_make_sets),
		cmocka_unit_test(a_member_with_a_list_has_a_name_of_its_own),
		cmocka_unit_test(a_curve_is_one_of_the_whole_set),
		cmocka_unit_test(only_a_curve_rules_out_tests_alone),
		cmocka_unit_test(copies_have_names_files_and_tasks_of_their_own),
		cmocka_unit_test(exact_tasks_refuses_a_start_with_too_few),
	};

	return cmocka_run_group_tests_name("sets", tests, NULL, NULL);
}
