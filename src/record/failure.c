/* The failure of a phase. */
#include <inttypes.h>

#include "record/fields.h"
#include "record/json.h"

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
	const uint64_t failed = phase->failed_operations, untried = phase->untried_operations;

	text_add(out, "; %" PRIu64 " operation%s failed and %" PRIu64 " %s not tried", failed,
		 failed == 1 ? "" : "s", untried, untried == 1 ? "was" : "were");
}

/* Adds the whole failure in one sentence, which every form of the result prints. */
static void add_message(const struct phase_result *phase, struct text *out)
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

static void put_message(json_t *object, const struct phase_result *phase)
{
	struct text words = {0};

	add_message(phase, &words);
	put_text(object, "message", text_string(&words));
	text_release(&words);
}

void record_failure(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct phase_result *result = recorder->source.result;
	const struct failure *failure = &result->failure;
	json_t *object = put_object_if(owner, key, failure->error.kind != ERROR_NONE);

	if (!object)
		return;
	put_text(object, "text", failure->error.text);
	put_message(object, result);
	put_count_if(object, "errno", failure->error.code, (uint64_t)failure->error.code);
	put_text(object, "operation", failure->operation);
	put_count(object, "task", failure->task);
	put_count(object, "rank", failure->rank);
	put_text(object, "host", failure->host);
	put_text(object, "path", failure->path);
	if (failure->offset != UINT64_MAX) {
		put_count(object, "offset_bytes", failure->offset);
		put_count(object, "length_bytes", failure->length);
	}
	if (phase_began(result) && failure->at_ns)
		put_number(object, "at_s",
			   (double)(int64_t)(failure->at_ns - result->measure->begin.first) / 1e9);
}
