/* The operations of a metadata phase, one after the other: a loop for each kind. */
#include <errno.h>
#include <string.h>

#include "engine/loop.h"
#include "engine/metadata.h"
#include "engine/small_files.h"
#include "plan/item_walk.h"

enum { FILE_MODE = 0664, DIRECTORY_MODE = 0755 };

/* What is done to a name; each is one kind of operation in the measure. */
enum work {
	WORK_MKDIR,
	WORK_RMDIR,
	WORK_CREATE,
	WORK_MKNOD,
	WORK_CREATE_DATA,
	WORK_STAT,
	WORK_OPEN_CLOSE,
	WORK_READ_DATA,
	WORK_READ_COMPARED,
	WORK_LIST,
	WORK_REMOVE,
	WORK_RENAME,
	WORKS
};

struct list_sink {
	uint64_t entries;
};

/* One phase of one task. */
struct name_loop {
	struct worker *worker;
	enum operation operation;
	uint64_t repetition;
	uint64_t done, count; /* of the present owner's, operations */
	uint32_t owner;
	bool trees;         /* on directories of trees, else on items */
	bool backwards;     /* from the last directory to the first */
	struct listing listing; /* of the directories */
	struct item_walk walk;
	struct item_walk behind; /* rename: one item behind, whose name the item takes */
	struct order order;
	/* what the backend is given */
	const char *name, *new_name;
	struct backend_directory *directory, *new_directory;
	char spare[ITEM_PATH_SIZE]; /* rename: a name for the first while the ring is open */
	char target[PLAN_PATH_SIZE];
	struct tally tally;
	struct loop_times times;
	bool left;          /* a failure or a request to stop ended it early */
};

/* The directory of a walk's item and the name in it, or the whole path; on failure there is no name. */
static int give(struct name_loop *loop, struct item_walk *walk, bool moved, const char **name,
		struct backend_directory **directory, struct error *err)
{
	struct worker *worker = loop->worker;
	const struct tree *tree = &worker->plan->tree;

	*name = walk->at.path;
	if (!worker->directories)
		return 0;
	*name = walk->leaf;
	if (!moved && *directory)
		return 0;
	walk->leaf[-1] = '\0';
	*directory = directories_get(worker->directories, worker,
				     walk->place.tree * tree->directories + walk->place.directory,
				     walk == &loop->behind, walk->at.path, err);
	walk->leaf[-1] = '/';
	if (*directory)
		return 0;
	*name = NULL;
	return -1;
}

static int give_tree(struct name_loop *loop, uint64_t at)
{
	uint64_t directories = loop->walk.at.tree->directories;

	if (loop->backwards)
		at = loop->count - 1 - at;
	at = loop->listing.first + at * loop->listing.step;
	loop->walk.index = at;
	tree_path_directory(&loop->walk.at, at / directories, at % directories);
	loop->name = loop->walk.at.path;
	return 0;
}

/* In the directory of the first item. */
static void name_spare(struct name_loop *loop)
{
	const struct item_walk *walk = &loop->walk;
	size_t length = (size_t)(walk->leaf - walk->at.path) + walk->stem_length;

	memcpy(loop->spare, walk->at.path, length);
	memcpy(loop->spare + length, "spare", sizeof("spare"));
	loop->new_name = loop->worker->directories ? loop->spare + (walk->leaf - walk->at.path) :
						     loop->spare;
	loop->new_directory = loop->directory;
}

/* The first name, at 0, or the next one; -1: its directory cannot be opened. */
static inline __attribute__((always_inline)) int
go_to(struct name_loop *loop, uint64_t at, const enum work work, struct error *err)
{
	bool moved;

	if (loop->trees)
		return give_tree(loop, at);
	moved = at ? item_walk_step(&loop->walk, at) : item_walk_to(&loop->walk, 0);
	if (__builtin_expect(moved || !loop->name, 0) &&
	    give(loop, &loop->walk, moved, &loop->name, &loop->directory, err))
		return -1;
	if (work != WORK_RENAME)
		return 0;
	if (at == 0) {
		name_spare(loop);
		return 0;
	}
	moved = at > 1 ? item_walk_step(&loop->behind, at - 1) : item_walk_to(&loop->behind, 0);
	return give(loop, &loop->behind, moved || at == 1, &loop->new_name, &loop->new_directory, err);
}

