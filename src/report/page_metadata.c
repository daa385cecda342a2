/* The lines below the row of a metadata phase. */
#include <inttypes.h>
#include <string.h>

#include "report/page.h"

/* Names the tasks that ended the phase early and counts the operations they did not try. */
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

void page_errors(struct text *out, const struct plan *plan, const struct measure *measure)
{
	struct text words = {0};

	for (unsigned code = 0; code < ERRNOS; code++)
		if (measure->errors[code])
			text_add(&words, "%s%" PRIu64 " failed: %s", words.length ? "; " : "",
				 measure->errors[code],
				 code ? strerror((int)code)
				      : "no errno: a short transfer, wrong data, or a refusal of "
					"the library; the first error has the details");
	add_left(&words, measure, plan_of_trees(plan)->metadata->max_errors);
	page_below(out, &words);
}

static void print_learned(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};

	text_add(&words, "seed %" PRIu64 " learned from the data", phase->data_seed);
	page_below(out, &words);
}

/* Appends directories that were made above the trees, or that stay. */
static void print_directories(struct text *out, const char *which,
			      const struct some_directories *some)
{
	struct text words = {0};

	if (some->count)
		text_add(&words, "%s: %s", which, some->first);
	if (some->count > 1)
		text_add(&words, " and %" PRIu64 " more", some->count - 1);
	page_below(out, &words);
}

static void print_unread(struct text *out, const struct measure *measure)
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

static void print_find(struct text *out, const struct plan *plan, const struct measure *measure)
{
	struct text words = {0};

	if (predicates_any(&plan->predicates))
		text_add(&words, "%" PRIu64 " entries match", measure->find.matches);
	page_below(out, &words);
	print_unread(out, measure);
}

void page_metadata(struct text *out, const struct plan *plan, const struct phase_result *phase)
{
	const struct measure *measure = phase->measure;

	if (phase->failed_operations)
		page_errors(out, plan, measure);
	if (phase->learned)
		print_learned(out, phase);
	if (phase->kind == PHASE_TREE_CREATE)
		print_directories(out, "missing, so made, and kept at the end",
				  &measure->targets_made);
	if (!phase_has_numbers(phase))
		return;
	if (phase->kind == PHASE_TREE_REMOVE)
		print_directories(out, "not empty, so kept", &measure->tests_kept);
	if (phase_counts_entries(phase->kind))
		print_find(out, plan, measure);
	page_row_parts(out, plan, phase);
}
