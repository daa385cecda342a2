/* The text of metadata phases: rows of operations per second, what failed, the summary. */
#include "report/page_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/layout.h"

#define ROW " %8s %6s %6s %6s %6s %8s %8s %6s"

void page_names_head(struct text *out, bool explained)
{
	char line[128];

	if (!explained) {
		layout_paragraph(out, "", 0,
				 "op/s are operations that succeeded / time from the first task's "
				 "start to the last one's end; p50, p99, p99.9 and max are of one "
				 "operation. What failed is counted and in none of these.");
		text_add(out, "\n");
	}
	snprintf(line, sizeof(line), "%-12s%3s" ROW, "phase", "rep", "op/s", "p50", "p99", "p99.9",
		 "max", "total", "done", "failed");
	layout_line(out, line);
}

static const char *count(uint64_t value, unsigned width, char *buffer)
{
	if (snprintf(buffer, NUMBER_SIZE, "%" PRIu64, value) > (int)width)
		return layout_number((double)value, width, buffer);
	return buffer;
}

/* "n<368" where there are too few. */
static const char *percentile(uint64_t operations, uint64_t ns, double q, char *buffer)
{
	if (ns)
		return layout_ns(ns, buffer);
	if (!operations)
		return strcpy(buffer, "-");
	snprintf(buffer, NUMBER_SIZE, "n<%" PRIu64, histogram_needed(q));
	return buffer;
}

void page_names_form(struct text *words, const struct plan *plan, const struct phase_result *phase)
{
	if (phase->queue_depth > 1)
		text_add(words, "queued %" PRIu64 " by %s", phase->queue_depth, plan->backend->name);
	else
		text_add(words, "one at a time");
	text_add(words, plan_gives_relative(plan, phase->kind) ? ", relative names" : ", whole paths");
}

void page_names_learned(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};

	if (!phase->learned)
		return;
	text_add(&words, "seed %" PRIu64 " learned from the data", phase->data_seed);
	page_below(out, &words);
	text_release(&words);
}

void page_names_row(struct text *row, const struct phase_result *phase)
{
	uint64_t operations = phase->operations;
	char cells[8][NUMBER_SIZE];

	text_add(row, ROW, layout_whole(phase->total_rate, 8, cells[0]),
		 percentile(operations, phase->p50_ns, 0.5, cells[1]),
		 percentile(operations, phase->p99_ns, 0.99, cells[2]),
		 percentile(operations, phase->p999_ns, 0.999, cells[3]),
		 percentile(operations, phase->max_ns, 1e-9, cells[4]),
		 layout_seconds(phase->seconds.total, cells[5]),
		 count(phase->kind == PHASE_FIND ? phase->measure->entries : operations, 8, cells[6]),
		 count(phase->failed_operations, 6, cells[7]));
}

void page_names_kind(struct text *out, const char *name, const struct histogram *histogram,
		     double seconds)
{
	uint64_t operations = histogram->count;
	char cells[6][NUMBER_SIZE];
	struct text row = {0};

	text_add(&row, "  %-13s" ROW, name,
		 layout_whole(seconds > 0 ? (double)operations / seconds : 0, 8, cells[0]),
		 percentile(operations, histogram_known_percentile(histogram, 0.5), 0.5, cells[1]),
		 percentile(operations, histogram_known_percentile(histogram, 0.99), 0.99, cells[2]),
		 percentile(operations, histogram_known_percentile(histogram, 0.999), 0.999, cells[3]),
		 percentile(operations, operations ? histogram->max_ns : 0, 1e-9, cells[4]), "",
		 count(operations, 8, cells[5]), "");
	while (row.length && row.bytes[row.length - 1] == ' ')
		row.bytes[--row.length] = '\0';
	layout_line(out, text_string(&row));
	text_release(&row);
}

