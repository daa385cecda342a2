/*
 * A process beside a task that is alone on its node, where no neighbour could see that it no longer
 * runs: with hang_after it looks twice a second whether the task is stopped. When it is for too
 * long, its lookout wakes it and ends; the task's own watchdog then says so and ends the job. It
 * ends with its task. While the task's launcher is stopped too the whole job is suspended, and
 * nobody is judged.
 */
#ifndef ENGINE_LOOKOUT_H
#define ENGINE_LOOKOUT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct lookout {
	pid_t pid; /* 0: there is none */
	int alive; /* its other end is closed when the task ends */
};

/* It is this program again, under another name; 3 s and more. */
int lookout_start(struct lookout *lookout, double seconds, struct error *err);
/* Whether it woke this task. */
bool lookout_woke(struct lookout *lookout);
void lookout_stop(struct lookout *lookout);

/* Whether main was called for that, and what it then does instead; returns the exit code. */
bool lookout_is_this(int argc, char **argv);
int lookout_run(char **argv);

#endif
