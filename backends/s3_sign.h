/* The signature of requests to S3: Signature Version 4 of AWS. No network. */
#ifndef BACKENDS_S3_SIGN_H
#define BACKENDS_S3_SIGN_H

#include <stddef.h>
#include <time.h>

#include "base/text.h"

enum { S3_DATE_SIZE = 17, S3_HEADERS = 8 };

/* Credentials. They are never shown. */
struct s3_keys {
	char id[129], secret[129], token[4097];
};

struct s3_header {
	const char *name; /* in lower case */
	const char *value;
};

/* A request without its body. */
struct s3_request {
	const char *method;
	const char *path;  /* encoded */
	const char *query; /* encoded, parameters in the order of their names */
	/* hash of the body in hexadecimal, or UNSIGNED-PAYLOAD; also one of the headers */
	const char *payload;
	struct s3_header headers[S3_HEADERS]; /* in the order of their names */
	unsigned header_count;
};

/* The state of signing in one session. At first keys and region are set, and the rest is zeros. */
struct s3_signer {
	const struct s3_keys *keys;
	const char *region;
	char day[9];		       /* the day of the signing key */
	unsigned char signing_key[32]; /* good for one day */
	struct text canonical;	       /* room for canonical requests */
};

void s3_signer_release(struct s3_signer *signer);

/* Formats a moment as the header x-amz-date has it. */
void s3_date(time_t moment, char date[S3_DATE_SIZE]);

/* Adds a SHA-256 in hexadecimal. */
void s3_add_hash(struct text *to, const void *bytes, size_t length);

/* Adds the value of the request's Authorization header. */
void s3_sign(struct s3_signer *signer, const struct s3_request *request, const char *date,
	     struct text *authorization);

#endif
