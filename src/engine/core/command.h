/* User commands that a shell runs between timed parts. */
#ifndef ENGINE_CORE_COMMAND_H
#define ENGINE_CORE_COMMAND_H

#include "engine/core/worker.h"

/*
 * Runs a command and waits for it. A stop request or the deadline ends the command and its
 * children. Its standard output goes to standard error of iorx, as results are on standard output.
 * Its standard input is empty. variables: NAME=value strings added to the environment,
 * NULL-terminated; NULL: none. Any exit code but 0 is an error that names `option`. A command that
 * was ended for a stop is no error.
 */
int command_run(struct worker *worker, const char *option, const char *command,
		const char *const *variables, struct error *err);

/*
 * Runs run_cmd_before_phase or run_cmd_after_phase of a metadata test on task 0 while the others
 * wait. Collective over the test's tasks. A failure is noted as that of task 0.
 */
void command_before_phase(struct worker *worker, const struct phase_plan *phase,
			  uint64_t repetition);
void command_after_phase(struct worker *worker, const struct phase_plan *phase,
			 uint64_t repetition);

#endif
