/* A table with a row for each operation of a task. */
#include "engine/core/operation_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/result_file.h"

/* Tables of earlier versions have no column for the file. */
static const char head[] = "test,phase,repetition,task,operation,offset_bytes,length_bytes,start_s,"
			   "service_ns";

static bool operation_table_is_ours(int fd)
{
	char line[sizeof(head)];

	return !strncmp(result_file_line(fd, line, sizeof(line)), head, sizeof(head) - 1);
}

static char *name_of(const char *prefix, int rank)
{
	struct text path = {0};

	text_add(&path, "%s.%08d.csv", prefix, rank);
	return path.bytes;
}

static struct result_file result_file_of(const char *path, bool takes_any)
{
	return (struct result_file){.key = "operation_tables",
				    .path = path,
				    .is_ours = operation_table_is_ours,
				    .takes_any = takes_any,
				    .opens_late = true};
}

int operation_table_check(const char *prefix, int rank, bool takes_any, struct error *err)
{
	char *path = name_of(prefix, rank);
	const struct result_file file = result_file_of(path, takes_any);
	int ret = result_file_check(&file, err);

	free(path);
	return ret;
}

struct operation_table *operation_table_open(const char *prefix, int rank, bool takes_any,
					     bool keeps_older, struct error *err)
{
	struct operation_table *table = memory_allocate(1, sizeof(*table));
	struct result_file file;

	table->path = name_of(prefix, rank);
	table->task = (unsigned)rank;
	/* Touching all rows now avoids page faults in a phase. */
	memset(table->rows, 0xff, sizeof(table->rows));
	file = result_file_of(table->path, takes_any);
	file.keeps_older = keeps_older;
	table->fd = result_file_open(&file, 0666, err);
	if (table->fd >= 0)
		return table;
	free(table->path);
	free(table);
	return NULL;
}

static void operation_table_put(struct operation_table *table)
{
	const char *at = table->text.bytes;
	size_t left = table->text.length;

	while (left && table->err.kind == ERROR_NONE) {
		ssize_t put = write(table->fd, at, left);

		if (put < 0 && errno != EINTR)
			error_set(&table->err, errno,
				  "operation_tables: %.300s cannot be written: %s; it is not "
				  "complete",
				  table->path, strerror(errno));
		if (put > 0) {
			at += put;
			left -= (size_t)put;
		}
	}
	text_clear(&table->text);
}

static void format(struct operation_table *table, const struct operation_row *row)
{
	double start = (double)(int64_t)(row->start_ns - table->since_ns) / 1e9;

	text_add(&table->text, "%u,%s,%" PRIu64 ",%u,%s,", table->test, table->phase,
		 table->repetition, table->task, operation_name(row->operation));
	if (row->offset != UINT64_MAX)
		text_add(&table->text, "%" PRIu64 ",%" PRIu64, row->offset, row->length);
	else
		text_add(&table->text, ",");
	text_add(&table->text, ",%.9f,%" PRIu64 ",%" PRIu32 "\n", start, row->service_ns,
		 row->file);
}

void operation_table_write(struct operation_table *table)
{
	enum { AT_A_TIME = 1 << 20 };

	if (!table->headed)
		text_add(&table->text, "%s,file\n", head);
	table->headed = true;
	for (unsigned i = 0; i < table->count; i++) {
		format(table, &table->rows[i]);
		if (table->text.length > AT_A_TIME)
			operation_table_put(table);
	}
	table->count = 0;
	operation_table_put(table);
}

int operation_table_close(struct operation_table *table, struct error *err)
{
	int ret = 0;

	if (!table)
		return 0;
	operation_table_write(table);
	if (close(table->fd) && table->err.kind == ERROR_NONE)
		error_set(&table->err, errno, "operation_tables: %.300s: close: %s", table->path,
			  strerror(errno));
	if (table->err.kind != ERROR_NONE) {
		*err = table->err;
		ret = -1;
	}
	text_release(&table->text);
	free(table->path);
	free(table);
	return ret;
}
