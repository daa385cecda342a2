/* What backend.h says of queued metadata operations, for every backend that has them. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "subject.h"

enum { DEPTH = 16, MANY = 200, NAME_SIZE = 4200 };

/* A started session, a name for each operation, and what became of it. */
struct names {
	struct subject *subject;
	struct backend_directory *directory; /* NULL: whole paths */
	unsigned depth, in_flight, next_cookie;
	char (*text)[NAME_SIZE];
	unsigned *of_cookie; /* the operation in flight with it */
	bool *busy;	     /* by cookie */
	int64_t *results;
	unsigned *seen;
};

static void names_start(struct names *names, struct subject *subject, unsigned depth)
{
	only_with(subject->backend->submit_metadata);
	assert_non_null(subject->backend->reap_metadata);
	*names = (struct names){.subject = subject, .depth = depth};
	subject->start.queue_depth = subject->inner_start.queue_depth = depth;
	assert_ok(subject_start(subject, err));
	for (unsigned kind = 0; kind < METADATA_KINDS && subject->backend->prepare_metadata; kind++)
		assert_ok(subject->backend->prepare_metadata(subject->session, kind, err));
	names->text = calloc(MANY, sizeof(*names->text));
	names->of_cookie = calloc(depth, sizeof(*names->of_cookie));
	names->busy = calloc(depth, sizeof(*names->busy));
	names->results = calloc(MANY, sizeof(*names->results));
	names->seen = calloc(MANY, sizeof(*names->seen));
}

static void names_free(struct names *names)
{
	free(names->text);
	free(names->of_cookie);
	free(names->busy);
	free(names->results);
	free(names->seen);
}

static void names_end(struct names *names)
{
	if (names->directory)
		directory_done(names->subject, names->directory);
	assert_ok(subject_stop(names->subject, err));
	names_free(names);
}

/* "<scratch>/<stem>.N", or only the last part where a directory is held. */
static void put_name(const struct names *names, char *to, const char *stem, unsigned number)
{
	snprintf(to, NAME_SIZE, "%s%s%s.%u", names->directory ? "" : names->subject->scratch,
		 names->directory ? "" : "/", stem, number);
}

static void give_names(struct names *names, const char *stem)
{
	for (unsigned i = 0; i < MANY; i++)
		put_name(names, names->text[i], stem, i);
}

static unsigned free_cookie(struct names *names)
{
	while (names->busy[names->next_cookie % names->depth])
		names->next_cookie++;
	return names->next_cookie % names->depth;
}

/* One more, when there is room. */
static bool submit(struct names *names, enum metadata_kind kind, unsigned number)
{
	struct error err = {0};
	unsigned cookie = free_cookie(names);
	struct metadata_operation operation = {
		.kind = kind,
		.directory = names->directory,
		.name = names->text[number],
		.mode = kind == METADATA_MKDIR ? 0755 : 0644,
		.access = ACCESS_READ,
		.cookie = cookie,
	};
	int taken = names->subject->backend->submit_metadata(names->subject->session, &operation, 1,
							     &err);

	if (taken < 0)
		fail_msg("submit_metadata: %s", err.text);
	memset(&operation, 0x5a, sizeof(operation)); /* only what its pointers show must live */
	if (!taken)
		return false;
	names->of_cookie[cookie] = number;
	names->busy[cookie] = true;
	names->in_flight++;
	return true;
}

static unsigned reap(struct names *names, unsigned minimum, unsigned maximum)
{
	struct completion *done = calloc(maximum + 1, sizeof(*done));
	struct error err = {0};
	int count;

	done[maximum].cookie = 4711;
	count = names->subject->backend->reap_metadata(names->subject->session, done, minimum,
						       maximum, &err);
	if (count < 0)
		fail_msg("reap_metadata: %s", err.text);
	assert_true((unsigned)count >= minimum && (unsigned)count <= maximum);
	assert_int_equal(done[maximum].cookie, 4711);
	for (int i = 0; i < count; i++) {
		assert_true(done[i].cookie < names->depth && names->busy[done[i].cookie]);
		names->busy[done[i].cookie] = false;
		names->results[names->of_cookie[done[i].cookie]] = done[i].result;
		names->seen[names->of_cookie[done[i].cookie]]++;
	}
	names->in_flight -= (unsigned)count;
	free(done);
	return (unsigned)count;
}

