/*
 * What backend.h says of metadata: each operation by full path and relative to a directory handle.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "subject.h"

#define ENTRIES 40

/* Where a test's body runs: by full path in one folder, then relative to a handle of another. */
struct place {
	struct subject *subject;
	const char *folder;
	struct backend_directory *directory; /* NULL: name() gives full paths */
};

static const char *full_path(const struct place *place, const char *last)
{
	char inner[64];

	snprintf(inner, sizeof(inner), "%s/%s", place->folder, last);
	return in_scratch(place->subject, inner);
}

static const char *name(const struct place *place, const char *last)
{
	return place->directory ? last : full_path(place, last);
}

/* `needed` is a condition on `can`, the backend, and stands in the log when it is not met. */
#define both_ways(subject, needed, body)                        \
	do {                                                    \
		const struct backend *can = (subject)->backend; \
		only_with(needed);                              \
		run_both_ways(subject, body);                   \
	} while (0)

static void run_both_ways(struct subject *subject, void (*body)(const struct place *))
{
	struct place by_path = {.subject = subject, .folder = "path"};
	struct place by_handle = {.subject = subject, .folder = "handle"};

	assert_int_equal(mkdir(in_local_scratch(subject, "path"), 0700), 0);
	body(&by_path);
	if (!subject->backend->open_directory)
		return;
	assert_int_equal(mkdir(in_local_scratch(subject, "handle"), 0700), 0);
	by_handle.directory = directory_open(subject, in_scratch(subject, "handle"));
	body(&by_handle);
	directory_done(subject, by_handle.directory);
}

#define CALL(operation, ...) \
	place->subject->backend->operation(place->subject->session, place->directory, __VA_ARGS__)
#define NAME(last) name(place, last)

static bool keeps_names(const struct place *place)
{
	return !place->subject->backend->no_storage;
}

/* A file that was not there, also where there is no create. */
static void make_file(const struct place *place, const char *last)
{
	if (place->subject->backend->create)
		assert_ok(CALL(create, NAME(last), 0600, err));
	else
		file_put(place->subject, full_path(place, last), "x", 1);
}

static mode_t mode_of(const struct place *place, const char *last)
{
	struct stat status;

	assert_ok(CALL(stat, NAME(last), &status, err));
	return status.st_mode;
}

static void create_body(const struct place *place)
{
	assert_ok(CALL(create, NAME("a"), 0640, err));
	if (!keeps_names(place))
		return;
	if (!place->subject->backend->collective) /* whose libraries take no mode */
		assert_int_equal(mode_of(place, "a"), S_IFREG | 0640);
	assert_fails(CALL(create, NAME("a"), 0640, err), EEXIST);
	assert_fails(CALL(create, NAME("none/a"), 0640, err), ENOENT);
}

static void create_makes_a_file_and_is_exclusive(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->create && can->stat, create_body);
}

static void mknod_body(const struct place *place)
{
	assert_ok(CALL(mknod, NAME("a"), 0600, err));
	if (!keeps_names(place))
		return;
	assert_int_equal(mode_of(place, "a"), S_IFREG | 0600);
	assert_fails(CALL(mknod, NAME("a"), 0600, err), EEXIST);
}

static void mknod_makes_a_file_and_is_exclusive(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->mknod && can->stat, mknod_body);
}

static void stat_body(const struct place *place)
{
	struct stat status;

	memset(&status, 0xff, sizeof(status));
	file_put(place->subject, full_path(place, "a"), "twelve bytes", 12);
	assert_ok(CALL(stat, NAME("a"), &status, err));
	if (!place->subject->backend->own_format)
		assert_int_equal(status.st_size, keeps_names(place) ? 12 : 0);
	else
		assert_true(status.st_size > 12);
	if (keeps_names(place))
		assert_fails(CALL(stat, NAME("b"), &status, err), ENOENT);
}

