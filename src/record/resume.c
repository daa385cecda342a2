/* Reads from the lines of a journal how far a job is, and whether it is the same job. */
#include "record/resume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/line.h"
#include "record/phase_line.h"

/* Lines of a repetition come one after the other, and the last phase ends it. */
static void read_line(const struct journal_line *line, const struct plan *plan,
		      struct recorded *recorded)
{
	recorded->begun = true;
	if (line->event == EVENT_TEST_END)
		recorded->over = line->complete;
	if (line->event != EVENT_PHASE)
		return;
	/* A repetition that was made again takes those behind it with it. */
	if (line->phase + 1 == plan->phase_count && line->complete)
		recorded->repetitions = line->repetition + 1;
	else if (line->repetition < recorded->repetitions)
		recorded->repetitions = line->repetition;
}

/* Members of a set have their repetitions together. */
static void level_set(struct recorded *recorded, size_t count)
{
	struct recorded all = {.repetitions = UINT64_MAX, .over = true};

	for (size_t i = 0; i < count; i++) {
		if (recorded[i].repetitions < all.repetitions)
			all.repetitions = recorded[i].repetitions;
		all.over &= recorded[i].over;
		all.begun |= recorded[i].begun;
	}
	for (size_t i = 0; i < count; i++)
		recorded[i] = all;
}

const struct journal_line *resume_read(const struct journal_lines *lines, const struct job *job,
				       const struct plan *plans, struct recorded *recorded)
{
	const struct journal_line *failed = NULL;

	memset(recorded, 0, job->test_count * sizeof(*recorded));
	for (size_t i = 0; i < lines->count; i++) {
		const struct journal_line *line = &lines->list[i];

		if (line->failed && !failed)
			failed = line;
		if (line->test >= 0 && line->test < (json_int_t)job->test_count)
			read_line(line, &plans[line->test], &recorded[line->test]);
	}
	for (size_t i = 0; i < job->test_count; i += set_size(job, i))
		level_set(&recorded[i], set_size(job, i));
	return failed;
}

/* A number of the line, or 0 where it is null. */
static double number_at(const json_t *line, const char *path)
{
	const double number = line_number(line, path);

	return isfinite(number) ? number : 0;
}

static struct past_phase read_past(const json_t *line, const struct plan *plan, unsigned index)
{
	const enum phase_kind kind = plan->phases[index].kind;
	const json_t *response = phase_line_times(line, OPERATION_RESPONSE);
	const double seconds = number_at(line, "intervals/total_s");
	const double p99 = phase_line_percentile(response, "p99");
	struct past_phase past = {
		.index = index,
		.status = phase_line_is(line, "complete") ? PHASE_COMPLETE : PHASE_STOPPED,
		.warmup = line_true(line, "warmup"),
		.files_used_empty = line_count(line, "files/used_empty"),
		.total_rate =
			number_at(line, phase_moves_data(kind) ? "rates/total_bytes_per_s"
							       : "rates/total_operations_per_s"),
		.total_seconds = seconds,
		.headline_seconds = phase_line_seconds(line),
		.due = line_count(line, "load/due"),
		.issued = line_count(line, "load/issued"),
		.response_mean_ns = number_at(response, "mean_ns"),
		.response_p99_ns = isfinite(p99) ? (uint64_t)p99 : 0,
	};

	past.operations_rate =
		line_has(line, "rates/operations_per_s")
			? line_number(line, "rates/operations_per_s")
			: (double)phase_line_operations(line) / past.headline_seconds;
	return past;
}

bool resume_restore(struct test_result *test, const json_t *phase, unsigned session)
{
	const struct plan *plan = test->plan;
	const uint64_t index = line_count(phase, "phase_index");
	struct series series[SERIES_MOST];
	struct past_phase past;
	struct histogram times;

	if (index >= plan->phase_count ||
	    strcmp(line_text(phase, "phase"), phase_name(plan->phases[index].kind)))
		return false;
	past = read_past(phase, plan, (unsigned)index);
	past.session = session;
	for (unsigned i = 0, count = plan_series(plan, past.index, series); i < count; i++) {
		if (i)
			past.part_rates[i - 1] = phase_line_part_rate(phase, series[i].operation);
		histogram_init(&times);
		line_add_times(&times, phase_line_times(phase, series[i].operation));
		if (times.count && past_phase_counts(&past, past.index))
			test_result_restore_times(test, past.index, series[i].operation, &times);
	}
	test_result_restore(test, &past);
	return true;
}

static void add_value(struct text *out, const json_t *value)
{
	char *words = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

	text_add(out, "%.60s", words ? words : "missing");
	free(words);
}

static void add_difference(struct text *differs, json_int_t test, const char *name,
			   const json_t *was, const json_t *is)
{
	if (json_equal(was, is) || (!was && !is))
		return;
	if (test != JOURNAL_NO_TEST)
		text_add(differs, "test %d: ", (int)test);
	if (json_string_length(was) + json_string_length(is) > 120) {
		text_add(differs, "%s is another; ", name);
		return;
	}
	text_add(differs, "%s was ", name);
	add_value(differs, was);
	text_add(differs, " and is ");
	add_value(differs, is);
	text_add(differs, "; ");
}

void resume_compare(const json_t *was, const json_t *is, json_int_t test, struct text *differs)
{
	static const char *const of_run[] = {"iorx_version", "tests", "tasks", "nodes", "job_text"};
	const char *key;
	json_t *option;

	for (size_t i = 0; test == JOURNAL_NO_TEST && i < sizeof(of_run) / sizeof(*of_run); i++)
		add_difference(differs, test, of_run[i], json_object_get(was, of_run[i]),
			       json_object_get(is, of_run[i]));
	json_object_foreach(json_object_get(is, "options"), key, option)
	{
		const json_t *old = json_object_get(json_object_get(was, "options"), key);

		add_difference(differs, test, key, json_object_get(old, "value"),
			       json_object_get(option, "value"));
	}
}
