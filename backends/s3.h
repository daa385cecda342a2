/* Options of the s3 backend. */
#ifndef BACKENDS_S3_H
#define BACKENDS_S3_H

#include "backends/backend.h"

struct backend_options {
	const char *endpoint, *region, *ca_file;
	uint64_t retries;
	double timeout;
	bool sign_payload;
};

extern const struct option_table s3_options;

#endif
