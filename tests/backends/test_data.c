/* What backend.h says of files. */
#include <errno.h>
#include <grp.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

#define GIB5 (5ULL << 30)

static bool keeps_data(const struct subject *subject)
{
	return !subject->backend->ignores_buffers;
}

static bool has_files(const struct subject *subject)
{
	return !subject->backend->no_storage;
}

static void what_was_written_reads_back(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "file");
	unsigned char *out = buffer_make(3 * PAGE), *in = buffer_make(3 * PAGE);
	struct backend_file *file;
	struct error err = {0};

	pattern(out, 3 * PAGE, 1);
	file = file_open(subject, path, ACCESS_WRITE);
	for (uint64_t i = 3; i-- > 0;) /* backwards: the place counts, not the order */
		assert_int_equal(move(subject, file, ACCESS_WRITE, out + i * PAGE, i * PAGE, PAGE,
				      &err),
				 PAGE);
	file_done(subject, file);
	file = file_open(subject, path, ACCESS_READ);
	memset(in, 0, 3 * PAGE);
	assert_int_equal(move(subject, file, ACCESS_READ, in, 0, 3 * PAGE, &err), 3 * PAGE);
	file_done(subject, file);
	if (keeps_data(subject))
		assert_memory_equal(in, out, 3 * PAGE);
	free(in);
	free(out);
}

static void odd_offsets_and_lengths_are_exact(void **state)
{
	struct subject *subject = *state;
	unsigned char *out, *in;
	struct backend_file *file;
	struct error err = {0};

	only_with(keeps_data(subject));
	out = buffer_make(100);
	in = buffer_make(100);
	pattern(out, 100, 2);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, 13, 87, &err), 87);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out + 87, 100, 13, &err), 13);
	assert_int_equal(move(subject, file, ACCESS_READ, in, 0, 100, &err), 100);
	file_done(subject, file);
	for (int i = 0; i < 13; i++)
		assert_int_equal(in[i], 0);
	assert_memory_equal(in + 13, out, 87);
	assert_size(subject, in_scratch(subject, "file"), 113);
	free(in);
	free(out);
}

static void length_zero_moves_nothing(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	char *buffer = buffer_make(PAGE);
	struct error err = {0};

	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 8 * PAGE, 0, &err), 0);
	assert_int_equal(move(subject, file, ACCESS_READ, buffer, 0, 0, &err), 0);
	file_done(subject, file);
	if (has_files(subject))
		assert_size(subject, in_scratch(subject, "file"), 0);
	free(buffer);
}

static void a_read_at_the_end_is_short_and_past_it_zero(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file;
	char *buffer;
	struct error err = {0};

	only_with(keeps_data(subject));
	buffer = buffer_make(PAGE);
	pattern(buffer, 1000, 3);
	file_put(subject, in_scratch(subject, "file"), buffer, 1000);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_READ);
	assert_int_equal(move(subject, file, ACCESS_READ, buffer, 0, PAGE, &err), 1000);
	assert_int_equal(move(subject, file, ACCESS_READ, buffer, 1000, PAGE, &err), 0);
	assert_int_equal(move(subject, file, ACCESS_READ, buffer, 1 << 20, PAGE, &err), 0);
	file_done(subject, file);
	free(buffer);
}

static void offsets_beyond_4_gib_are_their_own_places(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "file");
	unsigned char *out = buffer_make(PAGE), *in = buffer_make(PAGE);
	struct backend_file *file = file_open(subject, path, ACCESS_WRITE);
	struct error err = {0};

	pattern(out, PAGE, 4);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, GIB5, PAGE, &err), PAGE);
	assert_int_equal(move(subject, file, ACCESS_READ, in, GIB5, PAGE, &err), PAGE);
	if (keeps_data(subject)) {
		assert_memory_equal(in, out, PAGE);
		move(subject, file, ACCESS_READ, in, GIB5 - (4ULL << 30), PAGE, &err);
		assert_int_equal(in[1], 0); /* a hole, not the same bytes 4 GiB lower */
	}
	file_done(subject, file);
	if (has_files(subject))
		assert_size(subject, path, GIB5 + PAGE);
	free(in);
	free(out);
}

