/* Signature Version 4: the canonical request, the string to sign, the signature. */
#include "backends/s3_sign.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

#include "base/error.h"

#define ALGORITHM "AWS4-HMAC-SHA256"

enum { HASH_SIZE = 32 };

static const char hexadecimal[] = "0123456789abcdef";

static void add_hexadecimal(struct text *to, const unsigned char *bytes)
{
	char digits[2 * HASH_SIZE];

	for (unsigned i = 0; i < HASH_SIZE; i++) {
		digits[2 * i] = hexadecimal[bytes[i] >> 4];
		digits[2 * i + 1] = hexadecimal[bytes[i] & 15];
	}
	text_add_bytes(to, digits, sizeof(digits));
}

static void add_string(struct text *to, const char *string)
{
	text_add_bytes(to, string, strlen(string));
}

void s3_add_hash(struct text *to, const void *bytes, size_t length)
{
	unsigned char hash[HASH_SIZE];

	if (!EVP_Digest(bytes, length, hash, NULL, EVP_sha256(), NULL))
		BUG("SHA-256 failed");
	add_hexadecimal(to, hash);
}

static void hmac(const void *key, size_t key_length, const char *string, size_t length,
		 unsigned char hash[HASH_SIZE])
{
	if (!HMAC(EVP_sha256(), key, (int)key_length, (const unsigned char *)string, length, hash,
		  NULL))
		BUG("HMAC failed");
}

void s3_date(time_t moment, char date[S3_DATE_SIZE])
{
	struct tm parts;

	gmtime_r(&moment, &parts);
	strftime(date, S3_DATE_SIZE, "%Y%m%dT%H%M%SZ", &parts);
}

/* The signing key of a day is four times the HMAC of the one before. */
static void renew_key(struct s3_signer *signer, const char *date)
{
	char first[4 + sizeof(signer->keys->secret)] = "AWS4";
	unsigned char *const key = signer->signing_key;

	memcpy(signer->day, date, sizeof(signer->day) - 1);
	strcat(first, signer->keys->secret);
	hmac(first, strlen(first), signer->day, strlen(signer->day), key);
	hmac(key, HASH_SIZE, signer->region, strlen(signer->region), key);
	hmac(key, HASH_SIZE, "s3", 2, key);
	hmac(key, HASH_SIZE, "aws4_request", 12, key);
}

static void add_signed_headers(struct text *to, const struct s3_request *request)
{
	for (unsigned i = 0; i < request->header_count; i++) {
		add_string(to, i ? ";" : "");
		add_string(to, request->headers[i].name);
	}
}

static void add_canonical_request(struct text *to, const struct s3_request *request)
{
	add_string(to, request->method);
	add_string(to, "\n");
	add_string(to, request->path);
	add_string(to, "\n");
	add_string(to, request->query);
	add_string(to, "\n");
	for (unsigned i = 0; i < request->header_count; i++) {
		add_string(to, request->headers[i].name);
		add_string(to, ":");
		add_string(to, request->headers[i].value);
		add_string(to, "\n");
	}
	add_string(to, "\n");
	add_signed_headers(to, request);
	add_string(to, "\n");
	add_string(to, request->payload);
}

void s3_sign(struct s3_signer *signer, const struct s3_request *request, const char *date,
	     struct text *authorization)
{
	struct text *const work = &signer->canonical;
	unsigned char signature[HASH_SIZE];
	size_t canonical;

	if (memcmp(signer->day, date, sizeof(signer->day) - 1))
		renew_key(signer, date);
	text_clear(work);
	add_canonical_request(work, request);
	canonical = work->length;
	text_add(work, ALGORITHM "\n%s\n%s/%s/s3/aws4_request\n", date, signer->day,
		 signer->region);
	s3_add_hash(work, work->bytes, canonical);
	hmac(signer->signing_key, HASH_SIZE, work->bytes + canonical, work->length - canonical,
	     signature);
	text_add(authorization,
		 ALGORITHM " Credential=%s/%s/%s/s3/aws4_request,SignedHeaders=", signer->keys->id,
		 signer->day, signer->region);
	add_signed_headers(authorization, request);
	add_string(authorization, ",Signature=");
	add_hexadecimal(authorization, signature);
}

void s3_signer_release(struct s3_signer *signer)
{
	OPENSSL_cleanse(signer->signing_key, sizeof(signer->signing_key));
	text_release(&signer->canonical);
}
