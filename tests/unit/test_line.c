/* Journals that are torn, doubled or forged: what stands in the document of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "record/document.h"
#include "record/json.h"
#include "record/line.h"

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

/* The document of a journal, and the sentence about lines that are not in it. */
static json_t *compose(const char *journal, struct text *left_out)
{
	struct document_notes notes = {.older = {0}};
	FILE *in = fmemopen((void *)(uintptr_t)journal, strlen(journal), "r");
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
	json_t *document = compose(journal, &left_out);

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
	json_t *document = compose(journal, &left_out);

	(void)state;
	assert_int_equal(json_array_size(json_object_get(document, "errors")), 2);
	assert_string_equal(json_string_value(json_object_get(document, "status")), "failed");
	assert_int_equal(json_integer_value(line_at(document, "end/exit_code")), 1);
	assert_null(
		line_at(json_array_get(json_object_get(document, "tests"), 0), "summaries/test"));
	json_decref(document);
	text_release(&left_out);
}

static void what_is_torn_is_left_out_and_told(void **state)
{
	(void)state;
	CHECK(RUN TEST("0") PHASE("0", "0", "write", "0") "{\"phase\":{\"te", 1, 1, 0, 1,
	      "a.jsonl: 1 of its 4 lines is left out of the document; line 4: it is torn");
	CHECK(RUN "{\"test\":{\"te\n" PHASE("0", "0", "write", "0") PHASE("0", "1", "read", "0")
		      TEST("1"),
	      1, 0, 0, 3,
	      "a.jsonl: 3 of its 5 lines are left out of the document; the first one is line 2: it "
	      "is torn");
	CHECK(RUN TEST("0") "{\"test_end\":{\n" TEST("1") PHASE("1", "0", "write", "0"), 2, 0, 1, 1,
	      "a.jsonl: 1 of its 5 lines is left out of the document; line 3: it is torn");
}

/* Nothing but a forged journal has such lines. What is made of it is a document all the same. */
static void forged_lines_make_no_other_text_than_json(void **state)
{
	(void)state;
	CHECK(RUN TEST("0") PHASE("0", "0", "write", "0") RUN TEST("0") TEST("1"), 1, 1, 0, 3,
	      "a.jsonl: 3 of its 6 lines are left out of the document; the first one is line 4: it "
	      "begins a second run");
	CHECK(RUN TEST("0") TEST("0") TEST_END("0") TEST_END("0") END END, 1, 0, 0, 0, "");
	CHECK(RUN "{\"end\":{\"status\":7}}\n{\"phase\":{}}\n{\"test\":{\"test\":-1}}\n"
		  "{\"test_end\":{\"test\":0}}\n{\"dance\":{}}\n[]\n",
	      0, 0, 0, 6,
	      "a.jsonl: 6 of its 7 lines are left out of the document; the first one is line 2: it "
	      "has no status");
}

static void tests_stand_in_their_order_with_their_own_phases(void **state)
{
	(void)state;
	CHECK(RUN TEST("1") TEST("0") PHASE("1", "0", "write", "0") PHASE("0", "1", "read", "0")
		      PHASE("1", "0", "write", "1") TEST_END("0") TEST_END("1") TEST("2") END,
	      3, 1, 2, 0, "");
	CHECK(RUN TEST("0") PHASE("1", "0", "write", "0"), 1, 0, 0, 1,
	      "a.jsonl: 1 of its 3 lines is left out of the document; line 3: the line of its test "
	      "is not there");
}

/* A journal of 0.1 has a hash at the end of each line. */
static void a_hash_in_a_line_says_nothing(void **state)
{
	(void)state;
	CHECK(RUN "{\"test\":{\"test\":0},\"hash\":\"0123456789abcdef\"}\n", 1, 0, 0, 0, "");
}

static void what_does_not_begin_with_a_run_is_no_journal(void **state)
{
	struct text left_out = {0};

	(void)state;
	assert_null(compose(TEST("0"), &left_out));
	assert_string_equal(text_string(&left_out),
			    "a.jsonl is not a journal of iorx that begins with "
			    "a run; line 1: it stands before the run");
	text_release(&left_out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_lines_are_all_in_the_document),
		cmocka_unit_test(errors_and_the_end_stand_behind_the_tests),
		cmocka_unit_test(what_is_torn_is_left_out_and_told),
		cmocka_unit_test(forged_lines_make_no_other_text_than_json),
		cmocka_unit_test(tests_stand_in_their_order_with_their_own_phases),
		cmocka_unit_test(a_hash_in_a_line_says_nothing),
		cmocka_unit_test(what_does_not_begin_with_a_run_is_no_journal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
