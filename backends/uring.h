/* The options of the uring backend, which exist also if it is not built in. */
#ifndef BACKENDS_URING_H
#define BACKENDS_URING_H

#include <stdbool.h>
#include <stdint.h>

#include "options/option.h"

struct backend_options {
	bool direct;
	bool sqpoll;
	double sqpoll_idle;
	int64_t sqpoll_cpu; /* < 0: any */
	bool iopoll;
	bool fixed_buffers;
	bool registered_files;
};

extern const struct option_table uring_options;

#endif
