/* Words and numbers shared by IOR's text form and IOR's summary. */
#ifndef REPORT_IOR_WORDS_H
#define REPORT_IOR_WORDS_H

#include <time.h>

#include "report/foreign.h"

#define IOR_VERSION "4.1.0" /* version of IOR whose forms are written */

struct ior_word {
	char text[64];
};

struct ior_word ior_time(time_t at);			/* "Tue Nov  7 10:19:36 2023" */
struct ior_word ior_size(uint64_t bytes);		/* "1 MiB", "1.50 GiB", "512 bytes" */
struct ior_word ior_api(const struct backend *backend); /* "POSIX", "DUMMY" */
const char *ior_ordering(const struct test *test);	/* between files */
uint32_t ior_tasks_per_node(const struct plan *plan);	/* tasks on the first task's node */
void ior_machine(struct text *out, const struct environment *environment); /* "Linux node01" */

/* IOR's wr/rd(s): from the first issue to the last completion, with the syncs behind it. */
double ior_access_seconds(const struct phase_result *phase);
double ior_iops(const struct phase_result *phase);    /* transfers / ior_access_seconds() */
double ior_latency(const struct phase_result *phase); /* mean service time, seconds; 0: not known */

/*
 * Figures over the complete repetitions of a kind of phase. walls, moved: repetitions with a
 * stonewall.
 */
struct ior_figures {
	struct figures rates, operations, times, walls, moved; /* MiB/s, 1/s, s, s, MiB */
};

struct ior_figures ior_figures_of(const struct test_result *test, enum phase_kind kind);

#endif
