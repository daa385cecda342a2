/* Names of errno values. */
#include "base/errno_names.h"

#include <errno.h>
#include <stddef.h>

#define NAMED(code)         \
	{                   \
#code, code \
	}

static const struct {
	const char *name;
	int code;
} errors[] = {
	NAMED(EIO),	     NAMED(ENOSPC),	  NAMED(EDQUOT),   NAMED(EROFS),
	NAMED(EACCES),	     NAMED(EPERM),	  NAMED(ENOENT),   NAMED(EEXIST),
	NAMED(EMLINK),	     NAMED(ENOTEMPTY),	  NAMED(ENOTDIR),  NAMED(EISDIR),
	NAMED(ESTALE),	     NAMED(EBADF),	  NAMED(EINVAL),   NAMED(EFBIG),
	NAMED(EMFILE),	     NAMED(ENFILE),	  NAMED(ENOMEM),   NAMED(EBUSY),
	NAMED(EAGAIN),	     NAMED(EINTR),	  NAMED(EXDEV),	   NAMED(ELOOP),
	NAMED(ENAMETOOLONG), NAMED(ETIMEDOUT),	  NAMED(ENODEV),   NAMED(ENXIO),
	NAMED(EPIPE),	     NAMED(EOPNOTSUPP),	  NAMED(EFAULT),   NAMED(EOVERFLOW),
	NAMED(ENODATA),	     NAMED(EBADMSG),	  NAMED(EPROTO),   NAMED(EUCLEAN),
	NAMED(ENOLCK),	     NAMED(EDEADLK),	  NAMED(ETXTBSY),  NAMED(EKEYEXPIRED),
	NAMED(ECONNREFUSED), NAMED(ECONNRESET),	  NAMED(ENOTCONN), NAMED(EREMOTEIO),
	NAMED(EHOSTUNREACH), NAMED(EHOSTDOWN),	  NAMED(ENETDOWN), NAMED(ENETUNREACH),
	NAMED(ESHUTDOWN),    NAMED(ECONNABORTED), NAMED(ENOSYS),   NAMED(ECANCELED),
};

enum { ERROR_COUNT = sizeof(errors) / sizeof(errors[0]) };

const char *errno_find_name(int code)
{
	for (size_t i = 0; i < ERROR_COUNT; i++)
		if (errors[i].code == code)
			return errors[i].name;
	return NULL;
}

int errno_find_code(const char *name)
{
	for (size_t i = 0; i < ERROR_COUNT; i++)
		if (text_same_key(errors[i].name, name))
			return errors[i].code;
	return 0;
}

void errno_add_names(struct text *text)
{
	for (size_t i = 0; i < ERROR_COUNT; i++)
		text_add(text, " %s", errors[i].name);
}
