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

/* State of the node at the last update of the live line. */
struct live {
	uint64_t began_ns;   /* begin of the phase; all times are CLOCK_MONOTONIC */
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
	struct crew *crews;            /* one per test, started while the test runs */
	double deadline;               /* seconds since the epoch, 0: none */
	uint64_t seed;
	enum exit_code code;
	enum job_status status;
	bool over;                     /* no further test */
	bool left_open;                /* this task's library must not see MPI_Finalize */
	struct operation_table *table; /* operations of this task; NULL: not wanted */

	/* task 0 only */
	struct report *report;
	struct environment environment;
	pthread_mutex_t rescue_lock;   /* the watchdog's rescue against the orderly end */
	bool finished;

	/* for the watchdog's message: the present state, written between phases */
	_Atomic(const struct plan *) current; /* plan of the test that runs */
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
	uint64_t origin_ns;           /* before the first phase, on the common axis; 0: none yet */
	double longest[PHASE_KINDS];  /* longest phase so far, s; task 0 */
	double first_began;           /* begin of the first repetition, s since the epoch; task 0 */
	double longest_repetition;    /* s; task 0 */
	bool wrote;
	bool damaged;                 /* in this repetition an operation failed or data was wrong */
	bool incomplete;              /* this repetition ended, as something needed was not made */
	bool met_others;              /* files of others lie in its trees, so the trees stay */
	bool keeps_evidence;          /* a repetition was damaged and its files stay */
	bool calibrated;              /* reads_counted was determined; task 0 */
	enum reads_counted reads_counted;
	bool told_settings[PHASE_KINDS];
	bool checks_only;             /* only checks that the test can run; touches nothing */
	bool ended;                   /* no further phase of this test; equal on every task */
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
/* True if the files of a repetition remain after it. */
bool files_stay(const struct test_run *run);
/* Sleeps for `seconds`; a signal ends the pause. */
void pause_for(const struct test_run *run, double seconds);
/* Runs one phase. False when it was not started because the deadline is too near. */
bool run_phase(struct test_run *run, const struct phase_plan *phase, uint64_t repetition);
/*
 * status.c: the status file. A phase that writes stores its count; a test that only reads takes the
 * count found there. check_status: task 0 checks before the test whether the file can be written.
 */
void write_status(struct test_run *run, enum phase_kind kind);
int read_status(struct test_run *run, struct error *err);
int check_status(const struct test_run *run, struct error *err);

/*
 * names.c: checks before a metadata test. names_expected is false while the job is checked if an
 * earlier metadata test may leave or remove what this test needs. names_check looks for what must
 * or must not be there. names_check_space, on task 0, checks whether the items fit. The checks
 * return 0, or -1 with *err.
 */
bool names_expected(const struct test_run *run);
int names_check(struct test_run *run, struct error *err);
int names_check_space(struct test_run *run, struct error *err);

/*
 * repetitions.c: true if repetition `number` (from 0, warm-ups included) is to be done. Collective.
 */
bool repetition_wanted(struct test_run *run, uint64_t number);
/* Notes the end of a repetition that began at `began` (now_epoch()). */
void repetition_took(struct test_run *run, double began);
/*
 * rows.c: brings every task's row of a phase to the table of tasks and to *outliers, where either
 * is wanted. Collective; task 0 holds the outcome.
 */
void rows_collect(struct test_run *run, const struct phase_plan *phase, uint64_t repetition,
		  struct outliers *outliers);

/* slow.c: finds slow members of a phase. Collective; task 0 holds the outcome. */
void slow_collect(struct test_run *run, struct slow *slow);

void run_test(struct runner *runner, unsigned number);
/* Checks whether a test can run, before the first test touches anything. */
void check_test(struct runner *runner, unsigned number);

/* Callbacks of the watchdog; context is the runner. */
void on_signal(void *context, int signal);
void on_hang(void *context, const struct node_slot *slot, bool runs, double seconds);
/* live.c: updates the live line on task 0 where a user can see it. */
void on_look(void *context);

#endif
