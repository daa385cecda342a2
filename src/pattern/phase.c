/* The kinds of phase and their operations. */
#include "pattern/phase.h"

const struct phase_traits phase_traits[PHASE_KINDS] = {
	[PHASE_WRITE] = {"write", PHASE_WORK_DATA, OPERATION_WRITE, AMOUNT_BYTES, .stride = 0},
	[PHASE_READ] = {"read", PHASE_WORK_DATA, OPERATION_READ, AMOUNT_BYTES, .stride = 0},
	[PHASE_VERIFY] = {"verify", PHASE_WORK_DATA, OPERATION_READ, AMOUNT_BYTES, .stride = 0},
	[PHASE_TREE_CREATE] = {"tree-create", PHASE_WORK_METADATA, OPERATION_MKDIR,
			       AMOUNT_OPERATIONS, .makes_entries = true},
	[PHASE_DIR_CREATE] = {"dir-create", PHASE_WORK_METADATA, OPERATION_MKDIR, AMOUNT_OPERATIONS,
			      .creates_items = true, .makes_entries = true},
	[PHASE_DIR_STAT] = {"dir-stat", PHASE_WORK_METADATA, OPERATION_STAT, AMOUNT_OPERATIONS,
			    .stride = 1},
	[PHASE_DIR_RENAME] = {"dir-rename", PHASE_WORK_METADATA, OPERATION_RENAME,
			      AMOUNT_OPERATIONS, .stride = 0},
	[PHASE_DIR_REMOVE] = {"dir-remove", PHASE_WORK_METADATA, OPERATION_RMDIR, AMOUNT_OPERATIONS,
			      .stride = 3, .removes_entries = true},
	[PHASE_FILE_CREATE] = {"file-create", PHASE_WORK_METADATA, OPERATION_CREATE,
			       AMOUNT_OPERATIONS, .of_files = true, .creates_items = true,
			       .makes_entries = true},
	[PHASE_FILE_STAT] = {"file-stat", PHASE_WORK_METADATA, OPERATION_STAT, AMOUNT_OPERATIONS,
			     .stride = 1, .of_files = true},
	[PHASE_FILE_READ] = {"file-read", PHASE_WORK_METADATA, OPERATION_OPEN_CLOSE,
			     AMOUNT_OPERATIONS, .stride = 2, .of_files = true},
	[PHASE_LIST] = {"list", PHASE_WORK_METADATA, OPERATION_LIST, AMOUNT_OPERATIONS, .stride = 1,
			.of_files = true},
	[PHASE_FIND] = {"find", PHASE_WORK_FIND, OPERATION_LIST, AMOUNT_ENTRIES, .of_files = true},
	[PHASE_MIX] = {"mix", PHASE_WORK_MIX, OPERATION_MIXED, AMOUNT_OPERATIONS, .stride = 1,
		       .of_files = true},
	[PHASE_FILE_REMOVE] = {"file-remove", PHASE_WORK_METADATA, OPERATION_REMOVE,
			       AMOUNT_OPERATIONS, .stride = 3, .of_files = true,
			       .removes_entries = true},
	[PHASE_TREE_REMOVE] = {"tree-remove", PHASE_WORK_METADATA, OPERATION_RMDIR,
			       AMOUNT_OPERATIONS, .removes_entries = true},
	[PHASE_LOAD] = {"load", PHASE_WORK_LOAD, OPERATION_MIXED, AMOUNT_OPERATIONS, .stride = 0},
};

static const char *const operation_names[OPERATIONS] = {
	"open",	  "define", "write",	"read",		 "sync",	   "close",    "mkdir",
	"rmdir",  "create", "stat",	"open_close",	 "remove",	   "rename",   "list",
	"access", "chmod",  "truncate", "read_file",	 "write_file",	   "append",   "rmw",
	"fsync",  "mixed",  "response", "read_recorded", "write_recorded", "lateness",
};

const char *operation_name(enum operation operation)
{
	return operation_names[operation];
}
