/* The requests of a span: each names its operation, file, place and length, and they end or begin
 * again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/data/walk.h"

enum { TRANSFER = 4096, PER_BLOCK = 4, SEGMENTS = 3, TASKS = 2, COUNT = PER_BLOCK * SEGMENTS };

static struct test test;
static struct plan plan;
static struct data_state data;
static struct worker worker;
static struct loop_setup setup;
static struct walk walk;
static char file;

static struct backend_file *any_file(void)
{
	return (struct backend_file *)(void *)&file;
}

/* A walk over the transfers of task 1. */
static request_next *start(enum order_kind kind, uint64_t first, uint64_t count, bool wraps)
{
	plan = (struct plan){
		.test = &test,
		.geometry = {.tasks = TASKS,
			     .block = PER_BLOCK * TRANSFER,
			     .transfer = TRANSFER,
			     .segments = SEGMENTS,
			     .shared = true},
		.order = kind,
		.order_seed = 5,
		.transfer_bytes = TRANSFER,
	};
	setup = (struct loop_setup){
		.access = ACCESS_READ,
		.source = 1,
		.span = {first, count, wraps},
		.random = kind != ORDER_SEQUENTIAL,
	};
	worker = (struct worker){.plan = &plan, .file = any_file(), .data = &data};
	walk_start(&walk, &worker, &setup);
	return setup.random ? walk_next_random : walk_next_in_file_order;
}

static struct request ask(request_next *next)
{
	struct request request;

	assert_true(next(&walk, &request));
	assert_int_equal(request.operation, OPERATION_READ);
	assert_ptr_equal(request.file, any_file());
	assert_int_equal(request.length, TRANSFER);
	return request;
}

static void assert_ended(request_next *next)
{
	struct request request;

	assert_false(next(&walk, &request));
	assert_false(next(&walk, &request));
}

static void assert_placed(const struct request *request, uint64_t index)
{
	struct placement at;

	geometry_locate(&plan.geometry, setup.source, index, &at);
	assert_int_equal(request->offset, at.offset);
	assert_int_equal(request->segment, at.segment);
	assert_int_equal(request->block, at.block);
}

static void a_span_is_walked_in_file_order_and_ends(void **state)
{
	request_next *next = start(ORDER_SEQUENTIAL, 2, COUNT - 3, false);

	(void)state;
	for (uint64_t i = 2; i < COUNT - 1; i++) {
		struct request request = ask(next);

		assert_placed(&request, i);
	}
	assert_ended(next);
}

static void a_span_that_wraps_begins_again_at_its_first(void **state)
{
	request_next *next = start(ORDER_SEQUENTIAL, 3, 5, true);

	(void)state;
	for (uint64_t i = 0; i < 4 * 5; i++) {
		struct request request = ask(next);

		assert_placed(&request, 3 + i % 5);
	}
}

static void nothing_comes_of_an_empty_span(void **state)
{
	(void)state;
	assert_ended(start(ORDER_SEQUENTIAL, 0, 0, false));
	assert_ended(start(ORDER_SEQUENTIAL, 0, 0, true));
}

static void a_random_span_follows_its_cursor(void **state)
{
	request_next *next = start(ORDER_PERMUTED, 4, 6, true);
	struct random_cursor cursor;

	(void)state;
	for (unsigned pass = 0; pass < 3; pass++) {
		random_cursor_start(&cursor, &plan.geometry, plan.order, plan.order_seed,
				    setup.source, 0);
		random_cursor_jump(&cursor, 4);
		for (unsigned i = 0; i < 6; i++) {
			struct request request = ask(next);

			assert_int_equal(request.offset, cursor.at->offset);
			assert_int_equal(request.segment, cursor.at->segment);
			assert_int_equal(request.block, cursor.at->block);
			random_cursor_step(&cursor);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_span_is_walked_in_file_order_and_ends),
		cmocka_unit_test(a_span_that_wraps_begins_again_at_its_first),
		cmocka_unit_test(nothing_comes_of_an_empty_span),
		cmocka_unit_test(a_random_span_follows_its_cursor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
