/* The plan of a load: its layout, the trees of its small files, its region and its passes. */
#include "plan/load.h"
#include "tests/unit/plan_scene.h"

static void small_files_lie_in_a_tree_of_each_task(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_plan(&scene, 2, 2,
			"load -o f --operations=create:1,unlink:1 --items=40 --item-bytes=3k "
			"--branch=2 --depth=1");
	const struct plan *trees = scene.plan.names;

	assert_non_null(trees);
	assert_ptr_equal(plan_of_trees(&scene.plan), trees);
	assert_string_equal(trees->metadata->dir, "f.items");
	assert_int_equal(trees->metadata->items, 40);
	assert_int_equal(trees->metadata->branch, 2);
	assert_int_equal(trees->metadata->depth, 1);
	assert_int_equal(trees->metadata->write_bytes, 3 << 10);
	assert_int_equal(trees->metadata->read_bytes, 3 << 10);
	assert_true(trees->metadata->unique_dir && trees->metadata->files_only);
	assert_true(trees->metadata->create && trees->metadata->remove);
	assert_int_equal(trees->tree.items, 40);
	assert_int_equal(scene.plan.pattern.items.files.start, 40);
	assert_int_equal(scene.plan.pattern.items.files.least, 1);
	/* No data files: only the layout's transfer is as large as an item. */
	assert_false(scene.plan.test->write_file);
	assert_int_equal(scene.plan.phases[0].kind, PHASE_LOAD);
	assert_int_equal(scene.plan.test->transfer_size, 4096);
	plan_scene_stop(&scene);

	plan_scene_plan(&scene, 2, 2,
			"load -o f --dir=d --operations=read:1,rmdir:1,mkdir:1 --items=5");
	assert_string_equal(scene.plan.names->metadata->dir, "d");
	assert_false(scene.plan.names->metadata->files_only);
	assert_int_equal(scene.plan.pattern.items.directories.start, 5);
	assert_true(scene.plan.test->write_file);
	plan_scene_stop(&scene);

	plan_scene_plan(&scene, 2, 2, "load -o f --operations=read:1,mkdir:1");
	assert_int_equal(scene.plan.pattern.items.directories.start, 0);
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "load -o f");
	assert_null(scene.plan.names);
	assert_null(plan_of_trees(&scene.plan));
	plan_scene_stop(&scene);
}

static void operations_on_names_exclude_what_they_cannot_have(void **state)
{
	static const struct no_plan cases[] = {
		{"load --operations=stat:1 --queue-depth=2 -a uring", "queue_depth: operations on"},
		{"load --operations=read:1,stat:1 --byte-rate=1m",
		 "byte_rate: operations on names"},
		{"load --operations=stat:1 --sync=dsync", "sync: it is for reads and writes"},
		{"load --operations=stat:1 --lock=shared", "lock: it is for reads and writes"},
		{"load -a null --operations=truncate:1", "api: null cannot do truncate"},
		{"load -a mmap --operations=rmw:1", "api: mmap cannot do rmw"},
	};

	(void)state;
	assert_no_plans(cases, sizeof(cases) / sizeof(*cases));
}

static void a_layout_moves_large_transfers_that_divide_its_blocks(void **state)
{
	static const struct {
		const char *words;
		uint64_t transfer, block;
	} cases[] = {
		{"load --file-size=4m", 1 << 20, 4 << 20},
		{"load --file-size=6m --sizes=4k", 1 << 20, 6 << 20},
		{"load --file-size=5120k --sizes=4k", 1 << 20, 5 << 20},
		{"load --file-size=1280k --sizes=4k", 256 << 10, 1280 << 10},
		{"load --file-size=12k --sizes=4k", 4 << 10, 12 << 10},
		{"load --file-size=4m --sizes=2m", 2 << 20, 4 << 20},
		{"load --file-size=4m --sizes=3k", 1 << 20, 4 << 20},
		{"load --file-size=8m --file-scope=test", 1 << 20, 2 << 20},
		{"load --file-size=64m --layout=none", 4 << 10, 64 << 20},
		{"load --file-size=64m --layout=none --sizes=5k", 8 << 10, 64 << 20},
		{"load -a uring --file-size=64m --queue-depth=64", 256 << 10, 64 << 20},
		/* Without data files it is the buffer for small files. */
		{"load --operations=write_file:1 --item-bytes=8k", 8 << 10, 8 << 10},
		{"load --operations=write_file:1 --item-bytes=9k", 16 << 10, 16 << 10},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		if (scene.plan.test->transfer_size != cases[i].transfer)
			fail_msg("%s: %lld bytes", cases[i].words,
				 (long long)scene.plan.test->transfer_size);
		assert_int_equal(scene.plan.test->block_size, cases[i].block);
		assert_true(scene.plan.test->fsync && scene.plan.test->keep_file);
		plan_scene_stop(&scene);
	}
	assert_no_plan(
		2, 2, 0, "load --file-size=10k --sizes=4k",
		"file_size: the part of each task, 10240 bytes, must be a multiple of 4 KiB");
}

static void a_layout_is_a_plain_write_whatever_the_load_does(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_plan(&scene, 2, 2, "load -R -Y --duration=5 --operations=read:1");
	assert_true(scene.plan.test->write_file);
	assert_false(scene.plan.test->read_file || scene.plan.test->check_write);
	assert_false(scene.plan.test->fsync_per_write);
	assert_true(scene.plan.test->file_per_proc);
	assert_int_equal(scene.plan.test->segment_count, 1);
	assert_true(scene.plan.test->duration == 0 && scene.plan.test->stonewall == 0);
	assert_false(scene.plan.test->use_existing_test_file);
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 2, 2, "load -a null --file-scope=test");
	assert_false(scene.plan.test->write_file);
	assert_false(scene.plan.test->file_per_proc);
	plan_scene_stop(&scene);
}

