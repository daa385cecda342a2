/* The pnetcdf backend: transfers of a variable's bytes, each task alone or all together. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "backends/common/descriptor.h"
#include "backends/common/hidden.h"
#include "backends/common/hints.h"
#include "backends/common/mpi_io.h"
#include "backends/common/metadata.h"
#include "backends/pnetcdf_state.h"

static int pnetcdf_start(struct backend_session *session, const struct backend_start *start,
			 struct error *err)
{
	const struct backend_options *options = start->options;
	char align[24];

	session->options = options;
	session->hints = MPI_INFO_NULL;
	if (descriptor_spare(err) < 0 ||
	    hints_make(options->hint, options->hints_file, start->spares_private, &session->hints,
		       err) < 0)
		return -1;
	snprintf(align, sizeof(align), "%" PRIu64, options->align);
	if (options->align)
		MPI_Info_set(session->hints, "nc_var_align_size", align);
	return 0;
}

static int pnetcdf_stop(struct backend_session *session, struct error *err)
{
	if (session->hints != MPI_INFO_NULL)
		MPI_Info_free(&session->hints);
	return 0;
}

static int pnetcdf_sync(struct backend_file *file, struct error *err)
{
	errno = 0;
	return pnetcdf_check_storage(
		err, ncmpi_sync(file->file), "ncmpi_sync",
		&(struct cause_call){.path = file->path, .access = ACCESS_WRITE, .syncs = true});
}

static uint64_t pnetcdf_define_ns(struct backend_file *file)
{
	return file->define_ns;
}

/* --- transfers ------------------------------------------------------------------------------ */

typedef int call(int file, int variable, const MPI_Offset *start, const MPI_Offset *count,
		 signed char *buffer);

static int pnetcdf_put(int file, int variable, const MPI_Offset *start, const MPI_Offset *count,
		       signed char *buffer)
{
	return ncmpi_put_vara_schar(file, variable, start, count, buffer);
}

static int put_all(int file, int variable, const MPI_Offset *start, const MPI_Offset *count,
		   signed char *buffer)
{
	return ncmpi_put_vara_schar_all(file, variable, start, count, buffer);
}

static const struct {
	call *call;
	const char *name;
} calls[ACCESS_COUNT][2] = {
	[ACCESS_READ] = {{ncmpi_get_vara_schar, "ncmpi_get_vara"},
			 {ncmpi_get_vara_schar_all, "ncmpi_get_vara_all"}},
	[ACCESS_WRITE] = {{pnetcdf_put, "ncmpi_put_vara"}, {put_all, "ncmpi_put_vara_all"}},
};

/* Bytes of a transfer that lie in the variable. Writes may extend only a variable that grows. */
static uint64_t pnetcdf_reach(struct backend_file *file, const struct transfer *transfer)
{
	uint64_t end = transfer->offset + transfer->length;

	if (transfer->access == ACCESS_WRITE && file->grows && transfer->length && end > file->end)
		file->end = end;
	if (transfer->offset >= file->end)
		return 0;
	return end > file->end ? file->end - transfer->offset : transfer->length;
}

static int64_t pnetcdf_transfer(struct backend_file *file, const struct transfer *transfer,
				struct error *err)
{
	MPI_Offset count = (MPI_Offset)pnetcdf_reach(file, transfer);
	MPI_Offset start = count ? (MPI_Offset)transfer->offset : 0;
	const char *name = calls[transfer->access][file->collective].name;
	int status;

	if (count == 0 && !file->collective)
		return 0;
	errno = 0;
	status = calls[transfer->access][file->collective].call(file->file, file->data, &start,
								&count, transfer->buffer);
	if (__builtin_expect(status != NC_NOERR, 0))
		return pnetcdf_check_storage(err, status, name,
					     &(struct cause_call){.path = file->path,
								  .access = transfer->access,
								  .offset = transfer->offset,
								  .length = transfer->length});
	if (__builtin_expect(hidden_loss(errno), 0))
		return error_set(err, errno, "%s: %s, yet it returned success", name,
				 strerror(errno));
	return (int64_t)count;
}

/* --- what is in effect ---------------------------------------------------------------------- */

static void add_number(settings_add *add, struct settings_sink *sink, const char *name,
		       MPI_Offset number)
{
	char value[24];

	snprintf(value, sizeof(value), "%lld", (long long)number);
	add(sink, name, value);
}

static const char *format_name(int file)
{
	int format;

	if (ncmpi_inq_format(file, &format) != NC_NOERR)
		return "unknown";
	return format == NC_FORMAT_CDF5 ? "cdf5" : format == NC_FORMAT_CDF2 ? "cdf2" : "cdf1";
}

static void pnetcdf_settings(struct backend_file *file, settings_add *add,
			     struct settings_sink *sink)
{
	MPI_Info effective = MPI_INFO_NULL;
	char path[PATH_MAX] = "";
	MPI_Offset offset;
	int length;

	add(sink, "library", ncmpi_inq_libvers());
	add(sink, "format", format_name(file->file));
	if (ncmpi_inq_varoffset(file->file, file->data, &offset) == NC_NOERR)
		add_number(add, sink, "data_offset_bytes", offset);
	add(sink, "transfers", file->collective ? "collective" : "independent");
	ncmpi_inq_file_info(file->file, &effective);
	if (ncmpi_inq_path(file->file, &length, NULL) == NC_NOERR && length < PATH_MAX)
		ncmpi_inq_path(file->file, &length, path);
	mpi_io_add_settings(effective, path, add, sink);
	hints_add_settings(file->session->hints, effective, add, sink);
	if (effective != MPI_INFO_NULL)
		MPI_Info_free(&effective);
}

const struct backend pnetcdf_backend = {
	.name = "pnetcdf",
	.aliases = "NCMPI",
	.options = &pnetcdf_options,
	MPI_IO_PROPERTIES,
	.directory_size = sizeof(struct backend_directory),
	.own_format = true,
	.start = pnetcdf_start,
	.stop = pnetcdf_stop,
	.check = pnetcdf_check_how,
	.open = pnetcdf_open,
	.close = pnetcdf_close,
	.sync = pnetcdf_sync,
	.truncate = descriptor_empty,
	.settings = pnetcdf_settings,
	.define_ns = pnetcdf_define_ns,
	.transfer = pnetcdf_transfer,
	METADATA_OPERATIONS,
};
