/* Reports the settings in effect for a file of the mpiio backend, and its MPI-IO implementation. */
#include "backends/mpiio_state.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/common/hints.h"
#include "backends/common/mpi_io.h"
#include "base/units.h"

struct settings_output {
	settings_add *add;
	struct settings_sink *sink;
};

static void add_calls(const struct backend_file *file, const struct settings_output *to)
{
	int mode = 0;

	MPI_File_get_amode(file->handle, &mode);
	to->add(to->sink, "call", file->names[mode & MPI_MODE_RDONLY ? ACCESS_READ : ACCESS_WRITE]);
	to->add(to->sink, "access_mode",
		mode & MPI_MODE_RDONLY	 ? "MPI_MODE_RDONLY"
		: mode & MPI_MODE_CREATE ? "MPI_MODE_RDWR|MPI_MODE_CREATE"
					 : "MPI_MODE_RDWR");
}

static void add_view(const struct backend_file *file, const struct settings_output *to)
{
	char visible[32], stride[32], view[160];

	if (file->visible_type == MPI_DATATYPE_NULL) {
		to->add(to->sink, "file_view",
			file->session->options->use_file_view
				? "none: this open is for any task's blocks"
				: "none");
		return;
	}
	units_format_size(file->visible, visible, sizeof(visible));
	units_format_size(file->stride, stride, sizeof(stride));
	snprintf(view, sizeof(view), "%s of every %s from byte %" PRIu64 "%s", visible, stride,
		 file->start, file->strided ? " on, moved for each transfer" : " on");
	to->add(to->sink, "file_view", view);
}

void mpiio_settings(struct backend_file *file, settings_add *add, struct settings_sink *sink)
{
	const struct settings_output to = {add, sink};
	MPI_Info effective = MPI_INFO_NULL;

	if (MPI_File_get_info(file->handle, &effective) != MPI_SUCCESS)
		MPI_Info_create(&effective);
	mpi_io_add_settings(effective, file->path, add, sink);
	add_calls(file, &to);
	add_view(file, &to);
	if (file->own_handle)
		add(sink, "opened_by", "each task for itself, so that its view is its own");
	hints_add_settings(file->session->asked, effective, add, sink);
	MPI_Info_free(&effective);
}
