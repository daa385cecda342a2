/* How options are spelled for people; shared by all forms of help. */
#ifndef OPTIONS_DESCRIBE_H
#define OPTIONS_DESCRIBE_H

#include "base/text.h"
#include "options/option.h"
#include "options/vocabulary.h"

#define GROUPS_MAX 32

/*
 * The core's tables as one kind of test has them, in the order in which people read them: without the
 * rows it has no use for, with the letters its dialect gives them. Rows are copies, for showing only.
 */
struct core_tables {
	struct option_table tables[3];
	const struct option_table *list[3];
	size_t count;
};

void core_tables_init(struct core_tables *core, enum workload workload);
void core_tables_release(struct core_tables *core);

/* The headings of the rows, each once, in the order in which they appear; returns how many. */
size_t describe_groups(const struct option_table *const *tables, size_t count,
		       const char *groups[GROUPS_MAX]);
/* The heading of a row; rows without one, or with their backend's name, are under "Options". */
const char *describe_group(const struct option_table *table, const struct option *row);

/* "block_size", "posix.direct", "mpiio.hint.NAME". */
void describe_key(const struct option_table *table, const struct option *row, struct text *out);
/* "--block-size", "--posix.direct", "--mpiio.hint.NAME". */
void describe_flag(const struct option_table *table, const struct option *row, struct text *out);

/* What follows the flag: "=SIZE", "[=TOPIC]", or nothing. */
void describe_argument(const struct option *row, struct text *out);

/* The names of a choice with this between them. */
void describe_choices(const struct option *row, const char *between, struct text *out);

/* The default worth telling: NULL for flags that are off, for 0 and for what is unset. */
const char *describe_default(const struct option *row);

/* True when the value is the name of a file. */
bool describe_is_file(const struct option *row);

#endif
