/*
 * The contract's metadata operations for backends whose test_file is a path, by one call of the C
 * library each. They ignore the session.
 */
#ifndef BACKENDS_COMMON_METADATA_H
#define BACKENDS_COMMON_METADATA_H

#include <fcntl.h>

#include "backends/backend.h"
#include "backends/common/descriptor.h"

struct backend_directory {
	int fd;
};

/* The first argument of the *at() calls. */
static inline int metadata_at(const struct backend_directory *directory)
{
	return directory ? directory->fd : AT_FDCWD;
}

/*
 * Opens a name. A full path goes to open(), as some libraries that intercept the C library know the
 * plain calls only.
 */
static inline int metadata_open(const struct backend_directory *directory, const char *name,
				int flags, mode_t mode)
{
	return directory ? openat(directory->fd, name, flags, mode) : open(name, flags, mode);
}

/* The flags of create's open, and of open_close's. */
#define METADATA_CREATE_FLAGS (O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC)

static inline int metadata_open_flags(enum access access)
{
	return (access == ACCESS_WRITE ? O_WRONLY : O_RDONLY) | O_CLOEXEC;
}

int metadata_open_directory(struct backend_session *session, struct backend_directory *directory,
			    const char *path, struct error *err);
int metadata_close_directory(struct backend_directory *directory, struct error *err);
int metadata_create(struct backend_session *session, struct backend_directory *directory,
		    const char *name, mode_t mode, struct error *err);
int metadata_mknod(struct backend_session *session, struct backend_directory *directory,
		   const char *name, mode_t mode, struct error *err);
int metadata_stat(struct backend_session *session, struct backend_directory *directory,
		  const char *name, struct stat *status, struct error *err);
int metadata_lstat(struct backend_session *session, struct backend_directory *directory,
		   const char *name, struct stat *status, struct error *err);
int metadata_open_close(struct backend_session *session, struct backend_directory *directory,
			const char *name, enum access access, struct error *err);
int metadata_access(struct backend_session *session, struct backend_directory *directory,
		    const char *name, struct error *err);
int metadata_chmod(struct backend_session *session, struct backend_directory *directory,
		   const char *name, mode_t mode, struct error *err);
int metadata_remove(struct backend_session *session, struct backend_directory *directory,
		    const char *name, struct error *err);
int metadata_rename(struct backend_session *session, struct backend_directory *from_directory,
		    const char *from, struct backend_directory *to_directory, const char *to,
		    struct error *err);
int metadata_mkdir(struct backend_session *session, struct backend_directory *directory,
		   const char *name, mode_t mode, struct error *err);
int metadata_rmdir(struct backend_session *session, struct backend_directory *directory,
		   const char *name, struct error *err);
int metadata_list(struct backend_session *session, struct backend_directory *directory,
		  const char *name, list_add *add, struct list_sink *sink, struct error *err);

/* Operations of struct backend that never open a file, the same for every such backend. */
#define METADATA_NAMES                                                             \
	.stat = metadata_stat, .lstat = metadata_lstat, .rename = metadata_rename, \
	.mkdir = metadata_mkdir, .rmdir = metadata_rmdir, .list = metadata_list

/* All of them. */
#define METADATA_OPERATIONS                                                                     \
	METADATA_NAMES, .open_directory = metadata_open_directory,                              \
			.close_directory = metadata_close_directory, .create = metadata_create, \
			.mknod = metadata_mknod, .open_close = metadata_open_close,             \
			.remove = metadata_remove, .access = metadata_access,                   \
			.chmod = metadata_chmod

#endif
