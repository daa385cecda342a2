/* The fault wrapper before each backend: what is asked for happens, to that call of that task. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "subject.h"

#define CALLS 6

/* --- each operation once, as a function ----------------------------------------------------- */

struct list_sink {
	int unused;
};

static bool ignore(struct list_sink *sink, const char *name, enum entry_kind kind)
{
	(void)sink;
	(void)name;
	(void)kind;
	return true;
}

static int transfer_once(struct subject *subject, enum access access, struct error *err)
{
	const char *path = in_scratch(subject, "file");
	struct backend_file *file;
	void *buffer = buffer_make(PAGE);
	struct error ignored;
	int64_t moved = -1;

	memset(buffer, 0, PAGE);
	if (file_try(subject, path, ACCESS_WRITE, &file, err) == 0)
		moved = move(subject, file, access, buffer, 0, PAGE, err);
	if (file_close(subject, file, moved < 0 ? &ignored : err) < 0)
		moved = -1;
	free(buffer);
	return moved < 0 ? -1 : 0;
}

static int do_read(struct subject *subject, struct error *err)
{
	return transfer_once(subject, ACCESS_READ, err);
}

static int do_write(struct subject *subject, struct error *err)
{
	return transfer_once(subject, ACCESS_WRITE, err);
}

static int do_sync(struct subject *subject, struct error *err)
{
	struct backend_file *file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	int ret = subject->backend->sync(file, err);

	file_done(subject, file);
	return ret;
}

static int do_sync_data(struct subject *subject, struct error *err)
{
	struct backend_file *file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	int ret = subject->backend->sync_data(file, err);

	file_done(subject, file);
	return ret;
}

static int do_size(struct subject *subject, struct error *err)
{
	uint64_t bytes, allocated;

	return subject->backend->size(subject->session, in_scratch(subject, "file"), &bytes,
				      &allocated, err);
}

static int do_truncate(struct subject *subject, struct error *err)
{
	return subject->backend->truncate(subject->session, in_scratch(subject, "file"),
					  subject->backend->own_format ? 0 : PAGE, err);
}

/* The next name, so that exclusive operations can be repeated. */
static const char *fresh(struct subject *subject)
{
	static unsigned number;
	char name[32];

	snprintf(name, sizeof(name), "fresh.%u", number++);
	return in_scratch(subject, name);
}

/* Behind the wrapper's back: what is made is not counted. */
static void make_bare(struct subject *subject, const char *path)
{
	void *page = memset(buffer_make(PAGE), 0, PAGE);
	struct subject bare = *subject;
	struct backend_file *file;
	struct error err = {0};

	bare.backend = subject->entry->backend;
	bare.start = subject->inner_start;
	assert_ok(subject_start(&bare, err));
	file = file_open(&bare, path, ACCESS_WRITE);
	assert_int_equal(move(&bare, file, ACCESS_WRITE, page, 0, PAGE, &err), PAGE);
	file_done(&bare, file);
	free(page);
	assert_ok(subject_stop(&bare, err));
}

static int do_create(struct subject *subject, struct error *err)
{
	return subject->backend->create(subject->session, NULL, fresh(subject), 0600, err);
}

static int do_mknod(struct subject *subject, struct error *err)
{
	return subject->backend->mknod(subject->session, NULL, fresh(subject), 0600, err);
}

static int do_stat(struct subject *subject, struct error *err)
{
	struct stat status;

	return subject->backend->stat(subject->session, NULL, in_scratch(subject, "file"), &status,
				      err);
}

static int do_open_close(struct subject *subject, struct error *err)
{
	return subject->backend->open_close(subject->session, NULL, in_scratch(subject, "file"),
					    ACCESS_READ, err);
}

static int do_access(struct subject *subject, struct error *err)
{
	return subject->backend->access(subject->session, NULL, in_scratch(subject, "file"), err);
}

static int do_chmod(struct subject *subject, struct error *err)
{
	return subject->backend->chmod(subject->session, NULL, in_scratch(subject, "file"), 0600,
				       err);
}

static int do_remove(struct subject *subject, struct error *err)
{
	const char *path = fresh(subject);

	make_bare(subject, path);
	return subject->backend->remove(subject->session, NULL, path, err);
}

