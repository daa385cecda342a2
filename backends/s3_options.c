/* The options of the s3 backend. */
#include "backends/s3.h"

static const struct option s3_rows[] = {
	STRING(struct backend_options, endpoint, .group = "s3", .argument = "URL",
	       .has_commas = true, .may_vary = true,
	       .help = "The server, as in http://host:port; several with commas are dealt to the "
		       "tasks in turn. Default: the service of AWS in the region.",
	       .more = "Objects are named in the path, http://host:port/BUCKET/KEY. Keys come from "
		       "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN in the "
		       "environment of task 0, else from the profile AWS_PROFILE in "
		       "~/.aws/credentials or AWS_SHARED_CREDENTIALS_FILE. They are in no output."),
	STRING(struct backend_options, region, .initial = "us-east-1", .group = "s3",
	       .help = "The region that requests are signed for."),
	SECONDS(struct backend_options, timeout, .initial = "60", .max = 86400, .group = "s3",
		.help = "A request fails if no byte of it moves for this long, or if the server "
			"cannot be connected to within it."),
	COUNT(struct backend_options, retries, .max = 100, .group = "s3",
	      .help = "Repeat a request that failed on the way or with a status of 500 or more, at "
		      "most so many times. The repeats are part of its service time.",
	      .more = "A status from 400 to 499 is never repeated. The results count the repeats, "
		      "and P3 tells them."),
	BOOL(struct backend_options, sign_payload, .group = "s3",
	     .help = "Hash the data of each write into its signature, inside the service time. "
		     "Without it the data is sent as UNSIGNED-PAYLOAD."),
	STRING(struct backend_options, ca_file, .group = "s3", .argument = "FILE",
	       .help = "Certificates of the authorities that an https endpoint is checked with. "
		       "Default: those of the system."),
};

const struct option_table s3_options = {
	.prefix = "s3",
	.summary = "Objects of an S3 server, by libcurl",
	OPTION_ROWS(s3_rows, struct backend_options),
};
