/* One request: built, signed, carried by libcurl, and what came of it. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backends/s3_state.h"
#include "backends/s3_xml.h"

#define UNSIGNED "UNSIGNED-PAYLOAD"
#define EMPTY_HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* --- what libcurl hands over ---------------------------------------------------------------- */

static size_t take_body(char *bytes, size_t one, size_t length, void *context)
{
	struct s3_call *call = context;

	if (!call->status)
		curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &call->status);
	if (!call->into || call->status >= 300) {
		if (call->answer.length + length > S3_ANSWER_SIZE)
			return 0;
		text_add_bytes(&call->answer, bytes, length);
		return length;
	}
	if (length > call->room - call->got)
		return 0;
	memcpy(call->into + call->got, bytes, length);
	call->got += length;
	return length;
}

/* Returns the value of the header line if it has this name, without blanks around it. */
static const char *value_of(const char *line, size_t length, const char *name, size_t *value_length)
{
	const size_t name_length = strlen(name);

	if (length <= name_length || line[name_length] != ':' ||
	    strncasecmp(line, name, name_length))
		return NULL;
	line += name_length + 1;
	length -= name_length + 1;
	while (length && isspace((unsigned char)line[length - 1]))
		length--;
	while (length && isspace((unsigned char)*line))
		line++, length--;
	*value_length = length;
	return line;
}

static size_t take_header(char *line, size_t one, size_t length, void *context)
{
	struct s3_call *call = context;
	size_t value_length;
	const char *value;

	if ((value = value_of(line, length, "etag", &value_length)) &&
	    value_length < S3_ETAG_SIZE) {
		memcpy(call->etag, value, value_length);
		call->etag[value_length] = '\0';
	} else if ((value = value_of(line, length, "content-length", &value_length))) {
		call->length = strtoull(value, NULL, 10);
	} else if (value_of(line, length, S3_MARK, &value_length)) {
		call->is_marked = true;
	}
	return length;
}

/* --- handles -------------------------------------------------------------------------------- */

static int make_handle(struct s3_call *call, struct error *err)
{
	enum { BUFFER = 512 << 10, UPLOAD_BUFFER = 2 << 20 };
	const struct backend_options *options = call->session->options;
	const long seconds = options->timeout < 1 ? 1 : (long)options->timeout;
	CURL *easy = call->easy = curl_easy_init();

	if (!easy)
		return error_set(err, ENOMEM, "no memory for requests");
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, seconds);
	curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, seconds);
	curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)BUFFER);
	curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)UPLOAD_BUFFER);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, call);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, call);
	if (options->ca_file && *options->ca_file)
		curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
	return 0;
}

int s3_calls_create(struct backend_session *session, struct error *err)
{
	session->multi = curl_multi_init();
	session->calls = calloc(session->depth + 1, sizeof(*session->calls));
	if (!session->multi || !session->calls)
		return error_set(err, ENOMEM, "no memory for requests");
	curl_multi_setopt(session->multi, CURLMOPT_MAXCONNECTS, (long)session->depth + 1);
	for (uint64_t i = 0; i <= session->depth; i++) {
		session->calls[i].session = session;
		if (make_handle(&session->calls[i], err))
			return -1;
	}
	return 0;
}

void s3_calls_release(struct backend_session *session)
{
	for (uint64_t i = 0; session->calls && i <= session->depth; i++) {
		struct s3_call *call = &session->calls[i];

		curl_easy_cleanup(call->easy);
		text_release(&call->url);
		text_release(&call->authorization);
		text_release(&call->texts);
		text_release(&call->answer);
	}
	free(session->calls);
	if (session->multi)
		curl_multi_cleanup(session->multi);
}

/* --- building ------------------------------------------------------------------------------- */

void s3_clear(struct s3_call *call)
{
	call->query = call->body = NULL;
	call->body_length = call->room = 0;
	call->marks = call->must_be_new = false;
	call->range[0] = '\0';
	call->into = NULL;
	call->attempts = 0;
}

struct s3_call *s3_begin(struct backend_session *session)
{
	struct s3_call *call = &session->calls[session->depth];

	s3_clear(call);
	return call;
}

/* The URL of the request; path and query are parts of it. */
static void add_url(struct s3_call *call, const struct s3_name *name, struct s3_request *request)
{
	struct text *url = &call->url;
	size_t path;

	text_clear(url);
	text_add(url, "%s", call->session->base);
	path = url->length;
	text_add(url, "/%s", name->bucket);
	if (*name->key)
		text_add_bytes(url, "/", 1);
	s3_encode(url, name->key, true);
	/* The NUL ends the path while the request is signed. */
	text_add_bytes(url, "", 1);
	text_add(url, "%s", call->query ? call->query : "");
	request->path = url->bytes + path;
	request->query = request->path + strlen(request->path) + 1;
}

/* Adds a line for libcurl; its place is found when all lines are there. */
static void s3_request_add_line(struct s3_call *call, unsigned *count, const char *name,
				const char *value)
{
	text_add(&call->texts, "%s:%s%s", name, *value ? " " : "", value);
	text_add_bytes(&call->texts, "", 1);
	++*count;
}

static void chain_lines(struct s3_call *call, unsigned count)
{
	char *line = call->texts.bytes;

	for (unsigned i = 0; i < count; i++, line += strlen(line) + 1) {
		call->lines[i].data = line;
		call->lines[i].next = i + 1 < count ? &call->lines[i + 1] : NULL;
	}
	curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, call->lines);
}

