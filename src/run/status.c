/*
 * The file status_file: one number as text, the transfers each task wrote or the items it made, for
 * a later test.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/result_file.h"
#include "engine/data/data_state.h"
#include "plan/workload.h"
#include "run/state.h"

static const char *name_of(const struct test_run *run)
{
	const char *path = run->test->status_file;

	return path && *path ? path : NULL;
}

/* Accepts only digits between blanks, as strtoull would also accept signs. */
static bool parse_number(const char *text, uint64_t *number)
{
	char *end;

	text += strspn(text, " \t\r\n");
	if (*text < '0' || *text > '9')
		return false;
	*number = strtoull(text, &end, 10);
	return !end[strspn(end, " \t\r\n")];
}

/* Neither iorx nor IOR writes a longer number. */
enum { STATUS_SIZE = 64 };

static bool status_is_ours(int fd)
{
	char text[STATUS_SIZE] = "";
	ssize_t got = pread(fd, text, sizeof(text), 0);
	uint64_t number;

	return got > 0 && got < STATUS_SIZE && strlen(text) == (size_t)got &&
	       parse_number(text, &number);
}

static struct result_file result_file_of(const struct test_run *run)
{
	return (struct result_file){.key = "status_file",
				    .path = name_of(run),
				    .is_ours = status_is_ours,
				    .takes_any = run_of(run->runner->job)->allow_overwrite,
				    .opens_late = true};
}

static int write_number(const struct test_run *run, struct error *err)
{
	const struct result_file file = result_file_of(run);
	const uint64_t number = run->worker.least_written;
	char text[STATUS_SIZE];
	int length = snprintf(text, sizeof(text), "%" PRIu64 "\n", number);
	int fd = result_file_open(&file, 0664, err);
	struct error cause = *err;
	bool good;

	if (fd < 0)
		return error_set(err, cause.code, "%.500s; it was to hold %" PRIu64, cause.text,
				 number);
	good = write(fd, text, (size_t)length) == length;
	/* The close may be the only call that reports a full disk. */
	if (close(fd))
		good = false;
	return good ? 0
		    : error_set(
			      err, errno,
			      "status_file: %.300s cannot be written: %s; it was to hold %" PRIu64,
			      file.path, strerror(errno), number);
}

/*
 * True if the files show without the status file how much of them was written. A metadata test
 * would have to visit all items.
 */
static bool may_be_missing(const struct test_run *run)
{
	return !plan_traits(run->plan)->has_names && plan_size_tells(run->plan);
}

static void report_missing(const struct test_run *run, const char *path)
{
	struct text words = {0};

	if (run->checks_only)
		return;
	text_add(&words,
		 "status_file: there is no file %s, so each task reads all that its file holds; a "
		 "write with the same option makes it",
		 path);
	report_message("warning", text_string(&words));
	text_release(&words);
}

/* Leaves *number as it is where a read goes without the file. */
static int read_number(const struct test_run *run, const char *path, uint64_t *number,
		       struct error *err)
{
	const struct workload_traits *traits = plan_traits(run->plan);
	char text[STATUS_SIZE] = "";
	/* A private file is welcome, as no message shows more of it than one number. */
	int fd = named_file_open(path, false, err);
	ssize_t got;

	if (fd < 0) {
		const struct error cause = *err;

		if (cause.code == ENOENT && may_be_missing(run)) {
			*err = (struct error){0};
			report_missing(run, path);
			return 0;
		}
		return error_input(err, "status_file: %.300s cannot be read: %.200s%s", path,
				   cause.text,
				   cause.code ? "; write with it first, or leave it out" : "");
	}
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got < 0)
		return error_input(err, "status_file: %.300s cannot be read", path);
	if (!parse_number(text, number))
		return error_input(err,
				   "status_file: %.300s does not hold a number of %s; name the "
				   "file that the run wrote whose %s are wanted, or leave it out",
				   path, traits->unit, traits->holds);
	if (!*number)
		return error_input(
			err,
			"status_file: %.300s says that a task wrote none of its %s; write again%s, "
			"or leave it out",
			path, traits->unit,
			traits->has_names ? ", once --cleanup has removed what is there" : "");
	return 0;
}

/*
 * True if the test makes the directory before the file is written, as metadata tests make theirs
 * with all parents.
 */
static bool will_be_made(const struct plan *plan, const char *directory)
{
	char target[PLAN_PATH_SIZE];
	size_t length = strlen(directory);
	bool made = false;

	for (uint32_t i = 0; plan_traits(plan)->has_names && i < plan->path_count && !made; i++) {
		plan_base(plan, i, target);
		made = !strncmp(target, directory, length) &&
		       (target[length] == '/' || !target[length]);
	}
	return made;
}

/* Returns 0, or errno as open would set it. Touches nothing. */
static int find_obstacle(const struct test_run *run, const char *path)
{
	char directory[PLAN_PATH_SIZE];
	struct stat status;

	if (!stat(path, &status))
		return S_ISDIR(status.st_mode)			     ? EISDIR
		       : faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) ? errno
								     : 0;
	if (errno != ENOENT || !text_directory(path, directory, sizeof(directory)))
		return errno;
	if (!faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		return 0;
	/* An earlier test of the job may make the directory too. */
	return errno == ENOENT && (will_be_made(run->plan, directory) || !trees_are_settled(run))
		       ? 0
		       : errno;
}

static int refuse_unwritable(const struct test_run *run, const char *path, struct error *err)
{
	const struct result_file file = result_file_of(run);
	int code = find_obstacle(run, path);

	if (!code)
		return result_file_check(&file, err);
	return error_input(err,
			   "status_file: %.300s cannot be written: %s; name a file in a directory "
			   "that is there and may be written, or leave it out",
			   path, strerror(code));
}

int check_status(const struct test_run *run, struct error *err)
{
	const char *path = name_of(run);

	return path && leads_test(run) && plan_makes_files(run->plan)
		       ? refuse_unwritable(run, path, err)
		       : 0;
}

void write_status(struct test_run *run, enum phase_kind kind)
{
	struct agreement end;
	struct error err = {0};

	if (!name_of(run) || !plan_keeps_count(run->plan, kind))
		return;
	node_set_activity(run->worker.node, ACTIVITY_FILES);
	/* Each task has written this number; with wear-out it is also the largest of any task. */
	if (leads_test(run) && write_number(run, &err))
		worker_fail(&run->worker, &err, "write status", UINT64_MAX, 0);
	agreement_start(&end, &run->worker);
	agree(&run->worker, &end);
	if (end.failure.error.kind == ERROR_NONE)
		return;
	if (leads_test(run))
		publish_error(run, &end.failure.error);
	end_badly(run, &end);
}

int read_status(struct test_run *run, struct error *err)
{
	struct worker *worker = &run->worker;
	int ret = 0;

	if (!name_of(run) || plan_makes_files(run->plan))
		return 0;
	if (leads_test(run))
		ret = read_number(run, name_of(run), &worker->status, err);
	/* After a failure the value is 0. The caller's agreement reports the error to all tasks. */
	comm_share_fixed(&run->crew->comm, &worker->status, sizeof(worker->status), worker->idle);
	worker->data->reads_what_is_there = !worker->status && may_be_missing(run);
	return ret;
}
