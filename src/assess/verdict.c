/* Rules that say whether to believe a number. */
#include "assess/cache.h"
#include "assess/judge.h"
#include "assess/limits.h"
#include "assess/metadata.h"
#include "assess/others.h"
#include "assess/pace.h"
#include "assess/reads.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "plan/workload.h"

static const char *const severities[] = {"good", "note", "warn", "fail"};

const char *severity_name(enum severity severity)
{
	return severities[severity];
}

bool assess_in_memory(const char *file_system)
{
	static const char *const types[] = {"tmpfs", "ramfs", "devtmpfs"};

	for (size_t i = 0; file_system && i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(file_system, types[i]))
			return true;
	return false;
}

bool assess_direct(const struct test_spec *spec)
{
	for (size_t i = 0; spec && i < spec->backend_count; i++) {
		const struct option_set *set = &spec->backends[i];
		const struct option *row = option_find(set->table, "direct");

		if (row && row->type == OPTION_BOOL &&
		    text_same_key(test_of(spec)->api, set->table->prefix))
			return *(const bool *)((const char *)set->values + row->offset);
	}
	return false;
}

/* The word for the operations of a phase. */
static const char *work_of(const struct scene *scene)
{
	return !phase_moves_data(scene->phase->kind) ? "operations" : "transfers";
}

/* Start skew as a share of the phase: what is worth a note, and what is more than the precision. */
static const double skew_noted = 0.01, skew_most = 0.05;

/* Only the tree has directories, and often so few that no job makes these phases long. */
static bool makes_tree(enum phase_kind kind)
{
	return kind == PHASE_TREE_CREATE || kind == PHASE_TREE_REMOVE;
}

static const char *how_to_prolong(const struct scene *scene)
{
	const enum phase_kind kind = scene->phase->kind;
	const uint64_t *ends = scene->measure->load_ends;

	switch (phase_traits[kind].work) {
	case PHASE_WORK_FIND:
		return "walk more entries";
	case PHASE_WORK_MIX:
		return "a longer mix_duration";
	case PHASE_WORK_LOAD:
		return ends[LOAD_END_BESIDE]
			       ? "longer phases of the tests that the load runs beside"
		       : ends[LOAD_END_TRACE] ? "trace_loop with a duration"
		       : ends[LOAD_END_TIME]  ? "a longer duration"
					      : "more passes, operations or bytes";
	case PHASE_WORK_METADATA:
		return makes_tree(kind) ? "more directories: a larger branch or depth"
					: "more items (-n)";
	default:
		return "a larger block_size or segment_count";
	}
}

/* True for a load whose rate is 0 because its operations took longer than its window. */
static bool counts_nothing(const struct phase_result *phase)
{
	return phase->kind == PHASE_LOAD && phase->status == PHASE_COMPLETE &&
	       !phase->rated[OPERATION_MIXED];
}

/* T1: the phase is shorter than 1 s, or the start skew is a visible share of it. */
static bool rule_t1(const struct scene *scene, struct verdict *verdict)
{
	const double seconds = phase_headline_seconds(scene->phase);
	double skew = scene->phase->start_skew;

	verdict_prove(verdict, "total_s", seconds);
	verdict_prove(verdict, "start_skew_s", skew);
	const bool short_ = seconds < 1;
	const double share = skew / seconds;
	const struct units_text took = units_show_ns((uint64_t)(seconds * 1e9));

	if (counts_nothing(scene->phase)) {
		verdict_judge(verdict, SEVERITY_FAIL,
			      "no operation counts in the measured window of %s", took.text);
		verdict_advise(
			verdict, "%s",
			scene->plan->trace
				? "a part of the trace that has requests (trace_from, trace_until)"
				: "a longer duration, and limits that the warm-up does not use up");
		return true;
	}
	if (short_)
		verdict_judge(
			verdict, makes_tree(scene->phase->kind) ? SEVERITY_NOTE : SEVERITY_WARN,
			"the phase took %s: below 1 s the numbers measure caches and start-up",
			took.text);
	else
		verdict_judge(verdict,
			      share > skew_most	   ? SEVERITY_WARN
			      : share > skew_noted ? SEVERITY_NOTE
						   : SEVERITY_GOOD,
			      "the phase took %s, tasks started within %s, %.2g %% of it",
			      took.text, units_show_ns((uint64_t)(skew * 1e9)).text, 100 * share);
	if (verdict->severity != SEVERITY_GOOD)
		verdict_advise(verdict, "%s", how_to_prolong(scene));
	return true;
}

/* N2: some tasks end well before the last one. */
static bool rule_n2(const struct scene *scene, struct verdict *verdict)
{
	double tail = scene->phase->tail_share;

	/* T1 covers phases below 1 s. The streams of a trace end when they end. */
	if (scene->phase->working_tasks < 2 || scene->phase->seconds.total < 1 ||
	    scene->plan->trace)
		return false;
	verdict_prove(verdict, "tail_share", tail);
	verdict_prove(verdict, "straggler_loss", scene->phase->straggler_loss);
	verdict_judge(verdict, tail > 0.1 ? SEVERITY_WARN : SEVERITY_GOOD,
		      "some tasks had already finished in the last %.3g %% of the phase",
		      100 * tail);
	if (tail > 0.1)
		verdict_advise(
			verdict,
			"find the slow tasks with -v; end all tasks together with -D or duration");
	return true;
}

