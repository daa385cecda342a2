/* The posix backend: files through pread and pwrite, the data half; names are in posix_names.c. */
#include "backends/posix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/system_call.h"
#include "base/text.h"
#include "base/units.h"

#define BLOCK_UNIT 512 /* of st_blocks, whatever the file system's block size */

struct backend_file {
	int fd;
	bool direct;
};

static const struct option posix_rows[] = {
	BOOL(struct backend_options, direct, .aliases = "odirect", .group = "posix",
	     .help = "Open files with O_DIRECT: transfers pass by the page cache.",
	     .more = "Offsets and lengths must then be multiples of what the file system asks for, "
		     "mostly 512 or 4096 bytes. Some file systems refuse it."),
};

const struct option_table posix_options = {
	.prefix = "posix",
	.summary = "Files through the operating system: open, pread, pwrite",
	.rows = posix_rows,
	.count = sizeof(posix_rows) / sizeof(posix_rows[0]),
	.values_size = sizeof(struct backend_options),
};

/* From the manual page statfs(2) and the file systems' own headers. */
static const struct {
	uint64_t magic;
	const char *name;
} file_systems[] = {
	{ 0xef53, "ext2/3/4" },      { 0x58465342, "xfs" },	  { 0x9123683e, "btrfs" },
	{ 0x01021994, "tmpfs" },     { 0x858458f6, "ramfs" },	  { 0x6969, "nfs" },
	{ 0x0bd00bd0, "lustre" },    { 0x47504653, "gpfs" },	  { 0x00c36400, "ceph" },
	{ 0x19830326, "beegfs" },    { 0x65735546, "fuse" },	  { 0x794c7630, "overlay" },
	{ 0x20030528, "orangefs" },  { 0xaad7aaea, "panfs" },	  { 0x2fc12fc1, "zfs" },
	{ 0xf2f52010, "f2fs" },	     { 0xca451a4e, "bcachefs" },  { 0x01161970, "gfs2" },
	{ 0x7461636f, "ocfs2" },     { 0xff534d42, "cifs" },	  { 0xfe534d42, "smb2" },
	{ 0x01021997, "9p" },	     { 0x5346414f, "afs" },	  { 0x4d44, "vfat" },
	{ 0x2011bab0, "exfat" },     { 0x73717368, "squashfs" },  { 0x9fa0, "proc" },
	{ 0x62656572, "sysfs" },
};

static const char *file_system_name(const struct statfs *status, char *buffer, size_t size)
{
	uint64_t magic = (uint32_t)status->f_type;

	for (size_t i = 0; i < sizeof(file_systems) / sizeof(file_systems[0]); i++)
		if (file_systems[i].magic == magic)
			return file_systems[i].name;
	snprintf(buffer, size, "type 0x%" PRIx64, magic);
	return buffer;
}

static int statfs_near(const char *path, struct statfs *status)
{
	char directory[4096];

	if (statfs(path, status) == 0)
		return 0;
	if (errno != ENOENT || !text_directory(path, directory, sizeof(directory)))
		return -1;
	return statfs(directory, status);
}

static int open_failed(const struct backend_session *session, const char *path, struct error *err)
{
	char buffer[32];
	struct statfs status;
	int code = errno;

	if (code != EINVAL || !session->options->direct || statfs_near(path, &status) < 0)
		return error_set(err, code, "open: %s", strerror(code));
	return error_set(err, code, "open: %s: this file system (%s) has no direct I/O, "
			 "leave out posix.direct", strerror(code),
			 file_system_name(&status, buffer, sizeof(buffer)));
}

static int posix_start(struct backend_session *session, const struct backend_start *start,
		       const void *blob, size_t blob_size, struct error *err)
{
	(void)blob;
	(void)blob_size;
	(void)err;
	session->options = start->options;
	return 0;
}

static int posix_open(struct backend_session *session, struct backend_file *file,
		      const struct backend_open *how, struct error *err)
{
	int flags = O_CLOEXEC | (how->access == ACCESS_WRITE ? O_RDWR : O_RDONLY);

	flags |= how->create ? O_CREAT : 0;
	flags |= how->truncate ? O_TRUNC : 0;
	flags |= session->options->direct ? O_DIRECT : 0;
	file->direct = session->options->direct;
	do
		file->fd = open(how->path, flags, 0664);
	while (file->fd < 0 && errno == EINTR);
	return file->fd < 0 ? open_failed(session, how->path, err) : 0;
}

static int posix_close(struct backend_file *file, struct error *err)
{
	int fd = file->fd;

	file->fd = -1;
	/* never repeated after EINTR: Linux has freed the descriptor by then */
	return fd >= 0 && close(fd) < 0 ? posix_failed(err, "close") : 0;
}

static int posix_sync(struct backend_file *file, struct error *err)
{
	int ret;

	do
		ret = fsync(file->fd);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? posix_failed(err, "fsync") : 0;
}

static int posix_size(struct backend_session *session, const char *path, uint64_t *bytes,
		      uint64_t *allocated, struct error *err)
{
	struct statx status;

	(void)session;
	/* Not what this client remembers: other nodes may have written since. */
	if (statx(AT_FDCWD, path, AT_STATX_FORCE_SYNC, STATX_SIZE | STATX_BLOCKS, &status) < 0)
		return posix_failed(err, "stat");
	*bytes = status.stx_size;
	*allocated = status.stx_blocks * BLOCK_UNIT;
	return 0;
}

