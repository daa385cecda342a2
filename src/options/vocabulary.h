/* All keys that a job may use, and the option that each of them means. */
#ifndef OPTIONS_VOCABULARY_H
#define OPTIONS_VOCABULARY_H

#include "options/option.h"

/* The words of a workload. */
struct workload_words {
	const char *command; /* first word of a command line: "mdtest"; NULL: none */
	const char *block;   /* "MDTEST", for MDTEST START … MDTEST STOP in a job file */
	const struct option_table *options; /* options of its tests only; NULL: none */
};

extern const struct workload_words workload_words[WORKLOADS];

/* The workload of the command "mdtest"; that of data for any other word. */
enum workload workload_of_command(const char *word);

/*
 * The option tables of a job: the core's two tables and one per backend. Backends that are not
 * built in are included, so that their options are refused with the name of the missing package.
 * main.c makes it from the registry, as options/ does not know backends.
 */
struct vocabulary {
	/* keys and letters of this workload need no prefix, keys of others do */
	enum workload workload;
	const struct option_table *const *tables; /* backends' tables, in the registry's order */
	size_t count;
	/*
	 * Returns 0, or -1 with the reason why an api cannot be used: unknown, not built in, or a
	 * wrapper. Any spelling ("DUMMY").
	 */
	int (*check_api)(const char *name, struct error *err);
	/* the index of the table of an api or wrapper in any spelling, or -1 */
	int (*find_api)(const char *name);
};

enum key_scope {
	KEY_TEST,     /* test_options */
	KEY_WORKLOAD, /* the options of one workload: metadata_options, load_options */
	KEY_RUN,      /* run_options */
	KEY_BACKEND,  /* vocabulary->tables[backend] */
	KEY_NOTHING,  /* accepted, without effect */
};

struct key {
	enum key_scope scope;
	size_t backend; /* for KEY_BACKEND */
	const struct option_table *table;
	const struct option *row;
	bool for_api;	       /* KEY_BACKEND by IOR's key: for any backend of the test */
	bool valued;	       /* a letter that needs a number, also for a level */
	const char *pair_name; /* of a row of pairs: the NAME in prefix.key.NAME, else NULL */
};

/*
 * Finds "key", "prefix.key" or "prefix.key.NAME" in any spelling; leading dashes are ignored. NAME
 * is case-sensitive, and key->pair_name points to it in name. Else returns -1 and ERROR_INPUT. The
 * text starts with the key, and says that only IOR has it or gives a did-you-mean over all tables.
 */
int vocabulary_find(const struct vocabulary *vocabulary, const char *name, struct key *key,
		    struct error *err);

/* vocabulary_find() for the letter of a flag. */
int vocabulary_find_letter(const struct vocabulary *vocabulary, char letter, struct key *key,
			   struct error *err);

/* Finds a letter's option in the other program: mdtest for data, IOR for metadata. */
bool vocabulary_find_other_letter(const struct vocabulary *vocabulary, char letter,
				  struct key *key);

/*
 * True for a key that iorx lacks with a value that asks for nothing, as many scripts list every key
 * of IOR with its default. value may be NULL.
 */
bool vocabulary_can_ignore(const struct vocabulary *vocabulary, const char *name,
			   const char *value);

/* True if tests of the vocabulary's workload have this row of a core table. */
bool vocabulary_has(const struct vocabulary *vocabulary, const struct option_table *table,
		    const struct option *row);

/* The index of the table with this prefix or one of its aliases, or -1. */
int vocabulary_find_prefix(const struct vocabulary *vocabulary, const char *prefix);

#endif