static void a_missing_file_is_enoent_and_the_text_starts_with_the_call(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "missing");
	struct error err = {0}, none = {0};
	struct backend_file *file;

	only_with(has_files(subject));
	assert_int_equal(file_try(subject, path, ACCESS_READ, &file, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_int_equal(err.code, ENOENT);
	assert_non_null(strstr(err.text, ": No such file or directory"));
	assert_null(strstr(err.text, "missing"));
	assert_int_equal(file_close(subject, file, &none), 0);
	assert_int_equal(none.kind, ERROR_NONE);
}

static void a_file_to_write_is_made_only_when_asked_for(void **state)
{
	struct subject *subject = *state;
	struct backend_open how = {.path = in_scratch(subject, "missing"),
				   .comm = MPI_COMM_SELF,
				   .access = ACCESS_WRITE,
				   .tasks = 1};
	struct backend_file *file;

	only_with(has_files(subject));
	file = calloc(1, subject->backend->file_size);
	assert_fails(subject->backend->open(subject->session, file, &how, err), ENOENT);
	assert_ok(file_close(subject, file, err));
}

static void an_exclusive_open_makes_its_file_and_leaves_one_that_is_there(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "file");
	struct backend_open how = {.path = path,
				   .comm = MPI_COMM_SELF,
				   .access = ACCESS_WRITE,
				   .create = true,
				   .exclusive = true,
				   .transfer_size = PAGE,
				   .file_size = PAGE,
				   .tasks = 1,
				   .segments = 1,
				   .source = UINT64_MAX};
	struct backend_file *file;
	unsigned char *out, *in;
	struct error err = {0};

	only_with(has_files(subject));
	file = calloc(1, subject->backend->file_size);
	out = buffer_make(PAGE);
	in = buffer_make(PAGE);
	pattern(out, PAGE, 7);
	assert_ok(subject->backend->open(subject->session, file, &how, err));
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, 0, PAGE, &err), PAGE);
	file_done(subject, file);
	file = calloc(1, subject->backend->file_size);
	assert_fails(subject->backend->open(subject->session, file, &how, err), EEXIST);
	assert_ok(file_close(subject, file, err));
	assert_size(subject, path, PAGE);
	file = file_open(subject, path, ACCESS_READ);
	assert_int_equal(move(subject, file, ACCESS_READ, in, 0, PAGE, &err), PAGE);
	file_done(subject, file);
	if (keeps_data(subject))
		assert_memory_equal(in, out, PAGE);
	free(in);
	free(out);
}

static void truncate_shrinks_and_grows(void **state)
{
	struct subject *subject = *state;
	const struct backend *backend = subject->backend;
	const char *path = in_scratch(subject, "file");
	struct backend_file *file;
	char *buffer;
	struct error err = {0};

	only_with(backend->truncate && !backend->own_format);
	buffer = buffer_make(PAGE);
	pattern(buffer, 1000, 5);
	file_put(subject, path, buffer, 1000);
	assert_ok(backend->truncate(subject->session, path, 10, err));
	assert_int_equal(file_size(subject, path), 10);
	assert_ok(backend->truncate(subject->session, path, 2000, err));
	assert_int_equal(file_size(subject, path), 2000);
	file = file_open(subject, path, ACCESS_READ);
	assert_int_equal(move(subject, file, ACCESS_READ, buffer, 0, PAGE, &err), 2000);
	assert_int_equal(buffer[500], 0); /* what was cut off does not come back */
	file_done(subject, file);
	assert_fails(backend->truncate(subject->session, in_scratch(subject, "none"), 0, err),
		     ENOENT);
	free(buffer);
}

static void size_tells_bytes_and_blocks_also_while_the_file_is_open(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "file");
	uint64_t bytes, allocated;
	struct backend_file *file;
	char *buffer;
	struct error err = {0};

	only_with(subject->backend->size);
	buffer = buffer_make(1 << 20);
	pattern(buffer, 1 << 20, 6);
	file = file_open(subject, path, ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, GIB5, 1 << 20, &err), 1 << 20);
	if (subject->backend->sync)
		assert_ok(subject->backend->sync(file, err));
	assert_ok(subject->backend->size(subject->session, path, &bytes, &allocated, err));
	assert_true(bytes == GIB5 + (1 << 20) ||
		    (subject->backend->own_format && bytes > GIB5 + (1 << 20)));
	assert_true(allocated >= 1 << 20 && allocated < 1ULL << 30);
	file_done(subject, file);
	assert_fails(subject->backend->size(subject->session, in_scratch(subject, "none"), &bytes,
					    &allocated, err),
		     ENOENT);
	free(buffer);
}

