/* The options of load tests: their values that hang on others, and the rules that span them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dialects/dialect.h"
#include "tests/unit/fake_vocabulary.h"

/* words: "load --rate=5", with blanks between them; the first one is the command. */
static int read_words(struct job *job, struct vocabulary *vocabulary, const char *words,
		      struct error *err)
{
	char bytes[400], *rest = bytes, *argv[40];
	struct command_line line = {0};
	int argc = 0, ret;

	strncpy(bytes, words, sizeof(bytes) - 1);
	bytes[sizeof(bytes) - 1] = '\0';
	while (argc < 40 && (argv[argc] = strsep(&rest, " ")))
		argc++;
	*vocabulary = fake_vocabulary;
	vocabulary->workload = workload_of_command(argv[0]);
	job_init(job, vocabulary);
	ret = command_line_parse(argc, argv, vocabulary, &line, err) ||
	      command_line_apply(&line, job, err) || job_complete(job, err);
	command_line_release(&line);
	return ret;
}

static void assert_refused(const char *words, const char *message)
{
	struct vocabulary vocabulary;
	struct error err = {0};
	struct job job;

	if (!read_words(&job, &vocabulary, words, &err))
		fail_msg("%s: it is accepted", words);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	job_release(&job);
}

static void assert_warned(const char *words, const char *lines)
{
	struct vocabulary vocabulary;
	struct text unused = {0};
	struct error err = {0};
	struct job job;

	if (read_words(&job, &vocabulary, words, &err))
		fail_msg("%s: %s", words, err.text);
	job_list_unused(&job, &unused);
	assert_string_equal(text_string(&unused), lines);
	text_release(&unused);
	job_release(&job);
}

static void assert_arrival(const char *words, enum arrival_kind kind)
{
	struct vocabulary vocabulary;
	struct error err = {0};
	struct job job;

	if (read_words(&job, &vocabulary, words, &err))
		fail_msg("%s: %s", words, err.text);
	assert_int_equal(load_of(&job.tests[0])->arrival, kind);
	job_release(&job);
}

static void operations_at_a_rate_are_due_at_equal_distances(void **state)
{
	(void)state;
	assert_arrival("load", ARRIVAL_CLOSED);
	assert_arrival("load --arrival=closed", ARRIVAL_CLOSED);
	assert_arrival("load --rate=5", ARRIVAL_EVEN);
	assert_arrival("load --byte-rate=1m", ARRIVAL_EVEN);
	assert_arrival("load --byte-rate=1m --arrival=poisson", ARRIVAL_POISSON);
	assert_arrival("load --curve=max,50%", ARRIVAL_CLOSED); /* the first point */
	assert_arrival("load --curve=100,200", ARRIVAL_EVEN);
	assert_arrival("load --curve=max,50% --arrival=poisson", ARRIVAL_CLOSED);
	assert_arrival("load --curve=100,200 --arrival=poisson", ARRIVAL_POISSON);
}

static void a_pace_is_given_in_one_way(void **state)
{
	(void)state;
	assert_refused("load --rate=5 --byte-rate=1m",
		       "command line: byte_rate: rate says how many operations are due too; leave "
		       "one of the two out");
	assert_refused("load --steady=range:20%",
		       "command line: steady: a steady state is found in interval rows; add "
		       "interval, for instance 1s");
	assert_refused(
		"load --steady=range:20% --interval=1 --steady-window=2.5",
		"command line: steady_window: the window must have 3 to 1000 whole intervals; "
		"make it a multiple of interval");
	assert_refused(
		"load --interval=0.1",
		"command line: interval: an interval has at least 0.5 s; the timeline of the "
		"document has shorter ones");
	assert_refused(
		"load --lock=shared --queue-depth=4",
		"command line: lock: a lock is waited for, so a task makes one operation at a "
		"time; leave queue_depth out");
	assert_refused("load --curve=1000 --rate=5",
		       "command line: rate: the points of curve are rates already; leave one of "
		       "the two out");
	assert_refused("load --search=p99<1ms --curve=max",
		       "command line: search: it chooses the points of its curve itself; leave "
		       "curve out");
	assert_refused("load --curve=max --think-time=1",
		       "command line: think_time: the points of a curve have rates, so that "
		       "nothing waits between operations; leave think_time and burst_pause out");
	assert_refused("load --arrival=even",
		       "command line: arrival: even needs a rate; add rate or byte_rate, or leave "
		       "arrival out");
	assert_refused("load --arrival=closed --rate=5",
		       "command line: arrival: closed has no rate, as an operation starts when an "
		       "earlier one has finished; leave arrival or rate out");
	assert_refused(
		"load --think-time=1ms --byte-rate=5",
		"command line: think_time: with byte_rate operations are due whether earlier "
		"ones have finished or not; leave one of the two out");
}

