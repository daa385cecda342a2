/*
 * A file system in user space that hands on every call to a folder:
 * passthrough FOLDER MOUNTPOINT [CALL=ERRNO] [keep] [delay=US] [rate=MIB] [names=KIB].
 * CALL=ERRNO: the named call (unlink or flush) fails with that number. keep: the kernel keeps its
 * pages of a file when the file is opened again. delay: each read takes so many microseconds
 * longer. rate: reads and writes together move so many MiB per second at most, as over a link.
 * names: stat, create, unlink, mkdir, rmdir and the lookup of each name of a path take as long on
 * that link as so many KiB, and the kernel keeps no names.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static const char *faulty = ""; /* the call that fails */
static int fault;		/* with this errno */
static useconds_t delay_us;
static double mib_per_second; /* 0: no limit */
static size_t name_bytes;     /* what a call on a name costs of the link; 0: nothing */
static bool keeps;	      /* pages stay in the cache from open to open */

/* The file behind a name. */
static const char *behind(const char *path, char *name)
{
	snprintf(name, PATH_MAX, "%s%s", folder, path);
	return name;
}

static int answer(long ret)
{
	return ret < 0 ? -errno : (int)ret;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Waits until the bytes have come over the link. */
static void pass_link(size_t bytes)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static double free_at;

	if (!bytes || mib_per_second <= 0)
		return;
	pthread_mutex_lock(&lock);
	free_at = (free_at > now() ? free_at : now()) + (double)bytes / (mib_per_second * 1048576);
	const double until = free_at;

	pthread_mutex_unlock(&lock);
	for (double left; (left = until - now()) > 0;)
		usleep((useconds_t)(left * 1e6) + 1);
}

static int pass_getattr(const char *path, struct stat *status, struct fuse_file_info *file)
{
	char name[PATH_MAX];

	pass_link(file ? 0 : name_bytes);
	return answer(file ? fstat((int)file->fh, status) : lstat(behind(path, name), status));
}

static int pass_open(const char *path, struct fuse_file_info *file)
{
	char name[PATH_MAX];
	int fd = open(behind(path, name), file->flags & ~(O_CREAT | O_EXCL | O_DIRECT));

	file->fh = (uint64_t)fd;
	file->keep_cache = keeps;
	return fd < 0 ? -errno : 0;
}

static int pass_create(const char *path, mode_t mode, struct fuse_file_info *file)
{
	char name[PATH_MAX];

	pass_link(name_bytes);
	int fd = open(behind(path, name), (file->flags & ~O_DIRECT) | O_CREAT, mode);

	file->fh = (uint64_t)fd;
	return fd < 0 ? -errno : 0;
}

static int pass_read(const char *path, char *to, size_t size, off_t at, struct fuse_file_info *file)
{
	(void)path;
	if (delay_us)
		usleep(delay_us);
	pass_link(size);
	return answer(pread((int)file->fh, to, size, at));
}

static int pass_write(const char *path, const char *from, size_t size, off_t at,
		      struct fuse_file_info *file)
{
	(void)path;
	pass_link(size);
	return answer(pwrite((int)file->fh, from, size, at));
}

static int pass_truncate(const char *path, off_t size, struct fuse_file_info *file)
{
	char name[PATH_MAX];

	return answer(file ? ftruncate((int)file->fh, size) : truncate(behind(path, name), size));
}

static int pass_release(const char *path, struct fuse_file_info *file)
{
	(void)path;
	return answer(close((int)file->fh));
}

static int pass_fsync(const char *path, int data_only, struct fuse_file_info *file)
{
	(void)path;
	(void)data_only;
	return answer(fsync((int)file->fh));
}

static bool fails(const char *call)
{
	return !strncmp(faulty, call, strlen(call)) && faulty[strlen(call)] == '=';
}

/* Every close(2) of a descriptor comes by here, and close returns what this does. */
static int pass_flush(const char *path, struct fuse_file_info *file)
{
	struct stat status;
	int fd = (int)file->fh;

	(void)path;
	/* Data is lost only where there is some, by a descriptor that may write. */
	if (!fails("flush") || (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY || fstat(fd, &status))
		return 0;
	return status.st_size > 0 ? -fault : 0;
}

static int pass_unlink(const char *path)
{
	char name[PATH_MAX];

	pass_link(name_bytes);
	return fails("unlink") ? -fault : answer(unlink(behind(path, name)));
}

static int pass_mkdir(const char *path, mode_t mode)
{
	char name[PATH_MAX];

	pass_link(name_bytes);
	return answer(mkdir(behind(path, name), mode));
}

static int pass_rmdir(const char *path)
{
	char name[PATH_MAX];

	pass_link(name_bytes);
	return answer(rmdir(behind(path, name)));
}

static int pass_readdir(const char *path, void *to, fuse_fill_dir_t fill, off_t at,
			struct fuse_file_info *file, enum fuse_readdir_flags flags)
{
	char name[PATH_MAX];
	DIR *directory = opendir(behind(path, name));

	(void)at;
	(void)file;
	(void)flags;
	if (!directory)
		return -errno;
	for (struct dirent *entry; (entry = readdir(directory));)
		fill(to, entry->d_name, NULL, 0, 0);
	closedir(directory);
	return 0;
}

static int pass_rename(const char *from, const char *to, unsigned flags)
{
	char a[PATH_MAX], b[PATH_MAX];

	return flags ? -EINVAL : answer(rename(behind(from, a), behind(to, b)));
}

static int pass_statfs(const char *path, struct statvfs *status)
{
	char name[PATH_MAX];

	return answer(statvfs(behind(path, name), status));
}

static void *pass_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	(void)connection;
	if (name_bytes)
		config->entry_timeout = config->attr_timeout = config->negative_timeout = 0;
	return NULL;
}

static const struct fuse_operations operations = {
	.init = pass_init,
	.getattr = pass_getattr,
	.open = pass_open,
	.create = pass_create,
	.read = pass_read,
	.write = pass_write,
	.truncate = pass_truncate,
	.release = pass_release,
	.fsync = pass_fsync,
	.unlink = pass_unlink,
	.mkdir = pass_mkdir,
	.rmdir = pass_rmdir,
	.readdir = pass_readdir,
	.rename = pass_rename,
	.statfs = pass_statfs,
	.flush = pass_flush,
};

int main(int argc, char **argv)
{
	char *arguments[] = {argv[0], "-f", argc >= 3 ? argv[2] : "", NULL};

	if (argc < 3)
		return 2;
	folder = argv[1];
	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "keep")) {
			keeps = true;
		} else if (!strncmp(argv[i], "delay=", 6)) {
			delay_us = (useconds_t)atoi(argv[i] + 6);
		} else if (!strncmp(argv[i], "rate=", 5)) {
			mib_per_second = atof(argv[i] + 5);
		} else if (!strncmp(argv[i], "names=", 6)) {
			name_bytes = (size_t)atoi(argv[i] + 6) << 10;
		} else if (strchr(argv[i], '=')) {
			faulty = argv[i];
			fault = atoi(strchr(faulty, '=') + 1);
		}
	}
	return fuse_main(3, arguments, &operations, NULL);
}
