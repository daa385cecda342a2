/* Runs a phase's transfers as one or several spans of the order. */
#include "engine/data/parts.h"

#include <errno.h>

#include "engine/data/files.h"
#include "engine/data/guard.h"
#include "plan/load.h"

/* Arguments of a part under the SIGBUS guard. */
struct part {
	struct transfers *transfers;
	struct span span;
};

static void parts_move(void *context)
{
	struct part *part = context;

	transfers_run(part->transfers, &part->span);
}

/* SIGBUS left the loop, so its counts are lost. */
static void take_bus_error(struct transfers *transfers, const void *address)
{
	struct worker *worker = transfers->worker;
	enum operation operation =
		transfers->setup.access == ACCESS_WRITE ? OPERATION_WRITE : OPERATION_READ;
	uint64_t length = worker->plan->geometry.transfer, offset;
	struct error err = {0};

	transfers->times.last_completion_ns = clock_now(worker->clock);
	histogram_init(&measure_record(worker->measure, operation)->histogram);
	tally_start(&transfers->tally, worker);
	if (!worker->backend->bus_error(worker->file, address, &offset, &err))
		BUG("SIGBUS at %p, which is in no mapping of %s", address, worker->path);
	worker_fail(worker, &err, operation_name(operation), offset - offset % length, length);
}

static void run_part(struct transfers *transfers, struct span span, uint64_t until_ns)
{
	struct worker *worker = transfers->worker;
	struct part part = {transfers, span};
	const void *address;

	worker->time_is_up = false;
	worker->until_ns = until_ns;
	worker->poll_at_ns = clock_now(worker->clock);
	if (!worker->backend->bus_error)
		parts_move(&part);
	else if (!guard_run(parts_move, &part, &address))
		take_bus_error(transfers, address);
}

static uint64_t parts_to_ns(double seconds)
{
	return (uint64_t)(seconds * 1e9);
}

uint64_t parts_available(struct worker *worker, enum access access, uint32_t source)
{
	const struct test *test = worker->plan->test;
	uint64_t count = plan_transfers_of(worker->plan, source);
	uint64_t most = test->wear_out_iterations, there = count;

	if (most && most < count)
		count = most;
	if (access == ACCESS_READ && test->write_file)
		there = worker->least_written == worker->most_written
				? worker->least_written
				: comm_ask(&worker->crew->comm, (int)source, worker->written,
					   worker->idle);
	else if (access == ACCESS_READ && worker->data->reads_what_is_there && worker->data->held)
		there = plan_within(worker->plan, source, worker->data->held);
	else if (access == ACCESS_READ)
		there = worker_known(worker, there);
	return there < count ? there : count;
}

/* End of the first part. */
static uint64_t first_until(const struct test *test, uint64_t begin_ns, uint64_t now_ns)
{
	if (test->duration > 0)
		return begin_ns + parts_to_ns(test->duration);
	if (test->stonewall > 0)
		return now_ns + parts_to_ns(test->stonewall);
	return UINT64_MAX;
}

/* Stores how much was moved when the time was up, and when the last transfer ended. */
static void keep_wall(struct transfers *transfers)
{
	struct worker *worker = transfers->worker;
	struct measure *measure = worker->measure;
	uint64_t done = transfers->tally.done;

	worker->wall_ns = transfers->times.last_completion_ns;
	measure->wall_bytes = done * worker->plan->transfer_bytes;
	measure->wall_least = measure->wall_most = done;
	measure->walled_tasks =
		worker->time_is_up && (transfers->setup.span.wraps || done < worker->available);
}

/* State that all tasks share between two parts. */
struct between {
	uint64_t most;	/* transfers of the fastest task */
	uint64_t stuck; /* a task failed or was asked to stop: all tasks end */
};

static struct between agree_between(struct transfers *transfers)
{
	struct worker *worker = transfers->worker;
	uint64_t numbers[] = {transfers->tally.done, worker_failed(worker) || worker->stopped};

	node_set_activity(worker->node, ACTIVITY_WAITING);
	comm_most_of_late(&worker->crew->comm, numbers, 2, worker->idle);
	return (struct between){numbers[0], numbers[1]};
}

/*
 * Wear-out, inside the timed part: moves up to the count of the fastest task, within a time limit.
 */
static void wear_out(struct transfers *transfers)
{
	struct worker *worker = transfers->worker;
	const struct test *test = worker->plan->test;
	double limit = test->wear_out_limit > 0 ? test->wear_out_limit : 10 * test->stonewall;
	struct between between = agree_between(transfers);
	uint64_t done = transfers->tally.done;
	uint64_t goal = between.most < worker->available ? between.most : worker->available;

	if (between.stuck || done >= goal)
		return;
	run_part(transfers, (struct span){.first = done, .count = goal - done},
		 clock_now(worker->clock) + parts_to_ns(limit));
	worker->measure->unworn_tasks = transfers->tally.done < goal;
}

