/* How options are spelled for people; shared by all forms of help. */
#ifndef OPTIONS_DESCRIBE_H
#define OPTIONS_DESCRIBE_H

#include "base/text.h"
#include "options/option.h"
#include "options/vocabulary.h"

#define GROUPS_MAX 32

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

/* Lists the headings of the rows, each once, in order of appearance. Returns their number. */
size_t describe_groups(const struct option_table *const *tables, size_t count,
		       const char *groups[GROUPS_MAX]);
/* The heading of a row: "Options" if it has none or its backend's name. */
const char *describe_group(const struct option_table *table, const struct option *row);

/* "block_size", "posix.direct", "mpiio.hint.NAME". */
void describe_key(const struct option_table *table, const struct option *row, struct text *out);
/* "--block-size", "--posix.direct", "--mpiio.hint.NAME". */
void describe_flag(const struct option_table *table, const struct option *row, struct text *out);

/* Adds the text behind a flag: "=SIZE", "[=TOPIC]" or nothing. */
void describe_argument(const struct option *row, struct text *out);

/* Adds the names of a choice, separated by `between`. */
void describe_choices(const struct option *row, const char *between, struct text *out);

/* The default that help shows; NULL for flags that are off, for 0 and for unset values. */
const char *describe_default(const struct option *row);

/* True if the value is the name of a file. */
bool describe_is_file(const struct option *row);

#endif
