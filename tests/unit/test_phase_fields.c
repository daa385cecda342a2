/* The members of a phase in a result: which phases have them, when they are null, their values. */
#include <stdio.h>
#include <stdlib.h>

#include "result/fields.h"
#include "tests/unit/plan_scene.h"

static const uint64_t begin_ns = 1000000000000;

/* A phase of a planned test, with one record for each operation that these tests look at. */
struct field_scene {
	struct plan_scene planned;
	struct measure *measure;
	struct phase_result result;
};

static void start(struct field_scene *scene, enum phase_kind kind, const char *words)
{
	const enum operation operations[] = {OPERATION_MIXED, OPERATION_READ, OPERATION_WRITE,
					     OPERATION_STAT};

	plan_scene_plan(&scene->planned, 1, 4, words);
	scene->measure = measure_create(operations, 4);
	scene->measure->tasks = 4;
	extent_add(&scene->measure->begin, begin_ns);
	extent_add(&scene->measure->close_end, begin_ns + 8000000000);
	scene->result = (struct phase_result){.kind = kind, .measure = scene->measure};
}

static void stop(struct field_scene *scene)
{
	free(scene->measure);
	plan_scene_stop(&scene->planned);
}

static void do_operations(struct measure *measure, enum operation operation, unsigned count,
			  uint64_t bytes)
{
	struct operation_record *record = measure_record(measure, operation);

	for (unsigned i = 0; i < count; i++)
		measure_add(record, 1000, begin_ns, 0, 0, 0);
	record->bytes = bytes;
}

enum member { MEMBER_ABSENT, MEMBER_NULL, MEMBER_VALUE };

/* Looks for the member at a path as "load/window_s". */
static enum member look(const struct field_scene *scene, const char *path, double *value)
{
	const struct result_source source = result_source_of(&scene->result, &scene->planned.plan);
	const struct result_field *field = result_fields;

	for (;;) {
		const size_t length = strcspn(path, "/");

		while (field->key &&
		       (strlen(field->key) != length || strncmp(field->key, path, length) != 0))
			field++;
		if (!field->key)
			fail_msg("no member %s", path);
		if (!result_field_is_there(field, &source))
			return MEMBER_ABSENT;
		if (!result_field_is_known(field, &source))
			return MEMBER_NULL;
		if (!path[length])
			break;
		field = field->inner;
		path += length + 1;
	}
	if (field->type == RESULT_OBJECT || field->type == RESULT_BY_HAND)
		return MEMBER_VALUE;
	const union result_value got = result_field_value(field, &source);

	*value = field->type == RESULT_NUMBER  ? got.number
		 : field->type == RESULT_TRUTH ? got.truth
					       : (double)got.count;
	return MEMBER_VALUE;
}

static void assert_member(const struct field_scene *scene, const char *path, enum member wanted)
{
	static const char *const words[] = {"absent", "null", "there"};
	double value;
	const enum member found = look(scene, path, &value);

	if (found != wanted)
		fail_msg("%s is %s, not %s", path, words[found], words[wanted]);
}

static void assert_value(const struct field_scene *scene, const char *path, double wanted)
{
	double value = 0;

	assert_member(scene, path, MEMBER_VALUE);
	look(scene, path, &value);
	if (value < wanted - 1e-9 || value > wanted + 1e-9)
		fail_msg("%s is %.12g, not %.12g", path, value, wanted);
}

