/* What the files of this room know of each other. */
#ifndef CONTENT_DAMAGE_H
#define CONTENT_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether content_spoil() marked these bytes and nothing has come over the mark. */
bool content_is_spoilt(const void *bytes, uint64_t length);

#endif
