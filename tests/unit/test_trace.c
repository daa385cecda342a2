/* Native traces: their heads, the order of their requests, and the plans made of them. */
#include <math.h>
#include <stdlib.h>

#include "plan/load.h"
#include "tests/unit/plan_scene.h"
#include "tests/unit/trace_scene.h"

enum { K = 1024 };

/* Two streams that meet, from 1000 ns on: with an fsync, an fdatasync and a trim. */
static const struct trace_given two_streams[] = {
	{0, 1000, 0, 4 * K, 0, 30, TRACE_READ, 0},
	{0, 3000, 8 * K, 4 * K, 1, 0, TRACE_WRITE, 0},
	{0, 3000, 0, 0, 1, 0, TRACE_SYNC, 0},
	{0, 9000, 4 * K, 512, 0, 7, TRACE_READ, 0},
	{1, 2000, 60 * K, 4 * K, 0, 0, TRACE_WRITE, 0},
	{1, 4000, 0, 4 * K, 0, 0, TRACE_TRIM, 0},
	{1, 5000, 0, 0, 0, 0, TRACE_SYNC, 1},
	{1, 9000, 0, 4 * K, 0, 0, TRACE_READ, 2},
};

enum { RECORDS = sizeof(two_streams) / sizeof(*two_streams) };

/* A trace in memory, and its head parsed. */
struct scene {
	struct text bytes;
	struct trace trace;
	struct error err;
};

static int parse(struct scene *scene)
{
	const size_t before = trace_scene_number(&scene->bytes, 24);

	scene->err = (struct error){0};
	return trace_parse(&scene->trace, scene->bytes.bytes, before, scene->bytes.length,
			   &scene->err);
}

static void start(struct scene *scene, const struct trace_given *given, unsigned count,
		  unsigned files, unsigned streams)
{
	*scene = (struct scene){0};
	trace_scene_make(&scene->bytes, given, count, files, streams);
	if (parse(scene))
		fail_msg("%s", scene->err.text);
}

static void stop(struct scene *scene)
{
	trace_release(&scene->trace);
	text_release(&scene->bytes);
}

static void start_two(struct scene *scene)
{
	start(scene, two_streams, RECORDS, 2, 2);
}

static struct trace_walk *walk_of(struct scene *scene, const struct trace_play *play,
				  uint32_t first, uint32_t step)
{
	return trace_walk_create(&scene->trace, play, first, step, trace_scene_read, &scene->bytes);
}

/* The requests as "r0@0=4096/0 …": operation, file, offset, length, due; at most 20. */
static void assert_requests(struct trace_walk *walk, const char *expected)
{
	struct load_request request;
	struct text words = {0};

	for (int i = 0; i < 20 && trace_walk_next(walk, &request); i++)
		text_add(&words, "%s%s%u@%u=%u/%u", words.length ? " " : "",
			 request.operation == OPERATION_READ	? "r"
			 : request.operation == OPERATION_WRITE ? "w"
			 : request.only_data			? "d"
								: "s",
			 request.file, (unsigned)request.offset, (unsigned)request.length,
			 (unsigned)request.due_ns);
	assert_string_equal(text_string(&words), expected);
	text_release(&words);
	trace_walk_release(walk);
}

static const struct trace_play whole = {.until_ns = UINT64_MAX, .speed = 1};

