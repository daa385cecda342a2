/* Functions shared by the text forms of IOR and mdtest. */
#include "report/foreign.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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

double figures_sample_deviation(const struct figures *figures)
{
	double count = figures->count;

	return count > 1 ? figures_deviation(figures) * sqrt(count / (count - 1)) : 0;
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
	return !phase->warmup && phase->status == PHASE_COMPLETE && phase->kind != PHASE_VERIFY;
}

bool foreign_space(const struct mount_facts *mount, struct space_words *words)
{
	double size = (double)mount->size_bytes / (double)GIB;
	double used = size - (double)mount->free_bytes / (double)GIB;
	struct statvfs fs;

	if (!mount->size_bytes || statvfs(mount->path, &fs))
		return false;
	double files = (double)fs.f_files, left = (double)fs.f_ffree;

	snprintf(words->size, sizeof(words->size), "%.1f %s", size >= 1024 ? size / 1024 : size,
		 size >= 1024 ? "TiB" : "GiB");
	snprintf(words->used, sizeof(words->used), "%.1f%%", 100 * used / size);
	snprintf(words->inodes, sizeof(words->inodes), "%.1f Mi", files / (double)MIB);
	snprintf(words->used_inodes, sizeof(words->used_inodes), "%.1f%%",
		 files > 0 ? 100 * (files - left) / files : 0);
	return true;
}

void foreign_add_space(struct text *out, const struct mount_facts *mount)
{
	struct space_words words;

	if (mount && foreign_space(mount, &words))
		text_add(out, "%-20s: %s   Used FS: %s   Inodes: %s   Used Inodes: %s\n", "FS",
			 words.size, words.used, words.inodes, words.used_inodes);
}
