/* The next transfer of a loop, and the function that names it. */
#ifndef ENGINE_CORE_REQUEST_H
#define ENGINE_CORE_REQUEST_H

#include "backends/backend.h"
#include "pattern/phase.h"

struct request {
	struct backend_file *file;
	uint64_t offset, length;  /* bytes */
	uint64_t block, segment;  /* layout numbers as in struct transfer */
	enum operation operation; /* OPERATION_READ or OPERATION_WRITE */
};

/* Where a workload's requests come from; each workload completes its own. */
struct walk;

/*
 * Fills all of *request. Returns false if none is left. Arithmetic only: a request costs a few ns.
 */
typedef bool request_next(struct walk *walk, struct request *request);

#endif