static void a_head_tells_what_a_plan_needs(void **state)
{
	struct scene scene;

	(void)state;
	start_two(&scene);
	assert_int_equal(scene.trace.files, 2);
	assert_int_equal(scene.trace.streams, 2);
	assert_int_equal(scene.trace.origin_ns, 1000);
	assert_int_equal(scene.trace.span_ns, 8000);
	assert_int_equal(scene.trace.operations[TRACE_READ], 3);
	assert_int_equal(scene.trace.operations[TRACE_WRITE], 2);
	assert_int_equal(scene.trace.operations[TRACE_SYNC], 2);
	assert_int_equal(scene.trace.operations[TRACE_TRIM], 1);
	assert_int_equal(trace_transfers(&scene.trace), 5);
	assert_int_equal(scene.trace.moved[TRACE_READ], 8 * K + 512);
	assert_int_equal(scene.trace.moved[TRACE_WRITE], 8 * K);
	assert_int_equal(scene.trace.file_bytes[0], 64 * K);
	assert_int_equal(scene.trace.file_bytes[1], 12 * K);
	assert_int_equal(scene.trace.known, 2);
	assert_int_equal(scene.trace.granule, 512);
	assert_int_equal(scene.trace.stream[1].records, 4);
	assert_int_equal(scene.trace.stream[1].first_due, 2000);
	assert_true(trace_is_of(&scene.trace, scene.bytes.bytes));
	scene.bytes.bytes[13] ^= 1;
	assert_false(trace_is_of(&scene.trace, scene.bytes.bytes));
	stop(&scene);
}

/* The CRC-32 of "123456789" is known; the field of the head is skipped. */
static void the_checksum_is_that_of_zlib(void **state)
{
	unsigned char head[TRACE_HEAD_BYTES] = "123456789";

	(void)state;
	assert_int_equal(trace_checksum(head, 9), 0xCBF43926);
	const uint32_t sum = trace_checksum(head, sizeof(head));

	head[12] = head[15] = 255;
	assert_int_equal(trace_checksum(head, sizeof(head)), sum);
	head[16] = 1;
	assert_int_not_equal(trace_checksum(head, sizeof(head)), sum);
}

static void any_changed_byte_before_the_records_is_found(void **state)
{
	struct scene scene;

	(void)state;
	start_two(&scene);
	const size_t before = trace_scene_number(&scene.bytes, 24);

	for (size_t at = 0; at < before; at++) {
		trace_release(&scene.trace);
		scene.bytes.bytes[at] ^= 4;
		assert_int_equal(trace_parse(&scene.trace, scene.bytes.bytes, before,
					     scene.bytes.length, &scene.err),
				 -1);
		assert_int_equal(scene.err.kind, ERROR_INPUT);
		scene.bytes.bytes[at] ^= 4;
	}
	stop(&scene);
}

static void tables_that_contradict_the_head_are_refused(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
	} changes[] = {
		{48, 999},	  /* origin */
		{56, 8001},	  /* span */
		{64, 4},	  /* number of reads */
		{96, 1},	  /* bytes of reads */
		{104, 1},	  /* bytes of writes */
		{128, 0},	  /* the largest, and the granule with it */
		{140, 2},	  /* an unknown flag */
		{256 + 24, 1},	  /* records of file 0 */
		{352, 0},	  /* begin of stream 0 */
		{352 + 8, 5},	  /* records of stream 0 */
		{352 + 16, 1001}, /* due of its first record */
		{352 + 24, 500},  /* due of its last record */
	};
	struct scene scene;

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		start_two(&scene);
		trace_release(&scene.trace);
		trace_scene_put(&scene.bytes, changes[i].at, changes[i].value, 8);
		trace_scene_seal(&scene.bytes);
		assert_int_equal(parse(&scene), -1);
		assert_int_equal(scene.err.kind, ERROR_INPUT);
		stop(&scene);
	}
}

static void a_file_that_is_no_trace_is_told_so(void **state)
{
	struct scene scene;
	uint64_t before;

	(void)state;
	start_two(&scene);
	assert_int_equal(trace_find_records(scene.bytes.bytes, scene.bytes.length - 1, &before,
					    &scene.err),
			 -1);
	assert_non_null(strstr(scene.err.text, "was cut"));
	scene.bytes.bytes[8] = 2;
	assert_int_equal(
		trace_find_records(scene.bytes.bytes, scene.bytes.length, &before, &scene.err), -1);
	assert_non_null(strstr(scene.err.text, "version 2"));
	scene.bytes.bytes[0] = 'j';
	assert_int_equal(
		trace_find_records(scene.bytes.bytes, scene.bytes.length, &before, &scene.err), -1);
	assert_non_null(strstr(scene.err.text, "no trace of iorx"));
	stop(&scene);
}