/*
 * Advice that makes filling buffers a smaller share. A file of a metadata test has only one
 * transfer.
 */
static const char *cheaper_content(const struct scene *scene)
{
	bool cheapest = scene->options->content == CONTENT_STAMPED;

	if (plan_traits(scene->plan)->has_names)
		return cheapest ? "fewer bytes in each file (-w), or more tasks"
				: "content=stamped, fewer bytes in each file (-w), or more tasks";
	return cheapest ? "larger transfers, or more tasks"
			: "content=stamped, larger transfers, or more tasks";
}

/*
 * The content share without the time in which tasks waited for a CPU, all of which may have fallen
 * into making data. content_inside_ns is counted and not timed, so no wait is in it.
 */
static double content_share_on_cpu(const struct scene *scene)
{
	const struct measure *measure = scene->measure;
	const double all = (double)measure->content_ns, inside = (double)measure->content_inside_ns;
	const double timed = fmax(0, all - inside - (double)measure->activity.cpu_wait_ns);

	return scene->phase->content_share * (inside + timed) / all;
}

/* T4: a good part of the phase went into making or comparing data. */
static bool rule_t4(const struct scene *scene, struct verdict *verdict)
{
	const struct measure *measure = scene->measure;
	bool compares =
		scene->phase->checks || phase_operation(scene->phase->kind) == OPERATION_OPEN_CLOSE;

	if (!measure->content_ns)
		return false;
	const double share = content_share_on_cpu(scene);

	verdict_prove(verdict, "content_share", scene->phase->content_share);
	verdict_prove(verdict, "content_share_most", measure->content_share_most);
	verdict_prove(verdict, "cpu_wait_ns", (double)measure->activity.cpu_wait_ns);
	verdict_judge(verdict, share > 0.05 ? SEVERITY_WARN : SEVERITY_GOOD,
		      "%s data took %s%.2g %% of the time of the %s",
		      compares ? "comparing" : "making",
		      measure->activity.cpu_wait_ns ? "at least " : "", 100 * share,
		      work_of(scene));
	if (share > 0.05)
		verdict_advise(verdict, "%s",
			       compares ? "measure without comparing (check_read, verify_read), "
					  "or use more tasks"
					: cheaper_content(scene));
	return true;
}

/* T5: the tasks' own times show that something was not measured. */
static bool rule_t5(const struct scene *scene, struct verdict *verdict)
{
	const struct concurrency *concurrency = &scene->phase->concurrency;

	/* In a short phase a few clock readings are a visible share. */
	if (concurrency->accounted <= 0 || scene->phase->seconds.total < 1)
		return false;
	verdict_prove(verdict, "accounted_share", concurrency->accounted);
	verdict_prove(verdict, "busy_share", concurrency->busy_share);
	bool agree = concurrency->accounted > 0.95 && concurrency->accounted < 1.05;

	verdict_judge(
		verdict, agree ? SEVERITY_GOOD : SEVERITY_WARN,
		"service times and content make up %.1f %% of the time that tasks spent on %s",
		100 * concurrency->accounted, work_of(scene));
	if (!agree)
		verdict_advise(verdict, "report it as an error of iorx, with the result file");
	return true;
}

/*
 * Q1: no request of the file system is served without blocking. The first kind of phase reports it
 * for the test.
 */
static bool rule_q1(const struct scene *scene, struct verdict *verdict)
{
	const char *settings = scene->phase->settings, *file_system = scene->facts->file_system;

	if (!settings || !strstr(settings, "\nnowait=false\n") ||
	    scene->phase->kind != scene->plan->phases[0].kind)
		return false;
	verdict_judge(
		verdict, SEVERITY_WARN,
		"%s serves no request without waiting, so io_uring may hand each request to a "
		"kernel thread: the numbers of this test include these threads",
		file_system && *file_system ? file_system : "this file system");
	verdict_advise(verdict, "measure api=posix with as many tasks beside it");
	return true;
}

