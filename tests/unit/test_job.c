/* Values that hang on others, and the rules that span options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "options/job.h"
#include "tests/unit/fake_vocabulary.h"

/* One assignment; line 0: by the command line. */
struct given {
	const char *key, *value;
	unsigned line;
};

#define END                   \
	{                     \
		NULL, NULL, 0 \
	}

/* A job of one test, whose RUN stands on line 20 of job.ior unless all comes by the command line.
 */
static int make_job(struct job *job, const struct given *given, struct error *err)
{
	struct test_spec *spec;

	job_init(job, &fake_vocabulary);
	spec = job_add_test(job, NULL);
	for (; given->key; given++) {
		struct origin origin = {.kind = given->line ? ORIGIN_FILE : ORIGIN_COMMAND_LINE,
					.line = given->line ? given->line : 1,
					.column = 5};

		if (given->line && !job->source) {
			job->source = text_copy("job.ior");
			spec->line = 20;
		}
		if (job_assign(job, spec, given->key, given->value, origin, err))
			return -1;
	}
	return job_complete(job, err);
}

static void assert_refused(const struct given *given, const char *message)
{
	struct error err = {0};
	struct job job;

	assert_int_equal(make_job(&job, given, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	job_release(&job);
}

static void make_good(struct job *job, const struct given *given)
{
	struct error err;

	if (make_job(job, given, &err))
		fail_msg("%s", err.text);
}

#define GIVEN(...) ((const struct given[]){__VA_ARGS__, END})

static void neither_write_nor_read_means_both(void **state)
{
	static const struct given nothing[] = {END};
	struct job job;

	(void)state;
	make_good(&job, nothing);
	assert_true(test_of(&job.tests[0])->write_file);
	assert_true(test_of(&job.tests[0])->read_file);
	assert_int_equal(
		option_origin(&job.tests[0].core, option_find(&test_options, "write_file")).kind,
		ORIGIN_DEFAULT);
	job_release(&job);
}

static void one_of_write_and_read_means_only_that(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"readFile", "1", 3}));
	assert_false(test_of(&job.tests[0])->write_file);
	job_release(&job);
	make_good(&job, GIVEN({"writeFile", "0", 3}));
	assert_false(test_of(&job.tests[0])->write_file);
	assert_true(test_of(&job.tests[0])->read_file);
	job_release(&job);
	assert_refused(
		GIVEN({"writeFile", "0", 3}, {"readFile", "0", 4}),
		"job.ior:3: write_file: it is 0, and so is read_file: there is nothing to do");
}

static void the_transfer_size_must_divide_the_block_size(void **state)
{
	(void)state;
	assert_refused(GIVEN({"transferSize", "300KiB", 12}),
		       "job.ior:12: transfer_size: 300KiB does not divide block_size 1MiB; use a "
		       "divisor such as 256KiB");
	assert_refused(GIVEN({"t", "x", 0}), "t: unknown option; --help shows all");
	assert_refused(GIVEN({"blockSize", "1000000", 4}),
		       "job.ior:4: transfer_size: 256KiB does not divide block_size 1000000; use a "
		       "divisor such as 250000");
	assert_refused(GIVEN({"transfer_size", "2m", 0}),
		       "command line: transfer_size: 2MiB does not divide block_size 1MiB; use a "
		       "divisor such as 1MiB");
}

static void a_flag_is_blamed_before_the_file(void **state)
{
	(void)state;
	assert_refused(GIVEN({"transferSize", "256k", 12}, {"block_size", "300k", 0}),
		       "command line: transfer_size: 256KiB does not divide block_size 300KiB; use "
		       "a divisor such as 150KiB");
}

static void a_file_of_two_to_the_63_is_refused(void **state)
{
	struct job job;

	(void)state;
	assert_refused(
		GIVEN({"blockSize", "1t", 3}, {"segmentCount", "8388608", 4}),
		"job.ior:3: block_size: times segment_count it is 2^63 bytes or more; use less");
	assert_refused(GIVEN({"blockSize", "1t", 3}, {"numTasks", "8388608", 4}),
		       "job.ior:3: block_size: times segment_count and num_tasks it is 2^63 bytes "
		       "or more; use less");
	assert_refused(GIVEN({"blockSize", "4eb", 3}, {"segmentCount", "4ei", 4},
			     {"numTasks", "4ei", 5}),
		       "job.ior:3: block_size: times segment_count and num_tasks it is 2^63 bytes "
		       "or more; use less");
	make_good(&job, GIVEN({"blockSize", "1t", 3}, {"segmentCount", "8388607", 4}));
	job_release(&job);
}