static void lstat_body(const struct place *place)
{
	struct stat status;

	assert_int_equal(symlink("nowhere", full_path(place, "link")), 0);
	assert_ok(CALL(lstat, NAME("link"), &status, err));
	assert_true(S_ISLNK(status.st_mode));
	assert_fails(CALL(stat, NAME("link"), &status, err), ENOENT);
	assert_fails(CALL(lstat, NAME("none"), &status, err), ENOENT);
}

static void lstat_is_of_the_link_itself(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->lstat && can->files, lstat_body);
}

static void stat_tells_the_size(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->stat, stat_body);
}

static void open_close_body(const struct place *place)
{
	make_file(place, "a");
	assert_ok(CALL(open_close, NAME("a"), ACCESS_READ, err));
	assert_ok(CALL(open_close, NAME("a"), ACCESS_WRITE, err));
	if (!keeps_names(place))
		return;
	assert_fails(CALL(open_close, NAME("b"), ACCESS_READ, err), ENOENT);
	assert_fails(CALL(open_close, NAME("b"), ACCESS_WRITE, err), ENOENT);
}

static void open_close_opens_what_is_there_and_makes_nothing(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->open_close, open_close_body);
}

static void chmod_body(const struct place *place)
{
	struct stat status;

	make_file(place, "a");
	assert_ok(CALL(access, NAME("a"), err));
	assert_ok(CALL(chmod, NAME("a"), 0640, err));
	if (!keeps_names(place))
		return;
	assert_ok(CALL(stat, NAME("a"), &status, err));
	assert_int_equal(status.st_mode & 0777, 0640);
	assert_fails(CALL(access, NAME("b"), err), ENOENT);
	assert_fails(CALL(chmod, NAME("b"), 0640, err), ENOENT);
}

static void chmod_sets_the_mode_and_access_looks_at_it(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->access && can->chmod && can->stat, chmod_body);
}

static void remove_body(const struct place *place)
{
	struct stat status;

	make_file(place, "a");
	assert_ok(CALL(remove, NAME("a"), err));
	if (!keeps_names(place))
		return;
	assert_fails(CALL(stat, NAME("a"), &status, err), ENOENT);
	assert_fails(CALL(remove, NAME("a"), err), ENOENT);
	if (!place->subject->backend->mkdir)
		return;
	assert_ok(CALL(mkdir, NAME("d"), 0700, err));
	assert_fails(CALL(remove, NAME("d"), err), EISDIR);
}

static void remove_takes_files_away_but_not_directories(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->remove && can->stat, remove_body);
}

static int rename_here(const struct place *place, const char *from, const char *to,
		       struct error *err)
{
	return place->subject->backend->rename(place->subject->session, place->directory,
					       NAME(from), place->directory, NAME(to), err);
}

static void rename_body(const struct place *place)
{
	struct stat status;

	file_put(place->subject, full_path(place, "a"), "twelve bytes", 12);
	make_file(place, "b");
	assert_ok(rename_here(place, "a", "b", err));
	if (!keeps_names(place))
		return;
	assert_fails(CALL(stat, NAME("a"), &status, err), ENOENT);
	assert_ok(CALL(stat, NAME("b"), &status, err));
	if (!place->subject->backend->own_format)
		assert_int_equal(status.st_size, 12);
	assert_fails(rename_here(place, "a", "b", err), ENOENT);
}

static void rename_replaces_what_is_there(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->rename && can->stat, rename_body);
}

