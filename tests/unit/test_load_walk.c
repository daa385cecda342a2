/* The requests of a load: shares, sizes, places, turns, limits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "load_scene.h"

enum { FILE_BYTES = 1 << 20, BLOCK = 4096, BLOCKS = FILE_BYTES / BLOCK };

static void shares_are_exact_in_every_thousand(void **state)
{
	struct load_pattern pattern;
	struct load_request request;
	struct load_walk walk;

	(void)state;
	load_scene(&pattern, &(struct load_words){.operations = "read:70.1, write:29.9",
						  .sizes = "4k/40, 16k/30, 64k/30"});
	load_scene_start(&walk, &pattern, 0, 1);
	for (unsigned thousand = 0; thousand < 50; thousand++) {
		unsigned reads = 0;

		for (unsigned i = 0; i < DECK_CARDS; i++) {
			assert_true(load_next(&walk, &request));
			reads += request.operation == OPERATION_READ;
			assert_true(request.length == 4096 || request.length == 16384 ||
				    request.length == 65536);
			assert_int_equal(request.offset % request.length, 0);
			assert_true(request.offset + request.length <= FILE_BYTES);
		}
		assert_int_equal(reads, 701);
	}
	load_walk_release(&walk);
}

/* Alone and shared, in one file and in three, also where tasks have unequal numbers of blocks. */
static void every_block_is_visited_once_a_pass(void **state)
{
	(void)state;
	for (uint32_t sharers = 1; sharers <= 3; sharers++)
		for (uint32_t files = 1; files <= 3; files++) {
			unsigned seen[3 * BLOCKS] = {0};
			struct load_pattern pattern;

			load_scene(&pattern, &(struct load_words){.distribution = "every_block"});
			pattern.files = files;
			pattern.passes = 2;
			pattern.file_bytes -= 17; /* the last block does not fit */
			for (uint32_t i = 0; i < sharers; i++) {
				struct load_request request;
				struct load_walk walk;

				load_scene_start(&walk, &pattern, i, sharers);
				while (load_next(&walk, &request)) {
					unsigned *block = &seen[request.file * BLOCKS +
								request.offset / BLOCK];

					assert_int_equal((*block)++, request.pass);
				}
				load_walk_release(&walk);
			}
			for (uint32_t i = 0; i < files * BLOCKS; i++)
				assert_int_equal(seen[i], i % BLOCKS == BLOCKS - 1 ? 0 : 2);
		}
}

/* What load_last_write() computes is what a table would have noted. */
static void the_last_write_follows_from_the_pass(void **state)
{
	enum { NEVER = -1, SHARERS = 3 };

	(void)state;
	for (uint32_t sharer = 0; sharer < SHARERS; sharer++) {
		int64_t written[2 * BLOCKS];
		struct load_pattern pattern;
		struct load_request request;
		struct load_walk walk;

		memset(written, NEVER, sizeof(written));
		load_scene(&pattern, &(struct load_words){.distribution = "every_block",
							  .operations = "read:70, write:30"});
		pattern.files = 2;
		load_scene_start(&walk, &pattern, sharer, SHARERS);
		for (uint64_t i = 0; i < 2000; i++) {
			int64_t *block;
			uint64_t pass = 0;
			bool found;

			assert_true(load_next(&walk, &request));
			block = &written[request.file * BLOCKS + request.offset / BLOCK];
			found = load_last_write(&walk, &request, &pass);
			assert_int_equal(found ? (int64_t)pass : NEVER, *block);
			if (request.operation == OPERATION_WRITE)
				*block = (int64_t)request.pass;
		}
		load_walk_release(&walk);
	}
}

static void a_walk_goes_on_in_another_phase(void **state)
{
	struct load_pattern pattern;
	struct load_request request;
	struct load_walk walk;
	bool seen[BLOCKS] = {false};

	(void)state;
	load_scene(&pattern, &(struct load_words){.distribution = "every_block"});
	pattern.arrival = (struct arrival){.kind = ARRIVAL_EVEN, .rate = 1000};
	load_scene_start(&walk, &pattern, 0, 1);
	for (unsigned i = 0; i < BLOCKS; i++) {
		if (i == 100)
			load_walk_resume(&walk, 0);
		assert_true(load_next(&walk, &request));
		assert_int_equal(request.due_ns, (i < 100 ? i : i - 100) * UINT64_C(1000000));
		assert_false(seen[request.offset / BLOCK]);
		seen[request.offset / BLOCK] = true;
	}
	load_walk_release(&walk);
}

