/*
 * Options are declared once: one typed row gives the command-line flag, the key of job files, its
 * other names, default, unit, range, help, man page, completion, echo in JSON and validation.
 *
 * A row names a struct member through _Generic and offsetof, so a row of the wrong type does not
 * compile. Rows are written with the macros below, in the tables test_options.c, run_options.c and
 * one table in each backend.
 */
#ifndef OPTIONS_OPTION_H
#define OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum option_type {
	OPTION_SIZE,	/* uint64_t bytes */
	OPTION_COUNT,	/* uint64_t */
	OPTION_INTEGER, /* int64_t */
	OPTION_LEVEL,	/* unsigned; the flag may be repeated and counts up, a value sets it */
	OPTION_SECONDS, /* double */
	OPTION_SHARE,	/* double; written "5%" or 0.05 */
	OPTION_RATE,	/* double; per second */
	OPTION_SPEED,	/* double; bytes per second */
	OPTION_BOOL,	/* bool; the bare flag sets it */
	OPTION_STRING,	/* const char *, NULL while unset and without a default; owned by the set */
	OPTION_CHOICE,	/* int, index into choices */
	OPTION_PAIRS,	/* const char *, lines "name=value\n", NULL when none; owned by the set */
};

/*
 * The workload of a test: data of files, metadata of files and directories, or a load, which is a
 * mix of operations for a given time.
 */
enum workload { WORKLOAD_DATA, WORKLOAD_METADATA, WORKLOAD_LOAD };
enum { WORKLOADS = WORKLOAD_LOAD + 1 };

/* Data tests have every option of the core's tables; other workloads have those with their bit. */
enum { FOR_METADATA = 1 << WORKLOAD_METADATA, FOR_LOAD = 1 << WORKLOAD_LOAD };

struct test_spec;

struct option {
	const char *name;    /* canonical key, snake_case; matched without case, '_' and '-' */
	const char *aliases; /* further keys, separated by blanks; NULL for none */
	char letter;	     /* flag letter, 0 for none; of backends that of ior_key */
	enum option_type type;
	size_t offset;	     /* of the member in the table's values */
	const char *initial; /* default as text, NULL: zero or unset */
	/* counts: the word for 0, for instance "auto", which min does not bind */
	const char *zero;
	/* sizes, counts, levels; max 0: no upper bound. Seconds, shares (in %): max only */
	uint64_t min, max;
	const char *const *choices;	   /* OPTION_CHOICE: names, NULL-terminated */
	const char *const *choice_aliases; /* NULL, or as many, blank-separated, may be NULL */
	const char *unit;		   /* of the value in JSON: "bytes", "s", or NULL */
	const char *argument; /* what help calls the value; NULL: SIZE, N, TIME, TEXT by the type */
	const char *bare;     /* what a flag without a value stands for; NULL: the type's */
	const char *group;    /* heading in help and man page */
	const char *help;     /* one sentence */
	const char *more;     /* further sentences, man page only; NULL for none */
	bool command_line_only; /* no use in a job file, or more rights than it may have */
	/* strings: of which a list may be given, as of all other types but pairs */
	bool may_vary;
	bool has_commas;   /* strings: values hold commas, so in a list only blanks separate */
	bool runs_command; /* in a job file only with --allow-commands on the command line */
	/* from a job file: over files of others only with --allow-overwrite */
	bool takes_foreign;
	bool empty_unsets; /* strings: "" takes back what an earlier test or the file said */
	unsigned also_for; /* core tables: bits FOR_… of further workloads that have the option */
	char mdtest_letter; /* of such an option in mdtest, 0 for none */
	/* backends: IOR's key, which has no prefix and means the test's api */
	const char *ior_key;
	/* whether it has an effect in a test; NULL: always */
	bool (*needs)(const struct test_spec *spec);
	const char *needs_what; /* the end of "has no effect: no test …" */
	const char *instead;	/* foreign.h: the key of iorx that means the same, or "key=value" */
	const char *note;	/* foreign.h: the end of a warning that the option has no effect */
	const char *why;	/* foreign.h: the end of a sentence that refuses the option */
};

/* A row whose key has a point, and is not the member's name. */
#define OPTION_ROW_OF(S, member, key, ctype, kind, ...)    \
	{                                                  \
		.name = key, .type = kind,                 \
		.offset = _Generic(((S *)0)->member, ctype \
				   : offsetof(S, member)), \
		__VA_ARGS__                                \
	}