static void count_entry(struct list_sink *sink, const char *name)
{
	(void)name;
	sink->entries++;
}

static int list(const struct name_loop *loop, struct error *err)
{
	struct worker *worker = loop->worker;
	struct list_sink sink = {0};
	int ret = worker->backend->list(worker->session, NULL, loop->name, count_entry, &sink, err);

	worker->measure->entries += sink.entries;
	return ret;
}

static inline __attribute__((always_inline)) int
operate(const struct name_loop *loop, const enum work work, struct error *err)
{
	struct worker *worker = loop->worker;
	const struct backend *backend = worker->backend;
	struct stat status;

	switch (work) {
	case WORK_MKDIR:
		return backend->mkdir(worker->session, loop->directory, loop->name, DIRECTORY_MODE,
				      err);
	case WORK_RMDIR:
		return backend->rmdir(worker->session, loop->directory, loop->name, err);
	case WORK_CREATE:
		return backend->create(worker->session, loop->directory, loop->name, FILE_MODE, err);
	case WORK_MKNOD:
		return backend->mknod(worker->session, loop->directory, loop->name, FILE_MODE, err);
	case WORK_CREATE_DATA:
		return small_file_create(worker, loop->name, err);
	case WORK_STAT:
		return backend->stat(worker->session, loop->directory, loop->name, &status, err);
	case WORK_OPEN_CLOSE:
		return backend->open_close(worker->session, loop->directory, loop->name, ACCESS_READ,
					   err);
	case WORK_READ_DATA:
	case WORK_READ_COMPARED:
		return small_file_read(worker, loop->name, err);
	case WORK_LIST:
		return list(loop, err);
	case WORK_REMOVE:
		return backend->remove(worker->session, loop->directory, loop->name, err);
	case WORK_RENAME:
		return backend->rename(worker->session, loop->directory, loop->name,
				       loop->new_directory, loop->new_name, err);
	case WORKS:
		break;
	}
	return -1;
}

/* What no next item would get round. */
static bool is_full(int code)
{
	return code == ENOSPC || code == EDQUOT || code == EMLINK || code == EROFS;
}

/* With data it is more than what the operation is called. */
static const char *failed_call(const struct name_loop *loop)
{
	bool opens = loop->operation == OPERATION_OPEN_CLOSE;

	return opens && loop->worker->plan->metadata->read_bytes ? "read"
								 : operation_name(loop->operation);
}

/* Counts what failed; false: the phase of this task is over. */
static bool tolerate(struct name_loop *loop, const struct error *err)
{
	struct worker *worker = loop->worker;
	struct measure *measure = worker->measure;
	unsigned code = err->code > 0 && err->code < ERRNOS ? (unsigned)err->code : 0;

	memcpy(worker->path, loop->walk.at.path, strlen(loop->walk.at.path) + 1);
	if (!measure->failed_operations++)
		worker_note(worker, &worker->odd, err, failed_call(loop), UINT64_MAX, 0);
	measure->errors[code]++;
	measure->full_tasks = is_full(err->code);
	return !measure->full_tasks &&
	       measure->failed_operations <= worker->plan->metadata->max_errors;
}

/* Each file has content of its own. */
static uint32_t number_of(const struct name_loop *loop)
{
	return (uint32_t)(loop->owner * loop->worker->plan->tree.items + loop->walk.index);
}

static uint64_t prepare_data(struct name_loop *loop, const enum work work)
{
	const struct metadata *test = loop->worker->plan->metadata;

	if (work == WORK_READ_COMPARED)
		small_file_spoil(loop->worker, number_of(loop), loop->repetition, test->read_bytes);
	else if (loop->worker->buffer.bytes && test->write_bytes)
		small_file_fill(loop->worker, number_of(loop), loop->repetition, test->write_bytes);
	return clock_now(loop->worker->clock);
}

