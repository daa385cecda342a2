/* Documents and journals made from invented results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <jansson.h>
#include <sys/stat.h>

#include "record/document.h"
#include "record/journal.h"
#include "record/json.h"
#include "record/record.h"
#include "report_scene.h"

static const char *const plain[] = {"repetitions",   "2", "cold",  "fadvise",
				    "posix.direct",  "1", "fsync", "1",
				    "reorder_tasks", "1", NULL};

static void append_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "a");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	fclose(file);
}

static void add(struct journal *journal, const char *event, json_t *value)
{
	struct error err = {0};

	assert_non_null(value);
	assert_int_equal(journal_add(journal, event, value, &err), 0);
}

/* A journal of one test with its phases; end: with the last line. */
static void write_journal(struct report_scene *scene, struct journal *journal, const char *document,
			  bool end)
{
	static char program[] = "iorx";
	char *const argv[] = {program, NULL};
	struct hosts hosts = {.names = (const char(*)[HOST_NAME_SIZE])scene->hosts, .count = 2};
	struct error err = {0};

	assert_int_equal(journal_open(journal, document, &err), 0);
	add(journal, "run", record_run(&scene->job, 1, argv, &scene->environment, &hosts));
	add(journal, "test", record_test(&scene->job, &scene->test, &scene->mount));
	for (size_t i = 0; i < scene->phase_count; i++)
		add(journal, "phase",
		    record_phase(&scene->test, &scene->phases[i], scene_verdicts, 3));
	add(journal, "test_end", scene_end(scene));
	if (end)
		add(journal, "end", record_end(JOB_COMPLETE, 0));
	journal_close(journal);
}

