/* Text, CSV and messages made from invented results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/utf8.h"
#include "page/anonymize.h"
#include "page/csv.h"
#include "page/layout.h"
#include "page/page.h"
#include "page/slowdowns.h"
#include "record/line.h"
#include "record/record.h"
#include "report_scene.h"
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define LONG_NAME                                                                            \
	"/a/very/long/path/that/does/not/fit/into/eighty/columns/whatever/one/does/with/it/" \
	"because/"                                                                           \
	"it/just/goes/on/and/on/testFile"

static void check_page(const char *page)
{
	for (const char *line = page; *line;) {
		size_t length = strcspn(line, "\n");
		char *copy = text_copy_n(line, length);

		if (utf8_columns(copy) > 80)
			fail_msg("longer than 80 columns: %s", copy);
		assert_false(length && copy[length - 1] == ' ');
		assert_false(strpbrk(copy, "\t\r\x1b"));
		assert_int_equal(line[length], '\n');
		line += length + 1;
		free(copy);
	}
}

static void write_page_in(struct report_scene *scene, unsigned verbose, enum unit unit,
			  struct text *out)
{
	char program[] = "iorx";
	char *const argv[] = {program, NULL};
	struct kept_verdicts kept = {0};
	struct page page = {.verbose = verbose,
			    .unit = unit,
			    .kept = &kept,
			    .command = "iorx -o " LONG_NAME,
			    .hosts = {(const char(*)[HOST_NAME_SIZE])scene->hosts,
				      scene->plan.map.nodes}};
	json_t *line = record_run(&scene->job, 1, argv, &scene->environment, &page.hosts);

	page_head(&page, out, line);
	json_decref(line);
	line = record_test(&scene->job, &scene->test, &scene->mount);
	page_test(&page, out, &scene->test, &scene->mount, line);
	json_decref(line);
	for (size_t i = 0; i < scene->phase_count; i++) {
		const size_t count = scene->phases[i].status == PHASE_SKIPPED ? 0 : 3;

		line = record_phase(&scene->test, &scene->phases[i], scene_verdicts, count);
		record_add_hosts(line, &page.hosts);
		page_phase(&page, out, &scene->head, line);
		json_decref(line);
	}
	line = scene_end(scene);
	page_test_end(&page, out, &scene->head, line);
	json_decref(line);
	kept_verdicts_release(&kept);
	if (getenv("SHOW_PAGES"))
		fputs(text_string(out), stderr);
	check_page(text_string(out));
	text_release(&page.storage);
}

static void write_page(struct report_scene *scene, unsigned verbose, struct text *out)
{
	write_page_in(scene, verbose, UNIT_MIB, out);
}

static void add_all_kinds_of_phases(struct report_scene *scene)
{
	struct phase_result *phase;

	scene_phase(scene, PHASE_WRITE, 0, 2.5, 400, 1000000);
	scene_phase(scene, PHASE_READ, 0, 0.00012, 4, 500);
	scene_phase(scene, PHASE_WRITE, 123456, 123456.7, 400, UINT64_C(3) << 40);
	phase = scene_phase(scene, PHASE_READ, 4321, 1.5, 400, 500000);
	phase->total_rate = 4e19;
	phase->operations_rate = 1.0 / 0.0;
	phase->status = PHASE_STOPPED;
	strcpy(phase->stop_text, "stopped by signal 15 (Terminated)");
	scene_fail(scene_phase(scene, PHASE_WRITE, 2, 0.5, 7, 1000), LONG_NAME "\n\x1b[2J\xff");
	phase = &scene->phases[scene->phase_count++];
	*phase = (struct phase_result){.kind = PHASE_READ, .status = PHASE_SKIPPED};
	snprintf(phase->stop_text, sizeof(phase->stop_text),
		 "not started: the deadline is 10 s away, the phase needs about 12 s");
}

static void every_line_fits_into_80_columns(void **state)
{
	const char *const settings[][16] = {
		{"repetitions", "3", NULL},
		{"test_file", LONG_NAME, "file_per_proc", "1", "reorder_tasks", "1", "cold",
		 "fadvise", "posix.direct", "1", NULL},
		{"test_file", "x\n\x1b[1m\xff y", "multi_file", "1", "use_existing_test_file", "1",
		 "ref_num", "-7", NULL},
		{"api", "null", "block_size", "1t", "transfer_size", "1m", NULL},
	};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (unsigned verbose = 0; verbose < 3; verbose++) {
			const char *given[16] = {0};
			struct text out = {0};
			struct report_scene scene;

			for (size_t k = 0; settings[i][k] && settings[i][k + 1]; k += 2) {
				given[k] = settings[i][k];
				given[k + 1] = settings[i][k + 1];
			}
			scene_start(&scene, 2, 5, given);
			add_all_kinds_of_phases(&scene);
			write_page(&scene, verbose, &out);
			text_release(&out);
			scene_release(&scene);
		}
}

/* Whether the words stand in the page, wherever its lines end. */
static bool has_text(const struct text *page, const char *words)
{
	struct text flat = {0};
	bool found;

	for (const char *at = text_string(page); *at; at++)
		if (!strchr(" \n", *at) || !strchr(" \n", at[1]))
			text_add_bytes(&flat, *at == '\n' ? " " : at, 1);
	found = strstr(text_string(&flat), words);
	text_release(&flat);
	return found;
}

