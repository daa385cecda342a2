/* The text of a find. */
#include "report/page_find.h"

#include <inttypes.h>
#include <string.h>

#include "report/layout.h"

static void add_predicates(struct text *words, const struct metadata *test)
{
	const char *between = "";

	if (test->find_name) {
		text_add(words, "%sa name like %s", between, test->find_name);
		between = ", ";
	}
	if (test->find_size) {
		text_add(words, "%sa size of %s", between, test->find_size);
		between = ", ";
	}
	if (test->find_newer)
		text_add(words, "%sdata newer than %s", between, test->find_newer);
}

void page_find_settings(struct text *out, const struct plan *plan)
{
	const struct metadata *test = plan->metadata;
	struct text words = {0};

	text_add(&words, "all entries of %s",
		 metadata_only_finds(test) ? "what is there, read only" : "the trees");
	if (predicates_any(&plan->predicates)) {
		text_add(&words, "; a match has ");
		add_predicates(&words, test);
	}
	text_add(&words, "; %s; %s; tasks share the work; op/s and done count entries, p50 to max are of "
			 "reading one directory",
		 predicates_want_stat(&plan->predicates) ? "a stat of each entry whose name matches"
							 : "a stat only where a directory tells no type",
		 test->find_mounts ? "goes into mounts" : "stays out of mounts");
	page_field(out, "find", &words);
	text_release(&words);
}

static void add_share(struct text *words, const struct measure *measure)
{
	if (measure->tasks < 2)
		return;
	text_add(words, "; of a task %" PRIu64 " to %" PRIu64 " entries, ",
		 measure->least_transfers, measure->most_transfers);
	page_count(words, measure->find.taken, "piece");
	text_add(words, " of work came from others");
}

static void add_stats(struct text *words, const struct histogram *stats)
{
	char cell[NUMBER_SIZE];
	uint64_t median = histogram_known_percentile(stats, 0.5), high = histogram_known_percentile(stats, 0.99);

	if (!stats->count)
		return;
	text_add(words, "; ");
	page_count(words, stats->count, "stat");
	if (median)
		text_add(words, ", p50 %s", layout_ns(median, cell));
	if (high)
		text_add(words, ", p99 %s", layout_ns(high, cell));
	text_add(words, ", max %s", layout_ns(stats->max_ns, cell));
}

static void tell_failures(struct text *out, const struct measure *measure)
{
	const struct unread *unread = measure->find.unread;
	struct text words = {0};
	unsigned named = 0;

	if (!*unread->path)
		return;
	for (; named < UNREAD_NAMED && *unread[named].path; named++)
		text_add(&words, "%s%s (%s%s%s)", named ? ", " : "not read: ", unread[named].path,
			 operation_name(unread[named].operation), unread[named].code ? ": " : "",
			 unread[named].code ? strerror((int)unread[named].code) : "");
	if (measure->failed_operations > named)
		text_add(&words, " and %" PRIu64 " more", measure->failed_operations - named);
	page_below(out, &words);
	text_release(&words);
}

void page_find_counts(struct text *out, const struct plan *plan, const struct phase_result *phase)
{
	const struct measure *measure = phase->measure;
	const struct find_counts *find = &measure->find;
	struct text words = {0};

	if (predicates_any(&plan->predicates))
		text_add(&words, "%" PRIu64 " match; ", find->matches);
	text_add(&words, "%" PRIu64 " entries", measure->entries);
	if (find->made)
		text_add(&words, ", %" PRIu64 " had been made", find->made);
	text_add(&words, ": %" PRIu64 " director%s, ", find->directories,
		 find->directories == 1 ? "y" : "ies");
	page_count(&words, find->files, "file");
	text_add(&words, ", ");
	page_count(&words, find->others, "other");
	if (find->mounts) {
		text_add(&words, "; ");
		page_count(&words, find->mounts, "mount");
		text_add(&words, " not gone into");
	}
	add_stats(&words, &measure_record(measure, OPERATION_STAT)->histogram);
	add_share(&words, measure);
	page_below(out, &words);
	text_release(&words);
	tell_failures(out, measure);
}
