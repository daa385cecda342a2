/* A study: tests made from lists of values. */
#include "options/study.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/curve.h"
#include "options/job.h"

void study_release(struct study *study)
{
	for (size_t i = 0; i < study->count; i++)
		list_release(&study->options[i].list);
	free(study->options);
	*study = (struct study){0};
}

void study_copy(struct study *to, const struct study *from)
{
	*to = *from;
	if (!from->count)
		return;
	to->options = memory_allocate(from->count, sizeof(*to->options));
	for (size_t i = 0; i < from->count; i++) {
		to->options[i] = from->options[i];
		list_copy(&to->options[i].list, &from->options[i].list);
	}
}

void study_settle(struct study *study, const struct option *row)
{
	for (size_t i = 0; i < study->count; i++) {
		if (study->options[i].row != row)
			continue;
		list_release(&study->options[i].list);
		memmove(&study->options[i], &study->options[i + 1],
			(study->count - i - 1) * sizeof(*study->options));
		study->count--;
	}
	if (study->count)
		return;
	free(study->options);
	study->options = NULL;
}

void study_vary(struct study *study, const struct option_table *table, const struct option *row,
		struct list *list, struct origin origin)
{
	study_settle(study, row);
	study->options = memory_grow(study->options, (study->count + 1) * sizeof(*study->options));
	study->options[study->count++] = (struct varied){table, row, *list, origin};
	*list = (struct list){0};
}

/* The number of tests that the lists make. Stops counting at too many. */
static size_t tests_of(const struct study *study)
{
	size_t tests = 1;

	for (size_t i = 0; i < study->count && tests <= STUDY_TESTS_MOST; i++)
		tests *= study->options[i].list.count;
	return tests;
}

static int refuse_number(const struct job *job, const struct study *study, struct error *err)
{
	const struct varied *last = &study->options[study->count - 1];
	struct origin origin = last->origin;
	char location[400];

	origin.column = 0;
	error_input(err, "%s%s%s: the lists of the job make more than %d tests; shorten them",
		    last->table->prefix, *last->table->prefix ? "." : "", last->row->name,
		    STUDY_TESTS_MOST);
	return error_add(err, "%s", job_where(job, origin, location, sizeof(location)));
}

static int check_number(const struct job *job, bool *any, struct error *err)
{
	size_t tests = 0;

	*any = false;
	for (size_t i = 0; i < job->test_count; i++) {
		const struct study *study = &job->tests[i].study;

		if (!study->count)
			continue;
		*any = true;
		tests += tests_of(study);
		if (tests > STUDY_TESTS_MOST)
			return refuse_number(job, study, err);
	}
	return 0;
}

/* Sets the test to combination `number` of the lists. */
static void take_values(struct test_spec *spec, size_t number)
{
	const struct study *study = &spec->study;
	struct error err;

	for (size_t i = study->count; i > 0; i--) {
		const struct varied *varied = &study->options[i - 1];
		const char *value = varied->list.values[number % varied->list.count];

		number /= varied->list.count;
		/* list_parse() has checked the value */
		if (option_set_value(test_spec_set_of(spec, varied->table), varied->row, value,
				     varied->origin, &err))
			BUG("a value of a list: %s", err.text);
	}
}

/* Turns mdtest's -f -l -s into a list of num_tasks, at most the job's tasks. */
static int vary_by_steps(struct test_spec *spec, uint64_t most, struct error *err)
{
	const struct option *row = option_find(&test_options, "num_tasks");
	const struct metadata *test = metadata_of(spec);
	struct text words = {0};
	struct list list;
	int ret;

	if (!test || (!test->first_tasks && !test->last_tasks))
		return 0;
	uint64_t first = test->first_tasks ? test->first_tasks : 1;
	uint64_t last = test->last_tasks ? test->last_tasks : first;

	if (last < first)
		return error_input(err, "last_tasks: the tests go from first_tasks (-f) up to it "
					"(-l); raise it, or lower the first");
	if (most && last > most)
		last = most > first ? most : first;
	for (uint64_t tasks = first, count = 0; tasks <= last && count <= LIST_MOST;
	     tasks += test->task_step, count++)
		text_add(&words, "%s%" PRIu64, words.length ? "," : "[", tasks);
	text_add(&words, "]");
	ret = list_parse(&test_options, row, text_string(&words), &list, err);
	text_release(&words);
	if (!ret)
		study_vary(&spec->study, &test_options, row, &list,
			   option_origin(&spec->metadata,
					 option_find(&metadata_options, test->last_tasks
										? "last_tasks"
										: "first_tasks")));
	return ret;
}