/* All of them, as many in flight as there is room for; each comes back once. */
static void run(struct names *names, enum metadata_kind kind)
{
	memset(names->seen, 0, MANY * sizeof(*names->seen));
	for (unsigned sent = 0, done = 0; done < MANY;) {
		while (sent < MANY && names->in_flight < names->depth && submit(names, kind, sent))
			sent++;
		done += reap(names, 1, 5);
	}
	for (unsigned i = 0; i < MANY; i++)
		assert_int_equal(names->seen[i], 1);
}

static void run_and_expect(struct names *names, enum metadata_kind kind, int64_t result)
{
	run(names, kind);
	for (unsigned i = 0; i < MANY; i++)
		assert_int_equal(names->results[i], result);
}

/* What the synchronous stat says of them. */
static void check_there(struct names *names, bool there, mode_t type)
{
	const struct backend *backend = names->subject->backend;
	struct stat status;

	for (unsigned i = 0; i < MANY; i++) {
		if (!there) {
			assert_fails(backend->stat(names->subject->session, names->directory,
						   names->text[i], &status, err),
				     ENOENT);
			continue;
		}
		assert_ok(backend->stat(names->subject->session, names->directory, names->text[i],
					&status, err));
		assert_int_equal(status.st_mode & S_IFMT, type);
	}
}

static void files_live(struct names *names)
{
	const bool stored = !names->subject->backend->no_storage;

	give_names(names, "file");
	run_and_expect(names, METADATA_CREATE, 0);
	if (stored)
		check_there(names, true, S_IFREG);
	run_and_expect(names, METADATA_STAT, 0);
	run_and_expect(names, METADATA_OPEN_CLOSE, 0);
	run_and_expect(names, METADATA_CREATE, stored ? -EEXIST : 0);
	run_and_expect(names, METADATA_REMOVE, 0);
	if (stored)
		check_there(names, false, 0);
	run_and_expect(names, METADATA_REMOVE, stored ? -ENOENT : 0);
	run_and_expect(names, METADATA_STAT, stored ? -ENOENT : 0);
	run_and_expect(names, METADATA_OPEN_CLOSE, stored ? -ENOENT : 0);
}

static void queued_files_are_made_found_opened_and_removed(void **state)
{
	struct names names;

	names_start(&names, *state, DEPTH);
	files_live(&names);
	names_end(&names);
}

static void queued_names_may_be_relative_to_a_directory(void **state)
{
	struct subject *subject = *state;
	struct names names;

	names_start(&names, subject, DEPTH);
	only_with(subject->backend->open_directory);
	names.directory = directory_open(subject, subject->scratch);
	files_live(&names);
	names_end(&names);
}

static void one_name_in_flight_at_a_time_is_enough(void **state)
{
	struct names names;

	names_start(&names, *state, 1);
	files_live(&names);
	names_end(&names);
}

static void a_thread_of_the_kernel_may_take_names(void **state)
{
	struct subject *subject = *state;
	struct names names;

	only_with(option_find(subject->options.table, "sqpoll"));
	subject_option(subject, "sqpoll", "1");
	subject_option(subject, "sqpoll_idle", "1ms");
	names_start(&names, subject, DEPTH);
	files_live(&names);
	names_end(&names);
}

static void queued_directories_are_made_and_removed_when_empty(void **state)
{
	struct subject *subject = *state;
	const bool stored = !subject->backend->no_storage;
	struct names names;

	names_start(&names, subject, DEPTH);
	give_names(&names, "dir");
	run_and_expect(&names, METADATA_MKDIR, 0);
	if (stored)
		check_there(&names, true, S_IFDIR);
	run_and_expect(&names, METADATA_MKDIR, stored ? -EEXIST : 0);
	run_and_expect(&names, METADATA_REMOVE, stored ? -EISDIR : 0);
	if (stored) {
		char path[NAME_SIZE + 8];

		snprintf(path, sizeof(path), "%s/full", names.text[7]);
		file_put(subject, path, "x", 1);
		run(&names, METADATA_RMDIR);
		for (unsigned i = 0; i < MANY; i++)
			assert_int_equal(names.results[i], i == 7 ? -ENOTEMPTY : 0);
		assert_ok(subject->backend->remove(subject->session, NULL, path, err));
	} else {
		run_and_expect(&names, METADATA_RMDIR, 0);
	}
	names_end(&names);
}