static void tasks_take_turns_in_a_sequential_file(void **state)
{
	struct load_pattern pattern;
	struct load_request request;
	struct load_walk walk;

	(void)state;
	load_scene(&pattern, &(struct load_words){0});
	deck_make_two(&pattern.random, 0);
	pattern.passes = 3;
	for (uint32_t sharers = 1; sharers < 9; sharers += 2) {
		unsigned seen[BLOCKS] = {0};

		for (uint32_t i = 0; i < sharers; i++) {
			uint64_t number = i;

			load_scene_start(&walk, &pattern, i, sharers);
			for (; load_next(&walk, &request); number += sharers) {
				assert_int_equal(request.offset, number % BLOCKS * BLOCK);
				assert_int_equal(request.pass, number / BLOCKS);
				seen[request.offset / BLOCK]++;
			}
			load_walk_release(&walk);
		}
		for (unsigned i = 0; i < BLOCKS; i++)
			assert_int_equal(seen[i], 3);
	}
}

static void a_run_goes_on_behind_its_last_transfer(void **state)
{
	struct load_pattern pattern;
	struct load_request request;
	struct load_walk walk;

	(void)state;
	load_scene(&pattern, &(struct load_words){.sizes = "4k/50, 8k/50"});
	pattern.run_length = 4;
	pattern.stride = 1 << 10;
	pattern.files = 5;
	load_scene_start(&walk, &pattern, 0, 1);
	for (unsigned run = 0; run < 100; run++) {
		uint64_t next = 0;

		for (unsigned i = 0; i < 4; i++) {
			assert_true(load_next(&walk, &request));
			assert_int_equal(request.file, run % 5);
			if (i && next + request.length <= FILE_BYTES)
				assert_int_equal(request.offset, next);
			next = request.offset + request.length + pattern.stride;
		}
	}
	load_walk_release(&walk);
}