static void a_row_shows_the_rate_in_the_unit_of_the_job(void **state)
{
	const char *const settings[] = {"block_size", "100m", "transfer_size", "1m", "fsync",
					"1",	      NULL};
	struct text out = {0};
	struct report_scene scene;

	(void)state;
	scene_start(&scene, 1, 10, settings);
	scene_phase(&scene, PHASE_WRITE, 0, 2.5, 1000, 1000000);
	write_page(&scene, 0, &out);
	assert_non_null(strstr(text_string(&out), "phase rep   MiB/s"));
	assert_non_null(strstr(text_string(&out), "write ! 0  400.00 "));
	assert_non_null(strstr(text_string(&out), "comparable with IOR: yes, except content\n"));
	assert_non_null(strstr(text_string(&out), "fail C1"));
	text_clear(&out);
	write_page_in(&scene, 0, UNIT_MB, &out);
	assert_non_null(strstr(text_string(&out), "phase rep    MB/s"));
	assert_non_null(strstr(text_string(&out), "write ! 0  419.43 "));
	text_release(&out);
	scene_release(&scene);
}

static void a_rate_that_falls_or_rises_within_a_run_has_both_ends(void **state)
{
	static const char *const words[] = {"the rate falls from 200.00 to 100.00 MiB/s",
					    "the rate rises from 100.00 to 200.00 MiB/s"};
	const char *const settings[] = {"block_size", "100m", NULL};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct text out = {0};
		struct report_scene scene;

		scene_start(&scene, 1, 10, settings);
		scene_phase(&scene, PHASE_WRITE, 0, 2.5, 1000, 1000000)->within.run =
			(struct run_mean){.kind = RUN_MEAN_TREND,
					  .begin = (i ? 100 : 200) * (double)MIB,
					  .end = (i ? 200 : 100) * (double)MIB};
		write_page(&scene, 0, &out);
		assert_true(has_text(&out, words[i]));
		text_release(&out);
		scene_release(&scene);
	}
}

static void columns_are_explained_at_the_end_with_v_only(void **state)
{
	struct page page = {.explains = {true, false}};
	struct text out = {0};

	(void)state;
	page_legend(&page, true, &out);
	assert_int_equal(out.length, 0);
	page.verbose = 1;
	page_legend(&page, false, &out);
	check_page(text_string(&out));
	assert_true(has_text(&out, "Rows of data: "));
	assert_false(has_text(&out, "Rows of metadata: "));
	assert_false(has_text(&out, "Studies: "));
	text_release(&out);
}

static void failed_stopped_and_skipped_phases_are_seen(void **state)
{
	const char *const settings[] = {"repetitions", "3", NULL};
	struct text out = {0};
	struct report_scene scene;

	(void)state;
	scene_start(&scene, 2, 5, settings);
	add_all_kinds_of_phases(&scene);
	write_page(&scene, 0, &out);
	assert_true(has_text(&out, "FAILED"));
	assert_true(has_text(&out, "STOPPED by signal 15 (Terminated)"));
	assert_true(has_text(&out, "SKIPPED: not started"));
	assert_true(has_text(&out, "No space left on device"));
	text_release(&out);
	scene_release(&scene);
}