static void assert_unused(const struct given *given, const char *expected)
{
	struct text lines = {0};
	struct job job;

	make_good(&job, given);
	job.tasks = 3;
	job_list_unused(&job, &lines);
	assert_string_equal(text_string(&lines), expected);
	text_release(&lines);
	job_release(&job);
}

static void a_directory_for_each_task_needs_a_file_for_each_task(void **state)
{
	(void)state;
	assert_unused(GIVEN({"uniqueDir", "1", 7}),
		      "unique_dir has no effect: no test uses file_per_proc (-F)\n");
	assert_unused(GIVEN({"uniqueDir", "1", 7}, {"filePerProc", "1", 8}), "");
}

static void more_tasks_than_there_are_take_all(void **state)
{
	(void)state;
	assert_unused(GIVEN({"numTasks", "4", 7}),
		      "num_tasks: 4 tasks are wanted but the job has 3; all of them take part\n");
	assert_unused(GIVEN({"numTasks", "3", 7}), "");
}

static void an_existing_file_cannot_be_used_and_replaced(void **state)
{
	(void)state;
	assert_refused(GIVEN({"useExistingTestFile", "1", 7}, {"replace", "1", 0}),
		       "command line: replace: it deletes the file that use_existing_test_file "
		       "(-E) writes into; choose one");
}

static void a_file_needs_a_name(void **state)
{
	(void)state;
	assert_refused(GIVEN({"testFile", "", 7}), "job.ior:7: test_file: the name is empty");
}

static void cold_by_command_needs_a_command(void **state)
{
	struct job job;

	(void)state;
	assert_refused(GIVEN({"cold", "command", 7}),
		       "job.ior:7: cold: command needs cold_command, the command that drops the "
		       "caches");
	make_good(&job, GIVEN({"cold", "command", 7}, {"cold_command", "true", 0}));
	job_release(&job);
}

static void a_job_file_runs_commands_only_when_allowed(void **state)
{
	struct job job;

	(void)state;
	assert_refused(GIVEN({"cold", "command", 7}, {"cold_command", "true", 8}),
		       "job.ior:8: cold_command: a job file may run commands only with "
		       "--allow-commands on the command line");
	assert_refused(GIVEN({"posix.command", "true", 8}),
		       "job.ior:8: posix.command: a job file may run commands only with "
		       "--allow-commands on the command line");
	make_good(&job, GIVEN({"cold", "command", 7}, {"cold_command", "true", 8},
			      {"allow_commands", NULL, 0}));
	job_release(&job);
	assert_refused(GIVEN({"allow_commands", "1", 8}),
		       "allow_commands: this option is for the command line only; remove it");
}

static void the_api_takes_its_canonical_name(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"api", "DUMMY", 3}));
	assert_string_equal(test_of(&job.tests[0])->api, "null");
	assert_int_equal(job.tests[0].core.origins[0].line, 3);
	job_release(&job);
}

static void an_api_that_cannot_be_used_is_refused(void **state)
{
	(void)state;
	assert_refused(GIVEN({"api", "HDF5", 3}),
		       "job.ior:3: api: hdf5 is not built in; install libhdf5-openmpi-dev");
	assert_refused(GIVEN({"api", "xyz", 0}), "command line: api: there is no backend \"xyz\"");
}

static void options_of_another_api_may_be_set(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"dummy.delay-xfer", "5", 3}, {"--posix.odirect", "1", 4}));
	assert_true(((struct fake_posix *)job.tests[0].backends[0].values)->direct);
	assert_true(((struct fake_null *)job.tests[0].backends[1].values)->delay_xfer == 5);
	job_release(&job);
}

static void the_jobs_options_have_one_value(void **state)
{
	struct job job;

	(void)state;
	assert_refused(GIVEN({"verbose", "1", 3}, {"verbose", "2", 9}),
		       "verbose: 2 on line 9, but 1 on line 3; a job has one value");
	make_good(&job, GIVEN({"verbose", "1", 3}, {"verbose", "1", 9}, {"verbose", "4", 0}));
	assert_int_equal(run_of(&job)->verbose, 4);
	job_release(&job);
}

static void outputs_are_told_apart_by_their_names(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"output", "a.json,b/c.CSV", 3}, {"summaryFile", "d", 4}));
	assert_int_equal(job.output_count, 3);
	assert_string_equal(job.outputs[0].path, "a.json");
	assert_int_equal(job.outputs[0].format, OUTPUT_JSON);
	assert_string_equal(job.outputs[1].path, "b/c.CSV");
	assert_int_equal(job.outputs[1].format, OUTPUT_CSV);
	assert_string_equal(job.outputs[2].path, "d");
	assert_int_equal(job.outputs[2].format, OUTPUT_TEXT);
	job_release(&job);
}

