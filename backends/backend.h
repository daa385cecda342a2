/*
 * The contract between the core and a storage interface.
 *
 * A backend is one `const struct backend` in one file, listed in registry.c. Operations it leaves
 * NULL it cannot do, and the plan refuses a job that needs one with a sentence. A backend never
 * prints, exits, aborts or keeps mutable statics; it says what its library said through struct error
 * (text starting with the call: "pwrite: No space left on device") and the engine adds rank, host,
 * file and offset. Each backend completes its own struct backend_options, backend_session,
 * backend_file and backend_directory: the core knows only their sizes, allocates them zeroed, and
 * passes them back, so no backend needs a cast.
 *
 * Returns: 0 or -1 with *err set, unless said otherwise. Offsets and lengths are bytes, times ns.
 *
 * Collective work happens only in start, stop, open, close, in collective transfers, and in sync of
 * backends that say so: in these, a task that has failed still takes part. So stop is called once for every start and close once for
 * every open, also for one that failed. Everything else is the calling task's own. At most one
 * thread uses a session at a time; several sessions may exist in one process.
 *
 * An open of a shared file that fails on one of its tasks fails on all of them: a backend whose library
 * does not promise that agrees over how->comm itself, so that nobody waits in a close for the others.
 */
#ifndef BACKENDS_BACKEND_H
#define BACKENDS_BACKEND_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/error.h"
#include "options/option.h"

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_COUNT };

/* Completed by each backend. */
struct backend_options;
struct backend_session;
struct backend_file;
struct backend_directory;

/* How a session starts. All pointers live until stop returns. */
struct backend_start {
	MPI_Comm comm; /* the test's tasks; the backend may talk on it only in collective operations */
	int task;      /* 0 .. tasks-1 in comm */
	int tasks;
	uint64_t queue_depth; /* transfers of a task in flight at most; 1: synchronous transfers only */
	const struct backend_options *options;
	const struct backend *inner; /* for wrappers: the backend they stand before, else NULL */
	const struct backend_start *inner_start; /* for wrappers: how that one starts */
};

/* Who wants to know early that an open has failed here. */
struct open_watcher;

/* How a file is opened. */
struct backend_open {
	const char *path;
	struct backend_directory *directory; /* path is a name in it; NULL: it is a whole one. Only where
						opens_relative, and for a file that is not shared */
	enum access access;
	bool create;    /* make it when it is not there; with create every opener may be the first */
	bool exclusive; /* with create, by a task alone: EEXIST when it is there */
	bool follows;   /* with create: the path may be a symbolic link */
	MPI_Comm comm;  /* those that share the file, the caller among them; MPI_COMM_SELF when alone */
	bool collective; /* its transfers are collective over comm */
	uint64_t transfer_size; /* largest length that will be asked for, bytes */
	uint64_t file_size;     /* bytes the file will have or has when the phase is complete, by the plan;
				0: unknown, the file is taken as it is */
	/* the layout, for backends that describe it to their library (views, datasets) */
	uint64_t tasks, block, segments;
	bool shared;
	/*
	 * Whose blocks the caller will move, all of them in file order; UINT64_MAX: any, in any
	 * order: no file view can serve that, so none is set, and settings says so.
	 */
	uint64_t source;
	bool strided; /* transfers come with count = segments, and block = source's */
	/*
	 * To be called, when it is not NULL, by a task that has failed and is about to wait for those that
	 * share the file: they may hang in the library, and nobody would know why.
	 */
	void (*failing)(struct open_watcher *watcher, const struct error *err);
	struct open_watcher *watcher;
};

/* One transfer, or the same block of several segments in one call. */
struct transfer {
	struct backend_file *file; /* queued: which open file of the session; transfer and explain have it
				      as an argument and do not look here */
	void *buffer;     /* aligned to 4096 or to what alignment() asked for, whichever is more */
	uint64_t offset;  /* in the file, bytes */
	uint64_t length;  /* 0: take part in a collective call, move nothing */
	uint64_t block;   /* whose block it lies in: a task's number */
	uint64_t segment; /* the first segment */
	uint64_t count;   /* of segments, 1 unless how.strided; length is that of all of them */
	uint64_t stride;  /* bytes from one segment's part to the next in the file, for count > 1 */
	uint64_t cookie;  /* queued: number of its registered buffer, 0 .. queue_depth - 1; no two in
			     flight are alike; comes back in the completion */
	enum access access;
};

struct completion {
	uint64_t cookie;
	int64_t result; /* bytes moved, 0 for an operation on names, or -errno */
};

/* What direct or registered transfers need; all 1 when nothing is, and where there is no alignment(). */
struct backend_alignment {
	uint64_t memory; /* of a buffer's address, bytes, a power of two */
	uint64_t offset; /* of a transfer's offset and length in the file */
};

