/* Rules C1, C2, C3, P4 and P5: where the bytes of a read came from. */
#include "assess/reads.h"

#include "assess/judge.h"
#include "base/units.h"

static const double none = 0.01, some = 0.05, much = 0.2;

/* True for reads of files whose page cache is a cache. */
static bool is_a_question(const struct scene *scene)
{
	return phase_reads(scene->phase) && scene->plan->backend->files &&
	       !assess_in_memory(scene->facts->file_system);
}

bool reads_found_no_pages(const struct scene *scene)
{
	double resident = phase_resident_before(scene->phase);

	return scene->phase->trial.pages_seen && resident >= 0 && resident <= none;
}

/* True if no byte was read twice, so that the phase cannot have read its own pages. */
static bool reads_once(const struct scene *scene)
{
	return scene->phase->kind == PHASE_READ && scene->plan->order != ORDER_REPEATS &&
	       scene->measure->bytes <= scene->plan->bytes;
}

bool reads_were_delivered(const struct scene *scene)
{
	return scene->phase->hit_share >= 0 && scene->phase->hit_share <= some;
}

/* The least share of the bytes read that must have come from holes. */
static double share_of_holes(const struct scene *scene)
{
	const struct source_state *source = &scene->measure->source;
	/* Each node looks at a shared file. */
	const double times = scene->plan->geometry.shared ? (double)source->files : 1;
	const double moved = (double)scene->measure->bytes;

	if (!source->holes || moved <= 0)
		return 0;
	if (!reads_once(scene))
		return (double)source->holes / (double)source->bytes;
	const double data = (double)(source->bytes - source->holes) / times;

	return moved > data ? (moved - data) / moved : 0;
}

/* True if what the device did not deliver is explained by holes. */
static bool was_holes(const struct scene *scene)
{
	const double holes = share_of_holes(scene);

	return holes > none && holes >= scene->phase->hit_share - some;
}

/* True if the bytes were neither cached nor delivered whole, so that the file system made them. */
static bool was_made_up(const struct scene *scene)
{
	return scene->phase->trial.reads == READS_COUNTED && scene->phase->hit_share > much &&
	       reads_found_no_pages(scene) && reads_once(scene) && !was_holes(scene);
}

static enum severity by_share(double share)
{
	return share > much ? SEVERITY_FAIL : share > some ? SEVERITY_WARN : SEVERITY_GOOD;
}

static void advise_cold(const struct scene *scene, struct verdict *verdict)
{
	char direct[DIRECT_SIZE];

	if (scene->direct)
		verdict_advise(verdict, "cold=fadvise, and a file system that heeds direct I/O: "
					"ext4 with data=journal does not");
	else if (reads_found_no_pages(scene) && !reads_once(scene)) /* it read its own pages */
		verdict_advise(verdict, "one pass over the files%s, or more data than memory",
			       verdict_or_direct(scene->plan, direct));
	else if (scene->phase->cold)
		verdict_advise(verdict,
			       "end what holds the files in memory (fuser, lsof)%s, or "
			       "more data than memory",
			       verdict_or_direct(scene->plan, direct));
	else
		verdict_advise(verdict, "cold=fadvise%s, or more data than memory",
			       verdict_or_direct(scene->plan, direct));
}

/* C1 where the kernel counts the bytes that it fetches. */
static void judge_counted(const struct scene *scene, struct verdict *verdict)
{
	const double hits = scene->phase->hit_share;

	verdict_judge(verdict, by_share(hits),
		      "%s%.0f %% of the bytes came from this client's page cache",
		      !scene->direct ? ""
		      : hits <= some ? "direct I/O, and the device delivered: "
				     : "direct I/O was asked for, but ",
		      100 * hits);
	if (verdict->severity != SEVERITY_GOOD)
		advise_cold(scene, verdict);
}

/* C1 where no counter tells: what cachestat saw before the phase. */
static void judge_resident(const struct scene *scene, struct verdict *verdict)
{
	const double resident = phase_resident_before(scene->phase);
	const bool tried = scene->phase->trial.reads == READS_NOT_COUNTED;

	if (resident > some) {
		verdict_judge(verdict, by_share(resident),
			      "%.3g %% of the files were in this client's page cache before, and "
			      "reads from this file system are %s",
			      100 * resident, tried ? "not counted" : "not known to be counted");
		advise_cold(scene, verdict);
		return;
	}
	if (reads_found_no_pages(scene) && reads_once(scene)) {
		verdict_judge(verdict, SEVERITY_GOOD,
			      "nothing of the files was in this client's page cache before, and no "
			      "byte was read twice");
		return;
	}
	verdict_judge(verdict, SEVERITY_NOTE,
		      "%s: it is not known how much came from this client's page cache",
		      tried ? "reads from this file system are not counted"
			    : "whether reads from this file system are counted is not known");
	if (!scene->phase->cold)
		advise_cold(scene, verdict);
}

