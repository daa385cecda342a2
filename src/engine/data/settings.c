/* Reads the effective settings of a file from its backend. */
#include "engine/data/settings.h"

#include <string.h>

#include "engine/data/files.h"

struct settings_sink {
	struct text *lines;
};

static void settings_add_line(struct settings_sink *sink, const char *name, const char *value)
{
	text_add(sink->lines, "%s=%s\n", name, value);
}

static bool opened_together(const struct plan *plan)
{
	return plan->backend->collective && plan->geometry.shared;
}

void settings_read(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		   struct text *lines)
{
	const struct plan *plan = worker->plan;
	struct settings_sink sink = {lines};
	struct backend_open how = files_open(worker, phase, worker->task);
	struct error ignored;

	if (!worker->backend->settings || (worker->task != 0 && !opened_together(plan)))
		return;
	if (!opened_together(plan))
		how.comm = MPI_COMM_SELF;
	plan_phase_path(plan, phase, plan_source(plan, phase, repetition, worker->task), repetition,
			worker->path);
	memset((void *)worker->file, 0, worker->backend->file_size);
	node_set_activity(worker->node, ACTIVITY_OPEN);
	if (!worker->backend->open(worker->session, worker->file, &how, &ignored))
		worker->backend->settings(worker->file, settings_add_line, &sink);
	node_set_activity(worker->node, ACTIVITY_CLOSE);
	worker->backend->close(worker->file, &ignored);
	node_set_activity(worker->node, ACTIVITY_NONE);
}