static void a_load_tells_what_was_asked_and_what_came_out(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_LOAD, "load --operations=read:70,write:30 --write-sizes=8k");
	do_operations(scene.measure, OPERATION_READ, 60, 60 * 4096);
	do_operations(scene.measure, OPERATION_WRITE, 40, 40 * 6144);
	do_operations(scene.measure, OPERATION_MIXED, 100, 1000000);
	measure_record(scene.measure, OPERATION_MIXED)->rated_more = -2;
	measure_record(scene.measure, OPERATION_MIXED)->rated_more_bytes = -20000;
	scene.measure->load_window_ns = 4000000000;
	phase_result_fill(&scene.result, scene.measure);
	assert_value(&scene, "load/asked_shares/read", 0.7);
	assert_value(&scene, "load/asked_shares/write", 0.3);
	assert_value(&scene, "load/achieved_shares/read", 0.6);
	assert_value(&scene, "load/achieved_shares/write", 0.4);
	assert_value(&scene, "load/asked_sizes/read_bytes", 4096);
	assert_value(&scene, "load/asked_sizes/write_bytes", 8192);
	assert_value(&scene, "load/achieved_sizes/read_bytes", 4096);
	assert_value(&scene, "load/achieved_sizes/write_bytes", 6144);
	assert_value(&scene, "load/window_s", 4);
	assert_value(&scene, "load/operations", 100);
	assert_value(&scene, "load/rated_operations", 98);
	assert_value(&scene, "load/bytes_per_s", 245000);
	stop(&scene);
}

static void a_load_without_a_window_has_no_rate(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_LOAD, "load");
	do_operations(scene.measure, OPERATION_MIXED, 100, 1000000);
	assert_value(&scene, "load/bytes_per_s", 0);
	stop(&scene);
}

static void kinds_of_operation_without_a_share_have_no_size(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_LOAD, "load --operations=read:1");
	assert_value(&scene, "load/asked_shares/read", 1);
	assert_value(&scene, "load/asked_shares/write", 0);
	assert_value(&scene, "load/achieved_shares/write", 0);
	assert_member(&scene, "load/asked_sizes/read_bytes", MEMBER_VALUE);
	assert_member(&scene, "load/asked_sizes/write_bytes", MEMBER_NULL);
	assert_member(&scene, "load/achieved_sizes/read_bytes", MEMBER_VALUE);
	assert_member(&scene, "load/achieved_sizes/write_bytes", MEMBER_NULL);
	stop(&scene);
}

static void shares_of_operations_on_items_stand_only_where_a_load_has_some(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_LOAD, "load --operations=read:1");
	assert_member(&scene, "load/asked_shares/stat", MEMBER_ABSENT);
	assert_member(&scene, "load/achieved_shares/rmdir", MEMBER_ABSENT);
	stop(&scene);
	start(&scene, PHASE_LOAD, "load --operations=read:75,stat:25");
	scene.result.operations = 10;
	do_operations(scene.measure, OPERATION_STAT, 4, 0);
	assert_value(&scene, "load/asked_shares/stat", 0.25);
	assert_value(&scene, "load/achieved_shares/stat", 0.4);
	assert_value(&scene, "load/asked_shares/rmdir", 0);
	stop(&scene);
}

static void only_a_load_at_a_rate_has_operations_due(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_LOAD, "load");
	assert_member(&scene, "load/asked_operations_per_s", MEMBER_NULL);
	assert_member(&scene, "load/due", MEMBER_NULL);
	assert_member(&scene, "load/issued", MEMBER_NULL);
	stop(&scene);
	start(&scene, PHASE_LOAD, "load --rate=500");
	scene.measure->load_due = 2000;
	scene.measure->load_issued = 1990;
	assert_value(&scene, "load/asked_operations_per_s", 500);
	assert_value(&scene, "load/due", 2000);
	assert_value(&scene, "load/issued", 1990);
	stop(&scene);
}

static void the_end_of_a_load_counts_its_tasks(void **state)
{
	static const char *const names[LOAD_ENDS] = {
		[LOAD_END_TIME] = "time",	 [LOAD_END_OPERATIONS] = "operation_limit",
		[LOAD_END_BYTES] = "byte_limit", [LOAD_END_PASSES] = "passes",
		[LOAD_END_STEADY] = "steady",	 [LOAD_END_BESIDE] = "beside",
		[LOAD_END_STOP] = "stop",
	};
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_LOAD, "load");
	for (unsigned end = 0; end < LOAD_ENDS; end++)
		scene.measure->load_ends[end] = 10 + end;
	for (unsigned end = 0; end < LOAD_ENDS; end++) {
		char path[80];

		if (!names[end])
			continue;
		snprintf(path, sizeof(path), "load/ended_by/%s", names[end]);
		assert_value(&scene, path, 10 + end);
	}
	stop(&scene);
}

