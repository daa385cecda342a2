/* Commands of the user's between timed parts, run by a shell. */
#ifndef ENGINE_CORE_COMMAND_H
#define ENGINE_CORE_COMMAND_H

#include "engine/core/worker.h"

/*
 * Waits for its end, and ends it with all it started when a stop is asked for or the deadline comes.
 * Its standard output is our standard error, as results are on ours; it has nothing to read.
 * variables: NAME=value that it gets beside our environment, ends with NULL; NULL: none. It must end
 * with exit code 0; errors name the option that has it. When it was ended for a stop that is none.
 */
int command_run(struct worker *worker, const char *option, const char *command,
		const char *const *variables, struct error *err);

/*
 * What metadata tests have run before and after each phase, by task 0 while the others wait.
 * Collective over the test's tasks; a failure is that of task 0.
 */
void command_before_phase(struct worker *worker, const struct phase_plan *phase, uint64_t repetition);
void command_after_phase(struct worker *worker, const struct phase_plan *phase, uint64_t repetition);

#endif
