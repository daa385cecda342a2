/* Lists options without effect: of backends that no test uses, or that need another option. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "options/curve.h"
#include "options/job.h"

static bool is_used(const struct job *job, const struct option_table *table)
{
	for (size_t i = 0; i < job->test_count; i++)
		if (table->any_api || text_same_key(test_of(&job->tests[i])->api, table->prefix))
			return true;
	return false;
}

/* A key of IOR without a prefix is for the backend of the test, whichever it is. */
static void list_of(const struct option_set *set, struct text *lines)
{
	for (size_t i = 0; i < set->table->count; i++) {
		const struct option *row = &set->table->rows[i];

		if (set->origins[i].kind == ORIGIN_COMMAND_LINE && !set->origins[i].for_api &&
		    !option_is_default(set, row))
			text_add(lines, "%s.%s has no effect: no test uses %s\n",
				 set->table->prefix, row->name, set->table->prefix);
	}
}

/* A key of IOR that none of the backends in use has. The first table with the key speaks for all.
 */
static void list_ior_key(const struct job *job, const struct option_set *given, size_t index,
			 struct text *lines)
{
	const char *ior_key = given->table->rows[index].ior_key;
	const struct test_spec *first = &job->tests[0];
	struct text who = {0};

	for (size_t i = 0; i < first->backend_count; i++) {
		const struct option_table *table = first->backends[i].table;

		if (!option_find_ior(table, ior_key))
			continue;
		if (is_used(job, table) || (!who.length && table != given->table)) {
			text_release(&who);
			return;
		}
		text_add(&who, "%s%s", who.length ? ", " : "", table->prefix);
	}
	text_add(lines, "%s has no effect: it is for %s, and no test uses %s\n", ior_key,
		 text_string(&who), strchr(text_string(&who), ',') ? "one of them" : "it");
	text_release(&who);
}

static void list_ior_keys(const struct job *job, struct text *lines)
{
	const struct test_spec *last = &job->tests[job->test_count - 1];

	for (size_t i = 0; i < last->backend_count; i++)
		for (size_t k = 0; k < last->backends[i].table->count; k++)
			if (last->backends[i].origins[k].for_api &&
			    !option_is_default(&last->backends[i],
					       &last->backends[i].table->rows[k]))
				list_ior_key(job, &last->backends[i], k, lines);
}

/*
 * Only of tests that one number was given for: the study refuses the numbers of a list, and a set
 * those of its members.
 */
static void list_tasks(const struct job *job, struct text *lines)
{
	for (size_t i = 0; i < job->test_count; i++) {
		uint64_t wanted = test_of(&job->tests[i])->num_tasks;

		if (!job->tasks || wanted <= job->tasks || job->tests[i].set.number)
			continue;
		text_add(lines,
			 "num_tasks: %" PRIu64 " tasks are wanted but the job has %" PRIu64
			 "; all of them take part\n",
			 wanted, job->tasks);
		return;
	}
}

/* mdtest's -l; the study ended with the last number of tasks there can be. */
static void list_steps(const struct job *job, struct text *lines)
{
	for (size_t i = 0; i < job->test_count; i++) {
		const struct metadata *test = metadata_of(&job->tests[i]);

		if (!job->tasks || !test || test->last_tasks <= job->tasks)
			continue;
		text_add(lines,
			 "last_tasks: the job has %" PRIu64 " tasks; of the numbers up to %" PRIu64
			 " those above it are left out\n",
			 job->tasks, test->last_tasks);
		return;
	}
}

/* Lists tests with empty trees, as the number of items may have been forgotten. */
static void list_empty_trees(const struct job *job, struct text *lines)
{
	for (size_t i = 0; i < job->test_count; i++) {
		const struct metadata *test = metadata_of(&job->tests[i]);

		if (!test || !metadata_only_trees(test))
			continue;
		text_add(lines,
			 "items: none are asked for, so only directories of the tree are made%s; "
			 "-n gives their number for each task, -I for each directory\n",
			 test->remove ? " and removed" : "");
		return;
	}
}

/* Points of a curve that probably lack a per cent sign: several rates, none above 100. */
static void list_curve(const struct job *job, struct text *lines)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < job->test_count; i++) {
		const struct load *load = load_of(&job->tests[i]);
		const struct curve_point_text point = curve_point_of(load ? load->curve : NULL);

		if (point.kind == CURVE_POINT_NONE)
			continue;
		if (point.kind != CURVE_POINT_RATE)
			return;
		least = fmin(least, point.value);
		most = fmax(most, point.value);
	}
	if (least < most && most <= 100)
		text_add(
			lines,
			"curve: its points, %.4g to %.4g, are operations per second; shares of the "
			"highest rate have a per cent sign and stand behind max, as in "
			"max,10%%,50%%\n",
			least, most);
}

/* True if an option is set in some test, and lacks what it needs in every such test. */
static bool is_idle(const struct job *job, const struct option_table *table,
		    const struct option *row)
{
	bool given = false;

	for (size_t i = 0; row->needs && i < job->test_count; i++) {
		const struct test_spec *spec = &job->tests[i];
		const struct option_set *set = test_spec_set(spec, table);

		if ((set != &spec->core && set != own_set_of(spec)) ||
		    option_origin(set, row).kind == ORIGIN_DEFAULT || option_is_default(set, row))
			continue;
		if (row->needs(spec))
			return false;
		given = true;
	}
	return given;
}

static void list_idle(const struct job *job, const struct option_table *table, struct text *lines)
{
	for (size_t i = 0; i < table->count; i++)
		if (is_idle(job, table, &table->rows[i]))
			text_add(lines, "%s has no effect: no test %s\n", table->rows[i].name,
				 table->rows[i].needs_what);
}

/* IORX_OPTIONS is for jobs of all workloads. */
static bool unused_is_given(const struct job *job, const struct option_table *table,
			    const struct option *row)
{
	for (size_t i = 0; i < job->test_count; i++) {
		const struct option_set *set = test_spec_set(&job->tests[i], table);
		enum origin_kind kind = option_origin(set, row).kind;

		if (kind == ORIGIN_COMMAND_LINE || kind == ORIGIN_FILE)
			return true;
	}
	return false;
}

/* Lists given options of a workload that no test has. */
static void list_workload(const struct job *job, enum workload workload, struct text *lines)
{
	const struct workload_words *words = &workload_words[workload];
	const struct option_table *table = words->options;

	for (size_t i = 0; i < job->test_count; i++)
		if (job->tests[i].workload == workload)
			return;
	for (size_t i = 0; table && i < table->count; i++)
		if (unused_is_given(job, table, &table->rows[i]))
			text_add(lines,
				 "%s.%s has no effect: no test is of %s; iorx %s and %s blocks of "
				 "a job file are\n",
				 table->prefix, table->rows[i].name, table->prefix, words->command,
				 words->block);
}

void job_list_unused(const struct job *job, struct text *lines)
{
	list_tasks(job, lines);
	list_steps(job, lines);
	list_empty_trees(job, lines);
	list_curve(job, lines);
	list_idle(job, &test_options, lines);
	for (int i = 0; i < WORKLOADS; i++)
		if (workload_words[i].options)
			list_idle(job, workload_words[i].options, lines);
	for (int i = 0; i < WORKLOADS; i++)
		list_workload(job, (enum workload)i, lines);
	for (size_t i = 0; i < job->vocabulary->count; i++)
		if (!is_used(job, job->vocabulary->tables[i]))
			list_of(&job->tests[0].backends[i], lines);
	list_ior_keys(job, lines);
	text_add(lines, "%s", text_string(&job->notes));
}
