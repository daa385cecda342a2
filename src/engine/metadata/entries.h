/* Whether something is there, and what lies in a directory, by the backend's stat and list. */
#ifndef ENGINE_METADATA_ENTRIES_H
#define ENGINE_METADATA_ENTRIES_H

#include "base/text.h"
#include "engine/core/worker.h"

/* 1: it is there, 0: it is not, and *err is clear; -1 with *err: nobody can say. */
int entries_have(struct worker *worker, const char *path, struct error *err);

/* How many there are, also when it fails on the way; `but`, if not NULL, is the name of one that does not count. */
int entries_count(struct worker *worker, const char *path, const char *but, uint64_t *count,
		  struct error *err);

/* Whether there is a directory that can be listed: 0, or -1 with *err. */
int entries_can_list(struct worker *worker, const char *path, struct error *err);

typedef bool entry_wanted(const char *name, enum entry_kind kind);

/* Adds the names that are wanted, each with its NUL, behind the first `skip`, until there are `most` bytes. */
int entries_take(struct worker *worker, const char *path, entry_wanted *wanted,
		 uint64_t skip, size_t most, struct text *names, struct error *err);

#endif
