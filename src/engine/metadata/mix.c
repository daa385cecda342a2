/* The mixed phase of a metadata test. */
#include "engine/metadata/mix.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/memory.h"
#include "engine/core/loop.h"
#include "engine/metadata/item_call.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/tolerate.h"
#include "plan/item_walk.h"

/* Files of one owner, with the current one as the backend is given it. */
struct files_of {
	uint32_t owner;
	uint64_t count;
	struct item_walk walk;
	char target[PLAN_PATH_SIZE];
	const char *name;
	struct backend_directory *directory;
};

struct mix_loop {
	struct worker *worker;
	struct mix_walk walk;
	uint64_t repetition;
	struct files_of own, other; /* other: files looked at, if another task owns them */
	struct files_of *looked_at;
	struct operation_record *all, *response, *kinds[MIX_KINDS];
	struct tally tally; /* tally of all operations */
	uint64_t start_ns, done;
	double interval_ns; /* from one due moment to the next; 0: no rate */
	bool slept;         /* slept until the operation was due: no earlier one delayed it */
	uint64_t late_ns;   /* oversleep of that wait */
	uint64_t now_ns;
	uint64_t last_ns; /* end of the last operation */
	uint64_t own_ns;  /* time of operations and their preparation, without waiting */
};

uint64_t mix_available(struct worker *worker, uint32_t source)
{
	worker->metadata->other_files = metadata_items(worker, ITEM_FILE, source);
	worker->metadata->own_files = metadata_items(worker, ITEM_FILE, worker->task);
	return worker->plan->mix.operations;
}

static void start_files(struct files_of *files, const struct worker *worker, uint32_t owner,
			uint64_t repetition, uint64_t count)
{
	const struct item_owner whose = metadata_owner(worker, owner, repetition, files->target);

	files->owner = owner;
	files->count = count;
	item_walk_start(&files->walk, &worker->plan->tree, &whose, ITEM_FILE, NULL);
}

/* Goes to this file. Returns -1 if its directory cannot be opened. */
static int go_to(struct files_of *files, struct worker *worker, uint64_t item, struct error *err)
{
	const struct tree *tree = &worker->plan->tree;
	struct item_walk *walk = &files->walk;

	item_walk_to(walk, item);
	files->name = walk->at.path;
	if (!worker->metadata->directories)
		return 0;
	files->name = walk->leaf;
	walk->leaf[-1] = '\0';
	files->directory = directories_get(worker->metadata->directories, worker, files->owner,
					   walk->place.tree * tree->directories + walk->place.directory,
					   false, walk->at.path, err);
	walk->leaf[-1] = '/';
	return files->directory ? 0 : -1;
}

/* Each file has content of its own. */
static uint32_t number_of(const struct worker *worker, const struct files_of *files)
{
	return (uint32_t)(files->owner * worker->plan->tree.items + files->walk.index);
}

static bool compares(const struct mix_loop *loop, enum mix_kind kind)
{
	return kind == MIX_READ && loop->worker->plan->metadata->verify_read;
}

/*
 * Fills the buffer with data for a create, or spoils it before a compared read. Returns whether it
 * did.
 */
static bool fill(struct mix_loop *loop, enum mix_kind kind, const struct files_of *files)
{
	struct worker *worker = loop->worker;
	const struct metadata *test = worker->plan->metadata;
	const uint32_t number = number_of(worker, files);

	if (!worker->buffer.bytes)
		return false;
	if (compares(loop, kind))
		small_file_spoil(worker, number, loop->repetition, test->read_bytes);
	else if (kind == MIX_CREATE && test->write_bytes)
		small_file_fill(worker, number, loop->repetition, test->write_bytes);
	else
		return false;
	return true;
}

/* Prepares the data outside the service time. */
static void make_data(struct mix_loop *loop, enum mix_kind kind, const struct files_of *files)
{
	uint64_t made_ns;

	if (!fill(loop, kind, files))
		return;
	made_ns = clock_now(loop->worker->clock);
	loop->tally.content_ns += made_ns - loop->now_ns;
	loop->now_ns = made_ns;
}

