/* One request of a load: which operation, where, how long, and when it is due. */
#ifndef PLAN_LOAD_REQUEST_H
#define PLAN_LOAD_REQUEST_H

#include <stdint.h>

#include "pattern/phase.h"

/*
 * operation_is_on_metadata() says whether it is on an item, or on a data file. Of the operations on
 * data files only a trace has an fsync.
 */
struct load_request {
	enum operation operation;
	uint32_t file; /* 0 .. files-1 */
	union {
		uint64_t offset;
		uint64_t item;
	};
	uint64_t length; /* bytes that move */
	uint64_t due_ns; /* from the start of the phase; 0 in a closed loop */
	union {
		/* with every_block and sequential transfers of one size: passes that came before;
		   else 0 */
		uint64_t pass;
		uint64_t new_item;  /* of a rename */
		uint64_t only_data; /* of an fsync: 1 if it is an fdatasync */
	};
	uint64_t recorded_ns; /* of a trace: how long the call took there; 0: not known */
};

#endif