/* What is in effect for an open file, told name by name: settings(file, tell, sink). */
struct settings_sink;
typedef void settings_tell(struct settings_sink *sink, const char *name, const char *value);

/* What a directory says of its entry; a link is none of the others, wherever it leads. */
enum entry_kind { ENTRY_UNKNOWN, ENTRY_DIRECTORY, ENTRY_FILE, ENTRY_OTHER };

/*
 * A directory entry as list() tells it, called once per entry ("." and ".." left out). false: no more are
 * wanted, and list() returns 0.
 */
struct list_sink;
typedef bool list_tell(struct list_sink *sink, const char *name, enum entry_kind kind);

/*
 * A namespace operation, queued: the same arguments as the synchronous form, but that nobody is told what
 * a stat found. mknod is none of them: io_uring does not have it.
 */
enum namespace_kind {
	NAMESPACE_CREATE,
	NAMESPACE_STAT,
	NAMESPACE_OPEN_CLOSE,
	NAMESPACE_REMOVE,
	NAMESPACE_MKDIR,
	NAMESPACE_RMDIR,
	NAMESPACE_KINDS
};

/* What the pointers show lives until the operation's completion has been reaped. */
struct namespace_operation {
	enum namespace_kind kind;
	struct backend_directory *directory; /* NULL: name is a full path */
	const char *name;
	mode_t mode;        /* CREATE, MKDIR */
	enum access access; /* OPEN_CLOSE */
	uint64_t cookie; /* 0 .. queue_depth - 1; no two in flight are alike */
};

/* Whose calls a backend makes, where Darshan counts them: as what its transfers are counted. */
enum backend_layer { LAYER_NONE, LAYER_POSIX, LAYER_MPIIO, LAYER_HDF5 };

struct backend {
	const char *name;
	const char *aliases; /* further names for api=, blank-separated ("DUMMY"); NULL for none */
	const char *summary; /* one line */
	const char *path_is; /* what test_file means here, one line */
	const struct option_table *options;
	size_t session_size, file_size, directory_size, options_size;

	/* What a NULL cannot tell. */
	bool single_writer;   /* a shared file may be written by one task only */
	bool ignores_buffers; /* never looks at them: nothing is filled, and the result says so */
	bool files;           /* test_file names files of this node's own file systems: statfs, page cache */
	bool opens_relative;  /* open takes a directory */
	bool no_storage;      /* no files stand behind it: no space, sizes or evidence to look at */
	bool strided;         /* takes transfers with count > 1 */
	bool collective;      /* has collective transfers */
	bool sync_together;   /* its sync is collective over how->comm: all that share a file do it, or none */
	bool may_hide_errors; /* its library is known to return success for lost data: read back a sample */
	bool begins_with_descriptor; /* struct backend_file begins with int: the open file's descriptor */
	enum backend_layer layer;
	bool own_format;      /* the file holds more than the transfers' bytes at their offsets (HDF5) */

	/*
	 * Session; a NULL here means there is nothing to do. start and stop are collective over
	 * start->comm; all options are checked in start. prepare runs on task 0 before
	 * start and may fill a blob (pool and container handles) that the core broadcasts and hands
	 * to every task's start; *size is the room at first, the length used on return.
	 */
	int (*prepare)(const struct backend_start *start, void *blob, size_t *size, struct error *err);
	int (*start)(struct backend_session *session, const struct backend_start *start,
		     const void *blob, size_t blob_size, struct error *err);
	int (*stop)(struct backend_session *session, struct error *err);

	/*
	 * Whether files can be had as `how` will ask for them in open: from its numbers and the options
	 * alone, before anything is touched. ERROR_INPUT when not; all tasks come to the same answer.
	 */
	int (*check)(struct backend_session *session, const struct backend_open *how,
		     struct error *err);

	/*
	 * Data. open and close are collective over how->comm, all others are not. close always frees,
	 * also when it fails, and after an open that failed it frees what there is and returns 0.
	 */
	int (*open)(struct backend_session *session, struct backend_file *file,
		    const struct backend_open *how, struct error *err);
	int (*close)(struct backend_file *file, struct error *err);
	/*
	 * Asked before stop: whether a file could not be closed, and the library would try again where MPI
	 * ends, and crash or wait for ever. Then the job ends without MPI_Finalize.
	 */
	bool (*left_open)(struct backend_session *session);
	int (*sync)(struct backend_file *file, struct error *err);
	/* By path, also while it is open elsewhere. ENOENT in err->code when there is none. */
	int (*size)(struct backend_session *session, const char *path, uint64_t *bytes,
		    uint64_t *allocated, struct error *err);
	int (*truncate)(struct backend_session *session, const char *path, uint64_t bytes,
			struct error *err);
	int (*alignment)(struct backend_session *session, const char *path,
			 struct backend_alignment *alignment, struct error *err);
	void (*settings)(struct backend_file *file, settings_tell *tell, struct settings_sink *sink);
	/* Of the open that is over, what it spent making the format's own parts (datasets), ns. */
	uint64_t (*define_ns)(struct backend_file *file);

