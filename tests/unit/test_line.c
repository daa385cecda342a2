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
#define RUN                                                                                           \
	"{\"schema\":{\"name\":\"iorx-result\",\"version\":\"1.0\"},\"run\":{\"iorx_version\":\"1\"," \
	"\"began\":\"" TIME "\",\"command_line\":[],\"job_file\":null,\"job_text\":null,\"tests\":3,\"tasks\":1,"       \
	"\"nodes\":1,\"seed\":1,\"options\":{},\"environment\":{}}}\n"
#define TEST(number)                                                                              \
	"{\"test\":{\"test\":" number ",\"api\":\"posix\",\"backend\":\"posix\"," \
	"\"test_file\":\"f\",\"ref_num\":0,\"line\":null,\"study\":null,\"options\":{},"          \
	"\"content\":null,\"plan\":{},\"mount\":null}}\n"
#define PHASE(test, name, repetition)                                                            \
	"{\"phase\":{\"test\":" test ",\"phase\":\"" name "\",\"repetition\":" repetition        \
	",\"warmup\":false,\"status\":\"complete\",\"began\":\"" TIME "\",\"tasks\":{},"         \
	"\"queue_depth\":1,\"cold\":false,\"cold_method\":null,\"timeline\":null,\"heat\":null," \
	"\"within_this_run_only\":null,\"counters\":null,\"prefill_counters\":null,"             \
	"\"failure\":null,\"stop\":null,\"verdicts\":[]}}\n"
#define TEST_END(test)                                                                     \
	"{\"test_end\":{\"test\":" test ",\"repetitions_end\":\"asked\",\"summaries\":[]," \
	"\"counters\":null}}\n"
#define ERROR "{\"error\":{\"at\":\"" TIME "\",\"kind\":\"io\",\"errno\":5,\"text\":\"no\"}}\n"
#define END   "{\"end\":{\"at\":\"" TIME "\",\"status\":\"failed\",\"exit_code\":1}}\n"