static json_t *make_document(const struct journal *journal)
{
	struct document_notes notes;
	struct error err = {0};
	json_t *document;

	if (document_make(journal->name, journal->document, "interrupted", &notes, &err))
		fail_msg("%s", err.text);
	document_notes_release(&notes);
	document = json_load_file(journal->document, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(document);
	return document;
}

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static json_t *first_test(const json_t *document)
{
	return json_array_get(json_object_get(document, "tests"), 0);
}

static void phases_stand_inside_their_test_with_its_summaries(void **state)
{
	struct report_scene scene;
	struct journal journal;
	json_t *document, *test;

	(void)state;
	scene_start(&scene, 2, 4, plain);
	for (uint64_t i = 0; i < 2; i++) {
		scene_phase(&scene, PHASE_WRITE, i, 2.5, 400, 1000000);
		scene_phase(&scene, PHASE_READ, i, 1.5, 400, 500000);
	}
	write_journal(&scene, &journal, "whole.json", true);
	document = make_document(&journal);
	test = first_test(document);
	assert_string_equal(text_at(document, "status"), "complete");
	assert_int_equal(json_integer_value(json_object_get(document, "unreadable_lines")), 0);
	assert_int_equal(json_array_size(json_object_get(test, "phases")), 4);
	assert_int_equal(json_array_size(json_object_get(test, "summaries")), 2);
	assert_string_equal(text_at(json_object_get(document, "schema"), "version"), "2.0");
	json_decref(document);
	journal_release(&journal);
	scene_release(&scene);
}

/* 200 transfers know no 99th percentile, 400 do: 4 of them are longer than it. */
static void service_times_of_a_summary_are_of_all_repetitions(void **state)
{
	struct report_scene scene;
	struct rate_summary summary;

	(void)state;
	scene_start(&scene, 2, 4, plain);
	scene_phase(&scene, PHASE_WRITE, 0, 2.5, 200, 1000000);
	scene_phase(&scene, PHASE_WRITE, 1, 2.5, 200, 3000000);
	assert_int_equal(scene.phases[0].p99_ns, 0);
	json_decref(scene_end(&scene));
	rate_summary_fill(&summary, &scene.test, 0);
	assert_in_range(summary.times.p50_ns, 1190000, 1204000); /* the 200th is 1 199 000 ns */
	assert_in_range(summary.times.p99_ns, 3183000, 3208000); /* the 396th is 3 195 000 ns */
	assert_int_equal(summary.times.max_ns, 3199000);
	assert_int_equal(summary.times.p999_ns, 0);
	scene_release(&scene);
}

static void a_torn_last_line_costs_that_line_only(void **state)
{
	struct report_scene scene;
	struct journal journal;
	json_t *document;

	(void)state;
	scene_start(&scene, 2, 4, plain);
	scene_phase(&scene, PHASE_WRITE, 0, 2.5, 400, 1000000);
	write_journal(&scene, &journal, "torn.json", false);
	append_text(journal.name, "{\"phase\":{\"test\":0,\"phase\":\"re");
	document = make_document(&journal);
	assert_string_equal(text_at(document, "status"), "interrupted");
	assert_int_equal(json_integer_value(json_object_get(document, "unreadable_lines")), 1);
	assert_int_equal(json_array_size(json_object_get(first_test(document), "phases")), 1);
	json_decref(document);
	journal_release(&journal);
	scene_release(&scene);
}

static void a_journal_torn_anywhere_still_gives_a_document(void **state)
{
	struct report_scene scene;
	struct journal journal;
	struct error err = {0};
	char *bytes;
	size_t length, first;

	(void)state;
	scene_start(&scene, 2, 4, plain);
	scene_phase(&scene, PHASE_WRITE, 0, 2.5, 40, 1000000);
	scene_phase(&scene, PHASE_READ, 0, 2.5, 40, 1000000);
	write_journal(&scene, &journal, "cut.json", true);
	bytes = scene_read(journal.name);
	length = strlen(bytes);
	first = (size_t)(strchr(bytes, '\n') - bytes);
	for (size_t cut = length; cut > first + 1; cut -= cut > first + 98 ? 97 : 1) {
		assert_int_equal(truncate(journal.name, (off_t)cut), 0);
		json_decref(make_document(&journal));
	}
	assert_int_equal(truncate(journal.name, (off_t)first / 2), 0);
	assert_int_equal(report_rescue(journal.name, journal.document, &err), -1);
	free(bytes);
	journal_release(&journal);
	scene_release(&scene);
}

static void a_test_without_phases_is_a_valid_document(void **state)
{
	struct report_scene scene;
	struct journal journal;
	json_t *document;

	(void)state;
	scene_start(&scene, 2, 4, plain);
	write_journal(&scene, &journal, "empty.json", true);
	document = make_document(&journal);
	assert_int_equal(json_array_size(json_object_get(first_test(document), "phases")), 0);
	json_decref(document);
	journal_release(&journal);
	scene_release(&scene);
}

static void a_failed_and_a_skipped_phase_say_so(void **state)
{
	struct report_scene scene;
	struct journal journal;
	json_t *document, *phases, *failure;
	struct phase_result *skipped;

	(void)state;
	scene_start(&scene, 2, 4, plain);
	scene_fail(scene_phase(&scene, PHASE_WRITE, 0, 0.5, 7, 1000), "/a/b");
	skipped = &scene.phases[scene.phase_count++];
	*skipped = (struct phase_result){.index = 1, .kind = PHASE_READ, .status = PHASE_SKIPPED};
	snprintf(skipped->stop_text, sizeof(skipped->stop_text), "not started: the deadline");
	write_journal(&scene, &journal, "failed.json", true);
	document = make_document(&journal);
	phases = json_object_get(first_test(document), "phases");
	failure = json_object_get(json_array_get(phases, 0), "failure");
	assert_string_equal(text_at(json_array_get(phases, 0), "status"), "failed");
	assert_int_equal(json_integer_value(json_object_get(failure, "offset_bytes")), 12345);
	assert_int_equal(json_integer_value(json_object_get(failure, "errno")), 28);
	assert_string_equal(text_at(json_array_get(phases, 1), "status"), "skipped");
	assert_null(json_object_get(json_array_get(phases, 1), "rates"));
	json_decref(document);
	journal_release(&journal);
	scene_release(&scene);
}

static void any_bytes_in_names_give_valid_json(void **state)
{
	static const char path[] =
		"/x/\"q\\uote'\n\t\x01\xff\xc3(\xed\xa0\x80\xf0\x9f\x98\x80/\xe2\x82";
	const char *const strange[] = {"test_file", path, "repetitions", "1", NULL};
	struct report_scene scene;
	struct journal journal;
	json_t *document;

	(void)state;
	scene_start(&scene, 2, 1, strange);
	memcpy(scene.hosts[0], "\xfe\xff", 3);
	scene_fail(scene_phase(&scene, PHASE_WRITE, 0, 0.5, 7, 1000), path);
	snprintf(scene.mount.options, sizeof(scene.mount.options), "%s", path);
	write_journal(&scene, &journal, "strange.json", true);
	document = make_document(&journal);
	assert_string_equal(text_at(first_test(document), "test_file"),
			    "/x/\"q\\uote'\n\t\x01\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd"
			    "\xef\xbf\xbd\xf0\x9f\x98\x80/\xef\xbf\xbd\xef\xbf\xbd");
	json_decref(document);
	journal_release(&journal);
	scene_release(&scene);
}

static void huge_numbers_and_infinities_stay_json(void **state)
{
	struct report_scene scene;
	struct journal journal;
	struct phase_result *phase;
	json_t *document, *rates;

	(void)state;
	scene_start(&scene, 2, 1, plain);
	phase = scene_phase(&scene, PHASE_WRITE, 0, 0.5, 7, UINT64_C(1) << 62);
	phase->measure->bytes = UINT64_MAX;
	phase->measure->io.wchar = UINT64_MAX;
	phase->total_rate = 1.0 / 0.0;
	phase->transfer_rate = 0.0 / 0.0;
	phase->sum_rate = 1e308;
	phase->imbalance = 5e-324;
	write_journal(&scene, &journal, "huge.json", true);
	document = make_document(&journal);
	rates = json_object_get(json_array_get(json_object_get(first_test(document), "phases"), 0),
				"rates");
	assert_true(json_is_null(json_object_get(rates, "total_bytes_per_s")));
	assert_true(json_is_null(json_object_get(rates, "transfer_bytes_per_s")));
	json_decref(document);
	journal_release(&journal);
	scene_release(&scene);
}

static void percentiles_are_only_told_of_enough_operations(void **state)
{
	struct report_scene scene;
	json_t *phase, *percentiles;

	(void)state;
	scene_start(&scene, 1, 1, plain);
	phase = record_phase(&scene.test, scene_phase(&scene, PHASE_WRITE, 0, 0.5, 100, 1000), NULL,
			     0);
	percentiles = json_object_get(
		json_object_get(json_object_get(phase, "operations"), "write"), "percentiles");
	assert_non_null(json_object_get(json_object_get(percentiles, "p95"), "ns"));
	assert_null(json_object_get(json_object_get(percentiles, "p99"), "ns"));
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(percentiles, "p99"), "needs")),
		368);
	json_decref(phase);
	scene_release(&scene);
}

