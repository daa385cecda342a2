/*
 * The common parts of the two loops of a load: the next request, when it is due, and what follows
 * an operation. Private to this folder.
 */
#ifndef ENGINE_LOAD_LOAD_LOOP_H
#define ENGINE_LOAD_LOAD_LOOP_H

#include "engine/core/loop.h"
#include "engine/data/transfer_loop.h"
#include "engine/load/load_record.h"

struct load_loop {
	struct worker *worker;
	struct load_walk walk;
	struct load_request next; /* valid if has_next */
	uint32_t first_file;	  /* number of the task's first file in the test */
	bool has_next;
	bool paced; /* requests have a moment at which they are due, whatever happens before */
	bool waits; /* no request is made before its moment: also with trace_pace=think */
	bool skips; /* a request that is late is left out */
	bool slept; /* this task slept until loop->next was due, so it is not late */
	bool compares;
	bool follows_up;     /* something follows each operation: load_loop_follow() */
	bool follows;	     /* the content of a write follows its pass */
	bool selects;	     /* writes need a content of their own: of their file or their pass */
	uint32_t repetition; /* of all content that does not follow the pass */
	uint32_t first_pass; /* added to the number of a pass; others in each phase and run */
	enum file_lock locks[2];	 /* around each read, and each write: enum access */
	bool pauses;			 /* a closed loop with pauses between operations */
	uint64_t sync_every, since_sync; /* writes; sync_every 0: no syncs */
	sync_operation *sync;
	uint64_t start_ns; /* zero of the due moments, on this node's clock */
	/*
	 * A schedule with a limit of operations, from start_ns on: the moments when its last gap
	 * ends, and when this task's next operation would be due. 0: no such schedule.
	 */
	uint64_t schedule_end_ns, schedule_next_ns;
	uint64_t now_ns;
	/* trace_pace=think: how late the last request was, less the time on content so far */
	uint64_t behind_ns;
	uint64_t done;	  /* operations, in the window or not */
	struct error err; /* of a failed call; kept here, as clearing it per call costs 20 ns */
	struct load_record record;
	struct load_item_calls *items; /* NULL: no operations on items */
};

typedef void load_runner(struct load_loop *loop);

load_runner load_synchronous_run; /* one operation at a time */
load_runner load_queued_run;	  /* up to queue_depth in flight */

/*
 * As loop_poll() and loop_sleep_until(). The measured window ends earlier if the first task asks
 * for it.
 */
bool load_loop_poll(struct load_loop *loop);
void load_loop_sleep_until(struct load_loop *loop, uint64_t due_ns);

/* Records that the task slept until loop->next was due, if that is an operation of the load. */
static inline void load_loop_wake_up(struct load_loop *loop, uint64_t due_ns)
{
	if (loop->paced && loop->next.operation != OPERATION_SYNC)
		load_record_wake_up(&loop->record, due_ns, loop->now_ns);
}

/* Makes loop->next valid. Returns false if the walk is over. */
static inline bool load_loop_peek(struct load_loop *loop)
{
	if (!loop->has_next)
		loop->has_next = load_next(&loop->walk, &loop->next);
	return loop->has_next;
}

/* The moment at which loop->next is due, on this node's clock; now in a closed loop. */
static inline uint64_t load_loop_due(const struct load_loop *loop)
{
	return loop->waits ? loop->start_ns + loop->next.due_ns : loop->now_ns;
}

/* Leaves out loop->next if it is late. Returns true if it did: for load_loop_is_on_time() only. */
bool load_loop_skips_late(struct load_loop *loop);

/* Returns true if loop->next may be issued now: requests that are late may be left out. */
static inline bool load_loop_is_on_time(struct load_loop *loop)
{
	return !loop->skips || !load_loop_skips_late(loop);
}

/* Completes *transfer for a request. */
static inline void load_loop_transfer(const struct load_loop *loop,
				      const struct load_request *request, void *buffer,
				      struct transfer *transfer)
{
	*transfer = (struct transfer){
		.file = worker_file(loop->worker, request->file),
		.buffer = buffer,
		.offset = request->offset,
		.length = request->length,
		.block = loop->worker->task,
		.count = 1,
		.access = access_of(request->operation),
	};
}

/* Makes the data of a write, or spoils the memory before a compared read. True if it did. */
bool load_loop_fill(struct load_loop *loop, const struct load_request *request,
		    const struct transfer *transfer);

/*
 * True if loop->next must wait for the operations in flight: with content that follows the pass, a
 * block is read in a pass behind the one that wrote it.
 */
static inline bool load_loop_begins_pass(const struct load_loop *loop, uint64_t pass)
{
	return loop->follows && loop->next.pass != pass;
}

/* Call before a call that failed or was short is handled: messages name the file of the request. */
void load_loop_name_file(struct load_loop *loop, const struct load_request *request);

/*
 * Compares a read, or syncs behind a write, where the test asks for it, and notes how long a call
 * took when its trace was recorded: for load_loop_after() only.
 */
bool load_loop_follow(struct load_loop *loop, const struct load_request *request,
		      const struct transfer *transfer, uint64_t due_ns);

/* The fdatasync of a backend that has one, where it is wanted; else its fsync. */
static inline sync_operation *load_loop_sync_operation(const struct backend *backend,
						       bool only_data)
{
	return only_data && backend->sync_data ? backend->sync_data : backend->sync;
}

/* Makes the fsync loop->next, which a trace asks for. Returns false if the load must end. */
bool load_loop_sync(struct load_loop *loop);

/*
 * Notes the progress, and does what follows. due_ns: the moment by which the operation counts, as
 * in load_record_add(). Returns false if the load must end.
 */
static inline bool load_loop_after(struct load_loop *loop, const struct load_request *request,
				   const struct transfer *transfer, uint64_t due_ns)
{
	atomic_store_explicit(&loop->worker->node->own->operations, ++loop->done,
			      memory_order_relaxed);
	return !loop->follows_up || load_loop_follow(loop, request, transfer, due_ns);
}

/*
 * Sleeps as long as the closed loop pauses after the operations from number `before` on. A trace
 * that thinks says itself when its next request is due, once it knows that the last one is done.
 */
void load_loop_pause(struct load_loop *loop, uint64_t before);

/*
 * Records the requests that were due before the end of the window and were not issued. Where a
 * limit of bytes ended the load, counts those beyond it that were due before the last issue.
 */
void load_loop_count_unfinished(struct load_loop *loop);

#endif