/* Who ended its phase early, and what it did not come to. */
static void add_left(struct text *words, const struct measure *measure, uint64_t max_errors)
{
	if (measure->full_tasks) {
		text_add(words, "; ");
		page_count(words, measure->full_tasks, "task");
		text_add(words, " ended there");
	}
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

void page_names_errors(struct text *out, const struct plan *plan, const struct measure *measure)
{
	struct text words = {0};

	for (unsigned code = 0; code < ERRNOS; code++)
		if (measure->errors[code])
			text_add(&words, "%s%" PRIu64 " failed: %s", words.length ? "; " : "",
				 measure->errors[code], code ? strerror((int)code)
				      : "no errno: short, not what was written, or refused by the library; "
					"the error says what the first one was");
	add_left(&words, measure, plan->metadata->max_errors);
	page_below(out, &words);
	text_release(&words);
}

void page_names_missing(struct text *out, const struct measure *measure)
{
	const struct some_directories *made = &measure->targets_made;
	struct text words = {0};

	if (!made->count)
		return;
	if (made->count == 1)
		text_add(&words, "%s was not there and was made; it stays at the end", made->first);
	else
		text_add(&words, "%" PRIu64 " directories on the way to the trees were not there and were made, "
				 "%s first; they stay at the end", made->count, made->first);
	if (words.length)
		page_below(out, &words);
	text_release(&words);
}

void page_names_kept(struct text *out, const struct measure *measure)
{
	const struct some_directories *kept = &measure->tests_kept;
	struct text words = {0};

	if (!kept->count)
		return;
	if (kept->count == 1)
		text_add(&words, "%s is not empty and stays", kept->first);
	else
		text_add(&words, "%" PRIu64 " test directories are not empty and stay, %s first", kept->count,
			 kept->first);
	page_below(out, &words);
	text_release(&words);
}

#define SUMMARY "%-11s %3s %9s %9s %9s %6s %6s %6s %6s %6s"

void page_names_summary_head(struct text *out)
{
	char line[128];

	snprintf(line, sizeof(line), SUMMARY, "summary", "n", "op/s", "95 % from", "to", "+-", "p50",
		 "p99", "p99.9", "max");
	layout_line(out, line);
}

static const char *bound(const struct spread *rate, double value, char *buffer)
{
	return rate->interval.possible ? layout_whole(value, 9, buffer) : strcpy(buffer, "-");
}

static const char *latency(uint64_t ns, char *buffer)
{
	return ns ? layout_ns(ns, buffer) : strcpy(buffer, "-");
}

static const char *half_width(const struct spread *rate, char *buffer)
{
	double width = rate->interval.upper - rate->interval.lower;

	if (!rate->interval.possible || rate->median <= 0)
		return strcpy(buffer, "-");
	return strcat(layout_number(50 * width / rate->median, 4, buffer), "%");
}

static void summary_more(struct text *out, const struct rate_summary *summary)
{
	const struct spread *rate = &summary->rate;
	char cells[6][NUMBER_SIZE];
	struct text words = {0};

	text_add(&words, "min %s, max %s, mean %s, sd %s, pooled %s op/s; median total %s",
		 layout_whole(rate->least, 9, cells[0]), layout_whole(rate->most, 9, cells[1]),
		 layout_whole(rate->mean, 9, cells[2]), layout_whole(rate->deviation, 9, cells[3]),
		 layout_whole(summary->pooled, 9, cells[4]), layout_seconds(summary->seconds, cells[5]));
	layout_paragraph(out, "", PAGE_INDENT, text_string(&words));
	text_release(&words);
}

/* times: p50, p99, p99.9 and the largest. */
static void add_summary(struct text *out, const char *name, const char *repetitions,
			const struct spread *rate, const uint64_t times_ns[4])
{
	char cells[8][NUMBER_SIZE], line[256];

	snprintf(line, sizeof(line), SUMMARY, name, repetitions,
		 layout_whole(rate->median, 9, cells[0]), bound(rate, rate->interval.lower, cells[1]),
		 bound(rate, rate->interval.upper, cells[2]), half_width(rate, cells[3]),
		 latency(times_ns[0], cells[4]), latency(times_ns[1], cells[5]),
		 latency(times_ns[2], cells[6]), latency(times_ns[3], cells[7]));
	layout_line(out, line);
}

void page_names_part(struct text *out, const char *name, const struct part_summary *part)
{
	const uint64_t times_ns[] = {part->p50_ns, part->p99_ns, part->p999_ns, part->max_ns};
	char label[16];

	snprintf(label, sizeof(label), "  %s", name);
	add_summary(out, label, "", &part->rate, times_ns);
}

void page_names_summary(struct text *out, const struct rate_summary *summary, bool more)
{
	const uint64_t times_ns[] = {summary->p50_ns, summary->p99_ns, summary->p999_ns, summary->max_ns};
	char repetitions[NUMBER_SIZE];

	add_summary(out, phase_name(summary->kind), count(summary->rate.count, 3, repetitions),
		    &summary->rate, times_ns);
	if (more)
		summary_more(out, summary);
}
