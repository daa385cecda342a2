/* Open objects: one PUT, or an upload in parts that all tasks make together; ranged GETs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/agree.h"
#include "backends/s3_state.h"
#include "backends/s3_xml.h"
#include "base/memory.h"

#define MIB (UINT64_C(1) << 20)
#define LEAST_PART (5 * MIB)
#define MOST_PUT (5 * 1024 * MIB)
#define MOST_PARTS UINT64_C(10000)

static uint64_t parts_of(const struct backend_open *how)
{
	return how->access == ACCESS_WRITE && how->file_size > how->transfer_size
		       ? (how->file_size + how->transfer_size - 1) / how->transfer_size
		       : 0;
}

int s3_check(struct backend_session *session, const struct backend_open *how, struct error *err)
{
	const uint64_t parts = parts_of(how);
	struct s3_name name;

	if (s3_name_parse(&name, how->path, err))
		return error_add(err, "test_file");
	if (!*name.key)
		return error_input(err,
				   "test_file: %.300s names a bucket and no object; write "
				   "s3://BUCKET/KEY",
				   how->path);
	if (parts && how->transfer_size < LEAST_PART)
		return error_input(err,
				   "transfer_size: S3 takes an object of several transfers in "
				   "parts of at least 5 MiB; raise transfer_size to 5MiB or more, "
				   "or make it the size of the file");
	if (parts > MOST_PARTS)
		return error_input(err,
				   "transfer_size: the object would have %" PRIu64
				   " parts, and S3 takes %" PRIu64 "; raise transfer_size",
				   parts, MOST_PARTS);
	if (how->access == ACCESS_WRITE && how->transfer_size > MOST_PUT)
		return error_input(err, "transfer_size: S3 takes at most 5 GiB in one request; "
					"lower transfer_size");
	return 0;
}

/* --- open and close ------------------------------------------------------------------------- */

/* Begins an upload, and keeps its id as queries have it. */
static int begin_upload(struct backend_file *file, struct error *err)
{
	struct s3_call *call = s3_begin(file->session);
	char id[S3_UPLOAD_SIZE];
	struct text encoded = {0};
	int ret = 0;

	call->query = "uploads=";
	call->marks = true;
	if (s3_perform(call, "POST", &file->name, err))
		return -1;
	s3_xml_value(text_string(&call->answer), call->answer.length, "UploadId", id, sizeof(id));
	s3_encode(&encoded, id, false);
	if (*id && encoded.length < sizeof(file->upload))
		memcpy(file->upload, encoded.bytes, encoded.length + 1);
	else
		ret = error_set(err, EIO, "POST: the server gave the upload no usable UploadId");
	text_release(&encoded);
	return ret;
}

int s3_open(struct backend_session *session, struct backend_file *file,
	    const struct backend_open *how, struct error *err)
{
	int rank, ret = 0;

	file->session = session;
	file->comm = how->comm;
	file->must_be_new = how->exclusive;
	file->part_count = parts_of(how);
	file->part_bytes = file->part_count ? how->transfer_size : 0;
	if (s3_name_parse(&file->name, how->path, err))
		return -1; /* all tasks have the same path */
	if (!file->part_count)
		return 0;
	MPI_Comm_rank(file->comm, &rank);
	if (!rank)
		ret = begin_upload(file, err);
	ret = agree_open(how, ret, err);
	if (!ret)
		MPI_Bcast(file->upload, sizeof(file->upload), MPI_CHAR, 0, file->comm);
	return ret;
}

static int by_number(const void *a, const void *b)
{
	const struct s3_part *first = a, *second = b;

	return first->number < second->number ? -1 : first->number > second->number;
}

static int complete_upload(struct backend_file *file, const struct s3_part *parts,
			   struct error *err)
{
	struct s3_call *call = s3_begin(file->session);
	struct text body = {0}, query = {0};
	char code[64], message[256];
	int ret;

	text_add(&body, "<CompleteMultipartUpload>");
	for (uint64_t i = 0; i < file->part_count; i++)
		text_add(&body, "<Part><PartNumber>%" PRIu32 "</PartNumber><ETag>%s</ETag></Part>",
			 parts[i].number, parts[i].etag);
	text_add(&body, "</CompleteMultipartUpload>");
	text_add(&query, "uploadId=%s", file->upload);
	call->query = query.bytes;
	call->body = body.bytes;
	call->body_length = body.length;
	call->must_be_new = file->must_be_new;
	ret = s3_perform(call, "POST", &file->name, err);
	/* A status of 200 may come with an error, as it was sent before the outcome was known. */
	if (!ret && s3_xml_value(text_string(&call->answer), call->answer.length, "Code", code,
				 sizeof(code))) {
		s3_xml_value(call->answer.bytes, call->answer.length, "Message", message,
			     sizeof(message));
		ret = error_set(err, EIO, "POST: the upload was not completed: %s: %s", code,
				message);
	}
	text_release(&body);
	text_release(&query);
	return ret;
}

