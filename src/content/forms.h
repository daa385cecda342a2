/* What the files of this room know of each other. */
#ifndef CONTENT_FORMS_H
#define CONTENT_FORMS_H

#include "content/content.h"

/* A range of bytes of those kinds that have no sectors. */
void ior_pattern_fill(const struct content *content, char *bytes, uint64_t offset, uint64_t length);
/* A sector of them in a row at least. */
bool user_file_has_zeros(const struct content *content);
void user_file_fill(const struct content *content, char *bytes, uint64_t offset, uint64_t length);

int user_file_load(struct content *content, const char *path, struct error *err);

/* Where data that exist several times were first: the offset itself without content_dedup. */
uint64_t content_first_copy(const struct content *content, uint64_t offset);

/* Whether content_spoil() marked these bytes and nothing has come over the mark. */
bool content_is_spoilt(const void *bytes, uint64_t length);

#endif
