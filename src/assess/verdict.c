/* Whether to believe a number: the rules. */
#include "assess/judge.h"
#include "assess/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "options/candidates.h"

static const char *const severities[] = {"good", "note", "warn", "fail"};

const char *severity_name(enum severity severity)
{
	return severities[severity];
}

enum { DIRECT_SIZE = 64 };

/* What every rule sees. */
struct scene {
	const struct phase_result *phase;
	const struct measure *measure;
	const struct test *options;
	const struct plan *plan;
	const struct assess_facts *facts;
	bool direct;
};

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

		if (row && row->type == OPTION_BOOL && api_uses(test_of(spec), set->table->prefix))
			return *(const bool *)((const char *)set->values + row->offset);
	}
	return false;
}

/* ", --uring.direct" for a remedy, where the test's backend has such an option; "" elsewhere. */
static const char *or_direct(const struct scene *scene, char text[DIRECT_SIZE])
{
	const struct backend *backend = scene->plan->backend;

	*text = '\0';
	if (option_find(backend->options, "direct"))
		snprintf(text, DIRECT_SIZE, ", --%s.direct", backend->options->prefix);
	return text;
}

/* What was written lies neither in memory nor on its way: direct, or larger than memory. */
static bool passed_by_cache(const struct measure *measure)
{
	const struct cache_state *after = &measure->after;

	return after->files && after->resident <= measure->bytes / 20 &&
	       after->dirty + after->writeback <= measure->bytes / 100;
}

/* The counters do not answer: at most a note, with what the page cache held before. */
static void note_c1(const struct scene *scene, struct verdict *verdict)
{
	double resident = phase_resident_before(scene->phase);
	bool tried = scene->phase->reads_counted == READS_NOT_COUNTED;
	char held[80] = "", direct[DIRECT_SIZE];

	if (resident >= 0) {
		verdict_prove(verdict, "resident_before", resident);
		snprintf(held, sizeof(held), "; %.3g %% of the file was in it before", 100 * resident);
	}
	verdict_judge(verdict, SEVERITY_NOTE, "%s: nothing says what came from this client's page cache%s",
	      tried ? "reads from this file system are not counted"
		    : "whether reads from this file system are counted is not known",
	      held);
	if (!scene->phase->cold)
		verdict_advise(verdict, "cold=fadvise%s, or more data than memory",
			       or_direct(scene, direct));
}

/* C1: the share of a read phase that came from this client's page cache. */
static bool rule_c1(const struct scene *scene, struct verdict *verdict)
{
	const struct measure *measure = scene->measure;

	if (scene->phase->kind != PHASE_READ || !scene->plan->backend->files || !measure->bytes)
		return false;
	if (assess_in_memory(scene->facts->file_system)) {
		verdict_judge(verdict, SEVERITY_WARN,
		      "%s lives in memory: this is the speed of copying, not of storage",
		      scene->facts->file_system);
		verdict_advise(verdict, "choose a test_file on storage");
		return true;
	}
	if (scene->direct) {
		verdict_judge(verdict, SEVERITY_GOOD, "direct I/O passes by this client's page cache");
		return true;
	}
	double hits = scene->phase->hit_share;
	char direct[DIRECT_SIZE];

	if (hits < 0)
		return false;
	verdict_prove(verdict, "read_bytes", (double)measure->io.read_bytes);
	verdict_prove(verdict, "moved_bytes", (double)measure->bytes);
	verdict_prove(verdict, "hit_share", hits);
	/* Reads that were seen are counted, whatever was tried. */
	if (scene->phase->reads_counted != READS_COUNTED && hits > 0.05) {
		note_c1(scene, verdict);
		return true;
	}
	verdict_judge(verdict, hits > 0.2 ? SEVERITY_FAIL : hits > 0.05 ? SEVERITY_WARN : SEVERITY_GOOD,
	      "%.0f %% of the bytes came from this client's page cache", 100 * hits);
	if (verdict->severity != SEVERITY_GOOD)
		verdict_advise(verdict, "cold=fadvise%s, or more data than memory",
			       or_direct(scene, direct));
	return true;
}