static void abort_upload(struct backend_file *file)
{
	struct s3_call *call = s3_begin(file->session);
	struct text query = {0};
	struct error ignored;

	text_add(&query, "uploadId=%s", file->upload);
	call->query = query.bytes;
	s3_perform(call, "DELETE", &file->name, &ignored);
	text_release(&query);
}

/*
 * Task 0: completes an upload that is whole. Otherwise a task has reported why, or was stopped, and
 * nothing of the upload stays.
 */
static int end_upload(struct backend_file *file, struct s3_part *parts, uint64_t count,
		      struct error *err)
{
	int ret = 0;

	qsort(parts, count, sizeof(*parts), by_number);
	if (count == file->part_count)
		ret = complete_upload(file, parts, err);
	if (ret || count != file->part_count)
		abort_upload(file);
	return ret;
}

/* Gathers the parts on task 0, in bytes. */
static int close_upload(struct backend_file *file, struct error *err)
{
	int rank, tasks, ret = 0, own = (int)(file->done * sizeof(*file->parts)), all = 0;
	int *lengths = NULL, *places = NULL;
	struct s3_part *parts = NULL;

	MPI_Comm_rank(file->comm, &rank);
	MPI_Comm_size(file->comm, &tasks);
	if (!rank) {
		lengths = memory_allocate((size_t)tasks, sizeof(*lengths));
		places = memory_allocate((size_t)tasks, sizeof(*places));
	}
	MPI_Gather(&own, 1, MPI_INT, lengths, 1, MPI_INT, 0, file->comm);
	for (int i = 0; !rank && i < tasks; i++) {
		places[i] = all;
		all += lengths[i];
	}
	if (!rank)
		parts = memory_allocate((size_t)all / sizeof(*parts) + 1, sizeof(*parts));
	MPI_Gatherv(file->parts, own, MPI_BYTE, parts, lengths, places, MPI_BYTE, 0, file->comm);
	if (!rank)
		ret = end_upload(file, parts, (uint64_t)all / sizeof(*parts), err);
	free(lengths);
	free(places);
	free(parts);
	int outcome = ret;

	MPI_Bcast(&outcome, 1, MPI_INT, 0, file->comm);
	return outcome && !ret ? error_set(err, 0, "task 0 could not complete the upload") : ret;
}

int s3_close(struct backend_file *file, struct error *err)
{
	int ret = 0;

	if (!file->session)
		return 0;
	if (file->session->in_flight)
		s3_drop_queue(file->session);
	if (*file->upload)
		ret = close_upload(file, err);
	free(file->parts);
	file->parts = NULL;
	return ret;
}

/* --- transfers ------------------------------------------------------------------------------ */

enum { QUERY_SIZE = S3_UPLOAD_SIZE + 64 };

/* Says what the request of a transfer is. query: room that lives as long as the request. */
static int aim(struct s3_call *call, const struct backend_file *file,
	       const struct transfer *transfer, char query[QUERY_SIZE], struct error *err)
{
	if (transfer->access == ACCESS_READ) {
		snprintf(call->range, sizeof(call->range), "bytes=%" PRIu64 "-%" PRIu64,
			 transfer->offset, transfer->offset + transfer->length - 1);
		call->into = transfer->buffer;
		call->room = transfer->length;
		return 0;
	}
	call->body = transfer->buffer;
	call->body_length = transfer->length;
	if (file->part_bytes && transfer->offset % file->part_bytes == 0) {
		snprintf(query, QUERY_SIZE, "partNumber=%" PRIu64 "&uploadId=%s",
			 transfer->offset / file->part_bytes + 1, file->upload);
		call->query = query;
		return 0;
	}
	call->marks = true;
	call->must_be_new = file->must_be_new;
	return transfer->offset ? error_set(err, EINVAL,
					    "PUT: an object is written as a whole, or "
					    "in parts of one transfer")
				: 0;
}

static int note_part(struct backend_file *file, const struct s3_call *call, uint64_t offset,
		     struct error *err)
{
	if (!file->part_bytes)
		return 0;
	if (!*call->etag)
		return error_set(err, EIO, "PUT: the server gave the part no ETag");
	if (file->done == file->room) {
		const size_t room = file->room ? 2 * file->room : 16;
		struct s3_part *parts = realloc(file->parts, room * sizeof(*parts));

		if (!parts)
			return error_set(err, ENOMEM, "no memory for the parts of the upload");
		file->parts = parts;
		file->room = room;
	}
	file->parts[file->done].number = (uint32_t)(offset / file->part_bytes + 1);
	memcpy(file->parts[file->done++].etag, call->etag, sizeof(call->etag));
	return 0;
}

static const char *method_of(const struct transfer *transfer)
{
	return transfer->access == ACCESS_READ ? "GET" : "PUT";
}