static int do_rename(struct subject *subject, struct error *err)
{
	const char *path = fresh(subject);

	make_bare(subject, path);
	return subject->backend->rename(subject->session, NULL, path, NULL, fresh(subject), err);
}

static int do_mkdir(struct subject *subject, struct error *err)
{
	return subject->backend->mkdir(subject->session, NULL, fresh(subject), 0700, err);
}

static int do_rmdir(struct subject *subject, struct error *err)
{
	const char *path = fresh(subject);

	assert_ok(subject->backend->mkdir(subject->session, NULL, path, 0700, err));
	return subject->backend->rmdir(subject->session, NULL, path, err);
}

static int do_list(struct subject *subject, struct error *err)
{
	struct list_sink sink = {0};

	return subject->backend->list(subject->session, NULL, in_scratch(subject, ""), ignore,
				      &sink, err);
}

static const struct operation {
	const char *name;
	size_t needs; /* offset of the operation in struct backend */
	int (*run)(struct subject *subject, struct error *err);
} operations[] = {
	{"open", offsetof(struct backend, open), do_write},
	{"close", offsetof(struct backend, close), do_write},
	{"sync", offsetof(struct backend, sync), do_sync},
	{"sync", offsetof(struct backend, sync_data), do_sync_data},
	{"size", offsetof(struct backend, size), do_size},
	{"truncate", offsetof(struct backend, truncate), do_truncate},
	{"transfer", offsetof(struct backend, transfer), do_read},
	{"transfer", offsetof(struct backend, transfer), do_write},
	{"read", offsetof(struct backend, transfer), do_read},
	{"write", offsetof(struct backend, transfer), do_write},
	{"create", offsetof(struct backend, create), do_create},
	{"mknod", offsetof(struct backend, mknod), do_mknod},
	{"stat", offsetof(struct backend, stat), do_stat},
	{"open_close", offsetof(struct backend, open_close), do_open_close},
	{"access", offsetof(struct backend, access), do_access},
	{"chmod", offsetof(struct backend, chmod), do_chmod},
	{"remove", offsetof(struct backend, remove), do_remove},
	{"rename", offsetof(struct backend, rename), do_rename},
	{"mkdir", offsetof(struct backend, mkdir), do_mkdir},
	{"rmdir", offsetof(struct backend, rmdir), do_rmdir},
	{"list", offsetof(struct backend, list), do_list},
};

static bool has_operation(const struct backend *backend, size_t offset)
{
	static void (*const none)(void);

	return memcmp((const char *)backend + offset, &none, sizeof(none)) != 0;
}

/* A session that has faults, with a file to work on; subject_finished stops it. */
static void begin(struct subject *subject)
{
	make_bare(subject, in_scratch(subject, "file"));
	assert_ok(subject_start(subject, err));
}

static void end(struct subject *subject)
{
	assert_ok(subject_stop(subject, err));
}

/* --- fail ----------------------------------------------------------------------------------- */

/* Which of CALLS calls failed, as bits; all that fail must do so with the code. */
static unsigned failures_of(struct subject *subject, const struct operation *operation, int code)
{
	unsigned failed = 0;

	for (unsigned i = 0; i < CALLS; i++) {
		struct error err = {0};

		if (operation->run(subject, &err) == 0)
			continue;
		failed |= 1u << i;
		assert_int_equal(err.kind, ERROR_IO);
		assert_int_equal(err.code, code);
		assert_non_null(strstr(err.text, "asked for by fault.operation"));
		if (strcmp(operation->name, "transfer") != 0) /* which is a read or a write */
			assert_ptr_equal(strstr(err.text, operation->name), err.text);
	}
	return failed;
}

static void each_operation_fails_at_exactly_the_calls_asked_for(void **state)
{
	struct subject *subject = *state;

	subject_fault(subject, "after", "2");
	subject_fault(subject, "count", "3");
	subject_fault(subject, "error", "ENOSPC");
	for (size_t i = 0; i < LENGTH_OF(operations); i++) {
		if (!has_operation(subject->backend, operations[i].needs))
			continue;
		subject_fault(subject, "operation", operations[i].name);
		begin(subject);
		assert_int_equal(failures_of(subject, &operations[i], ENOSPC), 034);
		end(subject);
	}
}

