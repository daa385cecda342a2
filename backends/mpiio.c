/* The mpiio backend: files through MPI-IO, by explicit offsets. */
#include "backends/mpiio_state.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "backends/common/descriptor.h"
#include "backends/common/hidden.h"
#include "backends/common/hints.h"
#include "backends/common/metadata.h"
#include "backends/common/mpi_io.h"

static int mpiio_start(struct backend_session *session, const struct backend_start *start,
		       struct error *err)
{
	const struct backend_options *options = start->options;

	session->options = options;
	session->asked = MPI_INFO_NULL;
	/* returning errors is the standard's default, and all files inherit it */
	MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
	if (descriptor_spare(err) < 0)
		return -1;
	return hints_make(options->hint, options->hints_file, start->spares_private,
			  &session->asked, err);
}

static int mpiio_stop(struct backend_session *session, struct error *err)
{
	if (session->asked != MPI_INFO_NULL)
		MPI_Info_free(&session->asked);
	return 0;
}

static int mpiio_sync(struct backend_file *file, struct error *err)
{
	int code;

	errno = 0;
	code = MPI_File_sync(file->handle);
	return code == MPI_SUCCESS ? 0
				   : mpiio_failed(err, "MPI_File_sync", code, errno,
						  &(struct cause_call){.path = file->path,
								       .access = ACCESS_WRITE,
								       .syncs = true});
}

static int64_t mpiio_judge(const struct backend_file *file, const struct transfer *transfer,
			   int64_t moved, int cause, struct error *err)
{
	const char *name = file->names[transfer->access];
	const bool stopped = transfer->access == ACCESS_WRITE && transfer->length && !moved;

	if (!hidden_loss(cause) && !(stopped && cause && cause != EBADF))
		return moved;
	return error_set(err, cause,
			 "%s: %s, yet it returned success and %" PRId64 " of %" PRIu64 " bytes",
			 name, strerror(cause), moved, transfer->length);
}

static int mpiio_call(struct backend_file *file, const struct transfer *transfer, uint64_t offset,
		      int count, MPI_Datatype type, MPI_Status *status)
{
	return transfer->access == ACCESS_WRITE ? file->write(file->handle, (MPI_Offset)offset,
							      transfer->buffer, count, type, status)
						: file->read(file->handle, (MPI_Offset)offset,
							     transfer->buffer, count, type, status);
}

static int transfer_failed(const struct backend_file *file, const struct transfer *transfer,
			   int code, int cause, struct error *err)
{
	return mpiio_failed(err, file->names[transfer->access], code, cause,
			    &(struct cause_call){.path = file->path,
						 .access = transfer->access,
						 .offset = transfer->offset,
						 .length = transfer->length});
}

/* Moves more bytes than an int can count. */
static int64_t move_many(struct backend_file *file, const struct transfer *transfer,
			 uint64_t offset, struct error *err)
{
	MPI_Datatype type = mpiio_bytes(transfer->length);
	MPI_Status status;
	MPI_Count moved = 0;
	int code, cause;

	errno = 0;
	code = mpiio_call(file, transfer, offset, 1, type, &status);
	cause = errno;
	if (code == MPI_SUCCESS)
		MPI_Get_elements_x(&status, type, &moved);
	MPI_Type_free(&type);
	if (code != MPI_SUCCESS)
		return transfer_failed(file, transfer, code, cause, err);
	return mpiio_judge(file, transfer, moved, cause, err);
}

static int64_t mpiio_move(struct backend_file *file, const struct transfer *transfer,
			  uint64_t offset, struct error *err)
{
	MPI_Status status;
	int code, cause, moved = 0;

	if (__builtin_expect(transfer->length > INT_MAX, 0))
		return move_many(file, transfer, offset, err);
	errno = 0;
	code = mpiio_call(file, transfer, offset, (int)transfer->length, MPI_BYTE, &status);
	cause = errno;
	if (__builtin_expect(code != MPI_SUCCESS, 0))
		return transfer_failed(file, transfer, code, cause, err);
	/* ROMIO leaves the status as it was when there is nothing to move. */
	if (transfer->length)
		MPI_Get_count(&status, MPI_BYTE, &moved);
	return __builtin_expect(cause != 0, 0) ? mpiio_judge(file, transfer, moved, cause, err)
					       : moved;
}

/* Moves a view that starts at the first segment, which then shows the parts of all segments. */
static int64_t move_segments(struct backend_file *file, const struct transfer *transfer,
			     struct error *err)
{
	if (file->start != transfer->offset && mpiio_set_view(file, transfer->offset, err) < 0)
		return -1;
	return mpiio_move(file, transfer, 0, err);
}

static int64_t mpiio_transfer(struct backend_file *file, const struct transfer *transfer,
			      struct error *err)
{
	if (__builtin_expect(file->strided, 0))
		return move_segments(file, transfer, err);
	return mpiio_move(file, transfer,
			  transfer->offset - file->start - transfer->segment * file->gap, err);
}

const struct backend mpiio_backend = {
	.name = "mpiio",
	.aliases = "MPIIO",
	.options = &mpiio_options,
	MPI_IO_PROPERTIES,
	.layer = LAYER_MPIIO,
	.strided = true,
	.start = mpiio_start,
	.stop = mpiio_stop,
	.check = mpiio_check,
	.open = mpiio_open,
	.close = mpiio_close,
	.sync = mpiio_sync,
	.truncate = descriptor_truncate,
	.settings = mpiio_settings,
	.transfer = mpiio_transfer,
	.create = mpiio_create,
	.mknod = metadata_mknod,
	.open_close = mpiio_open_close,
	.remove = mpiio_remove,
	METADATA_NAMES,
};