static void rename_moves_from_one_directory_to_another(void **state)
{
	struct subject *subject = *state;
	const struct backend *backend = subject->backend;
	struct backend_directory *from, *to;
	struct stat status;

	only_with(backend->rename && backend->open_directory && backend->mkdir && backend->create &&
		  backend->stat);
	assert_ok(backend->mkdir(subject->session, NULL, in_scratch(subject, "from"), 0700, err));
	assert_ok(backend->mkdir(subject->session, NULL, in_scratch(subject, "to"), 0700, err));
	from = directory_open(subject, in_scratch(subject, "from"));
	to = directory_open(subject, in_scratch(subject, "to"));
	assert_ok(backend->create(subject->session, from, "a", 0600, err));
	assert_ok(backend->rename(subject->session, from, "a", to, "b", err));
	assert_ok(backend->stat(subject->session, NULL, in_scratch(subject, "to/b"), &status, err));
	assert_ok(backend->rename(subject->session, to, "b", NULL, in_scratch(subject, "c"), err));
	assert_ok(backend->stat(subject->session, NULL, in_scratch(subject, "c"), &status, err));
	directory_done(subject, to);
	directory_done(subject, from);
}

static void mkdir_body(const struct place *place)
{
	assert_ok(CALL(mkdir, NAME("d"), 0700, err));
	if (!keeps_names(place))
		return;
	assert_int_equal(mode_of(place, "d"), S_IFDIR | 0700);
	assert_fails(CALL(mkdir, NAME("d"), 0700, err), EEXIST);
	assert_fails(CALL(mkdir, NAME("none/d"), 0700, err), ENOENT);
}

static void mkdir_makes_a_directory_and_is_exclusive(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->mkdir && can->stat, mkdir_body);
}

static void rmdir_body(const struct place *place)
{
	assert_ok(CALL(mkdir, NAME("d"), 0700, err));
	assert_ok(CALL(create, NAME("d/a"), 0600, err));
	if (keeps_names(place))
		assert_fails(CALL(rmdir, NAME("d"), err), ENOTEMPTY);
	assert_ok(CALL(remove, NAME("d/a"), err));
	assert_ok(CALL(rmdir, NAME("d"), err));
	if (!keeps_names(place))
		return;
	assert_fails(CALL(rmdir, NAME("d"), err), ENOENT);
	assert_ok(CALL(create, NAME("a"), 0600, err));
	assert_fails(CALL(rmdir, NAME("a"), err), ENOTDIR);
}

static void rmdir_takes_only_empty_directories_away(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->rmdir && can->mkdir && can->create && can->remove, rmdir_body);
}

struct list_sink {
	unsigned times[ENTRIES];
	unsigned others;
	unsigned wrong_kinds;
	unsigned most; /* 0: all are wanted */
	unsigned told;
};

/* Files are entry.N, all else are directories. */
static bool count_entry(struct list_sink *sink, const char *entry, enum entry_kind kind)
{
	unsigned number;
	bool file = sscanf(entry, "entry.%u", &number) == 1 && number < ENTRIES;

	if (file)
		sink->times[number]++;
	else
		sink->others++;
	sink->wrong_kinds += kind != ENTRY_UNKNOWN && kind != (file ? ENTRY_FILE : ENTRY_DIRECTORY);
	return ++sink->told != sink->most;
}

static void make_entries(const struct place *place)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		char entry[32];

		snprintf(entry, sizeof(entry), "d/entry.%u", i);
		assert_ok(CALL(create, NAME(entry), 0600, err));
	}
	assert_ok(CALL(mkdir, NAME("d/inner"), 0700, err));
}

static void list_body(const struct place *place)
{
	struct list_sink sink = {0};

	assert_ok(CALL(mkdir, NAME("d"), 0700, err));
	assert_ok(CALL(list, NAME("d"), count_entry, &sink, err));
	assert_int_equal(sink.others, 0);
	make_entries(place);
	assert_ok(CALL(list, NAME("d"), count_entry, &sink, err));
	if (!keeps_names(place))
		return;
	for (unsigned i = 0; i < ENTRIES; i++)
		assert_int_equal(sink.times[i], 1);
	assert_int_equal(sink.others, 1);
	assert_int_equal(sink.wrong_kinds, 0);
	sink = (struct list_sink){.most = 3};
	assert_ok(CALL(list, NAME("d"), count_entry, &sink, err));
	assert_int_equal(sink.told, 3);
	assert_fails(CALL(list, NAME("none"), count_entry, &sink, err), ENOENT);
	assert_fails(CALL(list, NAME("d/entry.1"), count_entry, &sink, err), ENOTDIR);
}

