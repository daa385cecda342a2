/*
 * The mmap backend: a file is mapped whole at open, and transfers are copies from and to the
 * mapping.
 *
 * The space of a file to write is allocated before it is mapped: a store into a page that finds no
 * room could only end in SIGBUS. What still can, bus_error() explains to the engine's guard.
 */
#include "backends/mmap.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "backends/backend.h"
#include "backends/common/agree.h"
#include "backends/common/descriptor.h"

struct backend_session {
	const struct backend_options *options;
	uint64_t page;
};

struct backend_file {
	int fd;
	const struct backend_session *session;
	enum access access;
	char *map;	 /* NULL while nothing is mapped */
	uint64_t end;	 /* bytes of the file that are mapped */
	bool gives_back; /* releases pages after each transfer */
	bool sparse;	 /* the file system cannot allocate space in advance */
	bool random;	 /* transfers come in any order */
};

static int mmap_start(struct backend_session *session, const struct backend_start *start,
		      struct error *err)
{
	session->options = start->options;
	session->page = (uint64_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static int file_length(const struct backend_file *file, uint64_t *bytes, struct error *err)
{
	struct stat status;

	if (fstat(file->fd, &status) < 0)
		return descriptor_failed(err, "fstat");
	*bytes = (uint64_t)status.st_size;
	return 0;
}

/* Extends the file without allocating space, so that a full disk causes a SIGBUS. */
static int lengthen(struct backend_file *file, uint64_t bytes, struct error *err)
{
	uint64_t there;

	file->sparse = true;
	if (file_length(file, &there, err) < 0)
		return -1;
	if (there < bytes && ftruncate(file->fd, (off_t)bytes) < 0)
		return descriptor_failed(err, "ftruncate");
	return 0;
}

/*
 * Uses fallocate, not posix_fallocate. If the file system lacks it, the C library's would write a
 * byte into every block, which takes as long as the test.
 */
static int allocate(struct backend_file *file, uint64_t offset, uint64_t length, struct error *err)
{
	int ret;

	if (length == 0)
		return 0;
	do
		ret = fallocate(file->fd, 0, (off_t)offset, (off_t)length);
	while (ret < 0 && errno == EINTR);
	if (ret < 0 && (errno == EOPNOTSUPP || errno == ENOSYS))
		return lengthen(file, offset + length, err);
	return ret < 0 ? descriptor_failed(err, "fallocate") : 0;
}

/* --- the mapping ---------------------------------------------------------------------------- */

static int map_failed(int code, struct error *err)
{
	const char *hint = "";

	if (code == ENODEV || code == EACCES)
		hint = ": this file system cannot map files for it, use api=posix";
	else if (code == ENOMEM)
		hint = ": no room for the mapping, lower the file's size or raise ulimit -v";
	return error_set(err, code, "mmap: %s%s", strerror(code), hint);
}

static int mmap_advise(const struct backend_file *file, int advice, const char *option,
		       struct error *err)
{
	if (madvise(file->map, file->end, advice) < 0)
		return error_set(err, errno,
				 "madvise: %s: this kernel does not know it, leave out %s",
				 strerror(errno), option);
	return 0;
}

static int advise_all(const struct backend_file *file, struct error *err)
{
	const int advices[] = {
		[ADVICE_NORMAL] = MADV_NORMAL,
		[ADVICE_SEQUENTIAL] = MADV_SEQUENTIAL,
		[ADVICE_RANDOM] = MADV_RANDOM,
		[ADVICE_WILLNEED] = MADV_WILLNEED,
		[ADVICE_DONTNEED] = MADV_NORMAL,
		[ADVICE_PATTERN] = file->random ? MADV_RANDOM : MADV_SEQUENTIAL,
	};
	const struct backend_options *options = file->session->options;

	if (options->huge_pages && mmap_advise(file, MADV_HUGEPAGE, "mmap.huge_pages", err) < 0)
		return -1;
	return mmap_advise(file, advices[options->madvise], "mmap.madvise", err);
}

static int map(struct backend_file *file, uint64_t bytes, struct error *err)
{
	int protection = PROT_READ | (file->access == ACCESS_WRITE ? PROT_WRITE : 0);
	int flags = MAP_SHARED | (file->session->options->populate ? MAP_POPULATE : 0);
	void *mapped;

	if (bytes == 0)
		return 0;
	mapped = mmap(NULL, bytes, protection, flags, file->fd, 0);
	if (mapped == MAP_FAILED)
		return map_failed(errno, err);
	file->map = mapped;
	file->end = bytes;
	return advise_all(file, err);
}

/* Extends the mapping of a file that has grown. */
static int map_more(struct backend_file *file, uint64_t bytes, struct error *err)
{
	void *mapped;

	if (!file->map)
		return map(file, bytes, err);
	mapped = mremap(file->map, file->end, bytes, MREMAP_MAYMOVE);
	if (mapped == MAP_FAILED)
		return map_failed(errno, err);
	file->map = mapped;
	file->end = bytes;
	return 0;
}

/* --- open and close ------------------------------------------------------------------------- */

/* Creates or empties the file and allocates its space, before any task maps it. */
static int make_room(struct backend_file *file, const struct backend_open *how, struct error *err)
{
	file->fd = descriptor_open(how, NULL, err);
	return file->fd < 0 ? -1 : allocate(file, 0, how->file_size, err);
}

static int open_and_map(struct backend_file *file, const struct backend_open *how,
			struct error *err)
{
	uint64_t bytes;

	if (file->fd < 0)
		file->fd = descriptor_open(how, NULL, err);
	if (file->fd < 0 || file_length(file, &bytes, err) < 0)
		return -1;
	return map(file, bytes, err);
}

static int mmap_open(struct backend_session *session, struct backend_file *file,
		     const struct backend_open *how, struct error *err)
{
	int ret = 0, first;

	file->session = session;
	file->access = how->access;
	file->random = how->source == UINT64_MAX;
	file->fd = -1;
	file->gives_back = session->options->madvise == ADVICE_DONTNEED;
	MPI_Comm_rank(how->comm, &first);
	first = first == 0;
	if (how->access == ACCESS_WRITE) {
		/* the others open it afterwards, so that other nodes see its length */
		ret = agree_open(how, first ? make_room(file, how, err) : 0, err);
	}
	if (ret == 0)
		ret = open_and_map(file, how, err);
	return agree_open(how, ret, err);
}

static int mmap_close(struct backend_file *file, struct error *err)
{
	int fd = file->fd;

	if (file->map)
		munmap(file->map, file->end);
	file->map = NULL;
	file->fd = -1;
	return descriptor_close(fd, err);
}

/* Linux writes the pages and the metadata to find them, with the length, as fdatasync does. */
static int mmap_sync(struct backend_file *file, struct error *err)
{
	if (!file->map)
		return descriptor_sync(file, err);
	return msync(file->map, file->end, MS_SYNC) < 0 ? descriptor_failed(err, "msync") : 0;
}

static void mmap_settings(struct backend_file *file, settings_add *add, struct settings_sink *sink)
{
	const struct backend_options *options = file->session->options;

	descriptor_settings(file->fd, add, sink);
	add(sink, "madvise", mmap_advice_names[options->madvise]);
	add(sink, "populate", options->populate ? "true" : "false");
	add(sink, "huge_pages", options->huge_pages ? "true" : "false");
	if (file->access == ACCESS_WRITE)
		add(sink, "space", file->sparse ? "not allocated: no fallocate here" : "allocated");
}

/* --- transfers ------------------------------------------------------------------------------ */

/* For a transfer past the end of the mapping: how many of its bytes can be moved, or -1. */
static int64_t mmap_reach(struct backend_file *file, const struct transfer *transfer,
			  struct error *err)
{
	uint64_t end = transfer->offset + transfer->length, bytes = end;

	if (transfer->length == 0)
		return 0;
	if (transfer->access == ACCESS_WRITE &&
	    allocate(file, transfer->offset, transfer->length, err) < 0)
		return -1;
	if (transfer->access == ACCESS_READ && file_length(file, &bytes, err) < 0)
		return -1;
	if (bytes > file->end && map_more(file, bytes, err) < 0)
		return -1;
	if (transfer->offset >= file->end)
		return 0;
	return (int64_t)((end < file->end ? end : file->end) - transfer->offset);
}

/* Releases whole pages only, as another transfer may need the rest of a page next. */
static void give_back(const struct backend_file *file, uint64_t offset, uint64_t length)
{
	uint64_t page = file->session->page;
	uint64_t first = (offset + page - 1) / page * page;
	uint64_t end = (offset + length) / page * page;

	if (first < end)
		madvise(file->map + first, end - first, MADV_DONTNEED);
}

static int64_t mmap_transfer(struct backend_file *file, const struct transfer *transfer,
			     struct error *err)
{
	int64_t length = (int64_t)transfer->length;

	if (__builtin_expect(transfer->access > file->access, 0))
		return error_set(err, EBADF, "mmap: %s: the file is mapped for reading only",
				 strerror(EBADF));
	if (__builtin_expect(transfer->offset + transfer->length > file->end, 0))
		length = mmap_reach(file, transfer, err);
	if (__builtin_expect(length <= 0, 0))
		return length;
	if (transfer->access == ACCESS_WRITE)
		memcpy(file->map + transfer->offset, transfer->buffer, (size_t)length);
	else
		memcpy(transfer->buffer, file->map + transfer->offset, (size_t)length);
	if (__builtin_expect(file->gives_back, 0))
		give_back(file, transfer->offset, (uint64_t)length);
	return length;
}

static bool disk_is_full(const struct backend_file *file)
{
	struct statfs status;

	return fstatfs(file->fd, &status) == 0 && status.f_bavail == 0;
}

static int mmap_bus_error(struct backend_file *file, const void *address, uint64_t *offset,
			  struct error *err)
{
	uint64_t position = (uint64_t)((uintptr_t)address - (uintptr_t)file->map), bytes;

	if (!file->map || position >= file->end)
		return 0;
	*offset = position;
	if (file_length(file, &bytes, err) < 0)
		return -1;
	if (position >= bytes)
		return error_set(err, EIO,
				 "mmap: %s: another process has cut the file to %" PRIu64
				 " bytes while it was mapped",
				 strerror(EIO), bytes);
	if (file->access == ACCESS_WRITE && disk_is_full(file))
		return error_set(err, ENOSPC,
				 "mmap: %s: a page of the file lost its space while it was mapped, "
				 "or never had any",
				 strerror(ENOSPC));
	return error_set(err, EIO, "mmap: %s: the storage could not provide a page (SIGBUS)",
			 strerror(EIO));
}

const struct backend mmap_backend = {
	.name = "mmap",
	.aliases = "MMAP",
	.options = &mmap_options,
	.start = mmap_start,
	.open = mmap_open,
	.close = mmap_close,
	.sync = mmap_sync,
	.settings = mmap_settings,
	.transfer = mmap_transfer,
	.bus_error = mmap_bus_error,
	DESCRIPTOR_OPERATIONS,
};
