/* Whether a phase's file is still the one that was opened, and whether it took what was written. */
#include "engine/data/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "engine/data/data_state.h"
#include "engine/data/files.h"

/* Returns what statx() does. */
static int identify(int fd, const char *path, int flags, struct file_identity *identity)
{
	struct statx status;
	int ret = statx(fd, path, flags, STATX_INO, &status);

	identity->known = !ret;
	if (ret)
		return ret;
	identity->device = makedev(status.stx_dev_major, status.stx_dev_minor);
	identity->inode = status.stx_ino;
	return 0;
}

static bool differ(const struct file_identity *a, const struct file_identity *b)
{
	return a->device != b->device || a->inode != b->inode;
}

void witness_note_path(struct worker *worker)
{
	if (worker->backend->files && files_is_keeper(worker))
		identify(AT_FDCWD, worker->path, AT_STATX_FORCE_SYNC, &worker->data->file->opened);
}

void witness_note_checked(struct worker *worker)
{
	if (worker->backend->files)
		identify(AT_FDCWD, worker->path, AT_STATX_FORCE_SYNC, &worker->data->file->checked);
}

void witness_note_open(struct worker *worker)
{
	int fd;

	if (!worker->data->file->is_open || !worker->writes ||
	    !worker->backend->begins_with_descriptor)
		return;
	memcpy(&fd, (const void *)worker->file, sizeof(fd));
	/* The kernel knows the inode of an open file, so no server is asked. */
	identify(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, &worker->data->file->opened);
}

void witness_note_own(struct worker *worker)
{
	if (worker->data->file->has_witness)
		identify(worker->data->file->witness, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
			 &worker->data->file->opened);
	if (worker->writes)
		worker->data->file->own = worker->data->file->opened;
}

void witness_check(struct worker *worker, bool same_for_all)
{
	struct file_identity now;
	struct error err = {0};
	int ret;

	if (!worker->data->file->opened.known)
		return;
	if (same_for_all && !files_is_keeper(worker))
		return;
	ret = identify(AT_FDCWD, worker->path, AT_STATX_FORCE_SYNC, &now);
	worker->data->file->replaced =
		!same_for_all ||
		(ret ? errno == ENOENT : differ(&now, &worker->data->file->opened));
	if (!worker->data->file->replaced)
		return;
	error_set(&err, 0, WITNESS_REPLACED);
	worker_fail(worker, &err, "check", UINT64_MAX, 0);
}

bool witness_replaced(const struct worker *worker, const struct file_identity *identity)
{
	enum { FUSE = 0x65735546 }; /* gives a file another number once its cache has dropped it */
	struct file_identity now;
	struct statfs system;

	return identity->known && !identify(AT_FDCWD, worker->path, AT_STATX_FORCE_SYNC, &now) &&
	       differ(&now, identity) && !statfs(worker->path, &system) && system.f_type != FUSE;
}

static bool is_wanted(const struct worker *worker)
{
	return worker->writes && worker->data->file->is_open && worker->backend->may_hide_errors &&
	       worker->backend->files &&
	       (!worker->plan->geometry.shared || crew_leads_node(worker->crew));
}

void witness_open(struct worker *worker)
{
	if (!is_wanted(worker))
		return;
	worker->data->file->witness =
		open(worker->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	worker->data->file->has_witness = worker->data->file->witness >= 0;
}

void witness_close(struct worker *worker, bool sync)
{
	struct error err = {0};
	const char *call = "fsync";
	int ret = 0;

	if (!worker->data->file->has_witness)
		return;
	worker->data->file->has_witness = false;
	node_set_activity(worker->node, ACTIVITY_SYNC);
	if (sync)
		ret = fsync(worker->data->file->witness);
	int cause = errno;

	if (close(worker->data->file->witness) && !ret) {
		ret = -1;
		call = "close";
		cause = errno;
	}
	/* The file system of a special file may know no fsync. */
	if (!sync || !ret || cause == EINVAL || cause == ENOTSUP)
		return;
	error_set(&err, cause,
		  "%s: %s, yet the library returned success for every call: data may be lost", call,
		  strerror(cause));
	worker_fail(worker, &err, "write back", UINT64_MAX, 0);
}
