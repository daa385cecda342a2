/* Content from a file that the user names, repeated. */
#include "content/forms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/units.h"

#define MOST (UINT64_C(256) << 20) /* every task holds it */

static int read_whole(int fd, char *bytes, uint64_t length, struct error *err)
{
	const ssize_t got = named_file_read(fd, 0, bytes, length);

	if (got < 0)
		return error_set(err, errno, "read: %s", strerror(errno));
	if ((uint64_t)got < length)
		return error_set(err, 0, "it became shorter while it was read");
	return 0;
}

static int check_size(uint64_t bytes, struct error *err)
{
	if (!bytes)
		return error_set(err, 0, "it is empty; name a file with data");
	if (bytes > MOST)
		return error_set(err, 0,
				 "it is larger than %d MiB, which every task would hold; cut a "
				 "piece from it",
				 (int)(MOST / MIB));
	return 0;
}

static int user_file_refuse(const char *path, struct error *err)
{
	err->kind = ERROR_INPUT;
	return error_add(err, "content_file: %s cannot be used", path);
}

/* Opens the user's file. Returns the descriptor, or -1 with *err. */
static int open_source(const char *path, bool spares_private, struct stat *status,
		       struct error *err)
{
	int fd = named_file_open(path, spares_private, err);

	if (fd < 0)
		return -1;
	if (fstat(fd, status))
		error_set(err, errno, "stat: %s", strerror(errno));
	else if (!check_size((uint64_t)status->st_size, err))
		return fd;
	close(fd);
	return -1;
}

int content_check_file(const char *path, bool spares_private, bool *is_private, struct error *err)
{
	struct stat status;
	int fd = open_source(path, spares_private, &status, err);

	if (fd < 0)
		return user_file_refuse(path, err);
	*is_private = named_file_is_private(&status);
	close(fd);
	return 0;
}

int user_file_load(struct content *content, const struct content_setup *setup, struct error *err)
{
	struct stat status;
	int fd = open_source(setup->file, setup->spares_private, &status, err), ret;

	if (fd < 0)
		return user_file_refuse(setup->file, err);
	content->user_bytes = (uint64_t)status.st_size;
	content->user = malloc(content->user_bytes);
	ret = content->user ? read_whole(fd, content->user, content->user_bytes, err)
			    : error_set(err, ENOMEM, "no memory for it");
	close(fd);
	return ret ? user_file_refuse(setup->file, err) : 0;
}

bool user_file_has_zeros(const struct content *content)
{
	uint64_t run = 0;

	for (uint64_t i = 0; i < content->user_bytes && run < SECTOR; i++)
		run = content->user[i] ? 0 : run + 1;
	/* a shorter file of zeros counts too, as it is repeated */
	return run >= SECTOR || run == content->user_bytes;
}

void user_file_fill(const struct content *content, char *bytes, uint64_t offset, uint64_t length)
{
	while (length) {
		uint64_t at = offset % content->user_bytes, left = content->user_bytes - at;
		uint64_t some = left < length ? left : length;

		memcpy(bytes, content->user + at, some);
		bytes += some;
		offset += some;
		length -= some;
	}
}
