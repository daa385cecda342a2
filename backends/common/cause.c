/* The cause of a failure that a library does not name. */
#include "backends/common/cause.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/common/hidden.h"
#include "base/named_file.h"
#include "base/text.h"

enum { PIECE = 1 << 16 };

/* Appends to the text, whose beginning gives way where it is too long. */
static __attribute__((format(printf, 2, 3))) int append(struct error *err, const char *format, ...)
{
	char more[200];
	va_list arguments;

	va_start(arguments, format);
	size_t length = (size_t)vsnprintf(more, sizeof(more), format, arguments);
	va_end(arguments);
	if (length >= sizeof(more))
		length = sizeof(more) - 1;
	const size_t used = strlen(err->text), room = sizeof(err->text) - length - 1;

	memcpy(err->text + (used < room ? used : room), more, length + 1);
	return -1;
}

/* Other values may be left from what a library does in passing. */
static bool is_of_storage(int left)
{
	return hidden_loss(left) || left == ENOTCONN || left == EREMOTEIO || left == ENOLCK;
}

static bool read_fails(int fd, const struct cause_call *call)
{
	char piece[PIECE];
	ssize_t moved = 1;

	for (uint64_t done = 0; done < call->length && moved > 0; done += (uint64_t)moved) {
		const uint64_t rest = call->length - done;

		moved = pread(fd, piece, rest < PIECE ? rest : PIECE, (off_t)(call->offset + done));
	}
	return moved < 0;
}

static bool is_at_path(int fd, const char *path)
{
	struct stat own, there;

	return !fstat(fd, &own) && !lstat(path, &there) && named_file_same(&own, &there);
}

/*
 * Makes the missing file and removes it. Returns as repeat(). Other tasks may be about to make the
 * file, so it gets no name where the file system can do without.
 */
static const char *repeat_create(const char *path)
{
	char directory[4096];
	const char *failed = NULL;
	int fd = -1;

	if (text_directory(path, directory, sizeof(directory)))
		fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0) {
		close(fd);
		return NULL;
	}
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno == EEXIST ? NULL : "create";
	if (is_at_path(fd, path) && unlink(path))
		failed = "unlink";
	close(fd);
	return failed;
}

/* Repeats the call by POSIX. Returns the name of the step that fails, with errno; NULL: none. */
static const char *repeat(const struct cause_call *call)
{
	const int flags = call->access == ACCESS_WRITE ? O_RDWR : O_RDONLY;
	const int fd = open(call->path, flags | O_CLOEXEC | O_NONBLOCK);
	const char *failed = NULL;
	struct stat status;
	int code;

	if (fd < 0)
		return errno == ENOENT && call->creates ? repeat_create(call->path) : "open";
	if (fstat(fd, &status))
		failed = "stat";
	else if (call->access == ACCESS_READ && read_fails(fd, call))
		failed = "read";
	else if (call->syncs && fsync(fd))
		failed = "fsync";
	code = errno;
	close(fd);
	errno = code;
	return failed;
}

int cause_add(struct error *err, int left, const struct cause_call *call)
{
	const char *failed;

	if (err->code || err->kind != ERROR_IO)
		return -1;
	if (is_of_storage(left)) {
		err->code = left;
		return append(err, "; errno is left at %s", strerror(left));
	}
	failed = repeat(call);
	if (failed) {
		err->code = errno;
		return append(err, "; %s of the file by POSIX: %s", failed, strerror(err->code));
	}
	return append(err, "; the library names no cause, and by POSIX the file can be %s%s%s",
		      call->creates ? "made or opened" : "opened",
		      call->access == ACCESS_READ && call->length ? " and read" : "",
		      call->syncs ? " and synced" : "");
}
