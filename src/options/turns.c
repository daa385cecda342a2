/* The order in which the points of a study run. */
#include "options/turns.h"

#include "options/load.h"
#include "options/metadata.h"
#include "options/outputs.h"
#include "options/test.h"

static bool is_of_study(const struct job *job, size_t number, unsigned study)
{
	return number < job->test_count && job->tests[number].study.made &&
	       !job->tests[number].set.number && job->tests[number].study.number == study;
}

static size_t first_of(const struct job *job, size_t number)
{
	const unsigned study = job->tests[number].study.number;

	while (number && is_of_study(job, number - 1, study))
		number--;
	return number;
}

size_t turns_points(const struct job *job, size_t first)
{
	size_t end = first + 1;

	if (is_of_study(job, first, job->tests[first].study.number))
		while (is_of_study(job, end, job->tests[first].study.number))
			end++;
	return end - first;
}

/* In turns a point must leave nothing behind that another one finds, or that its next one needs. */
static const char *why_not_metadata(const struct metadata *test)
{
	if (test->create != test->remove)
		return "its trees stay between repetitions";
	return NULL;
}

static const char *why_not_data(const struct test *test)
{
	if (test->write_file && test->keep_file)
		return "its files stay between repetitions (keep_file)";
	if (test->keep_file_with_error)
		return "damaged files stay (keep_file_with_error)";
	if (!test->write_file && test->semantics == SEMANTICS_IOR && !test->keep_file)
		return "its files are removed after the last repetition (semantics=ior)";
	return NULL;
}

static const char *why_not_test(const struct test_spec *spec)
{
	if (spec->workload == WORKLOAD_LOAD)
		return "the files of a load stay between repetitions";
	if (test_of(spec)->memory_per_node)
		return "memory_per_node is taken once for each point";
	return spec->workload == WORKLOAD_METADATA ? why_not_metadata(metadata_of(spec))
						   : why_not_data(test_of(spec));
}

static bool has_summary(const struct job *job)
{
	for (size_t i = 0; i < job->output_count; i++)
		if (job->outputs[i].format == OUTPUT_IOR_JSON ||
		    job->outputs[i].format == OUTPUT_IOR_CSV)
			return true;
	return false;
}

bool turns_matter(const struct job *job, size_t number)
{
	const size_t first = first_of(job, number), points = turns_points(job, first);

	for (size_t i = first; i < first + points; i++)
		if (points > 1 && test_of(&job->tests[i])->repetitions != 1)
			return true;
	return false;
}

const char *turns_why_not(const struct job *job, size_t number)
{
	const struct run *run = job->run.values;
	const size_t first = first_of(job, number), points = turns_points(job, first);

	if (job->tests[number].set.number)
		return "sets run one after the other";
	if (run->order == ORDER_ONE_BY_ONE)
		return "order=sequential was asked for";
	for (size_t i = first; i < first + points; i++) {
		const char *why = why_not_test(&job->tests[i]);

		if (why)
			return why;
	}
	if (!turns_matter(job, number))
		return "it has one point, or one repetition of each";
	if (points > TURNS_MOST)
		return "it has more than 64 points";
	return has_summary(job) ? "the summary of IOR takes one test after the other" : NULL;
}
