/* The script of IOR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "dialects/dialect.h"
#include "tests/unit/fake_vocabulary.h"

static void read_good(struct job *job, const char *script)
{
	struct error err;

	job_init(job, &fake_vocabulary);
	if (script_parse("job.ior", script, strlen(script), job, &err))
		fail_msg("%s", err.text);
}

static void assert_bytes_refused_of(const char *name, const char *script, size_t length,
				    const char *message)
{
	struct error err = {0};
	struct job job;

	job_init(&job, &fake_vocabulary);
	assert_int_equal(script_parse(name, script, length, &job, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	job_release(&job);
}

static void assert_bytes_refused(const char *script, size_t length, const char *message)
{
	assert_bytes_refused_of("job.ior", script, length, message);
}

static void assert_refused(const char *script, const char *message)
{
	assert_bytes_refused(script, strlen(script), message);
}

static const struct test *test_at(const struct job *job, size_t index)
{
	assert_true(index < job->test_count);
	return test_of(&job->tests[index]);
}

/* Reads a script with definitions; message NULL: the first block_size is 4 MiB and all are used. */
static void read_defined(const char *const *definitions, const char *script, const char *message)
{
	struct command_line line = {.kind = ORIGIN_COMMAND_LINE};
	struct assignment assignments[4];
	struct error err = {0};
	struct job job;
	int ret;

	job_init(&job, &fake_vocabulary);
	for (; *definitions; definitions++)
		assignments[line.count++] =
			(struct assignment){.key = "define", .value = (char *)*definitions};
	line.assignments = assignments;
	ret = definitions_take(&line, &job, &err) ||
	      script_parse("job.ior", script, strlen(script), &job, &err) ||
	      definitions_check_used(&job, &err);
	assert_string_equal(err.text, message ? message : "");
	assert_int_equal(ret, message != NULL);
	if (!message)
		assert_int_equal(test_at(&job, 0)->block_size, 4 << 20);
	job_release(&job);
}

static void values_take_definitions(void **state)
{
	const char *const size[] = {"SIZE=9m", "SIZE=4", "_a2=m", NULL}, *const none[] = {NULL};
	const char *const wrong[] = {"2A=b", NULL};

	(void)state;
	read_defined(size, "IOR START\nblockSize=${SIZE}${_a2} # ${OTHER}\nIOR STOP\n", NULL);
	read_defined(none, "IOR START\nblockSize=4m, testFile=a$${SIZE}$b\nIOR STOP\n", NULL);
	read_defined(size, "IOR START\nblockSize=4${_a2}\nIOR STOP\n",
		     "command line: define: no value of the job file has ${SIZE}");
	read_defined(none, "IOR START\nRUN\n  blockSize = ${SIZE}m\nIOR STOP\n",
		     "job.ior:3:3: blockSize: ${SIZE} has no value; give it on the command line, "
		     "--define SIZE=VALUE, or write $${SIZE} for these characters");
	read_defined(none, "IOR START\nblockSize = ${SIZE-4}m\nIOR STOP\n",
		     "job.ior:2:1: blockSize: \"${SIZE-4}m\": behind ${ stands a name of letters, "
		     "digits and _, and }; for the characters ${ write $${");
	read_defined(wrong, "",
		     "command line: define: \"2A=b\" is not NAME=VALUE, with a name of "
		     "letters, digits and _");
}

static void settings_stay_from_one_run_to_the_next(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\n"
			"  blockSize = 4m\n"
			"RUN\n"
			"  segmentCount = 3\n"
			"RUN\n"
			"IOR STOP\n");
	assert_int_equal(job.test_count, 2);
	assert_int_equal(test_at(&job, 0)->block_size, 4 << 20);
	assert_int_equal(test_at(&job, 0)->segment_count, 1);
	assert_int_equal(test_at(&job, 1)->block_size, 4 << 20);
	assert_int_equal(test_at(&job, 1)->segment_count, 3);
	assert_int_equal(job.tests[0].line, 3);
	assert_int_equal(job.tests[1].line, 5);
	job_release(&job);
}

