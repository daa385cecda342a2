/* A descriptor of our own on a file that a library writes and closes. */
#include "engine/data/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool is_wanted(const struct worker *worker)
{
	return worker->writes && worker->file_open && worker->backend->may_hide_errors &&
	       worker->backend->files &&
	       (!worker->plan->geometry.shared || worker->node->own == worker->node->shared->slots);
}

void witness_open(struct worker *worker)
{
	if (!is_wanted(worker))
		return;
	worker->witness = open(worker->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	worker->has_witness = worker->witness >= 0;
}

void witness_close(struct worker *worker, bool sync)
{
	struct error err = {0};
	const char *call = "fsync";
	int ret = 0;

	if (!worker->has_witness)
		return;
	worker->has_witness = false;
	node_say(worker->node, ACTIVITY_SYNC);
	if (sync)
		ret = fsync(worker->witness);
	int cause = errno;

	if (close(worker->witness) && !ret) {
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
