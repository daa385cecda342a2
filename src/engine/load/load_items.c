/* The operations of a load on small files and directories. */
#include "engine/load/load_items.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/metadata/item_call.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/test_directories.h"
#include "engine/metadata/tolerate.h"
#include "plan/item_walk.h"

/* Items of one task. */
struct owned {
	uint32_t owner;
	struct item_walk walk;
	char target[PLAN_PATH_SIZE];
};

struct load_item_calls {
	struct worker *worker;
	bool is_mix; /* the phase is the mix of a metadata test */
	struct owned files, new_files, directories;
	struct owned others;	 /* a mix with a stride looks at files of another task */
	struct owned *looked_at; /* files or others */
	/* the current item, as the backend is given it */
	struct owned *items;
	const char *name;
	struct backend_directory *directory; /* NULL: name is a whole path */
};

/* --- before and after the load -------------------------------------------------------------- */

/* A failure to make one item is that of the whole load. */
static void fail_if_incomplete(struct worker *worker)
{
	const struct failure *odd = &worker->metadata->odd;

	if (odd->error.kind == ERROR_NONE || worker_failed(worker))
		return;
	snprintf(worker->path, sizeof(worker->path), "%s", odd->path);
	worker_fail(worker, &odd->error, odd->operation, UINT64_MAX, 0);
}

/* Makes directories or files by the loop of an ordinary phase, with a measure that nobody reads. */
static void make(struct worker *worker, const struct phase_plan *phase)
{
	const enum operation operation = phase_operation(phase->kind);
	struct measure *const own = worker->measure;
	const uint64_t available = worker->available;
	struct loop_times times;

	worker->measure = measure_create(&operation, 1);
	worker->poll_at_ns = clock_now(worker->clock);
	worker->available = metadata_available(worker, phase->kind, worker->task);
	metadata_run(worker, phase, worker->task, worker->repetition, &times);
	metadata_close(worker);
	free(worker->measure);
	worker->measure = own;
	worker->available = available;
	fail_if_incomplete(worker);
}

/*
 * The first tasks make the directories in which all tasks make their trees. They remove those of an
 * earlier load of the repetition, whose names have moved on.
 */
static bool make_directories(struct worker *worker)
{
	struct error err = {0};

	if ((worker->metadata->test_directories &&
	     load_items_remove(worker, worker->repetition, &err)) ||
	    test_directories_make(worker, worker->repetition, &err))
		worker_fail(worker, &err, "prepare", UINT64_MAX, 0);
	return !comm_any(&worker->crew->comm, worker_failed(worker));
}

void load_items_make(struct worker *worker)
{
	const struct plan *trees = worker->trees;
	bool goes_on = make_directories(worker);

	metadata_start_content(worker);
	for (unsigned i = 0; goes_on && i < trees->phase_count; i++) {
		if (phase_traits[trees->phases[i].kind].makes_entries)
			make(worker, &trees->phases[i]);
		goes_on = !worker_failed(worker) && !worker->stopped;
	}
	worker->metadata->small = (struct small_calls){0};
	worker->metadata->incomplete = worker->metadata->met_others = false;
	worker->stopped = false;
}

/* The directory of the items goes too if this run made it, and nothing else lies there. */
int load_items_remove(struct worker *worker, uint64_t repetition, struct error *err)
{
	struct error stays;

	if (test_directories_clean_up(worker, repetition, err))
		return -1;
	if (worker->task || !worker->metadata->test_directories || !worker->backend->rmdir)
		return 0;
	plan_base(worker->trees, 0, worker->path);
	worker->backend->rmdir(worker->session, NULL, worker->path, &stays);
	return 0;
}

/* --- names ---------------------------------------------------------------------------------- */

static void start(struct owned *items, const struct worker *worker, uint32_t owner,
		  enum item_kind kind)
{
	const struct item_owner whose =
		metadata_owner(worker, owner, worker->repetition, items->target);

	items->owner = owner;
	item_walk_start(&items->walk, &worker->trees->tree, &whose, kind, NULL);
}

struct load_item_calls *load_item_calls_create(struct worker *worker, uint32_t source)
{
	struct load_item_calls *calls;