static void no_operation_fails_when_another_one_is_asked_for(void **state)
{
	struct subject *subject = *state;

	subject_fault(subject, "count", "0");
	subject_fault(subject, "operation", "stop");
	begin(subject);
	for (size_t i = 0; i < LENGTH_OF(operations); i++)
		if (has_operation(subject->backend, operations[i].needs))
			assert_int_equal(failures_of(subject, &operations[i], EIO), 0);
	assert_fails(subject_stop(subject, err), EIO);
}

static void reads_pass_when_writes_fail(void **state)
{
	struct subject *subject = *state;
	const struct operation read = {"read", 0, do_read}, write = {"write", 0, do_write};

	subject_fault(subject, "operation", "write");
	subject_fault(subject, "count", "0");
	begin(subject);
	assert_int_equal(failures_of(subject, &read, EIO), 0);
	assert_int_equal(failures_of(subject, &write, EIO), 077);
}

static void count_zero_fails_all_from_then_on(void **state)
{
	struct subject *subject = *state;
	const struct operation write = {"write", 0, do_write};

	subject_fault(subject, "operation", "transfer");
	subject_fault(subject, "after", "4");
	subject_fault(subject, "count", "0");
	begin(subject);
	assert_int_equal(failures_of(subject, &write, EIO), 060);
}

static void any_counts_all_operations_together(void **state)
{
	struct subject *subject = *state;
	const struct operation write = {"write", 0, do_write};

	subject_fault(subject, "operation", "any");
	subject_fault(subject, "after", "5"); /* start, open, write, close, open; then a write */
	begin(subject);
	assert_int_equal(failures_of(subject, &write, EIO), 2);
	end(subject);
}

static void start_fails_when_asked_for_and_stop_follows(void **state)
{
	struct subject *subject = *state;

	subject_fault(subject, "operation", "start");
	subject_fault(subject, "error", "ETIMEDOUT");
	assert_fails(subject_start(subject, err), ETIMEDOUT);
	assert_ok(subject_stop(subject, err));
}

static void only_the_tasks_in_the_list_fail(void **state)
{
	struct subject *subject = *state;
	const struct operation write = {"write", 0, do_write};
	static const bool named[] = {false, true, false, true, true, false};

	subject_fault(subject, "operation", "write");
	subject_fault(subject, "tasks", "1,3-4");
	subject->start.tasks = subject->inner_start.tasks = LENGTH_OF(named);
	for (unsigned i = 0; i < LENGTH_OF(named); i++) {
		subject->start.task = subject->inner_start.task = (int)i;
		begin(subject);
		assert_int_equal(failures_of(subject, &write, EIO), named[i]);
		end(subject);
	}
}

static void a_failed_write_does_not_reach_the_file(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "file");
	struct backend_file *file;
	char *buffer = buffer_make(PAGE);
	struct error err = {0};

	memset(buffer, 1, PAGE);
	subject_fault(subject, "operation", "write");
	begin(subject);
	file = file_open(subject, path, ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, PAGE, PAGE, &err), -1);
	file_done(subject, file);
	if (subject->backend->size)
		assert_size(subject, path, PAGE);
	free(buffer);
}

/* --- the other kinds ------------------------------------------------------------------------ */

static void a_short_transfer_moves_half(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file;
	char *buffer = buffer_make(4 * PAGE);
	struct error err = {0};

	memset(buffer, 1, 4 * PAGE);
	subject_fault(subject, "operation", "transfer");
	subject_fault(subject, "kind", "short");
	subject_fault(subject, "after", "1");
	subject_fault(subject, "count", "2");
	begin(subject);
	file = file_open(subject, in_scratch(subject, "new"), ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 0, PAGE, &err), PAGE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 0, 3 * PAGE, &err), PAGE);
	assert_int_equal(move(subject, file, ACCESS_READ, buffer, 0, 100, &err), 50);
	assert_int_equal(move(subject, file, ACCESS_READ, buffer, 0, 100, &err), 100);
	file_done(subject, file);
	if (subject->backend->size)
		assert_size(subject, in_scratch(subject, "new"), PAGE);
	free(buffer);
}

static unsigned differences(const unsigned char *a, const unsigned char *b, size_t length)
{
	unsigned count = 0;

	for (size_t i = 0; i < length; i++)
		count += a[i] != b[i];
	return count;
}

