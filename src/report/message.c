/*
 * Messages for the user on standard error. Each message is one write(), so that messages never mix.
 */
#include "report/message.h"

#include <inttypes.h>
#include <unistd.h>

#include "report/page.h"
#include "report/utf8.h"

void report_message(const char *kind, const char *text)
{
	struct text line = {0};
	ssize_t written;

	text_add(&line, "iorx: %s: ", kind);
	utf8_printable(&line, text);
	text_add(&line, "\n");
	written = write(STDERR_FILENO, line.bytes, line.length);
	(void)written; /* a failed write to standard error cannot be reported */
	text_release(&line);
}

void message_warn(const struct error *err)
{
	report_message("warning", err->text);
}

/* "write of 1048576 bytes at offset 12345 of /path: " */
static void add_location(const struct failure *failure, struct text *out)
{
	if (!*failure->operation)
		return;
	text_add(out, "%s", failure->operation);
	if (failure->offset != UINT64_MAX)
		text_add(out, " of %" PRIu64 " bytes at offset %" PRIu64, failure->length,
			 failure->offset);
	if (*failure->path)
		text_add(out, " of %s", failure->path);
	text_add(out, ": ");
}

/* Adds how many items a creating phase made, and the consequence for the repetition. */
static void add_made(const struct phase_result *phase, struct text *out)
{
	const struct measure *measure = phase->measure;

	if (phase->kind == PHASE_LOAD) {
		text_add(out, "; the load has ended, and its small files are removed");
		return;
	}
	if (phase->kind == PHASE_MIX)
		text_add(out, "; %" PRIu64 " items were made again by then",
			 measure_record(measure, OPERATION_CREATE)->histogram.count);
	else
		text_add(out, "; %" PRIu64 " of %" PRIu64 " items were made", phase->operations,
			 measure->expected_operations);
	text_add(out, "; the repetition has failed, and its trees %s",
		 phase->trees_stay ? "stay; remove what iorx made with --cleanup" : "are removed");
}

static void add_untried(const struct phase_result *phase, struct text *out)
{
	text_add(out, "; ");
	page_count(out, phase->failed_operations, "operation");
	text_add(out, " failed and %" PRIu64 " %s not tried", phase->untried_operations,
		 phase->untried_operations == 1 ? "was" : "were");
}

void report_failure_text(const struct phase_result *phase, struct text *out)
{
	const struct failure *failure = &phase->failure;
	uint64_t tasks = phase->measure ? phase->measure->tasks : 0;

	if (phase->test)
		text_add(out, "test %u, ", phase->test);
	text_add(out, "%s phase, repetition %" PRIu64 ": task %" PRIu32 " (rank %" PRIu32 ")",
		 phase_name(phase->kind), phase->repetition, failure->task, failure->rank);
	if (*failure->host)
		text_add(out, " on %s", failure->host);
	text_add(out, ": ");
	add_location(failure, out);
	text_add(out, "%s", failure->error.text);
	if (tasks >= phase->failed_tasks && tasks && phase->failed_tasks)
		text_add(out, "; %" PRIu64 " of %" PRIu64 " tasks failed", phase->failed_tasks,
			 tasks);
	else if (phase->failed_tasks > 1)
		text_add(out, "; %" PRIu64 " tasks failed", phase->failed_tasks);
	if (phase->incomplete)
		add_made(phase, out);
	else if (phase->untried_operations)
		add_untried(phase, out);
}
