/*
 * Files of the pnetcdf backend: one variable "data" of NC_BYTE over one dimension "bytes", as long
 * as the plan says the file will be.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/agree.h"
#include "backends/common/create.h"
#include "backends/common/descriptor.h"
#include "backends/common/mpi_io.h"
#include "backends/pnetcdf_state.h"
#include "base/clock.h"
#include "base/text.h"

#define VARIABLE "data"
#define DIMENSION "bytes"
enum { HEADER = 512 };

static const struct {
	int status, code;
} codes[] = {
	{NC_ENOENT, ENOENT},  {NC_EEXIST, EEXIST},	{NC_EACCESS, EACCES},
	{NC_EPERM, EROFS},    {NC_ENO_SPACE, ENOSPC},	{NC_EQUOTA, EDQUOT},
	{NC_ENOMEM, ENOMEM},  {NC_EINTOVERFLOW, EFBIG}, {NC_EDIMSIZE, EFBIG},
	{NC_EVARSIZE, EFBIG},
};

/*
 * Returns the errno of a status. The library's own errors are negative, the system's are positive.
 */
static int code_of(int status)
{
	if (status > 0)
		return status;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (codes[i].status == status)
			return codes[i].code;
	return 0;
}

static int pnetcdf_file_failed(struct error *err, int status, const char *call)
{
	int code = code_of(status);

	if (code == 0 || status > 0)
		return error_set(err, code, "%s: %s", call, ncmpi_strerror(status));
	return error_set(err, code, "%s: %s (%s)", call, strerror(code), ncmpi_strerror(status));
}

int pnetcdf_check(struct error *err, int status, const char *call)
{
	return status == NC_NOERR ? 0 : pnetcdf_file_failed(err, status, call);
}

int pnetcdf_check_storage(struct error *err, int status, const char *name,
			  const struct cause_call *call)
{
	const int left = errno;

	if (status == NC_NOERR)
		return 0;
	pnetcdf_file_failed(err, status, name);
	return cause_add(err, left, call);
}

/* --- the variable --------------------------------------------------------------------------- */

static int define(struct backend_file *file, const struct backend_open *how, struct error *err)
{
	int dimension, status = ncmpi_def_dim(file->file, DIMENSION, (MPI_Offset)how->file_size,
					      &dimension);

	if (pnetcdf_check(err, status, "ncmpi_def_dim") < 0)
		return -1;
	status = ncmpi_def_var(file->file, VARIABLE, NC_BYTE, 1, &dimension, &file->data);
	if (pnetcdf_check(err, status, "ncmpi_def_var") < 0)
		return -1;
	file->grows = how->file_size == NC_UNLIMITED;
	file->end = how->file_size;
	errno = 0;
	return pnetcdf_check_storage(err, ncmpi_enddef(file->file), "ncmpi_enddef",
				     &(struct cause_call){.path = how->path,
							  .access = ACCESS_WRITE});
}

static int refuse_foreign(struct error *err)
{
	return error_set(err, EINVAL,
			 "ncmpi_inq_var: the file has no variable \"" VARIABLE "\" of "
			 "bytes with one dimension: its header is damaged, or another program "
			 "made it");
}

static int find(struct backend_file *file, const struct backend_open *how, struct error *err)
{
	int dimension, unlimited, dimensions = 0;
	MPI_Offset length;
	nc_type type;

	if (ncmpi_inq_varid(file->file, VARIABLE, &file->data) != NC_NOERR ||
	    ncmpi_inq_var(file->file, file->data, NULL, &type, &dimensions, NULL, NULL) !=
		    NC_NOERR ||
	    dimensions != 1 || type != NC_BYTE)
		return refuse_foreign(err);
	ncmpi_inq_vardimid(file->file, file->data, &dimension);
	ncmpi_inq_unlimdim(file->file, &unlimited);
	if (pnetcdf_check(err, ncmpi_inq_dimlen(file->file, dimension, &length),
			  "ncmpi_inq_dimlen") < 0)
		return -1;
	file->grows = dimension == unlimited;
	file->end = (uint64_t)length;
	if (how->access == ACCESS_WRITE && !file->grows && file->end < how->file_size)
		return error_set(err, EFBIG,
				 "ncmpi_inq_dimlen: the variable has %" PRIu64
				 " bytes and cannot grow to %" PRIu64
				 "; let the file be made anew, without use_existing_test_file",
				 file->end, how->file_size);
	return 0;
}

