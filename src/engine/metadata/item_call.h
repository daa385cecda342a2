/* Calls on a name, in a phase of one operation or in a mix. */
#ifndef ENGINE_METADATA_ITEM_CALL_H
#define ENGINE_METADATA_ITEM_CALL_H

#include "engine/core/worker.h"
#include "engine/metadata/entries.h"
#include "engine/metadata/small_files.h"

/* Every call belongs to one kind of operation in the measure. */
enum item_call {
	CALL_MKDIR,
	CALL_RMDIR,
	CALL_CREATE,
	CALL_MKNOD,
	CALL_CREATE_DATA,
	CALL_STAT,
	CALL_OPEN_CLOSE,
	CALL_READ_DATA,
	CALL_READ_COMPARED,
	CALL_LIST,
	CALL_REMOVE,
	CALL_RENAME,
	CALLS
};

/* mdtest makes files by mknod with another mode than by open. */
enum { FILE_MODE = 0664, MKNOD_MODE = 0400, DIRECTORY_MODE = 0755 };

/* Returns how this test carries out an operation. */
enum item_call item_call_of(const struct metadata *test, enum operation operation);

static inline int item_call_list(struct worker *worker, const char *name, struct error *err)
{
	uint64_t entries;
	int ret = entries_count(worker, name, NULL, &entries, err);

	worker->measure->entries += entries;
	return ret;
}

/* Runs any call but CALL_RENAME, which takes two names. Returns 1 as small_file_create() does. */
static inline __attribute__((always_inline)) int item_call_run(struct worker *worker,
							       const enum item_call call,
							       struct backend_directory *directory,
							       const char *name, struct error *err)
{
	const struct backend *backend = worker->backend;
	struct backend_session *session = worker->session;
	struct stat status;

	switch (call) {
	case CALL_MKDIR:
		return backend->mkdir(session, directory, name, DIRECTORY_MODE, err);
	case CALL_RMDIR:
		return backend->rmdir(session, directory, name, err);
	case CALL_CREATE:
		return backend->create(session, directory, name, FILE_MODE, err);
	case CALL_MKNOD:
		return backend->mknod(session, directory, name, MKNOD_MODE, err);
	case CALL_CREATE_DATA:
		return small_file_create(worker, directory, name, err);
	case CALL_STAT:
		return backend->stat(session, directory, name, &status, err);
	case CALL_OPEN_CLOSE:
		return backend->open_close(session, directory, name, ACCESS_READ, err);
	case CALL_READ_DATA:
	case CALL_READ_COMPARED:
		return small_file_read(worker, directory, name, err);
	case CALL_LIST:
		return item_call_list(worker, name, err);
	case CALL_REMOVE:
		return backend->remove(session, directory, name, err);
	case CALL_RENAME:
	case CALLS:
		break;
	}
	return -1;
}

#endif
