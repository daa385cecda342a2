/*
 * The first failure of one task, with everything a message about it names. Plain data that travels
 * as bytes.
 */
#ifndef MEASURE_FAILURE_H
#define MEASURE_FAILURE_H

#include <stdint.h>

#include "base/error.h"

struct failure {
	struct error error; /* error.kind ERROR_NONE: nothing failed */
	uint64_t at_ns;	    /* when, on the common axis */
	uint32_t task;
	uint32_t rank; /* rank in MPI_COMM_WORLD */
	char host[64];
	char operation[16]; /* "write", "open" … */
	char path[512];	    /* shortened from the left when longer */
	uint64_t offset;    /* bytes; UINT64_MAX: no offset applies */
	uint64_t length;    /* bytes requested */
};

#endif