/*
 * One clock reading per operation: the end of one is the start of the next, with the few ns that making
 * its name takes. What fails is in no histogram. Data is made and compared outside the service time.
 */
static inline __attribute__((always_inline)) void run_once(struct name_loop *loop,
							   const enum work work)
{
	const bool makes = work == WORK_CREATE_DATA || work == WORK_READ_COMPARED;
	struct worker *worker = loop->worker;
	struct operation_record *record = measure_record(worker->measure, loop->operation);
	_Atomic uint64_t *const progress = &worker->node->own->operations;
	const struct clock clock = *worker->clock;
	struct tally tally = loop->tally;
	const uint64_t count = loop->count, before = tally.done - loop->done;
	struct error err = {0};
	uint64_t at = loop->done;
	uint64_t now_ns = clock_now(&clock);

	if (!loop->times.first_issue_ns)
		loop->times.first_issue_ns = now_ns;
	loop->left = true;
	while (at < count) {
		int ret = go_to(loop, at, work, &err);

		if (makes) {
			uint64_t made_ns = prepare_data(loop, work);

			tally.content_ns += made_ns - now_ns;
			now_ns = made_ns;
		}
		if (__builtin_expect(!ret, 1))
			ret = operate(loop, work, &err);
		uint64_t end_ns = clock_now(&clock);

		if (work == WORK_READ_COMPARED && !ret)
			ret = small_file_compare(worker, worker->plan->metadata->read_bytes, &err);
		if (__builtin_expect(ret, 0)) {
			if (!tolerate(loop, &err))
				goto out;
			now_ns = clock_now(&clock);
		} else {
			uint64_t next_ns = tally_add(worker, &tally, record, end_ns - now_ns, end_ns,
						     loop->walk.index);

			if (__builtin_expect(worker->table != NULL, 0) &&
			    loop_tell(worker, loop->operation, now_ns, end_ns, loop->walk.index, 0))
				next_ns = clock_now(&clock);
			if (work == WORK_READ_COMPARED) {
				next_ns = clock_now(&clock);
				tally.content_ns += next_ns - end_ns;
			}
			now_ns = next_ns;
		}
		at++;
		atomic_store_explicit(progress, before + at, memory_order_relaxed);
		if (__builtin_expect(now_ns >= worker->poll_at_ns, 0) && loop_poll(worker, now_ns))
			goto out;
	}
	loop->left = false;
out:
	loop->done = at;
	tally.done = before + at;
	loop->tally = tally;
	loop->times.last_completion_ns = now_ns;
}

#define RUN(name, work)                                                                            \
	static void name(struct name_loop *loop)                                                   \
	{                                                                                          \
		run_once(loop, work);                                                              \
	}

RUN(run_mkdir, WORK_MKDIR)
RUN(run_rmdir, WORK_RMDIR)
RUN(run_create, WORK_CREATE)
RUN(run_mknod, WORK_MKNOD)
RUN(run_create_data, WORK_CREATE_DATA)
RUN(run_stat, WORK_STAT)
RUN(run_open_close, WORK_OPEN_CLOSE)
RUN(run_read_data, WORK_READ_DATA)
RUN(run_read_compared, WORK_READ_COMPARED)
RUN(run_list, WORK_LIST)
RUN(run_remove, WORK_REMOVE)
RUN(run_rename, WORK_RENAME)

static void (*const runs[WORKS])(struct name_loop *) = {
	[WORK_MKDIR] = run_mkdir,
	[WORK_RMDIR] = run_rmdir,
	[WORK_CREATE] = run_create,
	[WORK_MKNOD] = run_mknod,
	[WORK_CREATE_DATA] = run_create_data,
	[WORK_STAT] = run_stat,
	[WORK_OPEN_CLOSE] = run_open_close,
	[WORK_READ_DATA] = run_read_data,
	[WORK_READ_COMPARED] = run_read_compared,
	[WORK_LIST] = run_list,
	[WORK_REMOVE] = run_remove,
	[WORK_RENAME] = run_rename,
};