static const char *hints_at(const struct job *job, size_t index)
{
	return ((const struct fake_null *)job->tests[index].backends[1].values)->hint;
}

static void pairs_stay_from_one_run_to_the_next(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\n"
			"  null.hint.cb_Nodes = 4, NULL.hint.B = \"x, y=1\"\n"
			"RUN\n"
			"  null.hint.cb_Nodes = 8\n"
			"RUN\n"
			"  null.hint.B = \n"
			"RUN\n"
			"IOR STOP\n");
	assert_string_equal(hints_at(&job, 0), "cb_Nodes=4\nB=x, y=1\n");
	assert_string_equal(hints_at(&job, 1), "cb_Nodes=8\nB=x, y=1\n");
	assert_string_equal(hints_at(&job, 2), "cb_Nodes=8\n");
	job_release(&job);
}

static void run_twice_runs_twice(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\nblockSize=4m\nRUN\nRUN\nIOR STOP\n");
	assert_int_equal(job.test_count, 2);
	job_release(&job);
}

static void text_after_the_last_run_is_a_test(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\nRUN\nrefNum=5\n# and a comment\nIOR STOP\n");
	assert_int_equal(job.test_count, 2);
	assert_int_equal(test_at(&job, 1)->ref_num, 5);
	assert_int_equal(job.tests[1].line, 5);
	job_release(&job);
}

static void comments_after_the_last_run_are_none(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\nRUN\n# no test\n\n   \nIOR STOP\n");
	assert_int_equal(job.test_count, 1);
	job_release(&job);
}

static void no_run_at_all_is_one_test(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\nblockSize=4m\nIOR STOP\n");
	assert_int_equal(job.test_count, 1);
	job_release(&job);
	read_good(&job, "IOR START\nIOR STOP\n");
	assert_int_equal(job.test_count, 1);
	job_release(&job);
}

static void the_end_of_the_file_ends_a_block(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\nRUN\nblockSize=4m");
	assert_int_equal(job.test_count, 2);
	assert_int_equal(test_at(&job, 1)->block_size, 4 << 20);
	job_release(&job);
}

static void each_block_starts_from_the_defaults(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "what follows = is a test\n"
			"IOR START\nblockSize=4m\nIOR STOP\n"
			"between = blocks, anything\n"
			"ior start # again\nrefNum=3\nior stop\n");
	assert_int_equal(job.test_count, 2);
	assert_int_equal(test_at(&job, 0)->block_size, 4 << 20);
	assert_int_equal(test_at(&job, 1)->block_size, 1 << 20);
	job_release(&job);
}

static void words_match_in_any_case(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "  Ior\t Start\n BLOCKSIZE=4M\n run # now\n iOr stop\n");
	assert_int_equal(job.test_count, 1);
	assert_int_equal(test_at(&job, 0)->block_size, 4 << 20);
	job_release(&job);
}

static void a_comma_separates_only_where_a_key_follows(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\n"
			"testFile = /a,b, c , segmentCount = 2,refNum=4,verbose=1 # x=y, z=1\n");
	assert_string_equal(test_at(&job, 0)->test_file, "/a,b, c");
	assert_int_equal(test_at(&job, 0)->segment_count, 2);
	assert_int_equal(test_at(&job, 0)->ref_num, 4);
	assert_int_equal(run_of(&job)->verbose, 1);
	job_release(&job);
}

static void quoted_values_may_hold_anything_else(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\n"
			"testFile = \" a, b=1 # 'c' \" , segmentCount = '2' # comment\n");
	assert_string_equal(test_at(&job, 0)->test_file, " a, b=1 # 'c' ");
	assert_int_equal(test_at(&job, 0)->segment_count, 2);
	job_release(&job);
}

static void keys_may_have_dashes_before_them(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\n--posix.odirect=1\n--dummy.delay-xfer = 2\n");
	assert_true(((struct fake_posix *)job.tests[0].backends[0].values)->direct);
	assert_true(((struct fake_null *)job.tests[0].backends[1].values)->delay_xfer == 2);
	job_release(&job);
}

