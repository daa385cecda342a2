/* What exactly a metadata test will do, what it needs of its backend, and whether it fits. */
#include <stdio.h>

#include "tests/unit/plan_scene.h"

#include "plan/metadata_space.h"

static void assert_phases(const char *words, const char *names)
{
	struct plan_scene scene;
	char all[400] = "";

	plan_scene_plan(&scene, 1, 2, words);
	for (unsigned i = 0; i < scene.plan.phase_count; i++) {
		strcat(all, i ? " " : "");
		strcat(all, phase_name(scene.plan.phases[i].kind));
	}
	assert_string_equal(all, names);
	plan_scene_stop(&scene);
}

static void phases_come_in_the_order_of_mdtest(void **state)
{
	(void)state;
	assert_phases("mdtest -n 2", "tree-create dir-create dir-stat dir-rename dir-remove "
				     "file-create file-stat file-read file-remove tree-remove");
	assert_phases("mdtest -n 2 -F -C -T", "tree-create file-create file-stat");
	assert_phases("mdtest -n 2 -D -C -T -r",
		      "tree-create dir-create dir-stat dir-remove tree-remove");
	assert_phases("mdtest -n 2 -F -C --list --mix=stat:1", "tree-create file-create list mix");
	assert_phases("mdtest --find", "find");
}

static uint32_t working(const char *words, enum phase_kind kind)
{
	struct plan_scene scene;
	uint32_t tasks;

	plan_scene_start(&scene, 1, 4, 0, words);
	tasks = plan_working_tasks(&scene.plan, kind);
	plan_scene_stop(&scene);
	return tasks;
}

static void few_tasks_make_what_all_share(void **state)
{
	(void)state;
	assert_int_equal(working("mdtest -n 8", PHASE_TREE_CREATE), 1);
	assert_int_equal(working("mdtest -n 8 -d a@b", PHASE_TREE_CREATE), 2);
	assert_int_equal(working("mdtest -n 8 -u", PHASE_TREE_CREATE), 4);
	assert_int_equal(working("mdtest -n 8", PHASE_FILE_CREATE), 4);
	assert_int_equal(working("mdtest -n 8 -c", PHASE_FILE_CREATE), 1);
	assert_int_equal(working("mdtest -n 8 -S -F", PHASE_FILE_REMOVE), 1);
	assert_int_equal(working("mdtest -n 3 --scaling=strong", PHASE_FILE_STAT), 3);
}

static void the_first_items_belong_to_the_first_owners(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 1, 3, 0, "mdtest -n 10 --scaling=strong");
	assert_int_equal(plan_items_among(&scene.plan, 0, 0), 0);
	assert_int_equal(plan_items_among(&scene.plan, 5, 0), 4);
	assert_int_equal(plan_items_among(&scene.plan, 5, 1), 1);
	assert_int_equal(plan_items_among(&scene.plan, 10, 1), 3);
	assert_int_equal(plan_items_among(&scene.plan, 10, 2), 3);
	plan_scene_stop(&scene);
}

static void only_phases_on_items_give_relative_names(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 1, 1, 0, "mdtest -n 10 --names=relative");
	assert_int_equal(scene.ret, 0);
	assert_true(plan_gives_relative(&scene.plan, PHASE_FILE_CREATE));
	assert_false(plan_gives_relative(&scene.plan, PHASE_TREE_CREATE));
	plan_scene_stop(&scene);
	plan_scene_start(&scene, 1, 1, 0, "mdtest -n 10");
	assert_false(plan_gives_relative(&scene.plan, PHASE_FILE_CREATE));
	plan_scene_stop(&scene);
}

/* Plans a test on posix without one of its operations. Returns 0, or -1 with *err. */
static int plan_without(const char *words, size_t operation, struct error *err)
{
	struct plan_scene scene;
	struct backend less;
	struct plan plan;
	int ret;

	plan_scene_plan(&scene, 1, 2, words);
	less = *scene.plan.backend;
	memset((char *)&less + operation, 0, sizeof(less.mkdir));
	*err = (struct error){0};
	ret = plan_build_metadata(&plan, scene.plan.test, scene.plan.metadata, &less, &scene.facts,
				  err);
	if (!ret)
		plan_release(&plan);
	plan_scene_stop(&scene);
	return ret;
}

