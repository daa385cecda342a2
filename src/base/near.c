/* The nearest existing directory above a path that may not exist yet. */
#include "base/near.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

int near_path(const char *path, char *near, struct stat *status)
{
	char above[NEAR_SIZE];

	snprintf(near, NEAR_SIZE, "%s", path);
	while (stat(near, status)) {
		if ((errno != ENOENT && errno != ENOTDIR) ||
		    !text_directory(near, above, sizeof(above)) || !strcmp(near, above))
			return -1;
		strcpy(near, above);
	}
	return 0;
}