static json_int_t stamp(const json_t *phase, const char *step, const char *which)
{
	const json_t *stamps = json_object_get(phase, "stamps");
	const json_t *value = json_object_get(json_object_get(stamps, step), which);

	return json_is_integer(value) ? json_integer_value(value) : -1;
}

/* The scene's phase of 2.5 s: its last transfers complete 5 ms to 2 ms before its end. */
static void stamps_count_from_the_begin_of_the_phase(void **state)
{
	struct report_scene scene;
	struct phase_result *result;
	json_t *phase;

	(void)state;
	scene_start(&scene, 2, 4, plain);
	result = scene_phase(&scene, PHASE_WRITE, 0, 2.5, 400, 1000000);
	result->measure->sync_end = (struct extent){.first = UINT64_MAX};
	phase = record_phase(&scene.test, result, NULL, 0);
	assert_int_equal(stamp(phase, "begin", "first_ns"), 0);
	assert_int_equal(stamp(phase, "begin", "last_ns"), 12000);
	assert_int_equal(stamp(phase, "open_end", "first_ns"), 50000);
	assert_int_equal(stamp(phase, "completion", "last_ns"), 2498000000);
	assert_int_equal(stamp(phase, "close_end", "last_ns"), 2500000000);
	assert_non_null(json_object_get(phase, "stamps"));
	assert_null(json_object_get(json_object_get(phase, "stamps"), "sync_end"));
	json_decref(phase);
	scene_release(&scene);
}

