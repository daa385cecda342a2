/*
 * Files with data as items of a metadata test: one open, one transfer, one close. Data lies in the
 * worker's buffer; each file has content of its own.
 */
#ifndef ENGINE_METADATA_SMALL_FILES_H
#define ENGINE_METADATA_SMALL_FILES_H

#include "engine/core/worker.h"

/* Before the clock of a create, or of a read that is compared: makes or spoils the buffer's bytes. */
void small_file_fill(struct worker *worker, uint32_t number, uint64_t repetition, uint64_t bytes);
void small_file_spoil(struct worker *worker, uint32_t number, uint64_t repetition, uint64_t bytes);

/*
 * Open what is not there yet, write, sync and compare as the test wants it, close. -1: it is not there, what
 * it had come to is removed again; 1: it stays, and does not hold what was written. directory NULL: the
 * name is a whole path.
 */
int small_file_create(struct worker *worker, struct backend_directory *directory, const char *name,
		      struct error *err);
/* What a create that failed may have come to; a file that was there before it stays. */
void small_file_take_back(struct worker *worker, struct backend_directory *directory, const char *name,
			  const struct error *err);
int small_file_read(struct worker *worker, struct backend_directory *directory, const char *name,
		    struct error *err);

/* After the clock of a read: whether it was what small_file_spoil() said it would be. */
int small_file_compare(const struct worker *worker, uint64_t bytes, struct error *err);

#endif
