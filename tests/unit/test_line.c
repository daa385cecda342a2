/* Journals that are torn, doubled, mixed up or changed: what may stand in the document of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/document.h"
#include "report/json.h"
#include "report/line.h"

#define TIME "2026-11-22T12:00:00.000000000Z"
#define RUN                                                                                     \
	"{\"schema\":{\"name\":\"iorx-result\",\"version\":\"2.0\"},\"run\":{\"iorx_version\":" \
	"\"1\","                                                                                \
	"\"began\":\"" TIME                                                                     \
	"\",\"command_line\":[],\"job_file\":null,\"job_text\":null,\"tests\":3,\"tasks\":1,"   \
	"\"nodes\":1,\"seed\":1,\"options\":{},\"environment\":{}}}\n"
#define TEST(number)                                                                     \
	"{\"test\":{\"test\":" number ",\"api\":\"posix\",\"backend\":\"posix\","        \
	"\"test_file\":\"f\",\"ref_num\":0,\"line\":null,\"study\":null,\"options\":{}," \
	"\"content\":null,\"plan\":{},\"mount\":null}}\n"
#define SET_TEST(number, set) \
	"{\"test\":{\"test\":" number ",\"api\":\"posix\",\"set\":{\"number\":" set "}}}\n"
#define PHASE(test, index, name, repetition)                                                     \
	"{\"phase\":{\"test\":" test ",\"phase_index\":" index ",\"phase\":\"" name              \
	"\",\"repetition\":" repetition                                                          \
	",\"warmup\":false,\"status\":\"complete\",\"began\":\"" TIME "\",\"tasks\":{},"         \
	"\"queue_depth\":1,\"cold\":false,\"cold_method\":null,\"timeline\":null,\"heat\":null," \
	"\"within_run\":null,\"counters\":null,\"prefill_counters\":null,"                       \
	"\"failure\":null,\"stop\":null,\"verdicts\":[]}}\n"
#define TEST_END(test)                                                                     \
	"{\"test_end\":{\"test\":" test ",\"repetitions_end\":\"asked\",\"summaries\":[]," \
	"\"counters\":null}}\n"
#define ERROR "{\"error\":{\"at\":\"" TIME "\",\"kind\":\"io\",\"errno\":5,\"text\":\"no\"}}\n"
#define END "{\"end\":{\"at\":\"" TIME "\",\"status\":\"failed\",\"exit_code\":1}}\n"

/* Lines that end in a brace get their hash; what is torn stays as it is. */
static void add_lines(struct text *journal, const char *lines)
{
	while (*lines) {
		size_t length = strcspn(lines, "\n");
		struct text line = {0};

		text_add_bytes(&line, lines, length);
		lines += length;
		if (*lines == '\n' && line.bytes[length - 1] == '}')
			line_seal(&line);
		else if (*lines == '\n')
			text_add(&line, "\n");
		lines += *lines == '\n';
		text_add_bytes(journal, line.bytes, line.length);
		text_release(&line);
	}
}

/* The document of a journal, and the sentence about lines that are not in it. */
static json_t *compose(const struct text *journal, struct text *left_out)
{
	struct document_notes notes = {.older = {0}};
	FILE *in = fmemopen(journal->bytes, journal->length, "r");
	struct error err = {0};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	json_t *document = NULL;
	int ret = document_compose(in, "a.jsonl", "interrupted", out, &notes, &err);

	fclose(out);
	fclose(in);
	if (!ret)
		document = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	text_clear(left_out);
	text_add(left_out, "%s", ret ? err.text : text_string(&notes.left_out));
	document_notes_release(&notes);
	return document;
}

static json_t *compose_lines(const char *lines, struct text *left_out)
{
	struct text journal = {0};
	json_t *document;

	add_lines(&journal, lines);
	document = compose(&journal, left_out);
	text_release(&journal);
	return document;
}

