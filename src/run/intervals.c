/*
 * The interval rows of a load, on the first task of its test: the table, the live line and the
 * steady state. The watchdog takes rows while the load runs, and the first thread takes the rest.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "page/intervals_csv.h"
#include "run/state.h"

/* load: NULL for a test that is none. */
static bool has_interval(const struct load *load)
{
	return load && load->interval > 0;
}

bool intervals_wanted(const struct plan *plan)
{
	return has_interval(plan->load);
}

size_t intervals_words(const struct job *job)
{
	for (size_t i = 0; i < job->test_count; i++)
		if (has_interval(load_of(&job->tests[i])))
			return INTERVAL_WORDS;
	return 0;
}

void intervals_init(struct interval_rows *intervals, struct node *node, const struct comm *all)
{
	if (!node->words)
		return;
	relay_init(&intervals->relay, node);
	post_init(&intervals->post, all);
	intervals->sums = memory_allocate(1, sizeof(struct relay_sums) + sizeof(struct interval));
}

void intervals_release(struct interval_rows *intervals)
{
	if (!intervals->sums)
		return;
	relay_release(&intervals->relay);
	post_release(&intervals->post);
	free(intervals->sums);
}

static uint64_t count_of(double seconds, double interval)
{
	return (uint64_t)(seconds / interval + 0.5);
}

void intervals_start(struct test_run *run, const struct phase_plan *phase, uint64_t repetition)
{
	struct interval_rows *intervals = &run->runner->intervals;
	const struct load *load = run->plan->load;
	struct error err;

	intervals->load = NULL;
	intervals->steady = (struct steady_outcome){0};
	if (phase->kind != PHASE_LOAD || !has_interval(load) || !leads_test(run))
		return;
	intervals->load = load;
	intervals->worker = &run->worker;
	intervals->test = run->number;
	intervals->repetition = repetition;
	intervals->nodes = run->crew->seats.map->nodes;
	intervals->seconds = run->plan->load_seconds;
	intervals->began = 0;
	intervals->rates = (struct interval_rates){0};
	if (!load->steady)
		return;
	intervals->steady.asked = true;
	steady_parse(load->steady, &intervals->rule, &err); /* the plan has checked it */
	intervals->window.size = count_of(load->steady_window, load->interval);
	steady_window_clear(&intervals->window);
}

/* The part of the load that an interval begins in. */
static enum interval_part part_of(const struct interval_rows *intervals, double from)
{
	const struct load *load = intervals->load;
	const double a_little = load->interval / 1000;
	const double seconds = intervals->seconds;

	if (from + a_little < load->warmup_time)
		return INTERVAL_WARMUP;
	if (seconds > 0 && from + a_little >= load->warmup_time + seconds)
		return INTERVAL_COOLDOWN;
	return INTERVAL_MEASURED;
}

/* Asks all tasks to end at one moment, which leaves time for the message to reach them. */
static void end_load(struct interval_rows *intervals)
{
	const uint64_t notice_ns = 1000000000;

	const uint64_t end_ns = clock_monotonic_ns() + notice_ns;

	relay_end_at(&intervals->relay, worker_common_ns(intervals->worker, end_ns));
	intervals->seconds =
		(double)(end_ns - intervals->relay.start_ns) / 1e9 - intervals->load->warmup_time;
}

static void intervals_judge(struct interval_rows *intervals, const struct interval_row *row)
{
	struct steady_outcome *steady = &intervals->steady;

	if (!steady->asked || steady->reached || row->part != INTERVAL_MEASURED)
		return;
	/* An interval without all nodes has other operations than those of its time. */
	if (row->nodes < row->all_nodes) {
		steady_window_clear(&intervals->window);
		return;
	}
	steady_window_add(&intervals->window, row->operations_per_s);
	if (!steady_window_state(&intervals->window, &steady->state))
		return;
	steady->known = true;
	if (!steady_is_within(&steady->state, intervals->rule.range, intervals->rule.slope))
		return;
	steady->reached = true;
	steady->after_s = row->from_s + intervals->load->interval - intervals->load->warmup_time;
	end_load(intervals);
}

static void report(struct runner *runner, const struct interval_row *row)
{
	struct text line = {0};

	intervals_csv_row(&line, row);
	if (leads(runner))
		report_intervals(runner->report, &line);
	else
		post_add(&runner->intervals.post, &line);
	text_release(&line);
}

static void use(struct runner *runner, bool ended)
{
	struct interval_rows *intervals = &runner->intervals;
	const struct relay_sums *sums = intervals->sums;
	const struct interval *counts = (const struct interval *)sums->words;
	const uint64_t operations = interval_operations(counts);
	const double interval = intervals->load->interval;
	struct interval_row row = {
		.test = intervals->test,
		.repetition = intervals->repetition,
		.number = sums->number,
		.from_s = (double)(sums->number - 1) * interval,
		.seconds = sums->nodes ? (double)sums->length_ns / 1e9 / (double)sums->nodes
				       : interval,
		.nodes = sums->nodes,
		.all_nodes = intervals->nodes,
		.counts = counts,
	};

	/* Behind the end there is at most a part of an interval, mostly an empty one. */
	if (ended && !operations)
		return;
	if (!(intervals->began > 0))
		intervals->began = now_epoch() -
				   (double)(clock_monotonic_ns() - intervals->relay.start_ns) / 1e9;
	row.part = part_of(intervals, row.from_s);
	row.operations_per_s = row.seconds > 0 ? (double)operations / row.seconds : 0;
	row.began = intervals->began + row.from_s;
	intervals->rates = (struct interval_rates){
		.known = row.nodes == row.all_nodes,
		.operations_per_s = row.operations_per_s,
		.bytes_per_s = row.seconds > 0 ? (double)interval_bytes(counts) / row.seconds : 0,
	};
	report(runner, &row);
	if (!ended)
		intervals_judge(intervals, &row);
}

static void take_all(struct runner *runner, bool ended)
{
	while (relay_take(&runner->intervals.relay, runner->intervals.sums))
		use(runner, ended);
}

uint64_t on_sample(void *context)
{
	struct runner *runner = context;
	struct interval_rows *intervals = &runner->intervals;
	uint64_t next_ns;

	next_ns = relay_sample(&intervals->relay, clock_monotonic_ns());
	if (next_ns == UINT64_MAX)
		return next_ns;
	/* The lock is held while the report is made and ended, and while a load begins or ends. */
	if (!pthread_mutex_trylock(&runner->rescue_lock)) {
		if (intervals->load && !runner->finished)
			take_all(runner, false);
		pthread_mutex_unlock(&runner->rescue_lock);
	}
	return next_ns;
}

void intervals_finish(struct test_run *run)
{
	struct runner *runner = run->runner;

	if (!runner->intervals.load)
		return;
	pthread_mutex_lock(&runner->rescue_lock);
	take_all(runner, true);
	runner->intervals.load = NULL;
	pthread_mutex_unlock(&runner->rescue_lock);
}

void intervals_write_others(struct runner *runner)
{
	struct text rows = {0};

	if (!runner->intervals.sums)
		return;
	post_take(&runner->intervals.post, &rows);
	if (rows.length)
		report_intervals(runner->report, &rows);
	text_release(&rows);
}

void intervals_settle(struct runner *runner, bool makes_rows, unsigned senders)
{
	if (!runner->intervals.sums || (!leads(runner) && !makes_rows))
		return;
	post_settle(&runner->intervals.post, senders);
	if (!leads(runner))
		return;
	pthread_mutex_lock(&runner->rescue_lock);
	intervals_write_others(runner);
	pthread_mutex_unlock(&runner->rescue_lock);
}
