/* What the plan of a test says: its bytes and phases, what fits, what is refused, and its kind. */
#include <inttypes.h>
#include <stdio.h>

#include "plan/load.h"
#include "plan/series.h"
#include "tests/unit/plan_scene.h"

static void bytes_follow_from_blocks_segments_and_repetitions(void **state)
{
	static const struct {
		const char *words;
		uint64_t transfers, transfer, per_task, bytes, file, files, space;
	} cases[] = {
		{"iorx -b 1m -t 256k", 4, 256 << 10, 1 << 20, 4 << 20, 4 << 20, 1, 4 << 20},
		{"iorx -b 1m -t 256k -s 3 -F", 12, 256 << 10, 3 << 20, 12 << 20, 3 << 20, 4,
		 12 << 20},
		{"iorx -b 1m -t 1m -i 3 -m -k", 1, 1 << 20, 1 << 20, 4 << 20, 4 << 20, 3, 12 << 20},
		{"iorx -b 1m -t 1m -i 3 -m -k -F -N 2", 1, 1 << 20, 1 << 20, 2 << 20, 1 << 20, 6,
		 6 << 20},
		{"iorx -b 1m -t 1m -u -F", 1, 1 << 20, 1 << 20, 4 << 20, 1 << 20, 4, 4 << 20},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		assert_int_equal(scene.plan.transfers_per_task, cases[i].transfers);
		assert_int_equal(scene.plan.transfer_bytes, cases[i].transfer);
		assert_int_equal(scene.plan.bytes_per_task, cases[i].per_task);
		assert_int_equal(scene.plan.bytes, cases[i].bytes);
		assert_int_equal(scene.plan.file_size, cases[i].file);
		assert_int_equal(scene.plan.files, cases[i].files);
		assert_int_equal(scene.plan.space_bytes, cases[i].space);
		assert_int_equal(scene.plan.directories, strstr(cases[i].words, "-u") ? 4 : 0);
		plan_scene_stop(&scene);
	}
}

