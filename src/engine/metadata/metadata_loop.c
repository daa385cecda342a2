/* The operations of a metadata phase, one after the other: a loop for each kind. */
#include "engine/metadata/metadata_loop.h"

#include <errno.h>
#include <string.h>

#include "engine/core/loop.h"
#include "engine/metadata/tolerate.h"

static inline __attribute__((always_inline)) int operate(const struct name_loop *loop,
							 const enum item_call call,
							 struct error *err)
{
	const struct naming *names = &loop->names;
	struct worker *worker = loop->worker;

	if (call == CALL_RENAME)
		return worker->backend->rename(worker->session, names->directory, names->name,
					       names->new_directory, names->new_name, err);
	return item_call_run(worker, call, names->directory, names->name, err);
}

/* Names the failed call. With data an operation is more than its name says. */
static const char *failed_call(const struct name_loop *loop)
{
	bool opens = loop->operation == OPERATION_OPEN_CLOSE;

	return opens && loop->worker->trees->metadata->read_bytes ? "read"
								  : operation_name(loop->operation);
}

static enum creates creates(const struct name_loop *loop)
{
	switch (loop->call) {
	case CALL_MKDIR:
		return loop->names.trees ? CREATES_TREE : CREATES_ITEM;
	case CALL_CREATE:
	case CALL_MKNOD:
	case CALL_CREATE_DATA:
		return CREATES_ITEM;
	default:
		return CREATES_NOTHING;
	}
}

/*
 * Explains an rmdir that fails because items unknown to this test lie in the tree, and says what to
 * do.
 */
static void metadata_loop_advise(const struct name_loop *loop, const struct error *err,
				 struct error *advised)
{
	const struct metadata *test = loop->worker->trees->metadata;

	*advised = *err;
	if (!loop->names.trees || (err->code != ENOTEMPTY && err->code != EEXIST) ||
	    loop->call != CALL_RMDIR || test->create)
		return;
	error_set(advised, err->code,
		  "%.200s; the directory has items that this test does not know, for example of "
		  "more tasks or of another -n: repeat with those options, or remove all that iorx "
		  "made with --cleanup=%.300s",
		  err->text, test->dir);
}

bool metadata_loop_tolerate(struct name_loop *loop, const char *path, const struct error *err)
{
	struct error advised;

	metadata_loop_advise(loop, err, &advised);
	return tolerate(loop->worker, path, failed_call(loop), creates(loop), &advised);
}

bool metadata_loop_failed(struct name_loop *loop, const char *path, bool tried,
			  const struct error *err)
{
	if (loop->call == CALL_CREATE && tried)
		small_file_take_back(loop->worker, NULL, path, err);
	return metadata_loop_tolerate(loop, path, err);
}

/* Counts a failure. Returns false if the phase of this task is over. */
static bool goes_on_behind(struct name_loop *loop, uint64_t at, int ret, const struct error *err)
{
	const char *path = loop->names.walk.at.path;
	bool goes_on = ret < 0 ? metadata_loop_failed(loop, path, loop->names.name, err)
			       : metadata_loop_tolerate(loop, path, err);

	return (loop->call != CALL_RENAME || naming_failed_rename(&loop->names, at)) && goes_on;
}

/* Each file has content of its own. */
static uint32_t metadata_loop_number_of(const struct name_loop *loop)
{
	return (uint32_t)(loop->names.owner * loop->worker->trees->tree.items +
			  loop->names.walk.index);
}

static uint64_t prepare_data(struct name_loop *loop, const enum item_call call)
{
	const struct metadata *test = loop->worker->trees->metadata;

	if (call == CALL_READ_COMPARED)
		small_file_spoil(loop->worker, metadata_loop_number_of(loop),
				 loop->names.repetition, test->read_bytes);
	else if (loop->worker->buffer.bytes && test->write_bytes)
		small_file_fill(loop->worker, metadata_loop_number_of(loop), loop->names.repetition,
				test->write_bytes);
	return clock_now(loop->worker->clock);
}