static int operate(struct worker *worker, enum mix_kind kind, const struct files_of *files,
		   struct error *err)
{
	enum item_call call = item_call_of(worker->plan->metadata, mix_operation(kind));

	int ret = item_call_run(worker, call, files->directory, files->name, err);

	if (ret && call == CALL_CREATE)
		small_file_take_back(worker, files->directory, files->name, err);
	return ret;
}

static void add_response(struct mix_loop *loop, uint64_t due_ns, uint64_t end_ns, uint64_t item)
{
	const struct worker *worker = loop->worker;
	struct measure *measure = worker->measure;

	measure_add(loop->response, end_ns - due_ns, end_ns, item, worker->task, worker->node_number);
	if (!loop->slept)
		return;
	measure->mix_slept++;
	measure->mix_late_ns += loop->late_ns;
	if (loop->late_ns > measure->mix_latest_ns)
		measure->mix_latest_ns = loop->late_ns;
}

static void record(struct mix_loop *loop, enum mix_kind kind, uint64_t due_ns, uint64_t end_ns,
		   uint64_t item)
{
	struct worker *worker = loop->worker;
	uint64_t service_ns = end_ns - loop->now_ns;
	uint64_t next_ns = tally_add(worker, &loop->tally, loop->all, service_ns, end_ns, item);

	measure_add(loop->kinds[kind], service_ns, end_ns, item, worker->task, worker->node_number);
	if (loop->interval_ns > 0)
		add_response(loop, due_ns, end_ns, item);
	if (worker->table && loop_tell(worker, mix_operation(kind), loop->now_ns, end_ns, item, 0))
		next_ns = clock_now(worker->clock);
	loop->now_ns = next_ns;
}

/* Counts a failure. Returns false if the phase of this task is over. */
static bool count_failure(struct mix_loop *loop, enum mix_kind kind, const struct files_of *files,
			  const struct error *err)
{
	struct worker *worker = loop->worker;

	loop->now_ns = clock_now(worker->clock);
	/* The task that owns the file may just have removed it. */
	if (files == &loop->other && err->code == ENOENT) {
		worker->measure->mix_missed++;
		return true;
	}
	/* The file is missing, so the walk takes it as removed. */
	if (kind == MIX_REMOVE && err->code == ENOENT)
		mix_walk_done(&loop->walk, kind);
	return tolerate(worker, files->walk.at.path, operation_name(mix_operation(kind)),
			kind == MIX_CREATE ? CREATES_ITEM : CREATES_NOTHING, err);
}

/* Runs one operation that was due at due_ns. Returns false if the loop must end. */
static bool step(struct mix_loop *loop, uint64_t due_ns)
{
	struct worker *worker = loop->worker;
	enum mix_kind kind = mix_walk_choose(&loop->walk);
	uint64_t item = mix_walk_item(&loop->walk, kind);
	bool looks = kind == MIX_STAT || kind == MIX_READ;
	struct files_of *files = looks ? loop->looked_at : &loop->own;
	struct error err = {0};
	uint64_t end_ns;
	int ret;

	if (files == &loop->other)
		item = (uint64_t)(mix_walk_draw(&loop->walk) * (double)files->count);
	ret = go_to(files, worker, item, &err);
	item = files->walk.index;
	make_data(loop, kind, files);
	if (!ret)
		ret = operate(worker, kind, files, &err);
	loop->last_ns = end_ns = clock_now(worker->clock);
	if (!ret && compares(loop, kind))
		ret = small_file_compare(worker, worker->plan->metadata->read_bytes, &err);
	if (ret)
		return count_failure(loop, kind, files, &err);
	mix_walk_done(&loop->walk, kind);
	record(loop, kind, due_ns, end_ns, item);
	if (compares(loop, kind)) {
		loop->now_ns = clock_now(worker->clock);
		loop->tally.content_ns += loop->now_ns - end_ns;
	}
	return true;
}

static bool is_over(const struct mix_loop *loop)
{
	uint64_t most = loop->worker->plan->mix.operations;

	return most && loop->done >= most;
}