static void a_phase_stopped_before_it_began_has_a_word_and_no_zeros(void **state)
{
	const char *const settings[] = {"repetitions", "1", NULL};
	struct phase_result *phase;
	struct text out = {0};
	struct report_scene scene;

	(void)state;
	scene_start(&scene, 2, 5, settings);
	phase = scene_phase(&scene, PHASE_WRITE, 0, 0.5, 7, 1000);
	phase->status = PHASE_STOPPED;
	strcpy(phase->stop_text, "stopped by signal 15 (Terminated)");
	measure_reset(phase->measure);
	phase_result_fill(phase, phase->measure);
	write_page(&scene, 2, &out);
	assert_true(has_text(&out, "STOPPED before it began: by signal 15 (Terminated)"));
	assert_false(has_text(&out, "the numbers cover"));
	assert_null(strstr(text_string(&out), "start skew"));
	text_release(&out);
	scene_release(&scene);
}

static void settings_that_are_not_as_asked_for_are_said(void **state)
{
	const char *const settings[] = {"posix.direct", "1", NULL};
	struct phase_result *phase;
	struct text out = {0};
	struct report_scene scene;

	(void)state;
	scene_start(&scene, 1, 2, settings);
	phase = scene_phase(&scene, PHASE_READ, 0, 2.5, 400, 1000000);
	phase->settings = "open_flags=O_RDONLY|O_DIRECT\ndirect=true\nfile_system=\n";
	write_page(&scene, 0, &out);
	assert_false(has_text(&out, "in effect"));
	phase->settings = "open_flags=O_RDONLY\ndirect=false\n";
	write_page(&scene, 0, &out);
	assert_true(has_text(&out, "in effect: direct false (asked for: true)"));
	text_clear(&out);
	phase->settings = "hint.same=1\nhint.cb_nodes=1\nhint.cb_nodes.asked=7\n";
	write_page(&scene, 0, &out);
	assert_true(has_text(&out, "in effect: hint.cb_nodes 1 (asked for: 7)"));
	assert_false(has_text(&out, ".asked"));
	text_release(&out);
	scene_release(&scene);
}

static void binding_is_said_where_there_is_one(void **state)
{
	const char *const settings[] = {"repetitions", "1", NULL};
	struct text out = {0};
	struct report_scene scene;

	(void)state;
	scene_start(&scene, 1, 2, settings);
	scene.environment.cpus = 1;
	scene.environment.node_cpus = 64;
	write_page(&scene, 1, &out);
	assert_true(has_text(&out, "node01: bound to 1 of 64 CPUs, 8 GiB of memory"));
	text_clear(&out);
	scene.environment.cpus = 64;
	write_page(&scene, 1, &out);
	assert_true(has_text(&out, "node01: 64 CPUs"));
	text_release(&out);
	scene_release(&scene);
}

/* Keeps one verdict, with the remedy "more of it". */
static void keep(struct kept_verdicts *kept, enum phase_kind kind, uint64_t repetition,
		 const char *id, const char *severity, const char *meaning)
{
	json_t *line = json_pack("{s[{ssssssss}]}", "verdicts", "id", id, "severity", severity,
				 "meaning", meaning, "remedy", "more of it");

	page_keep(kept, kind, 3, repetition, line);
	json_decref(line);
}

/* True if the verdicts say so in these words. */
static bool says(const struct kept_verdicts *kept, enum detail detail, const char *words)
{
	struct text out = {0};
	bool found;

	page_verdicts(kept, detail, &out);
	found = has_text(&out, words);
	text_release(&out);
	return found;
}

static void a_cause_is_told_once_over_all_phases(void **state)
{
	struct kept_verdicts kept = {0};

	(void)state;
	keep(&kept, PHASE_WRITE, 0, "T1", "warn", "it took 1 s");
	assert_true(says(&kept, DETAIL_SHORT, "warn T1 write 0: it took 1 s; remedy: more of it"));
	keep(&kept, PHASE_WRITE, 1, "T1", "warn", "it took 2 s");
	keep(&kept, PHASE_READ, 0, "T1", "warn", "it took 3 s");
	assert_true(
		says(&kept, DETAIL_SHORT, "warn T1 all 3 phases, such as write 0: it took 1 s;"));
	assert_false(says(&kept, DETAIL_SHORT, "it took 3 s"));
	assert_true(says(&kept, DETAIL_ALL, "warn T1 read 0: it took 3 s; remedy: more of it"));
	keep(&kept, PHASE_VERIFY, 0, "P6", "good", "it is right");
	assert_true(says(&kept, DETAIL_SHORT, "warn T1 write, read, such as write 0:"));
	assert_true(says(&kept, DETAIL_SHORT, "good verify every byte right"));
	keep(&kept, PHASE_READ, 1, "N2", "warn", "one was slow");
	keep(&kept, PHASE_VERIFY, 1, "N2", "warn", "one was slow");
	assert_true(says(&kept, DETAIL_SHORT, "T1 3 of 6 phases (write, read), such as write 0:"));
	assert_false(says(&kept, DETAIL_SHORT, "every byte right"));
	kept_verdicts_release(&kept);
}

