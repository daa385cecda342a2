/* Requests to S3: AWS's published signatures, names, and the XML of answers. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/s3_sign.h"
#include "backends/s3_url.h"
#include "backends/s3_xml.h"

#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define DATE "20130524T000000Z"

/* The keys of AWS's examples in "Signature Calculations for the Authorization Header". */
static const struct s3_keys example_keys = {
	.id = "AKIAIOSFODNN7EXAMPLE",
	.secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

static void assert_signature(const struct s3_request *request, const char *headers,
			     const char *signature)
{
	struct s3_signer signer = {.keys = &example_keys, .region = "us-east-1"};
	struct text authorization = {0}, expected = {0};

	text_add(&expected,
		 "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/"
		 "aws4_request,SignedHeaders=%s,Signature=%s",
		 headers, signature);
	for (unsigned i = 0; i < 2; i++) {
		text_clear(&authorization);
		s3_sign(&signer, request, DATE, &authorization);
		assert_string_equal(text_string(&authorization), text_string(&expected));
	}
	s3_signer_release(&signer);
	text_release(&authorization);
	text_release(&expected);
}

static void a_get_is_signed_as_aws_does(void **state)
{
	const struct s3_request request = {
		.method = "GET",
		.path = "/test.txt",
		.query = "",
		.payload = EMPTY,
		.headers = {{"host", "examplebucket.s3.amazonaws.com"},
			    {"range", "bytes=0-9"},
			    {"x-amz-content-sha256", EMPTY},
			    {"x-amz-date", DATE}},
		.header_count = 4,
	};

	(void)state;
	assert_signature(&request, "host;range;x-amz-content-sha256;x-amz-date",
			 "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

static void a_put_is_signed_as_aws_does(void **state)
{
	struct text hash = {0}, path = {0};
	struct s3_request request = {
		.method = "PUT",
		.query = "",
		.headers = {{"date", "Fri, 24 May 2013 00:00:00 GMT"},
			    {"host", "examplebucket.s3.amazonaws.com"},
			    {"x-amz-content-sha256", NULL},
			    {"x-amz-date", DATE},
			    {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
		.header_count = 5,
	};

	(void)state;
	s3_add_hash(&hash, "Welcome to Amazon S3.", 21);
	s3_encode(&path, "/test$file.text", true);
	request.headers[2].value = request.payload = text_string(&hash);
	request.path = text_string(&path);
	assert_signature(&request, "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
			 "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
	text_release(&hash);
	text_release(&path);
}

static void a_query_is_signed_as_aws_does(void **state)
{
	struct s3_request request = {
		.method = "GET",
		.path = "/",
		.query = "lifecycle=",
		.payload = EMPTY,
		.headers = {{"host", "examplebucket.s3.amazonaws.com"},
			    {"x-amz-content-sha256", EMPTY},
			    {"x-amz-date", DATE}},
		.header_count = 3,
	};

	(void)state;
	assert_signature(&request, "host;x-amz-content-sha256;x-amz-date",
			 "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
	request.query = "max-keys=2&prefix=J";
	assert_signature(&request, "host;x-amz-content-sha256;x-amz-date",
			 "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

static void assert_encoded(const char *bytes, bool is_path, const char *expected)
{
	struct text text = {0};

	s3_encode(&text, bytes, is_path);
	assert_string_equal(text_string(&text), expected);
	text_release(&text);
}

static void names_are_encoded(void **state)
{
	(void)state;
	assert_encoded("a//b@c%d e+\xc3\xa4~_.-", true, "a//b%40c%25d%20e%2B%C3%A4~_.-");
	assert_encoded("a/b=c&d", false, "a%2Fb%3Dc%26d");
	assert_encoded("", true, "");
}

static void urls_are_split(void **state)
{
	struct error err = {0};
	struct s3_name name;
	char key[2 * S3_KEY_SIZE] = "s3://b-1/";

	(void)state;
	assert_int_equal(s3_name_parse(&name, "s3://bucket/a//b@c%d", &err), 0);
	assert_string_equal(name.bucket, "bucket");
	assert_string_equal(name.key, "a//b@c%d");
	assert_int_equal(s3_name_parse(&name, "s3://bucket", &err), 0);
	assert_string_equal(name.key, "");
	assert_int_equal(s3_name_parse(&name, "s3://bucket/", &err), 0);
	assert_string_equal(name.key, "");
	assert_int_equal(s3_name_parse(&name, "/s3/bucket/key", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_int_equal(s3_name_parse(&name, "s3://ab/key", &err), -1);
	assert_int_equal(s3_name_parse(&name, "s3:///key", &err), -1);
	assert_int_equal(s3_name_parse(&name, "s3://Bucket/key", &err), -1);
	memset(key + 9, 'k', S3_KEY_SIZE - 1);
	assert_int_equal(s3_name_parse(&name, key, &err), 0);
	key[9 + S3_KEY_SIZE - 1] = 'k';
	assert_int_equal(s3_name_parse(&name, key, &err), -1);
}

static void elements_are_found_in_turn(void **state)
{
	const char *at = "<?xml version=\"1.0\"?><!-- <Key>no</Key> --><List xmlns=\"x\"><Key>a"
			 "</Key><Keys/><Key>b&amp;c</Key><Key/></List>";
	const char *inner;
	size_t length;

	(void)state;
	assert_true(s3_xml_next(&at, "Key", &inner, &length));
	assert_int_equal(length, 1);
	assert_memory_equal(inner, "a", 1);
	assert_true(s3_xml_next(&at, "Key", &inner, &length));
	assert_memory_equal(inner, "b&amp;c", length);
	assert_true(s3_xml_next(&at, "Key", &inner, &length));
	assert_int_equal(length, 0);
	assert_false(s3_xml_next(&at, "Key", &inner, &length));
}

static void assert_value(const char *xml, const char *expected)
{
	char value[8];

	assert_int_equal(s3_xml_value(xml, strlen(xml), "V", value, sizeof(value)),
			 expected != NULL);
	assert_string_equal(value, expected ? expected : "");
}

static void values_are_strict(void **state)
{
	(void)state;
	assert_value("<A><V>&lt;&#x41;&#66;&quot;</V></A>", "<AB\"");
	assert_value("<V>&#228;</V>", "\xc3\xa4");
	assert_value("<V></V>", "");
	assert_value("<V/>", "");
	assert_value("<V>&nbsp;</V>", NULL);
	assert_value("<V>&#0;</V>", NULL);
	assert_value("<V>too long for it</V>", NULL);
	assert_value("<V><W>a</W></V>", NULL);
	assert_value("<V>never closed", NULL);
	assert_value("<V", NULL);
	assert_value("<!-- <V>a</V>", NULL);
	assert_value("", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_get_is_signed_as_aws_does),
		cmocka_unit_test(a_put_is_signed_as_aws_does),
		cmocka_unit_test(a_query_is_signed_as_aws_does),
		cmocka_unit_test(names_are_encoded),
		cmocka_unit_test(urls_are_split),
		cmocka_unit_test(elements_are_found_in_turn),
		cmocka_unit_test(values_are_strict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
