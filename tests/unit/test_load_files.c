/* The files of loads: their names and numbers, and which tasks share them. */
#include "plan/load.h"
#include "plan/load_paths.h"
#include "tests/unit/plan_scene.h"

/* Two nodes of two tasks; the path of file number `file` of a task. */
static void assert_path(const char *words, uint32_t task, uint32_t file, const char *name)
{
	struct plan_scene scene;
	char path[PLAN_PATH_SIZE];

	plan_scene_plan(&scene, 2, 2, words);
	plan_path(&scene.plan, task, file, 0, path);
	assert_string_equal(path, name);
	plan_scene_stop(&scene);
}

static void numbers_tell_owners_and_files_apart(void **state)
{
	(void)state;
	assert_path("load -o f", 3, 0, "f.00000003");
	assert_path("load -o f --files=3", 3, 2, "f.00000003.00000002");
	assert_path("load -o f --file-scope=node", 3, 0, "f.00000001");
	assert_path("load -o f --file-scope=node --files=2", 2, 1, "f.00000001.00000001");
	assert_path("load -o f --file-scope=test", 3, 0, "f");
	assert_path("load -o f --file-scope=test --files=2", 3, 1, "f.00000001");
}

static void files_are_dealt_to_the_paths_in_turn(void **state)
{
	struct plan_scene scene;

	(void)state;
	assert_path("load -o a@b", 3, 0, "b.00000003");
	assert_path("load -o a@b --files=2", 3, 0, "a.00000003.00000000");
	assert_path("load -o a@b --files=2", 3, 1, "b.00000003.00000001");
	assert_path("load -o a@b --file-scope=test --files=2", 3, 1, "b");
	assert_path("load -o a@b --file-scope=test --files=4", 3, 3, "b.00000003");
	plan_scene_start(&scene, 2, 2, 0, "load -o a@b@c --files=5 --file-scope=node");
	assert_int_equal(plan_base_files(&scene.plan, 0), 4);
	assert_int_equal(plan_base_files(&scene.plan, 1), 3);
	assert_int_equal(plan_base_files(&scene.plan, 2), 3);
	plan_scene_stop(&scene);
}

static void fields_take_the_place_of_appended_numbers(void **state)
{
	(void)state;
	assert_path("load -o m%s/f.%n", 3, 0, "m1/f.1");
	assert_path("load -o f.%t-%03f --files=2", 3, 1, "f.3-001");
	assert_path("load -o a.%t@b.%t --files=2", 3, 1, "b.3");
	assert_path("load -o f.%n --file-scope=node", 3, 0, "f.1");
	assert_path("load -o f%%", 3, 0, "f%.00000003");
	assert_path("iorx -F -o f.%t", 3, 0, "f.%t.00000003");
}

static void two_files_have_no_common_name(void **state)
{
	(void)state;
	assert_no_plan(2, 2, 0, "load -o f.%n",
		       "test_file: several files would have the name f.%n; "
		       "add %t");
	assert_no_plan(2, 2, 0, "load -o f.%s", "test_file: several files would have");
	assert_no_plan(2, 2, 0, "load -o f.%t --files=2", "test_file: several files would have");
	assert_no_plan(2, 2, 0, "load -o a.%t@b --files=2", "test_file: several files would have");
	assert_no_plan(2, 2, 0, "load -o f.%f --file-scope=node --files=2",
		       "test_file: several files would have the name f.%f; add %n");
	assert_no_plan(2, 2, 0, "load -o f.%t --file-scope=test",
		       "test_file: f.%t has a number that differs between tasks");
	assert_no_plan(2, 2, 0, "load -o f.%n --files=2",
		       "test_file: several files would have the name f.%n; add %t, the number of "
		       "the task, and %f, the number of the file to it");
	assert_no_plan(2, 2, 0, "load -o f.%t --file-scope=node",
		       "test_file: f.%t has a number that differs between tasks");
	assert_no_plan(2, 2, 0, "load -o f@./f", "test_file: ./f stands twice");
}

static void owners_are_told_apart_where_there_are_several(void **state)
{
	struct plan_scene scene;

	(void)state;
	assert_path("load -o f.%n-%s", 3, 0, "f.1-1");
	assert_path("load -o f.%f --files=2 --file-scope=test", 3, 1, "f.1");
	plan_scene_plan(&scene, 1, 2, "load -o f.%s");
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 1, 2, "load -o f.%f --file-scope=node");
	plan_scene_stop(&scene);
	plan_scene_plan(&scene, 1, 1, "load -o f.%f");
	plan_scene_stop(&scene);
	/* On each path lies the file of one task. */
	plan_scene_plan(&scene, 1, 2, "load -o a.%f@b.%f");
	plan_scene_stop(&scene);
}

