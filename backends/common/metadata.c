/* Metadata operations of file systems, by system calls on paths. */
#include "backends/common/metadata.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The contract's return for a call that answered this: -1 with *err if it failed. */
static inline int outcome(int answer, const char *call, struct error *err)
{
	return __builtin_expect(answer < 0, 0) ? descriptor_failed(err, call) : 0;
}

static inline int open_and_close(const struct backend_directory *directory, const char *name,
				 int flags, mode_t mode, struct error *err)
{
	int fd = metadata_open(directory, name, flags, mode);

	if (__builtin_expect(fd < 0, 0))
		return descriptor_failed(err, "open");
	return outcome(close(fd), "close", err);
}

int metadata_open_directory(struct backend_session *session, struct backend_directory *directory,
			    const char *path, struct error *err)
{
	directory->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return outcome(directory->fd, "open", err);
}

int metadata_close_directory(struct backend_directory *directory, struct error *err)
{
	if (directory->fd < 0)
		return 0;
	return outcome(close(directory->fd), "close", err);
}

int metadata_create(struct backend_session *session, struct backend_directory *directory,
		    const char *name, mode_t mode, struct error *err)
{
	return open_and_close(directory, name, METADATA_CREATE_FLAGS, mode, err);
}

int metadata_mknod(struct backend_session *session, struct backend_directory *directory,
		   const char *name, mode_t mode, struct error *err)
{
	return outcome(directory ? mknodat(directory->fd, name, S_IFREG | mode, 0)
				 : mknod(name, S_IFREG | mode, 0),
		       "mknod", err);
}

int metadata_stat(struct backend_session *session, struct backend_directory *directory,
		  const char *name, struct stat *status, struct error *err)
{
	return outcome(directory ? fstatat(directory->fd, name, status, 0) : stat(name, status),
		       "stat", err);
}

int metadata_lstat(struct backend_session *session, struct backend_directory *directory,
		   const char *name, struct stat *status, struct error *err)
{
	return outcome(directory ? fstatat(directory->fd, name, status, AT_SYMLINK_NOFOLLOW)
				 : lstat(name, status),
		       "lstat", err);
}

int metadata_open_close(struct backend_session *session, struct backend_directory *directory,
			const char *name, enum access access, struct error *err)
{
	return open_and_close(directory, name, metadata_open_flags(access), 0, err);
}

int metadata_access(struct backend_session *session, struct backend_directory *directory,
		    const char *name, struct error *err)
{
	return outcome(directory ? faccessat(directory->fd, name, R_OK, 0) : access(name, R_OK),
		       "access", err);
}

int metadata_chmod(struct backend_session *session, struct backend_directory *directory,
		   const char *name, mode_t mode, struct error *err)
{
	return outcome(directory ? fchmodat(directory->fd, name, mode, 0) : chmod(name, mode),
		       "chmod", err);
}

int metadata_remove(struct backend_session *session, struct backend_directory *directory,
		    const char *name, struct error *err)
{
	return outcome(directory ? unlinkat(directory->fd, name, 0) : unlink(name), "unlink", err);
}

int metadata_rename(struct backend_session *session, struct backend_directory *from_directory,
		    const char *from, struct backend_directory *to_directory, const char *to,
		    struct error *err)
{
	return outcome(from_directory || to_directory ? renameat(metadata_at(from_directory), from,
								 metadata_at(to_directory), to)
						      : rename(from, to),
		       "rename", err);
}

int metadata_mkdir(struct backend_session *session, struct backend_directory *directory,
		   const char *name, mode_t mode, struct error *err)
{
	return outcome(directory ? mkdirat(directory->fd, name, mode) : mkdir(name, mode), "mkdir",
		       err);
}

int metadata_rmdir(struct backend_session *session, struct backend_directory *directory,
		   const char *name, struct error *err)
{
	return outcome(directory ? unlinkat(directory->fd, name, AT_REMOVEDIR) : rmdir(name),
		       "rmdir", err);
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static enum entry_kind metadata_kind_of(const struct dirent *entry)
{
	switch (entry->d_type) {
	case DT_UNKNOWN:
		return ENTRY_UNKNOWN;
	case DT_DIR:
		return ENTRY_DIRECTORY;
	case DT_REG:
		return ENTRY_FILE;
	default:
		return ENTRY_OTHER;
	}
}

static int add_entries(DIR *stream, list_add *add, struct list_sink *sink, struct error *err)
{
	struct dirent *entry;

	while (errno = 0, (entry = readdir(stream)))
		if (!is_dots(entry->d_name) && !add(sink, entry->d_name, metadata_kind_of(entry)))
			return 0;
	return errno ? descriptor_failed(err, "readdir") : 0;
}

static DIR *open_stream(const struct backend_directory *directory, const char *name)
{
	DIR *stream;
	int fd;

	if (!directory)
		return opendir(name);
	fd = openat(directory->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	stream = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

int metadata_list(struct backend_session *session, struct backend_directory *directory,
		  const char *name, list_add *add, struct list_sink *sink, struct error *err)
{
	DIR *stream = open_stream(directory, name);
	int ret;

	if (!stream)
		return descriptor_failed(err, "opendir");
	ret = add_entries(stream, add, sink, err);
	if (closedir(stream) < 0 && ret == 0)
		return descriptor_failed(err, "closedir");
	return ret;
}
