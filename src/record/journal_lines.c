/* Reads the lines of a journal. */
#include "record/journal_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/line.h"
#include "record/phase_line.h"
#include "record/record.h"

static const char *const event_names[EVENTS] = {"run",	 "test", "phase",  "test_end",
						"error", "end",	 "session"};

/* Returns the value of a line, which `object` owns, and finds its event; NULL: there is none. */
static json_t *find_event(const json_t *object, enum journal_event *event)
{
	for (*event = EVENT_RUN; *event < EVENTS; ++*event) {
		json_t *value = json_object_get(object, event_names[*event]);

		if (json_is_object(value))
			return value;
	}
	return NULL;
}

static bool has_schema(const json_t *object)
{
	const char *name = json_string_value(line_at(object, "schema/name"));
	const char *version = json_string_value(line_at(object, "schema/version"));

	return name && version && !strcmp(name, SCHEMA_NAME) && !strcmp(version, SCHEMA_VERSION);
}

/* Returns the number of the line's test, JOURNAL_NO_TEST, or less where the number is missing. */
static json_int_t test_of_line(enum journal_event event, const json_t *value)
{
	const json_t *number = json_object_get(value, "test");

	if (event != EVENT_TEST && event != EVENT_PHASE && event != EVENT_TEST_END)
		return JOURNAL_NO_TEST;
	return json_is_integer(number) && json_integer_value(number) >= 0
		       ? json_integer_value(number)
		       : JOURNAL_NO_TEST - 1;
}

/* Notes what a later session of the job must know of a line. */
static void note_outcome(const json_t *value, struct journal_line *line)
{
	line->repetition = line_count(value, "repetition");
	line->phase = line_count(value, "phase_index");
	if (line->event == EVENT_PHASE) {
		line->complete = phase_line_is(value, "complete");
		line->failed = phase_line_is(value, "failed") ||
			       line_count(phase_line_verification(value), "wrong_transfers");
	} else if (line->event == EVENT_TEST_END) {
		line->complete = strcmp(line_text(value, "repetitions_end"), "ended") != 0;
	} else if (line->event == EVENT_END) {
		line->complete = phase_line_is(value, "complete");
		line->failed = phase_line_is(value, "failed");
	}
}

/* Why the document cannot have this line; NULL: it can, and *line is complete. */
static const char *check_line(struct journal_lines *lines, const json_t *object,
			      struct journal_line *line)
{
	const json_t *value = find_event(object, &line->event);

	if (!object)
		return "it is torn";
	if (!value)
		return "it has no event of iorx";
	if (line->event == EVENT_END && !json_is_string(json_object_get(value, "status")))
		return "it has no status";
	if (!lines->count && line->event != EVENT_RUN)
		return "it stands before the run";
	if (!lines->count && !has_schema(object))
		return "its schema is not " SCHEMA_NAME " " SCHEMA_VERSION
		       "; take the iorx that wrote it";
	lines->over |= lines->count && line->event == EVENT_RUN;
	if (lines->over)
		return "it begins a second run";
	lines->sessions += line->event == EVENT_RUN || line->event == EVENT_SESSION;
	line->session = lines->sessions;
	line->test = test_of_line(line->event, value);
	note_outcome(value, line);
	return line->test < JOURNAL_NO_TEST ? "it has no number of a test" : NULL;
}

static void leave_out(struct journal_lines *lines, uint64_t number, const char *why)
{
	if (!lines->left_out++)
		text_add(&lines->why, "line %" PRIu64 ": %s", number, why);
}

static void add_line(struct journal_lines *lines, const char *bytes, struct journal_line line)
{
	json_t *object = json_loadb(bytes, line.length, JSON_REJECT_DUPLICATES, NULL);
	const char *why = check_line(lines, object, &line);

	json_decref(object);
	if (why) {
		leave_out(lines, line.number, why);
		return;
	}
	lines->list = memory_grow(lines->list, (lines->count + 1) * sizeof(line));
	lines->list[lines->count++] = line;
}

static int compare_lines(const void *a, const void *b)
{
	const struct journal_line *one = a, *other = b;

	if (one->test != other->test)
		return one->test < other->test ? -1 : 1;
	return one->offset < other->offset ? -1 : one->offset > other->offset;
}

