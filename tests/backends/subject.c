/* One backend under test. */
#include "subject.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/fault.h"
#include "base/memory.h"

#define LARGEST ((5ULL << 30) + (1 << 20)) /* of any file of the suite */

static unsigned count_descriptors(void)
{
	DIR *stream = opendir("/proc/self/fd");
	unsigned count = 0;

	if (!stream)
		return 0;
	while (readdir(stream))
		count++;
	closedir(stream);
	return count;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int subject_prepared(void **state)
{
	struct subject *subject = *state;

	subject->planned = LARGEST;
	subject->descriptors = count_descriptors();
	remove_tree(subject->scratch);
	if (mkdir(subject->scratch, 0755) < 0)
		return -1;
	option_set_init(&subject->options, subject->entry->backend->options);
	option_set_init(&subject->faults, &fault_options);
	subject->inner_start = (struct backend_start){
		.comm = MPI_COMM_SELF,
		.tasks = 1,
		.queue_depth = 8,
		.options = subject->options.values,
		.path = in_scratch(subject, "first"),
	};
	subject->start = subject->inner_start;
	subject->backend = subject->entry->backend;
	if (!subject->wrapped)
		return 0;
	fault_wrap(subject->entry->backend, &subject->wrapper);
	subject->backend = &subject->wrapper;
	subject->start.options = subject->faults.values;
	subject->start.inner = subject->entry->backend;
	subject->start.inner_start = &subject->inner_start;
	return 0;
}

int subject_started(void **state)
{
	struct error err = {0};

	if (subject_prepared(state) < 0)
		return -1;
	return subject_start(*state, &err);
}

int subject_finished(void **state)
{
	struct subject *subject = *state;
	struct error err = {0};
	unsigned left;

	if (subject->session && subject_stop(subject, &err) < 0)
		return -1;
	option_set_release(&subject->options);
	option_set_release(&subject->faults);
	remove_tree(subject->scratch);
	left = count_descriptors();
	if (left > subject->descriptors)
		print_error("%u descriptors are still open\n", left - subject->descriptors);
	return left > subject->descriptors ? -1 : 0;
}

static void assign(struct option_set *set, const char *key, const char *value)
{
	const struct option *row = option_find(set->table, key);
	struct error err = {0};

	assert_non_null(row);
	if (option_set_value(set, row, value, (struct origin){.kind = ORIGIN_COMMAND_LINE}, &err) <
	    0)
		fail_msg("%s", err.text);
}

void subject_option(struct subject *subject, const char *key, const char *value)
{
	assign(&subject->options, key, value);
}

void subject_fault(struct subject *subject, const char *key, const char *value)
{
	assign(&subject->faults, key, value);
}

int subject_start(struct subject *subject, struct error *err)
{
	const struct backend *backend = subject->backend;
	char blob[256];
	size_t size = backend->prepare ? sizeof(blob) : 0;

	subject->session = memory_allocate(1, backend->session_size);
	subject->entered = false;
	if (backend->prepare && backend->prepare(&subject->start, blob, &size, err) < 0)
		return -1;
	subject->entered = true;
	if (subject->start.inner)
		subject->start.inner_start = &subject->inner_start;
	subject->inner_start.blob = subject->start.blob = blob;
	subject->inner_start.blob_size = subject->start.blob_size = size;
	return backend->start ? backend->start(subject->session, &subject->start, err) : 0;
}

int subject_stop(struct subject *subject, struct error *err)
{
	int ret = 0;

	if (subject->entered && subject->backend->stop)
		ret = subject->backend->stop(subject->session, err);
	free(subject->session);
	subject->session = NULL;
	return ret;
}

static bool holds_something(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_size > 0;
}

int file_try(struct subject *subject, const char *path, enum access access,
	     struct backend_file **file, struct error *err)
{
	const struct backend_open how = {
		.path = path,
		.access = access,
		.create = access == ACCESS_WRITE,
		.comm = MPI_COMM_SELF,
		.transfer_size = 1 << 20,
		.file_size = subject->backend->own_format && !holds_something(path)
				     ? subject->planned
				     : 0,
		.tasks = 1,
		.segments = 1,
		.source = UINT64_MAX,
	};

	*file = memory_allocate(1, subject->backend->file_size);
	return subject->backend->open(subject->session, *file, &how, err);
}

int file_close(struct subject *subject, struct backend_file *file, struct error *err)
{
	int ret = subject->backend->close(file, err);

	free(file);
	return ret;
}

struct backend_file *file_open(struct subject *subject, const char *path, enum access access)
{
	struct backend_file *file;

	assert_ok(file_try(subject, path, access, &file, err));
	return file;
}

void file_done(struct subject *subject, struct backend_file *file)
{
	assert_ok(file_close(subject, file, err));
}

struct backend_directory *directory_open(struct subject *subject, const char *path)
{
	struct backend_directory *directory = memory_allocate(1, subject->backend->directory_size);

	assert_ok(subject->backend->open_directory(subject->session, directory, path, err));
	return directory;
}

void directory_done(struct subject *subject, struct backend_directory *directory)
{
	assert_ok(subject->backend->close_directory(directory, err));
	free(directory);
}

int64_t move(struct subject *subject, struct backend_file *file, enum access access, void *buffer,
	     uint64_t offset, uint64_t length, struct error *err)
{
	const struct transfer transfer = {
		.buffer = buffer,
		.offset = offset,
		.length = length,
		.count = 1,
		.access = access,
	};

	return subject->backend->transfer(file, &transfer, err);
}

void file_put(struct subject *subject, const char *path, const void *bytes, size_t length)
{
	void *buffer = buffer_make(length);
	struct backend_file *file;
	struct error err = {0};

	subject->planned = length;
	file = file_open(subject, path, ACCESS_WRITE);
	subject->planned = LARGEST;
	memcpy(buffer, bytes, length);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 0, length, &err), length);
	free(buffer);
	file_done(subject, file);
}

