/* Reports a failed HDF5 call by the library's stack of errors, the innermost first. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/hdf5_state.h"

enum { KEPT = 2, LENGTH = 200, SIGNATURE = 512 };

struct story {
	unsigned count;
	char text[KEPT][LENGTH];
	int code; /* first errno that an entry names */
};

/* MPI error names for errno values. Most messages have the errno's text as well. */
static const struct {
	const char *word;
	int code;
} words[] = {
	{"MPI_ERR_NO_SUCH_FILE", ENOENT}, {"File does not exist", ENOENT},
	{"MPI_ERR_ACCESS", EACCES},	  {"MPI_ERR_NO_SPACE", ENOSPC},
	{"MPI_ERR_QUOTA", EDQUOT},	  {"MPI_ERR_READ_ONLY", EROFS},
	{"MPI_ERR_FILE_EXISTS", EEXIST},  {"file exists", EEXIST},
	{"no write intent", EBADF},
};

static int code_of(const char *text)
{
	const char *number = strstr(text, "errno = ");
	int code;

	if (number && sscanf(number, "errno = %d", &code) == 1 && code > 0)
		return code;
	for (code = 1; code <= EHWPOISON; code++)
		if (strcasestr(text, strerror(code)))
			return code;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(text, words[i].word))
			return words[i].code;
	return 0;
}

static herr_t listen(unsigned depth, const H5E_error2_t *error, void *data)
{
	struct story *story = data;

	if (!error->desc || !*error->desc)
		return 0;
	if (!story->code)
		story->code = code_of(error->desc);
	if (story->count < KEPT)
		snprintf(story->text[story->count++], LENGTH, "%s", error->desc);
	return 0;
}

static void one_line(char *text)
{
	for (; *text; text++)
		if (*text == '\n')
			*text = ' ';
}

static int set_error(const struct story *story, struct error *err, const char *call)
{
	if (story->code)
		error_set(err, story->code, "%s: %s", call, strerror(story->code));
	else if (story->count == KEPT)
		error_set(err, 0, "%s: %s (%s)", call, story->text[0], story->text[1]);
	else
		error_set(err, 0, "%s: %s", call,
			  story->count ? story->text[0]
				       : "failed, and the library does not say why");
	one_line(err->text);
	return -1;
}

int hdf5_failed(struct error *err, const char *call)
{
	struct story story = {0};

	H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, listen, &story);
	return set_error(&story, err, call);
}

int hdf5_failed_path(struct error *err, const char *call, const char *path, int flags)
{
	const struct cause_call place = {.path = path,
					 .access = flags == O_RDONLY ? ACCESS_READ : ACCESS_WRITE,
					 .creates = flags & O_CREAT,
					 .length = SIGNATURE};
	const int left = errno;
	struct story story = {0};
	int fd;

	H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, listen, &story);
	fd = open(path, (flags & ~O_CREAT) | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	else if (errno != ENOENT || !place.creates)
		story.code = errno;
	set_error(&story, err, call);
	return cause_add(err, left, &place);
}

int hdf5_failed_at(struct error *err, const char *name, const struct cause_call *call)
{
	const int left = errno;

	hdf5_failed(err, name);
	return cause_add(err, left, call);
}
