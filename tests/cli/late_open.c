/*
 * Lets rank 0 open files whose names contain $LATE 3 s late if it may have to create them, for
 * LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "preload.h"

static int is_first_rank(void)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");

	if (!rank)
		rank = getenv("PMI_RANK");
	return rank && !strcmp(rank, "0");
}

int open(const char *name, int flags, ...)
{
	const char *part = getenv("LATE");
	mode_t mode = 0;
	va_list more;

	va_start(more, flags);
	if (flags & O_CREAT)
		mode = va_arg(more, mode_t);
	va_end(more);
	if (flags & O_CREAT && part && strstr(name, part) && is_first_rank())
		sleep(3);
	return NEXT(open)(name, flags, mode);
}
TWIN(open);