/* On two nodes of two tasks: the first file's name of path `number`, and that of a further file. */
static void assert_base(const char *words, uint32_t number, const char *base, const char *further)
{
	struct plan_scene scene;
	char path[PLAN_PATH_SIZE];

	plan_scene_plan(&scene, 2, 2, words);
	plan_base(&scene.plan, number, path);
	assert_string_equal(path, base);
	assert_int_equal(load_paths_further(&scene.plan, path), further != NULL);
	if (further)
		assert_string_equal(path, further);
	plan_scene_stop(&scene);
}

static void a_path_is_known_by_the_first_file_that_is_dealt_to_it(void **state)
{
	(void)state;
	assert_base("load -o a@b", 1, "b", "a.00000004");
	assert_base("load -o a.%t@b.%t", 1, "b.1", NULL);
	assert_base("load -o a.%t@b.%t --files=2", 1, "b.0", NULL);
	/* More paths than files: the last path has no file. */
	assert_base("load -o a.%t@b.%t@c.%t@d.%t@e.%t", 4, "e.0", NULL);
}

static void one_task_or_node_more_would_have_a_further_file(void **state)
{
	(void)state;
	assert_base("load -o f --files=3", 0, "f", "f.00000004.00000000");
	assert_base("load -o a@b@c --files=2", 0, "a", "c.00000004.00000000");
	assert_base("load -o f --file-scope=node", 0, "f", "f.00000002");
	assert_base("load -o f --file-scope=test --files=2", 0, "f", NULL);
}

static void assert_names(const char *words, bool numbered, bool apart)
{
	struct plan_scene scene;

	plan_scene_plan(&scene, 2, 2, words);
	assert_int_equal(load_paths_are_numbered(&scene.plan), numbered);
	assert_int_equal(load_paths_lie_apart(&scene.plan, 0), apart);
	plan_scene_stop(&scene);
}

static void names_have_numbers_at_their_end_or_in_their_fields(void **state)
{
	(void)state;
	assert_names("load -o d/f", true, false);
	assert_names("load -o d/f.%t", false, false);
	assert_names("load -o d%t/f", false, true);
	assert_names("load -o f --file-scope=node", true, false);
	assert_names("load -o f --file-scope=test", false, false);
	assert_names("load -o f --file-scope=test --files=2", true, false);
	assert_names("load -o a@b --file-scope=test --files=2", false, false);
	assert_names("load -o a@b --file-scope=test --files=4", true, false);
}

static void a_path_is_shown_as_the_user_wrote_it(void **state)
{
	struct plan_scene scene;
	struct text text = {0};

	(void)state;
	plan_scene_plan(&scene, 2, 2, "load -o a@@b.%t@c.%t");
	load_paths_add_name(&scene.plan, 0, &text);
	text_add(&text, " and ");
	load_paths_add_name(&scene.plan, 1, &text);
	assert_string_equal(text_string(&text), "a@b.%t and c.%t");
	text_release(&text);
	plan_scene_stop(&scene);
}

static void a_number_leads_back_to_the_file_and_its_first_task(void **state)
{
	static const char *const words[] = {"load --files=3", "load --files=3 --file-scope=node",
					    "load --files=3 --file-scope=test"};
	static const uint32_t first[] = {3, 2, 0};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct plan_scene scene;
		uint32_t task;

		plan_scene_start(&scene, 2, 2, 0, words[i]);
		assert_int_equal(
			plan_file_of(&scene.plan, plan_file_number(&scene.plan, 3, 2), &task), 2);
		assert_int_equal(task, first[i]);
		assert_int_equal(plan_file_number(&scene.plan, 3, 2) + 1,
				 plan_file_count(&scene.plan));
		plan_scene_stop(&scene);
	}
}

static void sharers_write_equal_parts_of_each_file(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 2, 2, 0, "load --files=3 --file-scope=node --file-size=4m");
	assert_int_equal(scene.plan.geometry.block, 2 << 20);
	assert_int_equal(scene.plan.file_size, 4 << 20);
	assert_int_equal(scene.plan.files, 6);
	assert_int_equal(scene.plan.bytes_per_task, 6 << 20);
	assert_int_equal(scene.plan.space_bytes, 24 << 20);
	assert_int_equal(plan_sharer(&scene.plan, 3), 1);
	assert_int_equal(plan_block_owner(&scene.plan, 4, 3 << 20), 3);
	plan_scene_stop(&scene);
}

