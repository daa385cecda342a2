/* The operations of a metadata phase, one after the other: a loop for each kind. */
#include <errno.h>
#include <string.h>

#include "engine/loop.h"
#include "engine/metadata.h"
#include "plan/item_walk.h"

enum { FILE_MODE = 0664, DIRECTORY_MODE = 0755 };

/* One phase of one task. */
struct name_loop {
	struct worker *worker;
	enum operation operation;
	uint64_t count;     /* operations at most */
	bool trees;         /* on directories of trees, else on items */
	bool backwards;     /* from the last directory to the first */
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
};

/* The directory of a walk's item and the name in it, or the whole path. */
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
				     walk->at.path, err);
	walk->leaf[-1] = '/';
	return *directory ? 0 : -1;
}

static int give_tree(struct name_loop *loop, uint64_t at)
{
	uint64_t directories = loop->walk.at.tree->directories;

	if (loop->backwards)
		at = loop->count - 1 - at;
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
static inline int go_to(struct name_loop *loop, uint64_t at, const enum operation operation,
			struct error *err)
{
	bool moved;

	if (loop->trees)
		return give_tree(loop, at);
	moved = at ? item_walk_step(&loop->walk, at) : item_walk_to(&loop->walk, 0);
	if (__builtin_expect(moved || !loop->name, 0) &&
	    give(loop, &loop->walk, moved, &loop->name, &loop->directory, err))
		return -1;
	if (operation != OPERATION_RENAME)
		return 0;
	if (at == 0) {
		name_spare(loop);
		return 0;
	}
	moved = at > 1 ? item_walk_step(&loop->behind, at - 1) : item_walk_to(&loop->behind, 0);
	return give(loop, &loop->behind, moved || at == 1, &loop->new_name, &loop->new_directory, err);
}

static inline __attribute__((always_inline)) int
operate(const struct name_loop *loop, const enum operation operation, struct error *err)
{
	const struct worker *worker = loop->worker;
	const struct backend *backend = worker->backend;
	struct stat status;

	switch (operation) {
	case OPERATION_MKDIR:
		return backend->mkdir(worker->session, loop->directory, loop->name, DIRECTORY_MODE,
				      err);
	case OPERATION_RMDIR:
		return backend->rmdir(worker->session, loop->directory, loop->name, err);
	case OPERATION_CREATE:
		return backend->create(worker->session, loop->directory, loop->name, FILE_MODE, err);
	case OPERATION_STAT:
		return backend->stat(worker->session, loop->directory, loop->name, &status, err);
	case OPERATION_OPEN_CLOSE:
		return backend->open_close(worker->session, loop->directory, loop->name, ACCESS_READ,
					   err);
	case OPERATION_REMOVE:
		return backend->remove(worker->session, loop->directory, loop->name, err);
	case OPERATION_RENAME:
		return backend->rename(worker->session, loop->directory, loop->name,
				       loop->new_directory, loop->new_name, err);
	default:
		BUG("%s is no operation on names", operation_name(operation));
	}
}

/* What no next item would get round. */
static bool is_full(int code)
{
	return code == ENOSPC || code == EDQUOT || code == EMLINK || code == EROFS;
}

/* Counts what failed; false: the phase of this task is over. */
static bool tolerate(struct name_loop *loop, const struct error *err)
{
	struct worker *worker = loop->worker;
	struct measure *measure = worker->measure;
	unsigned code = err->code > 0 && err->code < ERRNOS ? (unsigned)err->code : 0;

	memcpy(worker->path, loop->walk.at.path, strlen(loop->walk.at.path) + 1);
	if (!measure->failed_operations++)
		worker_note(worker, &worker->odd, err, operation_name(loop->operation), UINT64_MAX, 0);
	measure->errors[code]++;
	measure->full_tasks = is_full(err->code);
	return !measure->full_tasks &&
	       measure->failed_operations <= worker->plan->metadata->max_errors;
}

/*
 * One clock reading per operation: the end of one is the start of the next, with the few ns that making
 * its name takes. What fails is in no histogram.
 */
static inline __attribute__((always_inline)) void run_once(struct name_loop *loop,
							   const enum operation operation)
{
	struct worker *worker = loop->worker;
	struct operation_record *record = measure_record(worker->measure, operation);
	_Atomic uint64_t *const progress = &worker->node->own->operations;
	const struct clock clock = *worker->clock;
	struct tally tally = loop->tally;
	const uint64_t count = loop->count;
	struct error err = {0};
	uint64_t at = 0;
	uint64_t now_ns = clock_now(&clock);

	loop->times.first_issue_ns = now_ns;
	while (at < count) {
		int ret = go_to(loop, at, operation, &err);

		if (__builtin_expect(!ret, 1))
			ret = operate(loop, operation, &err);
		if (__builtin_expect(ret, 0)) {
			if (!tolerate(loop, &err))
				break;
			now_ns = clock_now(&clock);
		} else {
			uint64_t end_ns = clock_now(&clock);
			uint64_t next_ns = tally_add(worker, &tally, record, end_ns - now_ns, end_ns,
						     loop->walk.index);

			if (__builtin_expect(worker->table != NULL, 0) &&
			    loop_tell(worker, operation, now_ns, end_ns, loop->walk.index, 0))
				next_ns = clock_now(&clock);
			now_ns = next_ns;
		}
		atomic_store_explicit(progress, ++at, memory_order_relaxed);
		if (__builtin_expect(now_ns >= worker->poll_at_ns, 0) && loop_poll(worker, now_ns))
			break;
	}
	tally.done = at;
	loop->tally = tally;
	loop->times.last_completion_ns = now_ns;
}

#define RUN(name, operation)                                                                       \
	static void name(struct name_loop *loop)                                                   \
	{                                                                                          \
		run_once(loop, operation);                                                         \
	}

RUN(run_mkdir, OPERATION_MKDIR)
RUN(run_rmdir, OPERATION_RMDIR)
RUN(run_create, OPERATION_CREATE)
RUN(run_stat, OPERATION_STAT)
RUN(run_open_close, OPERATION_OPEN_CLOSE)
RUN(run_remove, OPERATION_REMOVE)
RUN(run_rename, OPERATION_RENAME)

static void (*const runs[OPERATIONS])(struct name_loop *) = {
	[OPERATION_MKDIR] = run_mkdir,	 [OPERATION_RMDIR] = run_rmdir,
	[OPERATION_CREATE] = run_create, [OPERATION_STAT] = run_stat,
	[OPERATION_REMOVE] = run_remove, [OPERATION_OPEN_CLOSE] = run_open_close,
	[OPERATION_RENAME] = run_rename,
};

/* Outside the time: the spare name becomes that of the item renamed last. */
static void close_ring(struct name_loop *loop)
{
	struct worker *worker = loop->worker;
	struct error err = {0};

	if (loop->operation != OPERATION_RENAME || !loop->tally.done)
		return;
	item_walk_to(&loop->walk, 0);
	if (give(loop, &loop->walk, true, &loop->name, &loop->directory, &err))
		return;
	name_spare(loop);
	item_walk_to(&loop->behind, loop->tally.done - 1);
	if (!give(loop, &loop->behind, true, &loop->name, &loop->directory, &err))
		worker->backend->rename(worker->session, loop->new_directory, loop->new_name,
					loop->directory, loop->name, &err);
}

static void keep(struct name_loop *loop)
{
	struct worker *worker = loop->worker;
	struct measure *measure = worker->measure;
	struct operation_record *record = measure_record(measure, loop->operation);

	transfers_keep_times(worker, &loop->tally, record);
	measure->expected_operations = loop->count;
	measure->least_transfers = measure->most_transfers = record->histogram.count;
}

static bool goes_at_random(const struct metadata *test, enum phase_kind kind)
{
	unsigned stride = phase_stride(kind);

	return stride && test->random >= (stride == 1 ? 1 : 2);
}

/* What the loop goes over. */
static void start(struct name_loop *loop, const struct phase_plan *phase, uint32_t source,
		  uint64_t repetition)
{
	struct worker *worker = loop->worker;
	const struct metadata *test = worker->plan->metadata;
	const struct item_owner owner = metadata_owner(worker, source, repetition, loop->target);
	enum item_kind kind = phase_is_of_files(phase->kind) ? ITEM_FILE : ITEM_DIRECTORY;
	bool random = loop->count > 1 && goes_at_random(test, phase->kind);

	if (random)
		order_init(&loop->order, loop->count,
			   order_seed((uint64_t)test->random_seed + repetition, source));
	item_walk_start(&loop->walk, &worker->plan->tree, &owner, kind,
			random ? &loop->order : NULL);
	if (loop->operation == OPERATION_RENAME)
		item_walk_start(&loop->behind, &worker->plan->tree, &owner, kind, NULL);
	loop->trees = phase->kind == PHASE_TREE_CREATE || phase->kind == PHASE_TREE_REMOVE;
	loop->backwards = phase->kind == PHASE_TREE_REMOVE;
}

void metadata_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		  uint64_t repetition, struct loop_times *times)
{
	struct name_loop loop = {
		.worker = worker,
		.operation = phase_operation(phase->kind),
		.count = worker->available,
	};

	tally_start(&loop.tally, worker);
	start(&loop, phase, source, repetition);
	node_say(worker->node, ACTIVITY_TRANSFER);
	runs[loop.operation](&loop);
	*times = loop.times;
	close_ring(&loop);
	keep(&loop);
	if (phase->kind == PHASE_DIR_CREATE)
		worker->made[ITEM_DIRECTORY] = loop.tally.done;
	if (phase->kind == PHASE_FILE_CREATE)
		worker->made[ITEM_FILE] = loop.tally.done;
}