static void phases_follow_from_the_options(void **state)
{
	static const struct {
		const char *words;
		unsigned count;
		enum phase_kind kinds[6];
		const char *cold, *checks; /* a letter for each phase */
	} cases[] = {
		{"iorx", 2, {PHASE_WRITE, PHASE_READ}, "--", "--"},
		{"iorx -w", 1, {PHASE_WRITE}, "-", "-"},
		{"iorx -w -r --cold=fadvise", 2, {PHASE_WRITE, PHASE_READ}, "-c", "--"},
		{"iorx -w -W", 2, {PHASE_WRITE, PHASE_VERIFY}, "--", "-x"},
		{"iorx -w -W -r -R", 3, {PHASE_WRITE, PHASE_VERIFY, PHASE_READ}, "---", "-xx"},
		{"load", 2, {PHASE_WRITE, PHASE_LOAD}, "--", "--"},
		{"load --layout=none --cold=fadvise", 1, {PHASE_LOAD}, "c", "-"},
		{"load -R --layout=none", 1, {PHASE_LOAD}, "-", "x"},
		{"mdtest -n 2 -C -F", 2, {PHASE_TREE_CREATE, PHASE_FILE_CREATE}, "--", "--"},
		{"mdtest -n 2 -T -D", 1, {PHASE_DIR_STAT}, "-", "-"},
		{"mdtest -n 2 -r -F", 2, {PHASE_FILE_REMOVE, PHASE_TREE_REMOVE}, "--", "--"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		if (scene.plan.phase_count != cases[i].count)
			fail_msg("%s: %u phases", cases[i].words, scene.plan.phase_count);
		for (unsigned k = 0; k < cases[i].count; k++) {
			const struct phase_plan *phase = &scene.plan.phases[k];

			assert_int_equal(phase->kind, cases[i].kinds[k]);
			assert_int_equal(phase->cold, cases[i].cold[k] == 'c');
			assert_int_equal(phase->checks, cases[i].checks[k] == 'x');
		}
		plan_scene_stop(&scene);
	}
}

static void what_a_backend_cannot_do_is_refused(void **state)
{
	static const struct no_plan cases[] = {
		{"iorx -a null -w -R -r", "check_read: null moves no data that could be compared"},
		{"iorx -a null -w -W", "check_write: null moves no data that could be compared"},
		{"iorx --queue-depth=2", "queue_depth: posix moves one transfer at a time"},
		{"iorx -c", "collective: posix has no collective transfers"},
		{"iorx -a null --strided", "strided: null moves one segment at a time"},
		{"iorx -a null --cold=fadvise", "cold: null has no page cache"},
		{"iorx -a null --random-prefill=1m -w", "random_prefill: null keeps no data"},
		{"mdtest -n 2 --queue-depth=2", "queue_depth: posix does one metadata operation"},
		{"mdtest -n 2 -a null --verify-read --read-bytes=8 --write-bytes=8",
		 "verify_read: null moves no data"},
		{"load -a null --lock=shared", "lock: null cannot lock bytes"},
		{"load --lock=exclusive --operations=read:1", "lock: exclusive locks need files"},
		{"load -a null --sync=dsync", "sync: null cannot open files"},
		{"load --layout=allocate --operations=read:1", "layout: allocated blocks hold no"},
		{"load -a null --layout=allocate --operations=write:1", "layout: null cannot"},
	};

	(void)state;
	assert_no_plans(cases, sizeof(cases) / sizeof(*cases));
}

static void what_does_not_fit_is_refused(void **state)
{
	const uint64_t mib = 1 << 20;
	static const struct {
		int64_t beyond;	 /* bytes that are free beyond free_mib */
		uint64_t others; /* MiB that other tests write there */
		uint64_t free_mib, free_files, reusable_mib;
		int ret;
		const char *begin;
	} cases[] = {
		{0, 0, 8, UINT64_MAX, 0, 0, NULL},
		{-1, 0, 8, UINT64_MAX, 0, -1, "test_file: "},
		{-1, 0, 7, UINT64_MAX, 1, -1, "test_file: "},
		{0, 0, 7, UINT64_MAX, 1, 0, NULL},
		{0, 2, 10, UINT64_MAX, 0, 0, NULL},
		{-1, 2, 10, UINT64_MAX, 0, -1, "test_file: "},
		{0, 2, 9, UINT64_MAX, 1, 0, NULL},
		{-1, 2, 9, UINT64_MAX, 1, -1, "test_file: the test writes 8 MiB, the other tests"},
		{0, 0, 8, 4, 0, 0, NULL},
		{0, 0, 8, 3, 0, -1, "test_file: "},
	};
	struct plan_scene scene;
	struct error err = {0};

	(void)state;
	plan_scene_plan(&scene, 2, 2, "iorx -F -b 2m -t 1m");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct space space = {
			.known = true,
			.files = 4,
			.free_bytes = cases[i].free_mib * mib + (uint64_t)cases[i].beyond,
			.free_files = cases[i].free_files,
			.reusable_bytes = cases[i].reusable_mib * mib,
			.others_bytes = cases[i].others * mib,
			.path = "/scratch",
		};

		if (plan_check_space(&scene.plan, &space, &err) != cases[i].ret)
			fail_msg("case %zu: %s", i, err.text);
		if (cases[i].begin && strncmp(err.text, cases[i].begin, strlen(cases[i].begin)))
			fail_msg("case %zu: %s", i, err.text);
		err = (struct error){0};
	}
	/* Half of the files lie in this file system, so half of the bytes must fit. */
	const struct space half = {
		.known = true, .files = 2, .free_bytes = 4 * mib, .free_files = UINT64_MAX};
	const struct space less = {
		.known = true, .files = 2, .free_bytes = 4 * mib - 1, .free_files = UINT64_MAX};
	const struct space unknown = {.files = 4};
	const struct space replaced = {.known = true,
				       .files = 4,
				       .free_bytes = 8 * mib,
				       .free_files = 3,
				       .reusable_files = 1};

	assert_int_equal(plan_check_space(&scene.plan, &replaced, &err), 0);
	assert_int_equal(plan_check_space(&scene.plan, &half, &err), 0);
	assert_int_equal(plan_check_space(&scene.plan, &less, &err), -1);
	assert_int_equal(plan_check_space(&scene.plan, &unknown, &err), 0);
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "iorx -r -b 2m -t 1m");
	assert_int_equal(plan_check_space(&scene.plan, &less, &err), 0);
	plan_scene_stop(&scene);
}

