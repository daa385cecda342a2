/*
 * A made-up run for tests of src/record and src/page: a job, its plan, and phases with invented
 * numbers.
 */
#ifndef TESTS_UNIT_REPORT_SCENE_H
#define TESTS_UNIT_REPORT_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/registry.h"
#include "base/memory.h"
#include "base/units.h"
#include "page/report.h"
#include "record/record.h"

struct report_scene {
	struct job job;
	struct node_map map;
	struct plan plan;
	struct environment environment;
	struct mount_facts mount;
	struct test_result test;
	struct test_head head;
	struct phase_result phases[24];
	size_t phase_count;
	char (*hosts)[HOST_NAME_SIZE];
};

static void scene_assign(struct report_scene *scene, const char *key, const char *value)
{
	struct origin origin = {.kind = ORIGIN_COMMAND_LINE};
	struct error err = {0};

	if (job_assign(&scene->job, &scene->job.tests[0], key, value, origin, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
}

/* settings: key, value, …, NULL. */
static void scene_start(struct report_scene *scene, uint32_t nodes, uint32_t tasks_per_node,
			const char *const *settings)
{
	struct error err = {0};
	struct facts facts = {.map = &scene->map};

	*scene = (struct report_scene){0};
	job_init(&scene->job, registry_vocabulary());
	job_add_test(&scene->job, NULL);
	for (; *settings; settings += 2)
		scene_assign(scene, settings[0], settings[1]);
	for (uint32_t node = 0; node < nodes; node++)
		node_map_append(&scene->map, node, tasks_per_node);
	if (job_complete(&scene->job, &err) ||
	    plan_build(&scene->plan, test_of(&scene->job.tests[0]),
		       registry_backend(test_of(&scene->job.tests[0])->api, &err), &facts, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	scene->hosts = memory_allocate(nodes, sizeof(*scene->hosts));
	for (uint32_t node = 0; node < nodes; node++)
		snprintf(scene->hosts[node], HOST_NAME_SIZE, "node%02u", node + 1);
	scene->environment = (struct environment){
		.version = "0.1.0 (test)",
		.compiler = "gcc",
		.mpi = "Open MPI",
		.host = "node01",
		.kernel = "Linux",
		.cpu = "A processor",
		.cpus = 2,
		.memory_bytes = 8 * GIB,
		.clock = "tsc",
		.clock_cost_ns = 9.1,
		.tasks = nodes * tasks_per_node,
		.nodes = nodes,
		.scheduler = "SLURM_JOB_ID=7\nSLURM_NNODES=2\n",
		.variables = "UCX_TLS=rc,ud\n",
	};
	scene->mount = (struct mount_facts){
		.path = "/scratch",
		.type = "ext4",
		.source = "/dev/sdb1",
		.target = "/scratch",
		.options = "rw,relatime",
		.size_bytes = 1000000000,
		.free_bytes = 500000000,
	};
	scene->test = (struct test_result){.spec = &scene->job.tests[0], .plan = &scene->plan};
	scene->head = (struct test_head){.spec = scene->test.spec, .plan = scene->test.plan};
}

static void scene_release(struct report_scene *scene)
{
	for (size_t i = 0; i < scene->phase_count; i++)
		free(scene->phases[i].measure);
	test_result_release(&scene->test);
	free(scene->hosts);
	plan_release(&scene->plan);
	node_map_release(&scene->map);
	job_release(&scene->job);
}

/* A measure of every task; seconds for the whole, `transfers` of `ns` each. */
static struct measure *scene_measure(const struct report_scene *scene, enum phase_kind kind,
				     double seconds, uint64_t transfers, uint64_t ns)
{
	enum operation moving = kind == PHASE_WRITE ? OPERATION_WRITE : OPERATION_READ;
	enum operation operations[] = {OPERATION_OPEN, OPERATION_DEFINE, moving, OPERATION_SYNC,
				       OPERATION_CLOSE};
	struct measure *measure = measure_create(operations, 5);
	uint64_t begin = 1000000000000, end = begin + (uint64_t)(seconds * 1e9);

	measure->tasks = scene->plan.map.tasks;
	measure->bytes = measure->bytes_expected = scene->plan.bytes;
	measure->least_bytes = measure->most_bytes = scene->plan.bytes_per_task;
	measure->rate_sum = (double)measure->bytes / seconds * 1.02;
	measure->time_sum = seconds * (double)measure->tasks * 0.97;
	measure->time_most = seconds;
	measure->begin = (struct extent){begin, begin + 12000};
	measure->open_end = (struct extent){begin + 50000, begin + 900000};
	measure->issue = (struct extent){begin + 60000, begin + 910000};
	measure->completion = (struct extent){end - 5000000, end - 2000000};
	measure->sync_end = (struct extent){end - 3000000, end - 800000};
	measure->close_end = measure->done = (struct extent){end - 2000000, end};
	measure->io = (struct kernel_io){.tasks = measure->tasks, .wchar = measure->bytes};
	measure->after = (struct cache_state){.files = 1, .bytes = scene->plan.file_size};
	measure->user_ns = 1000000;
	measure->system_ns = 2000000;
	for (uint64_t i = 0; i < transfers; i++)
		measure_add(measure_record(measure, moving), ns + 1000 * i, begin + 70000 + i,
			    i * 4096, (uint32_t)(i % measure->tasks), 0);
	measure_add(measure_record(measure, OPERATION_OPEN), 40000, begin + 50000, UINT64_MAX, 0,
		    0);
	return measure;
}

static struct phase_result *scene_phase(struct report_scene *scene, enum phase_kind kind,
					uint64_t repetition, double seconds, uint64_t transfers,
					uint64_t ns)
{
	struct phase_result *phase = &scene->phases[scene->phase_count++];
	unsigned index = 0;

	while (index + 1 < scene->plan.phase_count && scene->plan.phases[index].kind != kind)
		index++;
	*phase = (struct phase_result){.index = index,
				       .kind = kind,
				       .repetition = repetition,
				       .began = {.tv_sec = 1795208153}};
	phase_result_fill(phase, scene_measure(scene, kind, seconds, transfers, ns));
	return phase;
}

/* The line of the end of the test, after all phases of the scene. */
static inline json_t *scene_end(struct report_scene *scene)
{
	struct assessed_summary assessed[PLAN_PHASES];

	test_result_release(&scene->test);
	for (size_t i = 0; i < scene->phase_count; i++)
		test_result_add(&scene->test, &scene->phases[i]);
	assess_summaries(&scene->test, assessed);
	return record_test_end(&scene->test, assessed);
}

static inline void scene_fail(struct phase_result *phase, const char *path)
{
	phase->status = PHASE_FAILED;
	phase->failed_tasks = 3;
	phase->failure = (struct failure){.task = 3,
					  .rank = 3,
					  .host = "node01",
					  .operation = "write",
					  .offset = 12345,
					  .length = 1048576,
					  .at_ns = 1000000500000};
	error_set(&phase->failure.error, 28, "pwrite: No space left on device");
	snprintf(phase->failure.path, sizeof(phase->failure.path), "%s", path);
}

static const struct verdict scene_verdicts[] = {
	{.id = "C1",
	 .severity = SEVERITY_FAIL,
	 .evidence = {{"hit_share", 0.98}},
	 .evidence_count = 1,
	 .meaning = "98 % of the bytes came from this client's page cache",
	 .remedy = "cold=fadvise, --posix.direct, or more data than memory"},
	{.id = "T1",
	 .severity = SEVERITY_WARN,
	 .evidence = {{"total_s", 0.01}},
	 .evidence_count = 1,
	 .meaning = "the phase took 0.01 s: below 1 s the numbers measure caches and start-up",
	 .remedy = "a larger block_size or segment_count"},
	{.id = "D1", .severity = SEVERITY_GOOD, .meaning = "synced inside the timed part"},
};

/* The whole file, NUL-terminated, for the caller to free; NULL when it cannot be read. */
static inline char *scene_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char *bytes;
	long size;

	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	bytes = memory_allocate((size_t)size + 1, 1);
	if (fread(bytes, 1, (size_t)size, file) != (size_t)size)
		bytes[0] = '\0';
	fclose(file);
	return bytes;
}

/* Tests write into the folder that tests/run gives them. */
static inline void scene_enter(void)
{
	const char *folder = getenv("TEST_TMPDIR");

	if (folder && chdir(folder))
		perror(folder);
}

#endif
