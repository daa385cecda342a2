/* The command line in all its forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "dialects/dialect.h"
#include "tests/unit/fake_vocabulary.h"

#define ARGUMENTS 32

/* The words of a line as argv; a word is what stands between blanks. */
struct words {
	char bytes[400];
	char *argv[ARGUMENTS];
	int argc;
};

static void cut(struct words *words, const char *line)
{
	char *rest = words->bytes;

	strncpy(words->bytes, line, sizeof(words->bytes) - 1);
	words->bytes[sizeof(words->bytes) - 1] = '\0';
	words->argc = 1;
	words->argv[0] = "iorx";
	while (words->argc < ARGUMENTS && (words->argv[words->argc] = strsep(&rest, " ")))
		words->argc++;
}

static int parse(const char *text, struct command_line *line, struct error *err)
{
	struct words words = {.argc = 0};

	cut(&words, text);
	return command_line_parse(words.argc, words.argv, &fake_vocabulary, line, err);
}

/* The job of a command line alone. */
static void make_job(struct job *job, const char *text)
{
	struct command_line line;
	struct error err;

	job_init(job, &fake_vocabulary);
	if (parse(text, &line, &err) || command_line_apply(&line, job, &err))
		fail_msg("%s: %s", text, err.text);
	command_line_release(&line);
}

static void assert_refused(const char *text, const char *message)
{
	struct command_line line = {0};
	struct error err = {0};
	struct job job;

	job_init(&job, &fake_vocabulary);
	assert_int_equal(parse(text, &line, &err) || command_line_apply(&line, &job, &err), 1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	command_line_release(&line);
	job_release(&job);
}

static void a_value_may_be_given_in_many_forms(void **state)
{
	static const char *const forms[] = {"-b 4k",	      "-b=4k",
					    "-b4k",	      "--block-size 4k",
					    "--blockSize=4k", "-O blockSize=4k",
					    "-OblockSize=4k", "-O=block_size=4k",
					    "-blockSize 4k",  "-block-size=4k"};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct job job;

		make_job(&job, forms[i]);
		assert_int_equal(job.test_count, 1);
		assert_int_equal(test_of(&job.tests[0])->block_size, 4096);
		assert_int_equal(test_of(&job.tests[0])->transfer_size, 262144);
		job_release(&job);
	}
}

static void flags_may_be_grouped(void **state)
{
	struct job job;

	(void)state;
	make_job(&job, "-wkFi 3 -et=1m");
	assert_true(test_of(&job.tests[0])->write_file);
	assert_true(test_of(&job.tests[0])->keep_file);
	assert_true(test_of(&job.tests[0])->file_per_proc);
	assert_true(test_of(&job.tests[0])->fsync);
	assert_int_equal(test_of(&job.tests[0])->repetitions, 3);
	assert_int_equal(test_of(&job.tests[0])->transfer_size, 1 << 20);
	job_release(&job);
}

static void a_flag_may_be_switched_off(void **state)
{
	struct job job;

	(void)state;
	make_job(&job, "-wr -w=0 --readFile=no");
	assert_false(test_of(&job.tests[0])->write_file);
	assert_false(test_of(&job.tests[0])->read_file);
	job_release(&job);
}

static void repeated_flags_count_up(void **state)
{
	static const struct {
		const char *line;
		unsigned level;
	} cases[] = {{"-v", 1},	  {"-vvv", 3},	    {"-v -v", 2},     {"-v5", 5},
		     {"-v=2", 2}, {"--verbose", 1}, {"-vv -w -v", 3}, {"--verbose=4", 4}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct job job;

		make_job(&job, cases[i].line);
		assert_int_equal(run_of(&job)->verbose, cases[i].level);
		job_release(&job);
	}
}

static void a_comma_separates_only_where_a_key_follows(void **state)
{
	struct job job;

	(void)state;
	make_job(&job, "-O testFile=/a,b,segmentCount=2,posix.odirect=1 -w");
	assert_string_equal(test_of(&job.tests[0])->test_file, "/a,b");
	assert_int_equal(test_of(&job.tests[0])->segment_count, 2);
	assert_true(((struct fake_posix *)job.tests[0].backends[0].values)->direct);
	assert_true(test_of(&job.tests[0])->write_file);
	job_release(&job);
}

