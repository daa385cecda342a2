/*
 * The sessions, open files and operations of the rados backend, which its files share.
 *
 * A file is an object NAME, its head, and for bytes behind object_size the objects NAME.00000001
 * and so on, the stripes. These lie in a namespace of their own, so a listing has heads alone.
 */
#ifndef BACKENDS_RADOS_STATE_H
#define BACKENDS_RADOS_STATE_H

#include <pthread.h>
#include <rados/librados.h>

#include "backends/rados.h"

enum { RADOS_POOL_SIZE = 128, RADOS_NAME_SIZE = 1024, RADOS_STRIPE_SIZE = RADOS_NAME_SIZE + 24 };

/*
 * Attributes of a head: a file of iorx has its object_size, and one in stripes its bytes. A file
 * that is to have stripes has their reach from the start, so that a removal finds those of a killed
 * job.
 */
#define RADOS_MARK "iorx"
#define RADOS_BYTES "iorx.bytes"
#define RADOS_REACH "iorx.reach"

/* A request of librados; a transfer has one for each object that it touches. */
struct rados_piece {
	rados_completion_t completion;
	uint64_t length;
	int error; /* it could not be sent */
};

/* A queued operation: a transfer, or one on a name if transfer.file is NULL. */
struct rados_call {
	struct backend_session *session;
	struct transfer transfer;
	struct rados_piece *pieces;
	size_t count, room;
	size_t pending; /* under the session's lock */
	char name[RADOS_NAME_SIZE];
};

struct backend_session {
	const struct backend_options *options;
	rados_t cluster;
	rados_ioctx_t heads, stripes; /* NULL until the first name */
	char pool[RADOS_POOL_SIZE];
	struct rados_call *calls; /* one for each queued operation, and the last for all else */
	uint64_t depth;
	unsigned in_flight;
	/* operations that have ended, in their order; librados's thread adds to them */
	pthread_mutex_t lock;
	pthread_cond_t grown;
	struct rados_call **landed;
	uint64_t first, landed_count;
};

/* What the head of a file says. */
struct rados_head {
	uint64_t bytes, object_size, reach;
	bool is_marked;
};

struct backend_file {
	struct backend_session *session;
	char name[RADOS_NAME_SIZE];
	MPI_Comm comm;
	enum access access;
	struct rados_head head;
	uint64_t end;  /* of what this task wrote */
	bool may_grow; /* into stripes */
};

/* The name in a URL, which lives as long as it; opens its pool. NULL with *err. */
const char *rados_name(struct backend_session *session, const char *url, struct error *err);

/* Sets *err from a return code of librados, and returns -1. */
int rados_refuse(const struct backend_session *session, const char *call, int code,
		 struct error *err);

/* Makes the head of a new file that may get so many bytes: 0, or -EEXIST and others. */
int rados_make_head(struct backend_session *session, const char *name, uint64_t reach);
/* Says in the head how far the file may come to reach: 0 or a code of librados. */
int rados_set_reach(struct backend_session *session, const char *name, uint64_t reach);
/* Says how long the file is, instead of how far it may reach: 0 or a code of librados. */
int rados_set_bytes(struct backend_session *session, const char *name, uint64_t bytes);

/* Reads the head: 0, or -ENOENT and others. */
int rados_read_head(struct backend_session *session, const char *name, struct rados_head *head);

/* Names a stripe of a file, from 1. */
void rados_name_stripe(char stripe[RADOS_STRIPE_SIZE], const char *name, uint64_t number);

/* Removes the stripes of a file and then its head: 0, or a code of librados. */
int rados_remove_whole(struct backend_session *session, const char *name);

int rados_data_open(struct backend_session *session, struct backend_file *file,
		    const struct backend_open *how, struct error *err);
int rados_data_close(struct backend_file *file, struct error *err);
int rados_data_sync(struct backend_file *file, struct error *err);
int64_t rados_data_transfer(struct backend_file *file, const struct transfer *transfer,
			    struct error *err);
int rados_data_submit(struct backend_session *session, const struct transfer *transfers,
		      unsigned count, struct error *err);
int rados_queue_reap(struct backend_session *session, struct completion *completions,
		     unsigned minimum, unsigned maximum, struct error *err);
int rados_names_submit(struct backend_session *session, const struct metadata_operation *operations,
		       unsigned count, struct error *err);

/*
 * A call begins with the number of its requests; one with none has ended. Each request gets a
 * completion, is sent with it, and the code of the sending is told.
 */
void rados_queue_start(struct rados_call *call, size_t count);
rados_completion_t rados_queue_add(struct rados_call *call, uint64_t length);
void rados_queue_sent(struct rados_call *call, int code);
/* Waits for all requests in flight, and forgets them. */
void rados_queue_drain(struct backend_session *session);
/* What the requests of a call came to: bytes or 0, or a code of librados. */
int64_t rados_queue_settle(struct rados_call *call);

/* The operations on names; directory is always NULL. */
int rados_names_size(struct backend_session *session, const char *path, uint64_t *bytes,
		     uint64_t *allocated, struct error *err);
int rados_names_is_own(struct backend_session *session, const char *path, bool *own,
		       struct error *err);
int rados_names_create(struct backend_session *session, struct backend_directory *directory,
		       const char *path, mode_t mode, struct error *err);
int rados_names_stat(struct backend_session *session, struct backend_directory *directory,
		     const char *path, struct stat *status, struct error *err);
int rados_names_open_close(struct backend_session *session, struct backend_directory *directory,
			   const char *path, enum access access, struct error *err);
int rados_names_remove(struct backend_session *session, struct backend_directory *directory,
		       const char *path, struct error *err);
int rados_names_mkdir(struct backend_session *session, struct backend_directory *directory,
		      const char *path, mode_t mode, struct error *err);
int rados_names_rmdir(struct backend_session *session, struct backend_directory *directory,
		      const char *path, struct error *err);
int rados_names_list(struct backend_session *session, struct backend_directory *directory,
		     const char *path, list_add *add, struct list_sink *sink, struct error *err);

#endif
