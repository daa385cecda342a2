/* The unit of bytes per second in the text, which the option `unit` chooses. */
#ifndef PAGE_RATE_UNIT_H
#define PAGE_RATE_UNIT_H

#include "options/test.h"

struct rate_unit {
	const char *name; /* "MiB/s" */
	double bytes;	  /* in one of it */
};

static const struct rate_unit rate_units[] = {
	[UNIT_MIB] = {"MiB/s", 1 << 20},
	[UNIT_MB] = {"MB/s", 1e6},
	[UNIT_GIB] = {"GiB/s", 1 << 30},
	[UNIT_GB] = {"GB/s", 1e9},
};

#endif
