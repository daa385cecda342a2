/*
 * The contract between the core and a storage interface.
 *
 * A backend is one `const struct backend` in one file, listed in registry.c. A NULL operation means
 * that the backend cannot do it, and the plan refuses a job that needs it. A backend never prints,
 * exits, aborts or keeps mutable statics. It reports a failure through struct error, with a text
 * that starts with the call ("pwrite: No space left on device"). The engine adds rank, host, file
 * and offset. Each backend completes its own struct backend_options, backend_session, backend_file
 * and backend_directory. The core knows only their sizes, allocates them zeroed and passes them
 * back, so no backend needs a cast.
 *
 * Returns: 0 or -1 with *err set, unless said otherwise. Offsets and lengths are bytes, times ns.
 *
 * Collective work happens only in start, stop, open, close, in collective transfers, and in sync of
 * backends with sync_together. A task that has failed still takes part in these. So the core calls
 * stop once for every start and close once for every open, also after a failure. All other
 * operations are local to the calling task. At most one thread uses a session at a time. Several
 * sessions may exist in one process.
 *
 * If the open of a shared file fails on one of its tasks, it fails on all of them, so that no task
 * waits in a close for the others. A backend whose library does not promise this agrees over
 * how->comm itself.
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
#include "base/write_sync.h"
#include "options/option.h"

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_COUNT };

/* Each backend defines these structs. */
struct backend_options;
struct backend_session;
struct backend_file;
struct backend_directory;

/* How a session starts. All pointers live until stop returns. */
struct backend_start {
	/* the test's tasks; the backend may talk on it only in collective operations */
	MPI_Comm comm;
	int task; /* 0 .. tasks-1 in comm */
	int tasks;
	/* transfers of a task in flight at most; 1: synchronous transfers only */
	uint64_t queue_depth;
	const struct backend_options *options;
	bool spares_private;	     /* a job file names hints_file, which must not be private */
	const struct backend *inner; /* for wrappers: the wrapped backend, else NULL */
	const struct backend_start *inner_start; /* for wrappers: the start of inner */
	/* the file or directory that the task uses first, until start returns; NULL: unknown */
	const char *path;
	const void *blob; /* what prepare filled on task 0, until start returns; NULL: nothing */
	size_t blob_size;
};

/* The core's receiver of an early report that an open has failed on this task. */
struct open_watcher;

enum file_lock { FILE_LOCK_NONE, FILE_LOCK_SHARED, FILE_LOCK_EXCLUSIVE };

/* How a file is opened. */
struct backend_open {
	const char *path;
	struct backend_directory *directory; /* path is relative to it; NULL: path is a full
						one. Needs opens_relative and an unshared file */
	enum access access;
	bool create;		    /* create it if missing; any of the openers may be the first */
	bool exclusive;		    /* with create, by a task alone: EEXIST if it exists */
	bool follows;		    /* with create: the path may be a symbolic link */
	enum write_sync write_sync; /* another than WRITE_SYNC_NONE needs opens_synchronous */
	MPI_Comm comm;		    /* tasks that share the file; MPI_COMM_SELF: the caller alone */
	bool collective;	    /* transfers are collective over comm */
	uint64_t transfer_size;	    /* largest length of a transfer, bytes */
	uint64_t file_size;	    /* bytes of the file at the end of the phase, by the plan;
				0: unknown, the file is taken as it is */
	/* the layout, for backends that describe it to their library (views, datasets) */
	uint64_t tasks, block, segments;
	bool shared;
	/*
	 * Task whose blocks the caller will move, all of them in file order. UINT64_MAX: any blocks
	 * in any order. No file view can serve that, so none is set, and settings reports it.
	 */
	uint64_t source;
	bool strided; /* each transfer has count = segments and block = source */
	/*
	 * Unless NULL, a failed task calls it before it waits for the tasks that share the file.
	 * These may hang in the library, and the failure would otherwise stay unknown.
	 */
	void (*failing)(struct open_watcher *watcher, const struct error *err);
	struct open_watcher *watcher;
};