/* C4: a node reads what it wrote and what fits into its memory, and nothing prevents the cache. */
static bool rule_c4(const struct scene *scene, struct verdict *verdict)
{
	uint64_t most = node_map_most_tasks(&scene->plan->map);
	double per_task = (double)scene->measure->bytes / (double)scene->measure->tasks;
	double planned = (double)scene->plan->bytes_per_task;
	/* After a stonewall it is less than the plan; a phase that wraps moves it again. */
	double per_node = (per_task < planned ? per_task : planned) * (double)most;
	double memory = (double)scene->facts->memory_per_node;

	if (scene->phase->kind == PHASE_VERIFY || scene->plan->metadata ||
	    !scene->plan->backend->files || memory <= 0 ||
	    scene->direct)
		return false;
	bool reads = scene->phase->kind == PHASE_READ;
	bool own = scene->phase->same_node > 0 && scene->facts->reads_own_writes;

	if (reads ? scene->phase->cold || !own || per_node >= 2 * memory : per_node >= 2 * memory)
		return false;
	if (!reads && (scene->options->fsync || scene->options->fsync_per_write ||
		       passed_by_cache(scene->measure)))
		return false;
	if (scene->measure->io.tasks && reads &&
	    (double)scene->measure->io.read_bytes >= 0.95 * (double)scene->measure->bytes)
		return false; /* proved to have come from the device */
	verdict_prove(verdict, "data_per_node_bytes", per_node);
	verdict_prove(verdict, "memory_per_node_bytes", memory);
	verdict->severity = SEVERITY_WARN;
	bool large = per_node >= (double)GIB;
	char direct[DIRECT_SIZE];

	snprintf(verdict->meaning, sizeof(verdict->meaning),
		 "each node %s %.1f %s and has %.1f GiB of memory: it fits into the cache",
		 reads ? "reads" : "writes", per_node / (double)(large ? GIB : MIB),
		 large ? "GiB" : "MiB", memory / (double)GIB);
	verdict_advise(verdict, "%s%s, or twice the memory in data",
		       reads ? "cold=fadvise, -C with more nodes" : "fsync=1",
		       or_direct(scene, direct));
	return true;
}

/* D1 where nothing was synced, or not everything. */
static void judge_unsynced(const struct scene *scene, struct verdict *verdict, double pending)
{
	const struct measure *measure = scene->measure;
	bool dirty = pending > 0.01 * (double)measure->bytes;

	verdict_advise(verdict, "fsync=1 (-e)");
	if (scene->options->fsync || scene->options->fsync_per_write) {
		verdict_judge(verdict, SEVERITY_WARN,
		      "stopped before the sync: %" PRIu64 " of %" PRIu64 " tasks had synced what they "
		      "wrote", measure->syncs_at_end, measure->tasks);
		verdict_advise(verdict, "let the phase run to its end");
	} else if (scene->direct && !dirty) {
		verdict_judge(verdict, SEVERITY_NOTE,
		      "no sync in the timed part: direct I/O passed by the page cache, but the caches "
		      "of devices were not flushed");
	} else if (passed_by_cache(measure)) {
		verdict_judge(verdict, SEVERITY_NOTE,
		      "no sync in the timed part; the data left memory, but the device may keep it in "
		      "its own cache");
	} else if (measure->after.files) {
		verdict_judge(verdict, SEVERITY_WARN,
		      "no sync in the timed part; %.1f of %.1f MiB were still in memory at the end",
		      pending / (double)MIB, (double)measure->bytes / (double)MIB);
	} else {
		verdict_judge(verdict, SEVERITY_WARN,
		      "no sync in the timed part: nothing says the data left memory");
	}
}

/* D1: what was written was not yet on the device when the clock stopped. */
static bool rule_d1(const struct scene *scene, struct verdict *verdict)
{
	const struct measure *measure = scene->measure;
	const struct cache_state *after = &measure->after;
	double pending = after->files ? (double)(after->dirty + after->writeback) : 0;

	if (scene->phase->kind != PHASE_WRITE || !scene->plan->backend->files)
		return false;
	if (after->files) {
		verdict_prove(verdict, "dirty_bytes", (double)after->dirty);
		verdict_prove(verdict, "writeback_bytes", (double)after->writeback);
	}
	if (measure->io.tasks)
		verdict_prove(verdict, "cancelled_write_bytes", (double)measure->io.cancelled_write_bytes);
	if (assess_in_memory(scene->facts->file_system)) {
		verdict_judge(verdict, SEVERITY_WARN,
		      "%s lives in memory: this is the speed of copying, not of storage",
		      scene->facts->file_system);
		verdict_advise(verdict, "choose a test_file on storage");
	} else if (!phase_synced(scene->phase)) {
		judge_unsynced(scene, verdict, pending);
	} else if (!after->files) {
		verdict_judge(verdict, SEVERITY_GOOD,
		      "synced inside the timed part; what was left in memory is not known here");
	} else if (pending > 0.01 * (double)measure->bytes) {
		verdict_judge(verdict, SEVERITY_WARN,
		      "%.1f MiB were dirty at the end although the data was synced",
		      pending / (double)MIB);
		verdict_advise(verdict, "look for other writers of the same files");
	} else {
		verdict_judge(verdict, SEVERITY_GOOD,
		      "synced inside the timed part, %.1f MiB left in memory",
		      pending / (double)MIB);
	}
	return true;
}