static void few_are_told_and_the_rules_of_others_named(void **state)
{
	static const char *const notes[] = {"M2", "M3", "P2", "I1"};
	struct kept_verdicts kept = {0};

	(void)state;
	keep(&kept, PHASE_READ, 0, "C1", "fail", "it was a cache");
	keep(&kept, PHASE_WRITE, 0, "T1", "warn", "it took 1 s");
	for (int i = 0; i < 4; i++)
		keep(&kept, PHASE_WRITE, 0, notes[i], "note", notes[i]);
	assert_true(says(&kept, DETAIL_SHORT, "note M2 write 0: M2 note M3 write 0: M3 note "));
	assert_true(says(&kept, DETAIL_SHORT, "note P2, I1; -v says more"));
	assert_true(says(&kept, DETAIL_ALL, "note P2 write 0: P2; remedy: more of it"));
	assert_true(
		says(&kept, DETAIL_QUIET, "fail C1 read 0: it was a cache warn T1; -v says more"));
	assert_true(says(&kept, DETAIL_QUIET, "note M2, M3, P2, I1; -v says more"));
	kept_verdicts_release(&kept);
}

static void a_consequence_of_another_verdict_is_not_told(void **state)
{
	struct kept_verdicts kept = {0}, joined = {0}, other = {0};

	(void)state;
	keep(&kept, PHASE_WRITE, 0, "D1", "warn", "it is in memory");
	keep(&kept, PHASE_WRITE, 0, "C4", "warn", "it fits");
	keep(&kept, PHASE_READ, 0, "C1", "warn", "it is in memory");
	keep(&kept, PHASE_READ, OVER_ALL, "V1", "warn", "it varies");
	keep(&kept, PHASE_WRITE, OVER_ALL, "V1", "warn", "it varies");
	assert_true(says(&kept, DETAIL_SHORT, "warn V1 write: it varies"));
	assert_true(
		says(&kept, DETAIL_SHORT, "warn D1 2 of 3 phases (write, read), such as write 0:"));
	assert_false(says(&kept, DETAIL_SHORT, "C4"));
	assert_false(says(&kept, DETAIL_SHORT, "C1"));
	assert_true(says(&kept, DETAIL_ALL, "warn C4 write 0: it fits"));
	kept_verdicts_join(&joined, &kept);
	assert_false(says(&joined, DETAIL_SHORT, "C4"));
	/* A note does not hide a warning, nor one test what is wrong with another. */
	keep(&other, PHASE_WRITE, 0, "T1", "note", "it began late");
	keep(&other, PHASE_WRITE, 0, "C4", "warn", "it fits");
	kept_verdicts_join(&joined, &other);
	assert_true(says(&joined, DETAIL_SHORT, "warn C4 write 0 of test 3: it fits"));
	kept_verdicts_release(&kept);
	kept_verdicts_release(&other);
	kept_verdicts_release(&joined);
}

static void a_failure_names_task_host_file_and_place(void **state)
{
	const char *const settings[] = {"repetitions", "3", NULL};
	struct phase_result *phase;
	struct report_scene scene;
	json_t *line;

	(void)state;
	scene_start(&scene, 2, 8, settings);
	phase = scene_phase(&scene, PHASE_WRITE, 1, 0.5, 7, 1000);
	scene_fail(phase, "/path");
	line = record_phase(&scene.test, phase, NULL, 0);
	assert_string_equal(
		line_text(line, "failure/message"),
		"write phase, repetition 1: task 3 (rank 3) on node01: write of 1048576 bytes at "
		"offset 12345 of /path: pwrite: No space left on device; 3 of 16 tasks failed");
	json_decref(line);
	scene_release(&scene);
}