static void a_bare_flag_with_dashes_sets_it(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\n--posix.odirect # directly\n--fsync, refNum=2\n");
	assert_true(((struct fake_posix *)job.tests[0].backends[0].values)->direct);
	assert_true(test_at(&job, 0)->fsync);
	assert_int_equal(test_at(&job, 0)->ref_num, 2);
	job_release(&job);
	assert_refused("IOR START\nfsync\n", "job.ior:2:1: \"fsync\" is not key = value");
	assert_refused("IOR START\n--block-size\n", "job.ior:2:1: block_size: needs a value");
}

static void the_api_may_change_between_tests(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "IOR START\napi=POSIX\nRUN\napi=DUMMY\nRUN\n");
	assert_string_equal(test_at(&job, 0)->api, "POSIX");
	assert_string_equal(test_at(&job, 1)->api, "DUMMY");
	job_release(&job);
}

static void lines_may_end_like_those_of_dos(void **state)
{
	struct job job;

	(void)state;
	read_good(&job, "\xef\xbb\xbfIOR START\r\ntestFile=/a/b\r\nRUN\r\nIOR STOP\r\n");
	assert_int_equal(job.test_count, 1);
	assert_string_equal(test_at(&job, 0)->test_file, "/a/b");
	job_release(&job);
}

static void lines_have_no_length_limit(void **state)
{
	struct text script = {0};
	struct job job;

	(void)state;
	text_add(&script, "IOR START\nrefNum=2%*s, testFile=%0*d\n", 50000, "", 50000, 7);
	read_good(&job, text_string(&script));
	assert_int_equal(strlen(test_at(&job, 0)->test_file), 50000);
	job_release(&job);
	text_release(&script);
}

static void places_are_known(void **state)
{
	struct origin origin;
	struct job job;

	(void)state;
	read_good(&job, "IOR START\n  refNum=2, blockSize=4m\n");
	origin = option_origin(&job.tests[0].core, option_find(&test_options, "block_size"));
	assert_int_equal(origin.kind, ORIGIN_FILE);
	assert_int_equal(origin.line, 2);
	assert_int_equal(origin.column, 13);
	assert_string_equal(job.source, "job.ior");
	job_release(&job);
}

static void a_file_without_a_block_is_refused(void **state)
{
	(void)state;
	assert_refused("", "job.ior: there is no line IOR START, MDTEST START, LOAD START or "
			   "TOGETHER START; a job file has blocks such as IOR START … IOR STOP "
			   "with lines key = value");
	assert_refused("blockSize=4m\n#IOR START\nIOR STARTS\n",
		       "job.ior: there is no line IOR START, MDTEST START, LOAD START or "
		       "TOGETHER START; a job file has blocks such as IOR START … IOR STOP "
		       "with lines key = value");
}

static void a_job_of_another_program_is_named_with_its_translator(void **state)
{
	(void)state;
	assert_refused("; comment\n\n[global]\nrw=read\n",
		       "job.ior: this is a job file of fio; translate it: iorx-translate job.ior | "
		       "mpiexec -n N iorx -f -");
	assert_refused("* comment\n/ another\nsd=sd1,lun=/x\n",
		       "job.ior: this is a job file of Vdbench; translate it: iorx-translate "
		       "job.ior | mpiexec -n N iorx -f -");
}

static void keys_of_a_block_are_its_own(void **state)
{
	struct job job;

	(void)state;
	read_good(&job,
		  "mdtest start\nitems=7, uniqueDir=1, repetitions=3\nRUN\ndepth=2\nMDTEST STOP\n"
		  "IOR START\nmetadata.depth=5\nIOR STOP\n");
	assert_int_equal(job.test_count, 3);
	assert_int_equal(metadata_of(&job.tests[0])->items, 7);
	assert_true(metadata_of(&job.tests[0])->unique_dir && !test_of(&job.tests[0])->unique_dir);
	assert_int_equal(test_of(&job.tests[0])->repetitions, 3);
	assert_int_equal(metadata_of(&job.tests[1])->items, 7);
	assert_int_equal(metadata_of(&job.tests[1])->depth, 2);
	assert_null(metadata_of(&job.tests[2]));
	job_release(&job);
	assert_refused("\nMDTEST START\nblockSize=1m\n",
		       "job.ior:3:1: block_size: a metadata test has no such option, it is for "
		       "tests of the data in files; remove it");
	assert_refused("MDTEST START\nIOR STOP\n", "job.ior:2: this block ends with MDTEST STOP");
	assert_refused(
		"MDTEST START\nMDTEST START\n",
		"job.ior:2: a block starts inside a block; MDTEST STOP is missing before it");
}