static void a_region_ends_within_the_file(void **state)
{
	static const struct {
		const char *words;
		uint64_t visited, end;
	} cases[] = {
		{"load --file-size=8m", 8 << 20, 8 << 20},
		{"load --file-size=8m --region-size=2m", 2 << 20, 2 << 20},
		{"load --file-size=8m --region-offset=3m --region-size=2m", 2 << 20, 5 << 20},
		{"load --file-size=8m --file-scope=test --region-size=1m --region-step=2m", 1 << 20,
		 7 << 20},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		assert_int_equal(scene.plan.pattern.file_bytes, cases[i].visited);
		assert_int_equal(plan_load_end(&scene.plan, 0), cases[i].end);
		plan_scene_stop(&scene);
	}
	assert_no_plan(2, 2, 0, "load --file-size=8m --region-offset=8m", "region_offset: ");
	assert_no_plan(2, 2, 0, "load --file-size=8m --region-offset=7m --region-size=2m",
		       "region_offset: ");
	assert_no_plan(2, 2, 0,
		       "load --file-size=8m --file-scope=test --region-size=3m "
		       "--region-step=2m",
		       "region_offset: ");
}

static void the_granule_divides_all_offsets_and_lengths(void **state)
{
	static const struct {
		const char *words;
		uint64_t granule;
	} cases[] = {
		{"load --sizes=4k", 4096},
		{"load --sizes=12k/50,8k/50", 4096},
		{"load --sizes=3000", 3000},
		{"load --sizes=8k --align=1k", 1024},
		{"load --sizes=8k --region-offset=4k --region-size=64k", 4096},
		{"load --sizes=8k --region-step=6k --file-scope=test --region-size=64k", 2048},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		assert_int_equal(plan_load_granule(&scene.plan), cases[i].granule);
		plan_scene_stop(&scene);
	}
}

static void stale_data_is_found_where_each_pass_visits_every_block(void **state)
{
#define PASSES "load -R --operations=read:1,write:1 --distribution=every_block"
	static const struct {
		const char *words;
		bool follows;
	} cases[] = {
		{PASSES, true},
		{PASSES " --file-scope=test", true},
		{PASSES " --sizes=512", true},
		{PASSES " --sizes=256", false},
		{PASSES " --layout=none", false},
		{PASSES " --content=zeros", false},
		{PASSES " --rate=10 --on-late=skip", false},
		{PASSES " --file-scope=test --whole-files", false},
		{"load -R --operations=read:1 --distribution=every_block", false},
		{"load -R --operations=write:1 --distribution=every_block", false},
		{"load -R --operations=read:1,write:1", false},
		{"load --operations=read:1,write:1 --distribution=every_block", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		if (plan_load_follows_passes(&scene.plan) != cases[i].follows)
			fail_msg("%s", cases[i].words);
		plan_scene_stop(&scene);
	}
}

static void a_rate_is_that_of_all_tasks(void **state)
{
	static const struct {
		const char *words;
		double rate;
	} cases[] = {
		{"load --rate=100", 100},
		{"load --rate=100 --rate-scope=task", 400},
		{"load --rate=100 --rate-scope=node", 200},
		{"load --byte-rate=4m --sizes=4k", 1024},
		{"load --byte-rate=4m --operations=read:3,write:1 --read-sizes=4k "
		 "--write-sizes=20k",
		 512},
		{"load", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		if (plan_due_rate(&scene.plan, PHASE_LOAD) != cases[i].rate)
			fail_msg("%s: %g/s", cases[i].words,
				 plan_due_rate(&scene.plan, PHASE_LOAD));
		assert_int_equal(plan_load_is_paced(&scene.plan.pattern), cases[i].rate > 0);
		assert_true(plan_due_rate(&scene.plan, PHASE_WRITE) == 0);
		plan_scene_stop(&scene);
	}
}

static void a_load_leaves_and_owns_what_it_made(void **state)
{
	static const struct {
		const char *words;
		bool leaves, owns, stamps, allocates;
	} cases[] = {
		{"load", true, true, true, false},
		{"load --layout=missing", true, false, true, false},
		{"load --layout=none", false, false, true, false},
		{"load --layout=allocate --operations=write:1", true, true, true, true},
		{"load --content=zeros", true, true, false, false},
		{"load --operations=stat:1", false, false, true, false},
		{"load -a null", false, false, true, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_scene scene;

		plan_scene_plan(&scene, 2, 2, cases[i].words);
		assert_int_equal(plan_load_leaves_files(&scene.plan), cases[i].leaves);
		assert_int_equal(plan_load_owns_files(&scene.plan), cases[i].owns);
		assert_int_equal(plan_load_stamps(&scene.plan), cases[i].stamps);
		assert_int_equal(plan_load_allocates(&scene.plan), cases[i].allocates);
		plan_scene_stop(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_files_lie_in_a_tree_of_each_task),
		cmocka_unit_test(operations_on_names_exclude_what_they_cannot_have),
		cmocka_unit_test(a_layout_moves_large_transfers_that_divide_its_blocks),
		cmocka_unit_test(a_layout_is_a_plain_write_whatever_the_load_does),
		cmocka_unit_test(a_region_ends_within_the_file),
		cmocka_unit_test(the_granule_divides_all_offsets_and_lengths),
		cmocka_unit_test(stale_data_is_found_where_each_pass_visits_every_block),
		cmocka_unit_test(a_rate_is_that_of_all_tasks),
		cmocka_unit_test(a_load_leaves_and_owns_what_it_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
