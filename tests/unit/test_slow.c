/* Who was slow: paces of many tasks folded as a tree in one process, and what is made of them. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "assess/slow.h"
#include "base/memory.h"
#include "environment/compare.h"
#include "record/line.h"
#include "record/record.h"
#include "result/slow.h"

/* A cluster whose tasks are alike but for noise, and for what a test slows down. */
struct cluster {
	uint32_t nodes, slots; /* of each node */
	double noise;	       /* standard deviation against 1 */
	double (*slowness)(uint32_t node, uint32_t slot);
	struct slow slow;
};

static double gauss(void)
{
	double u = drand48(), v = drand48();

	return sqrt(-2 * log(u + 1e-300)) * cos(6.283185307179586 * v);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static uint32_t every(uint32_t members)
{
	return (members + SLOW_SAMPLES - 1) / SLOW_SAMPLES;
}

/* One task's blob; the first of a node knows all its paces. */
static void make_blob(const struct cluster *cluster, uint32_t task, const double *paces,
		      struct text *blob)
{
	uint32_t node = task / cluster->slots, slot = task % cluster->slots;
	struct pace pace = {task, node, task, paces[slot]};

	paces_start(blob);
	paces_add_task(blob, &pace, slot, every(cluster->nodes * cluster->slots));
	if (slot)
		return;
	double sorted[64];

	memcpy(sorted, paces, cluster->slots * sizeof(*sorted));
	qsort(sorted, cluster->slots, sizeof(*sorted), ascending);
	pace = (struct pace){node, node, 0, sorted[(cluster->slots - 1) / 2]};
	paces_add_node(blob, &pace, every(cluster->nodes));
}

/* Joins levels of a binomial tree, as comm_fold() does, with one open blob for each level. */
static void run(struct cluster *cluster)
{
	struct text levels[32] = {0}, blob = {0};
	uint32_t tasks = cluster->nodes * cluster->slots;
	double paces[64] = {0};

	for (uint32_t task = 0; task < tasks; task++) {
		if (task % cluster->slots == 0)
			for (uint32_t slot = 0; slot < cluster->slots; slot++)
				paces[slot] = 0.001 * (1 + cluster->noise * gauss()) *
					      cluster->slowness(task / cluster->slots, slot);
		make_blob(cluster, task, paces, &blob);
		unsigned level = 0;

		for (; (task >> level) & 1; level++) {
			paces_merge(NULL, &levels[level], blob.bytes, blob.length);
			text_clear(&blob);
			text_add_bytes(&blob, levels[level].bytes, levels[level].length);
			text_clear(&levels[level]);
		}
		text_clear(&levels[level]);
		text_add_bytes(&levels[level], blob.bytes, blob.length);
	}
	text_clear(&blob);
	for (unsigned level = 0; level < 32; level++) {
		if (!levels[level].length)
			continue;
		if (blob.length)
			paces_merge(NULL, &levels[level], blob.bytes, blob.length);
		text_clear(&blob);
		text_add_bytes(&blob, levels[level].bytes, levels[level].length);
	}
	slow_judge(&cluster->slow, &blob, true);
	text_release(&blob);
	for (unsigned level = 0; level < 32; level++)
		text_release(&levels[level]);
}

static double equal(uint32_t node, uint32_t slot)
{
	(void)node;
	(void)slot;
	return 1;
}

static double one_task(uint32_t node, uint32_t slot)
{
	return node == 3 && slot == 1 ? 1.5 : 1;
}

static double one_node(uint32_t node, uint32_t slot)
{
	(void)slot;
	return node == 2 ? 1.3 : 1;
}

static double one_slot(uint32_t node, uint32_t slot)
{
	(void)node;
	return slot == 5 ? 1.4 : 1;
}

static void a_slow_task_is_named_and_neither_its_node_nor_its_slot(void **state)
{
	struct cluster cluster = {16, 4, 0.02, one_task, {0}};

	(void)state;
	srand48(1);
	run(&cluster);
	const struct slow_group *tasks = &cluster.slow.groups[SLOW_TASK];

	assert_int_equal(tasks->members, 64);
	assert_int_equal(tasks->slow, 1);
	assert_int_equal(tasks->ones[0].pace.number, 13);
	assert_int_equal(tasks->ones[0].pace.node, 3);
	assert_true(fabs(tasks->ones[0].ratio - 1.5) < 0.1);
	assert_int_equal(cluster.slow.groups[SLOW_NODE].slow, 0);
	assert_int_equal(cluster.slow.groups[SLOW_SLOT].slow, 0);
}

static void a_slow_node_is_named(void **state)
{
	struct cluster cluster = {16, 8, 0.02, one_node, {0}};

	(void)state;
	srand48(2);
	run(&cluster);
	assert_int_equal(cluster.slow.groups[SLOW_NODE].slow, 1);
	assert_int_equal(cluster.slow.groups[SLOW_NODE].ones[0].pace.number, 2);
	assert_int_equal(cluster.slow.groups[SLOW_TASK].slow, 8);
	assert_int_equal(cluster.slow.groups[SLOW_SLOT].slow, 0);
}

static void a_slow_slot_is_named(void **state)
{
	struct cluster cluster = {16, 8, 0.02, one_slot, {0}};

	(void)state;
	srand48(3);
	run(&cluster);
	assert_int_equal(cluster.slow.groups[SLOW_SLOT].slow, 1);
	assert_int_equal(cluster.slow.groups[SLOW_SLOT].ones[0].pace.number, 5);
	assert_int_equal(cluster.slow.groups[SLOW_NODE].slow, 0);
}

static void one_of_a_hundred_thousand_is_found(void **state)
{
	struct cluster cluster = {12500, 8, 0.02, one_task, {0}};

	(void)state;
	srand48(4);
	run(&cluster);
	const struct slow_group *tasks = &cluster.slow.groups[SLOW_TASK];

	assert_int_equal(tasks->members, 100000);
	assert_int_equal(tasks->slow, 1);
	assert_int_equal(tasks->ones[0].pace.number, 25);
	assert_true(fabs(tasks->median - 0.001) < 2e-6);
	assert_true(tasks->kept == SLOW_KEPT &&
		    tasks->ones[9].pace.seconds <= tasks->ones[8].pace.seconds);
}

static double one_in_four_thousand(uint32_t node, uint32_t slot)
{
	return node % 1000 == 3 && slot == 1 ? 1.5 : 1;
}

/* The median comes from every third task; the slow ones are of all. */
static void the_share_of_slow_tasks_is_of_all_tasks(void **state)
{
	struct cluster cluster = {3000, 4, 0.02, one_in_four_thousand, {0}};

	(void)state;
	srand48(14);
	run(&cluster);
	const struct slow_group *tasks = &cluster.slow.groups[SLOW_TASK];

	assert_int_equal(tasks->slow, 3);
	assert_true(fabs(tasks->share - 3.0 / 12000) < 1e-12);
}

/* Noise that is large enough for one in ten to be a tenth slower. */
static void equal_tasks_are_named_in_one_of_twenty_phases_at_most(void **state)
{
	static const uint32_t sizes[] = {4, 8, 16, 64, 256};

	(void)state;
	srand48(5);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		struct cluster cluster = {1, sizes[k] < 64 ? sizes[k] : 64, 0.08, equal, {0}};
		unsigned alarms = 0;

		cluster.nodes = sizes[k] / cluster.slots;
		for (int round = 0; round < 400; round++) {
			run(&cluster);
			alarms += cluster.slow.groups[SLOW_TASK].slow > 0;
		}
		printf("%u equal tasks: named in %.3f of the phases\n", sizes[k], alarms / 400.0);
		assert_true(alarms <= 400 * 0.08); /* 0.05 and three standard errors */
	}
}