static void the_least_size_of_a_file_follows_from_its_transfers(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_plan(&scene, 2, 2, "iorx -b 2m -t 1m -s 2");
	assert_int_equal(plan_end(&scene.plan, 0, 4), 16 << 20);
	assert_int_equal(plan_end(&scene.plan, 0, 5), 16 << 20);
	/* The third transfer of the last sharer: segment 1, block 3, its first MiB. */
	assert_int_equal(plan_end(&scene.plan, 0, 3), 15 << 20);
	assert_int_equal(plan_end(&scene.plan, 0, 1), 7 << 20);
	assert_int_equal(plan_end(&scene.plan, 0, 0), 0);
	assert_true(plan_size_tells(&scene.plan));
	assert_false(plan_is_cut(&scene.plan));
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "iorx -b 2m -t 1m -F -D 3");
	assert_int_equal(plan_end(&scene.plan, 3, 1), 1 << 20);
	assert_true(plan_is_cut(&scene.plan));
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "iorx -b 2m -t 1m -z -F");
	assert_int_equal(plan_end(&scene.plan, 3, 1), 0);
	assert_int_equal(plan_end(&scene.plan, 3, 2), 2 << 20);
	plan_scene_stop(&scene);
}

static void a_kind_of_test_has_a_row(void **state)
{
	static const struct {
		const char *words, *program, *key, *unit;
		bool has_names, counts_operations, moves_data, makes_files;
	} cases[] = {
		{"iorx", "IOR", "test_file", "transfers", false, false, true, true},
		{"iorx -r", "IOR", "test_file", "transfers", false, false, true, false},
		{"mdtest -n 2", "mdtest", "dir", "items", true, true, false, true},
		{"mdtest -n 2 -T", "mdtest", "dir", "items", true, true, false, false},
		{"load", NULL, "test_file", "transfers", false, true, true, true},
		{"load --layout=none", NULL, "test_file", "transfers", false, true, true, false},
		{"load --operations=create:1,unlink:1", NULL, "test_file", "transfers", false, true,
		 false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		const struct workload_traits *traits = plan_traits(&scene.plan);

		if (cases[i].program)
			assert_string_equal(traits->program, cases[i].program);
		else
			assert_null(traits->program);
		assert_string_equal(traits->key, cases[i].key);
		assert_string_equal(traits->unit, cases[i].unit);
		assert_int_equal(traits->has_names, cases[i].has_names);
		assert_int_equal(traits->counts_operations, cases[i].counts_operations);
		assert_int_equal(plan_moves_data(&scene.plan), cases[i].moves_data);
		assert_int_equal(plan_makes_files(&scene.plan), cases[i].makes_files);
		plan_scene_stop(&scene);
	}
}

static void a_phase_ends_by_the_limit_of_its_kind(void **state)
{
	static const struct {
		const char *words;
		enum phase_kind kind;
		double seconds;
	} cases[] = {
		{"iorx", PHASE_WRITE, 0},
		{"iorx -D 7", PHASE_WRITE, 7},
		{"iorx -D 7 -w -W", PHASE_VERIFY, 0},
		{"iorx -D 7", PHASE_READ, 7},
		{"iorx --duration=5", PHASE_READ, 5},
		{"load --warmup-time=2 --duration=10 --cooldown=1", PHASE_LOAD, 13},
		{"load --operation-limit=4", PHASE_LOAD, 0},
		{"mdtest -n 2 -W 3", PHASE_FILE_CREATE, 3},
		{"mdtest -n 2 -W 3", PHASE_FILE_STAT, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		if (plan_time_limit(&scene.plan, cases[i].kind) != cases[i].seconds)
			fail_msg("%s: %g s", cases[i].words,
				 plan_time_limit(&scene.plan, cases[i].kind));
		plan_scene_stop(&scene);
	}
}

static void a_status_file_keeps_the_last_count_that_writes(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_plan(&scene, 2, 2, "mdtest -n 2 -D");
	assert_true(plan_keeps_count(&scene.plan, PHASE_DIR_CREATE));
	assert_false(plan_keeps_count(&scene.plan, PHASE_DIR_STAT));
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "mdtest -n 2");
	assert_false(plan_keeps_count(&scene.plan, PHASE_DIR_CREATE));
	assert_true(plan_keeps_count(&scene.plan, PHASE_FILE_CREATE));
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "iorx");
	assert_true(plan_keeps_count(&scene.plan, PHASE_WRITE));
	assert_false(plan_keeps_count(&scene.plan, PHASE_READ));
	plan_scene_stop(&scene);
}

