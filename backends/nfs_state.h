/*
 * The mounts and calls of the nfs backend, which its files share. libnfs's own functions begin with
 * nfs_, so those of this backend begin with remote_.
 */
#ifndef BACKENDS_NFS_STATE_H
#define BACKENDS_NFS_STATE_H

#include <sys/time.h>

#include <nfsc/libnfs.h>

#include "backends/backend.h"
#include "backends/nfs.h"

enum { REMOTE_WORD_SIZE = 256, REMOTE_PATH_SIZE = 4096, REMOTE_WHY_SIZE = 160 };

struct remote_url {
	char server[REMOTE_WORD_SIZE];
	char query[REMOTE_WORD_SIZE]; /* "uid=0&gid=0"; "" for none */
	char path[REMOTE_PATH_SIZE];  /* "/export/file", without slashes at the end; "": the root */
};

/* A directory of a server, and the connection by which everything below it is reached. */
struct remote_mount {
	struct remote_mount *next;
	struct nfs_context *context;
	struct remote_url url;
	unsigned pending; /* calls that wait for an answer */
	unsigned idle_ms; /* time without a byte while calls were pending */
	bool is_hung_up;  /* the connection was refused, or the server has ended it */
	int broken;	  /* errno of the failure after which it is not used; 0: none */
	char why[REMOTE_WHY_SIZE];
};

/* A name below a mount. */
struct remote_name {
	struct remote_url url;
	const char *path; /* begins with '/' */
	struct remote_mount *mount;
};

/* What the answer to a call brings. */
enum remote_kind { REMOTE_STATUS, REMOTE_BYTES, REMOTE_ATTRIBUTES, REMOTE_HANDLE };

struct remote_call {
	struct backend_session *session;
	struct remote_mount *mount;
	bool is_queued, is_pending;
	enum remote_kind kind;
	union {
		void *bytes;  /* where they go */
		void *handle; /* struct nfsfh or nfsdir */
		struct nfs_stat_64 attributes;
	};
	int result; /* bytes moved, 0, or -errno */
	char why[REMOTE_WHY_SIZE];
};

struct backend_session {
	double timeout; /* s */
	struct remote_mount *mounts;
	struct remote_call *calls; /* one for each queued transfer, and the last for all else */
	unsigned depth;
	unsigned in_flight; /* queued calls that were not reaped */
	uint64_t *landed;   /* numbers of those of them that have ended */
	unsigned landed_count;
};

/*
 * nfs_mount.c. Splits nfs://SERVER/PATH?QUERY. Names grow at their end when iorx numbers files or
 * goes into directories. So the query ends at the next '.' or '/', and the rest belongs to the
 * path.
 */
int remote_parse(struct remote_url *url, const char *text, struct error *err);

/* Finds the mount of a name, or mounts the deepest directory above it that the server exports. */
int remote_find(struct backend_session *session, const char *text, struct remote_name *name,
		struct error *err);

/*
 * nfs_call.c. Begins call `number` of the session; its depth for a call that is waited for at once.
 * The call goes to libnfs as the private data of remote_landed.
 */
struct remote_call *remote_begin(struct backend_session *session, unsigned number,
				 struct remote_mount *mount, enum remote_kind kind);
void remote_landed(int status, struct nfs_context *context, void *data, void *call);

/* Notes what libnfs's function that begins a call has returned. */
void remote_queued(struct remote_call *call, int ret);

/* The same, and waits for the answer. Returns the call's result, or -1 with *err. */
int remote_finish(struct remote_call *call, int ret, const char *name, struct error *err);

/* Describe the failure of a call that has ended, and of a mount that is lost. Return -1. */
int remote_failed(const struct remote_call *call, const char *name, struct error *err);
int remote_lost(const struct remote_mount *mount, const char *name, struct error *err);

/* Moves bytes on all mounts with pending calls. Waits for the first at most so long. */
void remote_serve(struct backend_session *session, int wait_ms);
enum { REMOTE_SLICE_MS = 100 };

#endif
