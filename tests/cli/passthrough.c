/*
 * A file system in user space that hands on every call to a folder:
 * passthrough FOLDER MOUNTPOINT [CALL=FAULT]... [direct] [keep] [delay=US] [rate=MIB] [names=KIB].
 * CALL=FAULT: the named call fails with the errno value FAULT, moves half of its bytes (short) or
 * never returns (stall), and each time a line on standard error says so. The calls are open,
 * create, write, read, fsync, flush, getattr, unlink, truncate and fallocate; getattr and flush
 * fail for files with data only. direct: the kernel keeps no pages, so that each read and write
 * comes by here. keep: the kernel keeps its pages of a file when the file is opened again. delay:
 * each read takes so many microseconds longer. rate: reads and writes together move so many MiB per
 * second at most, as over a link.
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

enum { FAULTS = 8, SHORT = -1, STALL = -2 };

struct fault {
	const char *call; /* with "=" and more behind it */
	int kind;	  /* an errno value, SHORT or STALL */
};

static const char *folder;
static struct fault faults[FAULTS];
static int fault_count;
static useconds_t delay_us;
static double mib_per_second; /* 0: no limit */
static size_t name_bytes;     /* what a call on a name costs of the link; 0: nothing */
static bool keeps;	      /* pages stay in the cache from open to open */
static bool direct;	      /* no pages are kept */

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

static int kind_of(const char *call)
{
	const size_t length = strlen(call);

	for (int i = 0; i < fault_count; i++)
		if (!strncmp(faults[i].call, call, length) && faults[i].call[length] == '=')
			return faults[i].kind;
	return 0;
}

/* The name of a file by its path or, of an open one, by its descriptor. */
static const char *name_of(const char *path, const struct fuse_file_info *file)
{
	static __thread char name[PATH_MAX];
	char link[64];

	if (path)
		return path;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", (int)file->fh);
	const ssize_t length = readlink(link, name, sizeof(name) - 1);

	name[length > 0 ? length : 0] = '\0';
	return name;
}

/* The errno value with which a call on a path fails; 0: it does not. */
static int fault_of(const char *call, const char *path)
{
	const int kind = kind_of(call);

	if (!kind || kind == SHORT)
		return 0;
	fprintf(stderr, "fault: %s %s\n", call, path);
	while (kind == STALL)
		pause();
	return kind;
}

/* The bytes that a call moves: half of them where it is to come short. */
static size_t shorten(const char *call, const char *path, size_t size)
{
	if (kind_of(call) != SHORT || size < 2)
		return size;
	fprintf(stderr, "fault: %s %s\n", call, path);
	return size / 2;
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
	const int ret = file ? fstat((int)file->fh, status) : lstat(behind(path, name), status);

	if (!ret && S_ISREG(status->st_mode) && status->st_size) {
		const int code = fault_of("getattr", name_of(path, file));

		if (code)
			return -code;
	}
	return answer(ret);
}

static int pass_open(const char *path, struct fuse_file_info *file)
{
	char name[PATH_MAX];
	const int code = fault_of("open", path);

	if (code)
		return -code;
	int fd = open(behind(path, name), file->flags & ~(O_CREAT | O_EXCL | O_DIRECT));

	file->fh = (uint64_t)fd;
	file->keep_cache = keeps;
	file->direct_io = direct;
	return fd < 0 ? -errno : 0;
}

static int pass_create(const char *path, mode_t mode, struct fuse_file_info *file)
{
	char name[PATH_MAX];

	const int code = fault_of("create", path);

	if (code)
		return -code;
	pass_link(name_bytes);
	int fd = open(behind(path, name), (file->flags & ~O_DIRECT) | O_CREAT, mode);

	file->fh = (uint64_t)fd;
	file->direct_io = direct;
	return fd < 0 ? -errno : 0;
}

static int pass_read(const char *path, char *to, size_t size, off_t at, struct fuse_file_info *file)
{
	const int code = fault_of("read", name_of(path, file));

	if (code)
		return -code;
	if (delay_us)
		usleep(delay_us);
	pass_link(size);
	return answer(pread((int)file->fh, to, shorten("read", name_of(path, file), size), at));
}

static int pass_write(const char *path, const char *from, size_t size, off_t at,
		      struct fuse_file_info *file)
{
	const int code = fault_of("write", name_of(path, file));