#define OPTION_ROW(S, member, ctype, kind, ...) \
	OPTION_ROW_OF(S, member, #member, ctype, kind, __VA_ARGS__)
#define SIZE(S, member, ...) \
	OPTION_ROW(S, member, uint64_t, OPTION_SIZE, .unit = "bytes", __VA_ARGS__)
#define COUNT(S, member, ...) OPTION_ROW(S, member, uint64_t, OPTION_COUNT, __VA_ARGS__)
#define INTEGER(S, member, ...) OPTION_ROW(S, member, int64_t, OPTION_INTEGER, __VA_ARGS__)
#define LEVEL(S, member, ...) OPTION_ROW(S, member, unsigned, OPTION_LEVEL, __VA_ARGS__)
#define SECONDS(S, member, ...) \
	OPTION_ROW(S, member, double, OPTION_SECONDS, .unit = "s", __VA_ARGS__)
#define SHARE(S, member, ...) OPTION_ROW(S, member, double, OPTION_SHARE, __VA_ARGS__)
#define RATE(S, member, ...) OPTION_ROW(S, member, double, OPTION_RATE, __VA_ARGS__)
#define SPEED_OF(S, member, key, ...) \
	OPTION_ROW_OF(S, member, key, double, OPTION_SPEED, .unit = "bytes/s", __VA_ARGS__)
#define COUNT_OF(S, member, key, ...) \
	OPTION_ROW_OF(S, member, key, uint64_t, OPTION_COUNT, __VA_ARGS__)
/* A time for which a bare number means minutes. */
#define MINUTES(S, member, ...) \
	OPTION_ROW(S, member, double, OPTION_SECONDS, .unit = "min", __VA_ARGS__)
#define BOOL(S, member, ...) OPTION_ROW(S, member, bool, OPTION_BOOL, __VA_ARGS__)
#define STRING(S, member, ...) OPTION_ROW(S, member, const char *, OPTION_STRING, __VA_ARGS__)
#define CHOICE(S, member, names, ...) \
	OPTION_ROW(S, member, int, OPTION_CHOICE, .choices = names, __VA_ARGS__)
/* Any number of named values, in tables with a prefix only: mpiio.hint.NAME = VALUE. */
#define PAIRS(S, member, ...) OPTION_ROW(S, member, const char *, OPTION_PAIRS, __VA_ARGS__)

/* A table and where its options live: "" for the core, "posix" for posix.direct and --posix.direct.
 */
struct option_table {
	const char *prefix;
	const char *prefix_aliases; /* IOR's prefix, "dummy" for null; NULL for none */
	const char *summary;	    /* one line, for --help=PREFIX */
	const struct option *rows;
	size_t count;
	size_t values_size; /* bytes of the struct the rows point into */
	bool any_api;	    /* of a wrapper: its options are for whichever backend a test has */
};

/* The rows of a table, in the array `all`, and the struct that they point into. */
#define OPTION_ROWS(all, S) \
	.rows = all, .count = sizeof(all) / sizeof(all[0]), .values_size = sizeof(S)

enum origin_kind {
	ORIGIN_DEFAULT,
	ORIGIN_FILE,
	ORIGIN_COMMAND_LINE,
	ORIGIN_ENVIRONMENT, /* IORX_OPTIONS, the end of the batch job, the name of the program */
};

/* Where a value comes from. */
struct origin {
	enum origin_kind kind;
	/* of the key in the file, from 1; line: number of the argument; 0: no argument */
	unsigned line, column;
	bool for_api; /* given by ior_key: for whichever api has the option */
	bool for_one; /* given by --set for one test */
};

/* The values of one table with their origins; strings in it belong to it. */
struct option_set {
	const struct option_table *table;
	void *values;
	struct origin *origins; /* one per row */
};

/* Defaults everywhere. A default that does not parse is a BUG. */
void option_set_init(struct option_set *set, const struct option_table *table);
void option_set_release(struct option_set *set);
void option_set_copy(struct option_set *to, const struct option_set *from); /* to: uninitialised */

/* The row for a key (name or alias) or a flag letter; NULL when the table has none. */
const struct option *option_find(const struct option_table *table, const char *key);
const struct option *option_find_letter(const struct option_table *table, char letter);
/* The row of a backend with this key of IOR, or NULL. */
const struct option *option_find_ior(const struct option_table *table, const char *ior_key);

/* True if tests of the workload have this row of a core table. */
static inline bool option_is_for(const struct option *row, enum workload workload)
{
	return workload == WORKLOAD_DATA || row->also_for & 1U << workload;
}

/* The letter of a core table's row in the dialect of the workload, 0 for none. */
static inline char option_core_letter(const struct option *row, enum workload workload)
{
	return workload == WORKLOAD_METADATA ? row->mdtest_letter : row->letter;
}

/* True when the flag may stand without a value: BOOL, LEVEL, and rows with a bare value. */
bool option_may_be_bare(const struct option *row);

/*
 * Parses text as the row's type, checks the range and stores it. text NULL is the bare flag: true
 * for BOOL, one more for LEVEL (from 0 when the value so far has another kind of origin), the bare
 * value for rows that have one, an error for all others. The error text starts with the key as the
 * table spells it ("posix.direct"), shows the value and says what would be right. On failure the
 * set is unchanged.
 */
int option_set_value(struct option_set *set, const struct option *row, const char *text,
		     struct origin origin, struct error *err);

/*
 * Gives one name of a row of pairs a value, in place of its old one; option_set_value() refuses
 * such rows. Names are case-sensitive. An empty value removes the name.
 */
int option_set_pair(struct option_set *set, const struct option *row, const char *name,
		    const char *value, struct origin origin, struct error *err);

/* One line of a row of pairs, pointing into it; neither part ends with a NUL. */
struct option_pair {
	const char *name, *value;
	size_t name_length, value_length;
};

/* Splits the first of *lines (NULL: none) and moves to the next line; false if none is left. */
bool option_pair_next(const char **lines, struct option_pair *pair);

/* The position of a row in its table, for set->origins. */
static inline size_t option_index(const struct option_table *table, const struct option *row)
{
	return (size_t)(row - table->rows);
}

/* The origin of a row's value. */
static inline struct origin option_origin(const struct option_set *set, const struct option *row)
{
	return set->origins[option_index(set->table, row)];
}

/* True if the value equals the row's default, set or not. */
bool option_is_default(const struct option_set *set, const struct option *row);

/* The word by which help calls the value ("SIZE"), or NULL for flags that take none. */
const char *option_argument(const struct option *row);

/* A bound of the row, or another number of its type: "1MiB", "7"; returns buffer. */
char *option_format_number(const struct option *row, uint64_t number, char *buffer, size_t size);

/*
 * The value as it would be written in a job file ("1MiB", "1", "posix"); "" for an unset string.
 * Pairs are their lines.
 */
char *option_format(const struct option_set *set, const struct option *row, char *buffer,
		    size_t size);

#endif