/* The document of a journal, and the sentence about lines that are not in it. */
static json_t *compose(const char *journal, size_t length, struct text *left_out)
{
	struct document_notes notes = {.older = {0}};
	FILE *in = fmemopen((char *)(uintptr_t)journal, length, "r");
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

/* tests, phases of the first and second, unreadable lines, and how the sentence about them begins. */
static void check(const char *journal, size_t length, const size_t wanted[4], const char *sentence)
{
	struct text left_out = {0};
	json_t *document = compose(journal, length, &left_out);

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

#define CHECK(journal, tests, first, second, unreadable, sentence)                              \
	check(journal, sizeof(journal) - 1, (const size_t[]){tests, first, second, unreadable}, \
	      sentence)

static void good_lines_are_all_in_the_document(void **state)
{
	(void)state;
	CHECK(RUN TEST("0") PHASE("0", "write", "0") ERROR PHASE("0", "read", "0")
	              PHASE("0", "write", "1") TEST_END("0") TEST("2") PHASE("2", "write", "0") END,
	      2, 3, 1, 0, "");
	CHECK(RUN, 0, 0, 0, 0, "");
}

static void errors_and_the_end_stand_behind_the_tests(void **state)
{
	static const char journal[] = RUN ERROR TEST("0") ERROR TEST_END("0") END;
	struct text left_out = {0};
	json_t *document = compose(journal, sizeof(journal) - 1, &left_out);

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
	CHECK(RUN TEST("0") PHASE("0", "write", "0") "{\"phase\":{\"te", 1, 1, 0, 1,
	      "a.jsonl: 1 of its 4 lines is left out of the document; line 4: it is torn");
	CHECK(RUN "{\"test\":{\"te\n" PHASE("0", "write", "0") PHASE("0", "read", "0") TEST("1"), 1,
	      0, 0, 3,
	      "a.jsonl: 3 of its 5 lines are left out of the document; the first one is line 2: it is "
	      "no JSON");
	CHECK(RUN TEST("0") "{\"test_end\":{\n" TEST("1") PHASE("1", "write", "0"), 2, 0, 1, 1,
	      "a.jsonl: 1 of its 5 lines is left out of the document; line 3: it is no JSON");
}

static void a_nul_behind_a_number_is_no_line(void **state)
{
	(void)state;
	CHECK(RUN TEST("0") PHASE("0", "write", "0\0") PHASE("0", "read", "0"), 1, 1, 0, 1,
	      "a.jsonl: 1 of its 4 lines is left out of the document; line 3: it is torn");
}

static void a_journal_twice_is_one_run(void **state)
{
	(void)state;
	CHECK(RUN TEST("0") PHASE("0", "write", "0") RUN TEST("0") PHASE("0", "write", "0")
	              PHASE("0", "read", "0"),
	      1, 1, 0, 4,
	      "a.jsonl: 4 of its 7 lines are left out of the document; the first one is line 4: it "
	      "begins a second run");
	CHECK(RUN TEST("0") TEST("0") PHASE("0", "write", "0") PHASE("0", "write", "0"), 1, 1, 0, 2,
	      "a.jsonl: 2 of its 5 lines are left out of the document; the first one is line 3: its "
	      "test is there already");
}

static void lines_stand_in_their_order(void **state)
{
	(void)state;
	CHECK(RUN TEST("1") PHASE("0", "write", "0") TEST("0") TEST("3"), 1, 0, 0, 3,
	      "a.jsonl: 3 of its 5 lines are left out of the document; the first one is line 3: its "
	      "test is not the one that runs there");
	CHECK(RUN TEST("0") PHASE("0", "write", "1") PHASE("0", "read", "0") TEST_END("0")
	              PHASE("0", "read", "1") END TEST("1"),
	      1, 1, 0, 3,
	      "a.jsonl: 3 of its 8 lines are left out of the document; the first one is line 4: its "
	      "phase is there already");
	CHECK(RUN TEST("0") PHASE("0", "dance", "0") PHASE("0", "write", "-1"), 1, 0, 0, 2,
	      "a.jsonl: 2 of its 4 lines are left out of the document; the first one is line 3: there "
	      "is no phase of that name");
}

static void what_does_not_begin_with_a_run_is_no_journal(void **state)
{
	struct text left_out = {0};

	(void)state;
	assert_null(compose(TEST("0"), sizeof(TEST("0")) - 1, &left_out));
	assert_string_equal(text_string(&left_out),
	                    "a.jsonl is not a journal of iorx that begins with "
	                    "a run; line 1: it stands before the run");
	text_release(&left_out);
}

/* A good line of each event, as JSON. */
static json_t *good_line(enum event event)
{
	static const char *const lines[EVENTS] = {
		RUN, TEST("0"), PHASE("0", "write", "0"), TEST_END("0"), ERROR, END};
	json_t *line = json_loads(lines[event], 0, NULL);

	assert_non_null(line);
	return line;
}

/* Whether it is taken where its event may stand; why: it is not. */
static bool is_taken_or(const json_t *line, enum event event, struct text *why)
{
	struct line_order order = {.begun = event != EVENT_RUN, .tests = 1};
	char *dumped = json_dumps(line, JSON_COMPACT);
	struct text text = {0};
	json_t *value;

	if (event == EVENT_PHASE || event == EVENT_TEST_END) {
		order.in_test = true;
		order.next_test = 1;
	}
	text_add(&text, "%s\n", dumped);
	value = line_read(text.bytes, text.length, &order, &event, why);
	json_decref(value);
	free(dumped);
	text_release(&text);
	return value != NULL;
}

static bool is_taken(const json_t *line, enum event event)
{
	struct text why = {0};
	bool taken = is_taken_or(line, event, &why);

	text_release(&why);
	return taken;
}

/* False where the line has a member that line.c does not know. */
static bool is_known(const json_t *line, enum event event)
{
	struct text why = {0};
	bool known = is_taken_or(line, event, &why) || !strstr(why.bytes, "does not write");

	text_release(&why);
	return known;
}

static json_t *schema_of(const json_t *schema, enum event event)
{
	const char *name = event == EVENT_TEST ? "test_head" : line_event_name(event);

	return json_object_get(json_object_get(schema, "$defs"), name);
}

static bool is_required(const json_t *part, const char *name)
{
	const json_t *value;
	size_t i;

	json_array_foreach(json_object_get(part, "required"), i,
	                   value) if (!strcmp(json_string_value(value), name)) return true;
	return false;
}

/* src/report/line.c knows the members that doc/result.schema.json has, and wants those it wants. */
static void members_are_those_of_the_schema(void **state)
{
	struct text path = {0};
	json_t *schema;

	(void)state;
	text_add(&path, "%s/doc/result.schema.json", getenv("SRCDIR"));
	schema = json_load_file(path.bytes, 0, NULL);
	assert_non_null(schema);
	for (enum event event = EVENT_RUN; event < EVENTS; event++) {
		json_t *part = schema_of(schema, event), *property;
		const char *name;

		json_object_foreach(json_object_get(part, "properties"), name, property)
		{
			json_t *line = good_line(event);
			json_t *value = json_object_get(line, line_event_name(event));

			json_object_del(value, name);
			if (is_taken(line, event) == is_required(part, name))
				fail_msg("%s.%s: line.c and the schema differ on whether it is "
				         "required",
				         line_event_name(event), name);
			json_object_set_new(value, name, json_integer(-1));
			assert_true(json_is_object(property) && is_known(line, event));
			json_decref(line);
		}
		assert_true(json_object_size(json_object_get(part, "properties")) > 2);
	}
	json_decref(schema);
	text_release(&path);
}

/* Of each member another type, and one that no event has. */
static void other_types_and_members_are_refused(void **state)
{
	(void)state;
	for (enum event event = EVENT_RUN; event < EVENTS; event++) {
		json_t *line = good_line(event), *value, *old, *copy;
		const char *name;

		value = json_object_get(line, line_event_name(event));
		copy = json_copy(value);
		assert_true(is_taken(line, event));
		json_object_foreach(copy, name, old)
		{
			json_object_set_new(value, name,
			                    json_is_array(old) ? json_object() : json_array());
			assert_false(is_taken(line, event));
			if (json_is_integer(old)) {
				json_object_set_new(value, name, json_real(0.5));
				assert_false(is_taken(line, event));
			}
			json_object_set(value, name, old);
		}
		json_object_set_new(value, "more", json_null());
		assert_false(is_taken(line, event));
		json_decref(copy);
		json_decref(line);
	}
}

static void assert_refused(const char *path, const char *text)
{
	json_t *line = good_line(EVENT_PHASE);

	json_object_set_new(json_object_get(line, "phase"), path, json_string(text));
	assert_false(is_taken(line, EVENT_PHASE));
	json_decref(line);
}

static void words_and_times_are_those_that_iorx_writes(void **state)
{
	(void)state;
	assert_refused("status", "com");
	assert_refused("status", "");
	assert_refused("status", "complete failed");
	assert_refused("began", "2026-11-22");
	assert_refused("began", TIME "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_lines_are_all_in_the_document),
		cmocka_unit_test(errors_and_the_end_stand_behind_the_tests),
		cmocka_unit_test(what_is_torn_is_left_out_and_told),
		cmocka_unit_test(a_nul_behind_a_number_is_no_line),
		cmocka_unit_test(a_journal_twice_is_one_run),
		cmocka_unit_test(lines_stand_in_their_order),
		cmocka_unit_test(what_does_not_begin_with_a_run_is_no_journal),
		cmocka_unit_test(members_are_those_of_the_schema),
		cmocka_unit_test(other_types_and_members_are_refused),
		cmocka_unit_test(words_and_times_are_those_that_iorx_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
