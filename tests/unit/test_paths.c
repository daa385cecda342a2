/* Names of a test's files and directories, and what the tests of a job leave of trees for each
 * other. */
#include "tests/unit/plan_scene.h"

static void a_list_of_paths_is_taken_apart_at_single_at_signs(void **state)
{
	static const char *const parts[] = {"/a/x", "b@c", "d"};
	const char *list = "/a/x@b@@c@d";
	char path[PLAN_PATH_SIZE];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_non_null(list);
		list = plan_take_path(list, path);
		assert_string_equal(path, parts[i]);
	}
	assert_null(list);
}

static void a_url_keeps_its_at_signs(void **state)
{
	static const char *const parts[] = {"s3://a//x@b", "s3://c/d@@e"};
	const char *list = "s3://a//x@b@s3://c/d@@e";
	char path[PLAN_PATH_SIZE];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_non_null(list);
		list = plan_take_path(list, path);
		assert_string_equal(path, parts[i]);
	}
	assert_null(list);
	assert_true(plan_same_path("s3://a/b", "s3://a/b"));
	assert_false(plan_same_path("s3://a/b", "s3://a//b"));
}

static void slashes_and_dots_do_not_make_another_path(void **state)
{
	(void)state;
	assert_true(plan_same_path("/a//b/", "/a/./b"));
	assert_true(plan_same_path("./a", "a"));
	assert_false(plan_same_path("/a", "a"));
	assert_false(plan_same_path("/a/b", "/a/bc"));
	assert_false(plan_same_path("/a/../b", "/b"));
	assert_false(plan_same_path("a/.b", "a/b"));
}

static void assert_path(const char *words, uint32_t task, uint64_t repetition, const char *name)
{
	struct plan_scene scene;
	char path[PLAN_PATH_SIZE];

	plan_scene_start(&scene, 2, 2, 0, words);
	assert_int_equal(scene.ret, 0);
	plan_path(&scene.plan, task, 0, repetition, path);
	assert_string_equal(path, name);
	plan_scene_stop(&scene);
}

static void files_are_named_as_ior_names_them(void **state)
{
	(void)state;
	assert_path("iorx -o d/f", 3, 1, "d/f");
	assert_path("iorx -o d/f -m", 3, 1, "d/f.1");
	assert_path("iorx -o d/f -F", 3, 1, "d/f.00000003");
	assert_path("iorx -o d/f -F -m", 3, 12, "d/f.00000003.12");
	assert_path("iorx -o d/f -F -u", 3, 0, "d/3/f.00000003");
	assert_path("iorx -o f -F -u", 3, 0, "3/f.00000003");
	assert_path("iorx -o a/f@b/g -F", 2, 0, "a/f.00000002");
	assert_path("iorx -o a/f@b/g -F", 3, 0, "b/g.00000003");
}

static void files_are_counted_by_the_path_they_lie_in(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 1, 5, 0, "iorx -F -o a@b");
	assert_int_equal(plan_base_files(&scene.plan, 0), 3);
	assert_int_equal(plan_base_files(&scene.plan, 1), 2);
	plan_scene_stop(&scene);
}

static void with_dual_mount_reads_go_by_the_second_path(void **state)
{
	const struct phase_plan write = {.kind = PHASE_WRITE, .access = ACCESS_WRITE};
	const struct phase_plan read = {.kind = PHASE_READ, .access = ACCESS_READ};
	struct plan_scene scene;
	char path[PLAN_PATH_SIZE];

	(void)state;
	plan_scene_start(&scene, 1, 2, 0, "iorx -y -o a/f@b/f");
	plan_phase_path(&scene.plan, &write, 1, 0, path);
	assert_string_equal(path, "a/f");
	plan_phase_path(&scene.plan, &read, 1, 0, path);
	assert_string_equal(path, "b/f");
	plan_scene_stop(&scene);
	assert_no_plan(1, 2, 0, "iorx -y -o a/f", "dual_mount: test_file must name two paths");
}

static void direct_io_asks_the_directory_of_a_metadata_test(void **state)
{
	struct plan_scene scene;
	char path[PLAN_PATH_SIZE];

	(void)state;
	plan_scene_start(&scene, 1, 2, 0, "mdtest -n 2 -d a@b");
	plan_probe_path(&scene.plan, 1, path);
	assert_string_equal(path, "b");
	plan_scene_stop(&scene);
	plan_scene_start(&scene, 1, 2, 0, "iorx -F -o a");
	plan_probe_path(&scene.plan, 1, path);
	assert_string_equal(path, "a.00000001");
	plan_scene_stop(&scene);
}

static void paths_without_a_name_are_refused(void **state)
{
	(void)state;
	assert_no_plan(1, 1, 0, "iorx -F -o a@@@",
		       "test_file: path 2 of \"a@@@\" has no file name");
	assert_no_plan(1, 1, 0, "iorx -F -o a/",
		       "test_file: \"a/\" has no file name at its end; add one");
	assert_no_plan(1, 1, 0, "iorx -F -o a/@b", "test_file: path 1 of \"a/@b\"");
	assert_no_plan(1, 1, 0, "mdtest -n 1 -d a@", "dir: directory 2 of \"a@\" has no name");
	assert_no_plan(1, 1, 0, "mdtest -n 1 -d a@./a", "dir: ./a stands twice");
}

/* Whether the later test may follow the earlier one: NULL, or how the error begins. */
static void assert_follows(const char *earlier, const char *later, const char *begin)
{
	struct plan_scene a, b;
	struct error err = {0};
	char path[PLAN_PATH_SIZE];

	plan_scene_start(&a, 1, 2, 0, earlier);
	plan_scene_start(&b, 1, 2, 0, later);
	bool refused = plan_changes_trees(&a.plan, &b.plan, path) &&
		       plan_check_trees(&a.plan, &b.plan, path, false, &err);

	assert_int_equal(refused, begin != NULL);
	if (begin && strncmp(err.text, begin, strlen(begin)))
		fail_msg("\"%s\" does not begin with \"%s\"", err.text, begin);
	plan_scene_stop(&a);
	plan_scene_stop(&b);
}

static void a_tree_that_stays_is_in_the_way_of_the_next(void **state)
{
	(void)state;
	assert_follows("mdtest -n 2 -d a -C", "mdtest -n 2 -d ./a -C",
		       "create: a test before this one leaves");
	assert_follows("mdtest -n 2 -d a -C", "mdtest -n 2 -d a -T", NULL);
	assert_follows("mdtest -n 2 -d a -r", "mdtest -n 2 -d a -T",
		       "dir: a test before this one removes");
	assert_follows("mdtest -n 2 -d a -r", "mdtest -n 2 -d a -C", NULL);
	assert_follows("mdtest -n 2 -d a -C", "mdtest -n 2 -d b -C", NULL);
	assert_follows("mdtest -n 2 -d a -C -r", "mdtest -n 2 -d a -C", NULL);
	assert_follows("mdtest -n 2 -d a -C", "iorx -o a", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_of_paths_is_taken_apart_at_single_at_signs),
		cmocka_unit_test(a_url_keeps_its_at_signs),
		cmocka_unit_test(slashes_and_dots_do_not_make_another_path),
		cmocka_unit_test(files_are_named_as_ior_names_them),
		cmocka_unit_test(files_are_counted_by_the_path_they_lie_in),
		cmocka_unit_test(with_dual_mount_reads_go_by_the_second_path),
		cmocka_unit_test(direct_io_asks_the_directory_of_a_metadata_test),
		cmocka_unit_test(paths_without_a_name_are_refused),
		cmocka_unit_test(a_tree_that_stays_is_in_the_way_of_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
