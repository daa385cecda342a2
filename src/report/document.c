/* The document, made from the lines of a journal. */
#include "report/document.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "report/line.h"
#include "report/record.h"

/* Reads the good lines of a journal, once or several times. */
struct reader {
	FILE *file;
	char *bytes;
	size_t capacity;
	off_t offset;
	off_t limit; /* length at the first pass: lines may be added later */
	struct line_order order;
	uint64_t lines, left_out;
	struct text why; /* reason of the first line left out */
};

/* Parts of the document before and behind its tests. */
struct frame {
	char status[16];
	json_t *end;
	uint64_t errors;
};

void document_notes_release(struct document_notes *notes)
{
	text_release(&notes->left_out);
	text_release(&notes->older);
}

static void reader_restart(struct reader *reader)
{
	rewind(reader->file);
	reader->limit = reader->offset;
	reader->offset = 0;
	reader->order = (struct line_order){0};
	reader->lines = reader->left_out = 0;
}

static void leave_out(struct reader *reader, const struct text *why)
{
	if (!reader->left_out++ && !reader->why.length)
		text_add(&reader->why, "line %" PRIu64 ": %s", reader->lines, text_string(why));
}

/* Returns the value of the next good line, which the caller releases; NULL at the end. */
static json_t *reader_next(struct reader *reader, enum event *event)
{
	ssize_t length;

	while (reader->offset < reader->limit &&
	       (length = getline(&reader->bytes, &reader->capacity, reader->file)) > 0) {
		struct text why = {0};
		json_t *value;

		if (length > reader->limit - reader->offset)
			length = reader->limit - reader->offset;
		reader->offset += length;
		reader->lines++;
		value = line_read(reader->bytes, (size_t)length, &reader->order, event, &why);
		if (!value)
			leave_out(reader, &why);
		text_release(&why);
		if (value)
			return value;
	}
	return NULL;
}

/* The first pass: collects the members that the document has before its tests. */
static int read_frame(struct reader *reader, const char *name, struct frame *frame,
		      struct error *err)
{
	enum event event;
	json_t *value;

	while ((value = reader_next(reader, &event))) {
		frame->errors += event == EVENT_ERROR;
		if (event == EVENT_END)
			frame->end = json_incref(value);
		json_decref(value);
	}
	if (ferror(reader->file))
		return error_set(err, errno, "%.300s: %s", name, strerror(errno));
	if (!reader->order.begun)
		return error_input(err,
				   "%.300s is not a journal of iorx that begins with a run; %s",
				   name,
				   reader->why.length ? text_string(&reader->why) : "it is empty");
	return 0;
}

static void write_value(FILE *out, const json_t *value)
{
	json_dumpf(value, out, JSON_COMPACT | JSON_ENCODE_ANY);
}

/* Writes `"name":value` for each member except `without`: `before`, and commas between members. */
static void write_members(FILE *out, const char *before, json_t *object, const char *without)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		json_t *key = json_string(name);

		if (!without || strcmp(name, without)) {
			fputs(before, out);
			write_value(out, key);
			fputs(":", out);
			write_value(out, value);
			before = ",";
		}
		json_decref(key);
	}
}

static void write_head(FILE *out, const struct reader *reader, const struct frame *frame)
{
	fprintf(out, "{\"schema\":{\"name\":\"%s\",\"version\":\"%s\"},\n\"status\":", SCHEMA_NAME,
		SCHEMA_VERSION);
	if (frame->end)
		write_value(out, json_object_get(frame->end, "status"));
	else
		fprintf(out, "\"%s\"", frame->status);
	fputs(",\n", out);
	if (frame->end)
		fprintf(out, "\"exit_code\":%" JSON_INTEGER_FORMAT ",\n",
			json_integer_value(json_object_get(frame->end, "exit_code")));
	fprintf(out, "\"unreadable_lines\":%" PRIu64 ",\n", reader->left_out);
}

/* A test of a set or of points in turns, which is kept until all of these have ended. */
struct kept_test {
	json_t *test, *end; /* NULL: not yet */
	struct text phases; /* as in the document */
	unsigned count;
};

/* Position in the list of tests that is written. */
struct tests {
	FILE *out;
	unsigned count, phases; /* phases: of the present test */
	bool open;		/* its phases may follow */
	json_int_t group;	/* of the tests that are kept; 0: none */
	json_int_t first;	/* number of the first of these */
	struct kept_test kept[GROUP_MOST];
};

static void end_test(struct tests *tests)
{
	if (tests->open)
		fputs("]}", tests->out);
	tests->open = false;
}

static void begin_test(struct tests *tests, json_t *test)
{
	write_members(tests->out, tests->count++ ? ",\n{" : "\n{", test, NULL);
	fputs(",\n\"phases\":[", tests->out);
	tests->phases = 0;
	tests->open = true;
}

static void write_phase(struct tests *tests, const json_t *phase)
{
	fputs(tests->phases++ ? ",\n" : "\n", tests->out);
	write_value(tests->out, phase);
}