/*
 * Waits for the next operation and returns when it is due. Tasks start staggered within one
 * interval.
 */
static uint64_t wait_until_due(struct mix_loop *loop)
{
	const struct worker *worker = loop->worker;
	double place = (double)loop->done + (double)worker->task / worker->plan->map.tasks;
	/* The limit avoids an overflow where the next operation is never due. */
	uint64_t due_ns = loop->start_ns + (uint64_t)fmin(place * loop->interval_ns, 1e18);

	loop->slept = loop->now_ns < due_ns;
	if (!loop->slept)
		return due_ns;
	loop->now_ns = loop_sleep_until(loop->worker, loop->now_ns, due_ns);
	loop->late_ns = loop->now_ns - due_ns;
	return due_ns;
}

static void think(struct mix_loop *loop)
{
	double seconds = loop->worker->plan->mix.think_seconds;

	if (seconds > 0)
		loop->now_ns = loop_sleep_until(loop->worker, loop->now_ns,
						loop->now_ns + (uint64_t)(seconds * 1e9));
}

/*
 * Sets the timer slack: how late the kernel may wake this thread to join wake-ups; 0: the default.
 */
static void allow_slack(unsigned long slack_ns)
{
	prctl(PR_SET_TIMERSLACK, slack_ns);
}

static void run(struct mix_loop *loop)
{
	struct worker *worker = loop->worker;
	_Atomic uint64_t *progress = &worker->node->own->operations;

	while (!is_over(loop)) {
		uint64_t due_ns = loop->interval_ns > 0 ? wait_until_due(loop) : loop->now_ns;
		uint64_t begin_ns = loop->now_ns;
		bool goes_on;

		/* The wait may have met a stop request or the end of the time. */
		if (worker->stopped || worker->time_is_up)
			return;
		if (loop->now_ns >= worker->poll_at_ns && loop_poll(worker, loop->now_ns))
			return;
		goes_on = step(loop, due_ns);
		loop->own_ns += loop->now_ns - begin_ns;
		if (!goes_on)
			return;
		loop->done++;
		atomic_store_explicit(progress, loop->done, memory_order_relaxed);
		if (!is_over(loop))
			think(loop);
	}
}

/* Counts missing files in the mix, whose removes left them out. */
static void tell_missing(struct mix_loop *loop, const struct error *why)
{
	uint64_t missing = loop->walk.missing;
	struct error err = {0};

	error_set(&err, why->code,
		  "%.400s; when the mix was over, %" PRIu64 " file%s could not be made again", why->text,
		  missing, missing == 1 ? "" : "s");
	tolerate_all(loop->worker, loop->own.walk.at.path, operation_name(OPERATION_CREATE), &err);
	loop->worker->measure->expected_operations++;
	loop->worker->metadata->incomplete = true;
	loop->worker->metadata->met_others |= why->code == EEXIST;
}

static int make_again(struct mix_loop *loop, uint64_t item, struct error *err)
{
	if (go_to(&loop->own, loop->worker, item, err))
		return -1;
	fill(loop, MIX_CREATE, &loop->own);
	return operate(loop->worker, MIX_CREATE, &loop->own, err);
}

/*
 * Makes missing files again outside the timed part, for the phases after it. After a stop they stay
 * missing.
 */
static void make_missing(struct mix_loop *loop)
{
	struct worker *worker = loop->worker;
	_Atomic uint64_t *progress = &worker->node->own->operations;
	const struct small_calls timed = worker->metadata->small;
	uint64_t number = loop->done;
	struct error err = {0};

	while (loop->walk.missing && !worker->metadata->incomplete) {
		uint64_t item = mix_walk_item(&loop->walk, MIX_CREATE);
		uint64_t now_ns = clock_now(worker->clock);

		if (worker->stopped ||
		    (now_ns >= worker->poll_at_ns && loop_asked_to_stop(worker, now_ns)))
			break;
		if (make_again(loop, item, &err)) {
			tell_missing(loop, &err);
			continue;
		}
		mix_walk_done(&loop->walk, MIX_CREATE);
		atomic_store_explicit(progress, ++number, memory_order_relaxed);
	}
	worker->metadata->small = timed; /* these are no calls of the phase */
}

