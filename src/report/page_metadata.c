/* What stands below the row of a metadata phase. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "report/page.h"

/* Which tasks ended the phase early, and how many operations they did not try. */
static void add_left(struct text *words, const struct measure *measure, uint64_t max_errors)
{
	if (measure->left_tasks) {
		text_add(words, "; ");
		page_count(words, measure->left_tasks, "task");
		text_add(words, " left after max_errors=%" PRIu64 " failures%s", max_errors,
			 measure->left_tasks > 1 ? " each" : "");
	}
	if (measure->untried_operations)
		text_add(words, "%s%" PRIu64 " not tried", words->length ? ", " : "",
			 measure->untried_operations);
}

static void say_errors(struct text *out, const struct plan *plan, const struct measure *measure)
{
	struct text words = {0};

	for (unsigned code = 0; code < ERRNOS; code++)
		if (measure->errors[code])
			text_add(&words, "%s%" PRIu64 " failed: %s", words.length ? "; " : "",
				 measure->errors[code],
				 code ? strerror((int)code)
				      : "no errno: short, not what was written, or refused by the library; "
					"the error says what the first one was");
	add_left(&words, measure, plan->metadata->max_errors);
	page_below(out, &words);
}

static void say_learned(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};

	text_add(&words, "seed %" PRIu64 " learned from the data", phase->data_seed);
	page_below(out, &words);
}

/* Directories on the way to the trees that were missing. */
static void say_missing(struct text *out, const struct some_directories *made)
{
	struct text words = {0};

	if (made->count == 1)
		text_add(&words, "%s was not there and was made; it stays at the end", made->first);
	else if (made->count)
		text_add(&words, "%" PRIu64 " directories on the way to the trees were not there and were made, "
				 "%s first; they stay at the end", made->count, made->first);
	page_below(out, &words);
}

/* Test directories that tree-remove left. */
static void say_kept(struct text *out, const struct some_directories *kept)
{
	struct text words = {0};

	if (kept->count == 1)
		text_add(&words, "%s is not empty and stays", kept->first);
	else if (kept->count)
		text_add(&words, "%" PRIu64 " test directories are not empty and stay, %s first", kept->count,
			 kept->first);
	page_below(out, &words);
}

static void say_unread(struct text *out, const struct measure *measure)
{
	const struct unread *unread = measure->find.unread;
	struct text words = {0};
	unsigned named = 0;

	for (; named < UNREAD_NAMED && *unread[named].path; named++)
		text_add(&words, "%s%s (%s%s%s)", named ? ", " : "not read: ", unread[named].path,
			 operation_name(unread[named].operation), unread[named].code ? ": " : "",
			 unread[named].code ? strerror((int)unread[named].code) : "");
	if (named && measure->failed_operations > named)
		text_add(&words, " and %" PRIu64 " more", measure->failed_operations - named);
	page_below(out, &words);
}

static void say_find(struct text *out, const struct plan *plan, const struct measure *measure)
{
	const struct find_counts *find = &measure->find;
	struct text words = {0};

	if (predicates_any(&plan->predicates))
		text_add(&words, "%" PRIu64 " match; ", find->matches);
	text_add(&words, "%" PRIu64 " entries", measure->entries);
	if (find->made)
		text_add(&words, " (the run had made %" PRIu64 ")", find->made);
	text_add(&words, ": %" PRIu64 " director%s, ", find->directories,
		 find->directories == 1 ? "y" : "ies");
	page_count(&words, find->files, "file");
	text_add(&words, ", ");
	page_count(&words, find->others, "other");
	if (find->mounts) {
		text_add(&words, "; ");
		page_count(&words, find->mounts, "mount");
		text_add(&words, " not entered");
	}
	if (measure->tasks > 1) {
		text_add(&words, "; each task saw %" PRIu64 " to %" PRIu64 " entries, ",
			 measure->least_transfers, measure->most_transfers);
		page_count(&words, find->taken, "piece");
		text_add(&words, " of work stolen");
	}
	page_below(out, &words);
	say_unread(out, measure);
}

static void say_mix(struct text *out, const struct plan *plan, const struct phase_result *phase)
{
	const struct measure *measure = phase->measure;
	struct text words = {0};

	for (unsigned part = 0; part < MIX_PARTS; part++)
		if (mix_part_is_meant(&plan->mix, part))
			page_row_part(out, mix_part_name(part),
				      &measure_record(measure, mix_part_operation(part))->histogram,
				      phase->seconds.total);
	page_count(&words, measure->mix_files, "file");
	if (plan->mix.shares[MIX_CREATE] > 0)
		text_add(&words, ", at most %" PRIu64 " of a task missing at a time",
			 measure->mix_most_missing);
	if (measure->mix_missed) {
		text_add(&words, "; ");
		page_count(&words, measure->mix_missed, "operation");
		text_add(&words, " met a file that its task had just removed, and are in no row");
	}
	if (measure->mix_slept)
		text_add(&words, "; iorx slept %" PRIu64 " times until an operation was due and woke %s late on "
				 "average, %s at most; response includes that",
			 measure->mix_slept,
			 units_show_ns(measure->mix_late_ns / measure->mix_slept).text,
			 units_show_ns(measure->mix_latest_ns).text);
	page_below(out, &words);
}

void page_metadata(struct text *out, const struct plan *plan, const struct phase_result *phase)
{
	const struct measure *measure = phase->measure;

	if (phase->failed_operations)
		say_errors(out, plan, measure);
	if (phase->learned)
		say_learned(out, phase);
	if (phase->kind == PHASE_TREE_CREATE)
		say_missing(out, &measure->targets_made);
	if (!phase_has_numbers(phase))
		return;
	if (phase->kind == PHASE_TREE_REMOVE)
		say_kept(out, &measure->tests_kept);
	if (phase->kind == PHASE_FIND)
		say_find(out, plan, measure);
	if (phase->kind == PHASE_MIX)
		say_mix(out, plan, phase);
}