static enum work work_of(const struct metadata *test, enum phase_kind kind)
{
	switch (phase_operation(kind)) {
	case OPERATION_MKDIR:
		return WORK_MKDIR;
	case OPERATION_RMDIR:
		return WORK_RMDIR;
	case OPERATION_STAT:
		return WORK_STAT;
	case OPERATION_LIST:
		return WORK_LIST;
	case OPERATION_REMOVE:
		return WORK_REMOVE;
	case OPERATION_RENAME:
		return WORK_RENAME;
	case OPERATION_CREATE:
		return test->mknod ? WORK_MKNOD
		       : test->write_bytes || test->fsync ? WORK_CREATE_DATA : WORK_CREATE;
	case OPERATION_OPEN_CLOSE:
		return !test->read_bytes ? WORK_OPEN_CLOSE
		       : test->verify_read ? WORK_READ_COMPARED : WORK_READ_DATA;
	default:
		BUG("phase %s has no operation on names", phase_name(kind));
	}
}

/* Outside the time: the spare name becomes that of the item renamed last. */
static void close_ring(struct name_loop *loop)
{
	struct worker *worker = loop->worker;
	struct error err = {0};

	if (loop->operation != OPERATION_RENAME || !loop->done)
		return;
	item_walk_to(&loop->walk, 0);
	if (give(loop, &loop->walk, true, &loop->name, &loop->directory, &err))
		return;
	name_spare(loop);
	item_walk_to(&loop->behind, loop->done - 1);
	if (!give(loop, &loop->behind, true, &loop->name, &loop->directory, &err))
		worker->backend->rename(worker->session, loop->new_directory, loop->new_name,
					loop->directory, loop->name, &err);
}

static void keep(struct name_loop *loop, enum work work)
{
	struct worker *worker = loop->worker;
	struct measure *measure = worker->measure;
	struct operation_record *record = measure_record(measure, loop->operation);
	const struct metadata *test = worker->plan->metadata;

	transfers_keep_times(worker, &loop->tally, record);
	measure->expected_operations = worker->available;
	measure->least_transfers = measure->most_transfers = record->histogram.count;
	measure->content_ns = loop->tally.content_ns;
	if (work == WORK_CREATE_DATA)
		measure->bytes = record->histogram.count * test->write_bytes;
	if (work == WORK_READ_DATA || work == WORK_READ_COMPARED)
		measure->bytes = record->histogram.count * test->read_bytes;
}

static bool goes_at_random(const struct metadata *test, enum phase_kind kind)
{
	unsigned stride = phase_stride(kind);

	return stride && test->random >= (stride == 1 ? 1 : 2);
}

/* What the loop goes over: `count` of this owner's. */
static void start(struct name_loop *loop, const struct phase_plan *phase, uint32_t owner,
		  uint64_t count)
{
	struct worker *worker = loop->worker;
	const struct metadata *test = worker->plan->metadata;
	const struct item_owner whose = metadata_owner(worker, owner, loop->repetition, loop->target);
	enum item_kind kind = phase_is_of_files(phase->kind) ? ITEM_FILE : ITEM_DIRECTORY;
	bool random = count > 1 && goes_at_random(test, phase->kind);

	loop->owner = test->shared_file ? 0 : owner;
	loop->done = 0;
	loop->count = count;
	if (random)
		order_init(&loop->order, count,
			   order_seed((uint64_t)test->random_seed + loop->repetition, owner));
	item_walk_start(&loop->walk, &worker->plan->tree, &whose, kind, random ? &loop->order : NULL);
	if (loop->operation == OPERATION_RENAME)
		item_walk_start(&loop->behind, &worker->plan->tree, &whose, kind, NULL);
	loop->listing = phase->kind == PHASE_LIST ? metadata_listing(worker) : (struct listing){.step = 1};
	loop->trees = phase->kind == PHASE_TREE_CREATE || phase->kind == PHASE_TREE_REMOVE ||
		      phase->kind == PHASE_LIST;
	loop->backwards = phase->kind == PHASE_TREE_REMOVE;
}

