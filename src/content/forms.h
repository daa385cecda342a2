/* Shared by the files of this room. */
#ifndef CONTENT_FORMS_H
#define CONTENT_FORMS_H

#include "content/content.h"

/* Makes a range of bytes of the kinds of content without sectors. */
void ior_pattern_fill(const struct content *content, char *bytes, uint64_t offset, uint64_t length);
/* True if the user's file has zeros for at least a sector in a row. */
bool user_file_has_zeros(const struct content *content);
void user_file_fill(const struct content *content, char *bytes, uint64_t offset, uint64_t length);

int user_file_load(struct content *content, const struct content_setup *setup, struct error *err);

/* The offset of the first copy of data; without content_dedup the offset itself. */
uint64_t content_first_copy(const struct content *content, uint64_t offset);

/*
 * If several repetitions are right, the stamp at the start of the bytes says which is meant, and
 * *expected gets it. Bytes without a stamp leave it at that of the bytes before.
 */
void content_expect(const struct content *content, const void *bytes, uint64_t offset,
		    uint64_t length, struct content *expected);

/* True if these bytes still have content_spoil()'s mark. */
bool content_is_spoilt(const void *bytes, uint64_t length);

#endif
