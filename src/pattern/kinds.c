/* The kinds of operation that a load can mix. */
#include "pattern/kinds.h"

const char *const load_kind_names[LOAD_KINDS] = {
	[LOAD_READ] = "read",
	[LOAD_WRITE] = "write",
	[LOAD_STAT] = "stat",
	[LOAD_ACCESS] = "access",
	[LOAD_OPEN] = "open",
	[LOAD_READ_FILE] = "read_file",
	[LOAD_WRITE_FILE] = "write_file",
	[LOAD_APPEND] = "append",
	[LOAD_RMW] = "rmw",
	[LOAD_TRUNCATE] = "truncate",
	[LOAD_CHMOD] = "chmod",
	[LOAD_FSYNC] = "fsync",
	[LOAD_LIST] = "list",
	[LOAD_CREATE] = "create",
	[LOAD_UNLINK] = "unlink",
	[LOAD_RENAME] = "rename",
	[LOAD_MKDIR] = "mkdir",
	[LOAD_RMDIR] = "rmdir",
};

enum operation load_operation(enum load_kind kind)
{
	static const enum operation operations[LOAD_KINDS] = {
		[LOAD_READ] = OPERATION_READ,
		[LOAD_WRITE] = OPERATION_WRITE,
		[LOAD_STAT] = OPERATION_STAT,
		[LOAD_ACCESS] = OPERATION_ACCESS,
		[LOAD_OPEN] = OPERATION_OPEN_CLOSE,
		[LOAD_READ_FILE] = OPERATION_READ_FILE,
		[LOAD_WRITE_FILE] = OPERATION_WRITE_FILE,
		[LOAD_APPEND] = OPERATION_APPEND,
		[LOAD_RMW] = OPERATION_RMW,
		[LOAD_TRUNCATE] = OPERATION_TRUNCATE,
		[LOAD_CHMOD] = OPERATION_CHMOD,
		[LOAD_FSYNC] = OPERATION_FSYNC,
		[LOAD_LIST] = OPERATION_LIST,
		[LOAD_CREATE] = OPERATION_CREATE,
		[LOAD_UNLINK] = OPERATION_REMOVE,
		[LOAD_RENAME] = OPERATION_RENAME,
		[LOAD_MKDIR] = OPERATION_MKDIR,
		[LOAD_RMDIR] = OPERATION_RMDIR,
	};

	return operations[kind];
}