static void a_queue_of_each_file_is_as_long_as_the_files_are_many(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 2, 2, 0,
			 "load -a null --files=3 --queue-depth=4 --depth-scope=file");
	assert_int_equal(scene.ret, 0);
	assert_int_equal(scene.plan.queue_depth, 12);
	plan_scene_stop(&scene);
	assert_no_plan(2, 2, 0, "load --files=3 --depth-scope=file",
		       "depth_scope: posix moves one transfer at a time");
	assert_no_plan(2, 2, 0, "load -a null --files=3000 --queue-depth=2 --depth-scope=file",
		       "depth_scope: 3000 files with 2 operations in flight are more than 4096");
	assert_no_plan(2, 2, 0,
		       "load -a null --files=3 --depth-scope=file --distribution=every_block",
		       "depth_scope: every_block visits the files in one order");
}

static void what_contradicts_itself_is_refused(void **state)
{
	(void)state;
	assert_no_plan(2, 2, 0, "load --file-scope=node --num-tasks=3",
		       "file_scope: node needs equally many tasks on each node");
	assert_no_plan(2, 2, 0, "load --file-scope=test -o a@b",
		       "files: test_file names 2 paths and all tasks share 1 file; set files = 2");
	assert_no_plan(2, 2, 0, "load --files=1000000 --file-size=8t", "files: the files of all");
}

/* The offsets of the first `count` requests of a task. */
static void assert_offsets(const char *words, uint32_t task, const uint64_t *offsets,
			   unsigned count)
{
	struct plan_scene scene;
	struct load_request request;
	struct load_walk walk;
	struct load_seat seat;

	plan_scene_plan(&scene, 1, 2, words);
	seat = plan_load_seat(&scene.plan, task);
	load_walk_start(&walk, &scene.plan.pattern, &seat, 0);
	for (unsigned i = 0; i < count; i++) {
		assert_true(load_next(&walk, &request));
		assert_int_equal(request.offset, offsets[i]);
	}
	load_walk_release(&walk);
	plan_scene_stop(&scene);
}

static void a_region_is_the_part_that_is_visited(void **state)
{
	static const char region[] = "load --file-scope=test --file-size=64k --random=0 "
				     "--region-offset=16k --region-size=12k";
	static const char apart[] = "load --file-scope=test --file-size=64k --random=0 "
				    "--region-offset=8k --region-size=8k --region-step=32k";

	(void)state;
	assert_offsets(region, 0, (uint64_t[]){16384, 24576, 20480, 16384}, 4);
	assert_offsets(region, 1, (uint64_t[]){20480, 16384, 24576, 20480}, 4);
	assert_offsets(apart, 0, (uint64_t[]){8192, 12288, 8192}, 3);
	assert_offsets(apart, 1, (uint64_t[]){40960, 45056, 40960}, 3);
}

static void tasks_visit_whole_files_on_request(void **state)
{
	static const char words[] =
		"load --file-scope=test --file-size=16k --random=0 --whole-files";

	(void)state;
	for (uint32_t task = 0; task < 2; task++)
		assert_offsets(words, task, (uint64_t[]){0, 4096, 8192, 12288, 0}, 5);
}

static void a_region_lies_within_the_file(void **state)
{
	(void)state;
	assert_no_plan(1, 2, 0, "load --file-size=64k --region-offset=64k",
		       "region_offset: the regions of the tasks pass the end of a file of 64 KiB");
	assert_no_plan(1, 2, 0, "load --file-size=64k --region-offset=60k --region-size=8k",
		       "region_offset: the regions");
	assert_no_plan(1, 2, 0, "load --file-scope=test --file-size=64k --region-step=64k",
		       "region_offset: the regions");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_tell_owners_and_files_apart),
		cmocka_unit_test(files_are_dealt_to_the_paths_in_turn),
		cmocka_unit_test(fields_take_the_place_of_appended_numbers),
		cmocka_unit_test(two_files_have_no_common_name),
		cmocka_unit_test(owners_are_told_apart_where_there_are_several),
		cmocka_unit_test(a_path_is_known_by_the_first_file_that_is_dealt_to_it),
		cmocka_unit_test(one_task_or_node_more_would_have_a_further_file),
		cmocka_unit_test(names_have_numbers_at_their_end_or_in_their_fields),
		cmocka_unit_test(a_path_is_shown_as_the_user_wrote_it),
		cmocka_unit_test(a_number_leads_back_to_the_file_and_its_first_task),
		cmocka_unit_test(sharers_write_equal_parts_of_each_file),
		cmocka_unit_test(a_queue_of_each_file_is_as_long_as_the_files_are_many),
		cmocka_unit_test(what_contradicts_itself_is_refused),
		cmocka_unit_test(a_region_is_the_part_that_is_visited),
		cmocka_unit_test(tasks_visit_whole_files_on_request),
		cmocka_unit_test(a_region_lies_within_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