static void a_steady_state_has_numbers_where_it_was_asked_for(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_LOAD, "load");
	assert_member(&scene, "load/steady", MEMBER_NULL);
	scene.result.steady = (struct steady_outcome){.asked = true, .after_s = 9};
	assert_value(&scene, "load/steady/reached", 0);
	assert_member(&scene, "load/steady/after_s", MEMBER_NULL);
	assert_member(&scene, "load/steady/range_share", MEMBER_NULL);
	scene.result.steady.known = true;
	scene.result.steady.state = (struct steady_state){.range = 0.2, .slope = -0.1};
	assert_value(&scene, "load/steady/range_share", 0.2);
	assert_value(&scene, "load/steady/slope_share", -0.1);
	assert_member(&scene, "load/steady/after_s", MEMBER_NULL);
	scene.result.steady.reached = true;
	assert_value(&scene, "load/steady/after_s", 9);
	stop(&scene);
}

static void only_loads_that_began_have_members_of_loads(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_LOAD, "load");
	assert_member(&scene, "load", MEMBER_VALUE);
	assert_member(&scene, "data", MEMBER_ABSENT);
	assert_member(&scene, "metadata", MEMBER_ABSENT);
	assert_member(&scene, "rates/total_operations_per_s", MEMBER_VALUE);
	assert_member(&scene, "rates/total_bytes_per_s", MEMBER_ABSENT);
	assert_member(&scene, "load/queue", MEMBER_NULL);
	assert_member(&scene, "load/verification", MEMBER_NULL);
	scene.measure->submits = 1;
	assert_member(&scene, "load/queue", MEMBER_VALUE);
	scene.result.kind = PHASE_WRITE;
	assert_member(&scene, "load", MEMBER_ABSENT);
	scene.result.kind = PHASE_LOAD;
	scene.result.measure = NULL;
	assert_member(&scene, "load", MEMBER_ABSENT);
	assert_member(&scene, "rates", MEMBER_ABSENT);
	stop(&scene);
}

static void members_of_metadata_phases_go_by_their_kind(void **state)
{
	static const struct {
		const char *path;
		enum phase_kind in, not_in;
	} cases[] = {
		{"metadata", PHASE_FILE_STAT, PHASE_LOAD},
		{"metadata", PHASE_FIND, PHASE_READ},
		{"metadata/missing_directories", PHASE_TREE_CREATE, PHASE_TREE_REMOVE},
		{"metadata/test_directories", PHASE_TREE_REMOVE, PHASE_TREE_CREATE},
		{"metadata/directories", PHASE_FILE_CREATE, PHASE_FILE_STAT},
		{"metadata/directories", PHASE_DIR_CREATE, PHASE_TREE_CREATE},
		{"metadata/entries", PHASE_LIST, PHASE_FILE_STAT},
		{"metadata/entries", PHASE_FIND, PHASE_MIX},
		{"metadata/find", PHASE_FIND, PHASE_LIST},
		{"metadata/mix", PHASE_MIX, PHASE_FILE_CREATE},
	};
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_FILE_STAT, "mdtest -n 3");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		scene.result.kind = cases[i].in;
		assert_member(&scene, cases[i].path, MEMBER_VALUE);
		scene.result.kind = cases[i].not_in;
		assert_member(&scene, cases[i].path, MEMBER_ABSENT);
	}
	stop(&scene);
}

static void a_metadata_phase_counts_the_tasks_with_work(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_TREE_CREATE, "mdtest -n 3");
	assert_value(&scene, "metadata/working_tasks", 1);
	scene.result.kind = PHASE_FILE_CREATE;
	assert_value(&scene, "metadata/working_tasks", 4);
	scene.measure->least_transfers = 2;
	assert_value(&scene, "metadata/least_task_operations", 2);
	scene.measure->tasks = 0;
	assert_value(&scene, "metadata/least_task_operations", 0);
	stop(&scene);
}

