/* The kinds of phase and their operations. One row of a table describes each kind of phase. */
#ifndef PATTERN_PHASE_H
#define PATTERN_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/backend.h"

enum phase_kind {
	PHASE_WRITE,
	PHASE_READ,
	PHASE_VERIFY,
	/* metadata phases; the order of phases on items is that of the strides, see plan.shifts */
	PHASE_TREE_CREATE,
	PHASE_DIR_CREATE,
	PHASE_DIR_STAT,
	PHASE_DIR_RENAME,
	PHASE_DIR_REMOVE,
	PHASE_FILE_CREATE,
	PHASE_FILE_STAT,
	PHASE_FILE_READ,
	PHASE_LIST,
	PHASE_FIND,
	PHASE_MIX,
	PHASE_FILE_REMOVE,
	PHASE_TREE_REMOVE,
	PHASE_LOAD,
	PHASE_KINDS
};

/* Kinds of operation of a phase. A measure has a record for each kind that can occur. */
enum operation {
	OPERATION_OPEN,
	OPERATION_DEFINE, /* part of the open: creates parts of the format, as datasets */
	OPERATION_WRITE,
	OPERATION_READ,
	OPERATION_SYNC,
	OPERATION_CLOSE,
	/* operations on metadata */
	OPERATION_MKDIR,
	OPERATION_RMDIR,
	OPERATION_CREATE,
	OPERATION_STAT,
	OPERATION_OPEN_CLOSE,
	OPERATION_REMOVE,
	OPERATION_RENAME,
	OPERATION_LIST,
	OPERATION_ACCESS,
	OPERATION_CHMOD,
	OPERATION_TRUNCATE,
	OPERATION_READ_FILE, /* this and the next ones: open, transfer or sync, and close */
	OPERATION_WRITE_FILE,
	OPERATION_APPEND,
	OPERATION_RMW,
	OPERATION_FSYNC,
	OPERATION_MIXED,	 /* all of a mix or load; also in the record of their own kind */
	OPERATION_RESPONSE,	 /* response time of an operation of a mix or load with a rate */
	OPERATION_READ_RECORDED, /* durations in a trace of the reads that a load replayed */
	OPERATION_WRITE_RECORDED,
	OPERATION_LATENESS, /* issue of an operation with a response time, after it was due */
	OPERATIONS
};

/* The workload of a phase. The engine has one table of functions for each (engine/core/work.h). */
enum phase_work {
	PHASE_WORK_DATA,     /* transfers between memory and files that stay open */
	PHASE_WORK_METADATA, /* one kind of operation on a tree's directories or files */
	PHASE_WORK_FIND,     /* a walk over trees */
	PHASE_WORK_LOAD,     /* several kinds of operation on files that stay open */
	PHASE_WORK_MIX,	     /* several kinds of operation on a tree's files */
	PHASE_WORKS
};

/* The unit that a phase's rate counts. */
enum amount {
	AMOUNT_BYTES,
	AMOUNT_OPERATIONS, /* those of phase_operation() that succeeded */
	AMOUNT_ENTRIES,	   /* directory entries that were read */
};

/* How far a stride has gone on in a phase: 0 creates, 1 stats, 2 reads, 3 removes. */
enum { STRIDES = 4 };

struct phase_traits {
	const char *name; /* in text, JSON and CSV */
	enum phase_work work;
	enum operation operation; /* its service times stand in the phase's row */
	enum amount amount;
	unsigned stride;
	bool of_files; /* a metadata phase on files, else on directories */
	bool creates_items;
	bool makes_entries;   /* a later find sees more entries */
	bool removes_entries; /* a later find sees fewer entries */
};

extern const struct phase_traits phase_traits[PHASE_KINDS];

struct phase_plan {
	enum phase_kind kind;
	enum access access;
	bool cold;	      /* caches are dropped before the phase */
	bool grown;	      /* the directories have held other items before */
	bool checks;	      /* every byte that is read is compared with what was written */
	uint64_t queue_depth; /* most operations in flight; 1: synchronous */
	char beside[80];      /* of a load that ends with these phases of other tests; or "" */
};

const char *operation_name(enum operation operation); /* "open", "write", … */

/* True for an operation on metadata, whose rows have the number of the item as offset. */
static inline bool operation_is_on_metadata(enum operation operation)
{
	return operation >= OPERATION_MKDIR;
}

/* True if operations of this kind are done, so that they have a count and a rate. */
static inline bool operation_has_rate(enum operation operation)
{
	return operation < OPERATION_RESPONSE;
}

/* True for times that no operation of a load stands for: of a trace's calls, and lateness. */
static inline bool operation_is_time_alone(enum operation operation)
{
	return operation > OPERATION_RESPONSE;
}

/* True if such an operation of the phase is on an item, and not at an offset of a file. */
static inline bool phase_has_items(enum phase_kind kind, enum operation operation)
{
	return operation_is_on_metadata(operation) &&
	       (kind != PHASE_LOAD || operation < OPERATION_MIXED);
}

static inline const char *phase_name(enum phase_kind kind)
{
	return phase_traits[kind].name;
}

static inline enum operation phase_operation(enum phase_kind kind)
{
	return phase_traits[kind].operation;
}

/* True if the phase moves data through files that it opens, syncs and closes around its transfers.
 */
static inline bool phase_moves_data(enum phase_kind kind)
{
	return phase_traits[kind].work == PHASE_WORK_DATA;
}

/* True if the phase belongs to a metadata test. */
static inline bool phase_is_metadata(enum phase_kind kind)
{
	return !phase_moves_data(kind) && phase_traits[kind].work != PHASE_WORK_LOAD;
}

/* True if the phase's rate counts the entries of directories that it read. */
static inline bool phase_counts_entries(enum phase_kind kind)
{
	return phase_traits[kind].amount == AMOUNT_ENTRIES;
}

static inline bool phase_creates_items(enum phase_kind kind)
{
	return phase_traits[kind].creates_items;
}

#endif