static void no_document_is_an_output_too(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"output", "none,a.csv", 3}));
	assert_true(job.no_document);
	assert_int_equal(job.output_count, 1);
	assert_string_equal(job.outputs[0].path, "a.csv");
	job_release(&job);
}

static void the_summary_has_the_format_that_is_asked_for(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"summaryFile", "a.txt", 3}, {"summaryFormat", "json", 4}));
	assert_int_equal(job.outputs[0].format, OUTPUT_JSON);
	job_release(&job);
	make_good(&job, GIVEN({"summaryFile", "a.csv", 3}));
	assert_int_equal(job.outputs[0].format, OUTPUT_CSV);
	job_release(&job);
	make_good(&job, GIVEN({"summaryFormat", "CSV", 4}));
	assert_null(job.outputs[0].path);
	assert_int_equal(job.outputs[0].format, OUTPUT_IOR_CSV);
	job_release(&job);
	make_good(&job, GIVEN({"summaryFile", "a.json", 4}, {"format", "ior", 0}));
	assert_int_equal(job.outputs[0].format, OUTPUT_IOR_JSON);
	job_release(&job);
}

static void one_output_of_each_format_is_enough(void **state)
{
	(void)state;
	assert_refused(GIVEN({"output", "a.json,b.json", 3}),
		       "job.ior:3: output: a.json and b.json are both .json files; one is enough");
	assert_refused(GIVEN({"output", "a.json", 3}, {"summary_file", "b.json", 0}),
		       "command line: summary_file: a.json and b.json are both .json files; one is "
		       "enough");
	assert_refused(
		GIVEN({"output", "a.xml", 0}),
		"command line: output: \"a.xml\" must end in .json, .csv or .txt, or be none");
	assert_refused(GIVEN({"output", "a.json,,b.csv", 0}),
		       "command line: output: \"\" must end in .json, .csv or .txt, or be none");
	assert_refused(
		GIVEN({"output", ".json", 0}),
		"command line: output: \".json\" must end in .json, .csv or .txt, or be none");
}

static void a_default_is_blamed_on_the_tests_run(void **state)
{
	struct error err;
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"refNum", "1", 3}));
	((struct test *)job.tests[0].core.values)->transfer_size = 3;
	assert_int_equal(job_complete(&job, &err), -1);
	assert_string_equal(err.text, "job.ior:20: transfer_size: 3 does not divide block_size "
				      "1MiB; use a divisor such as 2");
	job_release(&job);
}

static void a_place_is_written_with_line_and_column(void **state)
{
	struct job job = {.source = "a.ior"};
	char place[64];

	(void)state;
	assert_string_equal(job_where(&job,
				      (struct origin){.kind = ORIGIN_FILE, .line = 12, .column = 3},
				      place, sizeof(place)),
			    "a.ior:12:3");
	assert_string_equal(job_where(&job, (struct origin){.kind = ORIGIN_FILE, .line = 12}, place,
				      sizeof(place)),
			    "a.ior:12");
	assert_string_equal(job_where(&job, (struct origin){.kind = ORIGIN_COMMAND_LINE, .line = 1},
				      place, sizeof(place)),
			    "command line");
	assert_string_equal(job_where(&job, (struct origin){.kind = ORIGIN_DEFAULT}, place,
				      sizeof(place)),
			    "default");
	assert_string_equal(job_where(&job, (struct origin){.kind = ORIGIN_ENVIRONMENT}, place,
				      sizeof(place)),
			    "environment");
}

static void an_added_test_is_a_copy(void **state)
{
	struct error err;
	struct job job;
	struct test_spec first;

	(void)state;
	job_init(&job, &fake_vocabulary);
	test_spec_init(&first, &fake_vocabulary);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(
			job_assign(&job, &first, "test_file", i % 2 ? "odd" : "even",
				   (struct origin){.kind = ORIGIN_FILE, .line = i, .column = 1},
				   &err),
			0);
		job_add_test(&job, &first);
	}
	test_spec_release(&first);
	assert_int_equal(job.test_count, 100);
	assert_string_equal(test_of(&job.tests[41])->test_file, "odd");
	assert_string_equal(test_of(&job.tests[42])->test_file, "even");
	job_release(&job);
}

static const struct fake_null *null_of(const struct job *job)
{
	return job->tests[0].backends[1].values;
}

