/*
 * The worker: everything one task needs for a phase. Nothing is static, so that several may exist.
 */
#ifndef ENGINE_CORE_WORKER_H
#define ENGINE_CORE_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "backends/backend.h"
#include "base/clock.h"
#include "comm/crew.h"
#include "comm/node.h"
#include "comm/post.h"
#include "comm/relay.h"
#include "comm/stop.h"
#include "content/content.h"
#include "engine/core/operation_table.h"
#include "engine/core/start.h"
#include "measure/failure.h"
#include "measure/measure.h"
#include "measure/task_row.h"
#include "plan/plan.h"

/* How the session was started. Valid as long as the session. */
struct session_state {
	struct backend_start start, inner_start;
	struct backend wrapper; /* the fault wrapper, when faults were asked for */
	bool entered;		/* start was called, even if it failed: stop must follow */
};

/* Last access of a task to a file. */
struct touched {
	bool known;
	uint64_t path; /* hash of the path */
	enum access access;
};

enum { TOUCHED_FILES = 16 };

struct data_state;
struct load_left;
struct load_replay;
struct metadata_state;

struct worker {
	/* who and where */
	const struct crew *crew; /* the test's tasks */
	const struct crew *set;	 /* tasks of all tests that run at the same time; may equal crew */
	struct node *node;
	const struct idle *idle; /* run while waiting: forwards stop requests */
	struct relay *relay;	 /* of interval rows; NULL: the test has none */
	struct post *post;	 /* of the rows of a set; NULL: the test runs alone */
	bool gated; /* a load of the set ends with the phases of the other tests, by this gate: */
	struct gate gate;
	uint32_t task;
	uint32_t rank;	      /* in the whole job */
	uint32_t node_number; /* in the whole job, as all that is measured names nodes */
	const char *host;
	struct clock *clock;

	/* what */
	const struct plan *plan;
	const struct plan *trees; /* of the plan's trees, or of those of a load's items; or NULL */
	const struct backend *backend;
	struct backend_session *session;
	struct session_state state;
	char *files;		       /* memory for the backend's files, plan->own_files */
	size_t file_step;	       /* bytes from one of them to the next */
	struct backend_file *file;     /* the current one of them */
	struct backend_file *item;     /* memory for an item's file; may be the same */
	struct content_buffer buffer;  /* one per queue slot; bytes NULL: no buffers needed */
	uint64_t buffer_step;	       /* distance between two slots' buffers */
	struct operation_table *table; /* NULL: not wanted */
	uint64_t origin_ns;	       /* zero of the table's times, on the common axis */
	void *memory_hog;	       /* mapping of memory_hog.c; NULL: none */
	uint64_t memory_hog_size;
	double stamp_ns;	/* cost of stamping one transfer, measured with the buffers */
	struct content content; /* content of the file that is written or read */
	bool spares_private;	/* a job file names content_file, which must not be private */
	bool copies_private;	/* content_file is private, and so must be the files written */
	uint64_t seed;
	uint64_t deadline_ns; /* on this node's clock; UINT64_MAX: none */

	/* how it goes */
	struct stop stop;
	struct measure *measure;
	struct failure failure; /* first failure of this task */
	struct task_row row;	/* of the last phase */
	uint64_t available;	/* transfers of the order that a phase may move */
	uint64_t written;	/* transfers that this task wrote last; extremes over all tasks: */
	uint64_t least_written, most_written;
	uint64_t status;     /* transfers or items of each task by status_file; 0: none read */
	uint64_t repetition; /* current repetition */
	bool writes;	     /* the phase writes */
	bool stopped;	     /* left a loop on a stop request */
	bool time_is_up;     /* left a loop at until_ns */
	bool ends_early;     /* until_ns is a moment that other tasks gave */
	bool beside;	     /* the phase ends when the gate opens */
	bool whole;	     /* all tasks of the test ended the phase well, before any stop */
	bool left_open;	     /* a file that the backend's library cannot close */
	/* content's seed and repetition come from the data, in this phase */
	bool learned;
	char path[PLAN_PATH_SIZE];
	uint64_t poll_at_ns;
	uint64_t until_ns;    /* no transfer is issued after it; UINT64_MAX: no limit */
	uint64_t cooldown_ns; /* of a load, between its measured time and until_ns */
	uint64_t wall_ns;     /* all transfers issued before until_ns were complete */
	uint64_t slices_ns;   /* zero of the phase's timeline, on this node's clock */
	uint64_t alignment;   /* of the phase's file, a power of two; counts misaligned calls */
	struct touched touched[TOUCHED_FILES];
	unsigned touched_next; /* entry to reuse next */
	struct start start;

	/* states of the workloads, for the whole test */
	struct data_state *data;
	struct metadata_state *metadata;
	struct load_replay *replay; /* the trace that a load replays, while a phase does; or NULL */
	struct load_left *load;
};

/*
 * Notes the first failure with its location and asks the others to stop; offset UINT64_MAX: none.
 */
void worker_fail(struct worker *worker, const struct error *error, const char *operation,
		 uint64_t offset, uint64_t length);

/* Fills *failure from an error of a path. Has no other effect. */
void worker_note(const struct worker *worker, const char *path, struct failure *failure,
		 const struct error *error, const char *operation, uint64_t offset,
		 uint64_t length);

/* The backend's file number `number`, 0 .. own_files-1. */
static inline struct backend_file *worker_file(const struct worker *worker, uint32_t number)
{
	return (struct backend_file *)(void *)(worker->files + number * worker->file_step);
}

static inline bool worker_failed(const struct worker *worker)
{
	return worker->failure.error.kind != ERROR_NONE;
}

/* Number of transfers or items that a task has: as planned, or fewer by a status file. */
static inline uint64_t worker_known(const struct worker *worker, uint64_t planned)
{
	return worker->status && worker->status < planned ? worker->status : planned;
}

/*
 * Open parameters for worker->path by this task alone, with the plan's layout. The file must exist.
 */
struct backend_open worker_open(const struct worker *worker, enum access access);

/*
 * Open parameters as in the phase: together with the tasks that share the file, to move `source`'s
 * blocks.
 */
struct backend_open worker_open_shared(const struct worker *worker, enum access access,
				       uint32_t source);

/* Converts a time of this node's clock to the common axis. */
uint64_t worker_common_ns(const struct worker *worker, uint64_t at_ns);
/* Converts a moment near now from the common axis to this node's clock. */
uint64_t worker_own_ns(const struct worker *worker, uint64_t common_ns);

/*
 * Finds the alignment that the backend needs for this task's transfers, for instance with direct
 * I/O.
 */
int worker_find_alignment(struct worker *worker, struct backend_alignment *alignment,
			  struct error *err);
/* Reports ERROR_INPUT that names `option` if `size` does not fit the alignment. */
int worker_check_alignment(const struct worker *worker, const struct backend_alignment *alignment,
			   const char *option, uint64_t size, struct error *err);

/* Allocates page-aligned buffers and touches them, so that no page fault falls into a phase. */
int worker_buffers(struct worker *worker, struct error *err);
void worker_release_buffers(struct worker *worker);

#endif