static void of_names_too_the_queue_is_full_at_its_depth(void **state)
{
	struct names names;
	struct metadata_operation more = {.kind = METADATA_STAT};
	struct error err = {0};

	names_start(&names, *state, 4);
	give_names(&names, "file");
	for (unsigned i = 0; i < 4; i++)
		assert_true(submit(&names, METADATA_CREATE, i));
	more.name = names.text[0];
	assert_int_equal(
		names.subject->backend->submit_metadata(names.subject->session, &more, 1, &err), 0);
	assert_int_equal(reap(&names, 1, 1), 1);
	assert_true(submit(&names, METADATA_CREATE, 4));
	assert_int_equal(reap(&names, 4, 4), 4);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(names.results[i], 0);
	assert_int_equal(reap(&names, 0, 4), 0);
	names_end(&names);
}

/* Descriptors that are left open are found behind each test. */
static void operations_in_flight_at_stop_are_over_then(void **state)
{
	struct subject *subject = *state;
	struct names names;

	names_start(&names, subject, DEPTH);
	give_names(&names, "file");
	for (unsigned i = 0; i < DEPTH; i++)
		assert_true(submit(&names, METADATA_CREATE, i));
	assert_ok(subject_stop(subject, err));
	assert_ok(subject_start(subject, err));
	for (unsigned i = 0; i < DEPTH && !subject->backend->no_storage; i++)
		assert_ok(subject->backend->remove(subject->session, NULL, names.text[i], err));
	names_end(&names);
}

static void transfers_follow_names_in_the_same_queue(void **state)
{
	struct subject *subject = *state;
	const struct backend *backend = subject->backend;
	struct completion done[DEPTH];
	struct backend_file *file;
	struct names names;
	char *buffer;

	names_start(&names, subject, DEPTH);
	only_with(backend->submit);
	files_live(&names);
	buffer = buffer_make(DEPTH * PAGE);
	pattern(buffer, DEPTH * PAGE, 3);
	file = file_open(subject, in_scratch(subject, "data"), ACCESS_WRITE);
	for (unsigned i = 0; i < DEPTH; i++) {
		struct transfer transfer = {.file = file,
					    .buffer = buffer + i * PAGE,
					    .offset = i * PAGE,
					    .length = PAGE,
					    .count = 1,
					    .cookie = i,
					    .access = ACCESS_WRITE};
		struct error err = {0};

		assert_int_equal(backend->submit(subject->session, &transfer, 1, &err), 1);
	}
	for (unsigned reaped = 0; reaped < DEPTH;) {
		struct error err = {0};
		int count = backend->reap(subject->session, done, 1, DEPTH, &err);

		assert_true(count >= 1);
		for (int i = 0; i < count; i++)
			assert_int_equal(done[i].result, PAGE);
		reaped += (unsigned)count;
	}
	file_done(subject, file);
	free(buffer);
	names_end(&names);
}

static void of_queued_names_the_chosen_one_fails(void **state)
{
	struct subject *subject = *state;
	struct names names;
	unsigned failed = 0;

	only_with(subject->wrapped);
	subject_fault(subject, "operation", "create");
	subject_fault(subject, "error", "ENOSPC");
	subject_fault(subject, "after", "50");
	names_start(&names, subject, DEPTH);
	give_names(&names, "file");
	run(&names, METADATA_CREATE);
	for (unsigned i = 0; i < MANY; i++) {
		assert_int_equal(names.results[i], i == 50 ? -ENOSPC : 0);
		failed += names.results[i] < 0;
	}
	assert_int_equal(failed, 1);
	names_end(&names);
}

#ifdef HAVE_BACKEND_URING
#include <liburing.h>

/* In place of liburing's: an older kernel while a test says so. */
static int lacking = -1;

struct io_uring_probe *io_uring_get_probe_ring(struct io_uring *ring)
{
	size_t size = sizeof(struct io_uring_probe) + 256 * sizeof(struct io_uring_probe_op);
	struct io_uring_probe *probe = calloc(1, size);

