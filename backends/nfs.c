/* The nfs backend: files of an NFS server without a mount, by libnfs. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/nfs_state.h"
#include "base/memory.h"

struct backend_file {
	struct backend_session *session;
	struct remote_mount *mount;
	struct nfsfh *handle; /* NULL: not open */
	bool is_written;
};

/* Mounts before anything is measured. A name that is no URL is refused where it is used. */
static int remote_start(struct backend_session *session, const struct backend_start *start,
			struct error *err)
{
	struct remote_name name;

	session->timeout = start->options->timeout;
	session->depth = start->queue_depth > 1 ? (unsigned)start->queue_depth : 0;
	session->calls = memory_allocate(session->depth + 1, sizeof(*session->calls));
	session->landed = memory_allocate(session->depth + 1, sizeof(*session->landed));
	if (!start->path || strncmp(start->path, "nfs://", 6) ||
	    !remote_find(session, start->path, &name, err))
		return 0;
	err->kind = ERROR_INPUT;
	return -1;
}

/* Destroying a context ends its calls, so their memory must still be there. */
static int remote_stop(struct backend_session *session, struct error *err)
{
	for (struct remote_mount *mount = session->mounts; mount; mount = mount->next) {
		mount->broken = EIO;
		nfs_destroy_context(mount->context);
	}
	while (session->mounts) {
		struct remote_mount *mount = session->mounts;

		session->mounts = mount->next;
		free(mount);
	}
	free(session->calls);
	free(session->landed);
	return 0;
}

/* --- open files ----------------------------------------------------------------------------- */

/* libnfs would take the umask of its own. */
static int masked(mode_t mode)
{
	const mode_t mask = umask(077);

	umask(mask);
	return (int)(mode & ~mask);
}

static int open_handle(struct backend_session *session, const char *path, int flags, mode_t mode,
		       struct backend_file *file, struct error *err)
{
	struct remote_name name;
	struct remote_call *call;
	int ret;

	if (remote_find(session, path, &name, err))
		return -1;
	call = remote_begin(session, session->depth, name.mount, REMOTE_HANDLE);
	ret = nfs_open2_async(name.mount->context, name.path, flags,
			      flags & O_CREAT ? masked(mode) : 0, remote_landed, call);
	if (remote_finish(call, ret, "open", err))
		return -1;
	file->session = session;
	file->mount = name.mount;
	file->handle = call->handle;
	return 0;
}

/* Makes a call that takes the handle alone. */
static int call_on_handle(struct backend_file *file,
			  int (*send)(struct nfs_context *, struct nfsfh *, nfs_cb, void *),
			  const char *name, struct error *err)
{
	struct remote_call *call;

	if (file->mount->broken)
		return remote_lost(file->mount, name, err);
	call = remote_begin(file->session, file->session->depth, file->mount, REMOTE_STATUS);
	return remote_finish(call, send(file->mount->context, file->handle, remote_landed, call),
			     name, err);
}

/* A handle whose connection is lost stays with libnfs, as its close may call the server. */
static int close_handle(struct backend_file *file, struct error *err)
{
	return call_on_handle(file, nfs_close_async, "close", err);
}

static int remote_check(struct backend_session *session, const struct backend_open *how,
			struct error *err)
{
	struct remote_url url;

	return remote_parse(&url, how->path, err) ? error_add(err, "test_file") : 0;
}

static int remote_open(struct backend_session *session, struct backend_file *file,
		       const struct backend_open *how, struct error *err)
{
	int flags = how->access == ACCESS_WRITE ? O_RDWR : O_RDONLY;

	file->is_written = how->access == ACCESS_WRITE;
	flags |= how->create ? O_CREAT | (how->follows ? 0 : O_NOFOLLOW) : 0;
	flags |= how->exclusive ? O_EXCL : 0;
	flags |= how->write_sync == WRITE_SYNC_NONE ? 0 : O_SYNC;
	return open_handle(session, how->path, flags, 0664, file, err);
}

static int remote_close(struct backend_file *file, struct error *err)
{
	struct backend_session *session = file->session;

	if (!file->handle)
		return 0;
	while (session->in_flight > session->landed_count)
		remote_serve(session, REMOTE_SLICE_MS);
	session->in_flight = session->landed_count = 0;
	return close_handle(file, err);
}

