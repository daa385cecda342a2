/* The cause of a failure that a library does not name: the operating system is asked once more. */
#ifndef BACKENDS_COMMON_CAUSE_H
#define BACKENDS_COMMON_CAUSE_H

#include "backends/backend.h"

/* The call that failed, as the operating system can repeat it. */
struct cause_call {
	const char *path;
	enum access access;
	bool creates; /* a missing file is made */
	bool syncs;
	uint64_t offset, length; /* bytes in the file that a read moves; 0: none */
};

/*
 * Completes an error of a library's call that has no errno. It takes the errno that the library
 * left behind (left; set errno to 0 before the call), or opens, reads or syncs the file by POSIX.
 * It says so where that finds nothing either. Returns -1.
 */
int cause_add(struct error *err, int left, const struct cause_call *call);

#endif