/* One transfer, or the same block of several segments in one call. */
struct transfer {
	struct backend_file *file; /* queued only: an open file of the session; transfer and
				      explain have it as an argument */
	void *buffer;		   /* aligned to 4096 or alignment(), whichever is more */
	uint64_t offset;	   /* in the file, bytes */
	uint64_t length;	   /* 0: take part in a collective call, move nothing */
	uint64_t block;		   /* number of the task whose block holds it */
	uint64_t segment;	   /* the first segment */
	uint64_t count;		   /* segments, 1 unless how.strided; length is their sum */
	uint64_t stride; /* bytes from one segment's part to the next in the file, for count > 1 */
	uint64_t cookie; /* queued: number of its buffer, 0 .. queue_depth - 1; unique among
			    transfers in flight; returned in the completion */
	enum access access;
};

struct completion {
	uint64_t cookie;
	int64_t result; /* bytes moved, 0 for a metadata operation, or -errno */
};

/*
 * Alignment that direct or registered transfers need; all 1 if none is needed or alignment() is
 * NULL.
 */
struct backend_alignment {
	uint64_t memory; /* of a buffer's address, bytes, a power of two */
	uint64_t offset; /* of a transfer's offset and length in the file */
};

/* Receives one setting in effect for an open file; see settings(file, add, sink). */
struct settings_sink;
typedef void settings_add(struct settings_sink *sink, const char *name, const char *value);

/* Kind of a directory entry. A symbolic link is ENTRY_OTHER, whatever its target. */
enum entry_kind { ENTRY_UNKNOWN, ENTRY_DIRECTORY, ENTRY_FILE, ENTRY_OTHER };

/*
 * list() calls it once per directory entry except "." and "..". If it returns false, list() stops
 * and returns 0.
 */
struct list_sink;
typedef bool list_add(struct list_sink *sink, const char *name, enum entry_kind kind);

/*
 * Kinds of queued metadata operations. They have the arguments of the synchronous operations, but
 * the result of a stat is not returned. mknod is missing, as io_uring lacks it.
 */
enum metadata_kind {
	METADATA_CREATE,
	METADATA_STAT,
	METADATA_OPEN_CLOSE,
	METADATA_REMOVE,
	METADATA_MKDIR,
	METADATA_RMDIR,
	METADATA_KINDS
};

/* A queued metadata operation. All that it points to lives until its completion has been reaped. */
struct metadata_operation {
	enum metadata_kind kind;
	struct backend_directory *directory; /* NULL: name is a full path */
	const char *name;
	mode_t mode;	    /* CREATE, MKDIR */
	enum access access; /* OPEN_CLOSE */
	uint64_t cookie;    /* 0 .. queue_depth - 1, unique among operations in flight */
};

/* The Darshan module that counts a backend's transfers. */
enum backend_layer { LAYER_NONE, LAYER_POSIX, LAYER_MPIIO, LAYER_HDF5 };

struct backend {
	const char *name;
	const char *aliases; /* more names for api=, blank-separated ("DUMMY"); NULL: none */
	const char *path_is; /* meaning of test_file, one line */
	const struct option_table *options;
	size_t session_size, file_size, directory_size;

	/* Properties that a NULL operation cannot express. */
	bool single_writer;   /* a shared file may be written by one task only */
	bool ignores_buffers; /* never reads buffers: they are not filled, and the result says so */
	bool files;	      /* test_file is in a file system mounted here: statfs, page cache */
	bool opens_relative;  /* open accepts a directory */
	bool no_storage;      /* it stores nothing: no space, sizes or evidence to check */
	bool strided;	      /* accepts transfers with count > 1 */
	bool collective;      /* has collective transfers */
	/* a file opened for writing is also read, and transfers come in any order and size */
	bool random_access;
	bool opens_synchronous; /* open serves every write_sync */
	bool sync_together;   /* sync is collective over how->comm: all sharers call it, or none */
	bool may_hide_errors; /* its library may return success for lost data: read back a sample */
	bool begins_with_descriptor; /* struct backend_file begins with the descriptor, an int */
	enum backend_layer layer;
	bool own_format; /* files are not just the transfers' bytes at their offsets (HDF5) */
	/*
	 * A file is there when it was written whole and closed, and bytes inside it cannot be
	 * replaced (objects). Each byte is written once, by transfers in any order.
	 */
	bool whole_files;
	/* directories are prefixes of names, so they need not be made, and none can be measured */
	bool prefixes;

