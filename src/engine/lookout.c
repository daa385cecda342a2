/* A process beside a task that is alone on its node. */
#include "engine/lookout.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { LOOK_MS = 500, WOKE = 1 };
static const char lookout_name[] = "iorx-lookout"; /* argv[0]; then whom it watches, and seconds */

extern char **environ;

/* spawn and not fork: memory that a network card knows must not become copy-on-write. */
static int spawn(struct lookout *lookout, int end, double seconds)
{
	char name[sizeof(lookout_name)], task[16], limit[32];
	char *const argv[] = {name, task, limit, NULL};
	posix_spawn_file_actions_t actions;
	int code;

	strcpy(name, lookout_name);
	snprintf(task, sizeof(task), "%d", (int)getpid());
	snprintf(limit, sizeof(limit), "%g", seconds);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
	/* A launcher waits until all have closed what it reads. */
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	code = posix_spawn(&lookout->pid, "/proc/self/exe", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

int lookout_start(struct lookout *lookout, double seconds, struct error *err)
{
	int ends[2], code;

	if (pipe2(ends, O_CLOEXEC))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	code = spawn(lookout, ends[0], seconds);
	close(ends[0]);
	lookout->alive = ends[1];
	if (!code)
		return 0;
	close(ends[1]);
	lookout->pid = 0;
	return error_set(err, code, "hang_after: posix_spawn of /proc/self/exe: %s", strerror(code));
}

bool lookout_woke(struct lookout *lookout)
{
	int status;

	if (!lookout->pid || waitpid(lookout->pid, &status, WNOHANG) != lookout->pid)
		return false;
	lookout->pid = 0;
	close(lookout->alive);
	return WIFEXITED(status) && WEXITSTATUS(status) == WOKE;
}

void lookout_stop(struct lookout *lookout)
{
	if (!lookout->pid)
		return;
	close(lookout->alive);
	waitpid(lookout->pid, NULL, 0);
	lookout->pid = 0;
}

bool lookout_is_this(int argc, char **argv)
{
	return argc == 3 && !strcmp(argv[0], lookout_name);
}

/* R, S, D, T … and the parent; '?' when there is no such process. */
static char process_state(int pid, int *parent)
{
	char path[32], line[512];
	char state = '?';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return state;
	/* The name, in parentheses, may hold anything. */
	const char *rest = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;

	if (!rest || sscanf(rest, ") %c %d", &state, parent) != 2)
		state = '?';
	fclose(file);
	return state;
}

static bool is_stopped_alone(int pid)
{
	int launcher = 0, above;

	return process_state(pid, &launcher) == 'T' && process_state(launcher, &above) != 'T';
}

int lookout_run(char **argv)
{
	const int pid = atoi(argv[1]);
	const double limit = strtod(argv[2], NULL);
	struct pollfd task = {.fd = STDIN_FILENO, .events = POLLIN};
	uint64_t since_ns = 0, looked_ns = clock_monotonic_ns();

	/* Readable: the other end is closed. */
	while (poll(&task, 1, LOOK_MS) <= 0) {
		uint64_t now_ns = clock_monotonic_ns();

		/* Who was stopped itself knows nothing of the others. */
		if (now_ns - looked_ns > 3 * LOOK_MS * UINT64_C(1000000) || !is_stopped_alone(pid))
			since_ns = 0;
		else if (!since_ns)
			since_ns = looked_ns;
		looked_ns = now_ns;
		if (since_ns && (double)(now_ns - since_ns) / 1e9 >= limit) {
			kill(pid, SIGCONT);
			return WOKE;
		}
	}
	return 0;
}