static void sync_succeeds_on_a_written_file(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file;
	char *buffer;
	struct error err = {0};

	only_with(subject->backend->sync);
	buffer = buffer_make(PAGE);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 0, PAGE, &err), PAGE);
	assert_ok(subject->backend->sync(file, err));
	if (subject->backend->sync_data)
		assert_ok(subject->backend->sync_data(file, err));
	file_done(subject, file);
	free(buffer);
}

static void allocated_bytes_have_storage_and_data_stays(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "file");
	unsigned char *out, *in;
	struct backend_file *file;
	uint64_t bytes, allocated;
	struct error err = {0};

	only_with(subject->backend->allocate);
	out = buffer_make(PAGE);
	in = buffer_make(2 * PAGE);
	pattern(out, PAGE, 3);
	file = file_open(subject, path, ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, PAGE, PAGE, &err), PAGE);
	if (subject->backend->allocate(file, 0, 64 * PAGE, &err)) {
		assert_int_equal(err.code, EOPNOTSUPP); /* not every file system can */
		assert_int_equal(err.kind, ERROR_IO);
	} else {
		assert_int_equal(move(subject, file, ACCESS_READ, in, 0, 2 * PAGE, &err), 2 * PAGE);
		assert_memory_equal(in + PAGE, out, PAGE);
		for (int i = 0; i < PAGE; i++)
			assert_int_equal(in[i], 0);
		assert_int_equal(subject->backend->size(subject->session, path, &bytes, &allocated,
							&err),
				 0);
		assert_int_equal(bytes, 64 * PAGE);
		assert_true(allocated >= 64 * PAGE);
	}
	file_done(subject, file);
	free(in);
	free(out);
}

static void a_write_that_is_not_allowed_says_so(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file;
	char *buffer;
	struct error err = {0};

	only_with(has_files(subject));
	buffer = buffer_make(PAGE);
	file_put(subject, in_scratch(subject, "file"), "x", 1);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_READ);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 0, PAGE, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_true(err.code != 0);
	file_done(subject, file);
	free(buffer);
}

static mode_t mode_made_under(struct subject *subject, const char *path, mode_t mask)
{
	mode_t before = umask(mask);
	struct stat status;

	file_done(subject, file_open(subject, path, ACCESS_WRITE));
	umask(before);
	assert_ok(subject->backend->stat(subject->session, NULL, path, &status, err));
	return status.st_mode & 07777;
}

static void files_are_made_for_owner_and_group_under_the_umask(void **state)
{
	struct subject *subject = *state;
	/* libraries with collective transfers take no mode and use their own */
	mode_t others = subject->backend->collective ? 0002 : 0;

	only_with(subject->backend->files && subject->backend->stat);
	assert_int_equal(mode_made_under(subject, in_scratch(subject, "a"), 0) & ~others, 0664);
	assert_int_equal(mode_made_under(subject, in_scratch(subject, "b"), 0027), 0640);
}

static void what_claims_files_makes_files_of_this_node(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "file");

	file_put(subject, path, "x", 1);
	assert_int_equal(access(path, F_OK) == 0, subject->backend->files);
}

static void several_sessions_live_side_by_side(void **state)
{
	struct subject *subject = *state;
	struct subject other = *subject;
	struct backend_file *one, *two;
	unsigned char *a = buffer_make(PAGE), *b = buffer_make(PAGE);
	struct error err = {0};

	assert_ok(subject_start(&other, err));
	memset(a, 1, PAGE);
	memset(b, 2, PAGE);
	one = file_open(subject, in_scratch(subject, "one"), ACCESS_WRITE);
	two = file_open(&other, in_scratch(subject, "two"), ACCESS_WRITE);
	assert_int_equal(move(subject, one, ACCESS_WRITE, a, 0, PAGE, &err), PAGE);
	assert_int_equal(move(&other, two, ACCESS_WRITE, b, 0, PAGE, &err), PAGE);
	assert_int_equal(move(subject, one, ACCESS_READ, b, 0, PAGE, &err), PAGE);
	if (keeps_data(subject))
		assert_memory_equal(a, b, PAGE);
	file_done(&other, two);
	assert_ok(subject_stop(&other, err));
	file_done(subject, one);
	free(b);
	free(a);
}

static void check_setting(struct settings_sink *sink, const char *name, const char *value)
{
	(void)sink;
	assert_true(name && *name);
	assert_true(value && *value);
}

