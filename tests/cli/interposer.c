/*
 * A file system in front of the C library, for LD_PRELOAD. Names below $INTERPOSED, which is an
 * absolute path, lie in a tree that all processes share through the file $INTERPOSED_STORE; its
 * descriptors begin at a million. The kernel knows neither, so a call that passes by the C library
 * fails. statx() is not served, as in some libraries of this kind.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "preload.h"

enum { NODES = 1024, ROOM = 1 << 20, FIRST = 1000000, OPEN_FILES = 256, BLOCK = 512 };

struct node {
	char path[512]; /* below the root, which is "/"; "": the node is free */
	mode_t mode;
	off_t size;
};

struct store {
	atomic_flag lock;
	struct node nodes[NODES];
	char data[NODES][ROOM];
};

/* An open directory; readdir() goes on behind node `at`. */
struct stream {
	struct dirent entry;
	int fd, at;
};

static struct store *store;
static const char *root;
static struct node *open_files[OPEN_FILES];
static struct stream streams[OPEN_FILES];

static struct store *map_store(void)
{
	int fd = NEXT(open)(getenv("INTERPOSED_STORE"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct store *mapped = MAP_FAILED;

	if (fd >= 0 && !NEXT(ftruncate)(fd, sizeof(*mapped)))
		mapped = mmap(NULL, sizeof(*mapped), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mapped == MAP_FAILED) {
		perror("interposer: INTERPOSED_STORE");
		abort();
	}
	NEXT(close)(fd);
	return mapped;
}

static void lock_store(void)
{
	if (!store) {
		store = map_store();
		root = getenv("INTERPOSED");
		strcpy(store->nodes[0].path, "/");
		store->nodes[0].mode = S_IFDIR | 0755;
	}
	while (atomic_flag_test_and_set(&store->lock))
		sched_yield();
}

static void unlock_store(void)
{
	atomic_flag_clear(&store->lock);
}

/* Whether a name is of the tree; path: where it is in it, without double or final slashes. */
static bool is_ours(int at, const char *name, char *path)
{
	const char *prefix = getenv("INTERPOSED");
	const size_t length = prefix ? strlen(prefix) : 0;
	size_t end = 0;

	if (name[0] != '/' && at >= FIRST)
		end = strlen(strcpy(path, open_files[at - FIRST]->path));
	else if (!length || strncmp(name, prefix, length) || (name[length] && name[length] != '/'))
		return false;
	else
		name += length;
	while (*name) {
		size_t part = strcspn(name, "/");

		if (part && !(part == 1 && *name == '.')) {
			if (!end || path[end - 1] != '/')
				path[end++] = '/';
			memcpy(path + end, name, part);
			end += part;
		}
		name += part + (name[part] == '/');
	}
	if (!end)
		path[end++] = '/';
	path[end] = '\0';
	return true;
}

static int fail(int code)
{
	errno = code;
	return -1;
}

static struct node *find(const char *path)
{
	for (int i = 0; i < NODES; i++)
		if (!strcmp(store->nodes[i].path, path))
			return &store->nodes[i];
	return NULL;
}

/* The length of the path of what the node lies in, without its final slash. */
static size_t above(const char *path)
{
	return (size_t)(strrchr(path, '/') - path);
}

static bool is_directly_in(const struct node *node, const char *path)
{
	size_t length = strcmp(path, "/") ? strlen(path) : 0;

	return node->path[0] && node->path[1] && above(node->path) == length &&
	       !strncmp(node->path, path, length);
}

static bool is_empty(const char *path)
{
	for (int i = 0; i < NODES; i++)
		if (is_directly_in(&store->nodes[i], path))
			return false;
	return true;
}

static int make(const char *path, mode_t mode)
{
	char parent[PATH_MAX];
	struct node *node = find("");

	snprintf(parent, sizeof(parent), "%.*s", (int)(above(path) ? above(path) : 1), path);
	if (!find(parent))
		return fail(ENOENT);
	if (find(path))
		return fail(EEXIST);
	if (!node)
		return fail(ENOSPC);
	strcpy(node->path, path);
	node->mode = mode;
	node->size = 0;
	memset(store->data[node - store->nodes], 0, ROOM);
	return 0;
}

static int open_node(const char *path, int flags, mode_t mode)
{
	int fd = 0;

	if (flags & O_CREAT && make(path, S_IFREG | mode) && (errno != EEXIST || flags & O_EXCL))
		return -1;
	struct node *node = find(path);

	if (!node)
		return fail(ENOENT);
	if (flags & O_DIRECTORY && !S_ISDIR(node->mode))
		return fail(ENOTDIR);
	if (flags & O_TRUNC)
		node->size = 0;
	while (fd < OPEN_FILES && open_files[fd])
		fd++;
	if (fd == OPEN_FILES)
		return fail(EMFILE);
	open_files[fd] = node;
	return FIRST + fd;
}

static struct node *node_of(int fd)
{
	return fd < FIRST || fd >= FIRST + OPEN_FILES ? NULL : open_files[fd - FIRST];
}

static void describe(const struct node *node, struct stat *status)
{
	memset(status, 0, sizeof(*status));
	status->st_mode = node->mode;
	status->st_nlink = 1;
	status->st_ino = (ino_t)(node - store->nodes) + 1;
	status->st_dev = 0x1234;
	status->st_size = node->size;
	status->st_blocks = (node->size + BLOCK - 1) / BLOCK;
	status->st_blksize = 4096;
}

static int stat_path(const char *path, struct stat *status)
{
	const struct node *node = find(path);

	if (!node)
		return fail(ENOENT);
	describe(node, status);
	return 0;
}

static int remove_path(const char *path, bool directory)
{
	struct node *node = find(path);

	if (!node)
		return fail(ENOENT);
	if (directory != S_ISDIR(node->mode))
		return fail(directory ? ENOTDIR : EISDIR);
	if (directory && !is_empty(path))
		return fail(ENOTEMPTY);
	node->path[0] = '\0';
	return 0;
}

/* Files, and directories that are empty. */
static int rename_path(const char *from, const char *to)
{
	struct node *node = find(from), *there = find(to);

	if (!node)
		return fail(ENOENT);
	if (S_ISDIR(node->mode) && !is_empty(from))
		return fail(EXDEV);
	if (there)
		there->path[0] = '\0';
	strcpy(node->path, to);
	return 0;
}

static int resize(struct node *node, off_t size)
{
	if (size > ROOM)
		return fail(EFBIG);
	if (size < node->size)
		memset(store->data[node - store->nodes] + size, 0, (size_t)(node->size - size));
	node->size = size;
	return 0;
}

static int truncate_path(const char *path, off_t size)
{
	struct node *node = find(path);

	return node ? resize(node, size) : fail(ENOENT);
}

/* The answer of the tree if the name is in it, else that of the C library's own call. */
#define SERVE(at, name, ours, theirs)           \
	do {                                    \
		char path[PATH_MAX];            \
		if (!is_ours(at, name, path))   \
			return theirs;          \
		lock_store();                   \
		__typeof__(ours) answer = ours; \
		unlock_store();                 \
		return answer;                  \
	} while (0)

/* The same for a descriptor, whose node is `node`. */
#define SERVE_OPEN(fd, ours, theirs)             \
	do {                                     \
		struct node *node = node_of(fd); \
		if (!node)                       \
			return theirs;           \
		lock_store();                    \
		__typeof__(ours) answer = ours;  \
		unlock_store();                  \
		return answer;                   \
	} while (0)

int openat(int at, const char *name, int flags, ...)
{
	va_list more;

	va_start(more, flags);
	mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
	va_end(more);
	SERVE(at, name, open_node(path, flags, mode), NEXT(openat)(at, name, flags, mode));
}
TWIN(openat);

int open(const char *name, int flags, ...)
{
	va_list more;

	va_start(more, flags);
	mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
	va_end(more);
	return openat(AT_FDCWD, name, flags, mode);
}
TWIN(open);

int close(int fd)
{
	SERVE_OPEN(fd, (node = open_files[fd - FIRST] = NULL, 0), NEXT(close)(fd));
}

static ssize_t read_node(const struct node *node, void *to, size_t size, off_t at)
{
	size_t there = at < node->size ? (size_t)(node->size - at) : 0;

	size = size < there ? size : there;
	memcpy(to, store->data[node - store->nodes] + at, size);
	return (ssize_t)size;
}

static ssize_t write_node(struct node *node, const void *from, size_t size, off_t at)
{
	if (at + (off_t)size > ROOM)
		return fail(EFBIG);
	memcpy(store->data[node - store->nodes] + at, from, size);
	if (node->size < at + (off_t)size)
		node->size = at + (off_t)size;
	return (ssize_t)size;
}

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	SERVE_OPEN(fd, read_node(node, to, size, at), NEXT(pread)(fd, to, size, at));
}
TWIN(pread);

ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
	SERVE_OPEN(fd, write_node(node, from, size, at), NEXT(pwrite)(fd, from, size, at));
}
TWIN(pwrite);

