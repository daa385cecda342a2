/* One task's hands: everything a phase needs, and nothing static, so that several may exist. */
#ifndef ENGINE_CORE_WORKER_H
#define ENGINE_CORE_WORKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "backends/backend.h"
#include "base/clock.h"
#include "comm/crew.h"
#include "comm/node.h"
#include "comm/stop.h"
#include "content/content.h"
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

enum { TOUCHED_FILES = 16 };

struct data_state;
struct metadata_state;

struct worker {
	/* who and where */
	const struct crew *crew; /* the test's tasks */
	const struct crew *set;  /* those of all tests that run at the same time; crew where it is alone */
	struct node *node;
	const struct idle *idle; /* run while waiting: forwards stop requests */
	uint32_t task;
	uint32_t rank;      /* in the whole job */
	uint32_t node_number; /* in the whole job */
	const char *host;
	struct clock *clock;

	/* what */
	const struct plan *plan;
	const struct backend *backend;
	struct backend_session *session;
	struct session_state state;
	struct backend_file *file; /* the room for it */
	struct content_buffer buffer; /* with a queue one for each slot; no bytes: none are needed */
	uint64_t buffer_step;         /* from one slot's to the next */
	struct operation_table *table; /* NULL: none is wanted */
	uint64_t origin_ns; /* its times count from here, on the common axis */
	void *ballast; /* ballast.c's, NULL: none */
	uint64_t ballast_size;
	double stamp_ns; /* what stamping one transfer costs, measured when the buffers were made */
	struct content content; /* of the file that is written or read */
	uint64_t seed;
	uint64_t deadline_ns;   /* on this node's clock; UINT64_MAX: none */

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
	char path[PLAN_PATH_SIZE];
	uint64_t poll_at_ns;
	uint64_t until_ns;      /* no transfer is issued from then on; UINT64_MAX: no limit */
	uint64_t wall_ns;       /* what was issued before the time was up had completed */
	uint64_t slices_ns;     /* of the phase's timeline, on this node's clock: all are about to begin */
	uint64_t alignment;     /* of the phase's file, a power of two: what lies across is counted */
	struct touched touched[TOUCHED_FILES];
	unsigned touched_next;  /* room that is used again next */
	struct start start;

	/* what each workload keeps for itself; of the whole test */
	struct data_state *data;
	struct metadata_state *metadata;
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

/* What direct I/O needs for the transfers of this task. */
int worker_find_alignment(struct worker *worker, struct backend_alignment *alignment, struct error *err);
/* ERROR_INPUT that names the option if transfers of this size do not fit to it. */
int worker_check_alignment(const struct worker *worker, const struct backend_alignment *alignment,
			   const char *option, uint64_t size, struct error *err);

/* Page-aligned (or more), touched, so that no page fault falls into a phase. */
int worker_buffers(struct worker *worker, struct error *err);
void worker_release_buffers(struct worker *worker);

#endif
