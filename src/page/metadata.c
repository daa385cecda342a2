/* The lines below the row of a metadata phase. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/errno_names.h"
#include "page/page.h"
#include "record/phase_line.h"

/* Names the tasks that ended the phase early and counts the operations they did not try. */
static void add_left(struct text *words, const json_t *counts, uint64_t max_errors)
{
	const uint64_t tasks = line_count(counts, "left_tasks");

	if (tasks) {
		text_add(words, "; ");
		page_count(words, tasks, "task");
		text_add(words, " left after max_errors=%" PRIu64 " failures%s", max_errors,
			 tasks > 1 ? " each" : "");
	}
	if (line_count(counts, "untried_operations"))
		text_add(words, "%s%" PRIu64 " not tried", words->length ? ", " : "",
			 line_count(counts, "untried_operations"));
}

/* What an error is called, by its key: "ENOENT", "errno 999", or "other". */
static const char *error_words(const char *key)
{
	int code = errno_find_code(key);

	if (!code && sscanf(key, "errno %d", &code) != 1)
		return "no errno: a short transfer, wrong data, or a refusal of the library; the "
		       "first error has the details";
	return strerror(code);
}

void page_errors(struct text *out, const struct plan *plan, const json_t *counts)
{
	struct text words = {0};
	const char *key;
	json_t *count;

	json_object_foreach(line_at(counts, "errors"), key, count)
		text_add(&words, "%s%" JSON_INTEGER_FORMAT " failed: %s", words.length ? "; " : "",
			 json_integer_value(count), error_words(key));
	add_left(&words, counts, plan_of_trees(plan)->metadata->max_errors);
	page_below(out, &words);
}

static void print_learned(struct text *out, const json_t *counts)
{
	struct text words = {0};

	if (line_has(counts, "learned_seed"))
		text_add(&words, "seed %" PRIu64 " learned from the data",
			 line_count(counts, "learned_seed"));
	page_below(out, &words);
}

/* Appends directories that were made above the trees, or that stay. done: key of their number. */
static void print_directories(struct text *out, const char *which, const json_t *some,
			      const char *done)
{
	const uint64_t count = line_count(some, done);
	struct text words = {0};

	if (count)
		text_add(&words, "%s: %s", which, line_text(some, "first"));
	if (count > 1)
		text_add(&words, " and %" PRIu64 " more", count - 1);
	page_below(out, &words);
}

static void print_unread(struct text *out, const json_t *counts)
{
	const uint64_t failed = line_count(counts, "failed_operations");
	const json_t *failures = line_at(counts, "find/failures");
	struct text words = {0};
	json_t *unread;
	size_t named;

	json_array_foreach(failures, named, unread)
	{
		const int code = errno_find_code(line_text(unread, "errno"));

		text_add(&words, "%s%s (%s%s%s)",
			 named ? ", " : "not read: ", line_text(unread, "path"),
			 line_text(unread, "operation"), code ? ": " : "",
			 code ? strerror(code) : "");
	}
	if (named && failed > named)
		text_add(&words, " and %" PRIu64 " more", failed - named);
	page_below(out, &words);
}

static void print_find(struct text *out, const struct plan *plan, const json_t *counts)
{
	struct text words = {0};

	if (predicates_any(&plan->predicates))
		text_add(&words, "%" PRIu64 " entries match", line_count(counts, "find/matches"));
	page_below(out, &words);
	print_unread(out, counts);
}

void page_metadata(struct text *out, const struct plan *plan, const json_t *line)
{
	const json_t *counts = line_at(line, "metadata");

	if (line_count(counts, "failed_operations"))
		page_errors(out, plan, counts);
	print_learned(out, counts);
	print_directories(out, "missing, so made, and kept at the end",
			  line_at(counts, "missing_directories"), "made");
	if (!phase_line_has_numbers(line))
		return;
	print_directories(out, "not empty, so kept", line_at(counts, "test_directories"), "kept");
	if (phase_counts_entries(phase_line_kind(plan, line)))
		print_find(out, plan, counts);
	page_row_parts(out, plan, line);
}
