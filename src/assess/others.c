/* Rules about what else was at work: other processes, few CPUs, wrong clocks, libraries between. */
#include "assess/others.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "assess/judge.h"
#include "base/text.h"
#include "base/units.h"

/* A fifth of what was moved, and no less than what a system writes now and then. */
static bool is_much(double others, double moved)
{
	return others > 0.2 * moved && others > 16 * (double)MIB;
}

/*
 * Bytes that own writes put on the device, at most; negative where that is not known: metadata and
 * journals come on top of data, and are many times as much for small writes.
 */
static double own_writes(const struct scene *scene)
{
	const double written = (double)scene->measure->io.write_bytes;
	const bool large =
		scene->phase->kind == PHASE_WRITE && scene->plan->transfer_bytes >= 256 * KIB;

	if (!written && !scene->plan->names)
		return 0;
	return large && !scene->facts->journals_data ? written : -1;
}

static bool others_used_device(const struct scene *scene, struct verdict *verdict)
{
	const struct measure *measure = scene->measure;
	const struct node_activity *activity = &measure->activity;
	const double own = own_writes(scene);
	const double moved = fmax((double)measure->bytes, (double)measure->io.read_bytes);
	double read = (double)activity->read_bytes - (double)measure->io.read_bytes;
	double written = (double)activity->written_bytes - (double)activity->dirty_bytes - own;

	if (!activity->devices || measure->io.tasks < measure->tasks)
		return false;
	read = is_much(read, moved) ? read : 0;
	written = own >= 0 && is_much(written, moved) ? written : 0;
	if (read + written <= 0)
		return false;
	verdict_prove(verdict, "others_read_bytes", read);
	verdict_prove(verdict, "others_written_bytes", written);
	verdict_prove(verdict, "moved_bytes", moved);
	verdict_judge(verdict, SEVERITY_WARN,
		      "others moved at least %s on the device below the files while this phase "
		      "moved %s",
		      units_show_bytes((uint64_t)(read + written)).text,
		      units_show_bytes((uint64_t)moved).text);
	verdict_advise(verdict, "measure again when nobody else uses the device");
	return true;
}

static bool others_wanted_cpus(const struct scene *scene, struct verdict *verdict)
{
	const struct node_activity *activity = &scene->measure->activity;
	const double watched = (double)activity->watched_ns;
	const double own = (double)activity->cpu_wait_ns;
	const double share = ((double)activity->cpu_stall_ns - own) / watched;

	/* With more tasks than CPUs the kernel's own threads wait for the tasks. */
	if (!activity->stall_nodes || !scene->measure->scheduled_starts || share <= 0.05)
		return false;
	verdict_prove(verdict, "others_stall_share", share);
	verdict_judge(
		verdict, SEVERITY_NOTE,
		"processes other than the tasks waited for a CPU in %.0f %% of the phase: the "
		"tasks shared their nodes with them",
		100 * share);
	verdict_advise(verdict, "measure on nodes that nobody else uses");
	return true;
}

bool others_were_active(const struct scene *scene, struct verdict *verdict)
{
	const uint64_t second_ns = 1000000000;
	const bool long_enough = scene->phase->seconds.total >= 1 &&
				 scene->measure->activity.watched_ns >= second_ns;

	/* Other tests of the job and other nodes of one kernel are no others. */
	if (!long_enough || scene->in_set || scene->facts->nodes_on_kernel > 1 ||
	    scene->plan->backend->no_storage)
		return false;
	return others_used_device(scene, verdict) || others_wanted_cpus(scene, verdict);
}

/*
 * False if all waiting for a CPU is less than a tenth of the times of the longest 1 % of the
 * operations. A task that waits delays all operations that it has in flight.
 */
static bool waiting_matters(const struct scene *scene)
{
	const double wait_ns = (double)scene->measure->activity.cpu_wait_ns *
			       fmax(1, (double)scene->phase->queue_depth);
	const double longest_ns =
		0.01 * (double)scene->phase->operations * (double)scene->phase->p99_ns;

	/* 0: the kernel does not count it */
	return !wait_ns || wait_ns > 0.1 * longest_ns;
}

bool tasks_waited_for_cpus(const struct scene *scene, struct verdict *verdict)
{
	const struct phase_result *phase = scene->phase;

	/* the start is scheduled where each node has a CPU for each of its tasks */
	if (phase->working_tasks < 2 || scene->measure->scheduled_starts || !phase->p99_ns ||
	    scene->plan->backend->no_storage || phase->p99_ns <= 10 * phase->p50_ns ||
	    !waiting_matters(scene))
		return false;
	verdict_prove(verdict, "p50_ns", (double)phase->p50_ns);
	verdict_prove(verdict, "p99_ns", (double)phase->p99_ns);
	verdict_prove(verdict, "cpu_wait_ns", (double)scene->measure->activity.cpu_wait_ns);
	verdict_judge(verdict, SEVERITY_WARN,
		      "a node has fewer CPUs than tasks, and p99 (%s) is %.3g times p50: part of "
		      "the longest service times is waiting for a CPU",
		      units_show_ns(phase->p99_ns).text,
		      (double)phase->p99_ns / (double)phase->p50_ns);
	verdict_advise(verdict, "as many tasks on a node as it has CPUs, each bound to its own");
	return true;
}

