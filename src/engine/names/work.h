/* What is done to a name, in a phase of its own or in a mix. */
#ifndef ENGINE_NAMES_WORK_H
#define ENGINE_NAMES_WORK_H

#include "engine/names/entries.h"
#include "engine/names/small_files.h"
#include "engine/worker.h"

/* Each is one kind of operation in the measure. */
enum work {
	WORK_MKDIR,
	WORK_RMDIR,
	WORK_CREATE,
	WORK_MKNOD,
	WORK_CREATE_DATA,
	WORK_STAT,
	WORK_OPEN_CLOSE,
	WORK_READ_DATA,
	WORK_READ_COMPARED,
	WORK_LIST,
	WORK_REMOVE,
	WORK_RENAME,
	WORKS
};

enum { FILE_MODE = 0664, DIRECTORY_MODE = 0755 };

/* How this test does an operation. */
enum work work_of(const struct metadata *test, enum operation operation);

static inline int work_list(struct worker *worker, const char *name, struct error *err)
{
	uint64_t entries;
	int ret = entries_count(worker, name, NULL, &entries, err);

	worker->measure->entries += entries;
	return ret;
}

/* All but WORK_RENAME, which takes two names. 1: as of small_file_create(). */
static inline __attribute__((always_inline)) int work_do(struct worker *worker, const enum work work,
							 struct backend_directory *directory,
							 const char *name, struct error *err)
{
	const struct backend *backend = worker->backend;
	struct backend_session *session = worker->session;
	struct stat status;

	switch (work) {
	case WORK_MKDIR:
		return backend->mkdir(session, directory, name, DIRECTORY_MODE, err);
	case WORK_RMDIR:
		return backend->rmdir(session, directory, name, err);
	case WORK_CREATE:
		return backend->create(session, directory, name, FILE_MODE, err);
	case WORK_MKNOD:
		return backend->mknod(session, directory, name, FILE_MODE, err);
	case WORK_CREATE_DATA:
		return small_file_create(worker, directory, name, err);
	case WORK_STAT:
		return backend->stat(session, directory, name, &status, err);
	case WORK_OPEN_CLOSE:
		return backend->open_close(session, directory, name, ACCESS_READ, err);
	case WORK_READ_DATA:
	case WORK_READ_COMPARED:
		return small_file_read(worker, directory, name, err);
	case WORK_LIST:
		return work_list(worker, name, err);
	case WORK_REMOVE:
		return backend->remove(session, directory, name, err);
	case WORK_RENAME:
	case WORKS:
		break;
	}
	return -1;
}

#endif
