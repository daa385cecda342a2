/* The document, joined from the lines of a journal. */
#include "record/document.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/json.h"
#include "record/line.h"
#include "record/record.h"

enum event { EVENT_RUN, EVENT_TEST, EVENT_PHASE, EVENT_TEST_END, EVENT_ERROR, EVENT_END, EVENTS };

static const char *const event_names[EVENTS] = {"run", "test", "phase", "test_end", "error", "end"};

enum { NO_TEST = -1 };

/* Where a good line lies in the journal. */
struct line {
	enum event event;
	json_int_t test; /* number of its test, or NO_TEST */
	uint64_t number; /* from 1 */
	off_t offset;
	size_t length;
};

/* The good lines of a journal, those of no test first, then those of each test in their order. */
struct lines {
	FILE *file;
	struct line *list;
	size_t count;
	uint64_t left_out;
	bool over;	 /* a second run has begun, whose lines may be those of another job */
	struct text why; /* reason of the first line left out */
};

void document_notes_release(struct document_notes *notes)
{
	text_release(&notes->left_out);
	text_release(&notes->older);
}

/* Returns the value of a line, which `object` owns, and finds its event; NULL: there is none. */
static json_t *find_event(const json_t *object, enum event *event)
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

/* Returns the number of the line's test, NO_TEST, or less where the number is missing. */
static json_int_t test_of_line(enum event event, const json_t *value)
{
	const json_t *number = json_object_get(value, "test");

	if (event != EVENT_TEST && event != EVENT_PHASE && event != EVENT_TEST_END)
		return NO_TEST;
	return json_is_integer(number) && json_integer_value(number) >= 0
		       ? json_integer_value(number)
		       : NO_TEST - 1;
}

/* Why the document cannot have this line; NULL: it can, and *line is complete. */
static const char *check_line(struct lines *lines, const json_t *object, struct line *line)
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
	line->test = test_of_line(line->event, value);
	return line->test < NO_TEST ? "it has no number of a test" : NULL;
}

static void leave_out(struct lines *lines, uint64_t number, const char *why)
{
	if (!lines->left_out++)
		text_add(&lines->why, "line %" PRIu64 ": %s", number, why);
}

static void document_add_line(struct lines *lines, const char *bytes, struct line line)
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
	const struct line *one = a, *other = b;

	if (one->test != other->test)
		return one->test < other->test ? -1 : 1;
	return one->offset < other->offset ? -1 : one->offset > other->offset;
}

/* Sorts the lines and leaves out those whose test has no line of its own. */
static void sort_lines(struct lines *lines)
{
	const size_t count = lines->count;
	json_int_t test = NO_TEST;
	bool has_test = true;

	qsort(lines->list, count, sizeof(*lines->list), compare_lines);
	lines->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct line line = lines->list[i];

		if (line.test != test)
			has_test = line.event == EVENT_TEST;
		test = line.test;
		if (has_test)
			lines->list[lines->count++] = line;
		else
			leave_out(lines, line.number, "the line of its test is not there");
	}
}

/* *read: the number of all lines. */
static int read_lines(struct lines *lines, const char *name, uint64_t *read, struct error *err)
{
	char *bytes = NULL;
	size_t capacity = 0;
	struct line line = {.number = 0};

	for (ssize_t length; (length = getline(&bytes, &capacity, lines->file)) > 0;) {
		line.number++;
		line.length = (size_t)length;
		document_add_line(lines, bytes, line);
		line.offset += length;
	}
	*read = line.number;
	free(bytes);
	if (ferror(lines->file))
		return error_set(err, errno, "%.300s: %s", name, strerror(errno));
	if (!lines->count)
		return error_input(err,
				   "%.300s is not a journal of iorx that begins with a run; %s",
				   name,
				   lines->why.length ? text_string(&lines->why) : "it is empty");
	sort_lines(lines);
	return 0;
}

/* Reads a line again and returns its value, which the caller releases; NULL: it has changed. */
static json_t *document_value_of(const struct lines *lines, const struct line *line)
{
	char *bytes = memory_allocate(line->length, 1);
	json_t *object = NULL, *value;
	enum event event;

	if (!fseeko(lines->file, line->offset, SEEK_SET) &&
	    fread(bytes, 1, line->length, lines->file) == line->length)
		object = json_loadb(bytes, line->length, 0, NULL);
	free(bytes);
	value = json_incref(find_event(object, &event));
	json_decref(object);
	return value;
}

static void write_value(FILE *out, const json_t *value)
{
	json_dumpf(value, out, JSON_COMPACT | JSON_ENCODE_ANY);
}