static void old_keys_lead_to_the_option_of_the_api(void **state)
{
	struct job job;

	(void)state;
	make_good(&job,
		  GIVEN({"preallocate", "1", 3}, {"setAlignment", "4k", 4}, {"api", "DUMMY", 5}));
	assert_true(null_of(&job)->preallocate);
	assert_int_equal(null_of(&job)->alignment, 4096);
	job_release(&job);
}

static void old_keys_that_no_api_has_are_unused_unless_off(void **state)
{
	struct job job;

	(void)state;
	assert_unused(GIVEN({"preallocate", "1", 3}),
		      "preallocate has no effect: it is for null, and no test uses it\n");
	assert_unused(GIVEN({"preallocate", "1", 3}, {"api", "null", 4}), "");
	make_good(&job, GIVEN({"preallocate", "0", 3}, {"setAlignment", "1", 4}));
	job_release(&job);
	make_good(&job, GIVEN({"preallocate", "1", 3}, {"preallocate", "0", 0}));
	assert_false(null_of(&job)->preallocate);
	job_release(&job);
	make_good(&job, GIVEN({"lustreIgnoreLocks", "0", 3}, {"lustreStripeCount", "0", 4}));
	job_release(&job);
	make_good(&job, GIVEN({"lustreStartOST", "-1", 3}, {"storeFileOffset", "", 4}));
	job_release(&job);
}

static void old_keys_that_are_always_so_are_accepted(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"showHints", "1", 3}, {"quitOnError", "1", 4}));
	job_release(&job);
}

static void old_keys_that_are_nowhere_say_why(void **state)
{
	(void)state;
	assert_refused(GIVEN({"lustreStripeCount", "4", 3}),
		       "lustreStripeCount: iorx does not set stripes; make an empty file with lfs "
		       "setstripe first, it is used as it is, or set them on its directory; remove "
		       "the key");
	assert_refused(GIVEN({"useSharedFilePointer", "1", 3}),
		       "useSharedFilePointer: tasks that share a file pointer wait for one another "
		       "at each transfer, which iorx does not do; remove it, tasks have places of "
		       "their own in a shared file");
	assert_refused(GIVEN({"storeFileOffset", "1", 3}),
		       "storeFileOffset: it is content=ior-offset (-l o) now; say that instead");
}

static void the_pending_requests_of_aio_are_the_queue(void **state)
{
	struct job job;

	(void)state;
	make_good(&job, GIVEN({"aio.max-pending", "16", 3}));
	assert_int_equal(test_of(&job.tests[0])->queue_depth, 16);
	job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neither_write_nor_read_means_both),
		cmocka_unit_test(one_of_write_and_read_means_only_that),
		cmocka_unit_test(the_transfer_size_must_divide_the_block_size),
		cmocka_unit_test(a_flag_is_blamed_before_the_file),
		cmocka_unit_test(a_file_of_two_to_the_63_is_refused),
		cmocka_unit_test(a_directory_for_each_task_needs_a_file_for_each_task),
		cmocka_unit_test(more_tasks_than_there_are_take_all),
		cmocka_unit_test(an_existing_file_cannot_be_used_and_replaced),
		cmocka_unit_test(a_file_needs_a_name),
		cmocka_unit_test(cold_by_command_needs_a_command),
		cmocka_unit_test(a_job_file_runs_commands_only_when_allowed),
		cmocka_unit_test(the_api_takes_its_canonical_name),
		cmocka_unit_test(an_api_that_cannot_be_used_is_refused),
		cmocka_unit_test(options_of_another_api_may_be_set),
		cmocka_unit_test(the_jobs_options_have_one_value),
		cmocka_unit_test(outputs_are_told_apart_by_their_names),
		cmocka_unit_test(no_document_is_an_output_too),
		cmocka_unit_test(the_summary_has_the_format_that_is_asked_for),
		cmocka_unit_test(one_output_of_each_format_is_enough),
		cmocka_unit_test(a_default_is_blamed_on_the_tests_run),
		cmocka_unit_test(a_place_is_written_with_line_and_column),
		cmocka_unit_test(an_added_test_is_a_copy),
		cmocka_unit_test(old_keys_lead_to_the_option_of_the_api),
		cmocka_unit_test(old_keys_that_no_api_has_are_unused_unless_off),
		cmocka_unit_test(old_keys_that_are_always_so_are_accepted),
		cmocka_unit_test(old_keys_that_are_nowhere_say_why),
		cmocka_unit_test(the_pending_requests_of_aio_are_the_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
