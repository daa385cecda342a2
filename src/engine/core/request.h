/* What a loop over transfers does next, and who says so. */
#ifndef ENGINE_CORE_REQUEST_H
#define ENGINE_CORE_REQUEST_H

#include "backends/backend.h"
#include "plan/phase.h"

struct request {
	struct backend_file *file;
	uint64_t offset, length; /* bytes */
	uint64_t block, segment; /* of the layout, as in struct transfer */
	enum operation operation; /* OPERATION_READ or OPERATION_WRITE */
};

/* Where a workload's requests come from; each workload completes its own. */
struct walk;

/* Writes all of the next request; false: none is left. Arithmetic only: a request costs a few ns. */
typedef bool request_next(struct walk *walk, struct request *request);

#endif