/*
 * One clock reading per operation: the end of one is the start of the next, plus the few ns for
 * making its name. Failed operations are in no histogram. Data is made and compared outside the
 * service time.
 */
static inline __attribute__((always_inline)) void run_once(struct name_loop *loop,
							   const enum item_call call)
{
	const bool makes = call == CALL_CREATE_DATA || call == CALL_READ_COMPARED;
	struct worker *worker = loop->worker;
	struct operation_record *record = measure_record(worker->measure, loop->operation);
	_Atomic uint64_t *const progress = &worker->node->own->operations;
	const struct clock clock = *worker->clock;
	struct tally tally = loop->tally;
	const uint64_t count = loop->count, before = tally.done - loop->done;
	struct error err = {0};
	uint64_t at = loop->done;
	const uint64_t start_ns = clock_now(&clock);
	uint64_t now_ns = start_ns;

	if (!loop->times.first_issue_ns)
		loop->times.first_issue_ns = now_ns;
	loop->left = true;
	while (at < count) {
		int ret = naming_go_to(&loop->names, at, call == CALL_RENAME, &err);

		if (makes) {
			uint64_t made_ns = prepare_data(loop, call);

			tally.content_ns += made_ns - now_ns;
			now_ns = made_ns;
		}
		if (__builtin_expect(!ret, 1))
			ret = operate(loop, call, &err);
		uint64_t end_ns = clock_now(&clock);

		if (call == CALL_READ_COMPARED && !ret)
			ret = small_file_compare(worker, worker->trees->metadata->read_bytes, &err);
		if (__builtin_expect(ret, 0)) {
			if (!goes_on_behind(loop, at, ret, &err)) {
				at += ret > 0;
				goto out;
			}
			now_ns = clock_now(&clock);
		} else {
			uint64_t next_ns = tally_add(worker, &tally, record, end_ns - now_ns,
						     end_ns, loop->names.walk.index);

			if (__builtin_expect(worker->table != NULL, 0) &&
			    loop_record_row(worker, loop->operation, now_ns, end_ns,
					    loop->names.walk.index, 0))
				next_ns = clock_now(&clock);
			if (call == CALL_READ_COMPARED) {
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
	loop->times.own_ns += now_ns - start_ns;
}

#define RUN(name, call)                          \
	static void name(struct name_loop *loop) \
	{                                        \
		run_once(loop, call);            \
	}

RUN(run_mkdir, CALL_MKDIR)
RUN(run_rmdir, CALL_RMDIR)
RUN(run_create, CALL_CREATE)
RUN(run_mknod, CALL_MKNOD)
RUN(run_create_data, CALL_CREATE_DATA)
RUN(run_stat, CALL_STAT)
RUN(run_open_close, CALL_OPEN_CLOSE)
RUN(run_read_data, CALL_READ_DATA)
RUN(run_read_compared, CALL_READ_COMPARED)
RUN(run_list, CALL_LIST)
RUN(run_remove, CALL_REMOVE)
RUN(run_rename, CALL_RENAME)

static void (*const runs[CALLS])(struct name_loop *) = {
	[CALL_MKDIR] = run_mkdir,
	[CALL_RMDIR] = run_rmdir,
	[CALL_CREATE] = run_create,
	[CALL_MKNOD] = run_mknod,
	[CALL_CREATE_DATA] = run_create_data,
	[CALL_STAT] = run_stat,
	[CALL_OPEN_CLOSE] = run_open_close,
	[CALL_READ_DATA] = run_read_data,
	[CALL_READ_COMPARED] = run_read_compared,
	[CALL_LIST] = run_list,
	[CALL_REMOVE] = run_remove,
	[CALL_RENAME] = run_rename,
};

void metadata_loop_run(struct name_loop *loop)
{
	runs[loop->call](loop);
}
