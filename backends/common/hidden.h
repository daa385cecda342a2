/*
 * Errors that a library hides: the operating system refused a call, and the library returned
 * success.
 */
#ifndef BACKENDS_COMMON_HIDDEN_H
#define BACKENDS_COMMON_HIDDEN_H

#include <errno.h>
#include <stdbool.h>

/*
 * True if an errno means lost data. Set errno to 0 before the library's call. A library that hides
 * a failure (OMPIO on a full disk) leaves the system's last errno behind.
 */
static inline bool hidden_loss(int cause)
{
	return cause == ENOSPC || cause == EDQUOT || cause == EIO || cause == EFBIG ||
	       cause == EROFS || cause == ESTALE || cause == ETIMEDOUT;
}

#endif
