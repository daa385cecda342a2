/* Files that are opened by descriptor. */
#include "backends/common/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "backends/common/metadata.h"
#include "base/near.h"
#include "base/units.h"

#define BLOCK_UNIT 512 /* of st_blocks, whatever the file system's block size */

int descriptor_failed(struct error *err, const char *call)
{
	return error_set(err, errno, "%s: %s", call, strerror(errno));
}

int descriptor_spare(struct error *err)
{
	enum { NEEDED = 8 };
	int spare[NEEDED], count = 0, cause;

	while (count < NEEDED && (spare[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		count++;
	cause = errno;
	for (int i = 0; i < count; i++)
		close(spare[i]);
	if (count == NEEDED)
		return 0;
	return error_input(err,
			   "a task can open %d more files only, MPI-IO needs some %d: %s; raise "
			   "the limit (ulimit -n)",
			   count, NEEDED, strerror(cause));
}

/* From the manual page statfs(2) and the file systems' own headers. */
static const struct {
	uint64_t magic;
	const char *name;
} file_systems[] = {
	{0xef53, "ext2/3/4"},	  {0x58465342, "xfs"},	    {0x9123683e, "btrfs"},
	{0x01021994, "tmpfs"},	  {0x858458f6, "ramfs"},    {0x6969, "nfs"},
	{0x0bd00bd0, "lustre"},	  {0x47504653, "gpfs"},	    {0x00c36400, "ceph"},
	{0x19830326, "beegfs"},	  {0x65735546, "fuse"},	    {0x794c7630, "overlay"},
	{0x20030528, "orangefs"}, {0xaad7aaea, "panfs"},    {0x2fc12fc1, "zfs"},
	{0xf2f52010, "f2fs"},	  {0xca451a4e, "bcachefs"}, {0x01161970, "gfs2"},
	{0x7461636f, "ocfs2"},	  {0xff534d42, "cifs"},	    {0xfe534d42, "smb2"},
	{0x01021997, "9p"},	  {0x5346414f, "afs"},	    {0x4d44, "vfat"},
	{0x2011bab0, "exfat"},	  {0x73717368, "squashfs"}, {0x9fa0, "proc"},
	{0x62656572, "sysfs"},
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

/* statfs of a path, or of its nearest existing ancestor if the path does not exist yet. */
static int statfs_near(const char *path, struct statfs *fs)
{
	char near[NEAR_SIZE];
	struct stat status;

	return near_path(path, near, &status) ? -1 : statfs(near, fs);
}

static int open_failed(const char *path, const char *direct, struct error *err)
{
	char buffer[32];
	struct statfs status;
	int code = errno;

	if (code != EINVAL || !direct || statfs_near(path, &status) < 0)
		return error_set(err, code, "open: %s", strerror(code));
	return error_set(err, code,
			 "open: %s: this file system (%s) has no direct I/O, "
			 "leave out %s",
			 strerror(code), file_system_name(&status, buffer, sizeof(buffer)), direct);
}

int descriptor_open(const struct backend_open *how, const char *direct, struct error *err)
{
	int flags = O_CLOEXEC | (how->access == ACCESS_WRITE ? O_RDWR : O_RDONLY);
	static const int sync_flags[] = {[WRITE_SYNC_DATA] = O_DSYNC, [WRITE_SYNC_FILE] = O_SYNC};
	int fd;

	flags |= how->create ? O_CREAT | (how->follows ? 0 : O_NOFOLLOW) : 0;
	flags |= how->exclusive ? O_EXCL : 0;
	flags |= direct ? O_DIRECT : 0;
	flags |= sync_flags[how->write_sync];
	do
		fd = metadata_open(how->directory, how->path, flags, 0664);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? open_failed(how->path, direct, err) : fd;
}

int descriptor_close(int fd, struct error *err)
{
	/* never repeated after EINTR: Linux has freed the descriptor by then */
	return fd >= 0 && close(fd) < 0 ? descriptor_failed(err, "close") : 0;
}

static int sync_by(int (*call)(int), const char *name, int fd, struct error *err)
{
	int ret;

	do
		ret = call(fd);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? descriptor_failed(err, name) : 0;
}

/* Each backend has its own struct backend_file, whose first member is the descriptor. */
static int descriptor_of(const struct backend_file *file)
{
	return *(const int *)(const void *)file;
}

int descriptor_sync(struct backend_file *file, struct error *err)
{
	return sync_by(fsync, "fsync", descriptor_of(file), err);
}

int descriptor_sync_data(struct backend_file *file, struct error *err)
{
	return sync_by(fdatasync, "fdatasync", descriptor_of(file), err);
}

int descriptor_allocate(struct backend_file *file, uint64_t offset, uint64_t length,
			struct error *err)
{
	const int fd = descriptor_of(file);
	char buffer[32];
	struct statfs status;
	int ret;

	do
		ret = fallocate(fd, 0, (off_t)offset, (off_t)length);
	while (ret < 0 && errno == EINTR);
	if (!ret)
		return 0;
	if (errno != EOPNOTSUPP || fstatfs(fd, &status))
		return descriptor_failed(err, "fallocate");
	return error_set(err, EOPNOTSUPP, "fallocate: this file system (%s) cannot allocate files",
			 file_system_name(&status, buffer, sizeof(buffer)));
}

int descriptor_lock(struct backend_file *file, enum file_lock lock, uint64_t offset,
		    uint64_t length, struct error *err)
{
	static const short types[] = {[FILE_LOCK_NONE] = F_UNLCK,
				      [FILE_LOCK_SHARED] = F_RDLCK,
				      [FILE_LOCK_EXCLUSIVE] = F_WRLCK};
	struct flock range = {.l_type = types[lock],
			      .l_whence = SEEK_SET,
			      .l_start = (off_t)offset,
			      .l_len = (off_t)length};
	int ret;

	do
		ret = fcntl(descriptor_of(file), F_OFD_SETLKW, &range);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? descriptor_failed(err, "fcntl(F_OFD_SETLKW)") : 0;
}

/* A device is allocated as a whole. */
static int device_size(const char *path, uint64_t *bytes, uint64_t *allocated, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return descriptor_failed(err, "open");
	ret = ioctl(fd, BLKGETSIZE64, bytes) < 0 ? descriptor_failed(err, "ioctl(BLKGETSIZE64)")
						 : 0;
	close(fd);
	*allocated = *bytes;
	return ret;
}

int descriptor_size(struct backend_session *session, const char *path, uint64_t *bytes,
		    uint64_t *allocated, struct error *err)
{
	struct statx fresh;
	struct stat known;

	/*
	 * statx() here bypasses the client's cached attributes, as other nodes may have written
	 * since.
	 */
	if (statx(AT_FDCWD, path, AT_STATX_FORCE_SYNC, STATX_TYPE | STATX_SIZE | STATX_BLOCKS,
		  &fresh) == 0) {
		if (S_ISBLK(fresh.stx_mode))
			return device_size(path, bytes, allocated, err);
		*bytes = fresh.stx_size;
		*allocated = fresh.stx_blocks * BLOCK_UNIT;
		return 0;
	}
	/* A library that intercepts the C library's calls may not know statx(). */
	if (stat(path, &known) < 0)
		return descriptor_failed(err, "stat");
	*bytes = (uint64_t)known.st_size;
	*allocated = (uint64_t)known.st_blocks * BLOCK_UNIT;
	return 0;
}

int descriptor_truncate(struct backend_session *session, const char *path, uint64_t bytes,
			struct error *err)
{
	return truncate(path, (off_t)bytes) < 0 ? descriptor_failed(err, "truncate") : 0;
}

int descriptor_empty(struct backend_session *session, const char *path, uint64_t bytes,
		     struct error *err)
{
	if (bytes)
		return error_set(err, EOPNOTSUPP,
				 "truncate: a file of this format can only be emptied");
	return descriptor_truncate(session, path, 0, err);
}

/* Gets the alignment of direct I/O by statx; false if kernel or file system do not report it. */
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
	return false;
#endif
}

/*
 * The alignment of a file that does not exist yet is a guess. 4096 for memory costs nothing. 512
 * for offsets is too little on some disks, but a larger guess would refuse jobs that can run. A
 * transfer that is refused reports the alignment that it needed.
 */
int descriptor_alignment(const char *path, bool direct, struct backend_alignment *alignment,
			 struct error *err)
{
	struct statfs status;

	alignment->memory = alignment->offset = 1;
	if (!direct || ask_alignment(AT_FDCWD, path, alignment))
		return 0;
	if (statfs_near(path, &status) < 0)
		return descriptor_failed(err, "statfs");
	alignment->memory = 4096;
	alignment->offset = (uint64_t)status.f_bsize < 512 ? (uint64_t)status.f_bsize : 512;
	return 0;
}

void descriptor_settings(int fd, settings_add *add, struct settings_sink *sink)
{
	char buffer[32];
	struct statfs status;
	int flags = fcntl(fd, F_GETFL);

	snprintf(buffer, sizeof(buffer), "%s%s%s",
		 (flags & O_ACCMODE) == O_RDONLY ? "O_RDONLY" : "O_RDWR",
		 flags & O_DIRECT ? "|O_DIRECT" : "",
		 (flags & O_SYNC) == O_SYNC ? "|O_SYNC"
		 : flags & O_DSYNC	    ? "|O_DSYNC"
					    : "");
	add(sink, "open_flags", buffer);
	add(sink, "direct", flags & O_DIRECT ? "true" : "false");
	if (fstatfs(fd, &status) == 0)
		add(sink, "file_system", file_system_name(&status, buffer, sizeof(buffer)));
}

int descriptor_explain(int fd, const char *direct, const char *call,
		       const struct transfer *transfer, int code, struct error *err)
{
	struct backend_alignment need;
	char wanted[32];

	if (code != EINVAL || !direct)
		return error_set(err, code, "%s: %s", call, strerror(code));
	if (!ask_alignment(fd, "", &need))
		return error_set(err, code,
				 "%s: %s: with %s offset and length must be "
				 "multiples of the file system's block size, mostly 512 or 4096",
				 call, strerror(code), direct);
	units_format_size(need.offset, wanted, sizeof(wanted));
	return error_set(err, code,
			 "%s: %s: with %s offset and length must be multiples "
			 "of %s and the buffer of %" PRIu64 " here, not %" PRIu64 " and %" PRIu64,
			 call, strerror(code), direct, wanted, need.memory, transfer->offset,
			 transfer->length);
}
