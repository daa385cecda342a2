/*
 * Calls to NFS servers. All are libnfs's asynchronous ones: its synchronous calls wait for a lost
 * server for ever, and leave pointers into a stack that is gone when a connection breaks.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "backends/nfs_state.h"

/* libnfs gives no reason if the server has ended the connection. */
static const char *why_of(const struct remote_mount *mount)
{
	const char *why = mount->is_hung_up ? NULL : nfs_get_error(mount->context);

	return why && *why ? why : "the connection was refused, or the server has ended it";
}

static void end_call(struct remote_call *call, int result, const char *why)
{
	struct backend_session *session = call->session;

	call->is_pending = false;
	call->mount->pending--;
	call->result = result;
	if (result < 0)
		snprintf(call->why, sizeof(call->why), "%s", why);
	if (call->is_queued)
		session->landed[session->landed_count++] = (uint64_t)(call - session->calls);
}

/* Calls of a broken mount have ended already, and their place may have another call. */
void remote_landed(int status, struct nfs_context *context, void *data, void *private)
{
	struct remote_call *call = private;

	if (!call->mount || call->mount->context != context || call->mount->broken ||
	    !call->is_pending)
		return;
	if (status >= 0 && data && call->kind == REMOTE_BYTES)
		memcpy(call->bytes, data, (size_t)status);
	else if (status >= 0 && data && call->kind == REMOTE_ATTRIBUTES)
		memcpy(&call->attributes, data, sizeof(call->attributes));
	else if (status >= 0 && call->kind == REMOTE_HANDLE)
		call->handle = data;
	end_call(call, status, status < 0 ? why_of(call->mount) : NULL);
}

struct remote_call *remote_begin(struct backend_session *session, unsigned number,
				 struct remote_mount *mount, enum remote_kind kind)
{
	struct remote_call *call = &session->calls[number];

	call->session = session;
	call->mount = mount;
	call->kind = kind;
	call->is_queued = number < session->depth;
	call->is_pending = true;
	mount->pending++;
	return call;
}

void remote_queued(struct remote_call *call, int ret)
{
	if (__builtin_expect(ret < 0, 0) && call->is_pending)
		end_call(call, ret == -1 ? -EIO : ret, why_of(call->mount));
}

static void break_mount(struct backend_session *session, struct remote_mount *mount, int code,
			const char *why)
{
	snprintf(mount->why, sizeof(mount->why), "%s", why);
	mount->broken = code;
	for (unsigned i = 0; i <= session->depth; i++)
		if (session->calls[i].is_pending && session->calls[i].mount == mount)
			end_call(&session->calls[i], -code, mount->why);
}

static void note_silence(struct backend_session *session, struct remote_mount *mount, int wait_ms)
{
	char why[REMOTE_WHY_SIZE];

	mount->idle_ms += (unsigned)wait_ms;
	if (mount->idle_ms < session->timeout * 1e3)
		return;
	snprintf(why, sizeof(why), "the server did not answer within %g s (nfs.timeout)",
		 session->timeout);
	break_mount(session, mount, ETIMEDOUT, why);
}

static void serve_one(struct backend_session *session, struct remote_mount *mount, int wait_ms)
{
	struct pollfd ready = {.fd = nfs_get_fd(mount->context),
			       .events = (short)nfs_which_events(mount->context)};
	const int count = poll(&ready, 1, wait_ms);

	if (!count)
		note_silence(session, mount, wait_ms);
	if (count <= 0)
		return;
	mount->idle_ms = 0;
	mount->is_hung_up = ready.revents & (POLLHUP | POLLERR);
	if (nfs_service(mount->context, ready.revents) < 0)
		break_mount(session, mount, EIO, why_of(mount));
}

/* If a queue has calls to several servers, each in turn is waited for a ms. */
void remote_serve(struct backend_session *session, int wait_ms)
{
	unsigned busy = 0;

	for (struct remote_mount *mount = session->mounts; mount; mount = mount->next)
		busy += mount->pending > 0;
	for (struct remote_mount *mount = session->mounts; mount; mount = mount->next)
		if (mount->pending)
			serve_one(session, mount, busy > 1 ? wait_ms > 0 : wait_ms);
}

int remote_failed(const struct remote_call *call, const char *name, struct error *err)
{
	static const int plain[] = {ENOENT, EEXIST, ENOTDIR, EISDIR, ENOTEMPTY,
				    ENOSPC, EDQUOT, EROFS,   EXDEV,  EBADF};
	const char *server = call->mount->url.server;
	const int code = -call->result;

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (code == plain[i])
			return error_set(err, code, "%s: %s", name, strerror(code));
	if (code == EACCES || code == EPERM)
		return error_set(err, code,
				 "%s: %s; %s refuses this user: uid= and gid= in the URL name "
				 "another",
				 name, strerror(code), server);
	return error_set(err, code, "%s: nfs://%s: %s", name, server, call->why);
}

int remote_lost(const struct remote_mount *mount, const char *name, struct error *err)
{
	return error_set(err, mount->broken, "%s: nfs://%s: %s", name, mount->url.server,
			 mount->why);
}

int remote_finish(struct remote_call *call, int ret, const char *name, struct error *err)
{
	remote_queued(call, ret);
	while (call->is_pending)
		remote_serve(call->session, REMOTE_SLICE_MS);
	return __builtin_expect(call->result < 0, 0) ? remote_failed(call, name, err)
						     : call->result;
}