	/*
	 * Session; here NULL means that there is nothing to do. start and stop are collective over
	 * start->comm; start checks all options. prepare runs on task 0 before start. It may fill a
	 * blob, such as pool and container handles, which the core hands to every task's start.
	 * *size is the room at first and the length used on return.
	 */
	int (*prepare)(const struct backend_start *start, void *blob, size_t *size,
		       struct error *err);
	int (*start)(struct backend_session *session, const struct backend_start *start,
		     struct error *err);
	int (*stop)(struct backend_session *session, struct error *err);

	/*
	 * Checks if open can serve `how`, from its numbers and the options alone, before anything
	 * is touched. ERROR_INPUT if not; all tasks come to the same result.
	 */
	int (*check)(struct backend_session *session, const struct backend_open *how,
		     struct error *err);

	/*
	 * Data. open and close are collective over how->comm, all others are not. close always
	 * frees, also if it fails. After an open that failed, close frees what there is and returns
	 * 0.
	 */
	int (*open)(struct backend_session *session, struct backend_file *file,
		    const struct backend_open *how, struct error *err);
	int (*close)(struct backend_file *file, struct error *err);
	/*
	 * Called before stop: true if a file could not be closed, and the library would crash or
	 * hang when MPI_Finalize closes it. The job then ends without MPI_Finalize.
	 */
	bool (*left_open)(struct backend_session *session);
	/* Requests of this task since start that failed and that the backend made once more. */
	uint64_t (*retries)(struct backend_session *session);
	int (*sync)(struct backend_file *file, struct error *err);
	/* As sync, without metadata that reads do not need; NULL: sync has to serve. Never
	   collective. */
	int (*sync_data)(struct backend_file *file, struct error *err);
	/*
	 * Gives storage to bytes of a file that is open for writing, which grows to hold them.
	 * Bytes that were never written read as zeros; others keep their data.
	 */
	int (*allocate)(struct backend_file *file, uint64_t offset, uint64_t length,
			struct error *err);
	/*
	 * Waits for a lock on bytes of the file; FILE_LOCK_NONE gives it back. It must hold between
	 * any two opens, also of one process.
	 */
	int (*lock)(struct backend_file *file, enum file_lock lock, uint64_t offset,
		    uint64_t length, struct error *err);
	/*
	 * Size of a file by path, also while it is open elsewhere. err->code is ENOENT if it does
	 * not exist.
	 */
	int (*size)(struct backend_session *session, const char *path, uint64_t *bytes,
		    uint64_t *allocated, struct error *err);
	/* Whether iorx made a file, if the storage keeps that beside the data. NULL: data tells. */
	int (*is_own)(struct backend_session *session, const char *path, bool *own,
		      struct error *err);
	int (*truncate)(struct backend_session *session, const char *path, uint64_t bytes,
			struct error *err);
	int (*alignment)(struct backend_session *session, const char *path,
			 struct backend_alignment *alignment, struct error *err);
	void (*settings)(struct backend_file *file, settings_add *add, struct settings_sink *sink);
	/* Time that the finished open spent on parts of the format, such as datasets, ns. */
	uint64_t (*define_ns)(struct backend_file *file);

	/*
	 * Synchronous: returns the bytes moved, which may be fewer than length (0 for a read: end
	 * of file), or -1 with *err. The backend repeats a call after EINTR. The engine handles
	 * short counts.
	 */
	int64_t (*transfer)(struct backend_file *file, const struct transfer *transfer,
			    struct error *err);