static int remote_sync(struct backend_file *file, struct error *err)
{
	return call_on_handle(file, nfs_fsync_async, "fsync", err);
}

static void remote_settings(struct backend_file *file, settings_add *add,
			    struct settings_sink *sink)
{
	char value[32];

	add(sink, "nfs_version", "3");
	add(sink, "mount", *file->mount->url.path ? file->mount->url.path : "/");
	snprintf(value, sizeof(value), "%" PRIu64, nfs_get_readmax(file->mount->context));
	add(sink, "read_size", value);
	snprintf(value, sizeof(value), "%" PRIu64, nfs_get_writemax(file->mount->context));
	add(sink, "write_size", value);
}

/* --- transfers ------------------------------------------------------------------------------ */

static const char *name_of(const struct transfer *transfer)
{
	return transfer->access == ACCESS_WRITE ? "pwrite" : "pread";
}

/*
 * Begins a transfer. libnfs copies what is written, brings what is read in memory of its own, and
 * would write to a file that was opened for reading.
 */
static inline struct remote_call *begin_transfer(struct backend_file *file, unsigned number,
						 const struct transfer *transfer, int *ret)
{
	const bool writes = transfer->access == ACCESS_WRITE;
	struct nfs_context *context = file->mount->context;
	struct remote_call *call = remote_begin(file->session, number, file->mount,
						writes ? REMOTE_STATUS : REMOTE_BYTES);

	call->bytes = transfer->buffer;
	if (!writes)
		*ret = nfs_pread_async(context, file->handle, transfer->offset, transfer->length,
				       remote_landed, call);
	else if (file->is_written)
		*ret = nfs_pwrite_async(context, file->handle, transfer->offset, transfer->length,
					transfer->buffer, remote_landed, call);
	else
		*ret = -EBADF;
	return call;
}

static int64_t remote_transfer(struct backend_file *file, const struct transfer *transfer,
			       struct error *err)
{
	struct remote_call *call;
	int ret;

	if (__builtin_expect(file->mount->broken, 0))
		return remote_lost(file->mount, name_of(transfer), err);
	if (!transfer->length)
		return 0;
	call = begin_transfer(file, file->session->depth, transfer, &ret);
	return remote_finish(call, ret, name_of(transfer), err);
}

/* libnfs sends nothing before it is served, which the reap that follows does. */
static int remote_submit(struct backend_session *session, const struct transfer *transfers,
			 unsigned count, struct error *err)
{
	const unsigned room = session->depth - session->in_flight;

	count = count < room ? count : room;
	for (unsigned i = 0; i < count; i++) {
		struct backend_file *file = transfers[i].file;
		struct remote_call *call;
		int ret;

		if (file->mount->broken) {
			remote_lost(file->mount, name_of(&transfers[i]), err);
			return i ? (int)i : -1;
		}
		call = begin_transfer(file, (unsigned)transfers[i].cookie, &transfers[i], &ret);
		session->in_flight++;
		remote_queued(call, ret);
	}
	return (int)count;
}

static int remote_reap(struct backend_session *session, struct completion *completions,
		       unsigned minimum, unsigned maximum, struct error *err)
{
	unsigned count;

	do
		remote_serve(session, session->landed_count < minimum ? REMOTE_SLICE_MS : 0);
	while (session->landed_count < minimum && session->landed_count < session->in_flight);
	count = session->landed_count < maximum ? session->landed_count : maximum;
	for (unsigned i = 0; i < count; i++)
		completions[i] = (struct completion){
			.cookie = session->landed[i],
			.result = session->calls[session->landed[i]].result,
		};
	session->landed_count -= count;
	session->in_flight -= count;
	memmove(session->landed, session->landed + count,
		session->landed_count * sizeof(*session->landed));
	return (int)count;
}

static int remote_explain(struct backend_file *file, const struct transfer *transfer, int code,
			  struct error *err)
{
	return remote_failed(&file->session->calls[transfer->cookie], name_of(transfer), err);
}

/* --- names ---------------------------------------------------------------------------------- */

typedef int named_call(struct nfs_context *context, const char *path, nfs_cb callback, void *call);
typedef int numbered_call(struct nfs_context *context, const char *path, int number,
			  nfs_cb callback, void *call);