/* The rows of a phase in the table, as its records give them. */
static void add_rows(struct report_scene *scene, const struct phase_result *phase, struct text *out)
{
	json_t *test = record_test(&scene->job, &scene->test, &scene->mount);
	json_t *record = record_phase(&scene->test, phase, NULL, 0);

	csv_rows(out, &scene->plan, "node01", test, record);
	json_decref(record);
	json_decref(test);
}

static void csv_rows_have_the_numbers_of_the_phase(void **state)
{
	const char *const settings[] = {"fsync", "1",	       "test_file", "=file", "write_file",
					"1",	 "check_read", "1",	    NULL};
	struct phase_result *write, *read,
		skipped = {.index = 1, .kind = PHASE_READ, .status = PHASE_SKIPPED};
	struct text out = {0};
	struct report_scene scene;

	(void)state;
	scene_start(&scene, 2, 4, settings);
	write = scene_phase(&scene, PHASE_WRITE, 0, 2.5, 400, 1000000);
	write->queue_depth = 1;
	read = scene_phase(&scene, PHASE_READ, 1, 1.5, 1000, 777);
	read->queue_depth = 4;
	read->failed_tasks = 2;
	read->cold = true;
	read->depth = 3.5;
	read->stonewall = (struct stonewall){.seconds = 1.25, .rate = 1e6 / 3};
	read->measure->submits = 1;
	add_rows(&scene, write, &out);
	add_rows(&scene, read, &out);
	add_rows(&scene, &skipped, &out);
	assert_string_equal(
		text_string(&out),
		"0,write,0,complete,posix,\"'=file\",8,2,1048576,262144,1,0,0,8388608,400,3355443."
		"2000000002,3358210.3653410412,,160,0.00089999999999999998,2."
		"4979399999999998,0,0.0050000000000000001,2.5,1200128,1396736,,1399000,1000000,"
		"2000000,posix,1,,,,,,0,,,,,,,,,node01,2026-11-20T20:55:53.000000000Z,,\n"
		"0,read,1,complete,posix,\"'=file\",8,2,1048576,262144,1,1,2,8388608,1000,5592405."
		"333333333,5600096.1320213089,,666.66666666666663,0.00089999999999999998,1.49794,0,"
		"0.0050000000000000001,1.5,500736,989184,,999777,1000000,2000000,posix,4,3.5,,,1."
		"25,333333.33333333331,0,,,,,,,,,node01,2026-11-20T20:55:53.000000000Z,,\n"
		"0,read,0,skipped,posix,\"'=file\",8,2,1048576,262144,1,0,0,,,,,,,,,,,,,,,,,,posix,"
		"0,,,,,,,,,,,,,,,node01,1970-01-01T00:00:00.000000000Z,,\n");
	text_release(&out);
	scene_release(&scene);
}

static void csv_quotes_what_needs_it_and_keeps_its_columns(void **state)
{
	const char *const settings[] = {"test_file", "a,\"b\"\nc", NULL};
	struct phase_result skipped = {.kind = PHASE_READ, .status = PHASE_SKIPPED};
	struct text head = {0}, row = {0};
	struct report_scene scene;
	size_t columns = 1, commas = 1;

	(void)state;
	scene_start(&scene, 1, 1, settings);
	csv_head(&head);
	add_rows(&scene, scene_phase(&scene, PHASE_WRITE, 0, 0.5, 7, 1000), &row);
	assert_non_null(strstr(text_string(&row), ",\"a,\"\"b\"\"\nc\","));
	text_clear(&row);
	add_rows(&scene, &skipped, &row);
	for (const char *at = head.bytes; *at; at++)
		columns += *at == ',';
	for (const char *at = row.bytes; *at; at++)
		commas += *at == ',';
	assert_int_equal(commas, columns + 1); /* one stands in the quoted name */
	text_release(&head);
	text_release(&row);
	scene_release(&scene);
}

static void paragraphs_wrap_words_and_cut_what_is_too_long(void **state)
{
	char words[400];
	struct text out = {0};

	(void)state;
	for (size_t length = 0; length < sizeof(words) - 1; length++) {
		memset(words, 'w', length);
		for (size_t i = 7; i < length; i += 13 + length % 90)
			words[i] = ' ';
		words[length] = '\0';
		layout_paragraph(&out, "label", 11, words);
		layout_paragraph(&out, "", 0, words);
		check_page(text_string(&out));
		text_clear(&out);
	}
	text_release(&out);
}

