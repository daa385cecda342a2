/*
 * A table with a row for each operation of a task, in a file of its own: PREFIX.00000003.csv. Rows are
 * kept in memory and written when it is full, between two calls, and when the phase is over.
 */
#ifndef ENGINE_CORE_OPERATION_TABLE_H
#define ENGINE_CORE_OPERATION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "measure/measure.h"

enum { OPERATION_ROWS = 1 << 16 };

/* Offset UINT64_MAX: an operation that has none. */
struct operation_row {
	uint64_t start_ns, service_ns; /* start: on this node's clock */
	uint64_t offset, length;
	enum operation operation;
};

struct operation_table {
	int fd;
	char *path;
	bool headed;
	struct error err; /* the first; nothing is written after it */
	struct text text;
	unsigned count;
	struct operation_row rows[OPERATION_ROWS];

	/* of the rows to come */
	unsigned test, task;
	const char *phase;
	uint64_t repetition;
	uint64_t since_ns; /* what starts are counted from, on this node's clock */
};

/* ERROR_INPUT if a file of that name is there that must not be replaced; see base/result_file.h. */
int operation_table_check(const char *prefix, int rank, bool takes_any, struct error *err);

/* The file of a rank, made anew; NULL and ERROR_INPUT when it cannot be. */
struct operation_table *operation_table_open(const char *prefix, int rank, bool takes_any,
					     struct error *err);

/* Whether there is room for so many; if not, operation_table_write() makes it. */
static inline bool operation_table_has_room(const struct operation_table *table, unsigned rows)
{
	return table->count + rows <= OPERATION_ROWS;
}

static inline void operation_table_add(struct operation_table *table, enum operation operation,
				       uint64_t start_ns, uint64_t end_ns, uint64_t offset,
				       uint64_t length)
{
	table->rows[table->count++] = (struct operation_row){start_ns, end_ns - start_ns, offset,
							     length, operation};
}

/* What is kept, to the file; a failure is kept. */
void operation_table_write(struct operation_table *table);

/* Frees it. -1 with the first failure. NULL is none. */
int operation_table_close(struct operation_table *table, struct error *err);

#endif
