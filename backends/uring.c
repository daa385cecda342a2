/* The uring backend: io_uring with up to queue_depth transfers or metadata operations in flight. */
#include "backends/backend.h"

#include "backends/common/descriptor.h"
#include "backends/uring_state.h"

static int uring_start(struct backend_session *session, const struct backend_start *start,
		       struct error *err)
{
	session->options = start->options;
	session->direct = start->options->direct ? "uring.direct" : NULL;
	if (start->options->iopoll && !start->options->direct)
		return error_input(err, "uring.iopoll polls the device, and the page cache is "
					"none: add uring.direct");
	return uring_setup(session, start->queue_depth > 1 ? (unsigned)start->queue_depth : 1, err);
}

static int uring_stop(struct backend_session *session, struct error *err)
{
	uring_end_metadata(session);
	uring_release(session);
	return 0;
}

static int uring_open(struct backend_session *session, struct backend_file *file,
		      const struct backend_open *how, struct error *err)
{
	file->session = session;
	file->fd = descriptor_open(how, session->direct, err);
	if (file->fd < 0)
		return -1;
	uring_register_file(file);
	return 0;
}

static int uring_close(struct backend_file *file, struct error *err)
{
	struct error ignored;
	int fd = file->fd;
	int ret;

	if (fd < 0)
		return 0;
	ret = uring_drain(file->session, err); /* a failed loop leaves transfers in flight */
	uring_forget_file(file);
	file->fd = -1;
	return descriptor_close(fd, ret < 0 ? &ignored : err) < 0 ? -1 : ret;
}

static int uring_alignment(struct backend_session *session, const char *path,
			   struct backend_alignment *alignment, struct error *err)
{
	if (session->options->iopoll && uring_check_polling(path, err) < 0)
		return -1;
	return descriptor_alignment(path, session->direct, alignment, err);
}

static void uring_file_settings(struct backend_file *file, settings_add *add,
				struct settings_sink *sink)
{
	descriptor_settings(file->fd, add, sink);
	uring_settings(file, add, sink);
}

const struct backend uring_backend = {
	.name = "uring",
	.options = &uring_options,
	.start = uring_start,
	.stop = uring_stop,
	.open = uring_open,
	.close = uring_close,
	.alignment = uring_alignment,
	.settings = uring_file_settings,
	.transfer = uring_transfer,
	.submit = uring_submit,
	.reap = uring_reap,
	.register_buffers = uring_register_buffers,
	.explain = uring_explain,
	DESCRIPTOR_OPERATIONS,
	DESCRIPTOR_TRANSFERS,
	.prepare_metadata = uring_prepare_metadata,
	.submit_metadata = uring_submit_metadata,
	.reap_metadata = uring_reap_metadata,
};
