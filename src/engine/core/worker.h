/* One task's hands: everything a phase needs, and nothing static, so that several may exist. */
#ifndef ENGINE_CORE_WORKER_H
#define ENGINE_CORE_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "backends/backend.h"
#include "base/clock.h"
#include "comm/comm.h"
#include "comm/node.h"
#include "comm/stop.h"
#include "content/content.h"
#include "engine/data/queue.h"
#include "engine/metadata/names_queue.h"
#include "engine/core/operation_table.h"
#include "engine/core/start.h"
#include "measure/failure.h"
#include "measure/measure.h"
#include "measure/task_row.h"
#include "plan/plan.h"

/* How the session was started; lives as long as it. */
struct session_state {
	struct backend_start start, inner_start;
	struct backend wrapper; /* the fault wrapper, when faults were asked for */
	bool entered;           /* start was called, successful or not: stop must follow */
};

/* What a task last did to a file. */
struct touched {
	bool known;
	uint64_t path; /* hashed */
	enum access access;
};

/* Calls on files with data as items, in this phase; others than whole ones are in the counters at once. */
struct small_calls {
	uint64_t whole[ACCESS_COUNT]; /* each moved a whole file at once */
	uint64_t syncs, turns;        /* turns: reads of what was just written */
};

/* Device and inode tell a file from all others that a node sees at the same time. */
struct file_identity {
	bool known;
	dev_t device;
	uint64_t inode;
};

enum { TOUCHED_FILES = 16 };

struct directories;
struct find;

struct worker {
	/* who and where */
	const struct comm *comm; /* the test's tasks */
	struct node *node;
	const struct idle *idle; /* run while waiting: forwards stop requests */
	uint32_t task;
	uint32_t rank;      /* in the whole job */
	uint32_t node_number;
	const char *host;
	struct clock *clock;

	/* what */
	const struct plan *plan;
	const struct backend *backend;
	struct backend_session *session;
	struct session_state state;
	struct backend_file *file; /* the room for it */
	bool file_entered;         /* open was called, successful or not: close must follow */
	bool file_open;            /* and it can be used */
	bool has_witness;          /* see engine/data/witness.h */
	int witness;               /* its descriptor */
	struct file_identity opened_file; /* of the file that this phase opened */
	struct file_identity own_file;    /* of the file that this repetition wrote */
	bool replaced;               /* another program took its name, and that was told */
	struct content_buffer buffer; /* with a queue one for each slot; no bytes: none are needed */
	uint64_t buffer_step;         /* from one slot's to the next */
	struct queue *queue;  /* NULL: one transfer at a time */
	struct names_queue *names; /* NULL: one operation on names at a time */
	struct operation_table *table; /* NULL: none is wanted */
	const char *spares_foreign;    /* of the test's spec */
	uint64_t origin_ns; /* its times count from here, on the common axis */
	void *ballast; /* ballast.c's, NULL: none */
	uint64_t ballast_size;
	double stamp_ns; /* what stamping one transfer costs, measured when the buffers were made */
	struct content content; /* of the file that is written or read */
	uint64_t seed;
	uint64_t deadline_ns;   /* on this node's clock; UINT64_MAX: none */
	bool made_file;         /* this run made or opened the file of this repetition to write */
	bool must_be_new;       /* nothing had that name: the next open makes it, or fails */
	bool made_directory;
	uint64_t test_directories; /* metadata: of this repetition's, those this run made or found empty */
	bool found_file;        /* use_existing_test_file met it: it is somebody's and stays */
	bool used_empty;        /* the file was there, empty, and is left so: it may carry striping */

	/* how it goes */
	struct stop stop;
	struct measure *measure;
	struct failure failure; /* the first */
	struct task_row row;    /* of the phase that ran last */
	uint64_t available;     /* transfers of the order that a phase may move */
	uint64_t written;       /* that this task wrote last; of all tasks: */
	uint64_t least_written, most_written;
	uint64_t status;        /* transfers, or items, of each task by a status file that was read; 0: none */
	uint64_t repetition;    /* of the phase */
	bool writes;            /* the phase does */
	bool stopped;           /* left a loop on a stop request */
	bool time_is_up;        /* left a loop at until_ns */
	bool left_open;         /* a file that the backend's library cannot close */
	bool learned;           /* content's seed and repetition come from the data, in this phase */
	uint64_t wrong_bytes;   /* this task found in this phase */
	struct small_calls small;
	uint64_t made[2];       /* items, by enum item_kind, that it made in this repetition */
	bool incomplete;        /* a phase could not make all of its items: the repetition has failed */
	bool met_others;        /* as somebody else's file had the name of one to be made */
	struct failure odd;     /* the first operation on names that failed, and was only counted */
	struct find *find;      /* of the phase that is one */
	uint64_t own_files, other_files; /* of a mixed phase: its own, and of the task whose files it looks at */
	uint64_t entries_there; /* made less removed by this task in this repetition: a part of all tasks' sum */
	struct directories *directories; /* held open in this phase; NULL: whole paths are given */
	char path[PLAN_PATH_SIZE];
	uint64_t poll_at_ns;
	uint64_t until_ns;      /* no transfer is issued from then on; UINT64_MAX: no limit */
	uint64_t wall_ns;       /* what was issued before the time was up had completed */
	uint64_t slices_ns;     /* of the phase's timeline, on this node's clock: all are about to begin */
	uint64_t alignment;     /* of the phase's file, a power of two: what lies across is counted */
	struct touched touched[TOUCHED_FILES];
	unsigned touched_next;  /* room that is used again next */
	uint64_t pause_ns;      /* between two transfers */
	struct start start;
	uint64_t missing;       /* bytes behind the file's end, of a read that is compared */
	struct damage damage;   /* the range that what follows may join; length 0: none */
};

/* Notes the first failure with its place and asks the others to stop; offset UINT64_MAX: none. */
void worker_fail(struct worker *worker, const struct error *error, const char *operation,
		 uint64_t offset, uint64_t length);

/* Makes a failure out of an error of worker->path, and nothing else. */
void worker_note(const struct worker *worker, struct failure *failure, const struct error *error,
		 const char *operation, uint64_t offset, uint64_t length);

static inline bool worker_failed(const struct worker *worker)
{
	return worker->failure.error.kind != ERROR_NONE;
}

/* The transfers or items of a task that are there: as planned, or fewer by a status file. */
static inline uint64_t worker_known(const struct worker *worker, uint64_t planned)
{
	return worker->status && worker->status < planned ? worker->status : planned;
}

/* How worker->path is opened by this task alone, with the plan's layout; it must be there. */
struct backend_open worker_open(const struct worker *worker, enum access access);

/* The same as in the phase: together with those that share it, to move `source`'s blocks. */
struct backend_open worker_open_shared(const struct worker *worker, enum access access,
				       uint32_t source);

/* Adds this node's clock offset at that moment. */
uint64_t worker_common_ns(const struct worker *worker, uint64_t at_ns);

/* Touches nothing: whether the transfers fit to what direct I/O needs, else ERROR_INPUT. */
int worker_check_alignment(struct worker *worker, struct error *err);
/* The same for whether the backend can have the files of all phases so. */
int worker_check_layout(struct worker *worker, struct error *err);

/* Page-aligned (or more), touched, so that no page fault falls into a phase. */
int worker_buffers(struct worker *worker, struct error *err);
void worker_release_buffers(struct worker *worker);

#endif
