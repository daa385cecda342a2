/* Open files: their heads, and transfers as one request for each object that they touch. */
#include <errno.h>
#include <string.h>

#include "backends/common/agree.h"
#include "backends/rados_state.h"

/* --- open and close ------------------------------------------------------------------------- */

/* A file that is there keeps its cut. Returns 0 or a code of librados. */
static int find_head(struct backend_file *file, const struct backend_open *how)
{
	const uint64_t object_size = file->session->options->object_size;
	struct rados_head *head = &file->head;
	int ret = -EEXIST;

	*head = (struct rados_head){.object_size = object_size, .is_marked = true};
	if (how->create)
		ret = rados_make_head(file->session, file->name, how->file_size);
	if (ret != -EEXIST || (how->create && how->exclusive))
		return ret;
	ret = rados_read_head(file->session, file->name, head);
	if (!ret && how->access == ACCESS_WRITE && how->file_size > head->object_size &&
	    how->file_size > head->reach)
		ret = rados_set_reach(file->session, file->name, how->file_size);
	return ret;
}

int rados_data_open(struct backend_session *session, struct backend_file *file,
		    const struct backend_open *how, struct error *err)
{
	const char *name = rados_name(session, how->path, err);
	int rank, ret = 0;

	file->session = session;
	file->comm = how->comm;
	file->access = how->access;
	MPI_Comm_rank(how->comm, &rank);
	if (name)
		strcpy(file->name, name);
	/* One request for all: the others get what it says. */
	if (name && !rank && (ret = find_head(file, how)))
		rados_refuse(session, "open", ret, err);
	if (agree_open(how, name && !ret ? 0 : -1, err)) {
		file->session = NULL; /* close has nothing to do, on no task */
		return -1;
	}
	MPI_Bcast(&file->head, sizeof(file->head), MPI_BYTE, 0, how->comm);
	file->may_grow = !how->file_size || how->file_size > file->head.object_size;
	return 0;
}

/* The head of a file in stripes says how long it is; one that has none needs no agreement. */
int rados_data_close(struct backend_file *file, struct error *err)
{
	uint64_t bytes;
	int rank, ret = 0;

	if (!file->session)
		return 0;
	rados_queue_drain(file->session);
	if (file->access == ACCESS_READ || !file->may_grow)
		return 0;
	bytes = file->end;
	MPI_Comm_rank(file->comm, &rank);
	MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_MAX, file->comm);
	if (bytes < file->head.bytes)
		bytes = file->head.bytes;
	if (!rank)
		ret = rados_set_bytes(file->session, file->name,
				      bytes > file->head.object_size ? bytes : 0);
	return ret ? rados_refuse(file->session, "setxattr", ret, err) : 0;
}

/* A write is over when all replicas have it, so nothing is left to do when none is in flight. */
int rados_data_sync(struct backend_file *file, struct error *err)
{
	int ret = rados_aio_flush(file->session->stripes);

	if (!ret)
		ret = rados_aio_flush(file->session->heads);
	return ret ? rados_refuse(file->session, "rados_aio_flush", ret, err) : 0;
}

/* --- transfers ------------------------------------------------------------------------------ */

/* Sends the part of a transfer that one object holds. */
static void send_piece(struct rados_call *call, uint64_t offset, char *bytes, uint64_t length)
{
	const struct backend_file *file = call->transfer.file;
	const uint64_t number = offset / file->head.object_size;
	const uint64_t inside = offset % file->head.object_size;
	const rados_ioctx_t pool = number ? file->session->stripes : file->session->heads;
	rados_completion_t completion = rados_queue_add(call, length);
	char stripe[RADOS_STRIPE_SIZE];
	const char *name = file->name;

	if (number) {
		rados_name_stripe(stripe, file->name, number);
		name = stripe;
	}
	rados_queue_sent(call,
			 call->transfer.access == ACCESS_READ
				 ? rados_aio_read(pool, name, completion, bytes, length, inside)
				 : rados_aio_write(pool, name, completion, bytes, length, inside));
}

/* Sends a transfer; it moves no bytes behind the end of a file that is read. */
static void send_transfer(struct rados_call *call, const struct transfer *transfer,
			  struct backend_file *file)
{
	const uint64_t object_size = file->head.object_size;
	const uint64_t bytes = file->end > file->head.bytes ? file->end : file->head.bytes;
	uint64_t at = transfer->offset, end = transfer->offset + transfer->length;
	char *buffer = transfer->buffer;

	call->transfer = *transfer;
	call->transfer.file = file;
	if (transfer->access == ACCESS_WRITE && end > file->end)
		file->end = end;
	if (transfer->access == ACCESS_READ && end > bytes)
		end = bytes;
	rados_queue_start(call, end > at ? (end - 1) / object_size - at / object_size + 1 : 0);
	while (at < end) {
		const uint64_t room = object_size - at % object_size;
		const uint64_t length = end - at < room ? end - at : room;

		send_piece(call, at, buffer, length);
		buffer += length;
		at += length;
	}
}

int64_t rados_data_transfer(struct backend_file *file, const struct transfer *transfer,
			    struct error *err)
{
	struct rados_call *call = &file->session->calls[file->session->depth];
	int64_t ret;

	send_transfer(call, transfer, file);
	ret = rados_queue_settle(call);
	if (ret >= 0)
		return ret;
	return rados_refuse(file->session,
			    transfer->access == ACCESS_READ ? "rados_aio_read" : "rados_aio_write",
			    (int)ret, err);
}

int rados_data_submit(struct backend_session *session, const struct transfer *transfers,
		      unsigned count, struct error *err)
{
	for (unsigned i = 0; i < count; i++)
		send_transfer(&session->calls[transfers[i].cookie], &transfers[i],
			      transfers[i].file);
	return (int)count;
}