static void list_tells_every_entry_once(void **state)
{
	struct subject *subject = *state;

	both_ways(subject, can->list && can->mkdir && can->create, list_body);
}

static void open_directory_refuses_what_is_none(void **state)
{
	struct subject *subject = *state;
	const struct backend *backend = subject->backend;
	const char *path = in_scratch(subject, "none");
	struct backend_directory *directory;

	only_with(backend->open_directory && !backend->no_storage);
	directory = calloc(1, backend->directory_size);
	assert_fails(backend->open_directory(subject->session, directory, path, err), ENOENT);
	assert_ok(backend->close_directory(directory, err));
	file_put(subject, path, "x", 1);
	assert_fails(backend->open_directory(subject->session, directory, path, err), ENOTDIR);
	assert_ok(backend->close_directory(directory, err));
	free(directory);
}

static void files_are_opened_relative_to_a_directory(void **state)
{
	struct subject *subject = *state;
	const struct backend *backend = subject->backend;
	struct backend_open how = {.path = "inside",
				   .create = true,
				   .access = ACCESS_WRITE,
				   .comm = MPI_COMM_SELF,
				   .tasks = 1,
				   .segments = 1,
				   .transfer_size = PAGE,
				   .source = UINT64_MAX};
	struct backend_file *file;
	char *buffer, *back;
	struct error err = {0};

	only_with(backend->opens_relative && !backend->no_storage);
	file = calloc(1, backend->file_size);
	buffer = buffer_make(PAGE);
	back = buffer_make(PAGE);
	assert_int_equal(mkdir(in_local_scratch(subject, "folder"), 0700), 0);
	how.directory = directory_open(subject, in_scratch(subject, "folder"));
	pattern(buffer, PAGE, 4);
	assert_ok(backend->open(subject->session, file, &how, err));
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 0, PAGE, &err), PAGE);
	file_done(subject, file);
	how = (struct backend_open){.path = "none",
				    .directory = how.directory,
				    .access = ACCESS_READ,
				    .comm = MPI_COMM_SELF,
				    .tasks = 1,
				    .segments = 1};
	file = calloc(1, backend->file_size);
	assert_fails(backend->open(subject->session, file, &how, err), ENOENT);
	file_close(subject, file, &err);
	directory_done(subject, how.directory);
	assert_size(subject, in_scratch(subject, "folder/inside"), PAGE);
	file = file_open(subject, in_scratch(subject, "folder/inside"), ACCESS_READ);
	assert_int_equal(move(subject, file, ACCESS_READ, back, 0, PAGE, &err), PAGE);
	assert_memory_equal(back, buffer, PAGE);
	file_done(subject, file);
	free(buffer);
	free(back);
}

const struct CMUnitTest metadata_tests[] = {
	TEST(create_makes_a_file_and_is_exclusive),
	TEST(mknod_makes_a_file_and_is_exclusive),
	TEST(stat_tells_the_size),
	TEST(open_close_opens_what_is_there_and_makes_nothing),
	TEST(chmod_sets_the_mode_and_access_looks_at_it),
	TEST(remove_takes_files_away_but_not_directories),
	TEST(rename_replaces_what_is_there),
	TEST(rename_moves_from_one_directory_to_another),
	TEST(mkdir_makes_a_directory_and_is_exclusive),
	TEST(rmdir_takes_only_empty_directories_away),
	TEST(lstat_is_of_the_link_itself),
	TEST(list_tells_every_entry_once),
	TEST(open_directory_refuses_what_is_none),
	TEST(files_are_opened_relative_to_a_directory),
};
const size_t metadata_test_count = LENGTH_OF(metadata_tests);
