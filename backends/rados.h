/* Options of the rados backend. */
#ifndef BACKENDS_RADOS_H
#define BACKENDS_RADOS_H

#include "backends/backend.h"

struct backend_options {
	const char *conf, *user;
	uint64_t object_size;
	double timeout;
};

extern const struct option_table rados_options;

#endif
