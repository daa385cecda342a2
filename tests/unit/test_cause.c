/* The cause that the operating system gives where a library names none. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "backends/common/cause.h"

static const struct cause_call reads = {
	.path = "file", .access = ACCESS_READ, .offset = 2, .length = 100};

/* The text and the code of "library: failed" after cause_add(). */
static struct error complete(int left, const struct cause_call *call)
{
	struct error err = {0};

	error_set(&err, 0, "library: failed");
	assert_int_equal(cause_add(&err, left, call), -1);
	return err;
}

static int make_file(void **state)
{
	int fd = open("file", O_CREAT | O_WRONLY, 0644);

	(void)state;
	return fd < 0 || write(fd, "data", 4) != 4 || close(fd) || mkdir("directory", 0755);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink("file") || rmdir("directory");
}

static void errno_that_the_library_left_is_taken(void **state)
{
	struct error err = complete(EIO, &reads);

	(void)state;
	assert_int_equal(err.code, EIO);
	assert_string_equal(err.text, "library: failed; errno is left at Input/output error");
}

static void errno_of_tidying_up_is_not_taken(void **state)
{
	struct error err = complete(EBADF, &reads);

	(void)state;
	assert_int_equal(err.code, 0);
	assert_string_equal(err.text,
			    "library: failed; the library names no cause, and by POSIX the file "
			    "can be opened and read");
}

static void the_call_is_repeated_by_posix(void **state)
{
	static const struct cause_call missing = {.path = "missing", .access = ACCESS_WRITE};
	static const struct cause_call directory = {
		.path = "directory", .access = ACCESS_READ, .length = 1};
	static const struct cause_call syncs = {
		.path = "file", .access = ACCESS_WRITE, .syncs = true};
	struct error err = complete(0, &missing);

	(void)state;
	assert_int_equal(err.code, ENOENT);
	assert_string_equal(
		err.text, "library: failed; open of the file by POSIX: No such file or directory");
	err = complete(0, &directory);
	assert_int_equal(err.code, EISDIR);
	assert_string_equal(err.text, "library: failed; read of the file by POSIX: Is a directory");
	err = complete(0, &syncs);
	assert_int_equal(err.code, 0);
	assert_non_null(strstr(err.text, "the file can be opened and synced"));
}

static void a_failed_create_is_repeated_and_leaves_nothing(void **state)
{
	static const struct cause_call makes = {
		.path = "missing", .access = ACCESS_WRITE, .creates = true};
	static const struct cause_call nowhere = {
		.path = "file/missing", .access = ACCESS_WRITE, .creates = true};
	static const struct cause_call no_directory = {
		.path = "nowhere/missing", .access = ACCESS_WRITE, .creates = true};
	struct error err = complete(0, &makes);

	(void)state;
	assert_int_equal(err.code, 0);
	assert_non_null(strstr(err.text, "the file can be made or opened"));
	assert_int_equal(access("missing", F_OK), -1);
	assert_int_equal(complete(0, &nowhere).code, ENOTDIR);
	err = complete(0, &no_directory);
	assert_int_equal(err.code, ENOENT);
	assert_non_null(strstr(err.text, "create of the file by POSIX"));
}

static void a_known_cause_stays(void **state)
{
	struct error err = {0};

	(void)state;
	error_set(&err, ENOSPC, "library: full");
	cause_add(&err, EIO, &reads);
	assert_int_equal(err.code, ENOSPC);
	assert_string_equal(err.text, "library: full");
}

static void a_long_text_makes_room(void **state)
{
	struct error err = {0};

	(void)state;
	error_set(&err, 0, "%0*d", (int)sizeof(err.text) - 1, 0);
	cause_add(&err, EIO, &reads);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_non_null(strstr(err.text, "000; errno is left at Input/output error"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errno_that_the_library_left_is_taken),
		cmocka_unit_test(errno_of_tidying_up_is_not_taken),
		cmocka_unit_test(the_call_is_repeated_by_posix),
		cmocka_unit_test(a_failed_create_is_repeated_and_leaves_nothing),
		cmocka_unit_test(a_known_cause_stays),
		cmocka_unit_test(a_long_text_makes_room),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