static void settings_have_names_and_values(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file;

	only_with(subject->backend->settings);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	subject->backend->settings(file, check_setting, NULL);
	file_done(subject, file);
}

static bool is_power_of_two(uint64_t value)
{
	return value && !(value & (value - 1));
}

static void alignment_is_known_before_the_file_is_there(void **state)
{
	struct subject *subject = *state;
	struct backend_alignment alignment = {0};

	only_with(subject->backend->alignment);
	assert_ok(subject->backend->alignment(subject->session, in_scratch(subject, "missing"),
					      &alignment, err));
	assert_int_equal(alignment.memory, 1);
	assert_int_equal(alignment.offset, 1);
}

/* --- direct I/O, for those that have the option --------------------------------------------- */

/* As messages name it: "posix.direct". */
static const char *direct_option(const struct subject *subject)
{
	static char name[64];

	snprintf(name, sizeof(name), "%s.direct", subject->entry->name);
	return name;
}

static struct backend_file *open_direct(struct subject *subject)
{
	struct backend_file *file;
	struct error err = {0};

	only_with(option_find(subject->options.table, "direct"));
	subject_option(subject, "direct", "1");
	assert_ok(subject_start(subject, err));
	if (file_try(subject, in_scratch(subject, "file"), ACCESS_WRITE, &file, &err) == 0)
		return file;
	assert_int_equal(err.code, EINVAL);
	assert_ok(file_close(subject, file, err));
	skip_unless(false, "a file system with direct I/O");
	return NULL;
}

static void direct_transfers_read_back(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file = open_direct(subject);
	unsigned char *out = buffer_make(PAGE), *in = buffer_make(PAGE);
	struct backend_alignment alignment;
	struct error err = {0};

	assert_ok(subject->backend->alignment(subject->session, in_scratch(subject, "file"),
					      &alignment, err));
	assert_true(is_power_of_two(alignment.memory) && is_power_of_two(alignment.offset));
	pattern(out, PAGE, 7);
	assert_int_equal(move(subject, file, ACCESS_WRITE, out, PAGE, PAGE, &err), PAGE);
	assert_int_equal(move(subject, file, ACCESS_READ, in, PAGE, PAGE, &err), PAGE);
	assert_memory_equal(in, out, PAGE);
	file_done(subject, file);
	free(in);
	free(out);
}

static void a_misaligned_direct_transfer_says_what_it_needed(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file = open_direct(subject);
	unsigned char *buffer = buffer_make(PAGE);
	struct error err = {0};

	if (move(subject, file, ACCESS_WRITE, buffer, 13, 100, &err) == -1) {
		assert_int_equal(err.code, EINVAL);
		assert_non_null(strstr(err.text, direct_option(subject)));
		assert_non_null(strstr(err.text, "multiples of"));
	}
	file_done(subject, file);
	free(buffer);
}

static void direct_alignment_of_a_file_to_come_is_a_guess(void **state)
{
	struct subject *subject = *state;
	struct backend_alignment alignment = {0};

	only_with(option_find(subject->options.table, "direct"));
	subject_option(subject, "direct", "true");
	assert_ok(subject_start(subject, err));
	assert_ok(subject->backend->alignment(subject->session, in_scratch(subject, "missing"),
					      &alignment, err));
	assert_true(is_power_of_two(alignment.memory) && is_power_of_two(alignment.offset));
	alignment = (struct backend_alignment){0};
	assert_ok(subject->backend->alignment(
		subject->session, in_scratch(subject, "no/such/folder/file"), &alignment, err));
	assert_true(is_power_of_two(alignment.memory) && is_power_of_two(alignment.offset));
}

static void a_file_system_without_direct_is_named(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file;
	struct error err = {0};

	only_with(option_find(subject->options.table, "direct"));
	subject_option(subject, "direct", "true");
	assert_ok(subject_start(subject, err));
	assert_int_equal(file_try(subject, "/proc/self/status", ACCESS_READ, &file, &err), -1);
	assert_int_equal(err.code, EINVAL);
	assert_non_null(strstr(err.text, "(proc)"));
	assert_non_null(strstr(err.text, direct_option(subject)));
	assert_ok(file_close(subject, file, err));
}

/* --- in a child process --------------------------------------------------------------------- */