static size_t phases_of(const json_t *document, size_t test)
{
	const json_t *tests = json_object_get(document, "tests");

	return json_array_size(json_object_get(json_array_get(tests, test), "phases"));
}

/* tests, phases of the first and second, unreadable lines, and how the sentence about them begins.
 */
static void check(const char *journal, const size_t wanted[4], const char *sentence)
{
	struct text left_out = {0};
	json_t *document = compose_lines(journal, &left_out);

	assert_non_null(document);
	assert_int_equal(json_array_size(json_object_get(document, "tests")), wanted[0]);
	assert_int_equal(phases_of(document, 0), wanted[1]);
	assert_int_equal(phases_of(document, 1), wanted[2]);
	assert_int_equal(json_integer_value(json_object_get(document, "unreadable_lines")),
			 wanted[3]);
	assert_string_equal(text_string(&left_out), sentence);
	json_decref(document);
	text_release(&left_out);
}

#define CHECK(journal, tests, first, second, unreadable, sentence) \
	check(journal, (const size_t[]){tests, first, second, unreadable}, sentence)

static void good_lines_are_all_in_the_document(void **state)
{
	(void)state;
	CHECK(RUN TEST("0") PHASE("0", "0", "write", "0") ERROR PHASE("0", "1", "read", "0")
		      PHASE("0", "0", "write", "1") TEST_END("0") TEST("2")
			      PHASE("2", "0", "write", "0") END,
	      2, 3, 1, 0, "");
	CHECK(RUN, 0, 0, 0, 0, "");
}

static void errors_and_the_end_stand_behind_the_tests(void **state)
{
	static const char journal[] = RUN ERROR TEST("0") ERROR TEST_END("0") END;
	struct text left_out = {0};
	json_t *document = compose_lines(journal, &left_out);

	(void)state;
	assert_int_equal(json_array_size(json_object_get(document, "errors")), 2);
	assert_string_equal(json_string_value(json_object_get(document, "status")), "failed");
	assert_int_equal(json_integer_value(json_at(document, "end/exit_code")), 1);
	assert_null(
		json_at(json_array_get(json_object_get(document, "tests"), 0), "summaries/test"));
	json_decref(document);
	text_release(&left_out);
}

static void what_is_torn_is_left_out_and_told(void **state)
{
	(void)state;
	CHECK(RUN TEST("0") PHASE("0", "0", "write", "0") "{\"phase\":{\"te", 1, 1, 0, 1,
	      "a.jsonl: 1 of its 4 lines is left out of the document; line 4: it is torn, or was "
	      "changed");
	CHECK(RUN "{\"test\":{\"te\n" PHASE("0", "0", "write", "0") PHASE("0", "1", "read", "0")
		      TEST("1"),
	      1, 0, 0, 3,
	      "a.jsonl: 3 of its 5 lines are left out of the document; the first one is line 2: it "
	      "is torn, or was changed");
	CHECK(RUN TEST("0") "{\"test_end\":{\n" TEST("1") PHASE("1", "0", "write", "0"), 2, 0, 1, 1,
	      "a.jsonl: 1 of its 5 lines is left out of the document; line 3: it is torn, or was "
	      "changed");
}

static void a_journal_twice_is_one_run(void **state)
{
	(void)state;
	CHECK(RUN TEST("0") PHASE("0", "0", "write", "0") RUN TEST("0")
		      PHASE("0", "0", "write", "0") PHASE("0", "1", "read", "0"),
	      1, 1, 0, 4,
	      "a.jsonl: 4 of its 7 lines are left out of the document; the first one is line 4: it "
	      "begins a second run");
	CHECK(RUN TEST("0") TEST("0") PHASE("0", "0", "write", "0") PHASE("0", "0", "write", "0"),
	      1, 1, 0, 2,
	      "a.jsonl: 2 of its 5 lines are left out of the document; the first one is line 3: "
	      "its test is there already");
}

