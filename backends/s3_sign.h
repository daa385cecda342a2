/* Requests to S3: names and their encoding, and Signature Version 4 of AWS. No network. */
#ifndef BACKENDS_S3_SIGN_H
#define BACKENDS_S3_SIGN_H

#include <stdbool.h>
#include <time.h>

#include "base/error.h"
#include "base/text.h"

enum { S3_BUCKET_SIZE = 64, S3_KEY_SIZE = 1025, S3_DATE_SIZE = 17, S3_HEADERS = 8 };

/* The object or prefix that a URL names. The key is empty if the URL names the bucket. */
struct s3_name {
	char bucket[S3_BUCKET_SIZE];
	char key[S3_KEY_SIZE];
};

/* Splits s3://BUCKET/KEY. Everything behind the bucket's slash is the key, byte for byte. */
int s3_name_parse(struct s3_name *name, const char *url, struct error *err);

/* Adds bytes as a URL's path or query has them; a path keeps its slashes. */
void s3_encode(struct text *to, const char *bytes, bool is_path);

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

/* What signing needs for the requests of one session. All zeros but keys and region at first. */
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
