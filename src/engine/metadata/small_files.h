/*
 * Files with data as items of a metadata test: one open, one transfer, one close. Data lies in the
 * worker's buffer; each file has content of its own.
 */
#ifndef ENGINE_METADATA_SMALL_FILES_H
#define ENGINE_METADATA_SMALL_FILES_H

#include "engine/core/worker.h"

/* Call before the clock of a create, or of a compared read: fills or spoils the buffer. */
void small_file_fill(struct worker *worker, uint32_t number, uint64_t repetition, uint64_t bytes);
void small_file_spoil(struct worker *worker, uint32_t number, uint64_t repetition, uint64_t bytes);

/*
 * Creates a file: opens it new, writes, syncs and compares as the test wants, and closes it.
 * Returns -1 if it was not created, and its remains were removed. Returns 1 if it stays but does
 * not hold the written data. directory NULL: the name is a whole path.
 */
int small_file_create(struct worker *worker, struct backend_directory *directory, const char *name,
		      struct error *err);
/* Removes the remains of a failed create. A file that existed before stays. */
void small_file_take_back(struct worker *worker, struct backend_directory *directory,
			  const char *name, const struct error *err);
int small_file_read(struct worker *worker, struct backend_directory *directory, const char *name,
		    struct error *err);

/* The next functions open a file that exists, by its whole path. */

/* Writes the whole file in place, with reads_first after reading all of it. */
int small_file_write(struct worker *worker, const char *name, bool reads_first, struct error *err);
/* Looks how long the file is, and writes as many bytes as a new file has behind its end. */
int small_file_append(struct worker *worker, const char *name, struct error *err);
int small_file_sync(struct worker *worker, const char *name, struct error *err);

/*
 * Call after the clock of a read: compares the buffer with the content that small_file_spoil()
 * selected.
 */
int small_file_compare(const struct worker *worker, uint64_t bytes, struct error *err);

#endif
