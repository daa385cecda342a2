/* Names of errno values, as errno.h has them. strerrorname_np() needs glibc 2.32. */
#ifndef BASE_ERRNO_NAMES_H
#define BASE_ERRNO_NAMES_H

#include "base/text.h"

/* "ENOENT"; NULL for a code that storage rarely returns. */
const char *errno_find_name(int code);
/* The code of a name, whose letters may be small; 0 when the name is unknown. */
int errno_find_code(const char *name);
/* Adds " NAME" for each name that is known. */
void errno_add_names(struct text *text);

#endif
