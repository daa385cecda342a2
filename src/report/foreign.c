/* What the texts in the form of other programs share. */
#include "report/foreign.h"

#include <inttypes.h>
#include <math.h>
#include <sys/statvfs.h>

#include "base/units.h"
#include "report/report.h"

void figures_add(struct figures *figures, double value)
{
	if (!figures->count || value < figures->least)
		figures->least = value;
	if (!figures->count || value > figures->most)
		figures->most = value;
	figures->sum += value;
	figures->squares += value * value;
	figures->count++;
}

double figures_deviation(const struct figures *figures)
{
	double mean = figures->sum / figures->count;
	double variance = figures->squares / figures->count - mean * mean;

	return figures->count > 1 && variance > 0 ? sqrt(variance) : 0;
}

void foreign_doubts(const struct phase_result *phase, const struct verdict *verdicts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct text words = {0};

		if (verdicts[i].severity != SEVERITY_FAIL)
			continue;
		text_add(&words, "%s %" PRIu64 ": %s: %s%s%s", phase_name(phase->kind),
			 phase->repetition, verdicts[i].id, verdicts[i].meaning,
			 *verdicts[i].remedy ? "; remedy: " : "", verdicts[i].remedy);
		report_message("warning", text_string(&words));
		text_release(&words);
	}
}

bool foreign_has_row(const struct phase_result *phase)
{
	return !phase->warmup && phase->status == PHASE_COMPLETE;
}

void foreign_space(struct text *out, const struct mount_facts *mount)
{
	double size = (double)mount->size_bytes / (double)GIB;
	double used = size - (double)mount->free_bytes / (double)GIB;
	struct statvfs fs;

	if (!mount->size_bytes || statvfs(mount->path, &fs))
		return;
	double files = (double)fs.f_files, left = (double)fs.f_ffree;

	text_add(out, "%.1f %s   ", size >= 1024 ? size / 1024 : size, size >= 1024 ? "TiB" : "GiB");
	text_add(out, "Used FS: %.1f%%   ", 100 * used / size);
	text_add(out, "Inodes: %.1f Mi   Used Inodes: %.1f%%", files / (double)MIB,
		 files > 0 ? 100 * (files - left) / files : 0);
}