static void an_fsync_is_given_in_one_way(void **state)
{
	struct vocabulary vocabulary;
	struct error err = {0};
	struct job job;

	(void)state;
	assert_int_equal(read_words(&job, &vocabulary, "load -Y", &err), 0);
	assert_int_equal(load_of(&job.tests[0])->fsync_every, 1);
	job_release(&job);
	assert_refused("load -Y --fsync-every=10",
		       "command line: fsync_every: fsync_per_write (-Y) already asks for an fsync "
		       "after every write; leave one of the two out");
}

static void rules_of_shared_options_hold(void **state)
{
	static const char *const commands[] = {"iorx", "mdtest -n 1 -w 1k", "load"};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct text words = {0};

		text_add(&words, "%s --content=file", commands[i]);
		assert_refused(text_string(&words),
			       "command line: content: file needs content_file, the file whose "
			       "bytes are written");
		text_release(&words);
	}
	assert_refused("load --test-file=", "command line: test_file: the name is empty");
}

static void options_without_effect_are_listed(void **state)
{
	(void)state;
	assert_warned("load --random=0 --run-length=4 --align=4k",
		      "align has no effect: no test moves data at random places (random)\n");
	assert_warned("load --on-late=skip --file-choice=random",
		      "on_late has no effect: no test has a rate or byte_rate\n"
		      "file_choice has no effect: no test has several files\n");
	assert_warned("load --hot-blocks=own --distribution=hot:90/10", "");
	assert_warned("load --steady=range:20%,slope:10% --interval=1", "");
	assert_warned("load --on-late=skip --rate=1", "");
	assert_warned("load --random-offset-seed=7", "");
	assert_warned("iorx --load.rate=5",
		      "load.rate has no effect: no test is of load; iorx load and LOAD blocks of a "
		      "job file are\n");
}

static void a_curve_without_per_cent_signs_is_told(void **state)
{
	static const char told[] = "curve: its points, 10 to 30, are operations per second; shares "
				   "of the highest rate have a per cent sign and stand behind max, "
				   "as in max,10%,50%\n";

	(void)state;
	assert_warned("load --curve=10,20,30", told);
	assert_warned("load --curve=10-30/10", told);
	assert_warned("load --curve=10,200", "");
	assert_warned("load --curve=50", "");
	assert_warned("load --curve=max,10%,50%", "");
	assert_warned("load --curve=max,10,50", "");
}

static void options_of_iors_have_other_names(void **state)
{
	(void)state;
	assert_refused(
		"load -D 30",
		"command line: -D: stonewall: a load test ends after a time by duration; use "
		"that");
	assert_refused("load --collective",
		       "command line: collective: each task of a load test moves its own data; "
		       "remove it");
	assert_refused("load --keep-file=0",
		       "command line: keep_file: a load test keeps its files for later tests; "
		       "remove it");
	assert_refused("load -g", "command line: there is no flag -g; iorx load --help shows all");
	assert_refused("load --rewrite", "command line: rewrite: unknown option; --help shows all");
	assert_refused("load --mix=stat:1",
		       "command line: mix: unknown option; metadata tests have it: iorx mdtest, or "
		       "metadata.mix for MDTEST blocks of a job file");
	assert_refused("mdtest load",
		       "command line: load is the first word: iorx load, and its flags behind it");
}

static void the_queue_of_a_file_stays_full(void **state)
{
	(void)state;
	assert_refused("load --depth-scope=file --files=2 --rate=5",
		       "command line: depth_scope: file keeps the queue of each file full, and "
		       "rate says when operations are due; leave one of the two out");
	assert_refused("load --depth-scope=file --files=2 --run-length=5",
		       "command line: depth_scope: with file each operation goes to the file that "
		       "has one fewer in flight, so there are no runs; leave one of the two out");
}