static _Noreturn void skip_child(const char *needed)
{
	print_message("needs %s: %s\n", needed, strerror(errno));
	fflush(NULL);
	_exit(SKIPPED);
}

/* Children say what they found by exit code only: 0 right, 1 wrong, SKIPPED. */
static void check_child(int status)
{
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool is_refused(struct subject *subject, const char *path, enum access access)
{
	struct error err = {0}, none = {0};
	struct backend_file *file;
	bool refused = file_try(subject, path, access, &file, &err) < 0 && err.code == EACCES;

	file_close(subject, file, &none);
	return refused;
}

static bool nobody_is_refused(struct subject *subject)
{
	return is_refused(subject, in_scratch(subject, "file"), ACCESS_READ) &&
	       is_refused(subject, in_scratch(subject, "new"), ACCESS_WRITE);
}

static void open_as_nobody(struct subject *subject)
{
	if (setgroups(0, NULL) < 0 || setresgid(65534, 65534, 65534) < 0 ||
	    setresuid(65534, 65534, 65534) < 0)
		skip_child("root that may become another user");
	_exit(!nobody_is_refused(subject));
}

/* The same in this process, for libraries that talk through MPI, which a child must not do. */
static bool nobody_is_refused_here(struct subject *subject)
{
	gid_t groups[64], group = getegid();
	int count = getgroups(LENGTH_OF(groups), groups);
	bool refused;

	assert_true(count >= 0);
	skip_unless(setgroups(0, NULL) == 0 && setegid(65534) == 0 && seteuid(65534) == 0,
		    "root that may become another user");
	refused = nobody_is_refused(subject);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(setegid(group), 0);
	assert_int_equal(setgroups((size_t)count, groups), 0);
	return refused;
}

static void another_user_is_refused_with_eacces(void **state)
{
	struct subject *subject = *state;

	only_with(subject->backend->files);
	skip_unless(geteuid() == 0, "root");
	file_put(subject, in_scratch(subject, "file"), "x", 1);
	assert_int_equal(chmod(in_scratch(subject, "file"), 0600), 0);
	if (subject->backend->collective)
		assert_true(nobody_is_refused_here(subject));
	else
		check_child(in_child(open_as_nobody, subject));
}

static void fill_a_small_disk(struct subject *started)
{
	void *buffer = calloc(1, 1 << 20);
	/* a session belongs to the process that started it */
	struct subject own = *started, *subject = &own;
	struct error err = {0};
	struct backend_file *file;
	int64_t moved = 1;

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", subject->scratch, "tmpfs", 0, "size=8m") < 0)
		skip_child("root that may mount a tmpfs");
	if (subject_start(subject, &err) < 0 ||
	    file_try(subject, in_scratch(subject, "file"), ACCESS_WRITE, &file, &err) < 0)
		_exit(1);
	for (uint64_t at = 0; moved > 0 && at < 32 << 20; at += (uint64_t)moved)
		moved = move(subject, file, ACCESS_WRITE, buffer, at, 1 << 20, &err);
	_exit(moved < 0 && err.code == ENOSPC && strstr(err.text, "No space left") ? 0 : 1);
}

static void a_full_disk_is_enospc(void **state)
{
	struct subject *subject = *state;

	only_with(subject->backend->files && !subject->backend->may_hide_errors);
	check_child(in_child(fill_a_small_disk, subject));
}

/* --- all tasks together --------------------------------------------------------------------- */

static const char *shared_path(const struct subject *subject)
{
	static char path[4096];
	const char *folder = getenv("TEST_TMPDIR");

	snprintf(path, sizeof(path), "%s%s/shared", subject->server, folder ? folder : ".");
	return path;
}

/* Opens the file that all share; counts what went wrong instead of stopping, for others wait. */
static struct backend_file *open_shared(struct subject *subject, enum access access, int *wrong)
{
	struct backend_open how = {.path = shared_path(subject),
				   .access = access,
				   .shared = true,
				   .create = access == ACCESS_WRITE,
				   .comm = MPI_COMM_WORLD,
				   .transfer_size = PAGE,
				   .block = PAGE,
				   .segments = 1};
	struct backend_file *file = calloc(1, subject->backend->file_size);
	struct error err = {0};
	int tasks;

	MPI_Comm_size(MPI_COMM_WORLD, &tasks);
	how.tasks = (uint64_t)tasks;
	how.file_size = (uint64_t)tasks * PAGE;
	*wrong += subject->backend->open(subject->session, file, &how, &err) < 0;
	return file;
}

static int64_t move_block(struct subject *subject, struct backend_file *file, enum access access,
			  int whose, void *buffer)
{
	struct error err = {0};

	return move(subject, file, access, buffer, (uint64_t)whose * PAGE, PAGE, &err);
}

static void write_block(struct subject *subject, struct backend_file *file, int whose, int *wrong)
{
	unsigned char *out = buffer_make(PAGE);

	pattern(out, PAGE, (uint64_t)whose);
	*wrong += move_block(subject, file, ACCESS_WRITE, whose, out) != PAGE;
	free(out);
}

/* Each task its block; where there may be one writer only, task 0 all of them. */
static void write_shared(struct subject *subject, int rank, int tasks, int *wrong)
{
	struct backend_file *file;
	struct error err = {0};

	if (!subject->backend->single_writer) {
		file = open_shared(subject, ACCESS_WRITE, wrong);
		write_block(subject, file, rank, wrong);
		*wrong += file_close(subject, file, &err) < 0;
	} else if (rank == 0) {
		*wrong += file_try(subject, shared_path(subject), ACCESS_WRITE, &file, &err) < 0;
		for (int whose = 0; whose < tasks; whose++)
			write_block(subject, file, whose, wrong);
		*wrong += file_close(subject, file, &err) < 0;
	}
}

static void remove_shared(struct subject *subject)
{
	if (subject->backend->files)
		unlink(shared_path(subject) + strlen(subject->server));
	else if (subject->backend->remove)
		assert_ok(subject->backend->remove(subject->session, NULL, shared_path(subject),
						   err));
}

static void tasks_read_what_others_wrote_in_a_shared_file(void **state)
{
	struct subject *subject = *state;
	unsigned char *out = buffer_make(PAGE), *in = buffer_make(PAGE);
	struct backend_file *file;
	struct error err = {0};
	int rank, tasks, next, wrong = 0;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &tasks);
	next = (rank + 1) % tasks;
	write_shared(subject, rank, tasks, &wrong);
	MPI_Barrier(MPI_COMM_WORLD);
	file = open_shared(subject, ACCESS_READ, &wrong);
	wrong += move_block(subject, file, ACCESS_READ, next, in) != PAGE;
	wrong += file_close(subject, file, &err) < 0;
	pattern(out, PAGE, (uint64_t)next);
	wrong += keeps_data(subject) && memcmp(in, out, PAGE) != 0;
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		remove_shared(subject);
	MPI_Barrier(MPI_COMM_WORLD);
	assert_int_equal(wrong, 0);
	free(in);
	free(out);
}

