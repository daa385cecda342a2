/* The document, made from the lines of a journal. */
#include "report/document.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/record.h"

enum event { EVENT_RUN, EVENT_TEST, EVENT_PHASE, EVENT_TEST_END, EVENT_ERROR, EVENT_END, EVENTS };

static const char *const event_names[EVENTS] = {"run", "test", "phase", "test_end", "error", "end"};

/* Where the value of a line stands in the journal. */
struct entry {
	enum event event;
	json_int_t test; /* -1: of no test */
	off_t offset;
	size_t length;
};

struct index {
	FILE *journal;
	struct entry *entries;
	size_t count, capacity;
	uint64_t unreadable; /* lines */
	char status[16];
	json_int_t exit_code; /* -1: there was no end */
	bool failed; /* the journal could not be read again */
};

static void index_add(struct index *index, struct entry entry)
{
	if (index->count == index->capacity) {
		index->capacity = index->capacity ? 2 * index->capacity : 64;
		index->entries = memory_grow(index->entries,
					     index->capacity * sizeof(*index->entries));
	}
	index->entries[index->count++] = entry;
}

static void note_end(struct index *index, const json_t *end)
{
	const char *status = json_string_value(json_object_get(end, "status"));

	if (status)
		snprintf(index->status, sizeof(index->status), "%s", status);
	index->exit_code = json_integer_value(json_object_get(end, "exit_code"));
}

/* The value of a line's event begins after `"event":` and ends before the last brace. */
static int locate(const char *line, size_t length, off_t offset, struct entry *entry)
{
	char key[32];
	const char *found;
	size_t begin, end = length;

	snprintf(key, sizeof(key), "\"%s\":", event_names[entry->event]);
	found = strstr(line, key);
	while (end && line[end - 1] != '}')
		end--;
	begin = found ? (size_t)(found - line) + strlen(key) : end;
	if (begin + 1 >= end)
		return -1;
	entry->offset = offset + (off_t)begin;
	entry->length = end - 1 - begin;
	return 0;
}

static int take_line(struct index *index, const char *line, size_t length, off_t offset)
{
	json_t *object = json_loadb(line, length, 0, NULL);
	struct entry entry = {.event = EVENT_RUN, .test = -1};
	const json_t *value = NULL, *test;
	int ret = -1;

	while (entry.event < EVENTS &&
	       !(value = json_object_get(object, event_names[entry.event])))
		entry.event++;
	if (json_is_object(value) && !locate(line, length, offset, &entry)) {
		test = json_object_get(value, "test");
		if (json_is_integer(test))
			entry.test = json_integer_value(test);
		if (entry.event == EVENT_END)
			note_end(index, value);
		index_add(index, entry);
		ret = 0;
	}
	json_decref(object);
	return ret;
}

static int index_read(struct index *index, const char *journal, struct error *err)
{
	char *line = NULL;
	size_t capacity = 0;
	off_t offset = 0;
	ssize_t length;

	while ((length = getline(&line, &capacity, index->journal)) > 0) {
		/* without its end or with a hole in it: it was being written when all stopped */
		if (line[length - 1] != '\n' || take_line(index, line, (size_t)length, offset))
			index->unreadable++;
		offset += length;
	}
	free(line);
	if (ferror(index->journal))
		return error_set(err, errno, "%.300s: %s", journal, strerror(errno));
	if (!index->count || index->entries[0].event != EVENT_RUN)
		return error_input(err, "%.300s is not a journal of iorx: it does not begin with a "
					"run", journal);
	return 0;
}

static void copy_bytes(struct index *index, const struct entry *entry, size_t length, FILE *out)
{
	char buffer[16384];

	fseeko(index->journal, entry->offset, SEEK_SET);
	while (length && !index->failed) {
		size_t chunk = length < sizeof(buffer) ? length : sizeof(buffer);

		index->failed = fread(buffer, 1, chunk, index->journal) != chunk;
		fwrite(buffer, 1, chunk, out);
		length -= chunk;
	}
}

static bool of_test(const struct entry *entry, enum event event, json_int_t test)
{
	return entry->event == event && (test < 0 || entry->test == test);
}

/* All values of an event, one per line. */
static void write_list(struct index *index, enum event event, json_int_t test, FILE *out)
{
	bool any = false;

	fputc('[', out);
	for (size_t i = 0; i < index->count; i++) {
		const struct entry *entry = &index->entries[i];

		if (!of_test(entry, event, test))
			continue;
		fputs(any ? ",\n" : "\n", out);
		copy_bytes(index, entry, entry->length, out);
		any = true;
	}
	fputc(']', out);
}

/* test_end holds {"test": …, "repetitions_end": …, …}: all but the first goes into the test. */
static void write_summaries(struct index *index, json_int_t test, FILE *out)
{
	static const char key[] = "\"repetitions_end\":";

	for (size_t i = 0; i < index->count; i++) {
		struct entry entry = index->entries[i];
		char head[256] = "";
		const char *found;

		if (!of_test(&entry, EVENT_TEST_END, test))
			continue;
		fseeko(index->journal, entry.offset, SEEK_SET);
		if (fread(head, 1, entry.length < 255 ? entry.length : 255, index->journal) == 0)
			return;
		found = strstr(head, key);
		if (!found)
			continue;
		entry.offset += (off_t)(found - head);
		fputs(",\n", out);
		copy_bytes(index, &entry, entry.length - (size_t)(found - head) - 1, out);
		return;
	}
}