static void members_of_metadata_phases_are_null_where_nothing_is_known(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_FIND, "mdtest -n 3");
	assert_member(&scene, "metadata/stonewall", MEMBER_NULL);
	scene.result.stonewall = (struct stonewall){.limit = 5, .seconds = 4.5, .rate = 20};
	scene.measure->wall_bytes = 90;
	assert_value(&scene, "metadata/stonewall/operations", 90);
	assert_value(&scene, "metadata/stonewall/operations_per_s", 20);
	assert_member(&scene, "metadata/find/made_entries", MEMBER_NULL);
	scene.measure->find.made = 12;
	assert_value(&scene, "metadata/find/made_entries", 12);
	do_operations(scene.measure, OPERATION_STAT, 7, 0);
	assert_value(&scene, "metadata/find/stats", 7);
	assert_member(&scene, "metadata/learned_seed", MEMBER_ABSENT);
	scene.result.learned = true;
	scene.result.data_seed = 77;
	assert_value(&scene, "metadata/learned_seed", 77);
	stop(&scene);
}

static void a_mix_tells_its_shares_and_its_pace(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_MIX, "mdtest -n 20 --mix=create:10,stat:50,read:30,remove:10");
	assert_value(&scene, "metadata/mix/shares/create", 0.1);
	assert_value(&scene, "metadata/mix/shares/stat", 0.5);
	assert_value(&scene, "metadata/mix/shares/read", 0.3);
	assert_value(&scene, "metadata/mix/shares/remove", 0.1);
	assert_value(&scene, "metadata/mix/shares_evened", 0);
	assert_member(&scene, "metadata/mix/task_rate_operations_per_s", MEMBER_NULL);
	stop(&scene);
}

static void members_of_data_phases_go_by_what_the_phase_did(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_READ, "iorx -z");
	assert_member(&scene, "tasks/same_node", MEMBER_VALUE);
	assert_member(&scene, "rates/total_operations_per_s", MEMBER_ABSENT);
	assert_member(&scene, "rates/durable_bytes_per_s", MEMBER_NULL);
	assert_member(&scene, "data/drawn_from_transfers", MEMBER_ABSENT);
	assert_member(&scene, "data/taken_from_transfers", MEMBER_ABSENT);
	scene.result.held = 3;
	assert_member(&scene, "data/drawn_from_transfers", MEMBER_ABSENT);
	assert_value(&scene, "data/taken_from_transfers", 3);
	scene.planned.plan.order = ORDER_REPEATS;
	assert_value(&scene, "data/drawn_from_transfers", 3);
	assert_member(&scene, "data/taken_from_transfers", MEMBER_ABSENT);
	assert_member(&scene, "settings", MEMBER_ABSENT);
	scene.result.settings = "stripes=4\n";
	assert_member(&scene, "settings", MEMBER_VALUE);
	assert_member(&scene, "outliers", MEMBER_ABSENT);
	scene.result.outliers = &(struct outliers){.threshold = 1};
	assert_member(&scene, "outliers", MEMBER_VALUE);
	scene.result.kind = PHASE_WRITE;
	assert_member(&scene, "tasks/same_node", MEMBER_ABSENT);
	scene.result.durable_rate = 5;
	assert_value(&scene, "rates/durable_bytes_per_s", 5);
	stop(&scene);
}

static void values_that_lie_in_no_struct_are_computed(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_READ, "iorx");
	scene.measure->least_bytes = 4096;
	scene.measure->least_transfers = 5;
	scene.measure->time_sum = 9;
	assert_value(&scene, "data/least_task_bytes", 4096);
	assert_value(&scene, "data/least_task_transfers", 5);
	assert_value(&scene, "balance/mean_task_s", 0);
	scene.result.working_tasks = 2;
	assert_value(&scene, "balance/mean_task_s", 4.5);
	assert_value(&scene, "balance/start_scheduled", 0);
	scene.measure->scheduled_starts = 4;
	assert_value(&scene, "balance/start_scheduled", 1);
	scene.measure->slowest_node = 6;
	assert_value(&scene, "balance/slowest/node", 6);
	scene.measure->tasks = 0;
	assert_value(&scene, "data/least_task_bytes", 0);
	assert_value(&scene, "data/least_task_transfers", 0);
	stop(&scene);
}

