/* The posix backend: files through pread and pwrite. */
#include "backends/backend.h"

#include "backends/common/descriptor.h"

struct backend_options {
	bool direct;
};

struct backend_session {
	const char *direct; /* the option that asked for O_DIRECT, NULL: none */
};

struct backend_file {
	int fd;
	const char *direct;
};

static const struct option posix_rows[] = {
	BOOL(struct backend_options, direct, .aliases = "odirect", .group = "posix",
	     .help = "Open files with O_DIRECT, which bypasses the page cache.",
	     .more = "Offsets and lengths must then be multiples of what the file system asks for, "
		     "mostly 512 or 4096 bytes. Some file systems refuse it."),
};

const struct option_table posix_options = {
	.prefix = "posix",
	.summary = "Files through the operating system: open, pread, pwrite",
	OPTION_ROWS(posix_rows, struct backend_options),
};

static int posix_start(struct backend_session *session, const struct backend_start *start,
		       struct error *err)
{
	session->direct = start->options->direct ? "posix.direct" : NULL;
	return 0;
}

static int posix_open(struct backend_session *session, struct backend_file *file,
		      const struct backend_open *how, struct error *err)
{
	file->direct = session->direct;
	file->fd = descriptor_open(how, session->direct, err);
	return file->fd < 0 ? -1 : 0;
}

static int posix_close(struct backend_file *file, struct error *err)
{
	int fd = file->fd;

	file->fd = -1;
	return descriptor_close(fd, err);
}

static int posix_alignment(struct backend_session *session, const char *path,
			   struct backend_alignment *alignment, struct error *err)
{
	return descriptor_alignment(path, session->direct, alignment, err);
}

static void posix_settings(struct backend_file *file, settings_add *add, struct settings_sink *sink)
{
	descriptor_settings(file->fd, add, sink);
}

static int64_t posix_transfer(struct backend_file *file, const struct transfer *transfer,
			      struct error *err)
{
	return descriptor_transfer(file->fd, file->direct, transfer, err);
}

const struct backend posix_backend = {
	.name = "posix",
	.aliases = "POSIX",
	.options = &posix_options,
	.start = posix_start,
	.open = posix_open,
	.close = posix_close,
	.lock = descriptor_lock,
	.alignment = posix_alignment,
	.settings = posix_settings,
	.transfer = posix_transfer,
	DESCRIPTOR_OPERATIONS,
	DESCRIPTOR_TRANSFERS,
};
