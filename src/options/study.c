/* A study: tests made from lists of values. */
#include "options/study.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/job.h"
#include "options/study_curve.h"

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
	study->options[study->count++] = (struct varied){table, row, *list, origin, 0};
	*list = (struct list){0};
}

size_t study_combinations(const struct study *study)
{
	size_t count = 1;

	for (size_t i = 0; i < study->count && count <= STUDY_TESTS_MOST; i++)
		count *= study->options[i].list.count;
	return count;
}

static int refuse_number(const struct job *job, const struct study *study, struct error *err)
{
	const struct varied *last = &study->options[study->count - 1];
	struct origin origin = last->origin;

	origin.column = 0;
	error_input(err, "%s%s%s: the lists of the job make more than %d tests; shorten them",
		    last->table->prefix, *last->table->prefix ? "." : "", last->row->name,
		    STUDY_TESTS_MOST);
	return job_add_origin(job, origin, err);
}

/* Adds up the tests of the group from `first` on, if it has lists. */
static int count_tests(const struct job *job, size_t first, size_t *tests, struct error *err)
{
	const struct study *study = &job->tests[first].study;

	if (!study->count)
		return 0;
	*tests += study_combinations(study) * set_size(job, first);
	return *tests > STUDY_TESTS_MOST ? refuse_number(job, study, err) : 0;
}

/* True for one list that two members of a set have from the same place. */
static bool is_same_list(const struct varied *a, const struct varied *b)
{
	return a->row == b->row && a->origin.kind == b->origin.kind &&
	       a->origin.line == b->origin.line && a->origin.column == b->origin.column;
}

static const struct varied *find_list(const struct study *study, const struct varied *list)
{
	for (size_t i = 0; i < study->count; i++)
		if (is_same_list(&study->options[i], list))
			return &study->options[i];
	return NULL;
}

static void add_list(struct study *study, const struct varied *list, long owner)
{
	struct varied added = *list;

	list_copy(&added.list, &list->list);
	added.owner = owner;
	study->options = memory_grow(study->options, (study->count + 1) * sizeof(*study->options));
	study->options[study->count++] = added;
}

/* Adds the lists of a member that `all` has not yet: those of a curve, or the others. */
static void add_lists(struct study *all, const struct study *own, size_t member, bool of_curve)
{
	const struct option *curve = option_find(&load_options, "curve");

	for (size_t i = 0; i < own->count; i++)
		if ((own->options[i].row == curve) == of_curve && !find_list(all, &own->options[i]))
			add_list(all, &own->options[i], (long)member);
}

static bool all_have(const struct job *job, size_t first, const struct varied *list)
{
	for (size_t i = 0; i < set_size(job, first); i++)
		if (!find_list(&job->tests[first + i].study, list))
			return false;
	return true;
}

/* True if another member with a list of its own has the name too. */
static bool is_name_of_two(const struct job *job, size_t first, const struct study *all,
			   const struct varied *list)
{
	const struct test_spec *specs = &job->tests[first];

	for (size_t i = 0; i < all->count; i++) {
		const struct varied *other = &all->options[i];
		const char *name = test_of(&specs[other->owner])->name;

		if (other->owner != list->owner && !all_have(job, first, other) && name &&
		    !strcmp(name, test_of(&specs[list->owner])->name))
			return true;
	}
	return false;
}

/* Results name an option that other members vary by the name of its member. */
static int check_names(const struct job *job, size_t first, const struct study *all,
		       struct error *err)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct varied *list = &all->options[i];
		const struct test_spec *owner = &job->tests[first + (size_t)list->owner];

		if (all_have(job, first, list) ||
		    (test_of(owner)->name && !is_name_of_two(job, first, all, list)))
			continue;
		error_input(err, "name: a member of TOGETHER with a list of values needs a name of "
				 "its own; add name = NAME");
		return job_add_line(job, owner->line, err);
	}
	return 0;
}

/* Gives each member of a set all lists of the set, in the same order. */
static int share_lists(struct job *job, size_t first, struct error *err)
{
	struct test_spec *specs = &job->tests[first];
	const size_t size = set_size(job, first);
	struct study all = {0};
	int ret;

	for (int of_curve = 0; of_curve < 2; of_curve++)
		for (size_t i = 0; i < size; i++)
			add_lists(&all, &specs[i].study, i, of_curve);
	ret = check_names(job, first, &all, err);
	for (size_t i = 0; i < size && !ret; i++) {
		struct study shared = {0};

		for (size_t k = 0; k < all.count; k++) {
			const struct varied *list = &all.options[k];
			bool own = find_list(&specs[i].study, list) != NULL;

			add_list(&shared, list, own ? 0 : list->owner - (long)i);
		}
		study_release(&specs[i].study);
		specs[i].study = shared;
	}
	study_release(&all);
	return ret;
}

/* Sets the test to combination `number` of the lists. Lists of other members change nothing. */
static void take_values(struct test_spec *spec, size_t number)
{
	const struct study *study = &spec->study;
	struct error err;

	for (size_t i = study->count; i > 0; i--) {
		const struct varied *varied = &study->options[i - 1];
		const char *value = varied->list.values[number % varied->list.count];

		number /= varied->list.count;
		/* list_parse() has checked the value */
		if (!varied->owner && option_set_value(test_spec_set_of(spec, varied->table),
						       varied->row, value, varied->origin, &err))
			BUG("a value of a list: %s", err.text);
	}
}

/* What earlier groups of tests have made. */
struct made {
	struct job job;
	unsigned studies, sets;
};

/* Adds the tests of one combination of the lists: one test, or the members of a set. */
static void make_tests(struct made *made, const struct job *job, size_t first, size_t combination)
{
	const size_t size = set_size(job, first);
	const unsigned set = job->tests[first].set.number ? ++made->sets : 0;

	for (size_t i = 0; i < size; i++) {
		struct test_spec *spec = job_add_test(&made->job, &job->tests[first + i]);

		spec->set.number = set;
		spec->study.made = spec->study.count > 0;
		spec->study.number = made->studies + (unsigned)i;
		take_values(spec, combination);
		study_scale_rate(spec);
	}
}

static void make_group(struct made *made, const struct job *job, size_t first)
{
	const struct study *study = &job->tests[first].study;
	const size_t combinations = study_combinations(study), size = set_size(job, first);

	for (size_t k = 0; k < combinations; k++)
		make_tests(made, job, first, k);
	made->studies += study->count ? (unsigned)size : 0;
}

/* Collects the lists of each test and each set. *tests: how many they make. */
static int collect_lists(struct job *job, size_t *tests, struct error *err)
{
	*tests = 0;
	for (size_t i = 0, size; i < job->test_count; i += size) {
		size = set_size(job, i);
		if (study_add_lists(job, i, size, err) ||
		    (job->tests[i].set.number && share_lists(job, i, err)) ||
		    count_tests(job, i, tests, err))
			return -1;
	}
	return 0;
}

int study_make_tests(struct job *job, struct error *err)
{
	struct made made = {.job = {.vocabulary = job->vocabulary}};
	size_t tests;

	if (collect_lists(job, &tests, err))
		return -1;
	if (!tests)
		return 0;
	for (size_t i = 0; i < job->test_count; i += set_size(job, i))
		make_group(&made, job, i);
	for (size_t i = 0; i < job->test_count; i++)
		test_spec_release(&job->tests[i]);
	free(job->tests);
	job->tests = made.job.tests;
	job->test_count = made.job.test_count;
	return 0;
}
