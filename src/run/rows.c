/* Rows of all tasks of a phase. They reach task 0 one after the other, so memory stays bounded. */
#include "run/state.h"

static bool rows_wanted(const struct test_run *run)
{
	return run_of(run->runner->job)->task_table || run->test->outlier_threshold > 0;
}

static void add_sums(void *context, struct text *mine, const void *theirs, size_t length)
{
	double *own = (void *)mine->bytes;
	const double *other = theirs;

	for (size_t i = 0; i < length / sizeof(*own); i++)
		own[i] += other[i];
}

/* Computes the mean of each step over all tasks on task 0. A start counts from since_ns. */
static void find_means(struct test_run *run, uint64_t since_ns, double *mean)
{
	for (enum task_step step = 0; step < STEPS; step++)
		mean[step] = task_row_seconds(&run->worker.row, step, since_ns);
	comm_fold_fixed(&run->crew->comm, mean, STEPS * sizeof(*mean), add_sums, NULL,
			run->worker.idle);
	for (enum task_step step = 0; step < STEPS; step++)
		mean[step] /= run->plan->map.tasks;
}

struct taker {
	struct test_run *run;
	const struct phase_plan *phase;
	uint64_t repetition;
	struct outliers *outliers;
};

static void rows_take(void *context, const void *bytes)
{
	const struct taker *taker = context;
	const struct task_row *row = bytes;

	outliers_add(taker->outliers, row);
	report_task(taker->run->runner->report, taker->run->number, taker->phase->kind,
		    taker->repetition, row, taker->outliers->since_ns);
}

void rows_collect(struct test_run *run, const struct phase_plan *phase, uint64_t repetition,
		  struct outliers *outliers)
{
	struct taker taker = {run, phase, repetition, outliers};
	uint64_t since_ns;

	*outliers = (struct outliers){.threshold = run->test->outlier_threshold};
	/* All tasks began the phase or none did, so all make the collective calls below or none. */
	if (!rows_wanted(run) || !run->worker.row.begin_ns)
		return;
	since_ns = leads_test(run) ? run->worker.measure->begin.first : 0;
	comm_share_fixed(&run->crew->comm, &since_ns, sizeof(since_ns), run->worker.idle);
	outliers->since_ns = since_ns;
	find_means(run, since_ns, outliers->mean);
	comm_collect(&run->crew->comm, &run->plan->map, &run->worker.row, sizeof(run->worker.row),
		     rows_take, &taker, run->worker.idle);
}
