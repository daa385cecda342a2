/*
 * A table with a row for each operation of a task, in a file per task: PREFIX.00000003.csv. Rows
 * are kept in memory. They are written between two calls when the table is full, and after the
 * phase.
 */
#ifndef ENGINE_CORE_OPERATION_TABLE_H
#define ENGINE_CORE_OPERATION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "measure/measure.h"

enum { OPERATION_ROWS = 1 << 16 };

/* Offset UINT64_MAX: the operation has no offset. */
struct operation_row {
	uint64_t start_ns, service_ns; /* start_ns: on this node's clock */
	uint64_t offset, length;
	enum operation operation;
	uint32_t file;
};

struct operation_table {
	int fd;
	char *path;
	bool headed;
	struct error err; /* first write error; nothing is written after it */
	struct text text;
	unsigned count;
	struct operation_row rows[OPERATION_ROWS];

	/* values for the rows to come */
	unsigned test, task;
	const char *phase;
	uint64_t repetition;
	uint32_t file;	   /* number of the file among the task's files */
	uint64_t since_ns; /* origin of the start times, on this node's clock */
};

/* Reports ERROR_INPUT if a file of that name must not be replaced; see base/result_file.h. */
int operation_table_check(const char *prefix, int rank, bool takes_any, struct error *err);

/*
 * Creates the file of a rank. keeps_older: an existing file is renamed. Returns NULL and
 * ERROR_INPUT on failure.
 */
struct operation_table *operation_table_open(const char *prefix, int rank, bool takes_any,
					     bool keeps_older, struct error *err);

/* Returns whether `rows` more rows fit; if not, operation_table_write() makes room. */
static inline bool operation_table_has_room(const struct operation_table *table, unsigned rows)
{
	return table->count + rows <= OPERATION_ROWS;
}

static inline void operation_table_add(struct operation_table *table, enum operation operation,
				       uint64_t start_ns, uint64_t end_ns, uint64_t offset,
				       uint64_t length)
{
	table->rows[table->count++] = (struct operation_row){
		.start_ns = start_ns,
		.service_ns = end_ns - start_ns,
		.offset = offset,
		.length = length,
		.operation = operation,
		.file = table->file,
	};
}

/* Writes the kept rows to the file. The first failure is kept for operation_table_close(). */
void operation_table_write(struct operation_table *table);

/*
 * Writes the rest, closes the file and frees the table. Returns -1 with the first failure. NULL is
 * allowed.
 */
int operation_table_close(struct operation_table *table, struct error *err);

#endif
