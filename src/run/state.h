/* A job and a test as they run; shared by the files of this room. */
#ifndef RUN_STATE_H
#define RUN_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "engine/core/agree.h"
#include "engine/core/watchdog.h"
#include "engine/core/worker.h"
#include "report/report.h"
#include "run/run.h"

/* What the live line was made of the last time. */
struct live {
	uint64_t began_ns;   /* of the phase; all on CLOCK_MONOTONIC's axis */
	uint64_t looked_ns;
	uint64_t operations;
};

struct runner {
	const struct job *job;
	struct world *world;
	struct clock *clock;
	struct node node;
	struct watchdog watchdog;
	struct facts facts;
	struct crew everyone;          /* all tasks of the job */
	struct plan *plans;            /* one per test */
	struct crew *crews;            /* one per test, started while it runs */
	double deadline;               /* seconds since the epoch, 0: none */
	uint64_t seed;
	enum exit_code code;
	enum job_status status;
	bool over;                     /* no further test */
	bool left_open;                /* this task's library cannot live to see MPI_Finalize */
	struct operation_table *table; /* of this task's operations; NULL: none is wanted */

	/* task 0 only */
	struct report *report;
	struct environment environment;
	pthread_mutex_t rescue_lock;   /* the watchdog's rescue against the orderly end */
	bool finished;

	/* for the watchdog's message: what is going on, written between phases */
	_Atomic(const struct plan *) current; /* of the test that runs */
	_Atomic uint64_t repetition;

	struct live live; /* task 0's watchdog only */
};

/* One test as it runs. */
struct test_run {
	struct runner *runner;
	unsigned number;
	const struct test_spec *spec;
	const struct test *test;
	const struct plan *plan;
	const struct crew *crew;
	struct worker worker;
	struct test_result result;
	struct mount_facts mount;     /* task 0 */
	double began;                 /* now_epoch() at its start */
	uint64_t origin_ns;           /* before its first phase, on the common axis; 0: none yet */
	double longest[PHASE_KINDS];  /* s, of the phases so far; task 0 */
	double first_began;           /* s since the epoch, of the first repetition; task 0 */
	double longest_repetition;    /* s; task 0 */
	bool wrote;
	bool damaged;                 /* in this repetition data was wrong, or an operation failed */
	bool incomplete;              /* this repetition could not make what it needs, and is over */
	bool met_others;              /* as others' files lie in its trees, which stay */
	bool keeps_evidence;          /* it was so in one, and its files stay */
	bool calibrated;              /* reads_counted was tried; task 0 */
	enum reads_counted reads_counted;
	bool told_settings[PHASE_KINDS];
	bool checks_only;             /* looks whether it could run; touches nothing */
	bool ended;                   /* no further phase of this test; the same on every task */
};

/* The first task of the job reads, reports and writes for all. */
static inline bool leads(const struct runner *runner)
{
	return runner->world->all.rank == 0;
}

/* The first task of a test decides and reports for it. */
static inline bool leads_test(const struct test_run *run)
{
	return run->crew->comm.rank == 0;
}

/* The crew of a test of the job; plan is one of runner->plans. */
static inline struct crew *crew_of(const struct runner *runner, const struct plan *plan)
{
	return &runner->crews[plan - runner->plans];
}

double now_epoch(void); /* seconds */

/* Ends the test and the job after what the tasks agreed on. */
void end_badly(struct test_run *run, const struct agreement *end);
/* Whether the files of a repetition are there when it is over. */
bool files_stay(const struct test_run *run);
/* A signal ends it. */
void pause_for(const struct test_run *run, double seconds);
/* False when it was not started, as the deadline is too near. */
bool run_phase(struct test_run *run, const struct phase_plan *phase, uint64_t repetition);
/*
 * status.c, the status file: what a phase has written is kept; a test that only reads takes what there is. Before
 * the test, by task 0: whether the file can be written, where it will be.
 */
void write_status(struct test_run *run, enum phase_kind kind);
int read_status(struct test_run *run, struct error *err);
int check_status(const struct test_run *run, struct error *err);

/*
 * names.c, before a metadata test. Checked before the job, a test may need what an earlier one will leave, or
 * have removed: then no tree is expected. What is there or not, and on task 0 whether what is made fits: 0,
 * or -1 with *err.
 */
bool names_expected(const struct test_run *run);
int names_check(struct test_run *run, struct error *err);
int names_check_space(struct test_run *run, struct error *err);

/* repetitions.c: whether number `number`, from 0 and warm-ups counted, is to be done. Collective. */
bool repetition_wanted(struct test_run *run, uint64_t number);
/* One that began then (now_epoch()) is over. */
void repetition_took(struct test_run *run, double began);
/*
 * rows.c: every task's row of a phase that ran, to the table of tasks and to *outliers, where either is
 * wanted. Collective, task 0 holds the outcome.
 */
void rows_collect(struct test_run *run, const struct phase_plan *phase, uint64_t repetition,
		  struct outliers *outliers);

/* slow.c: who was slow in a phase that ran. Collective, task 0 holds the outcome. */
void slow_collect(struct test_run *run, struct slow *slow);

void run_test(struct runner *runner, unsigned number);
/* Whether a later test could run, before the first one touches anything. */
void check_test(struct runner *runner, unsigned number);

/* The watchdog's calls: context is the runner. */
void on_signal(void *context, int signal);
void on_hang(void *context, const struct node_slot *slot, bool runs, double seconds);
/* live.c: what is going on, where somebody sees it; task 0. */
void on_look(void *context);

#endif
