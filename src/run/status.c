/* status_file: how many transfers each task wrote, or items it made, as text, from one test to another. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/state.h"

static const char *name_of(const struct test_run *run)
{
	const char *path = run->test->status_file;

	return path && *path ? path : NULL;
}

static const char *unit_of(const struct test_run *run)
{
	return run->plan->metadata ? "items" : "transfers";
}

static bool writes(const struct test_run *run)
{
	return run->plan->metadata ? run->plan->metadata->create : run->test->write_file;
}

/* What a phase makes, or works on; false: nothing that is counted here. */
static bool counts(enum phase_kind kind, enum status_kind *what)
{
	if (kind == PHASE_TREE_CREATE || kind == PHASE_TREE_REMOVE || kind == PHASE_LIST || kind == PHASE_FIND)
		return false;
	*what = !phase_is_metadata(kind)   ? STATUS_TRANSFERS
		: phase_is_of_files(kind) ? STATUS_FILES
					  : STATUS_DIRECTORIES;
	return true;
}

static int write_lines(const char *path, const struct text *lines, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0664);
	ssize_t put = fd < 0 ? -1 : write(fd, lines->bytes, lines->length);
	int code = put < 0 ? errno : ENOSPC;
	bool good = put == (ssize_t)lines->length;

	if (fd >= 0 && close(fd) && good) {
		good = false;
		code = errno;
	}
	return good ? 0 : error_set(err, code, "status_file: %.300s cannot be written: %s; it was to hold %.*s", path,
				    strerror(code), (int)strcspn(lines->bytes, "\n"), lines->bytes);
}

static int read_lines(const char *path, struct text *lines, struct error *err)
{
	enum { MOST = 1 << 24 };
	char part[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : 0;

	while (fd >= 0 && lines->length < MOST && (got = read(fd, part, sizeof(part))) > 0)
		text_add_bytes(lines, part, (size_t)got);
	if (got < 0)
		error_input(err, "status_file: %.300s cannot be read: %s; write with it first, or leave it out", path,
			    strerror(errno));
	if (fd >= 0)
		close(fd);
	return got < 0 ? -1 : 0;
}

/* The directories of a metadata test are made before the file, with all above them. */
static bool will_be_made(const struct plan *plan, const char *directory)
{
	char target[PLAN_PATH_SIZE];
	size_t length = strlen(directory);
	bool made = false;

	for (uint32_t i = 0; plan->metadata && i < plan->path_count && !made; i++) {
		plan_base(plan, i, target);
		made = !strncmp(target, directory, length) && (target[length] == '/' || !target[length]);
	}
	return made;
}

/* 0, or errno as open would set it; touches nothing. */
static int find_obstacle(const struct test_run *run, const char *path)
{
	char directory[PLAN_PATH_SIZE];
	struct stat status;

	if (!stat(path, &status))
		return S_ISDIR(status.st_mode)			       ? EISDIR
		       : faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) ? errno
								     : 0;
	if (errno != ENOENT || !text_directory(path, directory, sizeof(directory)))
		return errno;
	if (!faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		return 0;
	/* So may an earlier test of the job. */
	return errno == ENOENT && (will_be_made(run->plan, directory) || !names_expected(run)) ? 0 : errno;
}

static int refuse_unwritable(const struct test_run *run, const char *path, struct error *err)
{
	int code = find_obstacle(run, path);

	return code ? error_input(err, "status_file: %.300s cannot be written: %s; name a file in a directory that is "
				       "there and may be written, or leave it out",
				  path, strerror(code))
		    : 0;
}

int check_status(const struct test_run *run, struct error *err)
{
	const char *path = name_of(run);

	return path && leads(run->runner) && writes(run) ? refuse_unwritable(run, path, err) : 0;
}

/* It is whole when the last kind of items was made. */
static bool ends_writing(const struct plan *plan, enum phase_kind kind)
{
	return kind == PHASE_WRITE || kind == PHASE_FILE_CREATE ||
	       (kind == PHASE_DIR_CREATE && plan->metadata->directories_only);
}

/* Task 0. Without files of their own a repetition replaces what the one before it wrote. */
static void note(struct test_run *run, enum phase_kind kind, uint64_t repetition)
{
	const bool stays = run->plan->metadata || run->test->multi_file;
	enum status_kind what;

	if (counts(kind, &what))
		status_note(&run->worker.status, stays ? repetition : 0, what, run->worker.least_written);
}

static int put(const struct test_run *run, struct error *err)
{
	struct text lines = {0};
	int ret;

	status_print(&run->worker.status, &lines);
	ret = write_lines(name_of(run), &lines, err);
	text_release(&lines);
	return ret;
}

void write_status(struct test_run *run, enum phase_kind kind, uint64_t repetition)
{
	struct agreement end;
	struct error err = {0};

	if (!name_of(run) || !(kind == PHASE_WRITE || phase_creates_items(kind)))
		return;
	note(run, kind, repetition);
	if (!ends_writing(run->plan, kind))
		return;
	node_say(run->worker.node, ACTIVITY_NAMES);
	if (leads(run->runner) && put(run, &err))
		worker_fail(&run->worker, &err, "write status", UINT64_MAX, 0);
	agreement_start(&end, &run->worker);
	agree(&run->worker, &end);
	if (end.failure.error.kind == ERROR_NONE)
		return;
	if (leads(run->runner))
		report_error(run->runner->report, &end.failure.error);
	end_badly(run, &end);
}

/* Whether it tells all that the test will ask for. */
static int check_told(const struct test_run *run, struct error *err)
{
	const struct status *status = &run->worker.status;
	const uint64_t repetitions = test_repetitions_least(run->test);
	enum status_kind what;

	if (!status->entry_count && !status->number)
		return error_input(err, "status_file: %.300s says that a task wrote none of its %s; write again%s, or "
					"leave it out", run->test->status_file, unit_of(run),
				   run->plan->metadata ? ", once --cleanup has removed what is there" : "");
	for (uint64_t repetition = 0; repetition < repetitions; repetition++)
		for (unsigned i = 0; i < run->plan->phase_count; i++)
			if (counts(run->plan->phases[i].kind, &what) && !status_count(status, repetition, what))
				return error_input(err, "status_file: %.300s tells of no %s in repetition %" PRIu64
							"; ask for what the run did that wrote it, or leave it out",
						   run->test->status_file, status_kind_name(what), repetition);
	return 0;
}

static int take(struct test_run *run, const struct text *lines, struct error *err)
{
	if (!status_parse(text_string(lines), &run->worker.status))
		return error_input(err, "status_file: %.300s does not hold a number of %s; name the file that the run "
					"wrote whose %s are wanted, or leave it out",
				   run->test->status_file, unit_of(run),
				   run->plan->metadata ? "items" : "data");
	return check_told(run, err);
}

/* Task 0 reads it; the others get its text, or none with its error to come. */
int read_status(struct test_run *run, struct error *err)
{
	const char *path = name_of(run);
	struct text lines = {0};
	int ret = 0;

	if (!path || writes(run))
		return 0;
	if (leads(run->runner))
		ret = read_lines(path, &lines, err) || take(run, &lines, err) ? -1 : 0;
	if (ret)
		text_clear(&lines);
	comm_share(&run->comm, &lines, run->worker.idle);
	if (!leads(run->runner) && lines.length)
		ret = take(run, &lines, err);
	text_release(&lines);
	return ret;
}
