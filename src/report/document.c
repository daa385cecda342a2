/* The document, made from the lines of a journal. */
#include "report/document.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/json.h"
#include "report/line.h"
#include "report/record.h"

enum { MOST_OLDER = 1000, TRIES = 10 };

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

/* Writes `"name":value`, separated by commas, for each member except `without`. */
static void write_members(FILE *out, json_t *object, const char *without)
{
	const char *name, *before = "";
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
	fputs(tests->count++ ? ",\n{" : "\n{", tests->out);
	write_members(tests->out, test, NULL);
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
	fputs("],\n", tests->out);
	write_members(tests->out, end, "test");
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

static mode_t usual_mode(FILE *journal)
{
	struct stat status;

	return fstat(fileno(journal), &status) ? 0644 : status.st_mode & 0777;
}

/* Closes the file in any case. */
static int finish_file(FILE *out, const char *temporary, struct error *err)
{
	int failed = fflush(out) || ferror(out) || fsync(fileno(out));
	int code = errno;

	if (fclose(out) && !failed) {
		failed = 1;
		code = errno;
	}
	return failed ? error_set(err, code, "%.300s: %s", temporary, strerror(code)) : 0;
}

static int write_beside(FILE *journal, const char *name, const char *without_end, char *temporary,
			struct document_notes *notes, struct error *err)
{
	int fd = mkostemp(temporary, O_CLOEXEC);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int ret;

	if (!out)
		return error_set(err, errno, "%.300s: %s", temporary, strerror(errno));
	fchmod(fd, usual_mode(journal)); /* mkostemp makes files that only the owner reads */
	ret = document_compose(journal, name, without_end, out, notes, err);
	if (ret) {
		fclose(out);
		return ret;
	}
	return finish_file(out, temporary, err);
}

/* The file that stands under a document's name. */
struct found {
	bool any;		    /* a file that is not empty */
	bool ours;		    /* a document as iorx writes it */
	char status[16], began[40]; /* "" if missing in the document */
};

/* Reads the lines up to "run" as an object. The rest of the document may be large. */
static json_t *read_beginning(FILE *file)
{
	struct text text = {0};
	char *line = NULL;
	size_t capacity = 0;
	json_t *object = NULL;

	for (int i = 0; i < 5 && getline(&line, &capacity, file) > 0; i++) {
		text_add(&text, "%s", line);
		if (strncmp(line, "\"run\":", 6))
			continue;
		text.length -= strlen(",\n");
		text_add(&text, "}");
		object = json_loads(text.bytes, 0, NULL);
		break;
	}
	free(line);
	text_release(&text);
	return object;
}

static void copy_at(const json_t *object, const char *path, char *to, size_t size)
{
	const char *text = json_string_value(json_at(object, path));

	snprintf(to, size, "%s", text ? text : "");
}

static struct found look_at(const char *document)
{
	static const char first[] = "{\"schema\":{\"name\":\"" SCHEMA_NAME "\"";
	struct found found = {.any = false};
	char bytes[sizeof(first)] = "";
	FILE *file = fopen(document, "re");
	json_t *object;

	if (!file) {
		found.any = errno != ENOENT;
		return found;
	}
	found.any = fread(bytes, 1, sizeof(first) - 1, file) > 0;
	found.ours = !strcmp(bytes, first);
	rewind(file);
	if (found.ours) {
		object = read_beginning(file);
		copy_at(object, "status", found.status, sizeof(found.status));
		copy_at(object, "run/began", found.began, sizeof(found.began));
		json_decref(object);
	}
	fclose(file);
	return found;
}

/* Finds the time at which the run of a journal began; "" if its first line has none. */
static void find_began(const char *journal, char *began, size_t size)
{
	FILE *file = fopen(journal, "re");
	char *line = NULL;
	size_t capacity = 0;
	json_t *object = NULL;

	if (file && getline(&line, &capacity, file) > 0)
		object = json_loads(line, 0, NULL);
	copy_at(object, "run/began", began, size);
	json_decref(object);
	free(line);
	if (file)
		fclose(file);
}

/* Reserves a free name with a number by creating an empty file. */
static int reserve_older(const char *document, struct text *older, struct error *err)
{
	for (unsigned number = 1; number <= MOST_OLDER; number++) {
		int fd;

		text_clear(older);
		text_add(older, "%s.%u", document, number);
		fd = open(older->bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return close(fd);
		if (errno != EEXIST)
			break;
	}
	return error_set(err, errno, "%.300s: %s", older->bytes, strerror(errno));
}

static int move_aside(const char *document, struct text *older, struct error *err)
{
	if (reserve_older(document, older, err))
		return -1;
	if (!rename(document, older->bytes))
		return 0;
	error_set(err, errno, "%.300s: %s", document, strerror(errno));
	unlink(older->bytes);
	return -1;
}

static bool may_go(const char *document, const char *began)
{
	struct found found = look_at(document);

	return !found.any || (*found.began && !strcmp(found.began, began));
}

/*
 * link() reports on every file system whether the name is free. rename() serves where links are
 * missing. If another job takes the name meanwhile, its document is moved aside.
 */
static int put_in_place(const char *temporary, const char *journal, const char *document,
			struct text *older, struct error *err)
{
	char began[40];

	find_began(journal, began, sizeof(began));
	for (int i = 0; i < TRIES; i++) {
		if (!link(temporary, document))
			return 0;
		if ((errno != EEXIST && access(document, F_OK)) || may_go(document, began))
			break;
		if (move_aside(document, older, err))
			return -1;
	}
	if (rename(temporary, document))
		return error_set(err, errno, "%.300s: %s", document, strerror(errno));
	return 0;
}

int document_make(const char *journal, const char *document, const char *without_end,
		  struct document_notes *notes, struct error *err)
{
	FILE *file = fopen(journal, "re");
	struct text temporary = {0};
	int ret;

	*notes = (struct document_notes){.older = {0}};
	if (!file)
		return error_input(err, "%.300s: %s", journal, strerror(errno));
	text_add(&temporary, "%s.XXXXXX", document);
	ret = write_beside(file, journal, without_end, temporary.bytes, notes, err);
	if (!ret)
		ret = put_in_place(temporary.bytes, journal, document, &notes->older, err);
	unlink(temporary.bytes);
	text_release(&temporary);
	fclose(file);
	return ret;
}

int document_check_free(const char *document, struct error *err)
{
	struct found found = look_at(document);

	if (!found.any || found.ours)
		return 0;
	return error_input(
		err, "%.300s exists and is not a document of iorx; rename it, or name another file",
		document);
}

int document_check_replace(const char *journal, const char *document, struct error *err)
{
	struct found found = look_at(document);
	char began[40];

	find_began(journal, began, sizeof(began));
	if (!*found.began || strcmp(found.began, began) || !strcmp(found.status, "interrupted"))
		return document_check_free(document, err);
	return error_input(err,
			   "%.300s is there, of this run, and is %s; remove it first to make "
			   "it anew",
			   document, found.status);
}