static void streams_are_merged_in_the_order_of_time(void **state)
{
	struct scene scene;

	(void)state;
	start_two(&scene);
	assert_requests(walk_of(&scene, &whole, 0, 1),
			"r0@0=4096/0 w0@61440=4096/1000 w1@8192=4096/2000 s1@0=0/2000 d0@0=0/4000 "
			"r0@4096=512/8000 r0@0=4096/8000");
	assert_requests(walk_of(&scene, &whole, 1, 2),
			"w0@61440=4096/1000 d0@0=0/4000 r0@0=4096/8000");
	assert_requests(walk_of(&scene, &whole, 2, 3), "");
	stop(&scene);
}

static void a_part_is_played_at_its_speed(void **state)
{
	struct trace_play play = whole;
	struct scene scene;

	(void)state;
	start_two(&scene);
	play.from_ns = 1000;
	play.until_ns = 5000;
	play.speed = 2;
	assert_requests(walk_of(&scene, &play, 0, 1),
			"w0@61440=4096/0 w1@8192=4096/500 s1@0=0/500 d0@0=0/1500");
	/* 4000 ns at twice the speed, and the one that makes the end exclusive. */
	assert_int_equal(trace_play_ns(&scene.trace, &play), 2001);
	play.pace = TRACE_PACE_NONE;
	assert_requests(walk_of(&scene, &play, 0, 2), "w1@8192=4096/0 s1@0=0/0");
	assert_int_equal(trace_play_ns(&scene.trace, &whole), 8000 + 1);
	assert_true(fabs(trace_play_rate(&scene.trace, &whole) - 5e9 / 8001) < 1e-3);
	stop(&scene);
}

/* Each request takes 5000 ns here; when it was recorded it took 1000 ns, no time or 10000 ns. */
static void an_application_thinks_between_its_requests(void **state)
{
	static const struct trace_given given[] = {
		{0, 1000, 0, K, 0, 10, TRACE_READ, 0},
		{0, 3000, 0, K, 0, 0, TRACE_READ, 0},
		{0, 3500, 0, K, 0, 100, TRACE_READ, 0},
		{0, 4000, 0, K, 0, 0, TRACE_READ, 0},
	};
	/* The fourth is due while the third still runs, and so is the begin of the second round. */
	static const uint64_t due_ns[] = {0, 5000 + 1000, 11000 + 500, 16500, 21500, 26500};
	struct trace_play play = whole;
	struct load_request request;
	struct scene scene;

	(void)state;
	start(&scene, given, 4, 1, 1);
	play.pace = TRACE_PACE_THINK;
	play.loops = true;
	struct trace_walk *walk = walk_of(&scene, &play, 0, 1);

	for (unsigned i = 0; i < 6; i++) {
		assert_true(trace_walk_next(walk, &request));
		assert_int_equal(request.due_ns, due_ns[i]);
		trace_walk_done(walk, request.due_ns + 5000);
	}
	trace_walk_release(walk);
	stop(&scene);
}

static void a_loop_begins_again_behind_the_end(void **state)
{
	struct trace_play play = whole;
	struct scene scene;

	(void)state;
	start_two(&scene);
	play.loops = true;
	play.from_ns = 7000;
	/* A round has 1000 ns, a mean gap of 2000 ns and 1 ns. */
	struct trace_walk *walk = walk_of(&scene, &play, 0, 2);
	struct load_request request;

	for (uint64_t round = 0; round < 5; round++) {
		assert_true(trace_walk_next(walk, &request));
		assert_int_equal(request.due_ns, 1000 + round * 3001);
		assert_int_equal(request.recorded_ns, 700);
	}
	trace_walk_release(walk);
	/* Nothing but a trim: the end, and no endless search. */
	play.from_ns = 2500;
	play.until_ns = 3500;
	assert_requests(walk_of(&scene, &play, 1, 2), "");
	stop(&scene);
}

