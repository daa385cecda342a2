/* The URLs of objects: buckets, keys and their encoding. */
#ifndef BACKENDS_S3_URL_H
#define BACKENDS_S3_URL_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum { S3_BUCKET_SIZE = 64, S3_KEY_SIZE = 1025 };

/* The object or prefix that a URL names. The key is empty if the URL names the bucket. */
struct s3_name {
	char bucket[S3_BUCKET_SIZE];
	char key[S3_KEY_SIZE];
};

/* Splits s3://BUCKET/KEY. Everything behind the bucket's slash is the key, byte for byte. */
int s3_name_parse(struct s3_name *name, const char *url, struct error *err);

/* Adds bytes as a URL's path or query has them; a path keeps its slashes. */
void s3_encode(struct text *to, const char *bytes, bool is_path);

#endif