/* Sorts lines that report the same thing side by side, the latest one last. */
static int compare_subjects(const void *a, const void *b)
{
	const struct journal_line *one = a, *other = b;

	if (one->test != other->test)
		return one->test < other->test ? -1 : 1;
	if (one->event != other->event)
		return one->event < other->event ? -1 : 1;
	if (one->repetition != other->repetition)
		return one->repetition < other->repetition ? -1 : 1;
	if (one->phase != other->phase)
		return one->phase < other->phase ? -1 : 1;
	return one->offset < other->offset ? -1 : one->offset > other->offset;
}

/* Leaves out all phases that a later session has made again. */
static void drop_replaced(struct journal_lines *lines)
{
	const size_t count = lines->count;

	qsort(lines->list, count, sizeof(*lines->list), compare_subjects);
	lines->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct journal_line *line = &lines->list[i], *next = line + 1;

		if (i + 1 < count && line->event == EVENT_PHASE && next->event == EVENT_PHASE &&
		    line->test == next->test && line->repetition == next->repetition &&
		    line->phase == next->phase)
			continue;
		lines->list[lines->count++] = *line;
	}
}

/* Leaves out ends of tests and of the job behind which the job went on. */
static void drop_ends(struct journal_lines *lines, off_t last)
{
	const size_t count = lines->count;

	lines->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct journal_line *line = &lines->list[i];

		if (line->event == EVENT_TEST_END && i + 1 < count && line[1].test == line->test)
			continue;
		if (line->event == EVENT_END && line->offset < last)
			continue;
		lines->list[lines->count++] = *line;
	}
}

/* Sorts the lines and leaves out those whose test has no line of its own. */
static void sort_lines(struct journal_lines *lines)
{
	const size_t count = lines->count;
	json_int_t test = JOURNAL_NO_TEST;
	bool has_test = true;

	qsort(lines->list, count, sizeof(*lines->list), compare_lines);
	lines->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct journal_line line = lines->list[i];

		if (line.test != test)
			has_test = line.event == EVENT_TEST;
		test = line.test;
		if (has_test)
			lines->list[lines->count++] = line;
		else
			leave_out(lines, line.number, "the line of its test is not there");
	}
}

int journal_lines_read(struct journal_lines *lines, FILE *file, const char *name, struct error *err)
{
	char *bytes = NULL;
	size_t capacity = 0;
	struct journal_line line = {.number = 0};

	*lines = (struct journal_lines){.file = file};
	for (ssize_t length; (length = getline(&bytes, &capacity, file)) > 0;) {
		line.number++;
		line.length = (size_t)length;
		add_line(lines, bytes, line);
		line.offset += length;
		if (bytes[length - 1] == '\n')
			lines->end = line.offset;
	}
	lines->read = line.number;
	lines->size = line.offset;
	free(bytes);
	if (ferror(file))
		return error_set(err, errno, "%.300s: %s", name, strerror(errno));
	if (!lines->count)
		return error_input(err,
				   "%.300s is not a journal of iorx that begins with a run; %s",
				   name,
				   lines->why.length ? text_string(&lines->why) : "it is empty");
	const off_t last = lines->list[lines->count - 1].offset;

	if (lines->sessions > 1)
		drop_replaced(lines);
	sort_lines(lines);
	if (lines->sessions > 1)
		drop_ends(lines, last);
	return 0;
}

void journal_lines_release(struct journal_lines *lines)
{
	text_release(&lines->why);
	free(lines->list);
	*lines = (struct journal_lines){0};
}

json_t *journal_lines_value(const struct journal_lines *lines, const struct journal_line *line)
{
	char *bytes = memory_allocate(line->length, 1);
	json_t *object = NULL, *value;
	enum journal_event event;

	if (!fseeko(lines->file, line->offset, SEEK_SET) &&
	    fread(bytes, 1, line->length, lines->file) == line->length)
		object = json_loadb(bytes, line->length, 0, NULL);
	free(bytes);
	value = json_incref(find_event(object, &event));
	json_decref(object);
	return value;
}

const struct journal_line *journal_lines_find(const struct journal_lines *lines, size_t from,
					      enum journal_event event)
{
	for (size_t i = from; i < lines->count && lines->list[i].test == lines->list[from].test;
	     i++)
		if (lines->list[i].event == event)
			return &lines->list[i];
	return NULL;
}
