/*
 * The contract's namespace operations for backends whose test_file is a path, by one call of the C
 * library each. They ignore the session.
 */
#ifndef BACKENDS_COMMON_NAMES_H
#define BACKENDS_COMMON_NAMES_H

#include <fcntl.h>

#include "backends/backend.h"
#include "backends/common/descriptor.h"

struct backend_directory {
	int fd;
};

/* The first argument of the *at() calls. */
static inline int names_at(const struct backend_directory *directory)
{
	return directory ? directory->fd : AT_FDCWD;
}

/*
 * Opens a name. A full path goes to open(), as some libraries that intercept the C library know the
 * plain calls only.
 */
static inline int names_open(const struct backend_directory *directory, const char *name, int flags,
			     mode_t mode)
{
	return directory ? openat(directory->fd, name, flags, mode) : open(name, flags, mode);
}

/* The flags of create's open, and of open_close's. */
#define NAMES_CREATES (O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC)

static inline int names_opens(enum access access)
{
	return (access == ACCESS_WRITE ? O_WRONLY : O_RDONLY) | O_CLOEXEC;
}

int names_open_directory(struct backend_session *session, struct backend_directory *directory,
			 const char *path, struct error *err);
int names_close_directory(struct backend_directory *directory, struct error *err);
int names_create(struct backend_session *session, struct backend_directory *directory,
		 const char *name, mode_t mode, struct error *err);
int names_mknod(struct backend_session *session, struct backend_directory *directory,
		const char *name, mode_t mode, struct error *err);
int names_stat(struct backend_session *session, struct backend_directory *directory,
	       const char *name, struct stat *status, struct error *err);
int names_lstat(struct backend_session *session, struct backend_directory *directory,
		const char *name, struct stat *status, struct error *err);
int names_open_close(struct backend_session *session, struct backend_directory *directory,
		     const char *name, enum access access, struct error *err);
int names_remove(struct backend_session *session, struct backend_directory *directory,
		 const char *name, struct error *err);
int names_rename(struct backend_session *session, struct backend_directory *from_directory,
		 const char *from, struct backend_directory *to_directory, const char *to,
		 struct error *err);
int names_mkdir(struct backend_session *session, struct backend_directory *directory,
		const char *name, mode_t mode, struct error *err);
int names_rmdir(struct backend_session *session, struct backend_directory *directory,
		const char *name, struct error *err);
int names_list(struct backend_session *session, struct backend_directory *directory,
	       const char *name, list_tell *tell, struct list_sink *sink, struct error *err);

/* Members of struct backend that are the same for every such backend. */
#define NAMES_OPERATIONS                                                                           \
	.open_directory = names_open_directory, .close_directory = names_close_directory,          \
	.create = names_create, .mknod = names_mknod, .stat = names_stat, .lstat = names_lstat,    \
	.open_close = names_open_close, .remove = names_remove, .rename = names_rename,            \
	.mkdir = names_mkdir, .rmdir = names_rmdir, .list = names_list

#endif
