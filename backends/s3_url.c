/* The URLs of objects. */
#include "backends/s3_url.h"

#include <ctype.h>
#include <string.h>

int s3_name_parse(struct s3_name *name, const char *url, struct error *err)
{
	static const char scheme[] = "s3://";
	const char *bucket = url + sizeof(scheme) - 1;
	size_t length;

	if (strncmp(url, scheme, sizeof(scheme) - 1))
		return error_input(err, "%.300s is no URL of an object; write s3://BUCKET/KEY",
				   url);
	length = strcspn(bucket, "/");
	if (length < 3 || length >= S3_BUCKET_SIZE ||
	    strspn(bucket, "abcdefghijklmnopqrstuvwxyz0123456789.-") < length)
		return error_input(err,
				   "%.300s: the bucket's name must have 3 to 63 lower case "
				   "letters, digits, '.' and '-'; write s3://BUCKET/KEY",
				   url);
	memcpy(name->bucket, bucket, length);
	name->bucket[length] = '\0';
	bucket += length + (bucket[length] == '/');
	length = strlen(bucket);
	if (length >= S3_KEY_SIZE)
		return error_input(err, "%.300s: the key has %zu bytes and may have %d; shorten it",
				   url, length, S3_KEY_SIZE - 1);
	memcpy(name->key, bucket, length + 1);
	return 0;
}

void s3_encode(struct text *to, const char *bytes, bool is_path)
{
	static const char digits[] = "0123456789ABCDEF";

	while (*bytes) {
		size_t plain = 0;

		while (isalnum((unsigned char)bytes[plain]) ||
		       (bytes[plain] && strchr("-._~", bytes[plain])) ||
		       (is_path && bytes[plain] == '/'))
			plain++;
		text_add_bytes(to, bytes, plain);
		bytes += plain;
		if (*bytes) {
			const unsigned char byte = (unsigned char)*bytes++;
			const char escape[] = {'%', digits[byte >> 4], digits[byte & 15]};

			text_add_bytes(to, escape, sizeof(escape));
		}
	}
}