static void values_of_o_may_hold_a_number_sign(void **state)
{
	struct job job;

	(void)state;
	make_job(&job, "-O testFile=/a#b");
	assert_string_equal(test_of(&job.tests[0])->test_file, "/a#b");
	job_release(&job);
}

static void options_of_backends_have_either_prefix(void **state)
{
	struct job job;

	(void)state;
	make_job(&job, "--posix.odirect --dummy.delay-xfer=5 --NULL.noise --null.noise");
	assert_true(((struct fake_posix *)job.tests[0].backends[0].values)->direct);
	assert_true(((struct fake_null *)job.tests[0].backends[1].values)->delay_xfer == 5);
	assert_int_equal(((struct fake_null *)job.tests[0].backends[1].values)->noise, 2);
	job_release(&job);
}

static void pairs_keep_the_spelling_of_their_names(void **state)
{
	static const char line[] = "--null.hint.cb_Nodes=4 --dummy.Hint.a-b.c x=y "
				   "-O null.hint.e=1,null.hint.f=2 --null.hint.e=3";
	const struct fake_null *values;
	struct job job;

	(void)state;
	make_job(&job, line);
	values = job.tests[0].backends[1].values;
	assert_string_equal(values->hint, "cb_Nodes=4\na-b.c=x=y\ne=3\nf=2\n");
	job_release(&job);
	assert_refused("--null.hint=4",
		       "command line: null.hint: a point and a name are missing after it");
	assert_refused("--null.hint.=4",
		       "command line: null.hint: the name after the point is missing");
}

static void old_flags_keep_their_names(void **state)
{
	struct job job;
	struct error err;

	(void)state;
	make_job(&job, "-p -H -J 4k -a null");
	assert_int_equal(job_complete(&job, &err), 0);
	assert_true(((struct fake_null *)job.tests[0].backends[1].values)->preallocate);
	assert_int_equal(((struct fake_null *)job.tests[0].backends[1].values)->alignment, 4096);
	job_release(&job);
}

static void negative_numbers_are_values(void **state)
{
	struct job job;

	(void)state;
	make_job(&job, "-A -5");
	assert_int_equal(test_of(&job.tests[0])->ref_num, -5);
	job_release(&job);
}

static void flags_override_every_test_wherever_they_stand(void **state)
{
	static const char script[] = "IOR START\nblockSize=4m,verbose=2\nRUN\nblockSize=8m\nRUN\n";
	struct command_line line;
	struct error err;
	struct job job;

	(void)state;
	job_init(&job, &fake_vocabulary);
	assert_int_equal(parse("-b 2m -f job.ior -v", &line, &err), 0);
	assert_string_equal(command_line_value(&line, "script"), "job.ior");
	assert_int_equal(script_parse("job.ior", script, strlen(script), &job, &err), 0);
	assert_int_equal(command_line_apply(&line, &job, &err), 0);
	assert_int_equal(job.test_count, 2);
	assert_int_equal(test_of(&job.tests[0])->block_size, 2 << 20);
	assert_int_equal(test_of(&job.tests[1])->block_size, 2 << 20);
	assert_int_equal(run_of(&job)->verbose, 1);
	assert_string_equal(run_of(&job)->script, "job.ior");
	command_line_release(&line);
	job_release(&job);
}

static void the_last_of_several_values_counts(void **state)
{
	struct command_line line;
	struct error err;

	(void)state;
	assert_int_equal(parse("-b 2m --help --block-size=3m", &line, &err), 0);
	assert_string_equal(command_line_value(&line, "block_size"), "3m");
	assert_string_equal(command_line_value(&line, "help"), "");
	assert_null(command_line_value(&line, "script"));
	command_line_release(&line);
}

static void a_first_word_help_or_version_is_the_flag(void **state)
{
	struct command_line line;
	struct error err;

	(void)state;
	assert_int_equal(parse("help", &line, &err), 0);
	assert_string_equal(command_line_value(&line, "help"), "");
	command_line_release(&line);
	assert_int_equal(parse("help p99", &line, &err), 0);
	assert_string_equal(command_line_value(&line, "help"), "p99");
	command_line_release(&line);
	assert_int_equal(parse("version", &line, &err), 0);
	assert_string_equal(command_line_value(&line, "version"), "1");
	command_line_release(&line);
	assert_refused("-w help",
		       "command line: \"help\" is not a flag; if it is a job file, write "
		       "iorx -f help");
	assert_int_equal(command_line_parse_environment("help", &fake_vocabulary, &line, &err), -1);
}