/* Each offset is as likely as the others, also the last, whatever the size and the file's end. */
static void random_offsets_are_multiples_of_align(void **state)
{
	static const struct {
		const char *sizes;
		uint64_t align, file_bytes;
		unsigned offsets;
	} cases[] = {
		{"4k", 0, 10 * BLOCK + 1, 10}, {"4k", 512, 10 * BLOCK + 1, 73},
		{"3000", 1024, 10240, 8},      {"10240", 1, 10240, 1},
		{"3000", 4096, 4000, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t step = cases[i].align ? cases[i].align : BLOCK;
		double sum = 0, expected = 1000;
		unsigned seen[80] = {0};
		struct load_pattern pattern;
		struct load_request request;
		struct load_walk walk;

		load_scene(&pattern, &(struct load_words){.sizes = cases[i].sizes});
		pattern.align = cases[i].align;
		pattern.file_bytes = cases[i].file_bytes;
		load_scene_start(&walk, &pattern, 0, 1);
		for (unsigned k = 0; k < expected * cases[i].offsets; k++) {
			assert_true(load_next(&walk, &request));
			assert_int_equal(request.offset % step, 0);
			seen[request.offset / step]++;
		}
		for (unsigned k = 0; k < cases[i].offsets; k++)
			sum += (seen[k] - expected) * (seen[k] - expected) / expected;
		assert_true(sum < cases[i].offsets + 5 * sqrt(2.0 * cases[i].offsets));
		load_walk_release(&walk);
	}
}

/* Transfers of all sizes, of reads and writes, and of all tasks have one hot block of 4 KiB. */
static void all_sizes_have_the_same_hot_blocks(void **state)
{
	uint64_t hot = UINT64_MAX;

	(void)state;
	for (uint32_t task = 0; task < 3; task++) {
		struct load_pattern pattern;
		struct load_request request;
		struct load_walk walk;

		load_scene(&pattern, &(struct load_words){.operations = "read:50, write:50",
							  .sizes = "4k/50, 64k/50",
							  .distribution = "zipf:30"});
		load_scene_start(&walk, &pattern, task, 3);
		for (unsigned i = 0; i < 1000; i++) {
			assert_true(load_next(&walk, &request));
			if (hot == UINT64_MAX && request.length == BLOCK)
				hot = request.offset;
			if (hot != UINT64_MAX)
				assert_int_equal(request.offset,
						 hot / request.length * request.length);
		}
		load_walk_release(&walk);
	}
}

static void tasks_may_have_hot_blocks_of_their_own(void **state)
{
	uint64_t hot[2];

	(void)state;
	for (uint32_t task = 0; task < 2; task++) {
		struct load_pattern pattern;
		struct load_request request;
		struct load_walk walk;

		load_scene(&pattern, &(struct load_words){.distribution = "zipf:100"});
		pattern.own_hot_blocks = true;
		load_scene_start(&walk, &pattern, task, 2);
		assert_true(load_next(&walk, &request));
		hot[task] = request.offset;
		load_walk_release(&walk);
	}
	assert_int_not_equal(hot[0], hot[1]);
}

/* Sizes that share no boundary: what is drawn behind the last place of a transfer goes there. */
static void transfers_stay_within_the_file(void **state)
{
	static const char *const distributions[] = {"uniform", "zipf:0.5", "normal:100%",
						    "zoned:1/50,99/50"};

	(void)state;
	for (size_t i = 0; i < sizeof(distributions) / sizeof(distributions[0]); i++)
		for (unsigned percent = 0; percent <= 100; percent += 50) {
			struct load_pattern pattern;
			struct load_request request;
			struct load_walk walk;

			load_scene(&pattern,
				   &(struct load_words){.sizes = "4k/1, 6k/1, 10000/1",
							.distribution = distributions[i]});
			deck_make_two(&pattern.random, percent / 100.0);
			pattern.file_bytes = 123457;
			pattern.run_length = 1 + i;
			load_scene_start(&walk, &pattern, 0, 1);
			for (unsigned k = 0; k < 20000; k++) {
				assert_true(load_next(&walk, &request));
				assert_true(request.offset + request.length <= pattern.file_bytes);
			}
			load_walk_release(&walk);
		}
}

static void the_share_of_random_runs_is_exact(void **state)
{
	struct load_pattern pattern;
	struct load_request request;
	struct load_walk walk;
	uint64_t next = 0;
	unsigned jumps = 0;

	(void)state;
	load_scene(&pattern, &(struct load_words){0});
	pattern.file_bytes = (uint64_t)1 << 40; /* a jump to the place behind the last is rare */
	deck_make_two(&pattern.random, 0.25);
	load_scene_start(&walk, &pattern, 0, 1);
	for (unsigned i = 0; i < 10000; i++) {
		assert_true(load_next(&walk, &request));
		jumps += request.offset != next;
		next = request.offset + request.length;
	}
	assert_int_equal(jumps, 2500);
	load_walk_release(&walk);
}

/* Runs that begin with a write have a share of their own. */
static void writes_may_be_sequential_beside_random_reads(void **state)
{
	struct load_pattern pattern;
	struct load_request request;
	struct load_walk walk;
	unsigned jumps[2] = {0};
	uint64_t next = 0;

	(void)state;
	load_scene(&pattern, &(struct load_words){.operations = "read:60,write:40"});
	pattern.file_bytes = (uint64_t)1 << 40;
	deck_make_two(&pattern.random, 0.5);
	deck_make_two(&pattern.write_random, 0.1);
	pattern.splits_random = true;
	load_scene_start(&walk, &pattern, 0, 1);
	for (unsigned i = 0; i < 10000; i++) {
		assert_true(load_next(&walk, &request));
		jumps[request.operation == OPERATION_WRITE] += request.offset != next;
		next = request.offset + request.length;
	}
	assert_int_equal(jumps[0], 3000);
	assert_int_equal(jumps[1], 400);
	load_walk_release(&walk);
}

static void files_are_chosen_as_asked(void **state)
{
	static const char *const choices[] = {"in_turn", "random", "zipf:1.2", "hot:90/10"};
	enum { FILES = 10, EACH = 1000 };

	(void)state;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		unsigned seen[FILES] = {0}, most = 0;
		struct load_pattern pattern;
		struct load_request request;
		struct load_walk walk;

		load_scene(&pattern, &(struct load_words){.file_choice = choices[i]});
		pattern.files = FILES;
		load_scene_start(&walk, &pattern, 3, 4);
		for (unsigned k = 0; k < FILES * EACH; k++) {
			assert_true(load_next(&walk, &request));
			if (!i)
				assert_int_equal(request.file, (3 + k) % FILES);
			seen[request.file]++;
		}
		for (unsigned k = 0; k < FILES; k++)
			most = seen[k] > most ? seen[k] : most;
		assert_true(i < 2 ? most < EACH * 1.1 : most > EACH * 3);
		load_walk_release(&walk);
	}
}