static void write_test_end(struct tests *tests, json_t *end)
{
	fputs("]", tests->out);
	write_members(tests->out, ",\n", end, "test");
	fputs("}", tests->out);
	tests->open = false;
}

static void keep_phase(struct kept_test *kept, const json_t *phase)
{
	char *words = json_dumps(phase, JSON_COMPACT);

	text_add(&kept->phases, "%s\n%s", kept->count++ ? "," : "", words);
	free(words);
}

/* Writes the tests of a group that has ended. */
static void write_kept(struct tests *tests)
{
	for (unsigned i = 0; i < GROUP_MOST && tests->group; i++) {
		struct kept_test *kept = &tests->kept[i];

		if (!kept->test)
			continue;
		begin_test(tests, kept->test);
		fputs(text_string(&kept->phases), tests->out);
		if (kept->end)
			write_test_end(tests, kept->end);
		end_test(tests);
		json_decref(kept->test);
		text_release(&kept->phases);
		json_decref(kept->end);
		*kept = (struct kept_test){0};
	}
	tests->group = 0;
}

static void start_test(struct tests *tests, json_t *test)
{
	const json_int_t group = line_group(test);
	const json_int_t number = json_integer_value(json_object_get(test, "test"));

	end_test(tests);
	if (!group || group != tests->group) {
		write_kept(tests);
		tests->first = number;
	}
	tests->group = group;
	if (group)
		tests->kept[number - tests->first] = (struct kept_test){.test = json_incref(test)};
	else
		begin_test(tests, test);
}

static struct kept_test *kept_of(struct tests *tests, const json_t *value)
{
	const json_int_t number = json_integer_value(json_object_get(value, "test"));

	return tests->group ? &tests->kept[number - tests->first] : NULL;
}

static void write_event(struct tests *tests, enum event event, json_t *value)
{
	struct kept_test *kept = kept_of(tests, value);

	switch (event) {
	case EVENT_RUN:
		fputs("\"run\":", tests->out);
		write_value(tests->out, value);
		fputs(",\n\"tests\":[", tests->out);
		break;
	case EVENT_TEST:
		start_test(tests, value);
		break;
	case EVENT_PHASE:
		if (kept)
			keep_phase(kept, value);
		else
			write_phase(tests, value);
		break;
	case EVENT_TEST_END:
		if (kept)
			kept->end = json_incref(value);
		else
			write_test_end(tests, value);
		break;
	case EVENT_ERROR:
	case EVENT_END:
	case EVENTS:
		break;
	}
}

static void write_tests(FILE *out, struct reader *reader)
{
	struct tests tests = {.out = out};
	enum event event;
	json_t *value;

	reader_restart(reader);
	while ((value = reader_next(reader, &event))) {
		write_event(&tests, event, value);
		json_decref(value);
	}
	end_test(&tests);
	write_kept(&tests);
	fputs("],\n", out);
}

static void write_errors(FILE *out, struct reader *reader, const struct frame *frame)
{
	uint64_t written = 0;
	enum event event;
	json_t *value;

	fputs("\"errors\":[", out);
	if (frame->errors)
		reader_restart(reader);
	while (written < frame->errors && (value = reader_next(reader, &event))) {
		if (event == EVENT_ERROR) {
			fputs(written++ ? ",\n" : "\n", out);
			write_value(out, value);
		}
		json_decref(value);
	}
	fputs("]", out);
}

static void note_left_out(const struct reader *reader, uint64_t left_out, const char *name,
			  struct document_notes *notes)
{
	if (left_out)
		text_add(&notes->left_out,
			 "%.300s: %" PRIu64 " of its %" PRIu64
			 " lines %s left out of the document%s %s",
			 name, left_out, reader->lines, left_out == 1 ? "is" : "are",
			 left_out == 1 ? ";" : "; the first one is", text_string(&reader->why));
}

static void write_document(FILE *out, struct reader *reader, const struct frame *frame)
{
	write_head(out, reader, frame);
	write_tests(out, reader);
	write_errors(out, reader, frame);
	if (frame->end) {
		fputs(",\n\"end\":", out);
		write_value(out, frame->end);
	}
	fputs("}\n", out);
}

int document_compose(FILE *journal, const char *name, const char *without_end, FILE *out,
		     struct document_notes *notes, struct error *err)
{
	struct reader reader = {.file = journal, .limit = INT64_MAX};
	struct frame frame = {.end = NULL};
	int ret;

	snprintf(frame.status, sizeof(frame.status), "%s", without_end);
	ret = read_frame(&reader, name, &frame, err);
	if (!ret) {
		note_left_out(&reader, reader.left_out, name, notes);
		write_document(out, &reader, &frame);
		if (ferror(journal))
			ret = error_set(err, EIO, "%.300s: cannot be read again", name);
	}
	json_decref(frame.end);
	text_release(&reader.why);
	free(reader.bytes);
	return ret;
}