static void a_journal_that_is_there_is_left_alone(void **state)
{
	struct journal journal;
	struct error err = {0};
	char *bytes;

	(void)state;
	append_text("kept.jsonl", "precious\n");
	assert_int_equal(journal_open(&journal, "kept.json", &err), 0);
	assert_string_equal(journal.name, "kept-2.jsonl");
	assert_string_equal(journal.document, "kept-2.json");
	journal_release(&journal);
	bytes = scene_read("kept.jsonl");
	assert_string_equal(bytes, "precious\n");
	free(bytes);
}

static void default_names_are_never_taken_twice(void **state)
{
	struct journal first, second;
	struct error err = {0};

	(void)state;
	assert_int_equal(journal_open(&first, NULL, &err), 0);
	append_text(first.document, "{}\n");
	unlink(first.name);
	assert_int_equal(journal_open(&second, NULL, &err), 0);
	assert_string_not_equal(first.document, second.document);
	journal_release(&first);
	journal_release(&second);
}

static void a_journal_in_a_missing_folder_is_an_input_error(void **state)
{
	struct journal journal;
	struct error err = {0};

	(void)state;
	assert_int_equal(journal_open(&journal, "no/such/folder/a.json", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_int_equal(mkdir("folder.json", 0777), 0);
	assert_int_equal(journal_open(&journal, "folder.json", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
}

static void what_is_no_journal_makes_no_document(void **state)
{
	struct error err = {0};

	(void)state;
	append_text("other.jsonl", "hello\n{\"phase\":{}}\n");
	assert_int_equal(report_rescue("other.jsonl", "other.json", &err), -1);
	assert_int_equal(access("other.json", F_OK), -1);
	assert_int_equal(report_rescue("missing.jsonl", "missing.json", &err), -1);
}

/* The journal of a run that began then, and a document of a run at noon with that status. */
static void write_run(const char *name, const char *began, const char *status)
{
	static const char format[] =
		"{\"schema\":{\"name\":\"iorx-result\",\"version\":\"2.0\"},%s\"run\":{\"iorx_"
		"version\":\"1\",\"began\":\"2026-11-22T%s:00:00.000000000Z\",\"command_line\":[],"
		"\"job_file\":null,\"job_text\":null,\"tests\":0,\"tasks\":1,\"nodes\":1,\"seed\":"
		"1,\"options\":{},\"environment\":{}}%s}";
	char path[64], line[600], words[64];
	snprintf(path, sizeof(path), "%s.jsonl", name);
	unlink(path);
	snprintf(line, sizeof(line), format, "", began, "");
	append_text(path, line);
	snprintf(path, sizeof(path), "%s.json", name);
	unlink(path);
	if (!status)
		return;
	snprintf(words, sizeof(words), "\n\"status\":\"%s\",\n", status);
	snprintf(line, sizeof(line), format, words, "12", ",\n\"tests\":[]");
	append_text(path, line);
}

static int finish(const char *name, struct error *err)
{
	struct text document = {0};
	char path[64];
	int ret;

	snprintf(path, sizeof(path), "%s.jsonl", name);
	ret = report_finish_journal(path, &document, err);
	text_release(&document);
	return ret;
}

static void finishing_replaces_only_what_was_interrupted_of_the_same_run(void **state)
{
	struct error err = {0};
	char *bytes;

	(void)state;
	write_run("f", "12", NULL);
	assert_int_equal(finish("f", &err), 0);
	write_run("f", "12", "interrupted");
	assert_int_equal(finish("f", &err), 0);
	assert_int_equal(access("f.json.1", F_OK), -1);
	write_run("f", "12", "complete");
	assert_int_equal(finish("f", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "f.json is there, of this run, and is complete"));
	write_run("f", "11", NULL);
	append_text("f.json", "no JSON");
	assert_int_equal(finish("f", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	bytes = scene_read("f.json");
	assert_string_equal(bytes, "no JSON");
	free(bytes);
	assert_int_equal(finish("f.json", &err), -1);
}

static void a_document_of_another_run_gets_a_number(void **state)
{
	struct error err = {0};
	json_t *document, *older;

	(void)state;
	for (int number = 1; number <= 2; number++) {
		write_run("g", "11", "complete");
		assert_int_equal(finish("g", &err), 0);
	}
	document = json_load_file("g.json", 0, NULL);
	older = json_load_file("g.json.2", 0, NULL);
	assert_int_equal(access("g.json.1", F_OK), 0);
	assert_string_equal(text_at(json_object_get(document, "run"), "began"),
			    "2026-11-22T11:00:00.000000000Z");
	assert_string_equal(text_at(older, "status"), "complete");
	json_decref(older);
	json_decref(document);
}

static void a_foreign_file_is_not_replaced(void **state)
{
	struct error err = {0};

	(void)state;
	append_text("foreign.json", "{\"mine\":1}\n");
	assert_int_equal(document_check_free("foreign.json", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
}

static void a_full_disk_is_said_once_and_leaves_whole_lines(void **state)
{
	struct journal journal = {.fd = open("/dev/full", O_WRONLY), .name = (char[]){"full"}};
	struct error err = {0};

	(void)state;
	if (journal.fd < 0) {
		print_message("needs /dev/full\n");
		skip();
	}
	assert_int_equal(journal_add(&journal, "run", json_object(), &err), -1);
	assert_int_equal(journal_add(&journal, "end", json_object(), &err), 0);
	journal_close(&journal);
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
		cmocka_unit_test(phases_stand_inside_their_test_with_its_summaries),
		cmocka_unit_test(service_times_of_a_summary_are_of_all_repetitions),
		cmocka_unit_test(a_torn_last_line_costs_that_line_only),
		cmocka_unit_test(a_journal_torn_anywhere_still_gives_a_document),
		cmocka_unit_test(a_test_without_phases_is_a_valid_document),
		cmocka_unit_test(a_failed_and_a_skipped_phase_say_so),
		cmocka_unit_test(any_bytes_in_names_give_valid_json),
		cmocka_unit_test(huge_numbers_and_infinities_stay_json),
		cmocka_unit_test(percentiles_are_only_told_of_enough_operations),
		cmocka_unit_test(stamps_count_from_the_begin_of_the_phase),
		cmocka_unit_test(a_journal_that_is_there_is_left_alone),
		cmocka_unit_test(default_names_are_never_taken_twice),
		cmocka_unit_test(a_journal_in_a_missing_folder_is_an_input_error),
		cmocka_unit_test(what_is_no_journal_makes_no_document),
		cmocka_unit_test(finishing_replaces_only_what_was_interrupted_of_the_same_run),
		cmocka_unit_test(a_document_of_another_run_gets_a_number),
		cmocka_unit_test(a_foreign_file_is_not_replaced),
		cmocka_unit_test(a_full_disk_is_said_once_and_leaves_whole_lines),
	};

	return cmocka_run_group_tests(tests, enter, NULL);
}
