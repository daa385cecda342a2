/* Checks the lines of a journal. */
#include "report/line.h"

#include <ctype.h>
#include <string.h>

#include "report/json.h"
#include "report/record.h"

enum type {
	ABSENT = 1 << 0, /* the member may be missing */
	NONE = 1 << 1,   /* null */
	TEXT = 1 << 2,
	TIME = 1 << 3,
	COUNT = 1 << 4, /* not negative */
	INTEGER = 1 << 5,
	TRUTH = 1 << 6,
	OBJECT = 1 << 7,
	LIST = 1 << 8,
};

/* Every member of each event. A unit test compares them with doc/result.schema.json. */
static const struct member {
	enum event event;
	const char *name;
	unsigned types;
	const char *words; /* the only values of a text, NULL: any */
} members[] = {
	{EVENT_RUN, "iorx_version", TEXT, NULL},
	{EVENT_RUN, "began", TIME, NULL},
	{EVENT_RUN, "command_line", LIST, NULL},
	{EVENT_RUN, "job_file", TEXT | NONE, NULL},
	{EVENT_RUN, "job_text", TEXT | NONE, NULL},
	{EVENT_RUN, "tests", COUNT, NULL},
	{EVENT_RUN, "tasks", COUNT, NULL},
	{EVENT_RUN, "nodes", COUNT, NULL},
	{EVENT_RUN, "hosts", LIST | ABSENT, NULL},
	{EVENT_RUN, "seed", COUNT, NULL},
	{EVENT_RUN, "options", OBJECT, NULL},
	{EVENT_RUN, "environment", OBJECT, NULL},

	{EVENT_TEST, "test", COUNT, NULL},
	{EVENT_TEST, "api", TEXT, NULL},
	{EVENT_TEST, "backend", TEXT, NULL},
	{EVENT_TEST, "test_file", TEXT, NULL},
	{EVENT_TEST, "ref_num", INTEGER, NULL},
	{EVENT_TEST, "line", INTEGER | NONE, NULL},
	{EVENT_TEST, "study", OBJECT | NONE, NULL},
	{EVENT_TEST, "options", OBJECT, NULL},
	{EVENT_TEST, "content", OBJECT | NONE, NULL},
	{EVENT_TEST, "plan", OBJECT, NULL},
	{EVENT_TEST, "mount", OBJECT | NONE, NULL},

	{EVENT_PHASE, "test", COUNT, NULL},
	{EVENT_PHASE, "phase", TEXT, NULL},
	{EVENT_PHASE, "repetition", COUNT, NULL},
	{EVENT_PHASE, "warmup", TRUTH, NULL},
	{EVENT_PHASE, "status", TEXT, "complete failed stopped skipped"},
	{EVENT_PHASE, "began", TIME, NULL},
	{EVENT_PHASE, "tasks", OBJECT, NULL},
	{EVENT_PHASE, "queue_depth", COUNT, NULL},
	{EVENT_PHASE, "cold", TRUTH, NULL},
	{EVENT_PHASE, "cold_method", TEXT | NONE, NULL},
	{EVENT_PHASE, "intervals", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "rates", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "names", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "balance", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "timeline", OBJECT | NONE, NULL},
	{EVENT_PHASE, "heat", OBJECT | NONE, NULL},
	{EVENT_PHASE, "within_this_run_only", OBJECT | NONE, NULL},
	{EVENT_PHASE, "counters", OBJECT | NONE, NULL},
	{EVENT_PHASE, "prefill_counters", OBJECT | NONE, NULL},
	{EVENT_PHASE, "stonewall", OBJECT | NONE | ABSENT, NULL},
	{EVENT_PHASE, "slow", OBJECT | NONE | ABSENT, NULL},
	{EVENT_PHASE, "little", OBJECT | NONE | ABSENT, NULL},
	{EVENT_PHASE, "task_p99", OBJECT | NONE | ABSENT, NULL},
	{EVENT_PHASE, "queue", OBJECT | NONE | ABSENT, NULL},
	{EVENT_PHASE, "data", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "files", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "verification", OBJECT | NONE | ABSENT, NULL},
	{EVENT_PHASE, "stamps", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "operations", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "kernel", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "clock", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "settings", OBJECT | ABSENT, NULL},
	{EVENT_PHASE, "outliers", OBJECT | NONE | ABSENT, NULL},
	{EVENT_PHASE, "failure", OBJECT | NONE, NULL},
	{EVENT_PHASE, "stop", TEXT | NONE, NULL},
	{EVENT_PHASE, "verdicts", LIST, NULL},

	{EVENT_TEST_END, "test", COUNT, NULL},
	{EVENT_TEST_END, "repetitions_end", TEXT, NULL},
	{EVENT_TEST_END, "comparable_with_ior", TEXT | NONE | ABSENT, NULL},
	{EVENT_TEST_END, "comparable_with_mdtest", TEXT | NONE | ABSENT, NULL},
	{EVENT_TEST_END, "summaries", LIST, NULL},
	{EVENT_TEST_END, "counters", OBJECT | NONE, NULL},

	{EVENT_ERROR, "at", TIME, NULL},
	{EVENT_ERROR, "kind", TEXT, "input io"},
	{EVENT_ERROR, "errno", INTEGER | NONE, NULL},
	{EVENT_ERROR, "text", TEXT, NULL},

	{EVENT_END, "at", TIME, NULL},
	{EVENT_END, "status", TEXT, "complete failed interrupted"},
	{EVENT_END, "exit_code", INTEGER, NULL},
};

