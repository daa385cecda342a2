/* The fault wrapper's options, and whether a task has faults. */
#include "backends/fault.h"
#include "backends/fault_state.h"
#include "base/errno_names.h"
#include "base/text.h"

static const char *const operation_names[] = {
	[FAULT_NONE] = "none",	       [FAULT_ANY] = "any",
	[FAULT_START] = "start",       [FAULT_STOP] = "stop",
	[FAULT_OPEN] = "open",	       [FAULT_CLOSE] = "close",
	[FAULT_SYNC] = "sync",	       [FAULT_SIZE] = "size",
	[FAULT_TRUNCATE] = "truncate", [FAULT_TRANSFER] = "transfer",
	[FAULT_READ] = "read",	       [FAULT_WRITE] = "write",
	[FAULT_CREATE] = "create",     [FAULT_MKNOD] = "mknod",
	[FAULT_STAT] = "stat",	       [FAULT_OPEN_CLOSE] = "open_close",
	[FAULT_REMOVE] = "remove",     [FAULT_RENAME] = "rename",
	[FAULT_MKDIR] = "mkdir",       [FAULT_RMDIR] = "rmdir",
	[FAULT_LIST] = "list",	       [FAULT_ACCESS] = "access",
	[FAULT_CHMOD] = "chmod",       [FAULT_OPERATIONS] = NULL,
};

static const char *const kind_names[] = {
	"fail", "stall", "short", "corrupt", "lose", "crash", "stop", NULL,
};

static const struct option fault_rows[] = {
	CHOICE(struct backend_options, operation, operation_names, .initial = "none",
	       .group = "fault", .help = "Operation that goes wrong."),
	CHOICE(struct backend_options, kind, kind_names, .initial = "fail", .group = "fault",
	       .help = "Kind of fault.",
	       .more = "fail: returns fault.error. stall: sleeps fault.stall first. short: a "
		       "transfer moves half. corrupt: one byte of a transfer is changed. lose: a "
		       "transfer says that it moved everything and moves nothing. crash: the "
		       "process is killed (SIGKILL). stop: the process is stopped (SIGSTOP)."),
	STRING(struct backend_options, tasks, .initial = "all", .group = "fault",
	       .help = "Tasks with the fault, such as \"0,3-5\", or all."),
	COUNT(struct backend_options, after, .initial = "0", .group = "fault",
	      .help = "Number of such operations of each task that succeed first."),
	COUNT(struct backend_options, count, .initial = "1", .group = "fault",
	      .help = "Number of operations that go wrong then; 0: all."),
	STRING(struct backend_options, error, .initial = "EIO", .group = "fault",
	       .help = "Name of the error of a failed operation."),
	SECONDS(struct backend_options, stall, .initial = "1s", .group = "fault",
		.help = "Duration of a stall."),
};

const struct option_table fault_options = {
	.prefix = "fault",
	.summary = "Wraps another backend and makes chosen operations fail",
	OPTION_ROWS(fault_rows, struct backend_options),
	.any_api = true,
};

bool fault_wanted(const struct backend_options *options)
{
	return options->operation != FAULT_NONE;
}

static int parse_error(const char *name, int *code, struct error *err)
{
	struct text known = {0};

	*code = errno_find_code(name);
	if (*code)
		return 0;
	errno_add_names(&known);
	error_input(err, "fault.error: there is no error \"%s\" here, only%s", name,
		    text_string(&known));
	text_release(&known);
	return -1;
}

/* Parses a number below `tasks` and sets *rest behind it; -1 if there is none. */
static int parse_task(const char *text, int tasks, const char **rest)
{
	int task = 0;

	*rest = text;
	for (; **rest >= '0' && **rest <= '9' && task < tasks; (*rest)++)
		task = task * 10 + (**rest - '0');
	return *rest > text && task < tasks ? task : -1;
}

/*
 * Finds whether a list like "0,3-5" has the task. All of it is parsed, so that all tasks see an
 * error.
 */
static int parse_tasks(const char *list, int task, int tasks, bool *named, struct error *err)
{
	const char *rest = list;

	*named = text_same_key(list, "all");
	if (*named)
		return 0;
	for (;; rest++) {
		int first = parse_task(rest, tasks, &rest);
		int last = *rest == '-' ? parse_task(rest + 1, tasks, &rest) : first;

		if (first < 0 || last < first || (*rest && *rest != ','))
			return error_input(err,
					   "fault.tasks: \"%s\" is not a list of tasks from 0 "
					   "to %d, like 0,3-5 or all",
					   list, tasks - 1);
		*named |= first <= task && task <= last;
		if (!*rest)
			return 0;
	}
}

static int fault_options_check(const struct backend_options *options, const struct backend *inner,
			       struct error *err)
{
	if (!fault_changes_data(options))
		return 0;
	if (!fault_is_transfer(options->operation) && options->operation != FAULT_ANY)
		return error_input(err,
				   "fault.kind: %s is for transfers, and fault.operation is %s",
				   kind_names[options->kind], operation_names[options->operation]);
	if (options->kind == FAULT_CORRUPT && inner->ignores_buffers)
		return error_input(err, "fault.kind: corrupt has no effect, %s moves no data",
				   inner->name);
	return 0;
}

int fault_arm(struct backend_session *session, const struct backend_start *start, struct error *err)
{
	const struct backend_options *options = start->options;

	session->options = options;
	if (fault_options_check(options, start->inner, err) < 0 ||
	    parse_error(options->error, &session->code, err) < 0)
		return -1;
	return parse_tasks(options->tasks, start->task, start->tasks, &session->armed, err);
}

const char *fault_operation_name(enum fault_operation operation)
{
	return operation_names[operation];
}