static void lines_stand_in_their_order(void **state)
{
	(void)state;
	CHECK(RUN TEST("1") PHASE("0", "0", "write", "0") TEST("0") TEST("3"), 1, 0, 0, 3,
	      "a.jsonl: 3 of its 5 lines are left out of the document; the first one is line 3: "
	      "its test is not the one that runs there");
	CHECK(RUN TEST("0") PHASE("0", "0", "write", "1") PHASE("0", "1", "read", "0") TEST_END("0")
		      PHASE("0", "1", "read", "1") END TEST("1"),
	      1, 1, 0, 3,
	      "a.jsonl: 3 of its 8 lines are left out of the document; the first one is line 4: "
	      "its phase is there already");
	CHECK(RUN TEST("0") PHASE("0", "1", "dance", "0") PHASE("0", "0", "write", "-1"), 1, 0, 0,
	      2,
	      "a.jsonl: 2 of its 4 lines are left out of the document; the first one is line 3: "
	      "there is no phase of that name");
}

static void tests_of_a_set_are_open_at_the_same_time(void **state)
{
	(void)state;
	CHECK(RUN SET_TEST("0", "1") SET_TEST("1", "1") PHASE("1", "0", "write", "0")
		      PHASE("0", "1", "read", "0") PHASE("1", "0", "write", "1") TEST_END("0")
			      TEST_END("1") TEST("2") PHASE("2", "1", "read", "0") END,
	      3, 1, 2, 0, "");
	CHECK(RUN SET_TEST("0", "1") SET_TEST("1", "1") PHASE("1", "0", "write", "0"), 2, 0, 1, 0,
	      "");
	CHECK(RUN SET_TEST("0", "1") SET_TEST("1", "2") PHASE("0", "0", "write", "0")
		      PHASE("1", "0", "write", "0"),
	      2, 0, 1, 1,
	      "a.jsonl: 1 of its 5 lines is left out of the document; line 4: its test is not the "
	      "one that runs there");
	CHECK(RUN SET_TEST("0", "1") SET_TEST("1", "1") PHASE("1", "0", "write", "0")
		      PHASE("1", "0", "write", "0") TEST_END("0") PHASE("0", "0", "write", "0"),
	      2, 0, 1, 2,
	      "a.jsonl: 2 of its 7 lines are left out of the document; the first one is line 5: "
	      "its phase is there already");
}

static void what_does_not_begin_with_a_run_is_no_journal(void **state)
{
	struct text left_out = {0};

	(void)state;
	assert_null(compose_lines(TEST("0"), &left_out));
	assert_string_equal(text_string(&left_out),
			    "a.jsonl is not a journal of iorx that begins with "
			    "a run; line 1: it stands before the run");
	text_release(&left_out);
}

/* Each byte of a line counts. */
static void a_changed_byte_is_noticed(void **state)
{
	struct text journal = {0}, left_out = {0};
	size_t first;

	(void)state;
	add_lines(&journal, RUN);
	first = journal.length;
	add_lines(&journal, TEST("0"));
	for (size_t at = first; at < journal.length; at++) {
		json_t *document;

		journal.bytes[at] ^= 1;
		document = compose(&journal, &left_out);
		assert_int_equal(json_array_size(json_object_get(document, "tests")), 0);
		assert_true(left_out.length > 0);
		json_decref(document);
		journal.bytes[at] ^= 1;
	}
	text_release(&left_out);
	text_release(&journal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_lines_are_all_in_the_document),
		cmocka_unit_test(errors_and_the_end_stand_behind_the_tests),
		cmocka_unit_test(what_is_torn_is_left_out_and_told),
		cmocka_unit_test(a_journal_twice_is_one_run),
		cmocka_unit_test(lines_stand_in_their_order),
		cmocka_unit_test(tests_of_a_set_are_open_at_the_same_time),
		cmocka_unit_test(what_does_not_begin_with_a_run_is_no_journal),
		cmocka_unit_test(a_changed_byte_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
