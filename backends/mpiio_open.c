/* Files of the mpiio backend: open, views, close. */
#include "backends/mpiio_state.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/agree.h"
#include "backends/common/hidden.h"
#include "backends/common/mpi_io.h"
#include "base/text.h"

#define CHUNK (1ULL << 30)

MPI_Datatype mpiio_bytes(uint64_t length)
{
	int lengths[2] = {(int)(length / CHUNK), (int)(length % CHUNK)};
	MPI_Aint places[2] = {0, (MPI_Aint)(length - length % CHUNK)};
	MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_BYTE}, type;

	if (length <= INT_MAX) {
		MPI_Type_contiguous((int)length, MPI_BYTE, &type);
	} else {
		MPI_Type_contiguous((int)CHUNK, MPI_BYTE, &types[0]);
		MPI_Type_create_struct(2, lengths, places, types, &type);
		MPI_Type_free(&types[0]);
	}
	MPI_Type_commit(&type);
	return type;
}

static MPI_Datatype bytes_in_stride(uint64_t length, uint64_t stride)
{
	MPI_Datatype bytes = mpiio_bytes(length), type;

	MPI_Type_create_resized(bytes, 0, (MPI_Aint)stride, &type);
	MPI_Type_commit(&type);
	MPI_Type_free(&bytes);
	return type;
}

int mpiio_set_view(struct backend_file *file, uint64_t start, struct error *err)
{
	int code;

	errno = 0;
	code = MPI_File_set_view(file->handle, (MPI_Offset)start, MPI_BYTE, file->visible_type,
				 "native", file->session->asked);
	if (code != MPI_SUCCESS)
		return mpiio_failed(err, "MPI_File_set_view", code, errno,
				    &(struct cause_call){.path = file->path,
							 .access = ACCESS_READ});
	file->start = start;
	return 0;
}

/*
 * Chooses the part of the file that the task's view shows. A strided transfer needs a view to be
 * one call.
 */
static void choose_view(struct backend_file *file, const struct backend_open *how)
{
	uint64_t between = how->shared ? how->tasks : 1;

	file->strided = how->strided;
	if (!how->strided && (!file->session->options->use_file_view || how->source == UINT64_MAX))
		return;
	file->stride = between * how->block;
	file->visible = how->strided ? how->transfer_size / how->segments : how->block;
	file->gap = file->stride - file->visible;
	file->visible_type = bytes_in_stride(file->visible, file->stride);
	file->start = how->shared && how->source != UINT64_MAX ? how->source * how->block : 0;
}

static void choose_calls(struct backend_file *file, bool collective)
{
	file->read = collective ? MPI_File_read_at_all : MPI_File_read_at;
	file->write = collective ? MPI_File_write_at_all : MPI_File_write_at;
	file->names[ACCESS_READ] = collective ? "MPI_File_read_at_all" : "MPI_File_read_at";
	file->names[ACCESS_WRITE] = collective ? "MPI_File_write_at_all" : "MPI_File_write_at";
}

static int access_mode(const struct backend_open *how)
{
	if (how->access == ACCESS_READ)
		return MPI_MODE_RDONLY;
	return MPI_MODE_RDWR | (how->create ? MPI_MODE_CREATE : 0) |
	       (how->exclusive ? MPI_MODE_EXCL : 0);
}

static int open_handle(struct backend_file *file, const struct backend_open *how, struct error *err)
{
	MPI_Comm comm = file->own_handle ? MPI_COMM_SELF : how->comm;
	char name[MPI_IO_SHORT];
	int code;

	errno = 0;
	code = MPI_File_open(comm, mpi_io_path(how->path, name), access_mode(how),
			     file->session->asked, &file->handle);
	if (code == MPI_SUCCESS)
		return 0;
	file->handle = MPI_FILE_NULL;
	return mpiio_failed(err, "MPI_File_open", code, errno,
			    &(struct cause_call){.path = how->path,
						 .access = how->access,
						 .creates = how->create});
}

static bool is_first(MPI_Comm comm)
{
	int task;

	MPI_Comm_rank(comm, &task);
	return task == 0;
}

/* Task 0 decides for all. Without this check OMPIO doubles a file that already has the size. */
static bool is_large_enough(const struct backend_file *file, const struct backend_open *how)
{
	MPI_Offset size = 0;
	int enough;

	MPI_File_get_size(file->handle, &size);
	enough = (uint64_t)size >= how->file_size;
	MPI_Bcast(&enough, 1, MPI_INT, 0, how->comm);
	return enough;
}

/*
 * Collective over the handle's tasks. If each task has its own handle, task 0 alone preallocates.
 * OMPIO returns success on a full disk. If errno does not show it, the transfers will fail.
 */
static int preallocate(struct backend_file *file, const struct backend_open *how, struct error *err)
{
	int code, cause;

	if (is_large_enough(file, how) || (file->own_handle && !is_first(how->comm)))
		return 0;
	errno = 0;
	code = MPI_File_preallocate(file->handle, (MPI_Offset)how->file_size);
	cause = errno;
	if (code != MPI_SUCCESS)
		return mpiio_failed(err, "MPI_File_preallocate", code, cause,
				    &(struct cause_call){.path = how->path,
							 .access = ACCESS_WRITE,
							 .syncs = true});
	if (hidden_loss(cause))
		return error_set(err, cause, "MPI_File_preallocate: %s, yet it returned success",
				 strerror(cause));
	return 0;
}

/* All steps are collective: a task that fails in one step still takes part in the next. */
static int mpiio_open_prepare(struct backend_file *file, const struct backend_open *how,
			      struct error *err)
{
	int ret = 0;

	if (how->access == ACCESS_WRITE && file->session->options->preallocate)
		ret = agree_open(how, preallocate(file, how, err), err);
	if (ret < 0 || file->visible_type == MPI_DATATYPE_NULL)
		return ret;
	return agree_open(how, mpiio_set_view(file, file->start, err), err);
}

static bool is_alone(MPI_Comm comm)
{
	int tasks;

	MPI_Comm_size(comm, &tasks);
	return tasks == 1;
}

int mpiio_open(struct backend_session *session, struct backend_file *file,
	       const struct backend_open *how, struct error *err)
{
	file->session = session;
	file->path = text_copy(how->path);
	file->handle = MPI_FILE_NULL;
	file->visible_type = MPI_DATATYPE_NULL;
	file->own_handle = how->strided && !how->collective && how->shared;
	choose_calls(file, how->collective);
	choose_view(file, how);
	if (agree_open(how, open_handle(file, how, err), err) == 0)
		return mpiio_open_prepare(file, how, err);
	/*
	 * Close is collective, and tasks whose open failed cannot take part: the handle is
	 * abandoned.
	 */
	if (!file->own_handle && !is_alone(how->comm))
		file->handle = MPI_FILE_NULL;
	return -1;
}

int mpiio_close(struct backend_file *file, struct error *err)
{
	int code = MPI_SUCCESS, ret = 0;

	errno = 0;
	if (file->handle != MPI_FILE_NULL)
		code = MPI_File_close(&file->handle);
	if (code != MPI_SUCCESS)
		ret = mpiio_failed(err, "MPI_File_close", code, errno,
				   &(struct cause_call){.path = file->path, .access = ACCESS_READ});
	if (file->visible_type != MPI_DATATYPE_NULL)
		MPI_Type_free(&file->visible_type);
	free(file->path);
	return ret;
}