bool reads_were_cached(const struct scene *scene, struct verdict *verdict)
{
	const struct phase_result *phase = scene->phase;
	const double resident = phase_resident_before(phase);

	if (!phase_reads(phase) || !scene->plan->backend->files)
		return false;
	if (assess_in_memory(scene->facts->file_system)) {
		verdict_judge(verdict, SEVERITY_WARN,
			      "%s lives in memory: this is the speed of copying, not of storage",
			      scene->facts->file_system);
		verdict_advise(verdict, "choose a test_file on storage");
		return true;
	}
	if (was_made_up(scene) || was_holes(scene)) /* P4 or P5 speaks */
		return false;
	if (phase->hit_share >= 0) {
		verdict_prove(verdict, "read_bytes", (double)scene->measure->io.read_bytes);
		verdict_prove(verdict, "moved_bytes", (double)scene->measure->bytes);
		verdict_prove(verdict, "hit_share", phase->hit_share);
	}
	if (resident >= 0)
		verdict_prove(verdict, "resident_before", resident);
	if (reads_were_delivered(scene) ||
	    (phase->trial.reads == READS_COUNTED && phase->hit_share >= 0))
		judge_counted(scene, verdict);
	else
		judge_resident(scene, verdict);
	return true;
}

bool reads_were_not_cold(const struct scene *scene, struct verdict *verdict)
{
	const double resident = phase_resident_before(scene->phase);

	if (!is_a_question(scene) || !scene->phase->cold || resident < 0 ||
	    (scene->direct && reads_were_delivered(scene)))
		return false;
	if (resident <= none && !scene->phase->trial.pages_seen)
		return false;
	verdict_prove(verdict, "resident_before", resident);
	verdict_judge(verdict,
		      resident > much	? SEVERITY_FAIL
		      : resident > none ? SEVERITY_WARN
					: SEVERITY_GOOD,
		      "%.3g %% of the files were in this client's page cache when the cold read "
		      "began",
		      100 * resident);
	if (verdict->severity != SEVERITY_GOOD)
		verdict_advise(verdict, "end what holds the files in memory, such as another "
					"program that maps them (fuser, lsof)");
	return true;
}

bool reads_were_too_fast(const struct scene *scene, struct verdict *verdict)
{
	const struct operation_record *record = phase_transfers(scene->phase);
	const double pilot = scene->phase->trial.pilot_ns;

	if (!is_a_question(scene) || pilot <= 0 || !record || !record->histogram.count ||
	    reads_were_delivered(scene))
		return false;
	const double mean = (double)record->histogram.sum_ns / (double)record->histogram.count;
	const double share = mean / pilot;

	verdict_prove(verdict, "mean_ns", mean);
	verdict_prove(verdict, "pilot_ns", pilot);
	verdict_judge(verdict,
		      share < 0.1   ? SEVERITY_FAIL
		      : share < 0.3 ? SEVERITY_WARN
				    : SEVERITY_GOOD,
		      "a transfer took %s on average, and %s when one task alone read from cold "
		      "storage%s",
		      units_show_ns((uint64_t)mean).text, units_show_ns((uint64_t)pilot).text,
		      share < 0.3 ? ": a cache answered, here or in a warm server" : "");
	if (verdict->severity != SEVERITY_GOOD)
		verdict_advise(verdict,
			       "cold=fadvise, and more data than the memory of clients and "
			       "servers");
	return true;
}

bool reads_were_compressed(const struct scene *scene, struct verdict *verdict)
{
	if (!is_a_question(scene) || !was_made_up(scene))
		return false;
	verdict_prove(verdict, "read_bytes", (double)scene->measure->io.read_bytes);
	verdict_prove(verdict, "moved_bytes", (double)scene->measure->bytes);
	verdict_judge(
		verdict, SEVERITY_WARN,
		"the device delivered %.0f %% of the bytes, and nothing was in the page cache "
		"before: the file system compresses, or made up the rest",
		100 * (1 - scene->phase->hit_share));
	verdict_advise(verdict, "data that does not compress (content=random), or a folder without "
				"compression");
	return true;
}

bool reads_were_holes(const struct scene *scene, struct verdict *verdict)
{
	const double share = share_of_holes(scene);

	if (!is_a_question(scene) || share <= none)
		return false;
	verdict_prove(verdict, "file_bytes", (double)scene->measure->source.bytes);
	verdict_prove(verdict, "hole_bytes", (double)scene->measure->source.holes);
	verdict_judge(verdict, share > much ? SEVERITY_FAIL : SEVERITY_WARN,
		      "%.3g %% of the bytes read are holes of sparse files, which no storage holds",
		      100 * share);
	verdict_advise(verdict, "write the files whole before they are read");
	return true;
}