static enum load_end last_end; /* of the last count_requests() */

static uint64_t count_requests(const struct load_pattern *pattern, uint32_t sharer,
			       uint32_t sharers)
{
	struct load_request request;
	struct load_walk walk;
	uint64_t count = 0;

	load_scene_start(&walk, pattern, sharer, sharers);
	while (load_next(&walk, &request))
		count++;
	assert_false(load_next(&walk, &request));
	assert_int_equal(walk.operations_done, count);
	last_end = load_walk_end(&walk);
	load_walk_release(&walk);
	return count;
}

static void the_caller_may_choose_the_file(void **state)
{
	const struct load_words words[] = {{.sizes = "4k"}, {.sizes = "4k/50,8k/50"}};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct load_pattern pattern;
		struct load_request request;
		struct load_walk walk;

		load_scene(&pattern, &words[i]);
		deck_make_two(&pattern.random, 0);
		pattern.files = 3;
		pattern.files_given = true;
		load_scene_start(&walk, &pattern, 0, 1);
		for (uint32_t k = 0; k < 12; k++) {
			walk.file = k % 4 == 3 ? 0 : 2;
			assert_true(load_next(&walk, &request));
			assert_int_equal(request.file, walk.file);
			if (!k)
				assert_int_equal(request.offset, 0);
		}
		load_walk_release(&walk);
	}
}

static void the_first_limit_ends_the_walk(void **state)
{
	struct load_pattern pattern;

	(void)state;
	load_scene(&pattern, &(struct load_words){0});
	pattern.passes = 2;
	assert_int_equal(count_requests(&pattern, 0, 1), 2 * BLOCKS);
	assert_int_equal(last_end, LOAD_END_PASSES);
	assert_int_equal(count_requests(&pattern, 0, 2), BLOCKS);
	pattern.byte_limit = 10 * BLOCK;
	assert_int_equal(count_requests(&pattern, 0, 1), 10);
	pattern.byte_limit++;
	assert_int_equal(count_requests(&pattern, 0, 1), 11);
	assert_int_equal(last_end, LOAD_END_BYTES);
	pattern.operation_limit = 7;
	assert_int_equal(count_requests(&pattern, 0, 1), 7);
	assert_int_equal(last_end, LOAD_END_OPERATIONS);
	pattern = (struct load_pattern){0};
	load_scene(&pattern, &(struct load_words){0});
	deck_make_two(&pattern.random, 0);
	pattern.passes = 1;
	assert_int_equal(count_requests(&pattern, 0, 3), 86);
	assert_int_equal(last_end, LOAD_END_PASSES);
	assert_int_equal(count_requests(&pattern, 1, 3), 85);
	pattern.files = 2;
	assert_int_equal(count_requests(&pattern, 1, 3), 170);
}

/* A schedule's moments belong to the requests and change nothing else about them. */
static void due_times_do_not_change_the_requests(void **state)
{
	struct load_pattern closed, even;
	struct load_request a, b;
	struct load_walk walk_a, walk_b;

	(void)state;
	load_scene(&closed, &(struct load_words){.operations = "read:70, write:30"});
	even = closed;
	even.arrival = (struct arrival){.kind = ARRIVAL_EVEN, .rate = 1000};
	load_scene_start(&walk_a, &closed, 0, 2);
	load_scene_start(&walk_b, &even, 0, 2);
	for (uint64_t i = 0; i < 5000; i++) {
		assert_true(load_next(&walk_a, &a) && load_next(&walk_b, &b));
		assert_int_equal(a.due_ns, 0);
		assert_int_equal(b.due_ns, i * 2000000);
		assert_true(a.operation == b.operation && a.offset == b.offset);
	}
	load_walk_release(&walk_a);
	load_walk_release(&walk_b);
}