bool clocks_disagreed(const struct scene *scene, struct verdict *verdict)
{
	const double most = 0.001, share = scene->measure->clock_disagreement;

	if (share < most)
		return false;
	verdict_prove(verdict, "disagreement", share);
	verdict_judge(
		verdict, SEVERITY_WARN,
		"the processor's counter and CLOCK_MONOTONIC differ by %.2g %%: all times and "
		"rates may be as wrong",
		100 * share);
	verdict_advise(verdict, "clock=monotonic; look for a clock that is being corrected, or a "
				"virtual machine that was moved");
	return true;
}

/* The operations that the phase is about, whatever their rate counts. */
static double mean_service_ns(const struct scene *scene)
{
	const struct operation_record *record =
		measure_record(scene->measure, phase_operation(scene->phase->kind));
	const struct histogram *times = record ? &record->histogram : NULL;

	return times && times->count ? (double)times->sum_ns / (double)times->count : 0;
}

bool library_stood_between(const struct scene *scene, struct verdict *verdict)
{
	const double quick_ns = 100000, mean_ns = mean_service_ns(scene);
	const char *library = scene->facts->preloaded;
	const bool quick = mean_ns > 0 && mean_ns < quick_ns;

	if (!library || !*library || scene->plan->backend->no_storage)
		return false;
	verdict_prove(verdict, "mean_service_ns", mean_ns);
	verdict_judge(verdict, quick ? SEVERITY_WARN : SEVERITY_NOTE,
		      "%.60s is preloaded and may intercept calls%s", library,
		      quick ? ", whose mean of less than 100 us may then be its own" : "");
	verdict_advise(verdict, "measure without it, unless it is what is measured");
	return true;
}

/* Finds the first line "hint.NAME.asked=VALUE"; false: none. *next is behind it. */
static bool find_asked(const char *settings, const char **name, size_t *length, const char **next)
{
	static const char suffix[] = ".asked=";

	for (const char *line = settings; (line = strstr(line, "hint.")); line++) {
		const size_t line_length = strcspn(line, "\n");
		const char *end = memmem(line, line_length, suffix, sizeof(suffix) - 1);

		if (!end || (line > settings && line[-1] != '\n'))
			continue;
		*name = line + strlen("hint.");
		*length = (size_t)(end - *name);
		*next = end + sizeof(suffix) - 1;
		return true;
	}
	return false;
}

bool hints_were_ignored(const struct scene *scene, struct verdict *verdict)
{
	const char *settings = scene->phase->settings, *name = NULL, *next = settings;
	struct text names = {0};
	size_t length, count = 0;

	/* the first kind of phase reports it for the test */
	if (!settings || scene->phase->kind != scene->plan->phases[0].kind)
		return false;
	for (; find_asked(next, &name, &length, &next); count++)
		text_add(&names, "%s%.*s", count ? ", " : "", (int)length, name);
	if (count) {
		verdict_prove(verdict, "hints", (double)count);
		verdict_judge(verdict, SEVERITY_WARN,
			      "the library does not have the value that was asked for of %.120s",
			      text_string(&names));
		verdict_advise(verdict, "see the settings: what is in effect stands beside what "
					"was asked for");
	}
	text_release(&names);
	return count > 0;
}

/* One call in a hundred operations is worth a warning. */
static enum severity severity_of_calls(const struct scene *scene, uint64_t calls)
{
	const bool many = (double)calls > 0.01 * (double)scene->phase->operations;

	return many ? SEVERITY_WARN : SEVERITY_NOTE;
}

bool operations_took_calls(const struct scene *scene, struct verdict *verdict)
{
	const uint64_t shorter = scene->measure->short_transfers;
	const uint64_t retries = scene->measure->retries;
	const uint64_t all = scene->phase->operations;

	if (shorter) {
		verdict_prove(verdict, "short_transfers", (double)shorter);
		verdict_judge(verdict, severity_of_calls(scene, shorter),
			      "%" PRIu64 " calls of %" PRIu64
			      " transfers moved less than was asked "
			      "and were continued; a transfer's service time contains all of its "
			      "calls",
			      shorter, all);
		verdict_advise(verdict, "a transfer_size that the interface moves in one call");
	} else if (retries) {
		verdict_prove(verdict, "retries", (double)retries);
		verdict_judge(verdict, severity_of_calls(scene, retries),
			      "requests failed and were repeated, %" PRIu64 " times for %" PRIu64
			      " operations; an operation's service time contains all of its "
			      "requests",
			      retries, all);
		verdict_advise(verdict, "look for an overloaded server or a bad connection");
	}
	return shorter || retries;
}