static void the_plan_shows_every_task_and_its_files(void **state)
{
	const char *const settings[] = {
		"test_file", LONG_NAME, "file_per_proc", "1", "reorder_tasks", "1", NULL};
	const struct anonymizer shown = {.wanted = false};
	struct report_scene scene;
	char *page;
	FILE *out = fopen("plan.txt", "w");

	(void)state;
	assert_non_null(out);
	scene_start(&scene, 3, 4, settings);
	report_plan(out, &scene.test, (const char(*)[HOST_NAME_SIZE])scene.hosts, &shown, 1);
	report_plan(out, &scene.test, NULL, &shown, 0);
	fclose(out);
	page = scene_read("plan.txt");
	check_page(page);
	assert_non_null(strstr(page, "node03"));
	assert_non_null(strstr(page, "(-v shows all)"));
	free(page);
	scene_release(&scene);
}

static void report_phase_of(struct report *report, struct report_scene *scene)
{
	report_line(report, 0, LINE_PHASE,
		    record_phase(&scene->test,
				 scene_phase(scene, PHASE_WRITE, 0, 2.5, 400, 1000000),
				 scene_verdicts, 3));
}

static void a_whole_report_leaves_document_table_and_text(void **state)
{
	const char *const settings[] = {"output", "r.json,r.csv,r.txt", "repetitions", "1", NULL};
	static char program[] = "iorx";
	char *const argv[] = {program, NULL};
	struct report *report;
	struct error err = {0};
	struct report_scene scene;
	char *page;

	(void)state;
	scene_start(&scene, 2, 2, settings);
	assert_int_equal(report_start(&report, &scene.job, 1, argv, &scene.environment,
				      (const char(*)[HOST_NAME_SIZE])scene.hosts, NULL, &err),
			 0);
	report_test(report, &scene.test, &scene.mount);
	report_phase_of(report, &scene);
	error_set(&err, 5, "an error of the job");
	report_error(report, &err);
	report_line(report, 0, LINE_TEST_END, scene_end(&scene));
	assert_int_equal(report_rescue(report_journal_name(report), "r.rescued.json", &err), 0);
	assert_int_equal(report_finish(report, JOB_FAILED, 1), 0);
	page = scene_read("r.txt");
	check_page(page);
	assert_non_null(strstr(page, "results    r.json"));
	free(page);
	assert_int_equal(access("r.json", F_OK), 0);
	assert_int_equal(access("r.csv", F_OK), 0);
	assert_int_equal(access("r.jsonl", F_OK), -1);
	scene_release(&scene);
}

static struct report *start_report(struct report_scene *scene, const char *output)
{
	const char *const settings[] = {"output", output, NULL};
	static char program[] = "iorx";
	char *const argv[] = {program, NULL};
	struct report *report;
	struct error err = {0};

	scene_start(scene, 2, 2, settings);
	if (report_start(&report, &scene->job, 1, argv, &scene->environment,
			 (const char(*)[HOST_NAME_SIZE])scene->hosts, NULL, &err))
		fail_msg("%s", err.text);
	return report;
}

/* Whether the end of a report with one phase says that something was lost. */
static bool loses(struct report_scene *scene, struct report *report)
{
	bool lost;

	report_test(report, &scene->test, &scene->mount);
	report_phase_of(report, scene);
	report_line(report, 0, LINE_TEST_END, scene_end(scene));
	lost = report_finish(report, JOB_COMPLETE, 0);
	scene_release(scene);
	return lost;
}

static void a_table_or_text_that_is_lost_is_told_at_the_end(void **state)
{
	const char *const outputs[] = {"full.csv,a.json", "full.txt,a.json"};
	struct report_scene scene;

	(void)state;
	if (access("/dev/full", W_OK) || symlink("/dev/full", "full.csv") ||
	    symlink("/dev/full", "full.txt")) {
		print_message("needs /dev/full\n");
		skip();
	}
	for (size_t i = 0; i < 2; i++) {
		struct report *report = start_report(&scene, outputs[i]);

		assert_true(report_broken(report));
		assert_true(loses(&scene, report));
	}
}

