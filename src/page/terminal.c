/* Whether a user sees the text while it is written. */
#include "page/terminal.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

/* 0: no terminal, or one without a size, as launchers open for their tasks. */
static unsigned columns_of(int fd)
{
	struct winsize size;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

/* Reads the name and the parent of a process; false when they cannot be read. */
static bool read_process(pid_t pid, char name[16], pid_t *parent)
{
	char path[64], line[256] = "";
	FILE *file;
	int number = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	const char *end = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	const char *begin = strchr(line, '(');

	fclose(file);
	if (!end || !begin || sscanf(end, ") %*c %d", &number) != 1)
		return false;
	snprintf(name, 16, "%.*s", (int)(end - begin - 1), begin + 1);
	*parent = number;
	return true;
}

static bool is_launcher(const char *name)
{
	static const char *const starts[] = {"mpirun", "mpiexec", "orterun", "orted", "prterun",
					     "prted",  "prun",	  "hydra_",  "srun"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static unsigned columns_of_process(pid_t pid, int number)
{
	char path[64], target[64] = "";
	unsigned columns;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, number);
	/* Only terminals are opened; opening a pipe or a file could have effects. */
	if (readlink(path, target, sizeof(target) - 1) < 0 ||
	    (strncmp(target, "/dev/pts/", 9) && strncmp(target, "/dev/tty", 8)))
		return 0;
	fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return 0;
	columns = columns_of(fd);
	close(fd);
	return columns;
}

unsigned terminal_columns(int fd)
{
	unsigned columns = columns_of(fd);
	pid_t pid = getppid(), parent;
	char name[16];

	/* The outermost launcher is the one the user started. */
	while (pid > 1 && read_process(pid, name, &parent) && is_launcher(name)) {
		columns = columns_of_process(pid, fd);
		pid = parent;
	}
	return columns;
}