/* Tasks and repetitions draw numbers of their own; the same task draws the same again. */
static void seeds_tell_tasks_and_repetitions_apart(void **state)
{
	enum { WALKS = 4, REQUESTS = 1000 };
	static const unsigned task[WALKS] = {0, 0, 1, 0}, repetition[WALKS] = {0, 0, 0, 1};
	unsigned same[WALKS] = {0};
	uint64_t first[REQUESTS];
	struct load_pattern pattern;

	(void)state;
	load_scene(&pattern, &(struct load_words){0});
	for (unsigned w = 0; w < WALKS; w++) {
		const struct load_seat seat = {
			.task = task[w], .tasks = 2, .sharer = task[w], .sharers = 2};
		struct load_request request;
		struct load_walk walk;

		load_walk_start(&walk, &pattern, &seat, repetition[w]);
		for (unsigned i = 0; i < REQUESTS; i++) {
			assert_true(load_next(&walk, &request));
			if (!w)
				first[i] = request.offset;
			same[w] += first[i] == request.offset;
		}
		load_walk_release(&walk);
	}
	assert_int_equal(same[1], REQUESTS);
	assert_true(same[2] < 20 && same[3] < 20);
}

/* --- rules ---------------------------------------------------------------------------------- */

static void assert_refused(const struct load_pattern *pattern, uint32_t sharers,
			   const char *message)
{
	struct error err = {0};

	assert_int_equal(load_pattern_check(pattern, sharers, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	if (!strstr(err.text, message))
		fail_msg("%s", err.text);
}

static void what_does_not_fit_together_is_refused(void **state)
{
	struct load_pattern pattern;

	(void)state;
	load_scene(&pattern, &(struct load_words){.sizes = "4k/1, 2m/1"});
	assert_refused(&pattern, 1, "file_size: a file is smaller than the largest transfer");
	load_scene(&pattern,
		   &(struct load_words){.sizes = "4k/1, 8k/1", .distribution = "every_block"});
	assert_refused(&pattern, 1, "every_block needs transfers of one size");
	load_scene(&pattern, &(struct load_words){.distribution = "every_block"});
	deck_make_two(&pattern.random, 0.5);
	assert_refused(&pattern, 1, "set random = 100 %");
	deck_make_two(&pattern.random, 1);
	pattern.run_length = 2;
	assert_refused(&pattern, 1, "every_block has no runs");
	pattern.run_length = 1;
	assert_refused(&pattern, 300, "fewer transfers than tasks that share them");
	load_scene(&pattern, &(struct load_words){0});
	pattern.align = UINT64_C(1) << 60;
	assert_refused(&pattern, 1, "align: it is not less than the part of a file");
	load_scene(&pattern, &(struct load_words){.sizes = "4k/1, 8k/1"});
	deck_make_two(&pattern.random, 0);
	assert_refused(&pattern, 2, "take turns, which needs one size");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_exact_in_every_thousand),
		cmocka_unit_test(every_block_is_visited_once_a_pass),
		cmocka_unit_test(the_last_write_follows_from_the_pass),
		cmocka_unit_test(a_walk_goes_on_in_another_phase),
		cmocka_unit_test(tasks_take_turns_in_a_sequential_file),
		cmocka_unit_test(a_run_goes_on_behind_its_last_transfer),
		cmocka_unit_test(random_offsets_are_multiples_of_align),
		cmocka_unit_test(all_sizes_have_the_same_hot_blocks),
		cmocka_unit_test(tasks_may_have_hot_blocks_of_their_own),
		cmocka_unit_test(transfers_stay_within_the_file),
		cmocka_unit_test(the_share_of_random_runs_is_exact),
		cmocka_unit_test(writes_may_be_sequential_beside_random_reads),
		cmocka_unit_test(files_are_chosen_as_asked),
		cmocka_unit_test(the_caller_may_choose_the_file),
		cmocka_unit_test(the_first_limit_ends_the_walk),
		cmocka_unit_test(due_times_do_not_change_the_requests),
		cmocka_unit_test(seeds_tell_tasks_and_repetitions_apart),
		cmocka_unit_test(what_does_not_fit_together_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
