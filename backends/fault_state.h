/* Shared by the fault wrapper's files: its state, and the decision whether a call fails. */
#ifndef BACKENDS_FAULT_STATE_H
#define BACKENDS_FAULT_STATE_H

#include <stdalign.h>

#include "backends/backend.h"

enum fault_operation {
	FAULT_NONE,
	FAULT_ANY,
	FAULT_START,
	FAULT_STOP,
	FAULT_OPEN,
	FAULT_CLOSE,
	FAULT_SYNC,
	FAULT_SIZE,
	FAULT_TRUNCATE,
	FAULT_TRANSFER, /* reads and writes */
	FAULT_READ,
	FAULT_WRITE,
	FAULT_CREATE,
	FAULT_MKNOD,
	FAULT_STAT,
	FAULT_OPEN_CLOSE,
	FAULT_REMOVE,
	FAULT_RENAME,
	FAULT_MKDIR,
	FAULT_RMDIR,
	FAULT_LIST,
	FAULT_ACCESS,
	FAULT_CHMOD,
	FAULT_OPERATIONS
};

enum fault_kind {
	FAULT_FAIL,
	FAULT_STALL,
	FAULT_SHORT,
	FAULT_CORRUPT,
	FAULT_LOSE,
	FAULT_CRASH,
	FAULT_HALT,
	FAULT_NOTHING, /* no fault in this call; not an option */
};

struct backend_options {
	int operation; /* enum fault_operation */
	int kind;      /* enum fault_kind */
	const char *tasks;
	uint64_t after, count;
	const char *error;
	double stall;
};

/* Inner's own state lies behind each of these structs; `inner` points to it. */
struct backend_session {
	alignas(max_align_t) const struct backend *backend; /* the wrapped backend */
	struct backend_session *inner;
	const struct backend_options *options;
	bool started;		 /* inner has started */
	bool armed;		 /* this task has faults */
	int code;		 /* errno of calls that fail */
	uint64_t seen;		 /* calls of the chosen operation so far */
	struct fault_held *held; /* queued calls with work at completion: only transfers or
				    only metadata operations */
};

struct backend_file {
	alignas(max_align_t) struct backend_session *session;
	struct backend_file *inner;
	bool collective;
	enum access access;
};

struct backend_directory {
	alignas(max_align_t) struct backend_session *session;
	struct backend_directory *inner;
};

static inline struct backend_directory *fault_behind(const struct backend_directory *directory)
{
	return directory ? directory->inner : NULL;
}

static inline bool fault_is_transfer(enum fault_operation operation)
{
	return operation == FAULT_TRANSFER || operation == FAULT_READ || operation == FAULT_WRITE;
}

/* True if a fault changes data, false if a call fails, stalls or ends the process. */
static inline bool fault_changes_data(const struct backend_options *options)
{
	return options->kind == FAULT_SHORT || options->kind == FAULT_CORRUPT ||
	       options->kind == FAULT_LOSE;
}

/* fault_options.c: checks the options and sets `armed`. All tasks get the same error. */
int fault_arm(struct backend_session *session, const struct backend_start *start,
	      struct error *err);
const char *fault_operation_name(enum fault_operation operation);

/*
 * Counts a call. If its turn has come, stalls, crashes or halts at once. Returns the fault that the
 * caller must apply: FAULT_FAIL, FAULT_SHORT, FAULT_CORRUPT, FAULT_LOSE or FAULT_NOTHING.
 */
enum fault_kind fault_strike(struct backend_session *session, enum fault_operation operation);

/* True if the call must fail; *err is then set. */
bool fault_fails(struct backend_session *session, enum fault_operation operation,
		 struct error *err);

/* Sets *err to "write: Input/output error (asked for by fault.operation)" and returns -1. */
int fault_error(const struct backend_session *session, enum fault_operation operation,
		struct error *err);

static inline enum fault_operation fault_of_access(enum access access)
{
	return access == ACCESS_WRITE ? FAULT_WRITE : FAULT_READ;
}

/* Sets *shorter to the first half of transfer, in whole pages if possible. */
void fault_shorten(const struct transfer *transfer, struct transfer *shorter);

/* A copy of the transfer's buffer with one byte changed, to be freed; NULL with *err. */
void *fault_corrupted_copy(const struct transfer *transfer, struct error *err);
void fault_flip(void *buffer, uint64_t length);

/* The wrapper's metadata operations, and the queued ones: fault_metadata.c, fault_queue.c. */
void fault_wrap_metadata(const struct backend *inner, struct backend *wrapper);
void fault_wrap_queue(const struct backend *inner, struct backend *wrapper);
void fault_queue_release(struct fault_held **held);

#endif