int fsync(int fd)
{
	SERVE_OPEN(fd, 0, NEXT(fsync)(fd));
}

int ftruncate(int fd, off_t size)
{
	SERVE_OPEN(fd, resize(node, size), NEXT(ftruncate)(fd, size));
}
TWIN(ftruncate);

int truncate(const char *name, off_t size)
{
	SERVE(AT_FDCWD, name, truncate_path(path, size), NEXT(truncate)(name, size));
}
TWIN(truncate);

int fstat(int fd, struct stat *status)
{
	SERVE_OPEN(fd, (describe(node, status), 0), NEXT(fstat)(fd, status));
}
TWIN(fstat);

int fstatat(int at, const char *name, struct stat *status, int flags)
{
	SERVE(at, name, stat_path(path, status), NEXT(fstatat)(at, name, status, flags));
}
TWIN(fstatat);

int stat(const char *name, struct stat *status)
{
	SERVE(AT_FDCWD, name, stat_path(path, status), NEXT(stat)(name, status));
}
TWIN(stat);

int lstat(const char *name, struct stat *status)
{
	SERVE(AT_FDCWD, name, stat_path(path, status), NEXT(lstat)(name, status));
}
TWIN(lstat);

int faccessat(int at, const char *name, int mode, int flags)
{
	struct stat status;

	SERVE(at, name, stat_path(path, &status), NEXT(faccessat)(at, name, mode, flags));
}