/* Makes a call by name. Returns it when it has ended, or NULL with *err if it failed. */
static struct remote_call *call_named(struct backend_session *session, const char *path,
				      named_call *make, enum remote_kind kind, const char *label,
				      struct error *err)
{
	struct remote_name name;
	struct remote_call *call;
	int ret;

	if (remote_find(session, path, &name, err))
		return NULL;
	call = remote_begin(session, session->depth, name.mount, kind);
	ret = make(name.mount->context, name.path, remote_landed, call);
	return remote_finish(call, ret, label, err) < 0 ? NULL : call;
}

static int call_numbered(struct backend_session *session, const char *path, numbered_call *make,
			 int number, const char *label, struct error *err)
{
	struct remote_name name;
	struct remote_call *call;

	if (remote_find(session, path, &name, err))
		return -1;
	call = remote_begin(session, session->depth, name.mount, REMOTE_STATUS);
	return remote_finish(call,
			     make(name.mount->context, name.path, number, remote_landed, call),
			     label, err);
}

static int remote_size(struct backend_session *session, const char *path, uint64_t *bytes,
		       uint64_t *allocated, struct error *err)
{
	const struct remote_call *call =
		call_named(session, path, nfs_stat64_async, REMOTE_ATTRIBUTES, "stat", err);

	if (!call)
		return -1;
	*bytes = call->attributes.nfs_size;
	*allocated = call->attributes.nfs_used;
	return 0;
}

static int remote_truncate(struct backend_session *session, const char *path, uint64_t bytes,
			   struct error *err)
{
	struct remote_name name;
	struct remote_call *call;

	if (remote_find(session, path, &name, err))
		return -1;
	call = remote_begin(session, session->depth, name.mount, REMOTE_STATUS);
	return remote_finish(call,
			     nfs_truncate_async(name.mount->context, name.path, bytes,
						remote_landed, call),
			     "truncate", err);
}

static int open_and_close(struct backend_session *session, const char *path, int flags, mode_t mode,
			  struct error *err)
{
	struct backend_file file;

	return open_handle(session, path, flags, mode, &file, err) ? -1 : close_handle(&file, err);
}

static int remote_create(struct backend_session *session, struct backend_directory *directory,
			 const char *path, mode_t mode, struct error *err)
{
	return open_and_close(session, path, O_CREAT | O_EXCL | O_WRONLY, mode, err);
}

static int remote_open_close(struct backend_session *session, struct backend_directory *directory,
			     const char *path, enum access access, struct error *err)
{
	return open_and_close(session, path, access == ACCESS_WRITE ? O_WRONLY : O_RDONLY, 0, err);
}

static int fill_status(const struct remote_call *call, struct stat *status)
{
	const struct nfs_stat_64 *from = call ? &call->attributes : NULL;

	if (!from)
		return -1;
	*status = (struct stat){
		.st_dev = from->nfs_dev,
		.st_ino = from->nfs_ino,
		.st_mode = (mode_t)from->nfs_mode,
		.st_nlink = from->nfs_nlink,
		.st_uid = (uid_t)from->nfs_uid,
		.st_gid = (gid_t)from->nfs_gid,
		.st_size = (off_t)from->nfs_size,
		.st_blksize = (blksize_t)from->nfs_blksize,
		.st_blocks = (blkcnt_t)from->nfs_blocks,
		.st_atim = {(time_t)from->nfs_atime, (long)from->nfs_atime_nsec},
		.st_mtim = {(time_t)from->nfs_mtime, (long)from->nfs_mtime_nsec},
		.st_ctim = {(time_t)from->nfs_ctime, (long)from->nfs_ctime_nsec},
	};
	return 0;
}

static int remote_stat(struct backend_session *session, struct backend_directory *directory,
		       const char *path, struct stat *status, struct error *err)
{
	return fill_status(call_named(session, path, nfs_stat64_async, REMOTE_ATTRIBUTES, "stat",
				      err),
			   status);
}

static int remote_lstat(struct backend_session *session, struct backend_directory *directory,
			const char *path, struct stat *status, struct error *err)
{
	return fill_status(call_named(session, path, nfs_lstat64_async, REMOTE_ATTRIBUTES, "lstat",
				      err),
			   status);
}