static void long_streams_are_read_piece_by_piece(void **state)
{
	enum { COUNT = 5000 };
	struct trace_given *given = calloc(COUNT, sizeof(*given));
	struct load_request request;
	struct scene scene;

	(void)state;
	for (unsigned i = 0; i < COUNT; i++)
		given[i] = (struct trace_given){.due_ns = 10 * i, .offset = 512 * i, .length = 512};
	start(&scene, given, COUNT, 1, 1);
	struct trace_walk *walk = walk_of(&scene, &whole, 0, 1);

	for (unsigned i = 0; i < COUNT; i++) {
		if (i % 700 == 0)
			trace_walk_read_ahead(walk);
		assert_true(trace_walk_next(walk, &request));
		assert_int_equal(request.offset, 512 * i);
		assert_int_equal(request.due_ns, 10 * i);
	}
	assert_false(trace_walk_next(walk, &request));
	assert_null(trace_walk_failure(walk));
	trace_walk_release(walk);
	stop(&scene);
	free(given);
}

static void a_record_that_cannot_be_is_named(void **state)
{
	static const struct {
		size_t at; /* in the record */
		uint64_t value;
		size_t size;
		const char *what;
	} changes[] = {
		{0, 500, 8, "order of time"},	      {0, 9001, 8, "order of time"},
		{8, 1 << 20, 8, "beyond its file"},   {16, 0, 4, "beyond its file"},
		{16, 2 << 20, 4, "beyond its file"},  {20, 2, 4, "unknown file"},
		{28, 4, 1, "the head does not know"}, {29, 4, 1, "the head does not know"},
	};
	struct load_request request;
	struct scene scene;

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		start_two(&scene);
		const size_t second = trace_scene_number(&scene.bytes, 24) + TRACE_RECORD_BYTES;

		trace_scene_put(&scene.bytes, second + changes[i].at, changes[i].value,
				changes[i].size);
		struct trace_walk *walk = walk_of(&scene, &whole, 0, 2);

		while (trace_walk_next(walk, &request))
			;
		assert_non_null(trace_walk_failure(walk));
		const char *text = trace_walk_failure(walk)->text;

		if (!strstr(text, changes[i].what) || !strstr(text, "record 1 of stream 0"))
			fail_msg("%s", text);
		trace_walk_release(walk);
		stop(&scene);
	}
}

static void a_trace_that_cannot_be_read_ends_the_walk(void **state)
{
	struct load_request request;
	struct scene scene;

	(void)state;
	start_two(&scene);
	scene.bytes.length -= TRACE_RECORD_BYTES;
	struct trace_walk *walk = walk_of(&scene, &whole, 1, 2);

	assert_false(trace_walk_next(walk, &request));
	assert_non_null(strstr(trace_walk_failure(walk)->text, "pread"));
	trace_walk_release(walk);
	stop(&scene);
}

/* --- the plan ------------------------------------------------------------------------------- */

static void plan_it(struct plan_scene *plan, struct scene *scene, const char *words)
{
	const struct facts facts = {.trace = &scene->trace};

	plan_scene_start_with(plan, 2, 2, &facts, words);
}

/* Files of 5 MiB, 1 MiB and 4 KiB. */
static const struct trace_given three_files[] = {
	{0, 0, 4 << 20, 1 << 20, 0, 0, TRACE_READ, 0},
	{1, 0, 0, 1 << 20, 1, 0, TRACE_WRITE, 0},
	{2, 1000000000, 0, 4 * K, 2, 0, TRACE_WRITE, 0},
	{2, 1000000000, 0, 4 * K, 2, 0, TRACE_WRITE, 0},
};

