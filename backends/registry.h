/* The list of backends, those that are not built in among them. */
#ifndef BACKENDS_REGISTRY_H
#define BACKENDS_REGISTRY_H

#include "backends/backend.h"
#include "options/job.h"

struct registration {
	const char *name;
	const char *aliases; /* IOR's names for it; NULL for none */
	const char *summary;
	const char *package; /* what to install when it is not built in; NULL: it always is */
	const struct backend *backend; /* NULL: not built in, or a wrapper such as fault */
	const struct option_table *options; /* known even when it is not built in; may be NULL */
	bool wrapper; /* not an api of its own: stands before another when its options ask for it */
};

extern const struct registration registry[];
extern const size_t registry_count;

/* By name or alias in any case; NULL when unknown. */
const struct registration *registry_find(const char *name);

/* The backend for an api, or NULL with "hdf5 is not built in; install …", or a did-you-mean. */
const struct backend *registry_backend(const char *api, struct error *err);

/* The words of the registry as a vocabulary; tables[i] belongs to registry entry vocabulary_entry(i). */
const struct vocabulary *registry_vocabulary(void);

#endif