	if (code)
		return -code;
	pass_link(size);
	return answer(pwrite((int)file->fh, from, shorten("write", name_of(path, file), size), at));
}

static int pass_truncate(const char *path, off_t size, struct fuse_file_info *file)
{
	char name[PATH_MAX];
	const int code = fault_of("truncate", name_of(path, file));

	if (code)
		return -code;
	return answer(file ? ftruncate((int)file->fh, size) : truncate(behind(path, name), size));
}

static int pass_fallocate(const char *path, int mode, off_t at, off_t size,
			  struct fuse_file_info *file)
{
	const int code = fault_of("fallocate", name_of(path, file));

	return code ? -code : answer(fallocate((int)file->fh, mode, at, size));
}

static int pass_release(const char *path, struct fuse_file_info *file)
{
	(void)path;
	return answer(close((int)file->fh));
}

static int pass_fsync(const char *path, int data_only, struct fuse_file_info *file)
{
	const int code = fault_of("fsync", name_of(path, file));

	(void)data_only;
	return code ? -code : answer(fsync((int)file->fh));
}

/* Every close(2) of a descriptor comes by here, and close returns what this does. */
static int pass_flush(const char *path, struct fuse_file_info *file)
{
	struct stat status;
	int fd = (int)file->fh;

	/* Data is lost only where there is some, by a descriptor that may write. */
	if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY || fstat(fd, &status) || !status.st_size)
		return 0;
	return -fault_of("flush", name_of(path, file));
}

static int pass_unlink(const char *path)
{
	char name[PATH_MAX];

	const int code = fault_of("unlink", path);

	pass_link(name_bytes);
	return code ? -code : answer(unlink(behind(path, name)));
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

/* The handle of an open directory is its name, as readdir gets no path. */
static int pass_opendir(const char *path, struct fuse_file_info *file)
{
	char name[PATH_MAX];

	file->fh = (uint64_t)(uintptr_t)strdup(behind(path, name));
	return file->fh ? 0 : -ENOMEM;
}

static int pass_releasedir(const char *path, struct fuse_file_info *file)
{
	(void)path;
	free((char *)(uintptr_t)file->fh);
	return 0;
}

static int pass_readdir(const char *path, void *to, fuse_fill_dir_t fill, off_t at,
			struct fuse_file_info *file, enum fuse_readdir_flags flags)
{
	DIR *directory = opendir((const char *)(uintptr_t)file->fh);

	(void)path;
	(void)at;
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
	/*
	 * Where faults are wanted, unlink means unlink, also of an open file, whose calls then have
	 * no path. Else FUSE renames such a file, so that stat of its descriptor works.
	 */
	config->hard_remove = config->nullpath_ok = fault_count > 0;
	if (name_bytes || kind_of("getattr"))
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
	.fallocate = pass_fallocate,
	.release = pass_release,
	.fsync = pass_fsync,
	.unlink = pass_unlink,
	.mkdir = pass_mkdir,
	.rmdir = pass_rmdir,
	.opendir = pass_opendir,
	.readdir = pass_readdir,
	.releasedir = pass_releasedir,
	.rename = pass_rename,
	.statfs = pass_statfs,
	.flush = pass_flush,
};

static void add_fault(const char *word)
{
	const char *what = strchr(word, '=') + 1;
	const int kind = !strcmp(what, "short")	  ? SHORT
			 : !strcmp(what, "stall") ? STALL
						  : atoi(what);

	if (fault_count < FAULTS)
		faults[fault_count++] = (struct fault){word, kind};
}

int main(int argc, char **argv)
{
	char *arguments[] = {argv[0], "-f", argc >= 3 ? argv[2] : "", NULL};

	if (argc < 3)
		return 2;
	folder = argv[1];
	for (int i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "keep")) {
			keeps = true;
		} else if (!strcmp(argv[i], "direct")) {
			direct = true;
		} else if (!strncmp(argv[i], "delay=", 6)) {
			delay_us = (useconds_t)atoi(argv[i] + 6);
		} else if (!strncmp(argv[i], "rate=", 5)) {
			mib_per_second = atof(argv[i] + 5);
		} else if (!strncmp(argv[i], "names=", 6)) {
			name_bytes = (size_t)atoi(argv[i] + 6) << 10;
		} else if (strchr(argv[i], '=')) {
			add_fault(argv[i]);
		}
	}
	return fuse_main(3, arguments, &operations, NULL);
}