/* Turns the curve or the search of a load into a list of points; the points change fastest. */
static int vary_by_points(struct test_spec *spec, struct error *err)
{
	const struct option *row = option_find(&load_options, "curve");
	const struct load *load = load_of(spec);
	const char *key = load && load->search ? "search" : "curve";
	struct curve_bound bound;
	struct text words = {0};
	struct list list;
	int ret = 0;

	if (!load || (!load->curve && !load->search))
		return 0;
	if (load->search && (load->curve || load->stop_response))
		return error_input(err,
				   "search: it chooses the points of its curve itself; leave %s "
				   "out",
				   load->curve ? "curve" : "stop_response");
	if (load->search && curve_parse_bound(load->search, '<', "search", &bound, err))
		return -1;
	if (load->stop_response &&
	    curve_parse_bound(load->stop_response, ':', "stop_response", &bound, err))
		return -1;
	if (load->search)
		curve_list_search(&words);
	else
		ret = curve_list(load->curve, &words, err);
	ret = ret || list_parse(&load_options, row, text_string(&words), &list, err) ? -1 : 0;
	text_release(&words);
	if (!ret)
		study_vary(&spec->study, &load_options, row, &list,
			   option_origin(&spec->load, option_find(&load_options, key)));
	return ret;
}

static int vary_all_tests(struct job *job, struct error *err)
{
	for (size_t i = 0; i < job->test_count; i++) {
		if (!vary_by_steps(&job->tests[i], job->tasks, err) &&
		    !vary_by_points(&job->tests[i], err))
			continue;
		job_add_location(job, &job->tests[i], err);
		return -1;
	}
	return 0;
}

static bool varies_tasks(const struct study *study)
{
	for (size_t i = 0; i < study->count; i++)
		if (study->options[i].row == option_find(&test_options, "num_tasks"))
			return true;
	return false;
}

static int refuse_tasks(const struct job *job, const struct test_spec *spec, struct error *err)
{
	const struct metadata *test = metadata_of(spec);
	const char *key = test && test->first_tasks ? "first_tasks" : "num_tasks";
	uint64_t wanted = test_of(spec)->num_tasks, most = wanted;

	for (size_t i = 0; i < job->test_count; i++)
		if (most < test_of(&job->tests[i])->num_tasks)
			most = test_of(&job->tests[i])->num_tasks;
	error_input(err,
		    "%s: %" PRIu64 " tasks are wanted but the job has %" PRIu64
		    "; start it with -np %" PRIu64 "%s or lower %s%s",
		    key, wanted, job->tasks, most,
		    most > wanted ? ", as another test wants so many," : "", key,
		    *key == 'f' ? " (-f)" : "");
	job_add_location(job, spec, err);
	return -1;
}

/* One test takes all tasks where more are wanted; in a study two numbers would then mean the same
 * test. */
static int check_tasks(const struct job *job, struct error *err)
{
	for (size_t i = 0; i < job->test_count; i++) {
		const struct test_spec *spec = &job->tests[i];

		if (job->tasks && varies_tasks(&spec->study) &&
		    test_of(spec)->num_tasks > job->tasks)
			return refuse_tasks(job, spec, err);
	}
	return 0;
}

int study_make_tests(struct job *job, struct error *err)
{
	struct test_spec *given = job->tests;
	size_t given_count = job->test_count;
	unsigned studies = 0;
	bool any;

	if (vary_all_tests(job, err) || check_number(job, &any, err))
		return -1;
	if (!any)
		return 0;
	job->tests = NULL;
	job->test_count = 0;
	for (size_t i = 0; i < given_count; i++) {
		const struct study *study = &given[i].study;
		size_t tests = tests_of(study);

		for (size_t k = 0; k < tests; k++) {
			struct test_spec *spec = job_add_test(job, &given[i]);

			spec->study.number = studies;
			spec->study.made = study->count > 0;
			take_values(spec, k);
		}
		studies += study->count > 0;
		test_spec_release(&given[i]);
	}
	free(given);
	return check_tasks(job, err);
}
