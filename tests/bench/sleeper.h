/*
 * A thread that sleeps, as the watchdog does beside each task of iorx. In a process with threads
 * Linux counts references to an open file at each call, some 30 ns: a bare loop pays them too.
 */
#ifndef TESTS_BENCH_SLEEPER_H
#define TESTS_BENCH_SLEEPER_H

#include <pthread.h>
#include <unistd.h>

static inline void *sleep_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* It sleeps until the process ends; 0, or an errno value. */
static inline int start_sleeper(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, sleep_for_ever, NULL);
}

#endif
