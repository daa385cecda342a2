/* Options that do something only with another one: what each of them needs. */
#include "options/needs.h"

static bool reads_at_random(const struct test_spec *spec)
{
	return test_of(spec)->reorder_tasks_random;
}

static bool reads_shifted(const struct test_spec *spec)
{
	return test_of(spec)->reorder_tasks || test_of(spec)->check_write;
}

static bool moves_at_random(const struct test_spec *spec)
{
	return test_of(spec)->random_offset;
}

static bool runs_command(const struct test_spec *spec)
{
	return test_of(spec)->cold == COLD_COMMAND;
}

static bool repeats_until(const struct test_spec *spec)
{
	return !test_of(spec)->repetitions;
}

/* Where there are enough of them the verdict asks too. */
static bool knows_precision(const struct test_spec *spec)
{
	return !test_of(spec)->repetitions || test_of(spec)->repetitions >= 8;
}

static bool has_copies(const struct test_spec *spec)
{
	return test_of(spec)->content_dedup > 1;
}

static bool has_items(const struct test_spec *spec)
{
	return metadata_of(spec) && !metadata_only_finds(metadata_of(spec));
}

/* A test of files has no items, and all these have their effect there. */
static bool has_files(const struct test_spec *spec)
{
	return !metadata_of(spec) || (has_items(spec) && !metadata_of(spec)->directories_only);
}

static bool has_data(const struct test_spec *spec)
{
	const struct metadata *test = metadata_of(spec);

	return has_files(spec) && (!test || test->write_bytes || test->read_bytes);
}

static bool creates_items(const struct test_spec *spec)
{
	return !metadata_of(spec) || metadata_of(spec)->create;
}

static bool wears_out(const struct test_spec *spec)
{
	return metadata_of(spec) ? test_of(spec)->stonewall > 0 && creates_items(spec) : test_of(spec)->wear_out;
}

static bool goes_in_steps(const struct test_spec *spec)
{
	return metadata_of(spec)->last_tasks;
}

/* A mix is always drawn. */
static bool orders_at_random(const struct test_spec *spec)
{
	return has_items(spec) && (metadata_of(spec)->random || metadata_of(spec)->mix);
}

static bool opens_directories(const struct test_spec *spec)
{
	return has_items(spec) && metadata_of(spec)->names == NAMES_RELATIVE;
}

#define DATA (1U << WORKLOAD_DATA)
#define NAMES (1U << WORKLOAD_METADATA)
#define ITEMS "has items, as a find alone walks what is there"
#define FILES "has files as items"

static const struct need {
	const char *name;
	unsigned of; /* the kinds of tests that are told so */
	bool (*met)(const struct test_spec *spec);
	const char *what; /* that no test does */
} needs[] = {
	{ "reorder_random_seed", DATA, reads_at_random, "uses reorder_tasks_random (-Z)" },
	{ "task_per_node_offset", DATA, reads_shifted, "uses reorder_tasks (-C)" },
	{ "random_offset_seed", DATA, moves_at_random, "uses random_offset (-z)" },
	{ "cold_command", DATA, runs_command, "uses cold=command" },
	{ "precision", DATA | NAMES, knows_precision, "uses repetitions=auto" },
	{ "max_repetitions", DATA | NAMES, repeats_until, "uses repetitions=auto" },
	{ "content_dedup_block", DATA | NAMES, has_copies, "uses content_dedup" },
	{ "wear_out_limit", DATA, wears_out, "uses wear_out" },

	{ "wear_out_limit", NAMES, wears_out, "creates items (-C) up to a stonewall (-W)" },
	{ "stonewall", NAMES, creates_items, "creates items (-C)" },
	{ "content", NAMES, has_data, "moves data of files (-w, -e)" },
	{ "content_seed", NAMES, has_data, "moves data of files (-w, -e)" },
	{ "content_compress", NAMES, has_data, "moves data of files (-w, -e)" },
	{ "content_dedup", NAMES, has_data, "moves data of files (-w, -e)" },
};

static const struct need metadata_needs[] = {
	{ "task_step", NAMES, goes_in_steps, "uses last_tasks (-l)" },
	{ "random_seed", NAMES, orders_at_random, "uses random (-R)" },
	{ "time_unique_dir", NAMES, opens_directories, "uses names=relative" },
	{ "write_bytes", NAMES, has_files, FILES },
	{ "read_bytes", NAMES, has_files, FILES },
	{ "fsync", NAMES, has_files, FILES },
	{ "mknod", NAMES, has_files, FILES },
	{ "directories_only", NAMES, has_items, ITEMS },
	{ "files_only", NAMES, has_items, ITEMS },
	{ "branch", NAMES, has_items, ITEMS },
	{ "depth", NAMES, has_items, ITEMS },
	{ "leaf_only", NAMES, has_items, ITEMS },
	{ "unique_dir", NAMES, has_items, ITEMS },
	{ "stride", NAMES, has_items, ITEMS },
	{ "random", NAMES, has_items, ITEMS },
	{ "names", NAMES, has_items, ITEMS },
	{ "collective_create", NAMES, has_items, ITEMS },
	{ "shared_file", NAMES, has_items, ITEMS },
};

/* Given in some test, and met in none where it is. */
static bool is_idle(const struct job *job, const struct option_table *table, const struct need *need)
{
	const struct option *row = option_find(table, need->name);
	bool given = false;

	for (size_t i = 0; i < job->test_count; i++) {
		const struct test_spec *spec = &job->tests[i];
		const struct option_set *set = test_spec_set(spec, table);

		if ((table == &metadata_options && !metadata_of(spec)) ||
		    option_origin(set, row).kind == ORIGIN_DEFAULT || option_is_default(set, row))
			continue;
		if (need->met(spec))
			return false;
		given |= need->of & 1U << spec->workload;
	}
	return given;
}

static void list_idle(const struct job *job, const struct option_table *table, const struct need *list,
		      size_t count, struct text *lines)
{
	for (size_t i = 0; i < count; i++)
		if (is_idle(job, table, &list[i]))
			text_add(lines, "%s has no effect: no test %s\n", list[i].name, list[i].what);
}

void needs_list_idle(const struct job *job, struct text *lines)
{
	list_idle(job, &test_options, needs, sizeof(needs) / sizeof(needs[0]), lines);
	list_idle(job, &metadata_options, metadata_needs, sizeof(metadata_needs) / sizeof(metadata_needs[0]),
		  lines);
}
