/* Whether to believe a number: the rules. */
#include "assess/verdict.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

static const char *const severities[] = {"good", "note", "warn", "fail"};

const char *severity_name(enum severity severity)
{
	return severities[severity];
}

/* What every rule sees. */
struct scene {
	const struct phase_result *phase;
	const struct measure *measure;
	const struct test *options;
	const struct plan *plan;
	const struct assess_facts *facts;
};

static void prove(struct verdict *verdict, const char *name, double value)
{
	verdict->evidence[verdict->evidence_count++] = (struct evidence){name, value};
}

static bool counts_device_reads(const struct scene *scene)
{
	static const char *const never[] = {"tmpfs", "ramfs", "devtmpfs", ""};

	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (!strcmp(scene->facts->file_system, never[i]))
			return false;
	return true;
}

/* What was written lies neither in memory nor on its way: direct, or larger than memory. */
static bool passed_by_cache(const struct measure *measure)
{
	const struct cache_state *after = &measure->after;

	return after->files && after->resident <= measure->bytes / 20 &&
	       after->dirty + after->writeback <= measure->bytes / 100;
}

/* C1: the share of a read phase that came from this client's page cache. */
static bool rule_c1(const struct scene *scene, struct verdict *verdict)
{
	const struct measure *measure = scene->measure;

	if (scene->phase->kind != PHASE_READ || !scene->plan->backend->files || !measure->bytes ||
	    measure->io.tasks != measure->tasks)
		return false;
	if (!counts_device_reads(scene)) {
		bool memory = *scene->facts->file_system;

		if (!memory)
			return false;
		verdict->severity = SEVERITY_WARN;
		snprintf(verdict->meaning, sizeof(verdict->meaning),
			 "%s lives in memory: this is the speed of copying, not of storage",
			 scene->facts->file_system);
		snprintf(verdict->remedy, sizeof(verdict->remedy), "choose a test_file on storage");
		return true;
	}
	double hits = 1 - (double)measure->io.read_bytes / (double)measure->bytes;

	if (hits < 0)
		hits = 0; /* read-ahead fetched more than was asked for */
	prove(verdict, "read_bytes", (double)measure->io.read_bytes);
	prove(verdict, "moved_bytes", (double)measure->bytes);
	prove(verdict, "hit_share", hits);
	verdict->severity = hits > 0.2 ? SEVERITY_FAIL : hits > 0.05 ? SEVERITY_WARN : SEVERITY_GOOD;
	snprintf(verdict->meaning, sizeof(verdict->meaning),
		 "%.0f %% of the bytes came from this client's page cache", 100 * hits);
	if (verdict->severity != SEVERITY_GOOD)
		snprintf(verdict->remedy, sizeof(verdict->remedy),
			 "cold=fadvise, --posix.direct, or more data than memory");
	return true;
}

/* C4: a node reads what it wrote and what fits into its memory, and nothing prevents the cache. */
static bool rule_c4(const struct scene *scene, struct verdict *verdict)
{
	uint64_t most = node_map_most_tasks(&scene->plan->map);
	double per_node = (double)scene->plan->bytes_per_task * (double)most;
	double memory = (double)scene->facts->memory_per_node;

	if (!scene->plan->backend->files || memory <= 0)
		return false;
	bool reads = scene->phase->kind == PHASE_READ;
	bool own = scene->phase->same_node > 0 && scene->facts->reads_own_writes;

	if (reads ? scene->phase->cold || !own || per_node >= 2 * memory : per_node >= 2 * memory)
		return false;
	if (!reads && (scene->options->fsync || scene->options->fsync_per_write ||
		       passed_by_cache(scene->measure)))
		return false;
	if (scene->measure->io.tasks && reads && counts_device_reads(scene) &&
	    scene->measure->io.read_bytes >= scene->measure->bytes * 95 / 100)
		return false; /* direct, or proved to have come from the device */
	prove(verdict, "data_per_node_bytes", per_node);
	prove(verdict, "memory_per_node_bytes", memory);
	verdict->severity = SEVERITY_WARN;
	bool large = per_node >= (double)GIB;

	snprintf(verdict->meaning, sizeof(verdict->meaning),
		 "each node %s %.1f %s and has %.1f GiB of memory: it fits into the cache",
		 reads ? "reads" : "writes", per_node / (double)(large ? GIB : MIB),
		 large ? "GiB" : "MiB", memory / (double)GIB);
	snprintf(verdict->remedy, sizeof(verdict->remedy), "%s",
		 reads ? "cold=fadvise, -C with more nodes, --posix.direct, or twice the memory in data"
		       : "fsync=1, --posix.direct, or twice the memory in data");
	return true;
}