static void the_rate_within_a_phase_has_the_members_of_its_kind(void **state)
{
	static const char *const paths[] = {
		[RUN_MEAN_INTERVAL] = "within_run/half_width_bytes_per_s",
		[RUN_MEAN_CHANGES] = "within_run/change_s",
		[RUN_MEAN_TREND] = "within_run/trend_end_bytes_per_s",
	};
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_READ, "iorx");
	assert_member(&scene, "within_run", MEMBER_NULL);
	for (enum run_mean_kind kind = RUN_MEAN_VAGUE; kind <= RUN_MEAN_TREND; kind++) {
		scene.result.within.run = (struct run_mean){.kind = kind, .values = 44};
		assert_value(&scene, "within_run/slices", 44);
		for (enum run_mean_kind of = RUN_MEAN_INTERVAL; of <= RUN_MEAN_TREND; of++)
			assert_member(&scene, paths[of], of == kind ? MEMBER_VALUE : MEMBER_NULL);
	}
	stop(&scene);
}

static void kernel_members_are_null_where_the_kernel_does_not_tell(void **state)
{
	struct field_scene scene;

	(void)state;
	start(&scene, PHASE_READ, "iorx");
	assert_member(&scene, "kernel/io", MEMBER_NULL);
	assert_member(&scene, "kernel/activity", MEMBER_NULL);
	assert_member(&scene, "kernel/reads_are_counted", MEMBER_NULL);
	assert_member(&scene, "kernel/cached_pages_are_seen", MEMBER_NULL);
	assert_member(&scene, "kernel/cache_before", MEMBER_NULL);
	scene.measure->activity.stall_nodes = 1;
	assert_member(&scene, "kernel/activity", MEMBER_VALUE);
	scene.measure->activity.stall_nodes = 0;
	scene.measure->activity.devices = 1;
	assert_member(&scene, "kernel/activity", MEMBER_VALUE);
	scene.result.trial.reads = READS_NOT_COUNTED;
	assert_value(&scene, "kernel/reads_are_counted", 0);
	assert_value(&scene, "kernel/cached_pages_are_seen", 0);
	scene.result.trial = (struct trial){.reads = READS_COUNTED, .pages_seen = true};
	assert_value(&scene, "kernel/reads_are_counted", 1);
	assert_value(&scene, "kernel/cached_pages_are_seen", 1);
	stop(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load_tells_what_was_asked_and_what_came_out),
		cmocka_unit_test(a_load_without_a_window_has_no_rate),
		cmocka_unit_test(kinds_of_operation_without_a_share_have_no_size),
		cmocka_unit_test(shares_of_operations_on_items_stand_only_where_a_load_has_some),
		cmocka_unit_test(only_a_load_at_a_rate_has_operations_due),
		cmocka_unit_test(the_end_of_a_load_counts_its_tasks),
		cmocka_unit_test(a_steady_state_has_numbers_where_it_was_asked_for),
		cmocka_unit_test(only_loads_that_began_have_members_of_loads),
		cmocka_unit_test(members_of_metadata_phases_go_by_their_kind),
		cmocka_unit_test(a_metadata_phase_counts_the_tasks_with_work),
		cmocka_unit_test(members_of_metadata_phases_are_null_where_nothing_is_known),
		cmocka_unit_test(a_mix_tells_its_shares_and_its_pace),
		cmocka_unit_test(members_of_data_phases_go_by_what_the_phase_did),
		cmocka_unit_test(values_that_lie_in_no_struct_are_computed),
		cmocka_unit_test(the_rate_within_a_phase_has_the_members_of_its_kind),
		cmocka_unit_test(kernel_members_are_null_where_the_kernel_does_not_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