/* What all know between the stonewall and what follows it. */
static uint64_t most_of_all(struct name_loop *loop)
{
	uint64_t numbers[] = {loop->done, worker_failed(loop->worker) || loop->worker->stopped};

	node_say(loop->worker->node, ACTIVITY_WAITING);
	comm_most_of_late(loop->worker->comm, numbers, 2, loop->worker->idle);
	node_say(loop->worker->node, ACTIVITY_TRANSFER);
	return numbers[1] ? 0 : numbers[0];
}

/* Inside the time: on to as many as the fastest task made before the time was up. */
static void wear_out(struct name_loop *loop, enum work work)
{
	struct worker *worker = loop->worker;
	const struct test *test = worker->plan->test;
	double limit = test->wear_out_limit > 0 ? test->wear_out_limit : 10 * test->stonewall;
	struct measure *measure = worker->measure;
	bool was_cut = worker->time_is_up && loop->done < loop->count;
	bool goes_on = was_cut || !loop->left;
	uint64_t most;

	worker->wall_ns = loop->times.last_completion_ns;
	measure->wall_bytes = measure->wall_least = measure->wall_most = loop->done;
	measure->walled_tasks = was_cut;
	most = most_of_all(loop);
	if (!goes_on || loop->done >= most)
		return;
	if (most < loop->count)
		loop->count = most;
	worker->time_is_up = false;
	worker->poll_at_ns = clock_now(worker->clock);
	worker->until_ns = worker->poll_at_ns + (uint64_t)(limit * 1e9);
	runs[work](loop);
	measure->unworn_tasks = loop->done < loop->count;
}

static bool has_wall(const struct worker *worker, enum phase_kind kind)
{
	return worker->plan->test->stonewall > 0 &&
	       phase_creates_items(kind);
}

/* Task 0's for all: one owner after the other. */
static void run_for_all(struct name_loop *loop, const struct phase_plan *phase, enum work work)
{
	const struct plan *plan = loop->worker->plan;

	for (uint32_t owner = 0; owner < plan->map.tasks && loop->worker->available; owner++) {
		start(loop, phase, owner, plan->tree.items);
		runs[work](loop);
		if (loop->left)
			return;
	}
}

void metadata_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		  uint64_t repetition, struct loop_times *times)
{
	const enum work work = work_of(worker->plan->metadata, phase->kind);
	struct name_loop loop = {
		.worker = worker,
		.operation = phase_operation(phase->kind),
		.repetition = repetition,
	};

	tally_start(&loop.tally, worker);
	node_say(worker->node, ACTIVITY_TRANSFER);
	if (has_wall(worker, phase->kind))
		worker->until_ns = clock_now(worker->clock) +
				   (uint64_t)(worker->plan->test->stonewall * 1e9);
	if (metadata_is_collective(worker->plan, phase->kind)) {
		run_for_all(&loop, phase, work);
	} else {
		start(&loop, phase, source, worker->available);
		runs[work](&loop);
	}
	if (!loop.times.first_issue_ns)
		loop.times.first_issue_ns = loop.times.last_completion_ns = clock_now(worker->clock);
	worker->wall_ns = loop.times.last_completion_ns;
	if (has_wall(worker, phase->kind) && !metadata_is_collective(worker->plan, phase->kind))
		wear_out(&loop, work);
	*times = loop.times;
	close_ring(&loop);
	keep(&loop, work);
	if (phase->kind == PHASE_DIR_CREATE)
		worker->made[ITEM_DIRECTORY] = loop.tally.done;
	if (phase->kind == PHASE_FILE_CREATE)
		worker->made[ITEM_FILE] = worker->written = loop.tally.done;
}