/* P6: the data read is the data written. */
static bool rule_p6(const struct scene *scene, struct verdict *verdict)
{
	const struct phase_result *phase = scene->phase;
	char direct[DIRECT_SIZE];

	if (!phase->checks)
		return false;
	verdict_prove(verdict, "wrong_transfers", (double)phase->wrong_transfers);
	verdict_prove(verdict, "wrong_bytes", (double)phase->wrong_bytes);
	if (phase->wrong_bytes) {
		verdict_judge(verdict, SEVERITY_FAIL,
			      "%" PRIu64 " of %" PRIu64
			      " transfers read other data than was written; %" PRIu64
			      " bytes are wrong",
			      phase->wrong_transfers, phase->operations, phase->wrong_bytes);
		verdict_advise(verdict, "see the damaged ranges; %s",
			       scene->options->keep_file || scene->options->keep_file_with_error
				       ? "the files are kept"
				       : "-K keeps the files");
	} else if (phase->same_kernel && scene->facts->reads_own_writes && !phase->cold &&
		   !scene->direct && scene->plan->backend->files) {
		verdict_judge(verdict, SEVERITY_NOTE,
			      "every byte is right; %" PRIu32 " of %" PRIu32
			      " tasks compared what their own node wrote and may have read it from "
			      "its page cache",
			      phase->same_kernel, scene->plan->map.tasks);
		verdict_advise(verdict, "cold=fadvise%s, or more nodes, to verify the storage",
			       verdict_or_direct(scene->plan, direct));
	} else {
		verdict_judge(verdict, SEVERITY_GOOD,
			      "every byte that was read is what was written");
	}
	return true;
}

static bool rule_l1(const struct scene *scene, struct verdict *verdict)
{
	return limit_is_reached(scene->phase, LIMIT_NETWORK, verdict);
}

static bool rule_l2(const struct scene *scene, struct verdict *verdict)
{
	return limit_is_reached(scene->phase, LIMIT_DEVICE, verdict);
}

static bool rule_l3(const struct scene *scene, struct verdict *verdict)
{
	return limit_is_reached(scene->phase, LIMIT_SERVER, verdict);
}

static bool rule_l4(const struct scene *scene, struct verdict *verdict)
{
	return limit_is_reached(scene->phase, LIMIT_CLIENT, verdict);
}

static bool rule_l5(const struct scene *scene, struct verdict *verdict)
{
	return limit_is_reached(scene->phase, LIMIT_FLOOR, verdict);
}

/* The bits of kinds of phases. A verification is to compare, however long it takes. */
enum {
	WRITES = 1 << PHASE_WRITE,
	READS = 1 << PHASE_READ,
	LOADS = 1 << PHASE_LOAD,
	MAKES = 1 << PHASE_DIR_CREATE | 1 << PHASE_FILE_CREATE,
	LOOKS = 1 << PHASE_DIR_STAT | 1 << PHASE_FILE_STAT | 1 << PHASE_FILE_READ | 1 << PHASE_MIX,
	PACED = LOADS | 1 << PHASE_MIX,
	ALL = (1 << PHASE_KINDS) - 1,
	TIMED = ALL & ~(1 << PHASE_VERIFY)
};
static const struct {
	const char *id;
	unsigned kinds; /* of phases that the rule is about */
	bool (*applies)(const struct scene *, struct verdict *);
} rules[] = {{"C1", ALL, reads_were_cached},
	     {"C2", ALL, reads_were_not_cold},
	     {"C3", READS, reads_were_too_fast},
	     {"C4", READS | WRITES | LOADS, cache_has_room},
	     {"D1", WRITES, cache_keeps_data},
	     {"T1", TIMED, rule_t1},
	     {"T2", ALL, clocks_disagreed},
	     {"I1", ALL, others_were_active},
	     {"I3", TIMED, tasks_waited_for_cpus},
	     {"T4", TIMED, rule_t4},
	     {"T5", ALL, rule_t5},
	     {"N2", TIMED, rule_n2},
	     {"Q1", ALL, rule_q1},
	     {"P1", ALL, library_stood_between},
	     {"P2", ALL, hints_were_ignored},
	     {"P3", ALL, operations_took_calls},
	     {"P4", ALL, reads_were_compressed},
	     {"P5", ALL, reads_were_holes},
	     {"P6", ALL, rule_p6},
	     {"L1", ALL, rule_l1},
	     {"L2", ALL, rule_l2},
	     {"L3", ALL, rule_l3},
	     {"L4", ALL, rule_l4},
	     {"L5", ALL, rule_l5},
	     {"M1", ALL, metadata_failed},
	     {"M2", MAKES | LOOKS, metadata_is_cached},
	     {"M3", ALL, metadata_in_grown_directories},
	     {"M4", ALL, find_saw_entries},
	     {"M5", PACED, pace_was_missed},
	     {"M6", ALL, pace_woke_late},
	     {"M7", LOADS, pace_limited_by_client},
	     {"M8", LOADS, pace_missed_goal}};

size_t assess_phase(const struct phase_result *phase, const struct test_result *test,
		    const struct assess_facts *facts, struct verdict verdicts[VERDICTS])
{
	const struct scene scene = {
		.phase = phase,
		.measure = phase->measure,
		.options = test->plan->test,
		.plan = test->plan,
		.facts = facts,
		.direct = assess_direct(test->spec),
		.in_set = test->spec && test->spec->set.number,
	};
	size_t count = 0;

	/* Laying out the files of a load is no measurement. */
	if (!phase_has_numbers(phase) ||
	    plan_is_layout(test->plan, &test->plan->phases[phase->index]))
		return 0;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		struct verdict *verdict = &verdicts[count];

		*verdict = (struct verdict){.id = rules[i].id};
		count += (rules[i].kinds >> phase->kind & 1) && rules[i].applies(&scene, verdict);
	}
	return count;
}
