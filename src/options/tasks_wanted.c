/* How many tasks the tests of a job want. */
#include "options/tasks_wanted.h"

#include <inttypes.h>
#include <stdbool.h>

#include "options/job.h"
#include "options/set.h"

uint64_t tasks_wanted(const struct job *job)
{
	uint64_t most = 0;

	for (size_t i = 0, size; i < job->test_count; i += size) {
		uint64_t sum = 0;

		size = set_size(job, i);
		for (size_t k = i; k < i + size; k++) {
			const uint64_t tasks = test_of(&job->tests[k])->num_tasks;

			sum += tasks ? tasks : 1;
		}
		most = sum > most ? sum : most;
	}
	return most;
}

static bool varies_tasks(const struct study *study)
{
	for (size_t i = 0; i < study->count; i++)
		if (study->options[i].row == option_find(&test_options, "num_tasks") &&
		    !study->options[i].owner)
			return true;
	return false;
}

static int tasks_wanted_refuse(const struct job *job, const struct test_spec *spec,
			       struct error *err)
{
	const struct metadata *test = metadata_of(spec);
	const char *key = test && test->first_tasks ? "first_tasks" : "num_tasks";
	const uint64_t wanted = test_of(spec)->num_tasks, most = tasks_wanted(job);

	error_input(err,
		    "%s: %" PRIu64 " tasks are wanted but the job has %" PRIu64
		    "; start it with mpirun -np %" PRIu64 "%s or lower %s%s",
		    key, wanted, job->tasks, most,
		    most > wanted ? ", as another test wants so many," : "", key,
		    *key == 'f' ? " (-f)" : "");
	job_add_location(job, spec, err);
	return -1;
}

/*
 * A test that wants too many tasks takes all that there are, unless it is refused here. In a study
 * two points would then be the same test.
 */
int tasks_wanted_check(const struct job *job, struct error *err)
{
	for (size_t i = 0; i < job->test_count; i++) {
		const struct test_spec *spec = &job->tests[i];

		if (job->tasks && test_of(spec)->num_tasks > job->tasks &&
		    (varies_tasks(&spec->study) || (run_of(job)->exact_tasks && !spec->set.number)))
			return tasks_wanted_refuse(job, spec, err);
	}
	return 0;
}