/* Four tasks; blocks of two transfers of 1 MiB in two segments. */
static void a_file_that_is_too_short_has_fewer_transfers_of_a_task(void **state)
{
	static const struct {
		const char *words;
		uint32_t task;
		uint64_t held, count;
	} cases[] = {
		/* In a shared file, transfers 0 and 1 are those of task 0, 2 and 3 of task 1 … */
		{"iorx -b 2m -t 1m -s 2", 0, 9, 3},
		{"iorx -b 2m -t 1m -s 2", 1, 9, 2},
		{"iorx -b 2m -t 1m -s 2", 1, 3, 1},
		{"iorx -b 2m -t 1m -s 2", 3, 100, 4},
		{"iorx -b 2m -t 1m -s 2 -F", 3, 3, 3},
		{"iorx -b 2m -t 1m -s 2 -F", 3, 9, 4},
		{"iorx -a mpiio -c -b 2m -t 1m -s 2", 0, 7, 1}, /* as many as the last task */
		{"iorx -b 2m -t 1m -s 2 -z", 1, 9, 2},
		{"iorx -b 2m -t 1m -s 2 -z -F", 1, 3, 3},
		{"iorx -b 2m -t 1m -s 2 -z -F", 1, 9, 4},
		{"iorx -b 2m -t 1m -s 2 -zz", 1, 1, 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		if (plan_within(&scene.plan, cases[i].task, cases[i].held) != cases[i].count)
			fail_msg("%s: %" PRIu64 " transfers of task %u", cases[i].words,
				 plan_within(&scene.plan, cases[i].task, cases[i].held),
				 cases[i].task);
		plan_scene_stop(&scene);
	}
}

static void a_transfer_is_found_in_the_order_of_the_test(void **state)
{
	struct plan_scene scene;
	struct placement at;
	uint64_t sum = 0;

	(void)state;
	plan_scene_plan(&scene, 2, 2, "iorx -b 2m -t 1m -s 2");
	plan_locate(&scene.plan, 1, 3, 0, &at);
	assert_int_equal(at.offset, 11 << 20); /* segment 1, block 1, its second MiB */
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "iorx -b 4m -t 1m -F -z");
	for (uint64_t i = 0; i < 4; i++) {
		plan_locate(&scene.plan, 1, i, 0, &at);
		assert_int_equal(at.offset % (1 << 20), 0);
		sum += UINT64_C(1) << (at.offset >> 20);
	}
	assert_int_equal(sum, 15); /* each of them once */
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "load --file-scope=node --file-size=4m");
	struct placement of_task_1, of_task_3;

	plan_locate(&scene.plan, 1, 0, 0, &of_task_1);
	plan_locate(&scene.plan, 3, 0, 0, &of_task_3);
	assert_int_equal(of_task_1.offset, 2 << 20);
	assert_int_equal(of_task_3.offset, 2 << 20);
	plan_scene_stop(&scene);
}

static void readers_change_with_the_repetition_only_where_the_seed_is_negative(void **state)
{
	static const char *const words[] = {"iorx -Z -X 5", "iorx -Z -X -5"};
	const struct phase_plan write = {.kind = PHASE_WRITE};
	const struct phase_plan read = {.kind = PHASE_READ, .access = ACCESS_READ};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct plan_scene scene;
		unsigned same = 0;

		plan_scene_plan(&scene, 8, 8, words[i]);
		for (uint32_t task = 0; task < 64; task++) {
			same += plan_source(&scene.plan, &read, 0, task) ==
				plan_source(&scene.plan, &read, 1, task);
			assert_int_equal(plan_source(&scene.plan, &write, 1, task), task);
		}
		assert_true(i ? same < 16 : same == 64);
		plan_scene_stop(&scene);
	}
}

