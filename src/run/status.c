/* status_file: how many transfers each task wrote, or items it made, as text, from one test to another. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/state.h"

enum { STATUS_SIZE = 32 };

static int write_number(const char *path, uint64_t number, struct error *err)
{
	char line[STATUS_SIZE];
	int length = snprintf(line, sizeof(line), "%" PRIu64 "\n", number);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0664);
	ssize_t put = fd < 0 ? -1 : write(fd, line, (size_t)length);
	int code = errno;

	if (fd >= 0 && close(fd) && put == length) {
		put = -1;
		code = errno;
	}
	return put == length ? 0 : error_set(err, code, "status_file: %s: %s", path,
					     strerror(code));
}

static int read_number(const char *path, const char *what, uint64_t *number, struct error *err)
{
	char line[STATUS_SIZE] = "", rest;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);

	if (got < 0)
		error_input(err, "status_file: %s cannot be read: %s; write with it first, "
				 "or leave it out",
			    path, strerror(errno));
	else if (sscanf(line, "%" SCNu64 " %c", number, &rest) != 1 || *line == '-' || !*number)
		error_input(err, "status_file: %s does not hold a number of %s", path, what);
	if (fd >= 0)
		close(fd);
	return err->kind == ERROR_NONE ? 0 : -1;
}

/* The least of all tasks: so many can be read of each. */
void write_status(struct test_run *run)
{
	const char *path = run->test->status_file;
	struct agreement end;
	struct error err = {0};

	if (!path || !*path)
		return;
	node_say(run->worker.node, ACTIVITY_NAMES);
	if (leads(run->runner) && write_number(path, run->worker.least_written, &err))
		worker_fail(&run->worker, &err, "write status", UINT64_MAX, 0);
	agreement_start(&end, &run->worker);
	agree(&run->worker, &end);
	if (end.failure.error.kind == ERROR_NONE)
		return;
	if (leads(run->runner))
		report_error(run->runner->report, &end.failure.error);
	end_badly(run, &end);
}

/* Task 0 reads it; the others get the number, or 0 with its error to come. */
int read_status(struct test_run *run, struct error *err)
{
	const char *path = run->test->status_file;
	uint64_t count = 0;
	int ret = 0;

	if (!path || !*path || run->test->write_file ||
	    (run->plan->metadata && run->plan->metadata->create))
		return 0;
	if (leads(run->runner))
		ret = read_number(path, run->plan->metadata ? "items" : "transfers", &count, err);
	comm_share_fixed(&run->comm, &count, sizeof(count), run->worker.idle);
	run->worker.status_count = count;
	return ret;
}