enum { MEMBERS = sizeof(members) / sizeof(members[0]) };

const char *line_event_name(enum event event)
{
	static const char *const names[EVENTS] = {"run",      "test",  "phase",
	                                          "test_end", "error", "end"};

	return names[event];
}

/* As put_time() writes it. */
static bool is_time(const char *text)
{
	static const char form[] = "0000-00-00T00:00:00.000000000Z";
	size_t i = 0;

	for (; form[i] && text[i]; i++)
		if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : form[i] != text[i])
			return false;
	return !form[i] && !text[i];
}

static bool is_word(const char *words, const char *text)
{
	size_t length = strcspn(text, " ");
	const char *found = words;

	while (length && !text[length] && (found = strstr(found, text))) {
		bool begins = found == words || found[-1] == ' ';

		if (begins && (!found[length] || found[length] == ' '))
			return true;
		found += length;
	}
	return false;
}

/* The types that a value can stand for. */
static unsigned types_of(const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return OBJECT;
	case JSON_ARRAY:
		return LIST;
	case JSON_STRING:
		return TEXT | (is_time(json_string_value(value)) ? TIME : 0);
	case JSON_INTEGER:
		return INTEGER | (json_integer_value(value) >= 0 ? COUNT : 0);
	case JSON_REAL: /* json_count() of what passes 2^63 */
		return json_real_value(value) >= 0x1p63 ? COUNT : 0;
	case JSON_TRUE:
	case JSON_FALSE:
		return TRUTH;
	case JSON_NULL:
		return NONE;
	}
	return 0;
}

static bool member_is_right(const struct member *member, const json_t *value)
{
	if (!value)
		return member->types & ABSENT;
	if (!(types_of(value) & member->types))
		return false;
	return !member->words || is_word(member->words, json_string_value(value));
}

static int check_members(enum event event, const json_t *object, struct text *why)
{
	size_t known = 0;

	for (size_t i = 0; i < MEMBERS; i++) {
		const json_t *value = json_object_get(object, members[i].name);

		if (members[i].event != event)
			continue;
		if (!member_is_right(&members[i], value)) {
			text_add(why, "%s.%s %s", line_event_name(event), members[i].name,
			         value ? "is not what it must be" : "is missing");
			return -1;
		}
		known += value != NULL;
	}
	if (known == json_object_size(object))
		return 0;
	text_add(why, "its %s has members that iorx does not write", line_event_name(event));
	return -1;
}

static int check_schema(const json_t *line, struct text *why)
{
	const char *name = json_string_value(json_at(line, "schema/name"));
	const char *version = json_string_value(json_at(line, "schema/version"));

	if (name && version && !strcmp(name, SCHEMA_NAME) && !strcmp(version, SCHEMA_VERSION))
		return 0;
	text_add(why, "its schema is not %s %s; take the iorx that wrote it", SCHEMA_NAME,
	         SCHEMA_VERSION);
	return -1;
}

