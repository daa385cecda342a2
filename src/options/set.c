/* Sets of tests that run at the same time. */
#include "options/set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "options/job.h"

bool set_take_share(struct test_spec *spec, const char *key, const char *value)
{
	struct membership *member = &spec->set;
	struct test *test = spec->core.values;

	if (!member->number || !value ||
	    (!text_same_key(key, "num_tasks") && !text_same_key(key, "tasks")))
		return false;
	*member->share = '\0';
	if (strcmp(value, "rest") && !strpbrk(value, "/%"))
		return false;
	snprintf(member->share, sizeof(member->share), "%s", value);
	test->num_tasks = 0;
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
	static const char *const keys[] = {
		"num_tasks", "nodes", "placement", "num_nodes", "num_tasks_on_node_0", "test_file"};
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
	if (test->budget > 0 || test->node_budget > 0)
		return "budget: the members of TOGETHER repeat together; leave budget and "
		       "node_budget out, and give max_repetitions";
	if (test->repetitions != common->repetitions || test->warmup != common->warmup ||
	    test->max_time_duration != common->max_time_duration ||
	    (!test->repetitions && test->max_repetitions != common->max_repetitions))
		return "repetitions: the members of TOGETHER repeat together; give repetitions, "
		       "warmup and max_time_duration on the line TOGETHER START";
	if (test->copies != common->copies)
		return "copies: the members of TOGETHER have equal numbers of copies; give copies "
		       "on the line TOGETHER START";
	if (test->copies > 1 && (*spec->set.share || !test->num_tasks))
		return "num_tasks: with copies a member of TOGETHER has a number of tasks; rest "
		       "and shares are of all tasks of the job";
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
	else if (run->limits == LIMITS_ONLY)
		error_input(err,
			    "limits: tests that run at the same time cannot be measured one by "
			    "one; leave TOGETHER or limits=only out");
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

/* True if no member of the set has phases of its own. */
static bool all_are_beside(const struct job *job, size_t first)
{
	for (size_t i = first; i < first + set_size(job, first); i++)
		if (!load_of(&job->tests[i]) || !load_of(&job->tests[i])->beside)
			return false;
	return true;
}

/* True if a member of the set before this one, from the first on, has its name. */
static bool has_name_of_another(const struct test_spec *spec, const struct test_spec *first)
{
	const char *name = test_of(spec)->name;

	for (; first < spec && name; first++) {
		const char *other = test_of(first)->name;

		if (other && !strcmp(other, name))
			return true;
	}
	return false;
}

/* Checks a test that runs alone. */
static int check_alone(const struct job *job, const struct test_spec *spec, struct error *err)
{
	const struct load *load = load_of(spec);

	if (test_of(spec)->nodes)
		error_input(err, "nodes: only a member of TOGETHER chooses its nodes; leave it "
				 "out, and let the launcher start tasks there");
	else if (load && load->beside)
		error_input(err, "beside: the load needs other tests to run beside; put it between "
				 "TOGETHER START and TOGETHER STOP");
	else
		return 0;
	return job_add_test_location(job, spec, err);
}

int sets_check(const struct job *job, struct error *err)
{
	const struct test_spec *first = NULL;

	for (size_t i = 0; i < job->test_count; i++) {
		const struct test_spec *spec = &job->tests[i];
		const char *why, *key;

		if (!spec->set.number) {
			if (check_alone(job, spec, err))
				return -1;
			continue;
		}
		if (!first || first->set.number != spec->set.number) {
			first = spec;
			if (set_size(job, i) * test_of(first)->copies > SET_MOST)
				return error_input(err,
						   "%s:%u: TOGETHER: a set has %d tests at most, "
						   "with all copies",
						   job->source, spec->set.line, SET_MOST);
			if (set_size(job, i) < 2)
				return error_input(
					err,
					"%s:%u: TOGETHER: a set has two tests or more; add "
					"a block, or leave TOGETHER out",
					job->source, spec->set.line);
			if (all_are_beside(job, i))
				return error_input(
					err,
					"%s:%u: TOGETHER: all members have beside, so none "
					"has phases to run beside; leave it out of one",
					job->source, spec->set.line);
		}
		key = given_to_all(spec);
		if (key)
			return error_input(err,
					   "command line: %s: the members of TOGETHER cannot all "
					   "have the same; give it in the job file, or to one of "
					   "them with --set NAME.%s=VALUE",
					   key, key);
		why = has_name_of_another(spec, first)
			      ? "name: two members of TOGETHER have the same name; give each a "
				"name of its own"
			      : refusal(spec, first);
		if (!why)
			continue;
		error_input(err, "%s", why);
		return job_add_test_location(job, spec, err);
	}
	return first ? check_outputs(job, err) : 0;
}

/* Inserts a copy of a member as test number `at`. */
static struct test_spec *insert_copy(struct job *job, size_t member, size_t at)
{
	struct test_spec copy = *job_add_test(job, &job->tests[member]);

	memmove(&job->tests[at + 1], &job->tests[at],
		(job->test_count - 1 - at) * sizeof(*job->tests));
	job->tests[at] = copy;
	return &job->tests[at];
}

static void add_alone(struct job *job, size_t member, size_t at, unsigned set)
{
	struct test_spec *copy = insert_copy(job, member, at);

	copy->set.number = set;
	copy->set.alone = true;
	copy->set.alone_of = (unsigned)member;
	study_release(&copy->study);
}

/* Puts "#2" behind each path of an option, "a@b"; "@@" is an '@' in a name. NULL: no path. */
static void number_paths(struct option_set *set, const char *key, const char *paths,
			 const char *number)
{
	const struct option *row = option_find(set->table, key);
	struct text numbered = {0};
	struct error err;

	for (const char *at = paths; at && *at; at++) {
		const bool slash = *at == '/' && at > paths && (!at[1] || at[1] == '@');

		if (*at == '@' && at[1] == '@')
			text_add(&numbered, "%c", *at++);
		else if (*at == '@')
			text_add(&numbered, "%s", number);
		if (!slash)
			text_add(&numbered, "%c", *at);
	}
	text_add(&numbered, "%s", number);
	if (paths &&
	    option_set_value(set, row, text_string(&numbered), option_origin(set, row), &err))
		BUG("%s of a copy: %s", key, err.text);
	text_release(&numbered);
}

/* Gives a copy a name and files of its own. */
static void number_copy(struct test_spec *spec, uint64_t copy)
{
	struct metadata *metadata = spec->metadata.values;
	char number[24];

	spec->set.copy = (unsigned)copy;
	snprintf(number, sizeof(number), "#%" PRIu64, copy);
	number_paths(&spec->core, "name", test_of(spec)->name, number);
	number_paths(&spec->core, "test_file", test_of(spec)->test_file, number);
	number_paths(&spec->metadata, "dir", metadata->dir, number);
}

/* Adds the further copies of a set behind its members. */
static void add_copies(struct job *job, size_t first)
{
	const uint64_t copies = test_of(&job->tests[first])->copies;
	const size_t size = set_size(job, first);

	for (size_t i = 0; i < size; i++)
		job->tests[first + i].set.copy = 1;
	for (uint64_t copy = 2; copy <= copies; copy++)
		for (size_t i = 0; i < size; i++)
			number_copy(insert_copy(job, first + i, first + (copy - 1) * size + i),
				    copy);
}

void sets_complete(struct job *job)
{
	unsigned sets = 0;

	for (size_t i = 0; i < job->test_count; i++)
		if (job->tests[i].set.number > sets)
			sets = job->tests[i].set.number;
	for (size_t i = 0, end, next; i < job->test_count; i = next) {
		if (job->tests[i].set.number)
			add_copies(job, i);
		next = end = i + set_size(job, i);
		for (size_t k = i; job->tests[i].set.number && k < end; k++)
			if (test_of(&job->tests[k])->alone)
				add_alone(job, k, next++, ++sets);
	}
}
