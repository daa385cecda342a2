/* The list of backends, those that are not built in among them. */
#ifndef BACKENDS_REGISTRY_H
#define BACKENDS_REGISTRY_H

#include "backends/backend.h"
#include "base/text.h"
#include "options/vocabulary.h"

struct registration {
	const char *name;
	const char *aliases; /* IOR's names for it; NULL for none */
	const char *summary; /* as its backend's; NULL for a site's own */
	const char *package; /* what to install when it is not built in; NULL: it always is */
	const char *left_out; /* the word to configure that left it out; NULL: none */
	const struct backend *backend; /* NULL: not built in, or a wrapper such as fault */
	const struct option_table *options; /* known even when it is not built in; may be NULL */
	bool wrapper; /* not an api of its own: stands before another when its options ask for it */
	bool planned; /* this version has no code for it; package is what it will need */
};

extern const struct registration registry[];
extern const size_t registry_count;

/* IOR's names of an entry, "" for none. */
const char *registry_aliases(const struct registration *entry);

/* The table of --list-backends, 80 columns wide. */
void registry_list(struct text *out);

/* Names of those that are built in, and of those that are not: "posix, null (not built in: mmap)". */
void registry_list_names(struct text *out);

/* By name or alias in any case; NULL when unknown. */
const struct registration *registry_find(const char *name);

/*
 * The backend for an api; else NULL and ERROR_INPUT: not in this version, not built in with what to
 * install, a wrapper, or unknown with a did-you-mean.
 */
const struct backend *registry_backend(const char *api, struct error *err);

/* The option tables of all entries that have one, in the registry's order. */
const struct vocabulary *registry_vocabulary(void);

/* The index of an entry's table in the vocabulary, -1 when it has no options. */
int registry_table(const struct registration *entry);

#endif