static int posix_truncate(struct backend_session *session, const char *path, uint64_t bytes,
			  struct error *err)
{
	(void)session;
	return truncate(path, (off_t)bytes) < 0 ? posix_failed(err, "truncate") : 0;
}

/* What statx says about direct I/O; false where the kernel or the file system does not tell. */
static bool ask_alignment(int fd, const char *path, struct backend_alignment *alignment)
{
#ifdef STATX_DIOALIGN
	struct statx status;
	int flags = *path ? 0 : AT_EMPTY_PATH;

	if (statx(fd, path, flags, STATX_DIOALIGN, &status) < 0 ||
	    !(status.stx_mask & STATX_DIOALIGN) || status.stx_dio_offset_align == 0)
		return false;
	alignment->memory = status.stx_dio_mem_align;
	alignment->offset = status.stx_dio_offset_align;
	return true;
#else
	(void)fd;
	(void)path;
	(void)alignment;
	return false;
#endif
}

/*
 * A file that is not there yet cannot be asked. 4096 for memory costs nothing; 512 for offsets may be
 * too little on some disks, but a larger guess would refuse jobs that can run, and a transfer that
 * is refused says what it needed.
 */
static int posix_alignment(struct backend_session *session, const char *path,
			   struct backend_alignment *alignment, struct error *err)
{
	struct statfs status;

	alignment->memory = alignment->offset = 1;
	if (!session->options->direct || ask_alignment(AT_FDCWD, path, alignment))
		return 0;
	if (statfs_near(path, &status) < 0)
		return posix_failed(err, "statfs");
	alignment->memory = 4096;
	alignment->offset = (uint64_t)status.f_bsize < 512 ? (uint64_t)status.f_bsize : 512;
	return 0;
}

static void posix_settings(struct backend_file *file, settings_tell *tell,
			   struct settings_sink *sink)
{
	char buffer[32];
	struct statfs status;
	int flags = fcntl(file->fd, F_GETFL);

	snprintf(buffer, sizeof(buffer), "%s%s%s",
		 (flags & O_ACCMODE) == O_RDONLY ? "O_RDONLY" : "O_RDWR",
		 flags & O_DIRECT ? "|O_DIRECT" : "", (flags & O_SYNC) == O_SYNC ? "|O_SYNC" : "");
	tell(sink, "open_flags", buffer);
	tell(sink, "direct", flags & O_DIRECT ? "true" : "false");
	if (fstatfs(file->fd, &status) == 0)
		tell(sink, "file_system", file_system_name(&status, buffer, sizeof(buffer)));
}

/* Names the alignment a refused direct transfer missed, where it is known and was missed. */
static int64_t transfer_failed(const struct backend_file *file, const struct transfer *transfer,
			       struct error *err)
{
	const char *call = transfer->access == ACCESS_WRITE ? "pwrite" : "pread";
	struct backend_alignment need;
	char wanted[32];
	int code = errno;

	if (code != EINVAL || !file->direct)
		return posix_failed(err, call);
	if (!ask_alignment(file->fd, "", &need))
		return error_set(err, code, "%s: %s: with posix.direct offset and length must be "
				 "multiples of the file system's block size, mostly 512 or 4096",
				 call, strerror(code));
	units_format_size(need.offset, wanted, sizeof(wanted));
	return error_set(err, code, "%s: %s: with posix.direct offset and length must be multiples "
			 "of %s and the buffer of %" PRIu64 " here, not %" PRIu64 " and %" PRIu64,
			 call, strerror(code), wanted, need.memory, transfer->offset,
			 transfer->length);
}

static int64_t posix_transfer(struct backend_file *file, const struct transfer *transfer,
			      struct error *err)
{
	int64_t moved;

	do
		moved = transfer->access == ACCESS_WRITE ?
			system_pwrite(file->fd, transfer->buffer, transfer->length,
				      transfer->offset) :
			system_pread(file->fd, transfer->buffer, transfer->length, transfer->offset);
	while (__builtin_expect(moved < 0, 0) && moved == -EINTR);
	if (__builtin_expect(moved >= 0, 1))
		return moved;
	errno = (int)-moved;
	return transfer_failed(file, transfer, err);
}

const struct backend posix_backend = {
	.name = "posix",
	.aliases = "POSIX",
	.summary = "Files through the operating system: open, pread, pwrite",
	.path_is = "a path of a file",
	.options = &posix_options,
	.session_size = sizeof(struct backend_session),
	.file_size = sizeof(struct backend_file),
	.directory_size = sizeof(struct backend_directory),
	.options_size = sizeof(struct backend_options),
	.files = true,
	.start = posix_start,
	.open = posix_open,
	.close = posix_close,
	.sync = posix_sync,
	.size = posix_size,
	.truncate = posix_truncate,
	.alignment = posix_alignment,
	.settings = posix_settings,
	.transfer = posix_transfer,
	.open_directory = posix_open_directory,
	.close_directory = posix_close_directory,
	.create = posix_create,
	.mknod = posix_mknod,
	.stat = posix_stat,
	.open_close = posix_open_close,
	.remove = posix_remove,
	.rename = posix_rename,
	.mkdir = posix_mkdir,
	.rmdir = posix_rmdir,
	.list = posix_list,
};
