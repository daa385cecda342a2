/*
 * What a status file tells: how much there is of each task. As text a number, that of what was written last; where
 * others were not the same, a line for each follows: "repetition 0 files 2736".
 */
#ifndef ENGINE_STATUS_H
#define ENGINE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum status_kind { STATUS_TRANSFERS, STATUS_DIRECTORIES, STATUS_FILES, STATUS_KINDS };

struct status_entry {
	uint64_t repetition;
	enum status_kind kind;
	uint64_t count;
};

/* All zeros tells nothing. */
struct status {
	uint64_t number;
	struct status_entry *entries;
	uint64_t entry_count; /* 0: the number holds for all */
};

void status_release(struct status *status);
/* "transfers", "directories", "files" */
const char *status_kind_name(enum status_kind kind);
/* Tells this from now on; the number is that of the last one. */
void status_note(struct status *status, uint64_t repetition, enum status_kind kind, uint64_t count);
/* 0: it tells nothing of that. */
uint64_t status_count(const struct status *status, uint64_t repetition, enum status_kind kind);
/* The same, but at most `planned`, and that where it tells nothing. */
uint64_t status_limit(const struct status *status, uint64_t repetition, enum status_kind kind, uint64_t planned);
void status_print(const struct status *status, struct text *lines);
/* False: it is no such text, and *status is empty. */
bool status_parse(const char *lines, struct status *status);

#endif