	/*
	 * For backends with mapped files, where a storage failure raises SIGBUS. The engine catches
	 * the signal and passes the address. Returns -1 with *err and the *offset in the file, or 0
	 * if the address is in no mapping of the file.
	 */
	int (*bus_error)(struct backend_file *file, const void *address, uint64_t *offset,
			 struct error *err);

	/*
	 * Queued, if queue_depth > 1. A backend with these operations has `transfer` too.
	 *
	 * submit returns how many of the first `count` transfers were taken: at least 1, 0 if the
	 * queue is full, or -1 if none was taken. It copies what it needs. It may leave handing
	 * them over to the reap that follows at once. reap returns how many completions were
	 * stored, from `minimum` to `maximum`.
	 *
	 * The queue is the session's: transfers of all its open files may be in flight together and
	 * complete in any order. The engine closes a file if nothing is in flight, or if it has
	 * given up the transfers in flight. close then waits for all transfers of every file, and
	 * none of them is returned.
	 *
	 * register_buffers follows start, before any open, also for synchronous transfers:
	 * queue_depth buffers of `size` bytes that live until stop.
	 */
	int (*submit)(struct backend_session *session, const struct transfer *transfers,
		      unsigned count, struct error *err);
	int (*reap)(struct backend_session *session, struct completion *completions,
		    unsigned minimum, unsigned maximum, struct error *err);
	int (*register_buffers)(struct backend_session *session, void *const *buffers,
				unsigned count, uint64_t size, struct error *err);
	/*
	 * Describes a queued transfer that completed with -code as `transfer` would, and returns
	 * -1. NULL: the engine gives the text of the errno.
	 */
	int (*explain)(struct backend_file *file, const struct transfer *transfer, int code,
		       struct error *err);

	/*
	 * Metadata operations: name is a full path if directory is NULL, else relative to it.
	 * open_directory's path is always full. close_directory follows every open_directory, as
	 * close follows open.
	 */
	int (*open_directory)(struct backend_session *session, struct backend_directory *directory,
			      const char *path, struct error *err);
	int (*close_directory)(struct backend_directory *directory, struct error *err);
	int (*create)(struct backend_session *session, struct backend_directory *directory,
		      const char *name, mode_t mode, struct error *err); /* O_EXCL, then close */
	int (*mknod)(struct backend_session *session, struct backend_directory *directory,
		     const char *name, mode_t mode, struct error *err);
	int (*stat)(struct backend_session *session, struct backend_directory *directory,
		    const char *name, struct stat *status, struct error *err);
	/* stat of a symbolic link itself; NULL if the storage has no links. */
	int (*lstat)(struct backend_session *session, struct backend_directory *directory,
		     const char *name, struct stat *status, struct error *err);
	int (*open_close)(struct backend_session *session, struct backend_directory *directory,
			  const char *name, enum access access, struct error *err);
	/* access(2) for reading; NULL where the storage has no permissions, as for chmod. */
	int (*access)(struct backend_session *session, struct backend_directory *directory,
		      const char *name, struct error *err);
	int (*chmod)(struct backend_session *session, struct backend_directory *directory,
		     const char *name, mode_t mode, struct error *err);
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
		    const char *name, list_add *add, struct list_sink *sink, struct error *err);
	/*
	 * Queued metadata operations, with counts as for submit and reap, and at most queue_depth
	 * in flight. A completion means that the whole operation is over. An operation that opens
	 * includes its close, and its result is the first failure of the two. Operations in flight
	 * are done in any order, never beside transfers, and are over when stop returns.
	 * prepare_metadata, which may be NULL, follows start for each kind, before the first
	 * submit. ERROR_INPUT if this kind cannot be queued.
	 */
	int (*prepare_metadata)(struct backend_session *session, enum metadata_kind kind,
				struct error *err);
	int (*submit_metadata)(struct backend_session *session,
			       const struct metadata_operation *operations, unsigned count,
			       struct error *err);
	int (*reap_metadata)(struct backend_session *session, struct completion *completions,
			     unsigned minimum, unsigned maximum, struct error *err);
};

#endif