static void a_load_has_keys_of_its_own(void **state)
{
	const struct load *load;
	struct job job;

	(void)state;
	read_good(
		&job,
		"LOAD START\n"
		"operations = read:70, write:30, rate=5000, duration=10, sizes=\"4k/40, 64k/60\"\n"
		"RUN\n"
		"random=20%, arrival=poisson\n"
		"LOAD STOP\n"
		"IOR START\nload.files=3\nIOR STOP\n");
	assert_int_equal(job.test_count, 3);
	load = load_of(&job.tests[0]);
	assert_string_equal(load->operations, "read:70, write:30");
	assert_string_equal(load->sizes, "4k/40, 64k/60");
	assert_true(load->rate == 5000);
	assert_true(test_of(&job.tests[0])->duration == 10);
	assert_int_equal(load_of(&job.tests[1])->arrival, ARRIVAL_POISSON);
	assert_null(load_of(&job.tests[2]));
	assert_null(metadata_of(&job.tests[0]));
	job_release(&job);
	assert_refused(
		"LOAD START\ntransferSize=1m\n",
		"job.ior:2:1: transfer_size: a load test has sizes instead, such as sizes=4k");
	assert_refused(
		"LOAD START\nkeepFile=0\n",
		"job.ior:2:1: keep_file: a load test keeps its files for later tests; remove "
		"it");
	assert_refused("LOAD START\nstatusFile=x\n",
		       "job.ior:2:1: status_file: a load test has no such option, it is for tests "
		       "of the data in files; remove it");
	assert_refused("LOAD START\nuseExistingTestFile=x\nMDTEST STOP\n",
		       "job.ior:2:1: use_existing_test_file: a load test has no such option, it is "
		       "for tests of the data in files; remove it");
	assert_refused("IOR START\nfileSize=1g\n",
		       "job.ior:2:1: fileSize: unknown option; load tests have it: iorx load, or "
		       "load.fileSize for LOAD blocks of a job file");
	assert_refused("LOAD START\nMDTEST STOP\n", "job.ior:2: this block ends with LOAD STOP");
}

static void a_block_in_a_block_is_refused(void **state)
{
	(void)state;
	assert_refused("IOR START\nIOR START\n", "job.ior:2: a block starts inside a block; IOR "
						 "STOP is missing before it");
}

static void errors_name_line_and_column(void **state)
{
	(void)state;
	assert_refused("IOR START\n\n    transferSize=4q\n",
		       "job.ior:3:5: transfer_size: \"4q\" is not a size: cannot read \"q\"; write "
		       "for example 4096, 256k, 1MiB or 1.5g");
	assert_refused("IOR START\nrefNum=1, transferSiz=4k\n",
		       "job.ior:2:11: transferSiz: unknown option; did you mean transfer_size?");
	assert_refused("IOR START\nrefNum=1, storeFileOffset=1\n",
		       "job.ior:2:11: storeFileOffset: it is content=ior-offset (-l o) now; say "
		       "that instead");
	assert_refused("IOR START\n  blockSize 4k\n",
		       "job.ior:2:3: \"blockSize 4k\" is not key = value");
	assert_refused("IOR START\n= 4k\n", "job.ior:2:1: \"= 4k\" is not key = value");
	assert_refused("IOR START\ntestFile = 'abc\n", "job.ior:2:12: the quote ' has no end");
	assert_refused("IOR START\ntestFile = 'a'b\n", "job.ior:2:15: after the quoted value only "
						       "a comma and key = may follow, not \"b\"");
	assert_refused("IOR START\nblockSize=1m transferSize=4k\n",
		       "job.ior:2:14: a comma is missing before \"transferSize=4k\"; a value with "
		       "blanks and = stands in quotes");
	assert_refused("IOR START\napi=posix \t fsync = 1, refNum=1\n",
		       "job.ior:2:13: a comma is missing before \"fsync = 1, refNum=1\"; a value "
		       "with blanks and = stands in quotes");
	assert_refused("IOR START\nscript = x\n",
		       "job.ior:2:1: script: this option is for the command line only; remove it");
	assert_refused("IOR START\nverbose=1\nRUN\nverbose=2\n",
		       "job.ior:4:1: verbose: 2 on line 4, but 1 on line 2; a job has one value");
}