static void files_have_the_sizes_of_the_trace(void **state)
{
	struct plan_scene plan;
	struct scene scene;

	(void)state;
	start(&scene, three_files, 4, 3, 3);
	plan_it(&plan, &scene, "load -o f --trace=t");
	assert_int_equal(plan.ret, 0);
	assert_int_equal(plan.plan.own_files, 3);
	assert_int_equal(plan.plan.files, 3);
	/* With 1 MiB the small file would add more than a tenth to all. */
	const uint64_t transfer = plan.plan.geometry.transfer;

	assert_int_equal(transfer, 512 * K);
	assert_int_equal(plan_file_bytes(&plan.plan, 0), 5 << 20);
	assert_int_equal(plan_file_bytes(&plan.plan, 1), 1 << 20);
	assert_int_equal(plan_file_bytes(&plan.plan, 2), 512 * K);
	assert_int_equal(plan_own_bytes(&plan.plan), (6 << 20) + 512 * K);
	assert_int_equal(plan.plan.bytes, plan_own_bytes(&plan.plan));
	assert_int_equal(plan.plan.largest_call, 1 << 20);
	assert_int_equal(plan_load_end(&plan.plan, 2), 4 * K);
	assert_int_equal(plan.plan.load_seconds, 0);
	assert_int_equal(plan.plan.phase_count, 2);
	plan_scene_stop(&plan);
	stop(&scene);
}

/* Every transfer of a file is in the part of exactly one task, who is its owner. */
static void the_parts_of_the_tasks_make_up_the_file(void **state)
{
	struct plan_scene plan;
	struct scene scene;
	uint64_t transfers = 0;

	(void)state;
	start(&scene, three_files, 4, 3, 3);
	plan_it(&plan, &scene, "load -o f --trace=t");
	for (uint32_t file = 0; file < 3; file++) {
		uint64_t next = 0;

		for (uint32_t task = 0; task < 4; task++) {
			const struct file_part part = plan_part(&plan.plan, task, file);

			assert_int_equal(part.first, next);
			for (uint64_t i = next; i < next + part.count; i++)
				assert_int_equal(plan_block_owner(&plan.plan, file,
								  i * plan.plan.geometry.transfer),
						 task);
			next += part.count;
		}
		assert_int_equal(next * plan.plan.geometry.transfer,
				 plan_file_bytes(&plan.plan, file));
	}
	for (uint32_t task = 0; task < 4; task++)
		transfers += plan_transfers_of(&plan.plan, task);
	assert_int_equal(transfers * plan.plan.geometry.transfer, plan.plan.bytes);
	/* Task 3 has transfers 7, 8 and 9 of the first file, and one of each other. */
	uint64_t index = 3;

	assert_int_equal(plan_transfers_of(&plan.plan, 3), 5);
	assert_int_equal(plan_file_at(&plan.plan, 3, &index), 1);
	assert_int_equal(index, 0);
	index = 4;
	assert_int_equal(plan_file_at(&plan.plan, 3, &index), 2);
	plan_scene_stop(&plan);
	stop(&scene);
}

static void tasks_share_streams_or_play_all(void **state)
{
	struct plan_scene plan;
	struct scene scene;

	(void)state;
	start(&scene, three_files, 4, 3, 3);
	plan_it(&plan, &scene, "load -o f --trace=t");
	assert_int_equal(plan_sharer(&plan.plan, 3), 3);
	assert_int_equal(plan_sharers(&plan.plan), 4);
	const double rate = plan.plan.pattern.arrival.rate;

	assert_int_equal(plan.plan.pattern.arrival.kind, ARRIVAL_TRACE);
	assert_true(fabs(rate - 4) < 1e-6);
	plan_scene_stop(&plan);

	plan_it(&plan, &scene, "load -o f --trace=t --file-scope=node --trace-speed=2");
	assert_int_equal(plan_sharer(&plan.plan, 3), 1);
	assert_int_equal(plan_sharers(&plan.plan), 2);
	assert_int_equal(plan.plan.files, 6);
	assert_true(fabs(plan.plan.pattern.arrival.rate - 2 * 2 * rate) < 1e-6);
	plan_scene_stop(&plan);

	plan_it(&plan, &scene, "load -o f --trace=t --file-scope=task --trace-pace=none");
	assert_int_equal(plan_sharer(&plan.plan, 3), 0);
	assert_int_equal(plan_sharers(&plan.plan), 1);
	assert_int_equal(plan.plan.files, 12);
	assert_false(plan_load_is_paced(&plan.plan.pattern));
	plan_scene_stop(&plan);
	stop(&scene);
}

