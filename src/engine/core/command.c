/*
 * User commands. Each runs in a shell with its own process group, so that all its children can be
 * ended.
 */
#include "engine/core/command.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

extern char **environ;

enum { LOOK_NS = 10000000, LOOKS_UNTIL_KILLED = 50 };

/* Returns this process's environment followed by `variables`. The caller frees the array. */
static char **with_variables(const char *const *variables)
{
	size_t ours = 0, theirs = 0;
	char **all;

	while (environ[ours])
		ours++;
	while (variables && variables[theirs])
		theirs++;
	all = memory_allocate(ours + theirs + 1, sizeof(*all));
	memcpy(all, environ, ours * sizeof(*all));
	for (size_t i = 0; i < theirs; i++)
		all[ours + i] = (char *)variables[i];
	return all;
}

/*
 * The shell starts with no blocked signals: iorx blocks them, so the command must not inherit the
 * mask.
 */
static int spawn_shell(const char *command, char **environment, pid_t *child)
{
	char *const arguments[] = {"sh", "-c", (char *)command, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none;

	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	int code = posix_spawn(child, "/bin/sh", &files, &attributes, arguments, environment);

	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return code;
}

static bool must_end(struct worker *worker)
{
	if (clock_now(worker->clock) >= worker->deadline_ns)
		stop_request(worker->node, STOP_DEADLINE);
	return atomic_load(&worker->node->shared->stop) != STOP_NONE;
}

/*
 * Waits for the child. On a stop request sends SIGTERM, then SIGKILL after half a second. Returns
 * as waitpid(); *ended: SIGTERM was sent.
 */
static pid_t wait_or_end(struct worker *worker, pid_t child, int *status, bool *ended)
{
	const struct timespec pause = {.tv_nsec = LOOK_NS};
	unsigned looks = 0;
	pid_t found;

	*ended = false;
	while (!(found = waitpid(child, status, WNOHANG)) || (found < 0 && errno == EINTR)) {
		if (*ended && ++looks == LOOKS_UNTIL_KILLED)
			kill(-child, SIGKILL);
		if (!*ended && must_end(worker)) {
			*ended = true;
			kill(-child, SIGTERM);
		}
		nanosleep(&pause, NULL);
	}
	return found;
}

int command_run(struct worker *worker, const char *option, const char *command,
		const char *const *variables, struct error *err)
{
	char **environment = with_variables(variables);
	pid_t child;
	int status;
	bool ended;
	int code = spawn_shell(command, environment, &child);

	free(environment);
	if (code)
		return error_set(err, code, "%s: sh: %s", option, strerror(code));
	if (wait_or_end(worker, child, &status, &ended) < 0)
		return error_set(err, errno, "%s: %s", option, strerror(errno));
	if (!ended && (!WIFEXITED(status) || WEXITSTATUS(status)))
		return error_set(err, 0, "%s: \"%s\" ended with %s %d", option, command,
				 WIFEXITED(status) ? "exit code" : "signal",
				 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	return 0;
}

/* Runs on task 0 only. */
static void run_with_phase(struct worker *worker, const char *option, const char *command,
			   const struct phase_plan *phase, uint64_t repetition)
{
	char kind[64], number[64], path[PLAN_PATH_SIZE + 16];
	const char *const variables[] = {kind, number, path, NULL};
	struct error err = {0};

	plan_base(worker->plan, 0, worker->path);
	snprintf(kind, sizeof(kind), "IORX_PHASE=%s", phase_name(phase->kind));
	snprintf(number, sizeof(number), "IORX_REPETITION=%" PRIu64, repetition);
	snprintf(path, sizeof(path), "IORX_PATH=%s", worker->path);
	if (command_run(worker, option, command, variables, &err))
		worker_fail(worker, &err, "command", UINT64_MAX, 0);
}

void command_before_phase(struct worker *worker, const struct phase_plan *phase,
			  uint64_t repetition)
{
	const struct metadata *test = worker->plan->metadata;

	if (!test || !test->run_cmd_before_phase)
		return;
	if (worker->task == 0)
		run_with_phase(worker, "run_cmd_before_phase", test->run_cmd_before_phase, phase,
			       repetition);
	comm_wait_for_all(&worker->crew->comm, worker->idle);
}

void command_after_phase(struct worker *worker, const struct phase_plan *phase, uint64_t repetition)
{
	const struct metadata *test = worker->plan->metadata;

	if (!test || !test->run_cmd_after_phase)
		return;
	comm_wait_for_all(&worker->crew->comm, worker->idle);
	if (worker->task == 0)
		run_with_phase(worker, "run_cmd_after_phase", test->run_cmd_after_phase, phase,
			       repetition);
}
