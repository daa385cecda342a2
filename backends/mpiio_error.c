/* Reports failures of MPI calls, with the errno value that an error class means. */
#include "backends/mpiio_state.h"

#include <errno.h>
#include <string.h>

static const struct {
	int class, code;
} causes[] = {
	{MPI_ERR_NO_SUCH_FILE, ENOENT}, {MPI_ERR_FILE_EXISTS, EEXIST}, {MPI_ERR_ACCESS, EACCES},
	{MPI_ERR_NO_SPACE, ENOSPC},	{MPI_ERR_QUOTA, EDQUOT},       {MPI_ERR_READ_ONLY, EROFS},
	{MPI_ERR_FILE_IN_USE, EBUSY},	{MPI_ERR_NO_MEM, ENOMEM},      {MPI_ERR_AMODE, EINVAL},
};

static int class_of(int code)
{
	int class;

	MPI_Error_class(code, &class);
	return class;
}

/*
 * The errno that an MPI error class stands for; 0 when the class says nothing. OMPIO reports every
 * failed unlink as MPI_ERR_ACCESS, so for that class the errno of the call is preferred, but for
 * EBADF, which OMPIO's own tidying up leaves behind.
 */
static int errno_of(int class, int cause)
{
	if (class == MPI_ERR_ACCESS && cause && cause != EBADF)
		return cause;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].class == class)
			return causes[i].code;
	return 0;
}

/* Removes MPICH's stack of internal calls and joins the rest to one line. */
static void tidy(char *text)
{
	char *stack = strstr(text, ", error stack:");

	if (stack)
		*stack = '\0';
	for (char *at = text; (at = strpbrk(at, "\n\t"));)
		*at = ' ';
	for (size_t length = strlen(text); length && text[length - 1] == ' ';)
		text[--length] = '\0';
}

int mpiio_failed(struct error *err, const char *call, int code, int cause,
		 const struct cause_call *place)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int class = class_of(code), known = errno_of(class, cause), length;

	MPI_Error_string(code, text, &length);
	tidy(text);
	/* OMPIO's own tidying up leaves EBADF behind, and a create that failed ENOENT. */
	if (!known && cause != EBADF && !(cause == ENOENT && place->creates))
		known = cause;
	if (!known) {
		error_set(err, 0, "%s: %s", call, text);
		return cause_add(err, 0, place);
	}
	return error_set(err, known, "%s: %s (%s)", call, strerror(known), text);
}