#define WITHOUT(operation) offsetof(struct backend, operation)

static void each_phase_needs_its_operations(void **state)
{
	static const struct {
		const char *words;
		size_t operation;
		const char *name; /* NULL: not needed */
	} cases[] = {
		{"mdtest -n 2 -F -T", WITHOUT(stat), "stat"},
		{"mdtest -n 2 -F -T", WITHOUT(mkdir), NULL},
		{"mdtest -n 2 -F -C", WITHOUT(mkdir), "mkdir"},
		{"mdtest -n 2 -F -C", WITHOUT(create), "create"},
		{"mdtest -n 2 -F -C", WITHOUT(transfer), NULL},
		{"mdtest -n 2 -F -C -w 8", WITHOUT(transfer), "open and transfer"},
		{"mdtest -n 2 -F -C -w 8", WITHOUT(open), "open and transfer"},
		{"mdtest -n 2 -F -C -k", WITHOUT(mknod), "mknod"},
		{"mdtest -n 2 -F -C", WITHOUT(mknod), NULL},
		{"mdtest -n 2 -F -C -y", WITHOUT(sync), "sync"},
		{"mdtest -n 2 -F -C -y", WITHOUT(transfer), "open and transfer"},
		{"mdtest -n 2 -F -C", WITHOUT(sync), NULL},
		{"mdtest -n 2 -F -E", WITHOUT(open_close), "open_close"},
		{"mdtest -n 2 -F -E -e 8", WITHOUT(open_close), NULL},
		{"mdtest -n 2 -F -E -e 8", WITHOUT(transfer), "open and transfer"},
		{"mdtest -n 2 -F -r", WITHOUT(remove), "remove"},
		{"mdtest -n 2 -F -r", WITHOUT(rmdir), "rmdir"},
		{"mdtest -n 2 -F -C", WITHOUT(rmdir), NULL},
		{"mdtest -n 2 -D", WITHOUT(rename), "rename"},
		{"mdtest -n 2 -F", WITHOUT(rename), NULL},
		{"mdtest -n 2 -F -C --list", WITHOUT(list), "list"},
		{"mdtest --find", WITHOUT(list), "list"},
		{"mdtest -n 2 -F", WITHOUT(list), NULL},
		{"mdtest -n 2 -F -C --mix=stat:1", WITHOUT(open_close), NULL},
		{"mdtest -n 2 -F -C --mix=stat:1", WITHOUT(remove), NULL},
		{"mdtest -n 2 -F -C --mix=read:1", WITHOUT(open_close), "open_close"},
		{"mdtest -n 2 -F -C --mix=create:1,remove:1", WITHOUT(remove), "remove"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[80];
		struct error err;
		const int ret = plan_without(cases[i].words, cases[i].operation, &err);

		if (ret != (cases[i].name ? -1 : 0))
			fail_msg("%s: %s", cases[i].words, err.text);
		snprintf(text, sizeof(text), "api: posix has no %s,", cases[i].name);
		if (ret && strncmp(err.text, text, strlen(text)) != 0)
			fail_msg("%s: %s", cases[i].words, err.text);
	}
}

static void relative_names_need_open_directories(void **state)
{
	struct plan_scene scene;
	struct error err;

	(void)state;
	assert_int_equal(
		plan_without("mdtest -n 2 -F --names=relative", WITHOUT(open_directory), &err), -1);
	assert_non_null(strstr(err.text, "names: relative: posix has no open_directory"));
	assert_int_equal(plan_without("mdtest -n 2 -F", WITHOUT(open_directory), &err), 0);
	for (unsigned i = 0; i < 4; i++) {
		static const char *const words[] = {"mdtest -n 2 -F --names=relative",
						    "mdtest -n 2 -F --names=relative -w 8",
						    "mdtest -n 2 -F --names=relative -w 8 -e 8",
						    "mdtest -n 2 -F --names=relative -y"};
		struct backend whole;
		struct plan plan;

		plan_scene_plan(&scene, 1, 2, words[i]);
		whole = *scene.plan.backend;
		whole.opens_relative = false;
		const int ret = plan_build_metadata(&plan, scene.plan.test, scene.plan.metadata,
						    &whole, &scene.facts, &scene.err);

		assert_int_equal(ret, i ? -1 : 0);
		if (ret)
			assert_non_null(
				strstr(scene.err.text, "names: relative: posix opens files"));
		else
			plan_release(&plan);
		plan_scene_stop(&scene);
	}
}

static void all_that_the_backend_lacks_is_named(void **state)
{
	struct plan_scene scene;
	struct backend less;
	struct plan plan;

	(void)state;
	plan_scene_plan(&scene, 1, 1, "mdtest -n 10 -F");
	less = *scene.plan.backend;
	less.open_close = NULL;
	less.rmdir = NULL;
	less.create = NULL;
	assert_int_equal(plan_build_metadata(&plan, scene.plan.test, scene.plan.metadata, &less,
					     &scene.facts, &scene.err),
			 -1);
	assert_non_null(strstr(scene.err.text, "has no rmdir, create and open_close,"));
	plan_scene_stop(&scene);
}

static struct metadata_space space_of(const char *words)
{
	struct metadata_space space = {0};
	struct plan_scene scene;

	plan_scene_start(&scene, 1, 4, 0, words);
	for (uint32_t i = 0; i < scene.plan.path_count; i++)
		metadata_space_add(&scene.plan, i, &space);
	plan_scene_stop(&scene);
	return space;
}

static void inodes_are_counted_at_their_most(void **state)
{
	(void)state;
	/* Items, the tree's directory, and the test directory with its marker. */
	assert_int_equal(space_of("mdtest -n 10 -F").entries, 40 + 1 + 2);
	assert_int_equal(space_of("mdtest -n 10 -F").files, 40);
	assert_int_equal(space_of("mdtest -n 10 -F -u").entries, 40 + 4 + 2);
	assert_int_equal(space_of("mdtest -n 10 -D").files, 0);
	/* Directories that stay are there beside the files. */
	assert_int_equal(space_of("mdtest -n 10 -C").entries, 2 * 40 + 1 + 2);
	assert_int_equal(space_of("mdtest -n 10 -F -C -i 3").entries, 3 * (40 + 1 + 2));
	assert_int_equal(space_of("mdtest -n 10 -F -d a@b").entries, 40 + 2 * (1 + 2));
}

static void what_does_not_fit_is_refused_with_both_numbers(void **state)
{
	struct metadata_space space = {.free_files = 42, .free_bytes = UINT64_MAX, .path = "/x"};
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 1, 4, 0, "mdtest -n 10 -F -w 5000");
	metadata_space_add(&scene.plan, 0, &space);
	assert_int_equal(metadata_space_check(&scene.plan, &space, &scene.err), -1);
	assert_non_null(
		strstr(scene.err.text, "makes 43 files and directories and /x has 42 inodes free"));
	space.free_files = UINT64_MAX;
	assert_int_equal(metadata_space_check(&scene.plan, &space, &scene.err), 0);
	/* Each file has two blocks of 4 KiB. */
	space.free_bytes = 40 * 8192 - 1;
	assert_int_equal(metadata_space_check(&scene.plan, &space, &scene.err), -1);
	assert_non_null(strstr(scene.err.text, "dir: the test writes 320 KiB"));
	plan_scene_stop(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_come_in_the_order_of_mdtest),
		cmocka_unit_test(few_tasks_make_what_all_share),
		cmocka_unit_test(the_first_items_belong_to_the_first_owners),
		cmocka_unit_test(only_phases_on_items_give_relative_names),
		cmocka_unit_test(each_phase_needs_its_operations),
		cmocka_unit_test(relative_names_need_open_directories),
		cmocka_unit_test(all_that_the_backend_lacks_is_named),
		cmocka_unit_test(inodes_are_counted_at_their_most),
		cmocka_unit_test(what_does_not_fit_is_refused_with_both_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
