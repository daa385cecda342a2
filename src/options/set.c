/* Sets of tests that run at the same time. */
#include "options/set.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "options/job.h"

bool set_take_share(struct membership *member, const char *key, const char *value)
{
	if (!member->number || !value || (strcmp(value, "rest") && !strpbrk(value, "/%")) ||
	    (!text_same_key(key, "num_tasks") && !text_same_key(key, "tasks")))
		return false;
	snprintf(member->share, sizeof(member->share), "%s", value);
	return true;
}

size_t set_size(const struct job *job, size_t first)
{
	const unsigned number = job->tests[first].set.number;
	size_t end = first + 1;

	while (number && end < job->test_count && job->tests[end].set.number == number)
		end++;
	return end - first;
}

/* An option of tasks, nodes or paths that the command line gives to all tests; NULL: none. */
static const char *given_to_all(const struct test_spec *spec)
{
	static const char *const keys[] = {"num_tasks", "placement", "num_nodes",
					   "num_tasks_on_node_0", "test_file"};
	const struct option_set *own = own_set_of(spec);
	const struct option *dir = option_find(&metadata_options, "dir");

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct origin origin =
			option_origin(&spec->core, option_find(&test_options, keys[i]));

		if (origin.kind > ORIGIN_FILE && !origin.for_one)
			return keys[i];
	}
	if (spec->workload != WORKLOAD_METADATA)
		return NULL;
	struct origin origin = option_origin(own, dir);

	return origin.kind > ORIGIN_FILE && !origin.for_one ? dir->name : NULL;
}

/* What a member of a set cannot have; NULL: nothing is wrong. */
static const char *refusal(const struct test_spec *spec, const struct test_spec *first)
{
	const struct test *test = test_of(spec), *common = test_of(first);
	const struct load *load = load_of(spec);

	if (spec->study.count)
		return "TOGETHER: a member has a list of values; write a TOGETHER block for each "
		       "value";
	if (load && (load->curve || load->search))
		return "curve: the points of a curve are tests of their own, and a member of "
		       "TOGETHER is one test; leave curve and search out";
	if (test->budget > 0 || test->node_budget > 0)
		return "budget: the members of TOGETHER repeat together; leave budget and "
		       "node_budget out, and give max_repetitions";
	if (test->repetitions != common->repetitions || test->warmup != common->warmup ||
	    (!test->repetitions && test->max_repetitions != common->max_repetitions))
		return "repetitions: the members of TOGETHER repeat together; give repetitions and "
		       "warmup on the line TOGETHER START";
	if (test->placement != PLACEMENT_FIRST)
		return "placement: members of TOGETHER take the tasks in their order; leave "
		       "placement out";
	if (test->cold == COLD_DROP_CACHES)
		return "cold: drop_caches empties the caches of the other members too; use another "
		       "way";
	if (test->outlier_threshold > 0 || test->status_file)
		return "TOGETHER: outlier_threshold and status_file are for tests that run alone; "
		       "leave them out";
	return NULL;
}

/* Forms of results that show one test after the other. */
static int check_outputs(const struct job *job, struct error *err)
{
	const struct run *run = run_of(job);

	if (run->task_table)
		error_input(err, "task_table: it has no rows of tests that run at the same time; "
				 "leave it or TOGETHER out");
	else if (run->format != FORMAT_TEXT)
		error_input(err, "format: IOR's and mdtest's forms have no place for tests that "
				 "run at the same time; give --format=text");
	else if (run->summary_file || run->summary_format != SUMMARY_DEFAULT)
		error_input(err,
			    "%s: IOR's summary has no place for tests that run at the same "
			    "time; name a file with output",
			    run->summary_file ? "summary_file" : "summary_format");
	else
		return 0;
	job_add_location(job, NULL, err);
	return -1;
}

int sets_check(const struct job *job, struct error *err)
{
	const struct test_spec *first = NULL;

	for (size_t i = 0; i < job->test_count; i++) {
		const struct test_spec *spec = &job->tests[i];
		const char *why, *key;

		if (!spec->set.number)
			continue;
		if (!first || first->set.number != spec->set.number) {
			first = spec;
			if (set_size(job, i) > SET_MOST)
				return error_input(err,
						   "%s:%u: TOGETHER: a set has %d tests at most",
						   job->source, spec->set.line, SET_MOST);
			if (set_size(job, i) < 2)
				return error_input(
					err,
					"%s:%u: TOGETHER: a set has two tests or more; add "
					"a block, or leave TOGETHER out",
					job->source, spec->set.line);
		}
		key = given_to_all(spec);
		if (key)
			return error_input(err,
					   "command line: %s: the members of TOGETHER cannot all "
					   "have the same; give it in the job file, or to one of "
					   "them with --set NAME.%s=VALUE",
					   key, key);
		why = refusal(spec, first);
		if (!why)
			continue;
		error_input(err, "%s", why);
		if (!job_add_location(job, spec, err))
			error_add(err, "%s:%u", job->source, spec->line);
		return -1;
	}
	return first ? check_outputs(job, err) : 0;
}

