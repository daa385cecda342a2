/* Rules C4 and D1: the page cache between a phase and the storage. */
#include "assess/cache.h"

#include <inttypes.h>

#include "assess/judge.h"
#include "assess/reads.h"
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
 * Where a second read takes about as long as the first, the file system seems to cache nothing. ""
 * where it caches, or where that is not known.
 */
static const char *but_uncached(const struct phase_result *phase)
{
	const struct trial *trial = &phase->trial;
	const bool no_faster = trial->hot_ns > 0 && trial->floor_ns <= 1.5 * trial->hot_ns;

	return phase_reads(phase) && no_faster ? ", but a second read was no faster than the first"
					       : "";
}

static enum severity severity_of_room(const struct phase_result *phase)
{
	return *but_uncached(phase) ? SEVERITY_NOTE : SEVERITY_WARN;
}

/* True if a load began without pages of its files, and moved no more than once their size. */
static bool load_was_cold(const struct scene *scene)
{
	const struct counters *counters = &scene->measure->counters;

	return scene->phase->cold && reads_found_no_pages(scene) &&
	       counters->reads.bytes + counters->writes.bytes <= scene->plan->bytes;
}

/* True if nothing prevents the page cache from serving the reads or the writes of a load. */
static bool load_may_be_cached(const struct scene *scene)
{
	const struct load *load = scene->plan->load;
	const bool writes = scene->measure->counters.writes.bytes > 0;
	const bool synced = load->sync != WRITE_SYNC_NONE || load->fsync_every == 1;

	if (scene->direct || !load_pattern_moves_data(&scene->plan->pattern))
		return false;
	return (writes && !synced) ||
	       (phase_reads(scene->phase) && !reads_were_delivered(scene) && !load_was_cold(scene));
}

/* C4 of a load: its files fit into the memory of the nodes. */
static bool load_has_room(const struct scene *scene, struct verdict *verdict)
{
	const struct plan *plan = scene->plan;
	const bool of_tasks = plan->file_scope == LOAD_SCOPE_TASK;
	const double owners = of_tasks ? (double)node_map_most_tasks(&plan->map) : 1;
	const double bytes = owners * (double)plan_own_bytes(plan);
	const double memory = (double)scene->facts->memory_per_node;
	char direct[DIRECT_SIZE];

	if (bytes >= 2 * memory || !load_may_be_cached(scene))
		return false;
	verdict_prove(verdict, "data_per_node_bytes", bytes);
	verdict_prove(verdict, "memory_per_node_bytes", memory);
	verdict_judge(verdict, severity_of_room(scene->phase),
		      "the files of a node have %s and its memory %s: they fit into the cache%s",
		      units_show_bytes((uint64_t)bytes).text,
		      units_show_bytes((uint64_t)memory).text, but_uncached(scene->phase));
	verdict_advise(verdict, "%s%s", plan->trace ? "file_scope = task" : "a larger file_size",
		       verdict_or_direct(plan, direct));
	return true;
}

/* C4 of a read: a node reads what it wrote, and nothing shows that it came from elsewhere. */
static bool read_has_room(const struct scene *scene)
{
	return !scene->direct && !scene->phase->cold && scene->phase->same_kernel &&
	       scene->facts->reads_own_writes && !reads_found_no_pages(scene) &&
	       !reads_were_delivered(scene);
}

/* C4 of a write: nothing is synced, and nothing shows that the data left memory. */
static bool write_has_room(const struct scene *scene)
{
	if (scene->options->fsync || scene->options->fsync_per_write ||
	    passed_by_cache(scene->measure))
		return false;
	return !scene->direct || scene->measure->after.files;
}

bool cache_has_room(const struct scene *scene, struct verdict *verdict)
{
	/* Nodes of one kernel share its memory. */
	uint64_t most = node_map_most_tasks(&scene->plan->map) *
			(scene->facts->nodes_on_kernel ? scene->facts->nodes_on_kernel : 1);
	double per_task = (double)scene->measure->bytes / (double)scene->measure->tasks;
	double planned = (double)scene->plan->bytes_per_task;
	/* A stonewall moves less than planned; a phase that wraps moves the same data again. */
	double per_node = (per_task < planned ? per_task : planned) * (double)most;
	double memory = (double)scene->facts->memory_per_node;
	bool reads = scene->phase->kind == PHASE_READ;
	bool large = per_node >= (double)GIB;
	char direct[DIRECT_SIZE];

	if (!scene->plan->backend->files || memory <= 0)
		return false;
	if (scene->plan->load)
		return load_has_room(scene, verdict);
	if (per_node >= 2 * memory || !(reads ? read_has_room(scene) : write_has_room(scene)))
		return false;
	verdict_prove(verdict, "data_per_node_bytes", per_node);
	verdict_prove(verdict, "memory_per_node_bytes", memory);
	verdict_judge(verdict, severity_of_room(scene->phase),
		      "each node %s %.1f %s and has %.1f GiB of memory: it fits into the cache%s",
		      reads ? "reads" : "writes", per_node / (double)(large ? GIB : MIB),
		      large ? "GiB" : "MiB", memory / (double)GIB, but_uncached(scene->phase));
	verdict_advise(verdict, "%s%s, or twice as much data as memory",
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
			      "stopped before the sync: %" PRIu64 " of %" PRIu64
			      " tasks had synced what they wrote",
			      measure->syncs_at_end, measure->tasks);
		verdict_advise(verdict, "let the phase run to its end");
	} else if (scene->direct && !dirty) {
		verdict_judge(verdict, SEVERITY_NOTE,
			      "no sync in the timed part: direct I/O bypassed the page cache, but "
			      "the caches of devices were not flushed");
	} else if (passed_by_cache(measure)) {
		verdict_judge(verdict, SEVERITY_NOTE,
			      "no sync in the timed part; the data left memory, but the device may "
			      "keep it in its own cache");
	} else if (measure->after.files) {
		verdict_judge(verdict, SEVERITY_WARN,
			      "no sync in the timed part; %.1f of %.1f MiB were still in memory at "
			      "the end",
			      pending / (double)MIB, (double)measure->bytes / (double)MIB);
	} else {
		verdict_judge(
			verdict, SEVERITY_WARN,
			"no sync in the timed part: it is not known whether the data left memory");
	}
}

/* D1: data written was not yet on the device when the clock stopped. */
bool cache_keeps_data(const struct scene *scene, struct verdict *verdict)
{
	const struct measure *measure = scene->measure;
	const struct cache_state *after = &measure->after;
	double pending = after->files ? (double)(after->dirty + after->writeback) : 0;

	if (!scene->plan->backend->files)
		return false;
	if (after->files) {
		verdict_prove(verdict, "dirty_bytes", (double)after->dirty);
		verdict_prove(verdict, "writeback_bytes", (double)after->writeback);
	}
	if (measure->io.tasks)
		verdict_prove(verdict, "cancelled_write_bytes",
			      (double)measure->io.cancelled_write_bytes);
	if (assess_in_memory(scene->facts->file_system)) {
		verdict_judge(verdict, SEVERITY_WARN,
			      "%s lives in memory: this is the speed of copying, not of storage",
			      scene->facts->file_system);
		verdict_advise(verdict, "choose a test_file on storage");
	} else if (!phase_synced(scene->phase)) {
		judge_unsynced(scene, verdict, pending);
	} else if (!after->files) {
		verdict_judge(verdict, SEVERITY_GOOD,
			      "synced inside the timed part; it is not known how much was left in "
			      "memory");
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