static void add_header(struct s3_request *request, const char *name, const char *value)
{
	if (value && *value)
		request->headers[request->header_count++] = (struct s3_header){name, value};
}

static void choose_method(const struct s3_call *call)
{
	CURL *easy = call->easy;
	const bool sends = call->body || !strcmp(call->method, "PUT");

	curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
	curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, NULL);
	if (sends) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body_length);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, call->body ? call->body : "");
	}
	if (!strcmp(call->method, "HEAD"))
		curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
	else
		curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, call->method);
}

void s3_prepare(struct s3_call *call, const char *method, const struct s3_name *name)
{
	struct backend_session *session = call->session;
	struct s3_request request = {.method = method, .payload = EMPTY_HASH};
	struct text hash = {0};
	char date[S3_DATE_SIZE];
	unsigned lines = 0;

	call->method = method;
	call->got = call->length = 0;
	call->etag[0] = '\0';
	call->is_marked = false;
	call->status = 0;
	text_clear(&call->answer);
	add_url(call, name, &request);
	s3_date(time(NULL), date);
	if (call->body_length && session->options->sign_payload)
		s3_add_hash(&hash, call->body, call->body_length);
	if (call->body_length)
		request.payload = hash.length ? hash.bytes : UNSIGNED;
	add_header(&request, "host", session->host);
	add_header(&request, "if-none-match", call->must_be_new ? "*" : NULL);
	add_header(&request, "range", call->range);
	add_header(&request, "x-amz-content-sha256", request.payload);
	add_header(&request, "x-amz-date", date);
	add_header(&request, S3_MARK, call->marks ? "1" : NULL);
	add_header(&request, "x-amz-security-token", session->keys.token);
	text_clear(&call->authorization);
	s3_sign(&session->signer, &request, date, &call->authorization);
	text_clear(&call->texts);
	for (unsigned i = 0; i < request.header_count; i++)
		s3_request_add_line(call, &lines, request.headers[i].name,
				    request.headers[i].value);
	s3_request_add_line(call, &lines, "authorization", text_string(&call->authorization));
	/* libcurl would add these two of its own */
	s3_request_add_line(call, &lines, "expect", "");
	s3_request_add_line(call, &lines, "content-type",
			    call->body_length ? "application/octet-stream" : "");
	chain_lines(call, lines);
	text_release(&hash);
	if (call->query)
		call->url.bytes[request.query - call->url.bytes - 1] = '?';
	curl_easy_setopt(call->easy, CURLOPT_URL, call->url.bytes);
	choose_method(call);
}

/* --- the outcome ---------------------------------------------------------------------------- */

static int errno_of(long status, const char *code)
{
	if (!strcmp(code, "NoSuchBucket"))
		return ENXIO;
	if (strstr(code, "Quota") || status == 507)
		return EDQUOT;
	switch (status) {
	case 403:
	case 401:
		return EACCES;
	case 404:
		return ENOENT;
	case 409:
	case 412:
		return EEXIST;
	case 503:
		return EBUSY;
	default:
		return EIO;
	}
}

static int refused(const struct s3_call *call, struct error *err)
{
	const char *xml = text_string(&call->answer);
	char code[64], message[256];

	s3_xml_value(xml, call->answer.length, "Code", code, sizeof(code));
	s3_xml_value(xml, call->answer.length, "Message", message, sizeof(message));
	return error_set(
		err, errno_of(call->status, code), "%s: status %ld%s%s%s%s%s", call->method,
		call->status, *code ? " " : "", code, *message ? ": " : "", message,
		call->status == 403
			? "; check the keys in the environment of task 0 and what they may do"
			: "");
}

int s3_outcome(struct s3_call *call, CURLcode code, struct error *err)
{
	const struct backend_session *session = call->session;
	long os_code = 0;

	if (code == CURLE_WRITE_ERROR)
		return error_set(err, EIO, "%s: the server sent more than was asked for",
				 call->method);
	if (code != CURLE_OK) {
		curl_easy_getinfo(call->easy, CURLINFO_OS_ERRNO, &os_code);
		if (code == CURLE_OPERATION_TIMEDOUT)
			os_code = ETIMEDOUT;
		return error_set(
			err, os_code ? (int)os_code : EIO, "%s: %s: %s%s%s", call->method,
			session->base, curl_easy_strerror(code),
			os_code && code != CURLE_OPERATION_TIMEDOUT ? ": " : "",
			os_code && code != CURLE_OPERATION_TIMEDOUT ? strerror((int)os_code) : "");
	}
	curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &call->status);
	return call->status >= 200 && call->status < 300 ? 0 : refused(call, err);
}

bool s3_may_repeat(struct s3_call *call, CURLcode code)
{
	long status = 0;

	if (call->attempts >= call->session->options->retries)
		return false;
	curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
	if (code == CURLE_WRITE_ERROR || (code == CURLE_OK && status < 500))
		return false;
	call->attempts++;
	call->session->retries++;
	return true;
}

int s3_perform(struct s3_call *call, const char *method, const struct s3_name *name,
	       struct error *err)
{
	CURLcode code;

	do {
		s3_prepare(call, method, name);
		code = curl_easy_perform(call->easy);
	} while (s3_may_repeat(call, code));
	return s3_outcome(call, code, err);
}