	/*
	 * Synchronous: bytes moved, which may be fewer than asked for (0 for a read: end of file);
	 * -1 with *err. EINTR is the backend's to repeat, a short count the engine's to judge.
	 */
	int64_t (*transfer)(struct backend_file *file, const struct transfer *transfer,
			    struct error *err);

	/*
	 * For those whose transfers touch mapped files, where a failure of the storage is a SIGBUS: the
	 * engine catches it and gives the address. -1 with *err and the *offset in the file; 0 when
	 * the address lies in no mapping of it.
	 */
	int (*bus_error)(struct backend_file *file, const void *address, uint64_t *offset,
			 struct error *err);

	/*
	 * Queued, when queue_depth > 1 (a backend that has them has `transfer` too): submit returns how
	 * many of the first `count` were taken (>= 1, or 0 when the queue is full; -1: none) and copies
	 * what it needs of them; it may leave handing them over to the reap that follows at once. reap returns
	 * how many completions were stored (at least `minimum`, at most `maximum`). The queue is the session's:
	 * transfers of all its open files may be in flight together and come back in any order. The engine
	 * closes a file when nothing is in flight, or when it has given up what is in flight: close then waits
	 * for all of it, of every file, and none of it comes back. register_buffers, for synchronous
	 * transfers too, follows start, before any open: queue_depth buffers of `size` bytes that live until
	 * stop.
	 */
	int (*submit)(struct backend_session *session, const struct transfer *transfers,
		      unsigned count, struct error *err);
	int (*reap)(struct backend_session *session, struct completion *completions,
		    unsigned minimum, unsigned maximum, struct error *err);
	int (*register_buffers)(struct backend_session *session, void *const *buffers, unsigned count,
				uint64_t size, struct error *err);
	/*
	 * Says of a queued transfer that completed with -code what `transfer` would say of it; -1. NULL:
	 * the engine says what the errno means.
	 */
	int (*explain)(struct backend_file *file, const struct transfer *transfer, int code,
		       struct error *err);

	/*
	 * Namespace: full path when directory is NULL, else relative to it; open_directory's path is
	 * always a full one. close_directory follows every open_directory, as close does open.
	 */
	int (*open_directory)(struct backend_session *session, struct backend_directory *directory,
			      const char *path, struct error *err);
	int (*close_directory)(struct backend_directory *directory, struct error *err);
	int (*create)(struct backend_session *session, struct backend_directory *directory,
		      const char *name, mode_t mode, struct error *err); /* exclusive, and closed */
	int (*mknod)(struct backend_session *session, struct backend_directory *directory,
		     const char *name, mode_t mode, struct error *err);
	int (*stat)(struct backend_session *session, struct backend_directory *directory,
		    const char *name, struct stat *status, struct error *err);
	/* The same of a symbolic link itself; NULL where there are none. */
	int (*lstat)(struct backend_session *session, struct backend_directory *directory,
		     const char *name, struct stat *status, struct error *err);
	int (*open_close)(struct backend_session *session, struct backend_directory *directory,
			  const char *name, enum access access, struct error *err);
	int (*remove)(struct backend_session *session, struct backend_directory *directory,
		      const char *name, struct error *err);
	int (*rename)(struct backend_session *session, struct backend_directory *from_directory,
		      const char *from, struct backend_directory *to_directory, const char *to,
		      struct error *err);
	int (*mkdir)(struct backend_session *session, struct backend_directory *directory,
		     const char *name, mode_t mode, struct error *err);
	int (*rmdir)(struct backend_session *session, struct backend_directory *directory,
		     const char *name, struct error *err);
	int (*list)(struct backend_session *session, struct backend_directory *directory,
		    const char *name, list_tell *tell, struct list_sink *sink, struct error *err);
	/*
	 * Their queued forms, with the same counts as submit and reap, and at most queue_depth in flight.
	 * A completion says that all of the operation is over: of one that opens its close too, and the
	 * first failure of the two. What is in flight is done in any order, never beside transfers, and
	 * is over when stop returns. prepare_names, which may be NULL, follows start, before any is
	 * submitted, for each kind that will be: ERROR_INPUT when it cannot be queued here.
	 */
	int (*prepare_names)(struct backend_session *session, enum namespace_kind kind,
			     struct error *err);
	int (*submit_names)(struct backend_session *session,
			    const struct namespace_operation *operations, unsigned count,
			    struct error *err);
	int (*reap_names)(struct backend_session *session, struct completion *completions,
			  unsigned minimum, unsigned maximum, struct error *err);
};

#endif