int access(const char *name, int mode)
{
	return faccessat(AT_FDCWD, name, mode, 0);
}

static int describe_all(const char *path, struct statfs *status)
{
	if (!find(path))
		return fail(ENOENT);
	*status = (struct statfs){.f_bsize = 4096,
				  .f_blocks = 1 << 20,
				  .f_bfree = 1 << 20,
				  .f_bavail = 1 << 20,
				  .f_files = NODES,
				  .f_ffree = NODES};
	return 0;
}

int statfs(const char *name, struct statfs *status)
{
	SERVE(AT_FDCWD, name, describe_all(path, status), NEXT(statfs)(name, status));
}
TWIN(statfs);

int fstatfs(int fd, struct statfs *status)
{
	SERVE_OPEN(fd, describe_all(node->path, status), NEXT(fstatfs)(fd, status));
}
TWIN(fstatfs);

static int describe_free(const char *path, struct statvfs *status)
{
	if (!find(path))
		return fail(ENOENT);
	*status = (struct statvfs){.f_bsize = 4096,
				   .f_frsize = 4096,
				   .f_blocks = 1 << 20,
				   .f_bavail = 1 << 20,
				   .f_files = NODES,
				   .f_favail = NODES};
	return 0;
}

int statvfs(const char *name, struct statvfs *status)
{
	SERVE(AT_FDCWD, name, describe_free(path, status), NEXT(statvfs)(name, status));
}
TWIN(statvfs);

int unlinkat(int at, const char *name, int flags)
{
	SERVE(at, name, remove_path(path, flags & AT_REMOVEDIR), NEXT(unlinkat)(at, name, flags));
}

int unlink(const char *name)
{
	SERVE(AT_FDCWD, name, remove_path(path, false), NEXT(unlink)(name));
}

int rmdir(const char *name)
{
	SERVE(AT_FDCWD, name, remove_path(path, true), NEXT(rmdir)(name));
}

int mkdirat(int at, const char *name, mode_t mode)
{
	SERVE(at, name, make(path, S_IFDIR | mode), NEXT(mkdirat)(at, name, mode));
}

int mkdir(const char *name, mode_t mode)
{
	return mkdirat(AT_FDCWD, name, mode);
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{
	char target[PATH_MAX];

	if (!is_ours(to_at, to, target))
		return NEXT(renameat)(from_at, from, to_at, to);
	SERVE(from_at, from, rename_path(path, target), fail(EXDEV));
}

int rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

DIR *fdopendir(int fd)
{
	if (!node_of(fd))
		return NEXT(fdopendir)(fd);
	streams[fd - FIRST] = (struct stream){.fd = fd};
	return (DIR *)&streams[fd - FIRST];
}

DIR *opendir(const char *name)
{
	char path[PATH_MAX];

	if (!is_ours(AT_FDCWD, name, path))
		return NEXT(opendir)(name);
	int fd = open(name, O_RDONLY | O_DIRECTORY);

	return fd < 0 ? NULL : fdopendir(fd);
}

static struct stream *stream_of(DIR *directory)
{
	struct stream *stream = (struct stream *)directory;

	return stream >= streams && stream < streams + OPEN_FILES ? stream : NULL;
}

struct dirent *readdir(DIR *directory)
{
	struct stream *stream = stream_of(directory);
	struct dirent *entry = NULL;

	if (!stream)
		return NEXT(readdir)(directory);
	lock_store();
	while (!entry && ++stream->at < NODES) {
		const struct node *node = &store->nodes[stream->at];

		if (!is_directly_in(node, node_of(stream->fd)->path))
			continue;
		entry = &stream->entry;
		entry->d_ino = (ino_t)stream->at + 1;
		entry->d_type = S_ISDIR(node->mode) ? DT_DIR : DT_REG;
		snprintf(entry->d_name, sizeof(entry->d_name), "%s", strrchr(node->path, '/') + 1);
	}
	unlock_store();
	return entry;
}
TWIN(readdir);

int closedir(DIR *directory)
{
	struct stream *stream = stream_of(directory);

	return stream ? close(stream->fd) : NEXT(closedir)(directory);
}

int fcntl(int fd, int command, ...)
{
	va_list more;

	va_start(more, command);
	void *argument = va_arg(more, void *);
	va_end(more);
	return node_of(fd) ? O_RDWR : NEXT(fcntl)(fd, command, argument);
}
TWIN(fcntl);