static void help_may_have_a_topic_but_takes_no_further_argument(void **state)
{
	struct job job;

	(void)state;
	make_job(&job, "--help=posix");
	assert_string_equal(run_of(&job)->help, "posix");
	job_release(&job);
	make_job(&job, "-h -w");
	assert_string_equal(run_of(&job)->help, "");
	job_release(&job);
	make_job(&job, "-w");
	assert_null(run_of(&job)->help);
	job_release(&job);
}

static void an_empty_line_is_a_test_of_defaults(void **state)
{
	struct command_line line;
	struct error err;
	struct job job;
	char *argv[] = {"iorx", NULL};

	(void)state;
	job_init(&job, &fake_vocabulary);
	assert_int_equal(command_line_parse(1, argv, &fake_vocabulary, &line, &err), 0);
	assert_int_equal(command_line_apply(&line, &job, &err), 0);
	assert_int_equal(job.test_count, 1);
	command_line_release(&line);
	job_release(&job);
}

static void errors_show_what_was_typed(void **state)
{
	(void)state;
	assert_refused("-b 4q", "command line: -b 4q: block_size: \"4q\" is not a size: cannot "
				"read \"q\"; write for example 4096, 256k, 1MiB or 1.5g");
	assert_refused("-b4q", "command line: -b 4q: block_size: \"4q\" is not a size: cannot read "
			       "\"q\"; write for example 4096, 256k, 1MiB or 1.5g");
	assert_refused("--block-size=4q", "command line: block_size: \"4q\" is not a size: cannot "
					  "read \"q\"; write for example 4096, 256k, 1MiB or 1.5g");
	assert_refused("-w5", "command line: there is no flag -5; --help shows all");
	assert_refused("-w@", "command line: there is no flag -@; --help shows all");
	assert_refused(
		"--cold=warm",
		"command line: cold: \"warm\" is none of none, fadvise, drop_caches, command");
	assert_refused("-i 0", "command line: -i 0: repetitions: 0 is too small; the least is 1");
}

static void unknown_flags_get_a_suggestion(void **state)
{
	(void)state;
	assert_refused("--blok-size=4k",
		       "command line: blok-size: unknown option; did you mean block_size?");
	assert_refused("--transf=4k",
		       "command line: transf: unknown option; did you mean transfer_size?");
	assert_refused("-O refNum=1,fsnc=1",
		       "command line: -O: fsnc: unknown option; did you mean fsync?");
	assert_refused("--posx.direct",
		       "command line: posx.direct: there is no backend posx; did you mean posix?");
	assert_refused("--store-file-offset=1", "command line: storeFileOffset: it is "
						"content=ior-offset (-l o) now; say that instead");
}

static void what_is_no_flag_is_refused(void **state)
{
	(void)state;
	assert_refused("job.ior", "command line: \"job.ior\" is not a flag; if it is a job file, "
				  "write iorx -f job.ior");
	assert_refused("-", "command line: \"-\" is not a flag; if it is a job file, write "
			    "iorx -f -");
	assert_refused("-w job.ior", "command line: \"job.ior\" is not a flag; if it is a job "
				     "file, write iorx -f job.ior");
	assert_refused("--", "command line: the name of an option is missing");
}

static void a_word_of_other_programs_names_the_flag(void **state)
{
	(void)state;
	assert_refused("loads", "command line: \"loads\" is not a flag; did you mean iorx load?");
	assert_refused("read", "command line: \"read\" is not a flag; if it is a job file, write "
			       "iorx -f read");
	assert_refused("mdtst", "command line: \"mdtst\" is not a flag; did you mean iorx mdtest?");
}

static void a_list_with_blanks_is_refused_as_one(void **state)
{
	(void)state;
	assert_refused("-t 4k, 64k",
		       "command line: \"64k\" stands behind a blank and belongs to "
		       "\"4k,\"; write the list without blanks, 4k,64k, or in quotes");
}

