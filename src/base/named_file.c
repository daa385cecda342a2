/* Files that options name. */
#include "base/named_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *named_file_kind(mode_t mode)
{
	return S_ISREG(mode)	? "a file"
	       : S_ISDIR(mode)	? "a directory"
	       : S_ISFIFO(mode) ? "a pipe"
	       : S_ISLNK(mode)	? "a symbolic link"
	       : S_ISCHR(mode)	? "a character device"
	       : S_ISBLK(mode)	? "a block device"
				: "a socket";
}

static int named_file_check(int fd, bool spares_private, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status))
		return error_set(err, errno, "%s", strerror(errno));
	if (!S_ISREG(status.st_mode))
		return error_set(err, 0, "it is %s; name a regular file",
				 named_file_kind(status.st_mode));
	if (spares_private && named_file_is_private(&status))
		return error_set(err, 0,
				 "not everybody may read it (mode %04o), and a job file names it; "
				 "name it on the command line, or allow it there with "
				 "--allow-private",
				 status.st_mode & 07777U);
	return 0;
}

int named_file_open(const char *path, bool spares_private, struct error *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int ret = fd < 0 ? error_set(err, errno, "%s", strerror(errno))
			 : named_file_check(fd, spares_private, err);

	if (!ret)
		return fd;
	if (fd >= 0)
		close(fd);
	err->kind = ERROR_INPUT;
	return -1;
}

ssize_t named_file_read(int fd, uint64_t at, void *bytes, size_t length)
{
	size_t done = 0;
	ssize_t got = 1;

	while (done < length && got > 0) {
		got = pread(fd, (char *)bytes + done, length - done, (off_t)(at + done));
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			done += (size_t)got;
	}
	return got < 0 ? -1 : (ssize_t)done;
}

static bool lies_in(const char *path, const char *folder)
{
	const size_t length = strlen(folder);

	return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

int named_file_check_folder(const char *key, const char *path, struct error *err)
{
	static const char *const folders[] = {"/dev", "/proc", "/sys"};
	char directory[4096], *real = NULL, *slash;
	const char *found = NULL;

	if (access(path, F_OK) && text_directory(path, directory, sizeof(directory)))
		while (!(real = realpath(directory, NULL)) && (slash = strrchr(directory, '/')) &&
		       slash > directory)
			*slash = '\0';
	for (size_t i = 0; real && i < sizeof(folders) / sizeof(*folders) && !found; i++)
		if (lies_in(real, folders[i]) && !lies_in(real, "/dev/shm"))
			found = folders[i];
	free(real);
	if (!found)
		return 0;
	return error_input(err,
			   "%s: %.300s is not there, and new files do not belong into %s; "
			   "correct the name, or choose another directory",
			   key, path, found);
}

int named_file_check_name(const char *key, const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (*name && strcmp(name, ".") && strcmp(name, ".."))
		return 0;
	return error_input(err, "%s: \"%.300s\" has no file name at its end; add one", key, path);
}

int named_file_move_aside(const char *path, struct text *older, struct error *err)
{
	enum { MOST_OLDER = 1000 };
	struct stat status;

	if (!stat(path, &status) && S_ISDIR(status.st_mode))
		return error_set(err, EISDIR, "%.300s: %s", path, strerror(EISDIR));
	for (unsigned number = 1; number <= MOST_OLDER; number++) {
		text_clear(older);
		text_add(older, "%s.%u", path, number);
		if (!access(older->bytes, F_OK))
			continue;
		if (!rename(path, older->bytes))
			return 0;
		break;
	}
	return error_set(err, errno, "%.300s: %s", path, strerror(errno));
}