/* The tasks that "25%" or "3/4" of the job's are; 0: none, or the text is none of these. */
static uint64_t tasks_of_share(const char *share, uint64_t tasks)
{
	double above, below = 100;
	int used = 0;

	if ((sscanf(share, "%lf%%%n", &above, &used) != 1 || share[used] || !used) &&
	    (sscanf(share, "%lf/%lf%n", &above, &below, &used) != 2 || share[used]))
		return 0;
	if (!(above > 0) || !(below > 0) || above > below)
		return 0;
	return (uint64_t)llround((double)tasks * above / below);
}

static int refuse(const struct job *job, const struct test_spec *spec, struct error *err,
		  const char *text)
{
	error_input(err, "num_tasks: %s", text);
	if (job_add_location(job, spec, err))
		return -1;
	return error_add(err, "%s:%u", job->source, spec->line);
}

/* Finds how many tasks each member has; `rest` is counted last. */
static int count_tasks(struct job *job, size_t from, size_t end, struct error *err)
{
	struct test_spec *rest = NULL;
	uint64_t sum = 0;

	for (size_t i = from; i < end; i++) {
		struct test_spec *spec = &job->tests[i];
		struct membership *member = &spec->set;

		if (!strcmp(member->share, "rest")) {
			if (rest)
				return refuse(job, spec, err,
					      "two members of TOGETHER have the rest; one can");
			rest = spec;
			continue;
		}
		member->tasks = *member->share ? tasks_of_share(member->share, job->tasks)
					       : test_of(spec)->num_tasks;
		if (!member->tasks)
			return refuse(job, spec, err,
				      "a member of TOGETHER needs a number of tasks, a share such "
				      "as 3/4 or 25%, or rest");
		sum += member->tasks;
	}
	if (sum + (rest ? 1 : 0) > job->tasks) {
		char text[200];

		snprintf(text, sizeof(text),
			 "the members of TOGETHER want %" PRIu64 " tasks and the job has %" PRIu64
			 "; start it with more",
			 sum + (rest ? 1 : 0), job->tasks);
		return refuse(job, rest ? rest : &job->tests[from], err, text);
	}
	if (rest)
		rest->set.tasks = job->tasks - sum;
	return 0;
}

static int deal_tasks(struct job *job, size_t from, size_t end, struct error *err)
{
	uint64_t next = 0;

	if (count_tasks(job, from, end, err))
		return -1;
	for (size_t i = from; i < end; i++) {
		struct test *test = job->tests[i].core.values;

		job->tests[i].set.first_task = next;
		next += job->tests[i].set.tasks;
		test->num_tasks = job->tests[i].set.tasks;
	}
	return 0;
}

/* Inserts a copy of a member as test number `at`. */
static void add_alone(struct job *job, size_t member, size_t at, unsigned set)
{
	struct test_spec copy = *job_add_test(job, &job->tests[member]);

	copy.set.number = set;
	copy.set.alone = true;
	copy.set.alone_of = (unsigned)member;
	memmove(&job->tests[at + 1], &job->tests[at],
		(job->test_count - 1 - at) * sizeof(*job->tests));
	job->tests[at] = copy;
}

int sets_complete(struct job *job, struct error *err)
{
	unsigned sets = 0;

	for (size_t i = 0; i < job->test_count; i++)
		if (job->tests[i].set.number > sets)
			sets = job->tests[i].set.number;
	for (size_t i = 0, end, next; i < job->test_count && job->tasks; i = next) {
		next = end = i + set_size(job, i);
		if (!job->tests[i].set.number)
			continue;
		if (deal_tasks(job, i, end, err))
			return -1;
		for (size_t k = i; k < end; k++)
			if (test_of(&job->tests[k])->alone)
				add_alone(job, k, next++, ++sets);
	}
	return 0;
}