/* The bytes that a transfer has moved, or -1 with *err. */
static int64_t moved(struct s3_call *call, struct backend_file *file,
		     const struct transfer *transfer, CURLcode code, struct error *err)
{
	enum { RANGE_NOT_SATISFIABLE = 416 };

	if (s3_outcome(call, code, err)) {
		/* the range begins behind the end of the object */
		if (transfer->access != ACCESS_READ || call->status != RANGE_NOT_SATISFIABLE)
			return -1;
		err->kind = ERROR_NONE;
		return 0;
	}
	if (transfer->access == ACCESS_READ && transfer->offset && call->status == 200)
		return error_set(err, EIO,
				 "GET: the server sent the object from its start on "
				 "instead of the range");
	if (transfer->access == ACCESS_READ)
		return (int64_t)call->got;
	return note_part(file, call, transfer->offset, err) ? -1 : (int64_t)transfer->length;
}

int64_t s3_transfer(struct backend_file *file, const struct transfer *transfer, struct error *err)
{
	struct s3_call *call = s3_begin(file->session);
	char query[QUERY_SIZE];
	CURLcode code;

	if (!transfer->length)
		return 0;
	if (aim(call, file, transfer, query, err))
		return -1;
	do {
		s3_prepare(call, method_of(transfer), &file->name);
		code = curl_easy_perform(call->easy);
	} while (s3_may_repeat(call, code));
	return moved(call, file, transfer, code, err);
}

/* --- the queue ------------------------------------------------------------------------------ */

static int add_to_queue(struct s3_call *call, const char *method, const struct s3_name *name,
			struct error *err)
{
	s3_prepare(call, method, name);
	if (curl_multi_add_handle(call->session->multi, call->easy))
		return error_set(err, ENOMEM, "%s: libcurl cannot queue it", call->method);
	call->session->in_flight++;
	return 0;
}

/* Starts the operation of a call, for the first time or once more. */
static int s3_object_start(struct s3_call *call, struct error *err)
{
	const struct transfer *transfer = &call->transfer;
	char query[QUERY_SIZE];

	if (!transfer->file)
		return add_to_queue(call, call->method, &call->name, err);
	if (aim(call, transfer->file, transfer, query, err))
		return -1;
	return add_to_queue(call, method_of(transfer), &transfer->file->name, err);
}

int s3_submit(struct backend_session *session, const struct transfer *transfers, unsigned count,
	      struct error *err)
{
	for (unsigned i = 0; i < count; i++) {
		struct s3_call *call = &session->calls[transfers[i].cookie];

		s3_clear(call);
		call->transfer = transfers[i];
		if (s3_object_start(call, err))
			return i ? (int)i : -1;
	}
	return (int)count;
}

/* Directories are never queued, as the plan has no phases of them. */
int s3_submit_metadata(struct backend_session *session, const struct metadata_operation *operations,
		       unsigned count, struct error *err)
{
	static const char *const methods[METADATA_KINDS] = {
		[METADATA_CREATE] = "PUT",
		[METADATA_STAT] = "HEAD",
		[METADATA_OPEN_CLOSE] = "HEAD",
		[METADATA_REMOVE] = "DELETE",
	};

	for (unsigned i = 0; i < count; i++) {
		struct s3_call *call = &session->calls[operations[i].cookie];

		s3_clear(call);
		call->transfer = (struct transfer){.cookie = operations[i].cookie};
		call->method = methods[operations[i].kind];
		call->marks = call->must_be_new = operations[i].kind == METADATA_CREATE;
		if (s3_name_parse(&call->name, operations[i].name, err) ||
		    s3_object_start(call, err))
			return i ? (int)i : -1;
	}
	return (int)count;
}

/* Takes back a request that has ended. False if it was started once more. */
static bool s3_object_land(struct s3_call *call, CURLcode code, struct completion *completion)
{
	struct backend_session *session = call->session;
	struct error *err = &call->failure;
	int64_t result;

	curl_multi_remove_handle(session->multi, call->easy);
	session->in_flight--;
	if (s3_may_repeat(call, code) && !s3_object_start(call, err))
		return false;
	result = call->transfer.file ? moved(call, call->transfer.file, &call->transfer, code, err)
				     : s3_outcome(call, code, err);
	completion->cookie = call->transfer.cookie;
	completion->result = result >= 0 ? result : -(int64_t)(err->code ? err->code : EIO);
	return true;
}

int s3_reap(struct backend_session *session, struct completion *completions, unsigned minimum,
	    unsigned maximum, struct error *err)
{
	enum { POLL_MS = 1000 };
	unsigned count = 0;
	int left;

	for (;;) {
		CURLMsg *message;

		curl_multi_perform(session->multi, &left);
		while (count < maximum && (message = curl_multi_info_read(session->multi, &left))) {
			struct s3_call *call;

			curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&call);
			count += s3_object_land(call, message->data.result, &completions[count]);
		}
		if (count >= minimum)
			return (int)count;
		curl_multi_poll(session->multi, NULL, 0, POLL_MS, NULL);
	}
}

int s3_explain(struct backend_file *file, const struct transfer *transfer, int code,
	       struct error *err)
{
	*err = file->session->calls[transfer->cookie].failure;
	return -1;
}

void s3_drop_queue(struct backend_session *session)
{
	for (uint64_t i = 0; i < session->depth; i++)
		curl_multi_remove_handle(session->multi, session->calls[i].easy);
	session->in_flight = 0;
}
