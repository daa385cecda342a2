/* How the tasks of a job are dealt to the members of its sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "backends/registry.h"
#include "dialects/dialect.h"
#include "plan/deal.h"

enum { MEMBERS = 8 };

static struct job job;
static struct node_map map;
static struct seating seatings[MEMBERS];
static struct error err;
static int ret;

/* Deals the tasks of `map` to members with these settings; the list ends with NULL. */
static void deal(const char *const *members)
{
	struct text words = {0};

	text_add(&words, "TOGETHER START\n");
	for (unsigned i = 0; members[i]; i++)
		text_add(&words, "IOR START\napi=null, testFile=f%u, %s\nRUN\nIOR STOP\n", i,
			 members[i]);
	text_add(&words, "TOGETHER STOP\n");
	job_init(&job, registry_vocabulary());
	job.tasks = map.tasks;
	err = (struct error){0};
	if (script_parse("job.ior", words.bytes, words.length, &job, &err) ||
	    job_complete(&job, &err))
		fail_msg("%s", err.text);
	ret = deal_tasks(&job, &map, seatings, &err);
	text_release(&words);
}

#define DEAL(...) deal((const char *const[]){__VA_ARGS__, NULL})

static int release(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MEMBERS; i++)
		seating_release(&seatings[i]);
	node_map_release(&map);
	job_release(&job);
	return 0;
}

static void make_nodes(uint32_t nodes, uint32_t tasks)
{
	for (uint32_t node = 0; node < nodes; node++)
		node_map_append(&map, node, tasks);
}

/* "node:first slot x tasks" for each node of a member, behind the first task. */
static void assert_seats(unsigned member, const char *expected)
{
	const struct seating *seating = &seatings[member];
	char text[200];
	int at = snprintf(text, sizeof(text), "%u", seating->seats.first_task);

	if (ret)
		fail_msg("%s", err.text);
	for (uint32_t node = 0; node < seating->map.nodes; node++)
		at += snprintf(text + at, sizeof(text) - (size_t)at, " %u:%ux%u",
			       seating->seats.node_of[node], seating->seats.slot_of[node],
			       node_map_tasks_on(&seating->map, node));
	assert_string_equal(text, expected);
}

static void assert_refused(const char *message)
{
	assert_int_equal(ret, -1);
	assert_string_equal(err.text, message);
}

static void members_without_nodes_follow_each_other(void **state)
{
	(void)state;
	make_nodes(3, 4);
	DEAL("num_tasks=25%", "num_tasks=rest", "num_tasks=2/4");
	assert_seats(0, "0 0:0x3");
	assert_seats(1, "3 0:3x1 1:0x2");
	assert_seats(2, "6 1:2x2 2:0x4");
}

/* The job's tasks go to nodes 0 0 1 1 2 2 and then, one each, to nodes 0 1 2. */
static void tasks_may_return_to_a_node(void **state)
{
	(void)state;
	make_nodes(3, 2);
	make_nodes(3, 1);
	DEAL("num_tasks=3", "num_tasks=4", "num_tasks=1, nodes=1");
	assert_seats(2, "2 1:0x1");
	assert_seats(0, "0 0:0x2 1:1x1");
	assert_seats(1, "4 2:0x2 0:2x1 1:2x1");
	assert_int_equal(seats_task(&seatings[1].seats, 0, 2), 2);
	assert_int_equal(seats_task(&seatings[1].seats, 1, 1), SEATS_NONE);
}

static void a_member_has_the_tasks_of_its_nodes(void **state)
{
	(void)state;
	make_nodes(4, 4);
	DEAL("num_tasks=rest", "nodes=\"2 - 3\"", "nodes=0,2, num_tasks=50%",
	     "num_tasks=1, nodes=2");
	assert_seats(2, "0 0:0x4");
	assert_seats(3, "8 2:0x1");
	assert_seats(1, "9 2:1x3 3:0x4");
	assert_seats(0, "4 1:0x4");
}

static void a_member_that_runs_alone_has_the_same_tasks(void **state)
{
	(void)state;
	make_nodes(2, 2);
	DEAL("num_tasks=1", "nodes=1, alone=1");
	assert_int_equal(job.test_count, 3);
	assert_seats(1, "2 1:0x2");
	assert_seats(2, "2 1:0x2");
}

static void nodes_that_cannot_be_had_are_refused(void **state)
{
	(void)state;
	make_nodes(3, 2);
	DEAL("num_tasks=1", "nodes=1-3");
	assert_refused("job.ior:7: nodes: the job has no node 3, it runs on 3 nodes, numbered from "
		       "0; start it on more nodes, or choose from these");
	job_release(&job);
	DEAL("num_tasks=1", "nodes=2-1");
	assert_refused(
		"job.ior:7: nodes: \"2-1\" is no list of nodes; give numbers and ranges from "
		"0 on, such as 0-3,7");
	job_release(&job);
	DEAL("num_tasks=1, nodes=0", "num_tasks=4, nodes=0-1");
	assert_refused("job.ior:7: nodes: the member wants 4 tasks of nodes 0-1, which have 4, and "
		       "other members with nodes have 1 of them; start the job with more tasks on "
		       "each node, or lower num_tasks");
	seating_release(&seatings[0]);
	job_release(&job);
	DEAL("num_tasks=4", "nodes=0-1");
	assert_refused(
		"job.ior:3: num_tasks: the members of TOGETHER want 8 tasks and the job has 6; "
		"start it with mpirun -np 8");
}

static void too_few_tasks_are_refused_with_those_of_the_widest_test(void **state)
{
	(void)state;
	make_nodes(1, 2);
	DEAL("num_tasks=2", "num_tasks=1\nRUN\nIOR STOP\nTOGETHER STOP\nIOR START\nnum_tasks=7\n"
			    "RUN\nIOR STOP\nTOGETHER START\nIOR START\nnum_tasks=1\nRUN\n"
			    "IOR STOP\nIOR START\nnum_tasks=1");
	assert_refused(
		"job.ior:3: num_tasks: the members of TOGETHER want 3 tasks and the job has 2; "
		"start it with mpirun -np 7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(members_without_nodes_follow_each_other, release),
		cmocka_unit_test_teardown(tasks_may_return_to_a_node, release),
		cmocka_unit_test_teardown(a_member_has_the_tasks_of_its_nodes, release),
		cmocka_unit_test_teardown(a_member_that_runs_alone_has_the_same_tasks, release),
		cmocka_unit_test_teardown(nodes_that_cannot_be_had_are_refused, release),
		cmocka_unit_test_teardown(too_few_tasks_are_refused_with_those_of_the_widest_test,
					  release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