static void repeat(struct cluster *cluster, unsigned repetitions, struct slow_history *history)
{
	*history = (struct slow_history){0};
	for (unsigned i = 0; i < repetitions; i++) {
		run(cluster);
		slow_remember(history, &cluster->slow);
	}
}

static void what_is_slow_again_and_again_persists(void **state)
{
	struct cluster cluster = {16, 4, 0.02, one_task, {0}};
	struct slow_history history;
	struct verdict verdict = {.id = "N1"};

	(void)state;
	srand48(6);
	repeat(&cluster, 3, &history);
	assert_true(assess_slow(&history, PHASE_READ, false, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_WARN);
	assert_non_null(
		strstr(verdict.meaning, "task 13 on node 3 was slow in 3 of 3 repetitions"));
	assert_non_null(strstr(verdict.meaning,
			       "times the others' time a transfer: placement or hardware"));
	verdict = (struct verdict){.id = "N1"};
	assert_true(assess_slow(&history, PHASE_FILE_STAT, false, &verdict));
	assert_non_null(strstr(verdict.meaning,
			       "times the others' time an operation: placement or hardware"));
}

static struct like_nodes nodes_like(const char *lines, uint32_t first, uint32_t count)
{
	struct like_nodes group = {.count = count};

	text_add(&group.lines, "%s", lines);
	group.nodes = memory_allocate(count, sizeof(*group.nodes));
	for (uint32_t i = 0; i < count; i++)
		group.nodes[i] = first + i;
	return group;
}

/* Node 2 alone saves power. The words are those of the line of the job, where names are hidden. */
static void what_differs_on_a_slow_node_is_named(void **state)
{
	struct cluster cluster = {16, 8, 0.02, one_node, {0}};
	struct environments environments = {0};
	struct like_nodes *groups = memory_allocate(2, sizeof(*groups));
	struct slow_history history;
	struct verdict verdict = {.id = "N1"};
	json_t *line, *verdicts;
	json_t *run =
		json_pack("{s{s[{sssss[{ss}]}, {sssss[{sn}]}]}}", "node_environments",
			  "differences", "key", "cpu.governor", "common", "xc0ffee00", "others",
			  "value", "powersave", "key", "mtu", "common", "9000", "others", "value");

	(void)state;
	groups[0] = nodes_like("cpu.governor=performance\nmtu=9000\n", 0, 2);
	groups[1] = nodes_like("cpu.governor=powersave\n", 2, 1);
	environments_compare(&environments, groups, 2);
	srand48(7);
	repeat(&cluster, 8, &history);
	assert_true(assess_slow(&history, PHASE_READ, false, &verdict));
	line = json_pack("{s[{s[]}]}", "summaries", "verdicts");
	record_verdicts(json_array_get(json_object_get(line, "summaries"), 0), &verdict, 1);
	record_add_environment(line, &environments, run);
	verdicts = line_at(json_array_get(line_at(line, "summaries"), 0), "verdicts");
	assert_string_equal(line_text(json_array_get(verdicts, 0), "remedy"),
			    "there differs cpu.governor powersave (others xc0ffee00), mtu missing "
			    "(others 9000): make it equal, or leave it out");
	json_decref(run);
	json_decref(line);
	environments_release(&environments);
}

static void a_slow_node_is_told_rather_than_its_tasks(void **state)
{
	struct cluster cluster = {16, 8, 0.02, one_node, {0}};
	struct slow_history history;
	struct verdict verdict = {.id = "N1"};

	(void)state;
	srand48(7);
	repeat(&cluster, 4, &history);
	assert_true(assess_slow(&history, PHASE_READ, false, &verdict));
	assert_non_null(strstr(verdict.meaning, "node 2 was slow in 4 of 4 repetitions"));
}

/* Two nodes have no median to compare with, but one that is always the slower one shows. */
static double second_node(uint32_t node, uint32_t slot)
{
	(void)slot;
	return node ? 1.4 : 1;
}

static void one_of_two_nodes_shows_over_the_repetitions(void **state)
{
	struct cluster cluster = {2, 2, 0.02, second_node, {0}};
	struct slow_history history;
	struct verdict verdict = {.id = "N1"};

	(void)state;
	srand48(8);
	repeat(&cluster, 4, &history);
	assert_false(assess_slow(&history, PHASE_READ, false, &verdict));
	repeat(&cluster, 10, &history);
	assert_true(assess_slow(&history, PHASE_READ, false, &verdict));
	assert_non_null(strstr(verdict.meaning, "node 1 was slow in 10 of 10 repetitions"));
}

static uint32_t disturbed;

static double another_each_time(uint32_t node, uint32_t slot)
{
	return node * 4 + slot == disturbed ? 2 : 1;
}

static void what_comes_and_goes_is_interference(void **state)
{
	struct cluster cluster = {8, 4, 0.02, another_each_time, {0}};
	struct slow_history history = {0};
	struct verdict verdict = {.id = "N1"};

	(void)state;
	srand48(9);
	for (disturbed = 0; disturbed < 8; disturbed++) {
		run(&cluster);
		assert_int_equal(cluster.slow.groups[SLOW_TASK].ones[0].pace.number, disturbed);
		slow_remember(&history, &cluster.slow);
	}
	assert_true(assess_slow(&history, PHASE_READ, false, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_NOTE);
	assert_non_null(strstr(verdict.meaning, "1 of 8 repetitions"));
	assert_non_null(strstr(verdict.meaning, "interference"));
}

static void noise_persists_in_no_repetitions(void **state)
{
	static const struct cluster clusters[] = {
		{4, 4, 0.08, equal, {0}}, {1, 2, 0.08, equal, {0}}, {1, 4, 0.08, equal, {0}},
		{2, 4, 0.08, equal, {0}}, {2, 1, 0.12, equal, {0}},
	};

	(void)state;
	srand48(10);
	for (size_t k = 0; k < sizeof(clusters) / sizeof(*clusters); k++) {
		struct cluster cluster = clusters[k];
		unsigned warned = 0;

		for (int round = 0; round < 400; round++) {
			struct slow_history history;
			struct verdict verdict = {.id = "N1"};

			repeat(&cluster, 8, &history);
			warned += assess_slow(&history, PHASE_READ, false, &verdict) &&
				  verdict.severity == SEVERITY_WARN;
		}
		printf("%u nodes of %u equal tasks, 8 repetitions: N1 in %.3f of the tests\n",
		       cluster.nodes, cluster.slots, warned / 400.0);
		assert_true(warned <= 400 * 0.05);
	}
}

static double second_slot(uint32_t node, uint32_t slot)
{
	(void)node;
	return slot == 1 ? 1.5 : 1;
}

/* p = 4 (1/4)^4 = 0.016: one test in sixty. */
static void one_of_four_tasks_shows_after_four_repetitions(void **state)
{
	struct cluster cluster = {1, 4, 0.02, second_slot, {0}};
	struct slow_history history;
	struct verdict verdict = {.id = "N1"};

	(void)state;
	srand48(15);
	repeat(&cluster, 3, &history);
	assert_true(assess_slow(&history, PHASE_READ, false, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_NOTE);
	verdict = (struct verdict){.id = "N1"};
	repeat(&cluster, 4, &history);
	assert_true(assess_slow(&history, PHASE_READ, false, &verdict));
	assert_int_equal(verdict.severity, SEVERITY_WARN);
	assert_non_null(strstr(verdict.meaning, "task 1 on node 0 was slow in 4 of 4 repetitions"));
}

static void a_phase_that_is_too_short_is_not_judged(void **state)
{
	const struct slow slow = {.judged = false};
	struct slow_history history = {0};
	struct verdict verdict = {.id = "N1"};

	(void)state;
	slow_remember(&history, &slow);
	assert_int_equal(history.repetitions, 0);
	assert_false(assess_slow(&history, PHASE_READ, false, &verdict));
}

/* Twelve tasks with these paces, of which two are equal; the ten slowest are kept in order. */
static void the_ten_slowest_are_kept_whatever_the_order(void **state)
{
	static const double paces[] = {3, 9, 1, 7, 5, 11, 7, 2, 10, 4, 8, 6};
	static const uint32_t order[] = {5, 8, 1, 10, 3, 6, 11, 4, 9, 0};

	(void)state;
	for (uint32_t from = 0; from < 12; from++) {
		struct text blob = {0};
		struct slow slow;

		paces_start(&blob);
		for (uint32_t i = 0; i < 12; i++) {
			const uint32_t task = (from + 5 * i) % 12;
			const struct pace pace = {.number = task, .seconds = paces[task]};

			paces_add_task(&blob, &pace, task, 1);
		}
		slow_judge(&slow, &blob, true);
		assert_int_equal(slow.groups[SLOW_TASK].kept, SLOW_KEPT);
		for (uint32_t i = 0; i < SLOW_KEPT; i++)
			assert_int_equal(slow.groups[SLOW_TASK].ones[i].pace.number, order[i]);
		assert_true(slow.groups[SLOW_TASK].median == 6.5);
		text_release(&blob);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slow_task_is_named_and_neither_its_node_nor_its_slot),
		cmocka_unit_test(a_slow_node_is_named),
		cmocka_unit_test(a_slow_slot_is_named),
		cmocka_unit_test(one_of_a_hundred_thousand_is_found),
		cmocka_unit_test(the_share_of_slow_tasks_is_of_all_tasks),
		cmocka_unit_test(equal_tasks_are_named_in_one_of_twenty_phases_at_most),
		cmocka_unit_test(what_is_slow_again_and_again_persists),
		cmocka_unit_test(a_slow_node_is_told_rather_than_its_tasks),
		cmocka_unit_test(what_differs_on_a_slow_node_is_named),
		cmocka_unit_test(one_of_two_nodes_shows_over_the_repetitions),
		cmocka_unit_test(what_comes_and_goes_is_interference),
		cmocka_unit_test(noise_persists_in_no_repetitions),
		cmocka_unit_test(one_of_four_tasks_shows_after_four_repetitions),
		cmocka_unit_test(a_phase_that_is_too_short_is_not_judged),
		cmocka_unit_test(the_ten_slowest_are_kept_whatever_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