/* --- open and close ------------------------------------------------------------------------- */

/* Flags and longest dimension of each format. */
static const struct {
	int mode;
	uint64_t longest;
} formats[] = {
	[PNETCDF_CDF1] = {0, INT32_MAX - 3},
	[PNETCDF_CDF2] = {NC_64BIT_OFFSET, UINT32_MAX - 3},
	[PNETCDF_CDF5] = {NC_64BIT_DATA, INT64_MAX - 3},
};

int pnetcdf_check_how(struct backend_session *session, const struct backend_open *how,
		      struct error *err)
{
	int format = session->options->format;

	if (session->options->align % 4)
		return error_input(err,
				   "pnetcdf.align: %" PRIu64
				   " is no multiple of 4, as variables of netCDF must begin at",
				   session->options->align);
	if (how->transfer_size > INT_MAX)
		return error_input(
			err,
			"transfer_size: PnetCDF moves at most %d bytes in one call, not %" PRIu64,
			INT_MAX, how->transfer_size);
	if (how->access == ACCESS_WRITE && how->file_size > formats[format].longest)
		return error_input(err,
				   "pnetcdf.format: %s cannot hold the %" PRIu64 " bytes of a "
				   "file, cdf5 can",
				   pnetcdf_format_names[format], how->file_size);
	return 0;
}

static int pnetcdf_file_enter(struct backend_file *file, const struct backend_open *how,
			      enum way way, struct error *err)
{
	const struct backend_session *session = file->session;
	const struct cause_call call = {.path = how->path,
					.access = how->access,
					.creates = way == WAY_CREATE,
					.length = HEADER};
	char room[MPI_IO_SHORT];
	const char *path = mpi_io_path(how->path, room);
	int mode = how->access == ACCESS_WRITE ? NC_WRITE : NC_NOWRITE;

	errno = 0;
	if (way == WAY_OPEN)
		return pnetcdf_check_storage(
			err, ncmpi_open(how->comm, path, mode, session->hints, &file->file),
			"ncmpi_open", &call);
	return pnetcdf_check_storage(
		err,
		ncmpi_create(how->comm, path, NC_CLOBBER | formats[session->options->format].mode,
			     session->hints, &file->file),
		"ncmpi_create", &call);
}

static int settle(struct backend_file *file, const struct backend_open *how, enum way way,
		  struct error *err)
{
	uint64_t start_ns = clock_monotonic_ns();
	int ret = way == WAY_CREATE ? define(file, how, err) : find(file, how, err);

	file->define_ns = way == WAY_CREATE ? clock_monotonic_ns() - start_ns : 0;
	if (agree_open(how, ret, err) < 0)
		return -1;
	if (how->collective)
		return 0;
	ret = pnetcdf_check(err, ncmpi_begin_indep_data(file->file), "ncmpi_begin_indep_data");
	return agree_open(how, ret, err);
}

int pnetcdf_open(struct backend_session *session, struct backend_file *file,
		 const struct backend_open *how, struct error *err)
{
	enum way way;

	file->session = session;
	file->path = text_copy(how->path);
	file->collective = how->collective;
	if (pnetcdf_check_how(session, how, err) < 0 || create_choose_way(how, &way, err) < 0)
		return -1;
	/*
	 * If only some tasks have the file open, its collective close would hang. The file then
	 * stays open until the job ends, which is soon.
	 */
	file->open = agree_open(how, pnetcdf_file_enter(file, how, way, err), err) == 0;
	return file->open ? settle(file, how, way, err) : -1;
}

int pnetcdf_close(struct backend_file *file, struct error *err)
{
	int ret = 0;

	errno = 0;
	if (file->open)
		ret = pnetcdf_check_storage(err, ncmpi_close(file->file), "ncmpi_close",
					    &(struct cause_call){.path = file->path,
								 .access = ACCESS_WRITE,
								 .syncs = true});
	file->open = false;
	free(file->path);
	file->path = NULL;
	return ret;
}