static void write_tests(struct index *index, FILE *out)
{
	bool any = false;

	fputs("\"tests\":[", out);
	for (size_t i = 0; i < index->count; i++) {
		const struct entry *entry = &index->entries[i];

		if (entry->event != EVENT_TEST)
			continue;
		fputs(any ? ",\n" : "\n", out);
		copy_bytes(index, entry, entry->length - 1, out); /* without its closing brace */
		fputs(",\n\"phases\":", out);
		write_list(index, EVENT_PHASE, entry->test, out);
		write_summaries(index, entry->test, out);
		fputc('}', out);
		any = true;
	}
	fputs("],\n", out);
}

static void write_document(struct index *index, FILE *out)
{
	fprintf(out, "{\"schema\":{\"name\":\"%s\",\"version\":\"%s\"},\n\"status\":\"%s\",\n",
		SCHEMA_NAME, SCHEMA_VERSION, index->status);
	if (index->exit_code >= 0)
		fprintf(out, "\"exit_code\":%" JSON_INTEGER_FORMAT ",\n", index->exit_code);
	fprintf(out, "\"unreadable_lines\":%" PRIu64 ",\n\"run\":", index->unreadable);
	copy_bytes(index, &index->entries[0], index->entries[0].length, out);
	fputs(",\n", out);
	write_tests(index, out);
	fputs("\"errors\":", out);
	write_list(index, EVENT_ERROR, -1, out);
	for (size_t i = 0; i < index->count; i++)
		if (index->entries[i].event == EVENT_END) {
			fputs(",\n\"end\":", out);
			copy_bytes(index, &index->entries[i], index->entries[i].length, out);
			break;
		}
	fputs("}\n", out);
}

static mode_t usual_mode(const char *journal)
{
	struct stat status;

	return stat(journal, &status) ? 0644 : status.st_mode & 0777;
}

/* fclose() in any case. */
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

static int write_beside(struct index *index, const char *journal, char *temporary,
			struct error *err)
{
	int fd = mkostemp(temporary, O_CLOEXEC);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out)
		return error_set(err, errno, "%.300s: %s", temporary, strerror(errno));
	fchmod(fd, usual_mode(journal)); /* mkostemp makes files that only the owner reads */
	write_document(index, out);
	if (finish_file(out, temporary, err))
		return -1;
	return index->failed ? error_set(err, EIO, "%.300s: cannot be read again", journal) : 0;
}

static int replace_document(struct index *index, const char *journal, const char *document,
			    struct error *err)
{
	struct text temporary = {0};
	int ret;

	text_add(&temporary, "%s.XXXXXX", document);
	ret = write_beside(index, journal, temporary.bytes, err);
	if (!ret && rename(temporary.bytes, document))
		ret = error_set(err, errno, "%.300s: %s", document, strerror(errno));
	if (ret)
		unlink(temporary.bytes);
	text_release(&temporary);
	return ret;
}

int document_make(const char *journal, const char *document, const char *without_end,
		  struct error *err)
{
	struct index index = {.exit_code = -1};
	int ret;

	snprintf(index.status, sizeof(index.status), "%s", without_end);
	index.journal = fopen(journal, "re");
	if (!index.journal)
		return error_set(err, errno, "%.300s: %s", journal, strerror(errno));
	ret = index_read(&index, journal, err);
	if (!ret)
		ret = replace_document(&index, journal, document, err);
	fclose(index.journal);
	free(index.entries);
	return ret;
}

/* The first line of a journal as JSON; NULL when it has none. */
static json_t *first_line(const char *journal)
{
	FILE *file = fopen(journal, "re");
	char *line = NULL;
	size_t capacity = 0;
	json_t *object = NULL;
	ssize_t length;

	if (!file)
		return NULL;
	length = getline(&line, &capacity, file);
	if (length > 0)
		object = json_loadb(line, (size_t)length, 0, NULL);
	free(line);
	fclose(file);
	return object;
}

/* When the run of a document or of a journal's first line began, to the nanosecond; "" unknown. */
static const char *run_began(const json_t *object)
{
	const char *began =
		json_string_value(json_object_get(json_object_get(object, "run"), "began"));

	return began ? began : "";
}

static int check_found(const json_t *ours, const json_t *found, const char *document,
		       struct error *err)
{
	const char *status = json_string_value(json_object_get(found, "status"));

	if (!status || !*run_began(found) || strcmp(run_began(found), run_began(ours)))
		return error_input(err, "finish: %.300s is there and is not of this run; rename it, "
					"or the journal", document);
	if (strcmp(status, "interrupted"))
		return error_input(err, "finish: %.300s is there and is %s; remove it first to make "
					"it anew", document, status);
	return 0;
}

int document_check_replace(const char *journal, const char *document, struct error *err)
{
	json_t *ours, *found;
	int ret;

	if (access(document, F_OK))
		return 0;
	ours = first_line(journal);
	found = json_load_file(document, 0, NULL);
	/* Where the journal is none, that is what making the document will say. */
	ret = ours ? check_found(ours, found, document, err) : 0;
	json_decref(found);
	json_decref(ours);
	return ret;
}