static void data_is_made_in_place_where_one_transfer_is_made_at_a_time(void **state)
{
	static const struct {
		const char *words;
		bool in_place;
	} cases[] = {
		{"iorx", true},
		{"iorx -r", false},
		{"iorx --content=random", false},
		{"iorx --content-dedup=2", false},
		{"iorx -a null --queue-depth=2", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		assert_int_equal(plan_writes_in_place(&scene.plan), cases[i].in_place);
		plan_scene_stop(&scene);
	}
}

static void buffers_must_fit_into_the_memory_of_a_node(void **state)
{
	struct plan_scene scene;
	char refused[200];

	(void)state;
	plan_scene_plan(&scene, 2, 2, "iorx -b 64m -t 64m --content=random");
	const uint64_t needed = 2 * scene.plan.memory_per_task;

	/* the buffer and the pool, and what iorx itself needs */
	assert_true(needed >= 2 * (65 << 20) && needed < 2 * (72 << 20));
	plan_scene_stop(&scene);
	plan_scene_start(&scene, 2, 2, needed, "iorx -b 64m -t 64m --content=random");
	assert_int_equal(scene.ret, 0);
	plan_scene_stop(&scene);
	snprintf(refused, sizeof(refused),
		 "transfer_size: 2 tasks on a node need %u MiB of buffers and the node has %u MiB;",
		 (unsigned)(needed >> 20), (unsigned)((needed - 1) >> 20));
	assert_no_plan(2, 2, needed - 1, "iorx -b 64m -t 64m --content=random", refused);
	plan_scene_plan(&scene, 2, 2, "iorx -a null -b 64m -t 64m");
	assert_int_equal(scene.plan.buffer_bytes, 0);
	assert_true(scene.plan.memory_per_task < 8 << 20);
	plan_scene_stop(&scene);
}

static void data_of_more_than_2_to_the_63_bytes_are_refused(void **state)
{
	static const struct no_plan cases[] = {
		{"iorx -b 4096t -t 1m -s 1024", "segment_count: the data of all tasks would pass"},
		{"iorx -b 4096t -t 1m -s 511 -i 2 -m -k",
		 "segment_count: all repetitions' files would pass"},
	};
	struct plan_scene scene;

	(void)state;
	assert_no_plans(cases, sizeof(cases) / sizeof(*cases));
	plan_scene_plan(&scene, 2, 2, "iorx -b 4096t -t 1m -s 511");
	assert_int_equal(scene.plan.bytes, UINT64_C(511) << 54);
	plan_scene_stop(&scene);
}

static void each_operation_of_a_mix_or_load_has_a_series(void **state)
{
	static const struct {
		const char *words;
		enum phase_kind kind;
		const char *parts; /* the names of all series but the first */
	} cases[] = {
		{"iorx", PHASE_READ, ""},
		{"mdtest -n 20 --mix=create:10,stat:50,read:30,remove:10", PHASE_MIX,
		 " create stat read remove"},
		{"mdtest -n 20 -C --mix=stat:1 --mix-rate=5", PHASE_MIX, " stat response"},
		{"load --operations=read:50,write:25,stat:25", PHASE_LOAD, " read write stat"},
		{"load --rate=9", PHASE_LOAD, " read response"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct series series[SERIES_MOST];
		struct plan_scene scene;
		char parts[200] = "";
		unsigned phase = 0;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		while (scene.plan.phases[phase].kind != cases[i].kind)
			phase++;
		const unsigned count = plan_series(&scene.plan, phase, series);

		assert_int_equal(series[0].operation, phase_operation(cases[i].kind));
		for (unsigned k = 0; k < count; k++) {
			assert_int_equal(series[k].phase, phase);
			assert_int_equal(series[k].nth, 0);
			strcat(parts, k ? " " : "");
			strcat(parts, k ? series[k].part : "");
		}
		assert_string_equal(parts, cases[i].parts);
		plan_scene_stop(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_follow_from_blocks_segments_and_repetitions),
		cmocka_unit_test(phases_follow_from_the_options),
		cmocka_unit_test(what_a_backend_cannot_do_is_refused),
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(the_least_size_of_a_file_follows_from_its_transfers),
		cmocka_unit_test(a_kind_of_test_has_a_row),
		cmocka_unit_test(a_phase_ends_by_the_limit_of_its_kind),
		cmocka_unit_test(a_status_file_keeps_the_last_count_that_writes),
		cmocka_unit_test(a_file_that_is_too_short_has_fewer_transfers_of_a_task),
		cmocka_unit_test(a_transfer_is_found_in_the_order_of_the_test),
		cmocka_unit_test(
			readers_change_with_the_repetition_only_where_the_seed_is_negative),
		cmocka_unit_test(data_is_made_in_place_where_one_transfer_is_made_at_a_time),
		cmocka_unit_test(buffers_must_fit_into_the_memory_of_a_node),
		cmocka_unit_test(data_of_more_than_2_to_the_63_bytes_are_refused),
		cmocka_unit_test(each_operation_of_a_mix_or_load_has_a_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