static void what_cannot_be_played_is_refused(void **state)
{
	static const struct trace_given only_sync[] = {{0, 0, 0, 0, 0, 0, TRACE_SYNC, 0}};
	struct trace_given *given = calloc(65, sizeof(*given));
	struct plan_scene plan;
	struct scene scene;

	(void)state;
	start(&scene, only_sync, 1, 1, 1);
	plan_it(&plan, &scene, "load -o f --trace=t");
	assert_string_equal(plan.err.text, "trace: t has neither reads nor writes");
	plan_scene_stop(&plan);
	stop(&scene);

	for (unsigned i = 0; i < 65; i++)
		given[i] = (struct trace_given){.stream = i, .due_ns = 1000000 * i, .length = 512};
	start(&scene, given, 65, 1, 65);
	plan_it(&plan, &scene, "load -o f --trace=t --file-scope=task");
	assert_non_null(strstr(plan.err.text, "65 streams"));
	assert_non_null(strstr(plan.err.text, "--streams=64"));
	plan_scene_stop(&plan);
	plan_it(&plan, &scene, "load -o f --trace=t");
	assert_int_equal(plan.ret, 0);
	plan_scene_stop(&plan);
	plan_it(&plan, &scene, "load -o f --trace=t --trace-from=1");
	assert_non_null(strstr(plan.err.text, "trace_from: 1 s lie behind the end"));
	plan_scene_stop(&plan);
	stop(&scene);
	free(given);

	assert_no_plan(2, 2, 0, "load -o f --trace=t", "trace: t was not read");
}

/* A single write among 5000 reads still has a card of the deck, as its record is looked for. */
static void a_rare_kind_of_operation_has_a_share(void **state)
{
	enum { COUNT = 5000 };
	struct trace_given *given = calloc(COUNT, sizeof(*given));
	struct plan_scene plan;
	struct scene scene;

	(void)state;
	for (unsigned i = 0; i < COUNT; i++)
		given[i] = (struct trace_given){.due_ns = 1000 * i, .length = 512};
	given[7].operation = TRACE_WRITE;
	start(&scene, given, COUNT, 1, 1);
	plan_it(&plan, &scene, "load -o f --trace=t");
	assert_true(plan_load_has(&plan.plan.pattern, LOAD_WRITE));
	assert_int_equal(plan.plan.pattern.operations.cards[LOAD_WRITE], 1);
	assert_int_equal(plan.plan.phases[1].access, ACCESS_WRITE);
	plan_scene_stop(&plan);
	stop(&scene);
	free(given);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_head_tells_what_a_plan_needs),
		cmocka_unit_test(the_checksum_is_that_of_zlib),
		cmocka_unit_test(any_changed_byte_before_the_records_is_found),
		cmocka_unit_test(tables_that_contradict_the_head_are_refused),
		cmocka_unit_test(a_file_that_is_no_trace_is_told_so),
		cmocka_unit_test(streams_are_merged_in_the_order_of_time),
		cmocka_unit_test(a_part_is_played_at_its_speed),
		cmocka_unit_test(an_application_thinks_between_its_requests),
		cmocka_unit_test(a_loop_begins_again_behind_the_end),
		cmocka_unit_test(long_streams_are_read_piece_by_piece),
		cmocka_unit_test(a_record_that_cannot_be_is_named),
		cmocka_unit_test(a_trace_that_cannot_be_read_ends_the_walk),
		cmocka_unit_test(files_have_the_sizes_of_the_trace),
		cmocka_unit_test(the_parts_of_the_tasks_make_up_the_file),
		cmocka_unit_test(tasks_share_streams_or_play_all),
		cmocka_unit_test(what_cannot_be_played_is_refused),
		cmocka_unit_test(a_rare_kind_of_operation_has_a_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