static void a_corrupt_write_changes_one_byte_in_the_file_and_none_of_the_caller(void **state)
{
	struct subject *subject = *state;
	unsigned char *out, *in, *kept;
	struct backend_file *file;
	struct error err = {0};

	only_with(!subject->backend->ignores_buffers);
	out = buffer_make(PAGE), in = buffer_make(PAGE), kept = buffer_make(PAGE);
	pattern(out, PAGE, 8);
	pattern(kept, PAGE, 8);
	subject_fault(subject, "operation", "write");
	subject_fault(subject, "kind", "corrupt");
	begin(subject);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, 0, PAGE, &err), PAGE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, PAGE, PAGE, &err), PAGE);
	assert_memory_equal(out, kept, PAGE);
	assert_int_equal(move(subject, file, ACCESS_READ, in, 0, PAGE, &err), PAGE);
	assert_int_equal(differences(in, out, PAGE), 1);
	assert_int_equal(move(subject, file, ACCESS_READ, in, PAGE, PAGE, &err), PAGE);
	assert_int_equal(differences(in, out, PAGE), 0);
	file_done(subject, file);
	free(kept), free(in), free(out);
}

static void a_lost_write_says_all_and_changes_nothing(void **state)
{
	struct subject *subject = *state;
	unsigned char *out, *in;
	struct backend_file *file;
	struct error err = {0};

	only_with(!subject->backend->ignores_buffers);
	out = buffer_make(PAGE), in = buffer_make(PAGE);
	pattern(out, PAGE, 8);
	subject_fault(subject, "operation", "write");
	subject_fault(subject, "kind", "lose");
	subject_fault(subject, "after", "1");
	begin(subject);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, 0, PAGE, &err), PAGE);
	memset(in, 1, PAGE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, in, 0, PAGE, &err), PAGE);
	assert_int_equal(move(subject, file, ACCESS_READ, in, 0, PAGE, &err), PAGE);
	assert_int_equal(differences(in, out, PAGE), 0);
	file_done(subject, file);
	free(in), free(out);
}

static void a_corrupt_read_changes_one_byte_of_the_buffer_only(void **state)
{
	struct subject *subject = *state;
	unsigned char *out, *in;
	struct backend_file *file;
	struct error err = {0};

	only_with(!subject->backend->ignores_buffers);
	out = buffer_make(PAGE), in = buffer_make(PAGE);
	pattern(out, PAGE, 9);
	subject_fault(subject, "operation", "read");
	subject_fault(subject, "kind", "corrupt");
	begin(subject);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, 0, PAGE, &err), PAGE);
	assert_int_equal(move(subject, file, ACCESS_READ, in, 0, PAGE, &err), PAGE);
	assert_int_equal(differences(in, out, PAGE), 1);
	assert_int_equal(move(subject, file, ACCESS_READ, in, 0, PAGE, &err), PAGE);
	assert_int_equal(differences(in, out, PAGE), 0);
	file_done(subject, file);
	free(in), free(out);
}

static void a_stalled_call_takes_its_time_and_succeeds(void **state)
{
	struct subject *subject = *state;
	struct error err = {0};
	uint64_t before_ns;

	subject_fault(subject, "operation", "write");
	subject_fault(subject, "kind", "stall");
	subject_fault(subject, "stall", "60ms");
	begin(subject);
	before_ns = clock_monotonic_ns();
	assert_int_equal(do_write(subject, &err), 0);
	assert_true(clock_monotonic_ns() - before_ns >= 60000000);
}

/* In a child, which starts the session: it belongs to the process that did. */
static void write_three_times(struct subject *subject)
{
	struct error err = {0};

	if (subject_start(subject, &err) < 0)
		_exit(1);
	for (int i = 0; i < 3; i++)
		if (do_write(subject, &err) < 0)
			_exit(1);
}

