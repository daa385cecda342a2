/* Files for results. */
#include "base/result_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"

char *result_file_line(int fd, char *line, size_t size)
{
	ssize_t got = pread(fd, line, size - 1, 0);

	line[got > 0 ? got : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static int result_file_refuse(const struct result_file *file, const char *what, struct error *err)
{
	return error_input(err,
			   "%s: %.200s %s; name another file, or allow it with "
			   "--allow-overwrite on the command line",
			   file->key, file->path, what);
}

/* Pipes and terminals keep nothing that could be overwritten. */
static bool is_stream(mode_t mode)
{
	return S_ISFIFO(mode) || S_ISCHR(mode);
}

static int refuse_kind(const struct result_file *file, const char *what, struct error *err)
{
	return error_input(err, "%s: %.300s is %s; name a file", file->key, file->path, what);
}

static int check(const struct result_file *file, int fd, bool linked, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status))
		return error_set(err, errno, "%s: %.200s: %s", file->key, file->path,
				 strerror(errno));
	if (is_stream(status.st_mode))
		return 0;
	if (!S_ISREG(status.st_mode))
		return refuse_kind(file, named_file_kind(status.st_mode), err);
	if (file->takes_any || (!status.st_size && !linked) || file->is_ours(fd))
		return 0;
	return result_file_refuse(file,
				  linked ? "is a symbolic link to what iorx did not make"
					 : "is there and was not made by iorx",
				  err);
}

/* The kind of what stands under the name; 0: nothing does. */
static mode_t mode_of(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : status.st_mode;
}

/* A pipe must not be opened for reading, as its reader would see an end of file. */
static int access_flags(const char *path)
{
	return is_stream(mode_of(path)) ? O_WRONLY : O_RDWR;
}

/*
 * Opens the file and waits for nobody. A symbolic link is followed only to an existing file.
 * Existing files stay unchanged.
 */
static int open_ours(const struct result_file *file, int flags, unsigned mode, struct error *err)
{
	if (named_file_check_folder(file->key, file->path, err))
		return -1;
	flags |= O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

	int fd = open(file->path, flags | O_NOFOLLOW, mode);
	bool linked = fd < 0 && errno == ELOOP;

	if (linked)
		fd = open(file->path, file->takes_any ? flags : flags & ~O_CREAT, mode);
	if (fd < 0 && linked && errno == ENOENT && !file->takes_any)
		return result_file_refuse(file, "is a symbolic link to no file", err);
	if (fd < 0 && errno == ENXIO && S_ISSOCK(mode_of(file->path)))
		return refuse_kind(file, named_file_kind(S_IFSOCK), err);
	if (fd < 0 && errno == ENXIO)
		return error_input(err,
				   "%s: %.300s is a pipe that nobody reads; start its reader "
				   "first, or name a file",
				   file->key, file->path);
	if (fd < 0)
		return error_set(err, errno, "%s: %.300s cannot be made: %s", file->key, file->path,
				 strerror(errno));
	if (!check(file, fd, linked, err)) {
		fcntl(fd, F_SETFL, 0);
		return fd;
	}
	close(fd);
	return -1;
}

int result_file_check(const struct result_file *file, struct error *err)
{
	const mode_t mode = mode_of(file->path);
	int fd;

	if (S_ISFIFO(mode) && file->opens_late)
		return refuse_kind(file, named_file_kind(mode), err);
	if (is_stream(mode))
		return 0;
	fd = open_ours(file, O_RDWR, 0, err);
	if (fd >= 0)
		return close(fd);
	err->kind = err->code == ENOENT ? ERROR_NONE : ERROR_INPUT;
	return err->kind == ERROR_NONE ? 0 : -1;
}

/* A table of an earlier session of the job has rows that no other file has. */
static int keep_older(const struct result_file *file, struct error *err)
{
	struct text older = {0};
	struct stat status;
	int ret;

	if (stat(file->path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return 0;
	ret = result_file_check(file, err) || named_file_move_aside(file->path, &older, err);
	text_release(&older);
	return ret ? -1 : 0;
}

int result_file_open(const struct result_file *file, unsigned mode, struct error *err)
{
	int fd = -1;

	if (!file->keeps_older || !keep_older(file, err))
		fd = open_ours(file, access_flags(file->path) | O_CREAT, mode, err);
	/* ftruncate() sets EINVAL for a pipe or a terminal */
	if (fd >= 0 && (!ftruncate(fd, 0) || errno == EINVAL))
		return fd;
	if (fd >= 0) {
		error_set(err, errno, "%s: %.300s cannot be emptied: %s", file->key, file->path,
			  strerror(errno));
		close(fd);
	}
	err->kind = ERROR_INPUT;
	return -1;
}
