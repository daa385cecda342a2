/* The document, joined from the lines of a journal. */
#include "record/document.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record/journal_lines.h"
#include "record/json.h"
#include "record/record.h"

void document_notes_release(struct document_notes *notes)
{
	text_release(&notes->left_out);
	text_release(&notes->older);
}

static void write_value(FILE *out, const json_t *value)
{
	json_dumpf(value, out, JSON_COMPACT | JSON_ENCODE_ANY);
}

static void document_write_line(FILE *out, const char *before, const struct journal_lines *lines,
				const struct journal_line *line)
{
	json_t *value = journal_lines_value(lines, line);

	fputs(before, out);
	write_value(out, value);
	json_decref(value);
}

/* Writes the members of the line's value except `without`, as they stand between its braces. */
static void write_members(FILE *out, const char *before, const struct journal_lines *lines,
			  const struct journal_line *line, const char *without)
{
	json_t *object = journal_lines_value(lines, line);
	char *words;

	if (without)
		json_object_del(object, without);
	words = json_object_size(object) ? json_dumps(object, JSON_COMPACT) : NULL;
	if (words)
		fprintf(out, "%s%.*s", before, (int)strlen(words) - 2, words + 1);
	free(words);
	json_decref(object);
}

/* Writes all lines of this event among those from `from` on that are of the same test. */
static void write_list(FILE *out, const struct journal_lines *lines, size_t from,
		       enum journal_event event)
{
	const struct journal_line *line = &lines->list[from], *end = lines->list + lines->count;
	const char *before = "\n";

	for (; line < end && line->test == lines->list[from].test; line++) {
		if (line->event != event)
			continue;
		document_write_line(out, before, lines, line);
		before = ",\n";
	}
}

static void write_test(FILE *out, const struct journal_lines *lines, size_t from)
{
	const struct journal_line *end = journal_lines_find(lines, from, EVENT_TEST_END);

	write_members(out, "{", lines, &lines->list[from], NULL);
	fputs(",\n\"phases\":[", out);
	write_list(out, lines, from, EVENT_PHASE);
	fputs("]", out);
	if (end)
		write_members(out, ",\n", lines, end, "test");
	fputs("}", out);
}

static void write_tests(FILE *out, const struct journal_lines *lines)
{
	json_int_t last = JOURNAL_NO_TEST;
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

static void write_document(FILE *out, const struct journal_lines *lines, const char *without_end)
{
	const struct journal_line *last = journal_lines_find(lines, 0, EVENT_END);
	json_t *end = last ? journal_lines_value(lines, last) : NULL;
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
	if (lines->sessions > 1) {
		fputs(",\n\"sessions\":[", out);
		write_list(out, lines, 0, EVENT_SESSION);
		fputs("]", out);
	}
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

static void note_left_out(const struct journal_lines *lines, const char *name,
			  struct document_notes *notes)
{
	if (lines->left_out)
		text_add(&notes->left_out,
			 "%.300s: %" PRIu64 " of its %" PRIu64
			 " lines %s left out of the document%s %s",
			 name, lines->left_out, lines->read, lines->left_out == 1 ? "is" : "are",
			 lines->left_out == 1 ? ";" : "; the first one is",
			 text_string(&lines->why));
}

int document_compose(FILE *journal, const char *name, const char *without_end, FILE *out,
		     struct document_notes *notes, struct error *err)
{
	struct journal_lines lines;
	int ret = journal_lines_read(&lines, journal, name, err);

	if (!ret) {
		note_left_out(&lines, name, notes);
		write_document(out, &lines, without_end);
		if (ferror(journal) || feof(journal)) /* the end is met where a line was cut */
			ret = error_set(err, EIO, "%.300s: cannot be read again", name);
	}
	journal_lines_release(&lines);
	return ret;
}
