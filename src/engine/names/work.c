/* What is done to a name, in a phase of its own or in a mix. */
#include "engine/names/work.h"

enum work work_of(const struct metadata *test, enum operation operation)
{
	switch (operation) {
	case OPERATION_MKDIR:
		return WORK_MKDIR;
	case OPERATION_RMDIR:
		return WORK_RMDIR;
	case OPERATION_STAT:
		return WORK_STAT;
	case OPERATION_LIST:
		return WORK_LIST;
	case OPERATION_REMOVE:
		return WORK_REMOVE;
	case OPERATION_RENAME:
		return WORK_RENAME;
	case OPERATION_CREATE:
		return test->mknod ? WORK_MKNOD
		       : test->write_bytes || test->fsync ? WORK_CREATE_DATA : WORK_CREATE;
	case OPERATION_OPEN_CLOSE:
		return !test->read_bytes ? WORK_OPEN_CLOSE
		       : test->verify_read ? WORK_READ_COMPARED : WORK_READ_DATA;
	default:
		BUG("%s is no operation on names", operation_name(operation));
	}
}