/* Nobody can look up such a line. A program that made the job says there what it follows from. */
static void a_line_of_standard_input_is_named_with_its_comment(void **state)
{
	static const struct {
		const char *script, *message;
	} cases[] = {
		{"IOR START\n# no\n testFile=\"a#b\", transferSiz=4k # job.fio:3 bs=4k\nRUN # no\n",
		 "-:3:18 (job.fio:3 bs=4k): transferSiz: unknown option; did you mean "
		 "transfer_size?"},
		{"IOR START\ntransferSiz=4k # ",
		 "-:2:1: transferSiz: unknown option; did you mean transfer_size?"},
		{"IOR START\nMDTEST START # job.fio:1\n",
		 "-:2 (job.fio:1): a block starts inside a block; IOR STOP is missing before it"},
		{"", "-: standard input is empty; the program that was to write the job says why"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_bytes_refused_of("-", cases[i].script, strlen(cases[i].script),
					cases[i].message);
	assert_refused("IOR START\ntransferSiz=4k # job.fio:3\n",
		       "job.ior:2:1: transferSiz: unknown option; did you mean transfer_size?");
}

static void bytes_that_are_no_text_are_refused(void **state)
{
	(void)state;
	assert_bytes_refused("IOR START\na\0b", 13,
			     "job.ior:2:2: a NUL byte; is this a text file?");
	assert_refused("IOR START\ntestFile=\x1b[31m\n",
		       "job.ior:2:10: a control character (0x1b); is this a text file?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_take_definitions),
		cmocka_unit_test(settings_stay_from_one_run_to_the_next),
		cmocka_unit_test(pairs_stay_from_one_run_to_the_next),
		cmocka_unit_test(run_twice_runs_twice),
		cmocka_unit_test(text_after_the_last_run_is_a_test),
		cmocka_unit_test(comments_after_the_last_run_are_none),
		cmocka_unit_test(no_run_at_all_is_one_test),
		cmocka_unit_test(the_end_of_the_file_ends_a_block),
		cmocka_unit_test(each_block_starts_from_the_defaults),
		cmocka_unit_test(words_match_in_any_case),
		cmocka_unit_test(a_comma_separates_only_where_a_key_follows),
		cmocka_unit_test(quoted_values_may_hold_anything_else),
		cmocka_unit_test(keys_may_have_dashes_before_them),
		cmocka_unit_test(a_bare_flag_with_dashes_sets_it),
		cmocka_unit_test(the_api_may_change_between_tests),
		cmocka_unit_test(lines_may_end_like_those_of_dos),
		cmocka_unit_test(lines_have_no_length_limit),
		cmocka_unit_test(places_are_known),
		cmocka_unit_test(a_file_without_a_block_is_refused),
		cmocka_unit_test(a_job_of_another_program_is_named_with_its_translator),
		cmocka_unit_test(keys_of_a_block_are_its_own),
		cmocka_unit_test(a_load_has_keys_of_its_own),
		cmocka_unit_test(a_block_in_a_block_is_refused),
		cmocka_unit_test(errors_name_line_and_column),
		cmocka_unit_test(a_line_of_standard_input_is_named_with_its_comment),
		cmocka_unit_test(bytes_that_are_no_text_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