static void what_belongs_elsewhere_says_where(void **state)
{
	(void)state;
	assert_refused(
		"-np 4",
		"command line: -np belongs to mpiexec and stands before iorx: mpiexec -np 4 iorx");
	assert_refused("-Fz 2", "command line: \"2\" is not a flag, and IOR's -z takes no value; "
				"mdtest's does: iorx mdtest -z 2");
	assert_refused(
		"-L",
		"command line: there is no flag -L; it is mdtest's leaf_only: iorx mdtest -L …");
	assert_refused("--help deadline", "command line: \"deadline\" is not a flag; as the value "
					  "of --help write --help=deadline");
	assert_refused("--write-file 0", "command line: \"0\" is not a flag; as the value of "
					 "--write-file write --write-file=0");
}

static void a_list_without_brackets_shows_its_form(void **state)
{
	(void)state;
	assert_refused("--write-file=0,1", "command line: write_file: \"0,1\" is not yes or no; "
					   "write 1 or 0; a list is written [0, 1]");
}

static void a_missing_value_is_named(void **state)
{
	(void)state;
	assert_refused("-w -b", "command line: -b needs a value");
	assert_refused("--test-file", "command line: --test-file needs a value");
	assert_refused("-o -w", "command line: -o needs a value, but -w follows; meant so, write "
				"-o=-w");
	assert_refused("-O", "command line: -O needs a value");
	assert_refused("-O fsync", "command line: -O: \"fsync\" is not key = value");
}

static void options_of_the_environment_stand_before_those_of_the_command_line(void **state)
{
	struct command_line environment, line;
	struct error err;
	struct job job;

	(void)state;
	job_init(&job, &fake_vocabulary);
	assert_int_equal(command_line_parse_environment("  -v --refNum=3\t-b 4k\n",
							&fake_vocabulary, &environment, &err),
			 0);
	assert_int_equal(parse("-v --refNum=4", &line, &err), 0);
	assert_int_equal(command_line_apply(&environment, &job, &err), 0);
	assert_int_equal(command_line_apply(&line, &job, &err), 0);
	assert_int_equal(test_of(&job.tests[0])->block_size, 4096);
	assert_int_equal(test_of(&job.tests[0])->ref_num, 4);
	assert_int_equal(run_of(&job)->verbose, 1);
	command_line_release(&environment);
	command_line_release(&line);
	job_release(&job);
}

static void errors_in_the_environment_name_it(void **state)
{
	struct command_line line;
	struct error err;

	(void)state;
	assert_int_equal(command_line_parse_environment("--blok-size=4k", &fake_vocabulary, &line,
							&err),
			 -1);
	assert_string_equal(err.text,
			    "IORX_OPTIONS: blok-size: unknown option; did you mean block_size?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_may_be_given_in_many_forms),
		cmocka_unit_test(flags_may_be_grouped),
		cmocka_unit_test(a_flag_may_be_switched_off),
		cmocka_unit_test(repeated_flags_count_up),
		cmocka_unit_test(a_comma_separates_only_where_a_key_follows),
		cmocka_unit_test(values_of_o_may_hold_a_number_sign),
		cmocka_unit_test(options_of_backends_have_either_prefix),
		cmocka_unit_test(pairs_keep_the_spelling_of_their_names),
		cmocka_unit_test(old_flags_keep_their_names),
		cmocka_unit_test(negative_numbers_are_values),
		cmocka_unit_test(flags_override_every_test_wherever_they_stand),
		cmocka_unit_test(the_last_of_several_values_counts),
		cmocka_unit_test(a_first_word_help_or_version_is_the_flag),
		cmocka_unit_test(help_may_have_a_topic_but_takes_no_further_argument),
		cmocka_unit_test(an_empty_line_is_a_test_of_defaults),
		cmocka_unit_test(errors_show_what_was_typed),
		cmocka_unit_test(unknown_flags_get_a_suggestion),
		cmocka_unit_test(what_is_no_flag_is_refused),
		cmocka_unit_test(a_word_of_other_programs_names_the_flag),
		cmocka_unit_test(a_list_with_blanks_is_refused_as_one),
		cmocka_unit_test(what_belongs_elsewhere_says_where),
		cmocka_unit_test(a_list_without_brackets_shows_its_form),
		cmocka_unit_test(a_missing_value_is_named),
		cmocka_unit_test(options_of_the_environment_stand_before_those_of_the_command_line),
		cmocka_unit_test(errors_in_the_environment_name_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