const struct CMUnitTest data_tests[] = {
	TEST(what_was_written_reads_back),
	TEST(odd_offsets_and_lengths_are_exact),
	TEST(length_zero_moves_nothing),
	TEST(a_read_at_the_end_is_short_and_past_it_zero),
	TEST(offsets_beyond_4_gib_are_their_own_places),
	TEST(a_missing_file_is_enoent_and_the_text_starts_with_the_call),
	TEST(a_file_to_write_is_made_only_when_asked_for),
	TEST(an_exclusive_open_makes_its_file_and_leaves_one_that_is_there),
	TEST(truncate_shrinks_and_grows),
	TEST(size_tells_bytes_and_blocks_also_while_the_file_is_open),
	TEST(sync_succeeds_on_a_written_file),
	TEST(allocated_bytes_have_storage_and_data_stays),
	TEST(a_write_that_is_not_allowed_says_so),
	TEST(files_are_made_for_owner_and_group_under_the_umask),
	TEST(what_claims_files_makes_files_of_this_node),
	TEST(several_sessions_live_side_by_side),
	TEST(settings_have_names_and_values),
	TEST(alignment_is_known_before_the_file_is_there),
	TEST_PREPARED(direct_transfers_read_back),
	TEST_PREPARED(a_misaligned_direct_transfer_says_what_it_needed),
	TEST_PREPARED(direct_alignment_of_a_file_to_come_is_a_guess),
	TEST_PREPARED(a_file_system_without_direct_is_named),
	TEST(another_user_is_refused_with_eacces),
	TEST(a_full_disk_is_enospc),
	TEST(tasks_read_what_others_wrote_in_a_shared_file),
};
const size_t data_test_count = LENGTH_OF(data_tests);