static json_int_t count_at(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

static int refuse(struct text *why, const char *text)
{
	text_add(why, "%s", text);
	return -1;
}

/* Nothing behind a second run is believed: it may be of another job. */
static int check_run(struct line_order *order, const json_t *run, struct text *why)
{
	if (order->begun) {
		order->over = true;
		return refuse(why, "it begins a second run");
	}
	*order = (struct line_order){.begun = true, .tests = count_at(run, "tests")};
	return 0;
}

static int check_test(struct line_order *order, const json_t *test, struct text *why)
{
	json_int_t number = count_at(test, "test");

	if (number < order->next_test)
		return refuse(why, "its test is there already");
	if (number >= order->tests)
		return refuse(why, "the run has no test of that number");
	order->in_test = true;
	order->next_test = number + 1;
	order->repetition = 0;
	order->phases = 0;
	return 0;
}

static bool is_in_test(const struct line_order *order, const json_t *value)
{
	return order->in_test && count_at(value, "test") == order->next_test - 1;
}

static uint64_t phase_bit(const char *name)
{
	for (unsigned kind = 0; kind < PHASE_KINDS; kind++)
		if (!strcmp(name, phase_name((enum phase_kind)kind)))
			return UINT64_C(1) << kind;
	return 0;
}

static int check_phase(struct line_order *order, const json_t *phase, struct text *why)
{
	uint64_t bit = phase_bit(json_string_value(json_object_get(phase, "phase")));
	json_int_t repetition = count_at(phase, "repetition");

	if (!bit)
		return refuse(why, "there is no phase of that name");
	if (!is_in_test(order, phase))
		return refuse(why, "its test is not the one that runs there");
	if (repetition > order->repetition)
		order->phases = 0;
	if (repetition < order->repetition || order->phases & bit)
		return refuse(why, "its phase is there already");
	order->repetition = repetition;
	order->phases |= bit;
	return 0;
}

static int check_test_end(struct line_order *order, const json_t *end, struct text *why)
{
	if (!is_in_test(order, end))
		return refuse(why, "its test is not the one that runs there");
	order->in_test = false;
	return 0;
}

static int check_order(struct line_order *order, enum event event, const json_t *value,
                       struct text *why)
{
	if (order->over)
		return refuse(why, "it stands behind the end of the run");
	if (!order->begun && event != EVENT_RUN)
		return refuse(why, "it stands before the run");
	switch (event) {
	case EVENT_RUN:
		return check_run(order, value, why);
	case EVENT_TEST:
		return check_test(order, value, why);
	case EVENT_PHASE:
		return check_phase(order, value, why);
	case EVENT_TEST_END:
		return check_test_end(order, value, why);
	case EVENT_END:
		order->over = true;
		break;
	case EVENT_ERROR:
	case EVENTS:
		break;
	}
	return 0;
}

/* The event that a line's one member names, the first line's also having the schema. */
static json_t *find_event(const json_t *line, enum event *event, struct text *why)
{
	for (*event = EVENT_RUN; *event < EVENTS; ++*event) {
		json_t *value = json_object_get(line, line_event_name(*event));
		size_t wanted = *event == EVENT_RUN ? 2 : 1;

		if (json_is_object(value) && json_object_size(line) == wanted)
			return value;
	}
	text_add(why, "it has no event of iorx");
	return NULL;
}

/* jansson passes over a NUL behind a number. */
static json_t *parse(const char *bytes, size_t length, struct text *why)
{
	json_error_t error;
	json_t *line;

	if (!length || bytes[length - 1] != '\n' || memchr(bytes, '\0', length)) {
		text_add(why, "it is torn");
		return NULL;
	}
	line = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
	if (!line)
		text_add(why, "it is no JSON");
	return line;
}

json_t *line_read(const char *bytes, size_t length, struct line_order *order, enum event *event,
                  struct text *why)
{
	json_t *line = parse(bytes, length, why), *value;

	if (!line)
		return NULL;
	value = find_event(line, event, why);
	if (value && ((*event == EVENT_RUN && check_schema(line, why)) ||
	              check_members(*event, value, why) || check_order(order, *event, value, why)))
		value = NULL;
	json_incref(value);
	json_decref(line);
	return value;
}
