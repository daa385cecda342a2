/* The sessions, open objects and requests of the s3 backend, which its files share. */
#ifndef BACKENDS_S3_STATE_H
#define BACKENDS_S3_STATE_H

#include <curl/curl.h>

#include "backends/s3.h"
#include "backends/s3_sign.h"
#include "backends/s3_url.h"

enum { S3_ETAG_SIZE = 80, S3_UPLOAD_SIZE = 1024, S3_ANSWER_SIZE = 1 << 21 };

/* Objects of iorx have this user metadata. */
#define S3_MARK "x-amz-meta-iorx"

/* A request, and the handle of libcurl that carries it. Each is used again and again. */
struct s3_call {
	struct backend_session *session;
	CURL *easy;
	struct text url, authorization;
	struct text texts; /* header lines, each with its NUL */
	struct curl_slist lines[S3_HEADERS + 3];
	const char *method;

	/* what the caller asks for beyond method and name; cleared by s3_begin */
	const char *query; /* encoded, with '=' behind each name; NULL: none */
	const char *body;  /* NULL: none */
	size_t body_length;
	bool marks;	  /* the object gets the mark of iorx */
	bool must_be_new; /* If-None-Match: * */
	char range[48];	  /* "bytes=0-9", "" for none */
	char *into;	  /* where data of a 2xx answer goes; NULL: into `answer` */
	size_t room;

	/* what came back */
	size_t got;	    /* bytes in `into` */
	struct text answer; /* XML */
	char etag[S3_ETAG_SIZE];
	uint64_t length; /* Content-Length */
	bool is_marked;
	long status; /* of HTTP; 0: no answer */

	/* of a queued transfer; one without a file is an operation on a name */
	struct transfer transfer;
	struct s3_name name;
	uint64_t attempts;
	struct error failure;
};

struct backend_session {
	const struct backend_options *options;
	struct s3_keys keys;
	struct s3_signer signer;
	char *base; /* "http://host:port" */
	const char *host;
	char bucket[S3_BUCKET_SIZE]; /* one that is known to exist */
	CURLM *multi;
	struct s3_call *calls; /* one for each queued transfer, and the last for all else */
	uint64_t depth;
	unsigned in_flight;
	uint64_t retries; /* requests that were repeated */
};

struct s3_part {
	uint32_t number; /* from 1 */
	char etag[S3_ETAG_SIZE];
};

struct backend_file {
	struct backend_session *session;
	struct s3_name name;
	MPI_Comm comm;
	bool must_be_new;
	/* an upload in parts; part_bytes 0: the object is read, or written by one PUT */
	char upload[S3_UPLOAD_SIZE];
	uint64_t part_bytes, part_count;
	struct s3_part *parts; /* those that this task has written */
	size_t done, room;
};

/* Reads the credentials of this process. ERROR_INPUT if there are none. */
int s3_keys_find(struct s3_keys *keys, struct error *err);

int s3_calls_create(struct backend_session *session, struct error *err);
void s3_calls_release(struct backend_session *session);

/* The call for everything but queued transfers, with nothing asked for yet. */
struct s3_call *s3_begin(struct backend_session *session);
void s3_clear(struct s3_call *call);

/* Signs the request and gives it to the handle. */
void s3_prepare(struct s3_call *call, const char *method, const struct s3_name *name);

/* Prepares and makes the request. -1 with *err unless the status is 2xx. */
int s3_perform(struct s3_call *call, const char *method, const struct s3_name *name,
	       struct error *err);

/* True if the request has failed and may be repeated once more. */
bool s3_may_repeat(struct s3_call *call, CURLcode code);

/* The outcome of a request that has ended: 0, or -1 with *err and an errno in its code. */
int s3_outcome(struct s3_call *call, CURLcode code, struct error *err);

/* HEAD of an object; ENOENT only if its bucket exists. */
int s3_head(struct backend_session *session, const struct s3_name *name, struct s3_call **call,
	    struct error *err);

/* Drops all transfers in flight. */
void s3_drop_queue(struct backend_session *session);

int s3_check(struct backend_session *session, const struct backend_open *how, struct error *err);
int s3_open(struct backend_session *session, struct backend_file *file,
	    const struct backend_open *how, struct error *err);
int s3_close(struct backend_file *file, struct error *err);
int64_t s3_transfer(struct backend_file *file, const struct transfer *transfer, struct error *err);
int s3_submit(struct backend_session *session, const struct transfer *transfers, unsigned count,
	      struct error *err);
int s3_reap(struct backend_session *session, struct completion *completions, unsigned minimum,
	    unsigned maximum, struct error *err);
int s3_submit_metadata(struct backend_session *session, const struct metadata_operation *operations,
		       unsigned count, struct error *err);
int s3_explain(struct backend_file *file, const struct transfer *transfer, int code,
	       struct error *err);

int s3_size(struct backend_session *session, const char *path, uint64_t *bytes, uint64_t *allocated,
	    struct error *err);
int s3_is_own(struct backend_session *session, const char *path, bool *own, struct error *err);
int s3_create(struct backend_session *session, struct backend_directory *directory,
	      const char *name, mode_t mode, struct error *err);
int s3_stat(struct backend_session *session, struct backend_directory *directory, const char *name,
	    struct stat *status, struct error *err);
int s3_open_close(struct backend_session *session, struct backend_directory *directory,
		  const char *name, enum access access, struct error *err);
int s3_remove(struct backend_session *session, struct backend_directory *directory,
	      const char *name, struct error *err);
int s3_mkdir(struct backend_session *session, struct backend_directory *directory, const char *name,
	     mode_t mode, struct error *err);
int s3_rmdir(struct backend_session *session, struct backend_directory *directory, const char *name,
	     struct error *err);
int s3_list(struct backend_session *session, struct backend_directory *directory, const char *name,
	    list_add *add, struct list_sink *sink, struct error *err);

#endif
