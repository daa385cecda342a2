/* What a load asked for beside what came out, and whether it kept its schedule. */
#include <stdio.h>
#include <stdlib.h>

#include "result/goals.h"
#include "tests/unit/plan_scene.h"

/* The load of these words on two nodes of two tasks, and what came out of it. */
struct goal_scene {
	struct plan_scene planned;
	struct phase_result phase;
	struct goal goals[GOALS_MOST];
	unsigned count;
};

static void start(struct goal_scene *scene, const char *words)
{
	const enum operation operations[] = {OPERATION_READ, OPERATION_WRITE, OPERATION_STAT};

	plan_scene_plan(&scene->planned, 2, 2, words);
	scene->phase = (struct phase_result){.kind = PHASE_LOAD,
					     .measure = measure_create(operations, 3),
					     .operations = 50,
					     .operations_rate = 480,
					     .depth_by_time = 3.5};
	for (unsigned i = 0; i < 20; i++)
		measure_add(&scene->phase.measure->records[0], 1000, 0, 0, 0, 0);
	scene->phase.measure->records[0].bytes = 20 * 1000;
	scene->count = goals_fill(&scene->phase, &scene->planned.plan, scene->goals);
}

static void stop(struct goal_scene *scene)
{
	free(scene->phase.measure);
	plan_scene_stop(&scene->planned);
}

static void assert_goal(const struct goal *goal, enum goal_kind kind, double asked, double achieved,
			uint64_t operations)
{
	assert_int_equal(goal->kind, kind);
	assert_float_equal(goal->asked, asked, 1e-9);
	assert_float_equal(goal->achieved, achieved, 1e-9);
	assert_int_equal(goal->operations, operations);
}

static void a_load_at_a_rate_has_goals_for_rate_shares_and_sizes(void **state)
{
	struct goal_scene scene;

	(void)state;
	start(&scene, "load --operations=read:50,write:50 --rate=500");
	assert_int_equal(scene.count, 5);
	assert_goal(&scene.goals[0], GOAL_RATE, 500, 480, 50);
	assert_goal(&scene.goals[1], GOAL_SHARE, 0.5, 0.4, 50);
	assert_int_equal(scene.goals[1].of, LOAD_READ);
	assert_goal(&scene.goals[2], GOAL_SIZE, 4096, 1000, 20);
	assert_goal(&scene.goals[3], GOAL_SHARE, 0.5, 0, 50);
	assert_int_equal(scene.goals[3].of, LOAD_WRITE);
	assert_goal(&scene.goals[4], GOAL_SIZE, 4096, 0, 0);
	stop(&scene);
}

static void operations_on_items_have_no_size(void **state)
{
	struct goal_scene scene;

	(void)state;
	start(&scene, "load --operations=read:90,stat:10");
	assert_int_equal(scene.count, 3);
	assert_goal(&scene.goals[2], GOAL_SHARE, 0.1, 0, 50);
	assert_int_equal(scene.goals[2].of, LOAD_STAT);
	stop(&scene);
}

static void a_load_without_operations_achieved_no_share(void **state)
{
	struct goal_scene scene;

	(void)state;
	start(&scene, "load");
	scene.phase.operations = 0;
	goals_fill(&scene.phase, &scene.planned.plan, scene.goals);
	assert_goal(&scene.goals[0], GOAL_SHARE, 1, 0, 0);
	stop(&scene);
}

static void the_depth_is_a_goal_where_nothing_else_empties_the_queue(void **state)
{
	static const struct {
		const char *more;
		bool has;
	} cases[] = {
		{"--queue-depth=4", true},
		{"--queue-depth=1", false},
		{"--queue-depth=4 --rate=100", false},
		{"--queue-depth=4 --think-time=1ms", false},
		{"--queue-depth=4 --burst=10 --burst-pause=1ms", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct goal_scene scene;
		char words[200];

		snprintf(words, sizeof(words), "load -a null %s", cases[i].more);
		start(&scene, words);
		assert_int_equal(goals_have_depth(&scene.planned.plan), cases[i].has);
		if (cases[i].has)
			assert_goal(&scene.goals[scene.count - 1], GOAL_DEPTH, 4, 3.5, 50);
		stop(&scene);
	}
}

/* --- whether the schedule was kept ------------------------------------------------------------ */

static void only_repetitions_that_count_are_added_up(void **state)
{
	struct plan_scene planned;
	struct past_phase phases[] = {
		{.due = 100, .issued = 90},
		{.due = 100, .issued = 80, .warmup = true},
		{.due = 100, .issued = 70, .status = PHASE_FAILED},
		{.due = 100, .issued = 60, .index = 1},
		{.due = 100, .issued = 95},
	};

	(void)state;
	plan_scene_plan(&planned, 2, 2, "load -a null --queue-depth=3 --rate=100");
	const struct test_result test = {.plan = &planned.plan, .phases = phases, .phase_count = 5};
	const struct kept kept = kept_over(&test, 0);

	assert_int_equal(kept.due, 200);
	assert_int_equal(kept.issued, 185);
	assert_int_equal(kept.phases, 2);
	assert_int_equal(kept.slots, 12);
	assert_float_equal(kept.rate, 100, 0);
	assert_false(kept.is_random);
	plan_scene_stop(&planned);
}

static void one_operation_at_a_time_is_one_slot_of_a_task(void **state)
{
	static const char *const arrivals[] = {"even", "poisson"};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct plan_scene planned;
		struct kept kept = {0};
		char words[80];

		snprintf(words, sizeof(words), "load --rate=100 --arrival=%s", arrivals[i]);
		plan_scene_plan(&planned, 2, 2, words);
		kept_add(&kept, 10, 10, &planned.plan);
		assert_int_equal(kept.slots, 4);
		assert_int_equal(kept.is_random, i);
		plan_scene_stop(&planned);
	}
}

/* 5 % of what is due must be more than the 10 operations that may be in flight: 200. */
static void an_overload_shows_when_more_is_due_than_can_be_in_flight(void **state)
{
	struct kept kept = {.due = 199, .issued = 199, .phases = 1, .slots = 10, .rate = 50};

	(void)state;
	assert_float_equal(kept_seconds_needed(&kept), 4, 1e-9);
	kept.due = kept.issued = 200;
	assert_float_equal(kept_seconds_needed(&kept), 0, 0);
	kept.phases = 2;
	assert_float_equal(kept_seconds_needed(&kept), 4, 1e-9);
	kept.is_random = true; /* 200 and four times their root */
	assert_float_equal(kept_seconds_needed(&kept), 5.1313708499, 1e-9);
	kept.issued = 100; /* The overload shows. */
	assert_float_equal(kept_seconds_needed(&kept), 0, 0);
	kept = (struct kept){.phases = 1, .slots = 10, .rate = 50};
	assert_float_equal(kept_seconds_needed(&kept), 0, 0);
	kept = (struct kept){.due = 1, .issued = 1, .phases = 1, .slots = 10};
	assert_float_equal(kept_seconds_needed(&kept), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load_at_a_rate_has_goals_for_rate_shares_and_sizes),
		cmocka_unit_test(operations_on_items_have_no_size),
		cmocka_unit_test(a_load_without_operations_achieved_no_share),
		cmocka_unit_test(the_depth_is_a_goal_where_nothing_else_empties_the_queue),
		cmocka_unit_test(only_repetitions_that_count_are_added_up),
		cmocka_unit_test(one_operation_at_a_time_is_one_slot_of_a_task),
		cmocka_unit_test(an_overload_shows_when_more_is_due_than_can_be_in_flight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