/* T1: shorter than 1 s, or than 100 times the difference of the starts. */
static bool rule_t1(const struct scene *scene, struct verdict *verdict)
{
	double seconds = scene->phase->seconds.total;
	double skew = scene->phase->start_skew;

	/* Whether data is right does not depend on the time. */
	if (scene->phase->kind == PHASE_VERIFY)
		return false;
	verdict_prove(verdict, "total_s", seconds);
	verdict_prove(verdict, "start_skew_s", skew);
	bool short_ = seconds < 1;
	bool skewed = seconds < 100 * skew;

	verdict->severity = short_ || skewed ? SEVERITY_WARN : SEVERITY_GOOD;
	if (short_)
		snprintf(verdict->meaning, sizeof(verdict->meaning),
			 "the phase took %.3g s; below 1 s caches and start-up are what is measured",
			 seconds);
	else
		snprintf(verdict->meaning, sizeof(verdict->meaning),
			 "the phase took %.3g s, tasks started within %.2g s%s", seconds, skew,
			 skewed ? ": more than 1 % of it" : "");
	if (short_ || skewed)
		snprintf(verdict->remedy, sizeof(verdict->remedy),
			 "%s",
			 scene->phase->kind == PHASE_FIND ? "more to walk"
			 : scene->phase->kind == PHASE_MIX ? "mix_duration"
			 : scene->plan->metadata ? "more items (-n)"
					       : "move more data: a larger block_size or segment_count");
	return true;
}

/* N2: at the end not all tasks work any more. */
static bool rule_n2(const struct scene *scene, struct verdict *verdict)
{
	double tail = scene->phase->tail_share;

	/* Below 1 s T1 has said what it means. */
	if (scene->phase->kind == PHASE_VERIFY || scene->phase->working_tasks < 2 ||
	    scene->phase->seconds.total < 1)
		return false;
	verdict_prove(verdict, "tail_share", tail);
	verdict_prove(verdict, "straggler_loss", scene->phase->straggler_loss);
	verdict_judge(verdict, tail > 0.1 ? SEVERITY_WARN : SEVERITY_GOOD,
		      "in the last %.3g %% of the phase not all tasks worked any more", 100 * tail);
	if (tail > 0.1)
		verdict_advise(verdict, "-v names the slow tasks; -D or duration ends all together");
	return true;
}

/* What makes making data a smaller part; of files with names each has but one transfer. */
static const char *cheaper_content(const struct scene *scene)
{
	bool cheapest = scene->options->content == CONTENT_STAMPED;

	if (scene->plan->metadata)
		return cheapest ? "fewer bytes in each file (-w), or more tasks"
				: "content=stamped, fewer bytes in each file (-w), or more tasks";
	return cheapest ? "larger transfers, or more tasks"
			: "content=stamped, larger transfers, or more tasks";
}

/* T4: a good part of the phase went into making or comparing data. */
static bool rule_t4(const struct scene *scene, struct verdict *verdict)
{
	double share = scene->phase->content_share;
	bool compares = scene->phase->checks ||
			phase_operation(scene->phase->kind) == OPERATION_OPEN_CLOSE;

	/* A verification is there to compare. */
	if (scene->phase->kind == PHASE_VERIFY || !scene->measure->content_ns)
		return false;
	verdict_prove(verdict, "content_share", share);
	verdict_prove(verdict, "content_share_most", scene->measure->content_share_most);
	verdict_judge(verdict, share > 0.05 ? SEVERITY_WARN : SEVERITY_GOOD,
		      "%s data took %.2g %% of the time of the transfers",
		      compares ? "comparing" : "making", 100 * share);
	if (share > 0.05)
		verdict_advise(verdict, "%s",
			       compares ? "measure without comparing (check_read, verify_read), "
					  "or use more tasks"
					: cheaper_content(scene));
	return true;
}

