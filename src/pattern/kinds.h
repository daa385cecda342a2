/* The kinds of operation that a load can mix, as kinds of its deck. */
#ifndef PATTERN_KINDS_H
#define PATTERN_KINDS_H

#include <stdbool.h>

#include "pattern/phase.h"

enum load_kind {
	/* on the data files of the load, which stay open */
	LOAD_READ,
	LOAD_WRITE,
	LOAD_DATA_KINDS,
	/* on names and small files, the items of the load */
	LOAD_STAT = LOAD_DATA_KINDS,
	LOAD_ACCESS,
	LOAD_OPEN,
	LOAD_READ_FILE,
	LOAD_WRITE_FILE,
	LOAD_APPEND,
	LOAD_RMW,
	LOAD_TRUNCATE,
	LOAD_CHMOD,
	LOAD_FSYNC,
	LOAD_LIST,
	LOAD_CREATE,
	LOAD_UNLINK,
	LOAD_RENAME,
	LOAD_MKDIR,
	LOAD_RMDIR,
	LOAD_KINDS
};

extern const char *const load_kind_names[LOAD_KINDS]; /* "read", … */
enum operation load_operation(enum load_kind kind);

/* The durations that a trace has of a kind of operation on data files. */
static inline enum operation load_recorded(enum load_kind kind)
{
	return kind == LOAD_READ ? OPERATION_READ_RECORDED : OPERATION_WRITE_RECORDED;
}

static inline bool load_kind_is_on_items(enum load_kind kind)
{
	return kind >= LOAD_DATA_KINDS;
}

#endif
