/* Checks the lines of a journal. */
#include "report/line.h"

#include <inttypes.h>
#include <string.h>

#include "report/json.h"
#include "report/record.h"

static const char *event_name(enum event event)
{
	static const char *const names[EVENTS] = {"run",      "test",  "phase",
						  "test_end", "error", "end"};

	return names[event];
}

/* Appends the hash and the end of a line. */
static void add_seal(struct text *out, const void *bytes, size_t length)
{
	text_add(out, ",\"hash\":\"%016" PRIx64 "\"}\n", text_hash(bytes, length));
}

void line_seal(struct text *line)
{
	line->length--; /* the closing brace */
	add_seal(line, line->bytes, line->length);
}

static bool is_sealed(const char *bytes, size_t length)
{
	static const char form[] = ",\"hash\":\"0123456789abcdef\"}\n";
	const size_t seal = sizeof(form) - 1;
	struct text wanted = {0};
	bool same;

	if (length <= seal)
		return false;
	add_seal(&wanted, bytes, length - seal);
	same = !memcmp(wanted.bytes, bytes + length - seal, seal);
	text_release(&wanted);
	return same;
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

/* Lines after a second "run" may belong to another job, so none of them is used. */
static int check_run(struct line_order *order, const json_t *run, struct text *why)
{
	if (order->begun) {
		order->over = true;
		return refuse(why, "it begins a second run");
	}
	*order = (struct line_order){.begun = true, .tests = count_at(run, "tests")};
	return 0;
}

json_int_t line_group(const json_t *test)
{
	const json_int_t set = json_integer_value(json_at(test, "set/number"));
	const char *order = json_string_value(json_at(test, "study/order"));

	if (set || !order || strcmp(order, "interleaved"))
		return set;
	return -1 - json_integer_value(json_at(test, "study/id"));
}

/* The tests of a group are open at the same time. Any other test ends those before it. */
static int check_test(struct line_order *order, const json_t *test, struct text *why)
{
	json_int_t number = count_at(test, "test");
	json_int_t group = line_group(test);

	if (!json_is_integer(json_object_get(test, "test")))
		return refuse(why, "it has no number of a test");
	if (number < order->next_test)
		return refuse(why, "its test is there already");
	if (number >= order->tests)
		return refuse(why, "the run has no test of that number");
	if (!group || group != order->group) {
		memset(order->test, 0, sizeof(order->test));
		order->first = number;
	}
	if (number - order->first >= GROUP_MOST)
		return refuse(why, "its set has too many tests");
	order->group = group;
	order->next_test = number + 1;
	order->test[number - order->first] = (struct line_test){.open = true, .number = number};
	return 0;
}

/* The open test that the value belongs to; NULL: none. */
static struct line_test *open_test(struct line_order *order, const json_t *value)
{
	const json_int_t place = count_at(value, "test") - order->first;

	return place >= 0 && place < GROUP_MOST && order->test[place].open ? &order->test[place]
									   : NULL;
}

static bool is_phase(const char *name)
{
	for (unsigned kind = 0; name && kind < PHASE_KINDS; kind++)
		if (!strcmp(name, phase_name((enum phase_kind)kind)))
			return true;
	return false;
}

static int check_phase(struct line_order *order, const json_t *phase, struct text *why)
{
	const json_int_t index = count_at(phase, "phase_index");
	json_int_t repetition = count_at(phase, "repetition");
	struct line_test *test = open_test(order, phase);

	if (!is_phase(json_string_value(json_object_get(phase, "phase"))))
		return refuse(why, "there is no phase of that name");
	if (index < 0 || index >= PLAN_PHASES)
		return refuse(why, "no plan has a phase of that number");
	if (!test)
		return refuse(why, "its test is not the one that runs there");
	if (repetition > test->repetition)
		test->phases = 0;
	if (repetition < test->repetition || test->phases >> index & 1)
		return refuse(why, "its phase is there already");
	test->repetition = repetition;
	test->phases |= UINT64_C(1) << index;
	return 0;
}

static int check_test_end(struct line_order *order, const json_t *end, struct text *why)
{
	struct line_test *test = open_test(order, end);

	if (!test)
		return refuse(why, "its test is not the one that runs there");
	test->open = false;
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
		if (!json_is_string(json_object_get(value, "status")))
			return refuse(why, "it has no status");
		order->over = true;
		break;
	case EVENT_ERROR:
	case EVENTS:
		break;
	}
	return 0;
}

/* Returns the value of a line and finds its event. */
static json_t *find_event(const json_t *line, enum event *event, struct text *why)
{
	for (*event = EVENT_RUN; *event < EVENTS; ++*event) {
		json_t *value = json_object_get(line, event_name(*event));

		if (json_is_object(value))
			return value;
	}
	text_add(why, "it has no event of iorx");
	return NULL;
}

static json_t *parse(const char *bytes, size_t length, struct text *why)
{
	json_t *line = NULL;

	if (is_sealed(bytes, length))
		line = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
	if (!line)
		text_add(why, "it is torn, or was changed");
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
		      check_order(order, *event, value, why)))
		value = NULL;
	json_incref(value);
	json_decref(line);
	return value;
}