static int remote_access(struct backend_session *session, struct backend_directory *directory,
			 const char *path, struct error *err)
{
	return call_numbered(session, path, nfs_access_async, R_OK, "access", err);
}

static int remote_chmod(struct backend_session *session, struct backend_directory *directory,
			const char *path, mode_t mode, struct error *err)
{
	return call_numbered(session, path, nfs_chmod_async, (int)mode, "chmod", err);
}

static int remote_remove(struct backend_session *session, struct backend_directory *directory,
			 const char *path, struct error *err)
{
	return call_named(session, path, nfs_unlink_async, REMOTE_STATUS, "unlink", err) ? 0 : -1;
}

static int remote_rename(struct backend_session *session, struct backend_directory *from_directory,
			 const char *from, struct backend_directory *to_directory, const char *to,
			 struct error *err)
{
	struct remote_name old, new;
	struct remote_call *call;

	if (remote_find(session, from, &old, err) || remote_find(session, to, &new, err))
		return -1;
	if (old.mount != new.mount)
		return error_set(err, EXDEV, "rename: %s", strerror(EXDEV));
	call = remote_begin(session, session->depth, old.mount, REMOTE_STATUS);
	return remote_finish(
		call, nfs_rename_async(old.mount->context, old.path, new.path, remote_landed, call),
		"rename", err);
}

/* The server would call the name of the mount itself an invalid one. */
static int remote_mkdir(struct backend_session *session, struct backend_directory *directory,
			const char *path, mode_t mode, struct error *err)
{
	const int ret = call_numbered(session, path, nfs_mkdir2_async, masked(mode), "mkdir", err);

	return ret && err->code == EINVAL ? error_set(err, EEXIST, "mkdir: %s", strerror(EEXIST))
					  : ret;
}

static int remote_rmdir(struct backend_session *session, struct backend_directory *directory,
			const char *path, struct error *err)
{
	return call_named(session, path, nfs_rmdir_async, REMOTE_STATUS, "rmdir", err) ? 0 : -1;
}

static int remote_list(struct backend_session *session, struct backend_directory *directory,
		       const char *path, list_add *add, struct list_sink *sink, struct error *err)
{
	/* by ftype3 of RFC 1813; 0 if the server gave no attributes */
	static const enum entry_kind kinds[] = {ENTRY_UNKNOWN, ENTRY_FILE, ENTRY_DIRECTORY};
	const struct remote_call *call =
		call_named(session, path, nfs_opendir_async, REMOTE_HANDLE, "opendir", err);
	struct nfs_context *context;
	struct nfsdirent *entry;
	struct nfsdir *stream;

	if (!call)
		return -1;
	context = call->mount->context;
	stream = call->handle; /* the receiver may make calls of its own */
	while ((entry = nfs_readdir(context, stream)))
		if (strcmp(entry->name, ".") && strcmp(entry->name, "..") &&
		    !add(sink, entry->name, entry->type < 3 ? kinds[entry->type] : ENTRY_OTHER))
			break;
	nfs_closedir(context, stream);
	return 0;
}

const struct backend nfs_backend = {
	.name = "nfs",
	.aliases = "LIBNFS",
	.path_is = "a URL, nfs://SERVER/PATH",
	.options = &nfs_options,
	.session_size = sizeof(struct backend_session),
	.file_size = sizeof(struct backend_file),
	.random_access = true,
	.opens_synchronous = true,
	.start = remote_start,
	.stop = remote_stop,
	.check = remote_check,
	.open = remote_open,
	.close = remote_close,
	.sync = remote_sync,
	.size = remote_size,
	.truncate = remote_truncate,
	.settings = remote_settings,
	.transfer = remote_transfer,
	.submit = remote_submit,
	.reap = remote_reap,
	.explain = remote_explain,
	.create = remote_create,
	.stat = remote_stat,
	.lstat = remote_lstat,
	.open_close = remote_open_close,
	.access = remote_access,
	.chmod = remote_chmod,
	.remove = remote_remove,
	.rename = remote_rename,
	.mkdir = remote_mkdir,
	.rmdir = remote_rmdir,
	.list = remote_list,
};
