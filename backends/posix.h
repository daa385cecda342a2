/* What the data half and the namespace half of the posix backend share. */
#ifndef BACKENDS_POSIX_H
#define BACKENDS_POSIX_H

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "backends/backend.h"

struct backend_options {
	bool direct;
};

struct backend_session {
	const struct backend_options *options;
};

struct backend_directory {
	int fd;
};

/* The first argument of the *at() calls. */
static inline int posix_at(const struct backend_directory *directory)
{
	return directory ? directory->fd : AT_FDCWD;
}

/* The one line of a failed call: its name and what errno means. */
static inline int posix_failed(struct error *err, const char *call)
{
	return error_set(err, errno, "%s: %s", call, strerror(errno));
}

int posix_open_directory(struct backend_session *session, struct backend_directory *directory,
			 const char *path, struct error *err);
int posix_close_directory(struct backend_directory *directory, struct error *err);
int posix_create(struct backend_session *session, struct backend_directory *directory,
		 const char *name, mode_t mode, struct error *err);
int posix_mknod(struct backend_session *session, struct backend_directory *directory,
		const char *name, mode_t mode, struct error *err);
int posix_stat(struct backend_session *session, struct backend_directory *directory,
	       const char *name, struct stat *status, struct error *err);
int posix_open_close(struct backend_session *session, struct backend_directory *directory,
		     const char *name, enum access access, struct error *err);
int posix_remove(struct backend_session *session, struct backend_directory *directory,
		 const char *name, struct error *err);
int posix_rename(struct backend_session *session, struct backend_directory *from_directory,
		 const char *from, struct backend_directory *to_directory, const char *to,
		 struct error *err);
int posix_mkdir(struct backend_session *session, struct backend_directory *directory,
		const char *name, mode_t mode, struct error *err);
int posix_rmdir(struct backend_session *session, struct backend_directory *directory,
		const char *name, struct error *err);
int posix_list(struct backend_session *session, struct backend_directory *directory,
	       const char *name, list_tell *tell, struct list_sink *sink, struct error *err);

#endif