/*
 * Moves transfers again until the least time is over. Where all tasks make the same calls they
 * agree to enter.
 */
static void go_on(struct transfers *transfers, uint64_t until_ns)
{
	struct worker *worker = transfers->worker;

	if (transfers_agree(worker) && agree_between(transfers).stuck)
		return;
	if (worker_failed(worker) || worker->stopped)
		return;
	if (!transfers_agree(worker) && clock_now(worker->clock) >= until_ns)
		return;
	run_part(transfers, (struct span){.count = worker->available, .wraps = true}, until_ns);
}

/* A verification checks all that was written, without a time limit. */
static void run_untimed(struct transfers *transfers, bool may)
{
	uint64_t now_ns = clock_now(transfers->worker->clock);

	transfers->times =
		(struct loop_times){.first_issue_ns = now_ns, .last_completion_ns = now_ns};
	if (may)
		run_part(transfers, (struct span){.count = transfers->worker->available},
			 UINT64_MAX);
	keep_wall(transfers);
}

static void run_by_the_clock(struct transfers *transfers, bool may, uint64_t begin_ns)
{
	struct worker *worker = transfers->worker;
	const struct test *test = worker->plan->test;
	const struct span all = {.count = worker->available, .wraps = test->duration > 0};
	uint64_t now_ns = clock_now(worker->clock);

	if (may)
		run_part(transfers, all, first_until(test, begin_ns, now_ns));
	else
		transfers->times =
			(struct loop_times){.first_issue_ns = now_ns, .last_completion_ns = now_ns};
	keep_wall(transfers);
	if (test->wear_out && test->stonewall > 0)
		wear_out(transfers);
	if (test->min_time_duration > 0 && may && !worker->measure->walled_tasks)
		go_on(transfers, begin_ns + parts_to_ns(test->min_time_duration));
}

/* Allocates this task's part of the current file of a load. */
static bool allocate_part(struct worker *worker)
{
	const struct file_part part = plan_part(worker->plan, worker->task, files_selected(worker));
	const uint64_t transfer = worker->plan->geometry.transfer;
	const uint64_t first = part.first * transfer, length = part.count * transfer;
	struct error err = {0};

	if (!length || !worker->backend->allocate(worker->file, first, length, &err))
		return true;
	if (err.code == EOPNOTSUPP)
		error_add(&err, "layout=allocate is not possible here; use layout=write");
	worker_fail(worker, &err, "allocate", first, length);
	return false;
}

/* The transfers of this task in the current file, or the first of them. */
static struct span span_of(const struct worker *worker, bool only_first)
{
	struct file_part part = plan_part(worker->plan, worker->task, files_selected(worker));

	if (only_first && part.count)
		part.count = 1;
	return (struct span){.first = worker->plan->trace ? part.first : 0, .count = part.count};
}

/*
 * The files of a load, one after the other. Allocated files get one transfer of each task, by which
 * iorx recognises them later. A test of other kinds has one file of each task, and may move its
 * transfers in several parts.
 */
static void run_files(struct transfers *transfers, bool may)
{
	struct worker *worker = transfers->worker;
	const struct plan *plan = worker->plan;
	const uint32_t first = plan_file_number(plan, worker->task, 0);
	const bool allocates = plan_load_allocates(plan);
	const uint64_t now_ns = clock_now(worker->clock);

	transfers->times =
		(struct loop_times){.first_issue_ns = now_ns, .last_completion_ns = now_ns};
	for (uint32_t i = 0; i < plan->own_files && may; i++) {
		files_select(worker, i);
		if (allocates && !allocate_part(worker))
			break;
		content_select(&worker->content, first + i, worker->content.repetition);
		run_part(transfers, span_of(worker, allocates), UINT64_MAX);
		may = !worker_failed(worker) && !worker->stopped;
	}
	files_select(worker, 0);
	keep_wall(transfers);
}

void parts_run(struct worker *worker, const struct phase_plan *phase, uint32_t source, bool may,
	       uint64_t begin_ns, struct loop_times *times)
{
	struct transfers transfers;
	uint64_t done;

	if (worker->plan->file_scope == LOAD_SCOPE_NODE)
		source = plan_sharer(worker->plan, source);
	transfers_start(&transfers, worker, phase->access, source);
	if (worker->plan->own_files > 1 || worker->plan->trace || plan_load_allocates(worker->plan))
		run_files(&transfers, may);
	else if (phase->kind == PHASE_VERIFY)
		run_untimed(&transfers, may && worker->available);
	else
		run_by_the_clock(&transfers, may && worker->available, begin_ns);
	transfers_keep(&transfers);
	done = transfers.tally.done;
	worker->measure->least_transfers = worker->measure->most_transfers = done;
	if (phase->access == ACCESS_WRITE)
		worker->written = done < worker->available ? done : worker->available;
	*times = transfers.times;
}
