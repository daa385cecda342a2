/* The options of the libaio backend, which exist also if it is not built in. */
#ifndef BACKENDS_LIBAIO_H
#define BACKENDS_LIBAIO_H

#include <stdbool.h>

#include "options/option.h"

struct backend_options {
	bool direct;
};

extern const struct option_table libaio_options;

#endif
