/* Limits that iorx measured before a test. They judge and enter no rate. */
#ifndef RESULT_MEASURED_H
#define RESULT_MEASURED_H

#include "plan/plan.h"
#include "result/possible.h"

enum { MEASURED_MOST = 16, MEASURED_METHOD_SIZE = 96 };

struct measured_limit {
	enum limit limit;
	enum access access;
	bool any_access; /* the limit is that of reads and of writes */
	bool judges;	 /* the calls of the test are those that were measured */
	char method[MEASURED_METHOD_SIZE];
	double each; /* bytes/s of each part, in the fastest round */
	uint64_t count;
	unsigned rounds;
	double spread; /* (fastest - slowest round) / fastest */
};

struct measured {
	bool asked;	     /* limits=measure or only */
	bool only;	     /* no phase follows */
	const char *why_not; /* why nothing was measured; NULL: something was */
	bool plain_calls;    /* each transfer of the test is one pread or pwrite after the other */
	double seconds;	     /* what measuring took */
	uint64_t transfer;   /* bytes of a call */
	double round_trip;   /* s between two nodes; 0: not measured */
	struct measured_limit limits[MEASURED_MOST];
	unsigned count;
};

/* Adds a limit from the rates of its rounds, bytes/s of each part. No rounds: nothing is added. */
struct measured_limit *measured_add(struct measured *measured, enum limit limit, uint64_t count,
				    const double *rates, unsigned rounds);

#endif