/* D1: what was written was not yet on the device when the clock stopped. */
static bool rule_d1(const struct scene *scene, struct verdict *verdict)
{
	const struct measure *measure = scene->measure;
	const struct cache_state *after = &measure->after;
	double pending = (double)(after->dirty + after->writeback);

	if (scene->phase->kind != PHASE_WRITE || !scene->plan->backend->files)
		return false;
	bool synced = scene->options->fsync || scene->options->fsync_per_write;

	if (after->files) {
		prove(verdict, "dirty_bytes", (double)after->dirty);
		prove(verdict, "writeback_bytes", (double)after->writeback);
	}
	prove(verdict, "cancelled_write_bytes", (double)measure->io.cancelled_write_bytes);
	if (!synced) {
		bool passed = passed_by_cache(measure);

		verdict->severity = passed ? SEVERITY_NOTE : SEVERITY_WARN;
		if (passed)
			snprintf(verdict->meaning, sizeof(verdict->meaning),
				 "no sync in the timed part; the data left memory, but the device "
				 "may keep it in its own cache");
		else if (after->files)
			snprintf(verdict->meaning, sizeof(verdict->meaning),
				 "no sync in the timed part; %.1f of %.1f MiB were still in memory "
				 "at the end",
				 pending / (double)MIB, (double)measure->bytes / (double)MIB);
		else
			snprintf(verdict->meaning, sizeof(verdict->meaning),
				 "no sync in the timed part: nothing says the data left memory");
		snprintf(verdict->remedy, sizeof(verdict->remedy), "fsync=1 (-e)");
		return true;
	}
	bool dirty = after->files && pending > 0.01 * (double)measure->bytes;

	verdict->severity = dirty ? SEVERITY_WARN : SEVERITY_GOOD;
	snprintf(verdict->meaning, sizeof(verdict->meaning),
		 dirty ? "%.1f MiB were dirty at the end although the data was synced"
		       : "synced inside the timed part, %.1f MiB left in memory",
		 pending / (double)MIB);
	if (dirty)
		snprintf(verdict->remedy, sizeof(verdict->remedy),
			 "look for other writers of the same files");
	return true;
}

/* T1: shorter than 1 s, or than 100 times the difference of the starts. */
static bool rule_t1(const struct scene *scene, struct verdict *verdict)
{
	double seconds = scene->phase->seconds.total;
	double skew = scene->phase->start_skew;

	prove(verdict, "total_s", seconds);
	prove(verdict, "start_skew_s", skew);
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
			 "move more data: a larger block_size or segment_count");
	return true;
}

size_t assess_phase(const struct phase_result *phase, const struct test_result *test,
		    const struct assess_facts *facts, struct verdict verdicts[VERDICTS])
{
	static const struct {
		const char *id;
		bool (*applies)(const struct scene *, struct verdict *);
	} rules[] = {{"C1", rule_c1}, {"C4", rule_c4}, {"D1", rule_d1}, {"T1", rule_t1}};
	struct scene scene = {
		.phase = phase,
		.measure = phase->measure,
		.options = test->plan->test,
		.plan = test->plan,
		.facts = facts,
	};
	size_t count = 0;

	if (!phase->measure || phase->status == PHASE_FAILED || phase->status == PHASE_SKIPPED)
		return 0;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		struct verdict *verdict = &verdicts[count];

		*verdict = (struct verdict){.id = rules[i].id};
		count += rules[i].applies(&scene, verdict);
	}
	return count;
}
