/* Memory that is occupied while a test runs. */
#include "engine/core/memory_hog.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/units.h"

/* Memory that the kernel can give without swapping, bytes; 0: unknown. */
static uint64_t available(void)
{
	unsigned long long kib = 0;
	FILE *file = fopen("/proc/meminfo", "re");
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib * 1024;
}

static uint32_t tasks_here(const struct worker *worker)
{
	return seats_count(&worker->crew->seats, worker->node_number);
}

static uint64_t share_of(const struct worker *worker)
{
	return worker->plan->memory_hog_per_node / tasks_here(worker) +
	       worker->plan->test->memory_per_task;
}

int memory_hog_check(const struct worker *worker, struct error *err)
{
	uint64_t wanted = share_of(worker) * tasks_here(worker), free_bytes;

	if (!wanted || !crew_leads_node(worker->crew))
		return 0;
	free_bytes = available();
	if (!free_bytes || wanted <= free_bytes)
		return 0;
	return error_input(err,
			   "%s: %" PRIu64 " MiB are to be occupied on %s, which has %" PRIu64
			   " MiB available; ask for less",
			   worker->plan->memory_hog_per_node ? "memory_per_node"
							     : "memory_per_task",
			   wanted / MIB, worker->host, free_bytes / MIB);
}

/* Writes a different word into every page, so that the kernel cannot merge equal pages. */
static void touch(struct worker *worker)
{
	enum { PAGE = 4096, LOOK_EVERY = 4096 };
	uint64_t pages = worker->memory_hog_size / PAGE;

	for (uint64_t page = 0; page < pages; page++) {
		uint64_t word = (page + 1) * UINT64_C(0x9e3779b97f4a7c15) + worker->task;

		memcpy((char *)worker->memory_hog + page * PAGE, &word, sizeof(word));
		if (page % LOOK_EVERY == 0 && atomic_load(&worker->node->shared->stop) != STOP_NONE)
			return;
	}
}

int memory_hog_take(struct worker *worker, struct error *err)
{
	uint64_t bytes = share_of(worker);

	if (!bytes)
		return 0;
	worker->memory_hog =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (worker->memory_hog == MAP_FAILED) {
		worker->memory_hog = NULL;
		return error_set(err, errno, "mmap: %s; no memory for a memory hog of %.1f MiB",
				 strerror(errno), (double)bytes / MIB);
	}
	worker->memory_hog_size = bytes;
	touch(worker);
	/*
	 * A swapped-out memory hog would take nothing from the page cache. A failed mlock() is
	 * accepted.
	 */
	mlock(worker->memory_hog, bytes);
	return 0;
}

void memory_hog_release(struct worker *worker)
{
	if (worker->memory_hog)
		munmap(worker->memory_hog, worker->memory_hog_size);
	worker->memory_hog = NULL;
}