/* A stonewall or a status file may leave too few files. */
static bool has_files(const struct mix_loop *loop)
{
	return loop->own.count > 1 && loop->looked_at->count;
}

static void refuse_few(struct mix_loop *loop)
{
	struct worker *worker = loop->worker;
	struct error err = {0};

	plan_base(worker->plan, plan_base_of(worker->plan, worker->task), worker->path);
	error_set(&err, 0, "the stonewall left %" PRIu64 " files of this task and %" PRIu64
			   " to look at; a mix needs two of each task", loop->own.count,
		  loop->looked_at->count);
	worker_fail(worker, &err, operation_name(OPERATION_MIXED), UINT64_MAX, 0);
}

static void keep(struct mix_loop *loop)
{
	struct worker *worker = loop->worker;
	struct measure *measure = worker->measure;
	const struct metadata *test = worker->plan->metadata;

	tally_keep(worker, &loop->tally, loop->all);
	measure->content_ns = loop->tally.content_ns;
	measure->expected_operations = worker->time_is_up || !worker->plan->mix.operations
					       ? loop->done
					       : worker->plan->mix.operations;
	tolerate_end(worker, loop->all->histogram.count + measure->mix_missed);
	measure->least_transfers = measure->most_transfers = loop->all->histogram.count;
	loop->kinds[MIX_CREATE]->bytes = loop->kinds[MIX_CREATE]->histogram.count * test->write_bytes;
	loop->kinds[MIX_READ]->bytes = loop->kinds[MIX_READ]->histogram.count * test->read_bytes;
	measure->bytes = loop->kinds[MIX_CREATE]->bytes + loop->kinds[MIX_READ]->bytes;
	loop->all->bytes = measure->bytes;
	measure->mix_most_missing = loop->walk.missing_so_far;
	measure->mix_files = loop->own.count;
}

static void start(struct mix_loop *loop, struct worker *worker, uint32_t source, uint64_t repetition)
{
	const struct mix *mix = &worker->plan->mix;
	const struct measure *measure = worker->measure;
	uint64_t seed = (uint64_t)worker->plan->metadata->random_seed + repetition;

	loop->worker = worker;
	loop->repetition = repetition;
	loop->all = measure_record(measure, OPERATION_MIXED);
	loop->response = measure_record(measure, OPERATION_RESPONSE);
	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++)
		loop->kinds[kind] = measure_record(measure, mix_operation(kind));
	loop->interval_ns = mix->task_rate > 0 ? 1e9 / mix->task_rate : 0;
	start_files(&loop->own, worker, worker->task, repetition, worker->metadata->own_files);
	start_files(&loop->other, worker, source, repetition, worker->metadata->other_files);
	loop->looked_at = source == worker->task ? &loop->own : &loop->other;
	mix_walk_start(&loop->walk, mix, loop->own.count, order_seed(seed, worker->task));
}

void mix_run(struct worker *worker, uint32_t source, uint64_t repetition, struct loop_times *times)
{
	struct mix_loop *loop = memory_allocate(1, sizeof(*loop));
	double seconds = worker->plan->mix.seconds;

	start(loop, worker, source, repetition);
	tally_start(&loop->tally, worker);
	allow_slack(1);
	node_say(worker->node, ACTIVITY_OPERATION);
	loop->start_ns = loop->now_ns = loop->last_ns = clock_now(worker->clock);
	times->first_issue_ns = loop->start_ns;
	if (seconds > 0)
		worker->until_ns = loop->start_ns + (uint64_t)(seconds * 1e9);
	if (has_files(loop))
		run(loop);
	else
		refuse_few(loop);
	times->last_completion_ns = worker->wall_ns = loop->last_ns;
	times->own_ns = loop->own_ns;
	allow_slack(0);
	keep(loop);
	make_missing(loop);
	free(loop);
}