static void a_journal_that_breaks_in_the_middle_is_told_at_the_end(void **state)
{
	struct rlimit limit, small = {.rlim_cur = 4096};
	struct report_scene scene;
	struct report *report = start_report(&scene, "b.json");

	(void)state;
	assert_false(report_broken(report));
	getrlimit(RLIMIT_FSIZE, &limit);
	small.rlim_max = limit.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	assert_true(loses(&scene, report));
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_int_equal(access("b.jsonl", F_OK), 0); /* what is there is kept */
}

static void a_document_that_cannot_be_made_is_told_at_the_end(void **state)
{
	struct report_scene scene;
	struct report *report = start_report(&scene, "c.json");

	(void)state;
	assert_int_equal(mkdir("c.json", 0777), 0);
	assert_true(loses(&scene, report));
	assert_int_equal(access("c.jsonl", F_OK), 0);
}

static void a_document_that_nobody_asked_for_may_be_lost(void **state)
{
	struct report_scene scene;
	struct report *report = start_report(&scene, "d.csv");

	(void)state;
	assert_int_equal(mkdir(report_document_name(report), 0777), 0);
	assert_false(loses(&scene, report));
}

static double rising(int i)
{
	return 4e8 + 1e6 * i;
}

static double waving(int i)
{
	return 4e8 + 4e7 * sin(i / 3.0);
}

static double jumping(int i)
{
	return 4e8 + 1e7 * (i * 7 % 11);
}

/* The end of a test of repeated writes with such rates, the last of which is near a limit. */
static void write_end(double (*rate)(int), int repetitions, struct text *out)
{
	const char *const settings[] = {"repetitions", "auto", "max_repetitions", "24", NULL};
	struct kept_verdicts kept = {0};
	struct page page = {.kept = &kept, .verbose = 1};
	struct report_scene scene;
	json_t *line;

	scene_start(&scene, 1, 2, settings);
	for (int i = 0; i < repetitions; i++) {
		struct phase_result *phase = &scene.phases[scene.phase_count++];

		*phase = (struct phase_result){
			.kind = PHASE_WRITE, .total_rate = rate(i), .seconds.total = 1};
		phase->possible.bounds[LIMIT_NETWORK] = (struct bound){1e9, 1, false};
		phase->possible.rate = i ? 9.5e8 : 1e6;
	}
	scene.test.repetitions_end = REPETITIONS_MOST;
	line = scene_end(&scene);
	text_clear(out);
	page_test_end(&page, out, &scene.head, line);
	if (getenv("SHOW_PAGES"))
		fputs(text_string(out), stderr);
	check_page(text_string(out));
	json_decref(line);
	kept_verdicts_release(&kept);
	scene_release(&scene);
}

static void the_end_of_a_test_says_how_its_repetitions_follow(void **state)
{
	struct text out = {0};

	(void)state;
	write_end(jumping, 8, &out);
	assert_true(has_text(&out, "write 8 433.92 381.47 476.84 -"));
	assert_true(has_text(&out, "pooled 431.54 MiB/s; median total 1.00 s; interval of "
				   "independent repetitions"));
	assert_true(has_text(&out, "possible: write limited by network (given), 95 %"));
	assert_true(has_text(&out, "warn V1 write: "));
	assert_true(has_text(&out, "stopped at max_repetitions=24 before the 99 % interval"));
	write_end(rising, 24, &out);
	assert_true(has_text(&out, "; the rates drift: an interval of these repetitions"));
	write_end(waving, 24, &out);
	assert_true(has_text(&out, "; repetitions follow one another: 24 say as much as "));
	write_end(jumping, 24, &out);
	assert_false(has_text(&out, "independent"));
	text_release(&out);
}

