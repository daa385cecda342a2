/*
 * The lines of tests on their way to task 0 of the job, which reports. The first task of a test
 * makes them. In a set they travel as JSON, one line of text for each.
 */
#include <jansson.h>
#include <stdlib.h>

#include "page/message.h"
#include "record/record.h"
#include "run/state.h"

static void publish(struct test_run *run, enum line_kind kind, json_t *line)
{
	if (run->lines) {
		json_t *letter = json_pack("{sisiso}", "test", (int)run->number, "kind", (int)kind,
					   "line", line);
		char *words = json_dumps(letter, JSON_COMPACT);

		text_add(run->lines, "%s\n", words);
		free(words);
		json_decref(letter);
	} else if (run->runner->report) {
		report_line(run->runner->report, run->number, kind, line);
	} else {
		json_decref(line);
	}
}

void publish_phase(struct test_run *run, const struct phase_result *result,
		   const struct verdict *verdicts, size_t count)
{
	publish(run, LINE_PHASE, record_phase(&run->result, result, verdicts, count));
}

void publish_removal(struct test_run *run, uint64_t repetition, double seconds)
{
	publish(run, LINE_REMOVAL, record_removal(repetition, seconds));
}

void publish_error(struct test_run *run, const struct error *err)
{
	report_message("error", err->text);
	publish(run, LINE_ERROR, record_error(err));
}

json_t *publish_end(struct test_run *run)
{
	struct assessed_summary assessed[PLAN_PHASES];
	json_t *line;

	assess_summaries(&run->result, assessed);
	line = record_test_end(&run->result, assessed);
	publish(run, LINE_TEST_END, json_incref(line));
	return line;
}

static void lines_append(void *context, struct text *mine, const void *theirs, size_t length)
{
	text_add_bytes(mine, theirs, length);
}

/* Reports a line, or keeps the end of a test for its turn. */
static void lines_take(struct runner *runner, const json_t *letter, unsigned first, json_t **ends)
{
	const unsigned number = (unsigned)json_integer_value(json_object_get(letter, "test"));
	const enum line_kind kind =
		(enum line_kind)json_integer_value(json_object_get(letter, "kind"));
	json_t *line = json_incref(json_object_get(letter, "line"));

	if (kind == LINE_TEST_END)
		ends[number - first] = line;
	else
		report_line(runner->report, number, kind, line);
}

void lines_deliver(struct runner *runner, struct text *lines, unsigned first, json_t **ends,
		   const struct idle *idle)
{
	size_t at = 0;

	comm_fold(&runner->world->all, lines, lines_append, NULL, idle);
	while (leads(runner) && at < lines->length) {
		json_error_t where;
		json_t *letter = json_loadb(lines->bytes + at, lines->length - at,
					    JSON_DISABLE_EOF_CHECK, &where);

		if (!letter)
			BUG("a line of a member cannot be read: %s", where.text);
		lines_take(runner, letter, first, ends);
		json_decref(letter);
		at += (size_t)where.position + 1;
	}
	text_clear(lines);
}