static void a_crash_kills_the_process(void **state)
{
	struct subject *subject = *state;
	int status;

	subject_fault(subject, "operation", "write");
	subject_fault(subject, "kind", "crash");
	subject_fault(subject, "after", "2");
	only_with(!subject->backend->collective); /* a child must not talk through MPI */
	status = in_child(write_three_times, subject);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void a_stop_stops_the_process_until_it_is_continued(void **state)
{
	struct subject *subject = *state;
	int status;

	subject_fault(subject, "operation", "write");
	subject_fault(subject, "kind", "stop");
	subject_fault(subject, "after", "1");
	only_with(!subject->backend->collective); /* a child must not talk through MPI */
	status = in_child(write_three_times, subject);
	assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
}

/* --- what is refused, and what the wrapper is ----------------------------------------------- */

static void check_refused(struct subject *subject, const char *part)
{
	struct error err = {0}, none = {0};

	assert_int_equal(subject_start(subject, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" is not in: %s", part, err.text);
	assert_int_equal(subject_stop(subject, &none), 0);
}

static void an_unknown_error_is_refused_with_the_known_ones(void **state)
{
	struct subject *subject = *state;

	subject_fault(subject, "operation", "write");
	subject_fault(subject, "error", "EFOO");
	check_refused(subject, "EFOO");
	check_refused(subject, "ENOSPC");
	check_refused(subject, "ECANCELED");
}

static void a_bad_list_of_tasks_is_refused_by_every_task(void **state)
{
	static const char *const lists[] = {
		"x",  "", "1,", ",1", "3-1", "1-", "4", "0-4", "0 1", "-1", "99999999999999999999",
		"0,x"};
	struct subject *subject = *state;

	subject->start.tasks = subject->inner_start.tasks = 4;
	for (size_t i = 0; i < LENGTH_OF(lists); i++) {
		subject_fault(subject, "tasks", lists[i]);
		subject->start.task = (int)(i % 4);
		check_refused(subject, "fault.tasks: ");
	}
}

static void kinds_that_change_data_are_refused_where_there_is_none(void **state)
{
	struct subject *subject = *state;

	subject_fault(subject, "operation", "mkdir");
	subject_fault(subject, "kind", "short");
	check_refused(subject, "fault.kind: short is for transfers, and fault.operation is mkdir");
	subject_fault(subject, "operation", "write");
	subject_fault(subject, "kind", "corrupt");
	if (subject->backend->ignores_buffers)
		check_refused(subject, "corrupt has no effect");
}

static void the_wrapper_has_what_the_backend_has_and_no_more(void **state)
{
	struct subject *subject = *state;
	const struct backend *inner = subject->entry->backend;
	const size_t first = offsetof(struct backend, open);

	assert_string_equal(subject->backend->name, inner->name);
	assert_memory_equal(&subject->backend->single_writer, &inner->single_writer,
			    offsetof(struct backend, may_hide_errors) + sizeof(bool) -
				    offsetof(struct backend, single_writer));
	for (size_t at = first; at < sizeof(struct backend); at += sizeof(void (*)(void)))
		assert_int_equal(has_operation(subject->backend, at),
				 at != offsetof(struct backend, settings) &&
					 has_operation(inner, at));
}

const struct CMUnitTest fault_tests[] = {
	TEST_PREPARED(each_operation_fails_at_exactly_the_calls_asked_for),
	TEST_PREPARED(no_operation_fails_when_another_one_is_asked_for),
	TEST_PREPARED(reads_pass_when_writes_fail),
	TEST_PREPARED(count_zero_fails_all_from_then_on),
	TEST_PREPARED(any_counts_all_operations_together),
	TEST_PREPARED(start_fails_when_asked_for_and_stop_follows),
	TEST_PREPARED(only_the_tasks_in_the_list_fail),
	TEST_PREPARED(a_failed_write_does_not_reach_the_file),
	TEST_PREPARED(a_short_transfer_moves_half),
	TEST_PREPARED(a_corrupt_write_changes_one_byte_in_the_file_and_none_of_the_caller),
	TEST_PREPARED(a_lost_write_says_all_and_changes_nothing),
	TEST_PREPARED(a_corrupt_read_changes_one_byte_of_the_buffer_only),
	TEST_PREPARED(a_stalled_call_takes_its_time_and_succeeds),
	TEST_PREPARED(a_crash_kills_the_process),
	TEST_PREPARED(a_stop_stops_the_process_until_it_is_continued),
	TEST_PREPARED(an_unknown_error_is_refused_with_the_known_ones),
	TEST_PREPARED(a_bad_list_of_tasks_is_refused_by_every_task),
	TEST_PREPARED(kinds_that_change_data_are_refused_where_there_is_none),
	TEST_PREPARED(the_wrapper_has_what_the_backend_has_and_no_more),
};
const size_t fault_test_count = LENGTH_OF(fault_tests);
