/* Empties caches before a cold read. */
#include "engine/data/cold.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/command.h"
#include "engine/data/files.h"
#include "measure/kernel.h"

/* Returns whether this task handles the page cache of its file on this node. */
static bool is_node_keeper(const struct worker *worker)
{
	return !worker->plan->geometry.shared || crew_leads_node(worker->crew);
}

static int write_drop_caches(struct error *err)
{
	sync();
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "3\n", 2) != 2) {
		error_set(err, errno,
			  "cold=drop_caches: /proc/sys/vm/drop_caches: %s; it needs root, "
			  "cold=fadvise does not",
			  strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	close(fd);
	return 0;
}

/* Phase that selects the path by which a reader sees a file. Only kind and access are used. */
static const struct phase_plan reading = {.kind = PHASE_READ, .access = ACCESS_READ};

static int cold_drop(struct worker *worker, uint32_t owner, uint64_t repetition, struct error *err)
{
	plan_phase_path(worker->plan, &reading, owner, repetition, worker->path);
	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		if (kernel_cache_drop(worker->path))
			return error_set(err, errno, "cold=fadvise: %s", strerror(errno));
	}
	files_select(worker, 0);
	return 0;
}

int cold_make(struct worker *worker, uint32_t source, uint64_t repetition, struct error *err)
{
	const struct test *test = worker->plan->test;
	bool first = crew_leads_node(worker->crew);

	switch ((enum cold)test->cold) {
	case COLD_NONE:
		return 0;
	case COLD_DROP_CACHES:
		return first ? write_drop_caches(err) : 0;
	case COLD_COMMAND:
		return first ? command_run(worker, "cold_command", test->cold_command, NULL, err)
			     : 0;
	case COLD_FADVISE:
		break;
	}
	if (!is_node_keeper(worker))
		return 0;
	/*
	 * Drops both files: the node may hold pages that it wrote or that an earlier reader left.
	 */
	if (source != worker->task && cold_drop(worker, worker->task, repetition, err))
		return -1;
	return cold_drop(worker, source, repetition, err);
}

void cold_observe(struct worker *worker, struct cache_state *state)
{
	if (worker->backend->files && is_node_keeper(worker))
		kernel_cache_add(state, worker->path);
}

void cold_observe_source(struct worker *worker)
{
	struct measure *measure = worker->measure;

	cold_observe(worker, &measure->before);
	if (worker->backend->files && is_node_keeper(worker))
		kernel_source_add(&measure->source, worker->path,
				  plan_file_bytes(worker->plan, files_selected(worker)));
}