/* T5: the tasks' own times say that something was not measured. */
static bool rule_t5(const struct scene *scene, struct verdict *verdict)
{
	const struct little *little = &scene->phase->little;

	/* In a short one a few clock readings are a visible share. */
	if (little->accounted <= 0 || scene->phase->seconds.total < 1)
		return false;
	verdict_prove(verdict, "accounted_share", little->accounted);
	verdict_prove(verdict, "busy_share", little->busy_share);
	bool agree = little->accounted > 0.95 && little->accounted < 1.05;

	verdict_judge(verdict, agree ? SEVERITY_GOOD : SEVERITY_WARN,
		      "service times and content make up %.1f %% of the time that tasks spent on transfers",
		      100 * little->accounted);
	if (!agree)
		verdict_advise(verdict, "report it as an error of iorx, with the result file");
	return true;
}

/* P6: what was read is what was written. */
static bool rule_p6(const struct scene *scene, struct verdict *verdict)
{
	const struct phase_result *phase = scene->phase;
	char direct[DIRECT_SIZE];

	if (!phase->checks)
		return false;
	verdict_prove(verdict, "wrong_transfers", (double)phase->wrong_transfers);
	verdict_prove(verdict, "wrong_bytes", (double)phase->wrong_bytes);
	if (phase->wrong_bytes) {
		verdict_judge(verdict, SEVERITY_FAIL, "%" PRIu64 " of %" PRIu64 " transfers are not what was "
					      "written, %" PRIu64 " bytes are wrong",
		      phase->wrong_transfers, phase->operations, phase->wrong_bytes);
		verdict_advise(verdict, "see the damaged ranges; -K keeps the files");
	} else if (phase->same_node && scene->facts->reads_own_writes && !phase->cold &&
		   !scene->direct && scene->plan->backend->files) {
		verdict_judge(verdict, SEVERITY_NOTE,
		      "every byte is right; %" PRIu32 " of %" PRIu32 " tasks compared what their own "
		      "node wrote and may have read it from its page cache",
		      phase->same_node, scene->plan->map.tasks);
		verdict_advise(verdict, "cold=fadvise%s, or more nodes, to verify the storage",
			       or_direct(scene, direct));
	} else {
		verdict_judge(verdict, SEVERITY_GOOD, "every byte that was read is what was written");
	}
	return true;
}

static bool rule_m1(const struct scene *scene, struct verdict *verdict)
{
	return names_failed(scene->phase, verdict);
}

static bool rule_m3(const struct scene *scene, struct verdict *verdict)
{
	return names_in_grown_directories(scene->phase, verdict);
}

static bool rule_m4(const struct scene *scene, struct verdict *verdict)
{
	return names_were_found(scene->phase, verdict);
}

static bool rule_m5(const struct scene *scene, struct verdict *verdict)
{
	return names_kept_the_rate(scene->phase, scene->plan, verdict);
}

static bool rule_m6(const struct scene *scene, struct verdict *verdict)
{
	return names_woke_in_time(scene->phase, verdict);
}

static bool rule_m2(const struct scene *scene, struct verdict *verdict)
{
	return scene->plan->metadata &&
	       names_are_cached(scene->phase, scene->plan, scene->facts->file_system, verdict);
}

size_t assess_phase(const struct phase_result *phase, const struct test_result *test,
		    const struct assess_facts *facts, struct verdict verdicts[VERDICTS])
{
	static const struct {
		const char *id;
		bool (*applies)(const struct scene *, struct verdict *);
	} rules[] = {{"C1", rule_c1}, {"C4", rule_c4}, {"D1", rule_d1}, {"T1", rule_t1},
		     {"T4", rule_t4}, {"T5", rule_t5}, {"N2", rule_n2}, {"P6", rule_p6}, {"M1", rule_m1},
		     {"M2", rule_m2}, {"M3", rule_m3}, {"M4", rule_m4}, {"M5", rule_m5}, {"M6", rule_m6}};
	struct scene scene = {
		.phase = phase,
		.measure = phase->measure,
		.options = test->plan->test,
		.plan = test->plan,
		.facts = facts,
		.direct = assess_direct(test->spec),
	};
	size_t count = 0;

	if (!phase_has_numbers(phase))
		return 0;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		struct verdict *verdict = &verdicts[count];

		*verdict = (struct verdict){.id = rules[i].id};
		count += rules[i].applies(&scene, verdict);
	}
	return count;
}
