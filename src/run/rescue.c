/* Callbacks of the watchdog: save the results so far, name the task that hangs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "run/state.h"

static bool removes_files(const struct plan *plan)
{
	if (plan->backend->no_storage)
		return false;
	return plan->metadata ? plan->metadata->create && plan->metadata->remove
			      : plan->test->write_file && !plan->test->keep_file;
}

/* Launchers wait some 2 s after a signal, and removing many files takes longer. */
static void warn_of_leftovers(const struct plan *plan, int signal)
{
	struct text text = {0};
	char path[PLAN_PATH_SIZE];

	text_add(&text,
		 "signal %d (%s): the job ends and removes its files. Should the launcher kill it "
		 "before, ",
		 signal, strsignal(signal));
	if (plan->metadata) {
		text_add(&text, "remove the rest with iorx mdtest --cleanup=%s",
			 plan->metadata->dir);
	} else {
		plan_base(plan, 0, path);
		text_add(&text, "remove what is left of test_file %s%s", path,
			 plan->geometry.shared && plan->files == 1 ? "" : ".*");
	}
	report_message("warning", text_string(&text));
	text_release(&text);
}

void on_signal(void *context, int signal)
{
	struct runner *runner = context;
	const struct plan *plan = atomic_load(&runner->current);
	struct error err = {0};

	if (!leads(runner))
		return;
	if (runner->report)
		report_progress_end(runner->report);
	if (signal && plan && removes_files(plan))
		warn_of_leftovers(plan, signal);
	/*
	 * The launcher may leave less than a second. The document is made now and again at the
	 * orderly end.
	 */
	pthread_mutex_lock(&runner->rescue_lock);
	if (!runner->finished && runner->report && report_journal_name(runner->report))
		report_rescue(report_journal_name(runner->report),
			      report_document_name(runner->report), &err);
	pthread_mutex_unlock(&runner->rescue_lock);
}

static void describe_names(const struct plan *plan, const struct phase_plan *phase, uint64_t done,
			   struct text *out)
{
	if (phase->kind == PHASE_WRITE)
		text_add(out, " of %s", plan->metadata->dir);
	else
		text_add(out, " in the %s phase in %s, %" PRIu64 " operations done",
			 phase_name(phase->kind), plan->metadata->dir, done);
}

/* True if the process of a slot takes part in the present test; *task is its task then. */
static bool find_task(const struct runner *runner, const struct plan *plan,
		      const struct node_slot *slot, uint32_t *task)
{
	uint32_t number = (uint32_t)(slot - runner->node.shared->slots);
	int64_t found =
		plan ? seats_task(&crew_of(runner, plan)->seats, runner->world->node, number)
		     : SEATS_NONE;

	if (found == SEATS_NONE)
		return false;
	*task = (uint32_t)found;
	return true;
}

/* Names the task and, where the numbers differ, the rank. A test may leave ranks out. */
static void describe_who(const struct runner *runner, const struct node_slot *slot,
			 struct text *out)
{
	uint32_t task;

	if (!find_task(runner, atomic_load(&runner->current), slot, &task))
		text_add(out, "rank %" PRIu32 " (", slot->rank);
	else if (task == slot->rank)
		text_add(out, "task %" PRIu32 " (", task);
	else
		text_add(out, "task %" PRIu32 " (rank %" PRIu32 ", ", task, slot->rank);
	text_add(out, "pid %d) on %s ", (int)slot->pid, runner->world->host);
}

/*
 * Describes the call, file and offset a task hangs in, as far as its slot and the plan know them.
 */
static void describe_hang(const struct runner *runner, const struct node_slot *slot,
			  struct text *out)
{
	const struct plan *plan = atomic_load(&runner->current);
	uint32_t phase = atomic_load(&slot->phase);
	uint64_t done = atomic_load(&slot->operations);
	char path[PLAN_PATH_SIZE];

	uint32_t task;

	if (!find_task(runner, plan, slot, &task))
		return;
	struct phase_plan kind = {.kind = phase ? (enum phase_kind)(phase - 1) : PHASE_WRITE};
	kind.access = kind.kind == PHASE_WRITE ? ACCESS_WRITE : ACCESS_READ;
	uint32_t source = plan_source(plan, &kind, atomic_load(&runner->repetition), task);
	const uint64_t each = plan->transfers_per_task / plan->own_files;
	struct placement at;

	if (plan->metadata) {
		describe_names(plan, &kind, done, out);
		return;
	}
	plan_phase_path(plan, &kind, source, atomic_load(&runner->repetition), path);
	if (!phase) {
		if (atomic_load(&slot->activity) == ACTIVITY_FILES)
			text_add(out, " of %s", path);
		return;
	}
	text_add(out, " in the %s phase", phase_name(kind.kind));
	/* A load goes from file to file; its layout writes them one after the other. */
	if (plan->own_files > 1 && kind.kind == PHASE_LOAD)
		return;
	if (plan->own_files > 1 && done < plan->transfers_per_task)
		plan_path(plan, source, (uint32_t)(done / each), 0, path);
	text_add(out, " of %s", path);
	if (done >= plan->transfers_per_task)
		return;
	plan_locate(plan, source, done % each, &at);
	text_add(out, ", %" PRIu64 " of %" PRIu64 " transfers done, next at offset %" PRIu64, done,
		 plan->transfers_per_task, at.offset);
}

void on_hang(void *context, const struct node_slot *slot, bool runs, double seconds)
{
	struct runner *runner = context;
	const char *failure = node_failure(&runner->node);
	struct text text = {0};
	time_t since = time(NULL) - (time_t)seconds;
	struct tm when;
	char clock_text[16] = "";

	if (localtime_r(&since, &when))
		strftime(clock_text, sizeof(clock_text), "%H:%M:%S", &when);
	describe_who(runner, slot, &text);
	if (runs)
		text_add(&text, "makes no progress in %s",
			 activity_name(atomic_load(&slot->activity)));
	else
		text_add(&text, "does not run (stopped?), last seen in %s",
			 activity_name(atomic_load(&slot->activity)));
	describe_hang(runner, slot, &text);
	text_add(&text, "; since %s, %.0f s", clock_text, seconds);
	if (failure)
		text_add(&text, ", after %s", failure);
	text_add(&text, "; the job is ended, %s",
		 runner->job->no_document ? "no document was asked for (output=none)"
					  : "finished phases are on disk");
	report_message("error", text_string(&text));
	text_release(&text);
	on_signal(context, 0);
}
