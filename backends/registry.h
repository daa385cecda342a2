/* The list of backends, also of those that are not built in. */
#ifndef BACKENDS_REGISTRY_H
#define BACKENDS_REGISTRY_H

#include "backends/backend.h"
#include "base/text.h"
#include "options/vocabulary.h"

struct registration {
	const char *name;
	const char *aliases;  /* IOR's names for it, if it may be missing; NULL for none */
	const char *package;  /* package to install if it is not built in; NULL: always built in */
	const char *left_out; /* configure's option that left it out; NULL: none */
	const struct backend *backend;	    /* NULL: not built in, or a wrapper such as fault */
	const struct option_table *options; /* also if it is not built in; may be NULL */
	bool wrapper; /* no api of its own: wraps another backend if its options are set */
	bool planned; /* no code in this version; package: what it will need */
};

extern const struct registration registry[];
extern const size_t registry_count;

/* IOR's names of an entry; "" if it has none. */
const char *registry_aliases(const struct registration *entry);

/* The table of --list-backends, 80 columns wide. */
void registry_list(struct text *out);

/* Lists the names of all backends: "posix, null (not built in: mmap)". */
void registry_list_names(struct text *out);

/* Finds an entry by name or alias in any case; NULL if there is none. */
const struct registration *registry_find(const char *name);

/*
 * Finds the backend of an api. Else NULL and ERROR_INPUT: not in this version, not built in (with
 * the package to install), a wrapper, or unknown with a did-you-mean.
 */
const struct backend *registry_backend(const char *api, struct error *err);

/* The option tables of all entries that have one, in the registry's order. */
const struct vocabulary *registry_vocabulary(void);

/* The index of an entry's table in the vocabulary, -1 when it has no options. */
int registry_table(const struct registration *entry);

#endif
