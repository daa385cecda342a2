/* The units of rates in the text. The option `unit` chooses that of bytes per second. */
#ifndef RESULT_RATE_UNIT_H
#define RESULT_RATE_UNIT_H

#include "options/test.h"
#include "pattern/phase.h"

struct rate_unit {
	const char *name; /* "MiB/s" */
	double bytes;	  /* bytes or operations in one of it */
};

static const struct rate_unit rate_units[] = {
	[UNIT_MIB] = {"MiB/s", 1 << 20},
	[UNIT_MB] = {"MB/s", 1e6},
	[UNIT_GIB] = {"GiB/s", 1 << 30},
	[UNIT_GB] = {"GB/s", 1e9},
};

static const struct rate_unit rate_operations = {"op/s", 1};

/* The unit of the rates of a phase. data: that of phases that move data. */
static inline struct rate_unit rate_unit_of(enum phase_kind kind, const struct rate_unit *data)
{
	return phase_moves_data(kind) ? *data : rate_operations;
}

#endif
