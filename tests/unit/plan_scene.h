/* Plans of tests that are given by their command line, on made-up nodes. */
#ifndef TESTS_UNIT_PLAN_SCENE_H
#define TESTS_UNIT_PLAN_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "backends/registry.h"
#include "dialects/dialect.h"
#include "plan/plan.h"
#include "plan/workload.h"

struct plan_scene {
	struct vocabulary vocabulary;
	struct job job;
	struct node_map map;
	struct facts facts;
	struct plan plan;
	struct error err;
	int ret; /* of building the plan; there is none if it is not 0 */
};

/* words: "iorx -F -b 1m", "mdtest -n 10" or "load --files=2", with blanks between them. */
static inline void plan_scene_parse(struct plan_scene *scene, const char *words)
{
	char bytes[400], *rest = bytes, *argv[40];
	struct command_line line = {0};
	int argc = 0;

	strncpy(bytes, words, sizeof(bytes) - 1);
	bytes[sizeof(bytes) - 1] = '\0';
	while (argc < 40 && (argv[argc] = strsep(&rest, " ")))
		argc++;
	scene->vocabulary = *registry_vocabulary();
	scene->vocabulary.workload = workload_of_command(argv[0]);
	job_init(&scene->job, &scene->vocabulary);
	if (command_line_parse(argc, argv, &scene->vocabulary, &line, &scene->err) ||
	    command_line_apply(&line, &scene->job, &scene->err) ||
	    job_complete(&scene->job, &scene->err))
		fail_msg("%s: %s", words, scene->err.text);
	command_line_release(&line);
}

/* The same on nodes of equally many tasks, with other facts. */
static inline void plan_scene_start_with(struct plan_scene *scene, uint32_t nodes,
					 uint32_t tasks_per_node, const struct facts *facts,
					 const char *words)
{
	const struct test_spec *spec;
	const struct backend *backend;

	*scene = (struct plan_scene){0};
	plan_scene_parse(scene, words);
	for (uint32_t node = 0; node < nodes; node++)
		node_map_append(&scene->map, node, tasks_per_node);
	scene->facts = *facts;
	scene->facts.map = &scene->map;
	spec = &scene->job.tests[0];
	backend = registry_backend(test_of(spec)->api, &scene->err);
	scene->ret = plan_build_test(&scene->plan, spec, backend, &scene->facts, &scene->err);
}

/* memory: bytes of a node, 0 where it is not known. */
static inline void plan_scene_start(struct plan_scene *scene, uint32_t nodes,
				    uint32_t tasks_per_node, uint64_t memory, const char *words)
{
	const struct facts facts = {.memory_per_node = memory};

	plan_scene_start_with(scene, nodes, tasks_per_node, &facts, words);
}

/* Starts a scene whose plan must exist. */
static inline void plan_scene_plan(struct plan_scene *scene, uint32_t nodes,
				   uint32_t tasks_per_node, const char *words)
{
	plan_scene_start(scene, nodes, tasks_per_node, 0, words);
	if (scene->ret)
		fail_msg("%s: %s", words, scene->err.text);
}

static inline void plan_scene_stop(struct plan_scene *scene)
{
	if (!scene->ret)
		plan_release(&scene->plan);
	node_map_release(&scene->map);
	job_release(&scene->job);
}

static inline void assert_no_plan(uint32_t nodes, uint32_t tasks_per_node, uint64_t memory,
				  const char *words, const char *begin)
{
	struct plan_scene scene;

	plan_scene_start(&scene, nodes, tasks_per_node, memory, words);
	assert_int_equal(scene.ret, -1);
	assert_int_equal(scene.err.kind, ERROR_INPUT);
	if (strncmp(scene.err.text, begin, strlen(begin)))
		fail_msg("%s: \"%s\" does not begin with \"%s\"", words, scene.err.text, begin);
	plan_scene_stop(&scene);
}

/* Command lines that have no plan on 2 nodes of 2 tasks, and how their errors begin. */
struct no_plan {
	const char *words, *begin;
};

static inline void assert_no_plans(const struct no_plan *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_no_plan(2, 2, 0, cases[i].words, cases[i].begin);
}

#endif