	if (!worker->trees)
		return NULL;
	calls = memory_allocate(1, sizeof(*calls));
	calls->worker = worker;
	calls->is_mix = worker->plan->metadata;
	start(&calls->files, worker, worker->task, ITEM_FILE);
	start(&calls->new_files, worker, worker->task, ITEM_FILE);
	start(&calls->directories, worker, worker->task, ITEM_DIRECTORY);
	start(&calls->others, worker, source, ITEM_FILE);
	calls->looked_at = calls->is_mix && source != worker->task ? &calls->others : &calls->files;
	return calls;
}

/* The phase itself counts the calls of a mix, as it does for other metadata phases. */
void load_item_calls_release(struct load_item_calls *calls)
{
	struct counters *counters;
	const struct small_calls *small;

	if (!calls)
		return;
	counters = &calls->worker->measure->counters;
	small = &calls->worker->metadata->small;
	for (enum access access = 0; access < ACCESS_COUNT && !calls->is_mix; access++)
		counters_add_calls(counters, counters_of(counters, access),
				   calls->worker->trees->metadata->write_bytes,
				   small->whole[access]);
	free(calls);
}

/* Items that the load makes beyond those of the tree are dealt to its directories in the same way.
 */
static const char *name_of(struct item_walk *walk, uint64_t item)
{
	const uint64_t items = walk->at.tree->items;

	item_walk_to(walk, item % items);
	if (item >= items)
		sprintf(walk->leaf + walk->stem_length, "%" PRIu64, item);
	return walk->at.path;
}

const char *load_items_path(const struct load_item_calls *calls)
{
	return calls->items->walk.at.path;
}

static struct owned *load_items_items_of(struct load_item_calls *calls, enum operation operation)
{
	switch (operation) {
	case OPERATION_MKDIR:
	case OPERATION_RMDIR:
		return &calls->directories;
	case OPERATION_CREATE:
	case OPERATION_REMOVE:
	case OPERATION_RENAME:
		return &calls->files;
	default:
		return calls->looked_at;
	}
}

/*
 * Goes to the item that the next operation is about. Returns -1 if its directory, which relative
 * names need open, cannot be opened.
 */
static int go_to(struct load_item_calls *calls, const struct load_request *request,
		 struct error *err)
{
	struct worker *worker = calls->worker;
	struct owned *items = load_items_items_of(calls, request->operation);
	struct item_walk *walk = &items->walk;

	calls->items = items;
	calls->directory = NULL;
	calls->name = name_of(walk, request->item);
	if (request->operation == OPERATION_LIST)
		walk->leaf[-1] = '\0';
	if (!worker->metadata->directories)
		return 0;
	calls->name = walk->leaf;
	walk->leaf[-1] = '\0';
	calls->directory = directories_get(worker->metadata->directories, worker, items->owner,
					   walk->position.tree * walk->at.tree->directories +
						   walk->position.directory,
					   false, walk->at.path, err);
	walk->leaf[-1] = '/';
	return calls->directory ? 0 : -1;
}

/* --- one operation -------------------------------------------------------------------------- */

static bool load_items_writes(enum operation operation)
{
	return operation == OPERATION_CREATE || operation == OPERATION_WRITE_FILE ||
	       operation == OPERATION_APPEND;
}

static bool load_items_compares(const struct load_item_calls *calls, enum operation operation)
{
	return operation == (calls->is_mix ? OPERATION_OPEN_CLOSE : OPERATION_READ_FILE) &&
	       calls->worker->trees->metadata->verify_read;
}

/* Makes the data of a write, or spoils the memory before a compared read. Returns if it did. */
static bool load_items_fill(struct load_item_calls *calls, const struct load_request *request)
{
	struct worker *worker = calls->worker;
	const struct metadata *test = worker->trees->metadata;
	/* Each file has content of its own. */
	const uint32_t number =
		(uint32_t)(calls->items->owner * worker->trees->tree.items + request->item);

	if (!worker->buffer.bytes)
		return false;
	if (load_items_compares(calls, request->operation))
		small_file_spoil(worker, number, worker->repetition, test->read_bytes);
	else if (load_items_writes(request->operation) && test->write_bytes)
		small_file_fill(worker, number, worker->repetition, test->write_bytes);
	else
		return false;
	return true;
}

static int rename_file(struct load_item_calls *calls, const struct load_request *request,
		       struct error *err)
{
	struct worker *worker = calls->worker;

	return worker->backend->rename(worker->session, NULL, calls->name, NULL,
				       name_of(&calls->new_files.walk, request->new_item), err);
}