static void a_load_at_a_rate_is_slower_by_its_response_times(void **state)
{
	static struct test options = {.name = "users"};
	const struct test_spec together = {.core.values = &options, .set.number = 1};
	const struct test_spec alone = {.core.values = &options,
					.set = {.number = 2, .alone = true, .alone_of = 0}};
	const struct line_median unknown = {NAN, NAN, NAN};
	struct study_row rows[] = {
		{.spec = &together,
		 .kind = PHASE_LOAD,
		 .beside = "",
		 .series.operation = OPERATION_MIXED,
		 .repetitions = 6,
		 .rate = {494, 494, 494},
		 .asked = 500,
		 .response_mean = {12.25e6, 12e6, 12.5e6},
		 .response_p99 = {527e6, 527e6, 527e6},
		 .missed = 2},
		{.spec = &together,
		 .kind = PHASE_LOAD,
		 .beside = "",
		 .series = {.operation = OPERATION_READ, .part = "read"},
		 .rate = {494, 494, 494},
		 .response_mean = unknown,
		 .response_p99 = unknown,
		 .asked = 500},
		{.spec = &alone,
		 .test = 1,
		 .kind = PHASE_LOAD,
		 .beside = "",
		 .series.operation = OPERATION_MIXED,
		 .rate = {500, 500, 500},
		 .asked = 500,
		 .response_mean = {8e6, 8e6, 8e6},
		 .response_p99 = {343e6, 343e6, 343e6}},
		{.spec = &alone,
		 .test = 1,
		 .kind = PHASE_LOAD,
		 .beside = "",
		 .series = {.operation = OPERATION_READ, .part = "read"},
		 .rate = {500, 500, 500},
		 .response_mean = unknown,
		 .response_p99 = unknown,
		 .asked = 500},
	};
	const struct studies tests_of_sets = {rows, sizeof(rows) / sizeof(*rows)};
	struct text page = {0};

	(void)state;
	slowdowns_page(&tests_of_sets, &rate_units[UNIT_MIB], &page);
	check_page(text_string(&page));
	assert_non_null(strstr(text_string(&page), "\nusers       p99 response        527ms   "
						   "343ms 1.5364 1.5364 1.5364\n"));
	assert_non_null(strstr(text_string(&page), "\n            mean response      12.2ms  "
						   "8.00ms 1.5312 1.5000 1.5625\n"));
	assert_non_null(strstr(text_string(&page), "\n            op/s of 500.00     494.00  "
						   "500.00 missed in 2 of 6\n"));
	assert_null(strstr(text_string(&page), "read"));
	text_release(&page);

	json_t *record = slowdowns_record(&tests_of_sets);
	json_t *load = json_array_get(record, 0), *read = json_array_get(record, 1);

	assert_int_equal(json_array_size(record), 2);
	assert_true(json_is_null(json_object_get(load, "slowdown")));
	assert_true(json_is_null(json_object_get(read, "slowdown")));
	assert_true(json_is_null(json_object_get(read, "p99_response")));
	assert_int_equal(json_integer_value(json_object_get(load, "together_missed")), 2);
	json_decref(record);
}

static int enter(void **state)
{
	(void)state;
	scene_enter();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_fits_into_80_columns),
		cmocka_unit_test(a_row_shows_the_rate_in_the_unit_of_the_job),
		cmocka_unit_test(a_rate_that_falls_or_rises_within_a_run_has_both_ends),
		cmocka_unit_test(columns_are_explained_at_the_end_with_v_only),
		cmocka_unit_test(failed_stopped_and_skipped_phases_are_seen),
		cmocka_unit_test(a_phase_stopped_before_it_began_has_a_word_and_no_zeros),
		cmocka_unit_test(settings_that_are_not_as_asked_for_are_said),
		cmocka_unit_test(binding_is_said_where_there_is_one),
		cmocka_unit_test(a_cause_is_told_once_over_all_phases),
		cmocka_unit_test(few_are_told_and_the_rules_of_others_named),
		cmocka_unit_test(a_consequence_of_another_verdict_is_not_told),
		cmocka_unit_test(a_failure_names_task_host_file_and_place),
		cmocka_unit_test(csv_rows_have_the_numbers_of_the_phase),
		cmocka_unit_test(csv_quotes_what_needs_it_and_keeps_its_columns),
		cmocka_unit_test(paragraphs_wrap_words_and_cut_what_is_too_long),
		cmocka_unit_test(the_plan_shows_every_task_and_its_files),
		cmocka_unit_test(the_end_of_a_test_says_how_its_repetitions_follow),
		cmocka_unit_test(a_load_at_a_rate_is_slower_by_its_response_times),
		cmocka_unit_test(a_whole_report_leaves_document_table_and_text),
		cmocka_unit_test(a_table_or_text_that_is_lost_is_told_at_the_end),
		cmocka_unit_test(a_journal_that_breaks_in_the_middle_is_told_at_the_end),
		cmocka_unit_test(a_document_that_cannot_be_made_is_told_at_the_end),
		cmocka_unit_test(a_document_that_nobody_asked_for_may_be_lost),
	};

	return cmocka_run_group_tests(tests, enter, NULL);
}
