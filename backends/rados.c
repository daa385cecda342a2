/* The rados backend: files cut into objects of a Ceph cluster, without a file system between. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/rados_state.h"

int rados_refuse(const struct backend_session *session, const char *call, int code,
		 struct error *err)
{
	const char *more = "";

	if (code == -ETIMEDOUT)
		more = "; the cluster gave no answer within rados.timeout";
	else if (code == -EPERM || code == -EACCES)
		more = "; check rados.user and its capabilities";
	return error_set(err, -code, "%s: %s%s", call, strerror(-code), more);
}

static int set_timeouts(struct backend_session *session)
{
	static const char *const keys[] = {"client_mount_timeout", "rados_mon_op_timeout",
					   "rados_osd_op_timeout"};
	char seconds[32];
	int ret = 0;

	/* whole seconds, as older librados take no others */
	snprintf(seconds, sizeof(seconds), "%.0f", ceil(session->options->timeout));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !ret; i++)
		ret = rados_conf_set(session->cluster, keys[i], seconds);
	return ret;
}

static int connect_cluster(struct backend_session *session, struct error *err)
{
	const char *conf =
		session->options->conf && *session->options->conf ? session->options->conf : NULL;
	int ret = rados_create2(&session->cluster, "ceph", session->options->user, 0);

	if (ret)
		return error_input(err,
				   "rados.user: \"%.100s\" is no name of a user; write it with its "
				   "kind, as in client.admin",
				   session->options->user);
	if ((ret = rados_conf_read_file(session->cluster, conf)))
		return error_input(err, "rados.conf: %.300s: %s; name the cluster's configuration",
				   conf ? conf : "/etc/ceph/ceph.conf", strerror(-ret));
	if (!(ret = set_timeouts(session)) && !(ret = rados_connect(session->cluster)))
		return 0;
	rados_refuse(session, "rados_connect", ret, err);
	return error_add(err, "the cluster of %s does not take us in",
			 conf ? conf : "the default configuration");
}

static int rados_start(struct backend_session *session, const struct backend_start *start,
		       struct error *err)
{
	session->options = start->options;
	session->depth = start->queue_depth > 1 ? start->queue_depth : 0;
	session->calls = calloc(session->depth + 1, sizeof(*session->calls));
	session->landed = calloc(session->depth + 1, sizeof(struct rados_call *));
	pthread_mutex_init(&session->lock, NULL);
	pthread_cond_init(&session->grown, NULL);
	if (!session->calls || !session->landed)
		return error_set(err, ENOMEM, "no memory for the queue");
	for (uint64_t i = 0; i <= session->depth; i++)
		session->calls[i].session = session;
	return connect_cluster(session, err);
}

static int rados_stop(struct backend_session *session, struct error *err)
{
	if (!session->options)
		return 0;
	rados_queue_drain(session);
	for (uint64_t i = 0; session->calls && i <= session->depth; i++)
		free(session->calls[i].pieces);
	free(session->calls);
	free(session->landed);
	if (session->heads)
		rados_ioctx_destroy(session->heads);
	if (session->stripes)
		rados_ioctx_destroy(session->stripes);
	if (session->cluster)
		rados_shutdown(session->cluster);
	pthread_mutex_destroy(&session->lock);
	pthread_cond_destroy(&session->grown);
	return 0;
}

static int open_pool(struct backend_session *session, const char *pool, struct error *err)
{
	int ret = rados_ioctx_create(session->cluster, pool, &session->heads);

	if (ret == -ENOENT)
		return error_input(err,
				   "there is no pool %s; make it first (ceph osd pool create %s), "
				   "or name another",
				   pool, pool);
	if (!ret)
		ret = rados_ioctx_create(session->cluster, pool, &session->stripes);
	if (ret)
		return rados_refuse(session, "rados_ioctx_create", ret, err);
	rados_ioctx_set_namespace(session->stripes, "iorx-stripes");
	/* A full pool refuses writes at once, instead of keeping them until there is room. */
	rados_set_pool_full_try(session->heads);
	rados_set_pool_full_try(session->stripes);
	strcpy(session->pool, pool);
	return 0;
}

const char *rados_name(struct backend_session *session, const char *url, struct error *err)
{
	static const char scheme[] = "rados://";
	const char *at = url + sizeof(scheme) - 1;
	char pool[RADOS_POOL_SIZE];
	size_t length;

	if (strncmp(url, scheme, sizeof(scheme) - 1) || !(length = strcspn(at, "/")) ||
	    length >= sizeof(pool)) {
		error_input(err, "%.300s is no name of an object; write rados://POOL/NAME", url);
		return NULL;
	}
	memcpy(pool, at, length);
	pool[length] = '\0';
	at += length + (at[length] == '/');
	/* one character of room for the slash that a directory ends with */
	if (strlen(at) + 1 >= RADOS_NAME_SIZE) {
		error_input(err, "%.300s: the name may have %d bytes; shorten it", url,
			    RADOS_NAME_SIZE - 2);
		return NULL;
	}
	if (*session->pool && strcmp(session->pool, pool)) {
		error_input(err, "%.300s: a test has one pool, and %s came first", url,
			    session->pool);
		return NULL;
	}
	return *session->pool || !open_pool(session, pool, err) ? at : NULL;
}

static int rados_check(struct backend_session *session, const struct backend_open *how,
		       struct error *err)
{
	const char *name = rados_name(session, how->path, err);

	if (!name)
		return error_add(err, "test_file");
	return *name ? 0
		     : error_input(err,
				   "test_file: %.300s names a pool and no object; write "
				   "rados://POOL/NAME",
				   how->path);
}

const struct backend rados_backend = {
	.name = "rados",
	.aliases = "RADOS",
	.path_is = "a URL, rados://POOL/NAME",
	.options = &rados_options,
	.session_size = sizeof(struct backend_session),
	.file_size = sizeof(struct backend_file),
	.random_access = true,
	.prefixes = true,
	.start = rados_start,
	.stop = rados_stop,
	.check = rados_check,
	.open = rados_data_open,
	.close = rados_data_close,
	.sync = rados_data_sync,
	.size = rados_names_size,
	.is_own = rados_names_is_own,
	.transfer = rados_data_transfer,
	.submit = rados_data_submit,
	.reap = rados_queue_reap,
	.submit_metadata = rados_names_submit,
	.reap_metadata = rados_queue_reap,
	.create = rados_names_create,
	.stat = rados_names_stat,
	.open_close = rados_names_open_close,
	.remove = rados_names_remove,
	.mkdir = rados_names_mkdir,
	.rmdir = rados_names_rmdir,
	.list = rados_names_list,
};
