/* Options that do nothing: of backends that no test uses, or without the one they are for. */
#include <inttypes.h>

#include "options/candidates.h"
#include "options/job.h"

static bool is_used(const struct job *job, const struct option_table *table)
{
	for (size_t i = 0; i < job->test_count; i++)
		if (table->any_api || api_uses(test_of(&job->tests[i]), table->prefix))
			return true;
	return false;
}

/* An old key sets the options of all backends that have it, by one argument. */
static bool is_said_of_another(const struct test_spec *spec, const struct option_set *set,
			       const struct option *row)
{
	for (size_t i = 0; i < spec->backend_count; i++) {
		const struct option_set *other = &spec->backends[i];
		const struct option *same = option_find(other->table, row->name);

		if (other != set && same && api_uses(test_of(spec), other->table->prefix) &&
		    option_origin(other, same).kind == ORIGIN_COMMAND_LINE &&
		    option_origin(other, same).line == option_origin(set, row).line)
			return true;
	}
	return false;
}

static void list_of(const struct job *job, const struct option_set *set, struct text *lines)
{
	for (size_t i = 0; i < set->table->count; i++) {
		const struct option *row = &set->table->rows[i];

		if (set->origins[i].kind == ORIGIN_COMMAND_LINE && !option_is_default(set, row) &&
		    !is_said_of_another(&job->tests[0], set, row))
			text_add(lines, "%s.%s has no effect: no test uses %s\n",
				 set->table->prefix, row->name, set->table->prefix);
	}
}

static bool reads_at_random(const struct test *test)
{
	return test->reorder_tasks_random;
}

static bool reads_shifted(const struct test *test)
{
	return test->reorder_tasks || test->check_write;
}

static bool moves_at_random(const struct test *test)
{
	return test->random_offset;
}

static bool runs_command(const struct test *test)
{
	return test->cold == COLD_COMMAND;
}

static bool repeats_until(const struct test *test)
{
	return !test->repetitions;
}

/* Where there are enough of them the verdict asks too. */
static bool knows_precision(const struct test *test)
{
	return !test->repetitions || test->repetitions >= 8;
}

static bool has_copies(const struct test *test)
{
	return test->content_dedup > 1;
}

static bool wears_out(const struct test *test)
{
	return test->wear_out;
}

/* Options that do something only with another one. */
static const struct need {
	const char *name;
	bool (*met)(const struct test *test);
	const char *what;
} needs[] = {
	{ "reorder_random_seed", reads_at_random, "reorder_tasks_random (-Z)" },
	{ "task_per_node_offset", reads_shifted, "reorder_tasks (-C)" },
	{ "random_offset_seed", moves_at_random, "random_offset (-z)" },
	{ "cold_command", runs_command, "cold=command" },
	{ "precision", knows_precision, "repetitions=auto" },
	{ "max_repetitions", repeats_until, "repetitions=auto" },
	{ "content_dedup_block", has_copies, "content_dedup" },
	{ "wear_out_limit", wears_out, "wear_out" },
};

/* Given in some test, and met in none where it is. */
static bool is_idle(const struct job *job, const struct need *need)
{
	const struct option *row = option_find(&test_options, need->name);
	bool given = false;

	for (size_t i = 0; i < job->test_count; i++) {
		const struct option_set *set = &job->tests[i].core;

		if (option_is_default(set, row))
			continue;
		if (need->met(test_of(&job->tests[i])))
			return false;
		given = true;
	}
	return given;
}

/* mdtest's -l; the study ended with the last number of tasks there can be. */
static void list_steps(const struct job *job, struct text *lines)
{
	for (size_t i = 0; i < job->test_count; i++) {
		const struct metadata *test = metadata_of(&job->tests[i]);

		if (!job->tasks || !test || test->last_tasks <= job->tasks)
			continue;
		text_add(lines, "last_tasks: the job has %" PRIu64 " tasks, the tests end with these and not "
				"with %" PRIu64 "\n", job->tasks, test->last_tasks);
		return;
	}
}

void job_list_unused(const struct job *job, struct text *lines)
{
	list_steps(job, lines);
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		if (is_idle(job, &needs[i]))
			text_add(lines, "%s has no effect: no test uses %s\n", needs[i].name,
				 needs[i].what);
	for (size_t i = 0; i < job->vocabulary->count; i++)
		if (!is_used(job, job->vocabulary->tables[i]))
			list_of(job, &job->tests[0].backends[i], lines);
}