static void document_write_line(FILE *out, const char *before, const struct lines *lines,
				const struct line *line)
{
	json_t *value = document_value_of(lines, line);

	fputs(before, out);
	write_value(out, value);
	json_decref(value);
}

/* Writes the members of the line's value except `without`, as they stand between its braces. */
static void write_members(FILE *out, const char *before, const struct lines *lines,
			  const struct line *line, const char *without)
{
	json_t *object = document_value_of(lines, line);
	char *words;

	if (without)
		json_object_del(object, without);
	words = json_object_size(object) ? json_dumps(object, JSON_COMPACT) : NULL;
	if (words)
		fprintf(out, "%s%.*s", before, (int)strlen(words) - 2, words + 1);
	free(words);
	json_decref(object);
}

/* The first line of this event among those from `from` on that are of the same test, or NULL. */
static const struct line *find_line(const struct lines *lines, size_t from, enum event event)
{
	for (size_t i = from; i < lines->count && lines->list[i].test == lines->list[from].test;
	     i++)
		if (lines->list[i].event == event)
			return &lines->list[i];
	return NULL;
}

/* Writes all lines of this event among those from `from` on that are of the same test. */
static void write_list(FILE *out, const struct lines *lines, size_t from, enum event event)
{
	const struct line *line = &lines->list[from], *end = lines->list + lines->count;
	const char *before = "\n";

	for (; line < end && line->test == lines->list[from].test; line++) {
		if (line->event != event)
			continue;
		document_write_line(out, before, lines, line);
		before = ",\n";
	}
}

static void write_test(FILE *out, const struct lines *lines, size_t from)
{
	const struct line *end = find_line(lines, from, EVENT_TEST_END);

	write_members(out, "{", lines, &lines->list[from], NULL);
	fputs(",\n\"phases\":[", out);
	write_list(out, lines, from, EVENT_PHASE);
	fputs("]", out);
	if (end)
		write_members(out, ",\n", lines, end, "test");
	fputs("}", out);
}

static void write_tests(FILE *out, const struct lines *lines)
{
	json_int_t last = NO_TEST;
	const char *before = "\n";

	for (size_t i = 0; i < lines->count; i++) {
		if (lines->list[i].test == last)
			continue;
		last = lines->list[i].test;
		fputs(before, out);
		write_test(out, lines, i);
		before = ",\n";
	}
}

static void write_document(FILE *out, const struct lines *lines, const char *without_end)
{
	const struct line *last = find_line(lines, 0, EVENT_END);
	json_t *end = last ? document_value_of(lines, last) : NULL;
	json_t *status =
		end ? json_incref(json_object_get(end, "status")) : json_string(without_end);

	fprintf(out, "{\"schema\":{\"name\":\"%s\",\"version\":\"%s\"},\n\"status\":", SCHEMA_NAME,
		SCHEMA_VERSION);
	write_value(out, status);
	fputs(",\n", out);
	if (end)
		fprintf(out, "\"exit_code\":%" JSON_INTEGER_FORMAT ",\n",
			json_integer_value(json_object_get(end, "exit_code")));
	fprintf(out, "\"unreadable_lines\":%" PRIu64 ",\n", lines->left_out);
	document_write_line(out, "\"run\":", lines, &lines->list[0]);
	fputs(",\n\"tests\":[", out);
	write_tests(out, lines);
	fputs("],\n\"errors\":[", out);
	write_list(out, lines, 0, EVENT_ERROR);
	fputs("]", out);
	if (end)
		document_write_line(out, ",\n\"end\":", lines, last);
	fputs("}\n", out);
	json_decref(status);
	json_decref(end);
}

static void note_left_out(const struct lines *lines, uint64_t read, const char *name,
			  struct document_notes *notes)
{
	if (lines->left_out)
		text_add(&notes->left_out,
			 "%.300s: %" PRIu64 " of its %" PRIu64
			 " lines %s left out of the document%s %s",
			 name, lines->left_out, read, lines->left_out == 1 ? "is" : "are",
			 lines->left_out == 1 ? ";" : "; the first one is",
			 text_string(&lines->why));
}

int document_compose(FILE *journal, const char *name, const char *without_end, FILE *out,
		     struct document_notes *notes, struct error *err)
{
	struct lines lines = {.file = journal};
	uint64_t read;
	int ret = read_lines(&lines, name, &read, err);

	if (!ret) {
		note_left_out(&lines, read, name, notes);
		write_document(out, &lines, without_end);
		if (ferror(journal) || feof(journal)) /* the end is met where a line was cut */
			ret = error_set(err, EIO, "%.300s: cannot be read again", name);
	}
	text_release(&lines.why);
	free(lines.list);
	return ret;
}