uint64_t file_size(struct subject *subject, const char *path)
{
	uint64_t bytes, allocated;

	assert_ok(subject->backend->size(subject->session, path, &bytes, &allocated, err));
	return bytes;
}

void assert_size(struct subject *subject, const char *path, uint64_t bytes)
{
	uint64_t size = file_size(subject, path);

	if (subject->backend->own_format)
		assert_true(size >= bytes);
	else
		assert_int_equal(size, bytes);
}

static const char *name_file(const char *server, const char *scratch, const char *name)
{
	static char paths[8][4096];
	static unsigned next;
	char *path = paths[next++ % LENGTH_OF(paths)];

	snprintf(path, sizeof(paths[0]), "%s%s/%s", server, scratch, name);
	return path;
}

const char *in_scratch(struct subject *subject, const char *name)
{
	return name_file(subject->server, subject->scratch, name);
}

const char *in_local_scratch(struct subject *subject, const char *name)
{
	return name_file("", subject->scratch, name);
}

void *buffer_make(size_t length)
{
	void *buffer = aligned_alloc(PAGE, (length + PAGE) / PAGE * PAGE);

	assert_non_null(buffer);
	return buffer;
}

void pattern(void *buffer, size_t length, uint64_t seed)
{
	unsigned char *bytes = buffer;

	for (size_t i = 0; i < length; i++)
		bytes[i] = (unsigned char)((i * 131 + seed * 7919 + (i >> 8)) & 0xff);
}

/* A stopped child that goes on when it is told to must end well. */
static void finish(pid_t child)
{
	int status;

	kill(child, SIGCONT);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int in_child(void (*run)(struct subject *subject), struct subject *subject)
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		run(subject);
		_exit(0);
	}
	while (waitpid(child, &status, WUNTRACED) < 0)
		assert_int_equal(errno, EINTR);
	if (WIFSTOPPED(status))
		finish(child);
	return status;
}
