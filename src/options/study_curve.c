/* The lists that no one wrote as a list: points of curves and mdtest's steps of tasks. */
#include "options/study_curve.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "options/curve.h"
#include "options/job.h"

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

/* Checks the texts beside the points, also where nothing uses them. */
static int check_bounds(const struct test_spec *spec, struct error *err)
{
	const struct load *load = load_of(spec);
	struct curve_bound bound;

	if (!load)
		return 0;
	if (load->search && (load->curve || load->stop_response))
		return error_input(err,
				   "search: it chooses the points of its curve itself; leave %s "
				   "out",
				   load->curve ? "curve" : "stop_response");
	if (load->search)
		return curve_parse_bound(load->search, '<', "search", &bound, err);
	if (load->stop_response)
		return curve_parse_bound(load->stop_response, ':', "stop_response", &bound, err);
	return 0;
}

/* Makes the list of points. has_rates: shares are shares of rates that the tests have. */
static int list_points(const struct load *load, bool has_rates, struct list *list,
		       struct error *err)
{
	const struct option *row = option_find(&load_options, "curve");
	struct text words = {0};
	int ret = 0;

	if (load->search)
		curve_list_search(&words);
	else
		ret = curve_list(load->curve, has_rates, load->stop_response, &words, err);
	if (!ret)
		ret = list_parse(&load_options, row, text_string(&words), list, err);
	text_release(&words);
	return ret;
}

/* True for a load with a rate, or with a list of rates. */
static bool has_rate(const struct test_spec *spec)
{
	const struct load *load = load_of(spec);
	const struct study *study = &spec->study;

	if (load_has_rate(load))
		return true;
	for (size_t i = 0; i < study->count; i++)
		if (study->options[i].row == option_find(&load_options, "rate") ||
		    study->options[i].row == option_find(&load_options, "byte_rate"))
			return true;
	return false;
}

static void vary(struct test_spec *spec, struct list *list, struct origin origin)
{
	study_vary(&spec->study, &load_options, option_find(&load_options, "curve"), list, origin);
}

static struct origin origin_of(const struct test_spec *spec, const char *key)
{
	return option_origin(&spec->load, option_find(&load_options, key));
}

static struct origin origin_of_points(const struct test_spec *spec)
{
	const struct load *load = spec->load.values;

	return origin_of(spec, load->search ? "search" : "curve");
}

/* Turns the curve or the search of a load into a list of points; the points change fastest. */
static int vary_by_points(struct test_spec *spec, struct error *err)
{
	const struct load *load = load_of(spec);
	struct list list;

	if (!load || (!load->curve && !load->search))
		return 0;
	if (list_points(load, false, &list, err))
		return -1;
	vary(spec, &list, origin_of_points(spec));
	return 0;
}

static bool is_same_origin(struct origin a, struct origin b)
{
	return a.kind == b.kind && a.line == b.line && a.column == b.column;
}

/* Checks that the loads of a set have one curve. *rates: how many of them have a rate. */
static int check_members(const struct test_spec *specs, size_t size, const struct test_spec *first,
			 size_t *rates, struct error *err)
{
	static const char *const keys[] = {"curve", "search", "stop_response"};

	const bool has_curve = load_of(first)->curve || load_of(first)->search;

	*rates = 0;
	for (size_t i = 0; i < size; i++) {
		if (!load_of(&specs[i]))
			continue;
		*rates += has_rate(&specs[i]);
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
			if (!is_same_origin(origin_of(first, keys[k]),
					    origin_of(&specs[i], keys[k])))
				return error_input(err,
						   "%s: the points of a curve are those of the "
						   "whole set; give it on the line TOGETHER START",
						   keys[k]);
		if (has_curve && load_of(&specs[i])->beside)
			return error_input(err,
					   "beside: the loads of a curve have one phase; leave "
					   "one of the two out");
		if (has_curve && test_of(&specs[i])->alone)
			return error_input(err, "alone: a set with a curve has no tests alone; "
						"leave one of the two out");
	}
	return 0;
}

/* Checks what the points of a set may be. rates, loads: loads with a rate, and all. */
static int check_points(const struct list *list, size_t rates, size_t loads, struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		const enum curve_point_kind kind = curve_point_of(list->values[i]).kind;

		if (kind == CURVE_POINT_RATE)
			return error_input(err,
					   "curve: %.40s is a rate; the points of a set are shares "
					   "of the rates of its loads, such as 50%%",
					   list->values[i]);
		if (kind == CURVE_POINT_MAX && rates == loads)
			return error_input(err, "curve: max is a closed loop, and all loads of the "
						"set have a rate; begin with a share such as 10%%");
	}
	return 0;
}

/* Gives each member of a set the points of the curve. */
static int vary_set_by_points(struct test_spec *specs, size_t size, struct error *err)
{
	const struct test_spec *first = NULL;
	size_t loads = 0, rates;
	struct list list, copy;
	int ret;

	for (size_t i = size; i > 0; i--)
		if (load_of(&specs[i - 1])) {
			first = &specs[i - 1];
			loads++;
		}
	if (!first || check_members(specs, size, first, &rates, err))
		return first ? -1 : 0;
	const struct load *load = load_of(first);

	if (!load->curve && !load->search)
		return 0;
	if (list_points(load, rates == loads, &list, err))
		return -1;
	ret = load->search ? 0 : check_points(&list, rates, loads, err);
	for (size_t i = 0; i < size && !ret; i++) {
		list_copy(&copy, &list);
		vary(&specs[i], &copy, origin_of_points(first));
	}
	list_release(&list);
	return ret;
}

int study_add_lists(struct job *job, size_t first, size_t size, struct error *err)
{
	struct test_spec *specs = &job->tests[first];

	for (size_t i = 0; i < size; i++)
		if (vary_by_steps(&specs[i], job->tasks, err) || check_bounds(&specs[i], err) ||
		    (!specs[i].set.number && vary_by_points(&specs[i], err)))
			return job_add_location(job, &specs[i], err), -1;
	if (!specs->set.number || !vary_set_by_points(specs, size, err))
		return 0;
	for (size_t i = 0; i < size; i++)
		if (job_add_location(job, &specs[i], err))
			return -1;
	return -1;
}

void study_scale_rate(struct test_spec *spec)
{
	struct load *load = spec->load.values;
	const struct curve_point_text point =
		curve_point_of(spec->workload == WORKLOAD_LOAD ? load->curve : NULL);

	if (point.kind != CURVE_POINT_SHARE)
		return;
	load->rate *= point.value;
	load->byte_rate = (uint64_t)llround((double)load->byte_rate * point.value);
}
