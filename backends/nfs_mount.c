/* The URLs of files on NFS servers, and the mounts of libnfs by which they are reached. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/nfs_state.h"
#include "base/memory.h"

/* The number of a query's item "name=NUMBER", or NULL if there is no such name. */
static const char *number_of(const char *item)
{
	static const char *const names[] = {"version=", "uid=", "gid=", "nfsport=", "mountport="};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(item, names[i], strlen(names[i])))
			return item + strlen(names[i]);
	return NULL;
}

/* libnfs ignores what it does not know, and would turn on caches that hide the server. */
static int check_query(const struct remote_url *url, struct error *err)
{
	const char *item = url->query;

	while (*item) {
		const int length = (int)strcspn(item, "&");
		const char *number = number_of(item);
		const size_t digits = number ? strspn(number, "0123456789") : 0;

		if (!digits || number + digits != item + length)
			return error_input(err,
					   "nfs://%s…?%.*s: behind the question mark uid, gid, "
					   "nfsport and mountport are taken, each with =NUMBER, "
					   "and '&' between them",
					   url->server, length, item);
		if (*item == 'v' && strncmp(number, "3", digits))
			return error_input(err,
					   "nfs://%s…?%.*s: libnfs writes by version 3 only; leave "
					   "it out, or mount the export and use posix",
					   url->server, length, item);
		item += length;
		item += *item == '&';
	}
	return 0;
}

int remote_parse(struct remote_url *url, const char *text, struct error *err)
{
	static const char scheme[] = "nfs://";
	const char *server = text + sizeof(scheme) - 1;
	size_t name, path, query;
	const char *rest;

	if (strncmp(text, scheme, sizeof(scheme) - 1))
		return error_input(err,
				   "%.300s is no URL of a file on an NFS server; write "
				   "nfs://SERVER/EXPORT/PATH",
				   text);
	name = strcspn(server, "/?");
	path = strcspn(server + name, "?");
	rest = server + name + path;
	rest += *rest == '?';
	query = rest[-1] == '?' ? strcspn(rest, "./") : 0;
	if (!name || name >= sizeof(url->server) || query >= sizeof(url->query) ||
	    strlen(server) >= sizeof(url->path))
		return error_input(err,
				   "%.300s: the server's name is missing, or a part is too long; "
				   "write nfs://SERVER/EXPORT/PATH",
				   text);
	memcpy(url->server, server, name);
	url->server[name] = '\0';
	memcpy(url->query, rest, query);
	url->query[query] = '\0';
	memcpy(url->path, server + name, path);
	strcpy(url->path + path, rest + query);
	for (path = strlen(url->path); path && url->path[path - 1] == '/'; path--)
		url->path[path - 1] = '\0';
	return *url->query ? check_query(url, err) : 0;
}

/* The kernel repeats the first packet of a connection after 1, 2, 4 … s. */
static int connect_attempts(double timeout)
{
	int count = 1;

	while (count < 6 && (1 << (count + 2)) - 1 <= timeout)
		count++;
	return count;
}

static struct nfs_context *make_context(const struct remote_url *url, double timeout)
{
	struct nfs_context *context = nfs_init_context();
	char text[2 * REMOTE_WORD_SIZE + 16];

	if (!context)
		return NULL;
	snprintf(text, sizeof(text), "nfs://%s/x?%s", url->server, url->query);
	nfs_destroy_url(nfs_parse_url_dir(context, text));
	/* The page cache and the readahead of libnfs are off unless they are asked for. */
	nfs_set_dircache(context, 0);
	nfs_set_autoreconnect(context, 0);
	nfs_set_tcp_syncnt(context, connect_attempts(timeout));
	nfs_umask(context, 0);
	return context;
}

static int remote_mount(struct backend_session *session, const struct remote_url *url,
			struct remote_mount **found, struct error *err)
{
	struct nfs_context *context = make_context(url, session->timeout);
	struct remote_mount *mount = memory_allocate(1, sizeof(*mount));
	struct remote_call *call;
	int ret;

	mount->context = context;
	mount->url = *url;
	mount->next = session->mounts;
	session->mounts = mount;
	if (context) {
		call = remote_begin(session, session->depth, mount, REMOTE_STATUS);
		ret = nfs_mount_async(context, url->server, *url->path ? url->path : "/",
				      remote_landed, call);
		if (!remote_finish(call, ret, "mount", err)) {
			*found = mount;
			return 0;
		}
		mount->broken = EIO;
		nfs_destroy_context(context);
		call->mount = NULL;
	} else {
		error_set(err, ENOMEM, "libnfs: %s", strerror(ENOMEM));
	}
	session->mounts = mount->next;
	free(mount);
	return -1;
}

static int mount_failed(const struct remote_url *url, struct error *err)
{
	const struct error cause = *err;

	if (cause.code == EACCES || cause.code == ENOENT)
		return error_set(err, cause.code,
				 "mount: nfs://%s%.200s: the server exports no directory on this "
				 "path to this host (%s); showmount -e %s lists what it exports",
				 url->server, url->path, strerror(cause.code), url->server);
	return error_set(err, cause.code,
			 "%.400s; check the name of the server, and nfsport and mountport if the "
			 "URL has them",
			 cause.text);
}

/*
 * A server exports some directories only. Those above the name are tried, the deepest first, as
 * names below it need the fewest LOOKUPs. At last the name itself may be an export.
 */
static int mount_above(struct backend_session *session, const struct remote_url *url,
		       struct remote_mount **found, struct error *err)
{
	struct remote_url above = *url;
	struct error failure, first = {0};
	char *slash;

	do {
		slash = strrchr(above.path, '/');
		if (slash)
			*slash = '\0';
		if (!remote_mount(session, slash ? &above : url, found, &failure))
			return 0;
		first = first.code ? first : failure;
	} while (slash && (failure.code == EACCES || failure.code == ENOENT ||
			   failure.code == ENOTDIR || failure.code == EINVAL));
	*err = first;
	return mount_failed(url, err);
}

static bool lies_below(const struct remote_url *url, const struct remote_mount *mount)
{
	const size_t length = strlen(mount->url.path);

	return !strncmp(url->path, mount->url.path, length) &&
	       (!url->path[length] || url->path[length] == '/') &&
	       !strcmp(url->server, mount->url.server) && !strcmp(url->query, mount->url.query);
}

/* The directory of a name whose query stands at its end has none: it takes that of its server. */
static void inherit_query(const struct backend_session *session, struct remote_url *url)
{
	const struct remote_mount *mount = session->mounts;

	while (mount && strcmp(mount->url.server, url->server))
		mount = mount->next;
	if (mount && !*url->query)
		memcpy(url->query, mount->url.query, sizeof(url->query));
}

int remote_find(struct backend_session *session, const char *text, struct remote_name *name,
		struct error *err)
{
	struct remote_mount *mount = session->mounts;

	if (remote_parse(&name->url, text, err))
		return -1;
	inherit_query(session, &name->url);
	while (mount && !lies_below(&name->url, mount))
		mount = mount->next;
	if (!mount && mount_above(session, &name->url, &mount, err))
		return -1;
	if (mount->broken)
		return remote_lost(mount, "mount", err);
	name->mount = mount;
	name->path = name->url.path + strlen(mount->url.path);
	if (!*name->path)
		name->path = "/";
	return 0;
}
