/* Calls on a name, in a phase of one operation or in a mix. */
#include "engine/metadata/item_call.h"

enum item_call item_call_of(const struct metadata *test, enum operation operation)
{
	switch (operation) {
	case OPERATION_MKDIR:
		return CALL_MKDIR;
	case OPERATION_RMDIR:
		return CALL_RMDIR;
	case OPERATION_STAT:
		return CALL_STAT;
	case OPERATION_LIST:
		return CALL_LIST;
	case OPERATION_REMOVE:
		return CALL_REMOVE;
	case OPERATION_RENAME:
		return CALL_RENAME;
	case OPERATION_CREATE:
		return test->mknod			  ? CALL_MKNOD
		       : test->write_bytes || test->fsync ? CALL_CREATE_DATA
							  : CALL_CREATE;
	case OPERATION_OPEN_CLOSE:
		return !test->read_bytes   ? CALL_OPEN_CLOSE
		       : test->verify_read ? CALL_READ_COMPARED
					   : CALL_READ_DATA;
	default:
		BUG("%s is not a metadata operation", operation_name(operation));
	}
}
