/* All the keys a job may use, and where each of them leads. */
#ifndef OPTIONS_VOCABULARY_H
#define OPTIONS_VOCABULARY_H

#include "options/option.h"

/* What a test does: its files' data, or names: files and directories as such. */
enum workload { WORKLOAD_DATA, WORKLOAD_METADATA };

/*
 * The words a job may use: the core's two tables and one per backend, also of backends that are not
 * built in (their options are known and refused with a sentence that names the package). Made by
 * main.c from the registry; options/ does not know backends.
 */
struct vocabulary {
	/* whose keys and letters stand without a prefix; the other's keys need theirs */
	enum workload workload;
	const struct option_table *const *tables; /* backends' tables, in the registry's order */
	size_t count;
	/*
	 * 0, or -1 with the sentence why there is no such api here: unknown, not built in, not one
	 * of its own. Any spelling ("DUMMY").
	 */
	int (*check_api)(const char *name, struct error *err);
	/* the index of the table of an api or wrapper in any spelling, or -1 */
	int (*find_api)(const char *name);
};

enum key_scope {
	KEY_TEST,    /* test_options */
	KEY_METADATA, /* metadata_options */
	KEY_RUN,     /* run_options */
	KEY_BACKEND, /* vocabulary->tables[backend] */
	KEY_NOTHING, /* accepted, without effect */
};

struct key {
	enum key_scope scope;
	size_t backend; /* for KEY_BACKEND */
	const struct option_table *table;
	const struct option *row;
	bool for_api; /* KEY_BACKEND by IOR's key: it is for whichever backend the test has */
	bool valued;  /* a letter behind which a number stands, also of a level */
	const char *part; /* of a row of pairs: the NAME in prefix.key.NAME, else NULL */
};

/*
 * Finds "key", "prefix.key" or "prefix.key.NAME" in any spelling, leading dashes ignored; NAME stays
 * as it is, and key->part points to it in name. Else -1 and ERROR_INPUT, the
 * text starting with the key: that IOR has it and iorx does not, or a "did you mean" over all
 * tables.
 */
int vocabulary_find(const struct vocabulary *vocabulary, const char *name, struct key *key,
		    struct error *err);

/* The same for the letter of a flag. */
int vocabulary_find_letter(const struct vocabulary *vocabulary, char letter, struct key *key,
			   struct error *err);

/* The option that the letter is of mdtest while the workload is data, and of IOR while it is metadata. */
bool vocabulary_find_other_letter(const struct vocabulary *vocabulary, char letter, struct key *key);

/*
 * Many scripts list every key of IOR with its default: true for a key that iorx lacks and a value that
 * asks for nothing, which is no loss. value may be NULL.
 */
bool vocabulary_can_ignore(const struct vocabulary *vocabulary, const char *name,
			   const char *value);

/* Whether tests of its workload have this row of one of the core's tables. */
bool vocabulary_has(const struct vocabulary *vocabulary, const struct option_table *table,
		    const struct option *row);

/* The index of the table with this prefix or one of its aliases, or -1. */
int vocabulary_find_prefix(const struct vocabulary *vocabulary, const char *prefix);

#endif