/* The first test of the script has the transfer size, the second one is a load. */
static void a_flag_is_for_the_tests_that_have_the_option(void **state)
{
	static const char mixed[] = "IOR START\nIOR STOP\nLOAD START\nLOAD STOP\n";
	static const char load[] = "LOAD START\nLOAD STOP\n";
	char *argv[] = {"iorx", "-t", "1m", NULL};
	struct command_line line;
	struct error err = {0};
	struct job job;

	(void)state;
	assert_int_equal(command_line_parse(3, argv, &fake_vocabulary, &line, &err), 0);
	job_init(&job, &fake_vocabulary);
	assert_int_equal(script_parse("job.ior", mixed, strlen(mixed), &job, &err), 0);
	assert_int_equal(command_line_apply(&line, &job, &err), 0);
	assert_int_equal(test_of(&job.tests[0])->transfer_size, 1 << 20);
	assert_int_equal(test_of(&job.tests[1])->transfer_size, 256 << 10);
	job_release(&job);
	job_init(&job, &fake_vocabulary);
	assert_int_equal(script_parse("job.ior", load, strlen(load), &job, &err), 0);
	assert_int_equal(command_line_apply(&line, &job, &err), -1);
	assert_string_equal(err.text,
			    "command line: -t 1m: transfer_size: a load test has sizes instead, "
			    "such as sizes=4k");
	job_release(&job);
	command_line_release(&line);
}

/* Commas stand within such values, so that only blanks separate them. */
static void lists_of_shares_have_blanks_between_them(void **state)
{
	struct vocabulary vocabulary;
	struct error err = {0};
	struct job job;

	(void)state;
	vocabulary = fake_vocabulary;
	vocabulary.workload = WORKLOAD_LOAD;
	job_init(&job, &vocabulary);
	job_add_test(&job, NULL);
	assert_int_equal(job_assign(&job, &job.tests[0], "operations",
				    "[read:70,write:30 write:100]", (struct origin){0}, &err),
			 0);
	assert_int_equal(job_assign(&job, &job.tests[0], "sizes", "4k/40,64k/60",
				    (struct origin){0}, &err),
			 0);
	assert_int_equal(job_complete(&job, &err), 0);
	assert_int_equal(job.test_count, 2);
	assert_string_equal(load_of(&job.tests[0])->operations, "read:70,write:30");
	assert_string_equal(load_of(&job.tests[1])->operations, "write:100");
	assert_string_equal(load_of(&job.tests[1])->sizes, "4k/40,64k/60");
	job_release(&job);
}

/* A name, a file and whatever is text are no values that can be wrong. */
static void what_is_no_value_is_refused_by_name(void **state)
{
	static const char *const values[] = {"1e", "garbage", "-1", "nan", "1e400", ""};

	(void)state;
	for (size_t i = 0; i < load_options.count; i++)
		for (size_t k = 0; k < sizeof(values) / sizeof(*values); k++) {
			const struct option *row = &load_options.rows[i];
			struct option_set set;
			struct error err = {0};

			if (row->type == OPTION_STRING)
				continue;
			option_set_init(&set, &load_options);
			if (!option_set_value(&set, row, values[k], (struct origin){0}, &err))
				fail_msg("%s=%s is taken", row->name, values[k]);
			assert_non_null(strstr(err.text, row->name));
			option_set_release(&set);
		}
}

static void bounds_are_checked_also_without_a_curve(void **state)
{
	static const char *const values[] = {"garbage", "1e",	    "p99:nan",
					     "p99:-1",	"pnan:5ms", "p1e1:5ms"};

	(void)state;
	for (size_t k = 0; k < sizeof(values) / sizeof(*values); k++) {
		struct text words = {0}, message = {0};

		text_add(&words, "load --stop-response=%s", values[k]);
		text_add(&message,
			 "command line: stop_response: \"%s\" is no bound on the response time; "
			 "write a percentile, mean or max, then a time: p99:5ms",
			 values[k]);
		assert_refused(text_string(&words), text_string(&message));
		text_release(&words);
		text_release(&message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_at_a_rate_are_due_at_equal_distances),
		cmocka_unit_test(a_pace_is_given_in_one_way),
		cmocka_unit_test(an_fsync_is_given_in_one_way),
		cmocka_unit_test(rules_of_shared_options_hold),
		cmocka_unit_test(options_without_effect_are_listed),
		cmocka_unit_test(a_curve_without_per_cent_signs_is_told),
		cmocka_unit_test(options_of_iors_have_other_names),
		cmocka_unit_test(the_queue_of_a_file_stays_full),
		cmocka_unit_test(a_flag_is_for_the_tests_that_have_the_option),
		cmocka_unit_test(what_is_no_value_is_refused_by_name),
		cmocka_unit_test(bounds_are_checked_also_without_a_curve),
		cmocka_unit_test(lists_of_shares_have_blanks_between_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
