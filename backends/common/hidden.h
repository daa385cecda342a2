/* What a library hides: the operating system refused it, and it returned success all the same. */
#ifndef BACKENDS_COMMON_HIDDEN_H
#define BACKENDS_COMMON_HIDDEN_H

#include <errno.h>
#include <stdbool.h>

/*
 * Libraries return success when the operating system has refused them (OMPIO on a full disk). What the
 * system said last is then still in errno, which was 0 before the call: whether that means lost data.
 */
static inline bool hidden_loss(int cause)
{
	return cause == ENOSPC || cause == EDQUOT || cause == EIO || cause == EFBIG ||
	       cause == EROFS || cause == ESTALE;
}

#endif
