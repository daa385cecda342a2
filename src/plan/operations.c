/* Checks that a backend has the operations that the phases of a metadata test need. */
#include "plan/plan.h"

#include "base/text.h"

enum need {
	NEED_MKDIR,
	NEED_RMDIR,
	NEED_CREATE,
	NEED_MKNOD,
	NEED_STAT,
	NEED_OPEN_CLOSE,
	NEED_REMOVE,
	NEED_RENAME,
	NEED_LIST,
	NEED_DATA,
	NEED_SYNC,
	NEEDS
};

/* Names of the operations in struct backend. */
static const char *const names[NEEDS] = {
	[NEED_MKDIR] = "mkdir",	  [NEED_RMDIR] = "rmdir",
	[NEED_CREATE] = "create", [NEED_MKNOD] = "mknod",
	[NEED_STAT] = "stat",	  [NEED_OPEN_CLOSE] = "open_close",
	[NEED_REMOVE] = "remove", [NEED_RENAME] = "rename",
	[NEED_LIST] = "list",	  [NEED_DATA] = "open and transfer",
	[NEED_SYNC] = "sync",
};

static unsigned one(enum need need)
{
	return 1u << need;
}

static unsigned operations_of(const struct backend *backend)
{
	const bool there[NEEDS] = {
		[NEED_MKDIR] = backend->mkdir,	 [NEED_RMDIR] = backend->rmdir,
		[NEED_CREATE] = backend->create, [NEED_MKNOD] = backend->mknod,
		[NEED_STAT] = backend->stat,	 [NEED_OPEN_CLOSE] = backend->open_close,
		[NEED_REMOVE] = backend->remove, [NEED_RENAME] = backend->rename,
		[NEED_LIST] = backend->list,	 [NEED_DATA] = backend->open && backend->transfer,
		[NEED_SYNC] = backend->sync,
	};
	unsigned operations = 0;

	for (enum need need = 0; need < NEEDS; need++)
		operations |= there[need] ? one(need) : 0;
	return operations;
}

static enum need to_create(const struct metadata *test)
{
	return test->mknod			  ? NEED_MKNOD
	       : test->write_bytes || test->fsync ? NEED_DATA
						  : NEED_CREATE;
}

static enum need to_read(const struct metadata *test)
{
	return test->read_bytes ? NEED_DATA : NEED_OPEN_CLOSE;
}

static unsigned of_mix(const struct plan *plan)
{
	const double *shares = plan->mix.shares;

	return (shares[MIX_STAT] > 0 ? one(NEED_STAT) : 0) |
	       (shares[MIX_READ] > 0 ? one(to_read(plan->metadata)) : 0) |
	       (shares[MIX_CREATE] > 0 ? one(to_create(plan->metadata)) | one(NEED_REMOVE) : 0);
}

static unsigned of_phase(const struct plan *plan, enum phase_kind kind)
{
	switch (kind) {
	case PHASE_TREE_CREATE:
		return one(NEED_MKDIR) | one(NEED_CREATE); /* for the marker file */
	case PHASE_TREE_REMOVE:
		return one(NEED_RMDIR) | one(NEED_REMOVE);
	case PHASE_DIR_CREATE:
		return one(NEED_MKDIR);
	case PHASE_DIR_RENAME:
		return one(NEED_RENAME);
	case PHASE_DIR_REMOVE:
		return one(NEED_RMDIR);
	case PHASE_FILE_CREATE:
		return one(to_create(plan->metadata));
	case PHASE_FILE_READ:
		return one(to_read(plan->metadata));
	case PHASE_FILE_REMOVE:
		return one(NEED_REMOVE);
	case PHASE_LIST:
	case PHASE_FIND:
		return one(NEED_LIST);
	case PHASE_MIX:
		return of_mix(plan);
	default:
		return 0;
	}
}

/* Every test needs stat, as iorx looks for existing trees before it starts. */
static unsigned of_test(const struct plan *plan)
{
	const struct metadata *test = plan->metadata;
	unsigned needs = one(NEED_STAT);

	if (test->cleanup)
		return needs | one(NEED_LIST) | one(NEED_REMOVE) | one(NEED_RMDIR) |
		       one(NEED_CREATE);
	for (unsigned i = 0; i < plan->phase_count; i++)
		needs |= of_phase(plan, plan->phases[i].kind);
	return needs | (test->fsync && test->create ? one(NEED_SYNC) : 0);
}

static int check_needs(const struct plan *plan, struct error *err)
{
	unsigned missing = of_test(plan) & ~operations_of(plan->backend);
	struct text words = {0};

	if (!missing)
		return 0;
	while (missing) {
		const char *name = names[__builtin_ctz(missing)];

		missing &= missing - 1;
		text_add(&words, "%s%s", !words.length ? "" : missing ? ", " : " and ", name);
	}
	error_input(err,
		    "api: %s has no %s, which phases or options of this test need; leave these "
		    "out, or use posix",
		    plan->backend->name, text_string(&words));
	text_release(&words);
	return -1;
}

static bool gives_relative(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan_gives_relative(plan, plan->phases[i].kind))
			return true;
	return false;
}

int plan_check_operations(const struct plan *plan, struct error *err)
{
	const struct metadata *test = plan->metadata;
	const struct backend *backend = plan->backend;

	if (check_needs(plan, err))
		return -1;
	if (!gives_relative(plan))
		return 0;
	if (!backend->open_directory)
		return error_input(err,
				   "names: relative: %s has no open_directory, it takes whole "
				   "paths; leave it out",
				   backend->name);
	if (!backend->opens_relative && (test->write_bytes || test->read_bytes || test->fsync))
		return error_input(err,
				   "names: relative: %s opens files with data, or with an fsync, "
				   "by whole paths; leave one of the two out",
				   backend->name);
	return 0;
}
