/* The fault wrapper's metadata operations: counted, then handed on. */
#include "backends/fault_state.h"

/* No fault can be asked for in opening or closing a directory handle. */
static int fault_open_directory(struct backend_session *session,
				struct backend_directory *directory, const char *path,
				struct error *err)
{
	void *inner = directory + 1;

	directory->session = session;
	directory->inner = inner;
	return session->backend->open_directory(session->inner, directory->inner, path, err);
}

static int fault_close_directory(struct backend_directory *directory, struct error *err)
{
	return directory->session->backend->close_directory(directory->inner, err);
}

static int fault_create(struct backend_session *session, struct backend_directory *directory,
			const char *name, mode_t mode, struct error *err)
{
	if (fault_fails(session, FAULT_CREATE, err))
		return -1;
	return session->backend->create(session->inner, fault_behind(directory), name, mode, err);
}

static int fault_mknod(struct backend_session *session, struct backend_directory *directory,
		       const char *name, mode_t mode, struct error *err)
{
	if (fault_fails(session, FAULT_MKNOD, err))
		return -1;
	return session->backend->mknod(session->inner, fault_behind(directory), name, mode, err);
}

static int fault_stat(struct backend_session *session, struct backend_directory *directory,
		      const char *name, struct stat *status, struct error *err)
{
	if (fault_fails(session, FAULT_STAT, err))
		return -1;
	return session->backend->stat(session->inner, fault_behind(directory), name, status, err);
}

static int fault_lstat(struct backend_session *session, struct backend_directory *directory,
		       const char *name, struct stat *status, struct error *err)
{
	if (fault_fails(session, FAULT_STAT, err))
		return -1;
	return session->backend->lstat(session->inner, fault_behind(directory), name, status, err);
}

static int fault_open_close(struct backend_session *session, struct backend_directory *directory,
			    const char *name, enum access access, struct error *err)
{
	if (fault_fails(session, FAULT_OPEN_CLOSE, err))
		return -1;
	return session->backend->open_close(session->inner, fault_behind(directory), name, access,
					    err);
}

static int fault_access(struct backend_session *session, struct backend_directory *directory,
			const char *name, struct error *err)
{
	if (fault_fails(session, FAULT_ACCESS, err))
		return -1;
	return session->backend->access(session->inner, fault_behind(directory), name, err);
}

static int fault_chmod(struct backend_session *session, struct backend_directory *directory,
		       const char *name, mode_t mode, struct error *err)
{
	if (fault_fails(session, FAULT_CHMOD, err))
		return -1;
	return session->backend->chmod(session->inner, fault_behind(directory), name, mode, err);
}

static int fault_remove(struct backend_session *session, struct backend_directory *directory,
			const char *name, struct error *err)
{
	if (fault_fails(session, FAULT_REMOVE, err))
		return -1;
	return session->backend->remove(session->inner, fault_behind(directory), name, err);
}

static int fault_rename(struct backend_session *session, struct backend_directory *from_directory,
			const char *from, struct backend_directory *to_directory, const char *to,
			struct error *err)
{
	if (fault_fails(session, FAULT_RENAME, err))
		return -1;
	return session->backend->rename(session->inner, fault_behind(from_directory), from,
					fault_behind(to_directory), to, err);
}

static int fault_mkdir(struct backend_session *session, struct backend_directory *directory,
		       const char *name, mode_t mode, struct error *err)
{
	if (fault_fails(session, FAULT_MKDIR, err))
		return -1;
	return session->backend->mkdir(session->inner, fault_behind(directory), name, mode, err);
}

static int fault_rmdir(struct backend_session *session, struct backend_directory *directory,
		       const char *name, struct error *err)
{
	if (fault_fails(session, FAULT_RMDIR, err))
		return -1;
	return session->backend->rmdir(session->inner, fault_behind(directory), name, err);
}

static int fault_list(struct backend_session *session, struct backend_directory *directory,
		      const char *name, list_add *add, struct list_sink *sink, struct error *err)
{
	if (fault_fails(session, FAULT_LIST, err))
		return -1;
	return session->backend->list(session->inner, fault_behind(directory), name, add, sink,
				      err);
}

void fault_wrap_metadata(const struct backend *inner, struct backend *wrapper)
{
	wrapper->open_directory = inner->open_directory ? fault_open_directory : NULL;
	wrapper->close_directory = inner->close_directory ? fault_close_directory : NULL;
	wrapper->create = inner->create ? fault_create : NULL;
	wrapper->mknod = inner->mknod ? fault_mknod : NULL;
	wrapper->stat = inner->stat ? fault_stat : NULL;
	wrapper->lstat = inner->lstat ? fault_lstat : NULL;
	wrapper->open_close = inner->open_close ? fault_open_close : NULL;
	wrapper->access = inner->access ? fault_access : NULL;
	wrapper->chmod = inner->chmod ? fault_chmod : NULL;
	wrapper->remove = inner->remove ? fault_remove : NULL;
	wrapper->rename = inner->rename ? fault_rename : NULL;
	wrapper->mkdir = inner->mkdir ? fault_mkdir : NULL;
	wrapper->rmdir = inner->rmdir ? fault_rmdir : NULL;
	wrapper->list = inner->list ? fault_list : NULL;
}