	if (io_uring_register_probe(ring, probe, 256) < 0) {
		free(probe);
		return NULL;
	}
	if (lacking >= 0)
		probe->ops[lacking].flags = 0;
	return probe;
}

static void check_lack(struct names *names, int code, enum metadata_kind kind, const char *name)
{
	const struct backend *backend = names->subject->backend;
	struct error err = {0};

	lacking = code;
	assert_int_equal(backend->prepare_metadata(names->subject->session, kind, &err), -1);
	lacking = -1;
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, name));
	assert_ok(backend->prepare_metadata(names->subject->session, kind, err));
}

static void what_the_kernel_has_not_is_named(void **state)
{
	const struct subject *subject = *state;
	struct names names;

	only_with(subject->backend->prepare_metadata);
	names_start(&names, *state, DEPTH);
	check_lack(&names, IORING_OP_OPENAT, METADATA_CREATE, "has no openat (Linux 5.6");
	check_lack(&names, IORING_OP_OPENAT, METADATA_OPEN_CLOSE, "has no openat (Linux 5.6");
	check_lack(&names, IORING_OP_STATX, METADATA_STAT, "has no statx (Linux 5.6");
	check_lack(&names, IORING_OP_UNLINKAT, METADATA_REMOVE, "has no unlinkat (Linux 5.11");
	check_lack(&names, IORING_OP_UNLINKAT, METADATA_RMDIR, "has no unlinkat (Linux 5.11");
	check_lack(&names, IORING_OP_MKDIRAT, METADATA_MKDIR, "has no mkdirat (Linux 5.15");
	names_end(&names);
}

/* That this thread may have. */
static unsigned workers(void)
{
	unsigned most[2] = {0, 0};
	struct io_uring ring;

	assert_int_equal(io_uring_queue_init(2, &ring, 0), 0);
	assert_int_equal(io_uring_register_iowq_max_workers(&ring, most), 0);
	io_uring_queue_exit(&ring);
	return most[0];
}

static void the_kernels_workers_are_as_many_as_the_queue_is_deep_until_it_ends(void **state)
{
	struct subject *subject = *state;
	struct names names;
	unsigned before;

	only_with(subject->backend->prepare_metadata);
	before = workers();
	names_start(&names, subject, 96);
	assert_int_equal(workers(), 96);
	names_end(&names);
	assert_int_equal(workers(), before);
}

static void more_than_may_be_open_is_refused(void **state)
{
	const struct subject *subject = *state;
	struct rlimit before, low;
	struct names names;
	struct error err = {0};
	int ret;

	only_with(subject->backend->prepare_metadata);
	names_start(&names, *state, 512);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	low = before;
	low.rlim_cur = 256;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	ret = names.subject->backend->prepare_metadata(names.subject->session, METADATA_CREATE,
						       &err);
	assert_ok(names.subject->backend->prepare_metadata(names.subject->session, METADATA_STAT,
							   err));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(ret, -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "ulimit -n"));
	names_end(&names);
}
#endif

const struct CMUnitTest queued_metadata_tests[] = {
	TEST_PREPARED(queued_files_are_made_found_opened_and_removed),
	TEST_PREPARED(queued_names_may_be_relative_to_a_directory),
	TEST_PREPARED(one_name_in_flight_at_a_time_is_enough),
	TEST_PREPARED(a_thread_of_the_kernel_may_take_names),
	TEST_PREPARED(queued_directories_are_made_and_removed_when_empty),
	TEST_PREPARED(of_names_too_the_queue_is_full_at_its_depth),
	TEST_PREPARED(operations_in_flight_at_stop_are_over_then),
	TEST_PREPARED(transfers_follow_names_in_the_same_queue),
	TEST_PREPARED(of_queued_names_the_chosen_one_fails),
#ifdef HAVE_BACKEND_URING
	TEST_PREPARED(what_the_kernel_has_not_is_named),
	TEST_PREPARED(the_kernels_workers_are_as_many_as_the_queue_is_deep_until_it_ends),
	TEST_PREPARED(more_than_may_be_open_is_refused),
#endif
};
const size_t queued_metadata_test_count = LENGTH_OF(queued_metadata_tests);
