/* How options are spelled for people; shared by all forms of help. */
#ifndef OPTIONS_DESCRIBE_H
#define OPTIONS_DESCRIBE_H

#include "base/text.h"
#include "options/option.h"
#include "options/vocabulary.h"

/*
 * The core's option tables for one kind of test, in the order of the documentation. They leave out
 * rows that the kind does not have, and have the letters of its dialect. Rows are copies, for
 * display only.
 */
struct core_tables {
	struct option_table tables[3];
	const struct option_table *list[3];
	size_t count;
};

void core_tables_init(struct core_tables *core, enum workload workload);
void core_tables_release(struct core_tables *core);

/* The heading of a row: "Options" if it has none or its backend's name. */
const char *describe_group(const struct option_table *table, const struct option *row);

/* "block_size", "posix.direct", "mpiio.hint.NAME". */
void describe_key(const struct option_table *table, const struct option *row, struct text *out);
/* "--block-size", "--posix.direct", "--mpiio.hint.NAME". */
void describe_flag(const struct option_table *table, const struct option *row, struct text *out);

/* Adds the text behind a flag: "=SIZE", "[=TOPIC]" or nothing. */
void describe_argument(const struct option *row, struct text *out);

#endif
