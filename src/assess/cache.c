/* Rules C1, C4 and D1: the page cache between a phase and the storage. */
#include "assess/cache.h"

#include <inttypes.h>
#include <stdio.h>

#include "assess/judge.h"
#include "base/units.h"

/*
 * True if little of the data written is in the page cache or in writeback: direct I/O, or data
 * larger than memory.
 */
static bool passed_by_cache(const struct measure *measure)
{
	const struct cache_state *after = &measure->after;

	return after->files && after->resident <= measure->bytes / 20 &&
	       after->dirty + after->writeback <= measure->bytes / 100;
}

/*
 * C1 where the counters are not reliable: at most a note, with the share that the page cache held
 * before.
 */
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
			       verdict_or_direct(scene->plan, direct));
}

/* C1: the share of a read phase that came from this client's page cache. */
bool cache_answered(const struct scene *scene, struct verdict *verdict)
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
	/* A small hit share proves that the counter works, whatever the trial found. */
	if (scene->phase->reads_counted != READS_COUNTED && hits > 0.05) {
		note_c1(scene, verdict);
		return true;
	}
	verdict_judge(verdict, hits > 0.2 ? SEVERITY_FAIL : hits > 0.05 ? SEVERITY_WARN : SEVERITY_GOOD,
	      "%.0f %% of the bytes came from this client's page cache", 100 * hits);
	if (verdict->severity != SEVERITY_GOOD)
		verdict_advise(verdict, "cold=fadvise%s, or more data than memory",
			       verdict_or_direct(scene->plan, direct));
	return true;
}

/* C4: a node reads what it wrote and what fits into its memory, and nothing prevents the cache. */
bool cache_has_room(const struct scene *scene, struct verdict *verdict)
{
	uint64_t most = node_map_most_tasks(&scene->plan->map);
	double per_task = (double)scene->measure->bytes / (double)scene->measure->tasks;
	double planned = (double)scene->plan->bytes_per_task;
	/* A stonewall moves less than planned; a phase that wraps moves the same data again. */
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
		return false; /* the data provably came from the device */
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
		       verdict_or_direct(scene->plan, direct));
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

/* D1: data written was not yet on the device when the clock stopped. */
bool cache_keeps_data(const struct scene *scene, struct verdict *verdict)
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