/* A mix reads what it opens, where the test reads files. */
static enum item_call call_of(const struct load_item_calls *calls, enum operation operation)
{
	return operation == OPERATION_OPEN_CLOSE && !calls->is_mix
		       ? CALL_OPEN_CLOSE
		       : item_call_of(calls->worker->trees->metadata, operation);
}

static int load_items_call(struct load_item_calls *calls, const struct load_request *request,
			   struct error *err)
{
	const char *name = calls->name;
	struct worker *worker = calls->worker;
	const struct backend *backend = worker->backend;
	const struct metadata *test = worker->trees->metadata;

	switch (request->operation) {
	case OPERATION_ACCESS:
		return backend->access(worker->session, NULL, name, err);
	case OPERATION_CHMOD:
		return backend->chmod(worker->session, NULL, name, FILE_MODE, err);
	case OPERATION_TRUNCATE:
		return backend->truncate(worker->session, name, test->write_bytes, err);
	case OPERATION_READ_FILE:
		return small_file_read(worker, NULL, name, err);
	case OPERATION_WRITE_FILE:
	case OPERATION_RMW:
		return small_file_write(worker, name, request->operation == OPERATION_RMW, err);
	case OPERATION_APPEND:
		return small_file_append(worker, name, err);
	case OPERATION_FSYNC:
		return small_file_sync(worker, name, err);
	case OPERATION_RENAME:
		return rename_file(calls, request, err);
	default:
		return item_call_run(worker, call_of(calls, request->operation), calls->directory,
				     name, err);
	}
}

/* Counts a failure. Returns false if the load of this task is over. */
static bool goes_on_behind(struct load_loop *loop, const struct error *err)
{
	const enum operation operation = loop->next.operation;
	struct load_item_calls *calls = loop->items;
	struct worker *worker = loop->worker;
	const bool makes = operation == OPERATION_CREATE || operation == OPERATION_MKDIR;

	/* The task that owns the file may just have removed it. */
	if (calls->items == &calls->others && err->code == ENOENT) {
		worker->measure->mix_missed++;
		return true;
	}
	/* The item is missing, so it is taken as removed. */
	if ((operation == OPERATION_REMOVE || operation == OPERATION_RMDIR) && err->code == ENOENT)
		load_items_done(&loop->walk.items, operation);
	if (operation == OPERATION_CREATE && call_of(calls, operation) == CALL_CREATE)
		small_file_take_back(worker, calls->directory, calls->name, err);
	return tolerate(worker, calls->items->walk.at.path, operation_name(operation),
			makes ? CREATES_ITEM : CREATES_NOTHING, err);
}

int load_items_try(struct load_loop *loop, struct load_times *times, struct error *err)
{
	struct load_item_calls *calls = loop->items;
	struct worker *worker = loop->worker;
	const struct load_request *request = &loop->next;
	int ret = go_to(calls, request, err);
	const bool filled = load_items_fill(calls, request);

	times->issued_ns = clock_now(worker->clock);
	if (filled)
		loop->record.tally.content_ns += times->issued_ns - loop->now_ns;
	if (!ret)
		ret = load_items_call(calls, request, err);
	times->end_ns = clock_now(worker->clock);
	if (request->operation == OPERATION_LIST)
		calls->items->walk.leaf[-1] = '/';
	if (!ret && filled && load_items_compares(calls, request->operation))
		ret = small_file_compare(worker, worker->trees->metadata->read_bytes, err);
	return ret;
}

bool load_items_operate(struct load_loop *loop, uint64_t due_ns)
{
	struct worker *worker = loop->worker;
	struct load_times times;
	struct error err = {0};
	bool goes_on = true;

	if (load_items_try(loop, &times, &err)) {
		goes_on = goes_on_behind(loop, &err);
		loop->now_ns = clock_now(worker->clock);
	} else {
		load_items_done(&loop->walk.items, loop->next.operation);
		/* All operations of a mix are on items, so that the slowest one has a number. */
		loop->now_ns = (loop->items->is_mix ? load_record_add : load_record_add_item)(
			&loop->record, &loop->next, loop->paced ? due_ns : times.issued_ns,
			times.issued_ns, times.end_ns);
	}
	loop->has_next = false;
	atomic_store_explicit(&worker->node->own->operations, ++loop->done, memory_order_relaxed);
	return goes_on;
}
