/* Functions shared by the text forms of IOR and mdtest. */
#include "page/foreign.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/units.h"
#include "page/report.h"
#include "record/json.h"
#include "record/line.h"

static bool is(const json_t *line, const char *path, const char *word)
{
	return !strcmp(line_text(line, path), word);
}

void foreign_keep(json_t *kept, const json_t *line, json_t *numbers)
{
	const char *name = line_text(line, "phase");
	json_t *list = json_object_get(kept, name);

	if (!line_true(line, "warmup"))
		json_array_append(list ? list : put_array(kept, name), numbers);
	json_decref(numbers);
}

struct figures foreign_figures(const json_t *kept, enum phase_kind kind, unsigned nth)
{
	struct figures all = {.least = INFINITY, .most = -INFINITY};
	double sum = 0, squares = 0, variance;
	const json_t *numbers;
	size_t i;

	json_array_foreach(line_at(kept, phase_name(kind)), i, numbers)
	{
		const double value = json_number_value(json_array_get(numbers, nth));

		if (nth >= json_array_size(numbers))
			continue;
		all.least = fmin(all.least, value);
		all.most = fmax(all.most, value);
		sum += value;
		squares += value * value;
		all.count++;
	}
	if (!all.count)
		return all;
	all.mean = sum / (double)all.count;
	variance = squares / (double)all.count - all.mean * all.mean;
	all.deviation = all.count > 1 && variance > 0 ? sqrt(variance) : 0;
	return all;
}

void foreign_doubts(const json_t *line)
{
	const json_t *verdict;
	size_t i;

	json_array_foreach(line_at(line, "verdicts"), i, verdict)
	{
		const char *remedy = line_text(verdict, "remedy");
		struct text words = {0};

		if (!is(verdict, "severity", severity_name(SEVERITY_FAIL)))
			continue;
		text_add(&words, "%s %" PRIu64 ": %s: %s%s%s", line_text(line, "phase"),
			 line_count(line, "repetition"), line_text(verdict, "id"),
			 line_text(verdict, "meaning"), *remedy ? "; remedy: " : "", remedy);
		report_message("warning", text_string(&words));
		text_release(&words);
	}
}

bool foreign_has_row(const json_t *line)
{
	return !line_true(line, "warmup") &&
	       is(line, "status", phase_status_name(PHASE_COMPLETE)) &&
	       !is(line, "phase", phase_name(PHASE_VERIFY));
}

void foreign_put_space(json_t *object, const struct mount_facts *mount)
{
	struct statvfs fs;

	if (!mount || !mount->size_bytes || statvfs(mount->path, &fs))
		return;
	double size = (double)mount->size_bytes / (double)GIB;
	double used = size - (double)mount->free_bytes / (double)GIB;
	double files = (double)fs.f_files, left = (double)fs.f_ffree;
	bool large = size >= 1024;

	json_object_set_new(object, "Capacity",
			    json_sprintf("%.1f %s", large ? size / 1024 : size,
					 large ? "TiB" : "GiB"));
	json_object_set_new(object, "Used Capacity", json_sprintf("%.1f%%", 100 * used / size));
	json_object_set_new(object, "Inodes", json_sprintf("%.1f Mi", files / (double)MIB));
	json_object_set_new(object, "Used Inodes",
			    json_sprintf("%.1f%%", files > 0 ? 100 * (files - left) / files : 0));
}

void foreign_add_space(struct text *out, const struct mount_facts *mount)
{
	json_t *words = json_object();

	foreign_put_space(words, mount);
	if (json_object_size(words))
		text_add(out, "%-20s: %s   Used FS: %s   Inodes: %s   Used Inodes: %s\n", "FS",
			 line_text(words, "Capacity"), line_text(words, "Used Capacity"),
			 line_text(words, "Inodes"), line_text(words, "Used Inodes"));
	json_decref(words);
}
