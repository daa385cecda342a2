/* Checks whether a path exists and what a directory holds, by the backend's stat and list. */
#ifndef ENGINE_METADATA_ENTRIES_H
#define ENGINE_METADATA_ENTRIES_H

#include "base/text.h"
#include "engine/core/worker.h"

/* Returns 1 if the path exists; 0 if not, with *err clear; -1 with *err if unknown. */
int entries_have(struct worker *worker, const char *path, struct error *err);

/*
 * Counts the entries of a directory, also up to a failure. but: name that does not count, or NULL.
 */
int entries_count(struct worker *worker, const char *path, const char *but, uint64_t *count,
		  struct error *err);

/* Checks that a directory can be listed. Returns 0, or -1 with *err. */
int entries_can_list(struct worker *worker, const char *path, struct error *err);

typedef bool entry_wanted(const char *name, enum entry_kind kind);

/*
 * Adds the wanted names, each with its NUL, after skipping the first `skip`, until there are `most`
 * bytes.
 */
int entries_take(struct worker *worker, const char *path, entry_wanted *wanted, uint64_t skip,
		 size_t most, struct text *names, struct error *err);

#endif
