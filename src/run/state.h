/* A job and a test as they run; shared by the files of this room. */
#ifndef RUN_STATE_H
#define RUN_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "base/lock_file.h"
#include "comm/post.h"
#include "engine/core/agree.h"
#include "engine/core/watchdog.h"
#include "engine/core/worker.h"
#include "environment/exchange.h"
#include "measure/interval.h"
#include "options/steady.h"
#include "page/report.h"
#include "plan/deal.h"
#include "record/journal.h"
#include "record/journal_lines.h"
#include "run/job_estimate.h"
#include "run/ladder.h"
#include "run/run.h"

/* The state of the live line; times are CLOCK_MONOTONIC. */
struct live {
	struct job_part *parts; /* of each test, of a set those of its first; NULL: none runs */
	uint64_t since_ns;	/* end of the last repetition of any test */
	/* the phase at the last update of the line */
	uint64_t began_ns, looked_ns;
	uint64_t operations;
};

/*
 * The interval rows of the load that runs. All but the relay is of the test's first task only. In a
 * set it sends its rows to task 0 of the job.
 */
struct interval_rows {
	struct relay relay;
	struct post post;
	struct relay_sums *sums; /* the row at hand */
	const struct load *load; /* NULL: this task makes no rows now */
	const struct worker *worker;
	unsigned test;
	uint64_t repetition, nodes;
	double seconds; /* of the measured time; 0: no limit */
	double began;	/* s since the epoch; 0: not known yet */
	struct interval_rates {
		bool known;
		double operations_per_s, bytes_per_s;
	} rates; /* of the last row, over all nodes */
	struct steady_rule rule;
	struct steady_window window;
	struct steady_outcome steady;
};

/* The tests that run: one, or all members of a set. Every task of the job has it. */
struct running {
	unsigned first, count; /* count 0: none */
};

/* What earlier sessions of the job have measured. */
struct resumption {
	unsigned session;	   /* the present one, from 1 */
	struct recorded *recorded; /* of each test, on every task; NULL: nothing */
	bool nothing_left;	   /* the job has come to its end before */
	time_t began; /* the first session, seconds since the epoch; 0: there was none */
	time_t until; /* the latest moment at which a killed session may have written */

	/* task 0 only */
	char *journal;
	FILE *file;
	struct journal_lines lines;
	struct journal_before before; /* name NULL: there is no journal */
	uint64_t seed;		      /* of the first session */
};

struct runner {
	const struct job *job;
	struct world *world;
	struct clock *clock;
	struct node node;
	struct watchdog watchdog;
	struct facts facts;
	struct crew everyone;  /* all tasks of the job */
	struct plan *plans;    /* one per test */
	struct trace **traces; /* one per test; NULL: it replays none, or that of an earlier one */
	struct crew *crews;    /* one per test, started while the test runs */
	struct seating *seatings; /* one per test: the tasks of members of sets */
	double deadline;	  /* seconds since the epoch, 0: none */
	uint64_t seed;
	enum exit_code code;
	enum job_status status;
	bool over;		  /* no further test */
	struct schedule schedule; /* equal on every task */
	struct resumption resume;
	struct test_run **runs; /* of each test between its first visit and its end; else NULL */
	bool shows_private;	/* a test uses a private file, so results are private too */
	bool left_open;		/* this task's library must not see MPI_Finalize */
	struct operation_table *table; /* operations of this task; NULL: not wanted */

	/* task 0 only */
	struct report *report;
	struct environment environment;
	struct environments environments; /* of all nodes */
	pthread_mutex_t rescue_lock;	  /* the watchdog's rescue against the orderly end */
	bool finished;
	struct ladder ladder;
	struct measured measured; /* the last limits that were measured, for tests with this key */
	uint64_t measured_key;
	struct lock_files locks;

	/* of a cleanup of loads: when the killed job of each path of each test began; 0: none */
	int64_t *killed_since_ns;

	/* for the watchdog's messages: the present state, written between phases */
	_Atomic struct running running;
	_Atomic uint64_t repetition;
	_Atomic(const char *) lock_path; /* lock file that task 0 looks at; NULL: none */

	struct live live; /* task 0 only, under rescue_lock */
	struct interval_rows intervals;
};

/* One test as it runs. */
struct test_run {
	struct runner *runner;
	unsigned number;
	const struct test_spec *spec;
	const struct test *test;
	const struct plan *plan;
	const struct crew *crew;
	struct text *lines; /* on their way to task 0 of the job; NULL: the test runs alone */
	struct worker worker;
	struct test_result result;
	struct mount_facts mount;    /* task 0 */
	mode_t mask;		     /* umask before worker.copies_private changed it */
	double began;		     /* now_epoch() at its start */
	uint64_t origin_ns;	     /* before the first phase, on the common axis; 0: none yet */
	double repetition_began;     /* now_epoch() */
	double longest[PHASE_KINDS]; /* longest phase so far, s; task 0 */
	double first_began;	     /* begin of the first repetition, s since the epoch; task 0 */
	double longest_repetition;   /* s; task 0 */
	bool wrote;
	bool laid_out; /* of a load: its files lie there whole, from an earlier run or repetition */
	bool half_laid;	     /* of a load: the layout of this repetition did not come to its end */
	bool damaged;	     /* in this repetition an operation failed or data was wrong */
	bool incomplete;     /* this repetition ended, as something needed was not made */
	bool met_others;     /* files of others lie in its trees, so the trees stay */
	bool keeps_evidence; /* a repetition was damaged and its files stay */
	bool tried;	     /* trial was made; first task */
	struct trial trial;  /* what the kernel tells of reads from this file system */
	bool reported_settings[PHASE_KINDS];
	bool checks_only; /* only checks that the test can run; touches nothing */
	uint64_t until;	  /* the visit ends once there are so many repetitions */
	bool wanted;	  /* a further repetition is wanted; equal on every task of the job */
	uint64_t count;	  /* repetitions so far, warm-ups included */
	double left;	  /* now_epoch() at the end of the last visit; 0: there was none */
	bool ended;	  /* no further phase of this test; equal on every task */
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

/* Lets only the user read results that show a private file. Returns the umask before. */
static inline mode_t results_set_umask(const struct runner *runner)
{
	const mode_t mask = umask(0077);

	if (!runner->shows_private)
		umask(mask);
	return mask;
}

double now_epoch(void); /* seconds */

/* Ends the test and the job after what the tasks agreed on. */
void end_badly(struct test_run *run, const struct agreement *end);
/* True if the files of a repetition remain after it. */
bool files_stay(const struct test_run *run);
/* Sleeps for `seconds`; a signal ends the pause. */
void pause_for(const struct test_run *run, double seconds);

/* The decisions of task 0 of the job before each phase. */
struct phase_decision {
	bool start;
	bool test_is_over;  /* max_time_duration has passed; else the deadline is near */
	double deadline_in; /* s from now; negative: none */
	uint64_t origin_ns; /* origin of times in tables of operations, on the common axis */
};

/*
 * Pauses between phases as the test asks, and decides on task 0 of the job whether the next one
 * starts. phase: NULL for a task that sleeps in it. Collective over the tasks that start together.
 */
struct phase_decision phase_decide(struct test_run *run, const struct phase_plan *phase);
/* Ends the test, and at the deadline the job, as the next phase would not end in time. */
void end_in_time(struct test_run *run, const struct phase_decision *decision);
/* A phase that has run, as its test saw it. */
struct phase_seen {
	uint64_t repetition;
	struct timespec began; /* the common start, or the moment before a phase without one */
	struct agreement end;
	struct text settings;	  /* in effect; empty unless they are new */
	struct outliers outliers; /* the first task of the test */
	struct slow slow;	  /* likewise */
};

/* judge.c: computes, judges and reports the result of a phase. First task of the test. */
void judge_phase(struct test_run *run, const struct phase_plan *phase,
		 const struct phase_seen *seen);
/* Task 0: lets the verdicts on a phase of an earlier session count for the exit code. */
void judge_recall(struct runner *runner, const char *severity);
/* Runs one phase, if it may start. True if it wrote files. Collective over the test's tasks. */
bool run_phase(struct test_run *run, const struct phase_plan *phase, uint64_t repetition,
	       const struct phase_decision *decision);
/*
 * traces.c: finds the trace that a test replays; *trace is NULL if it replays none. Collective over
 * the job's tasks, for one test after the other. Returns 0, or -1 with ERROR_INPUT on all tasks.
 */
int traces_find(struct runner *runner, size_t number, const struct trace **trace,
		struct error *err);
void traces_release(struct runner *runner);

/*
 * plans.c: deals the tasks and plans all tests of the job. Returns EXIT_GOOD, or another code after
 * a message. plans_release() frees the plans.
 */
enum exit_code plans_build(struct runner *runner);
void plans_release(struct runner *runner);

/*
 * status.c: the status file. A phase that writes stores its count; a test that only reads takes the
 * count found there. check_status: task 0 checks before the test whether the file can be written.
 */
void write_status(struct test_run *run, enum phase_kind kind);
int read_status(struct test_run *run, struct error *err);
int check_status(const struct test_run *run, struct error *err);

/*
 * metadata.c: checks before a metadata test. trees_are_settled is false while the job is checked if
 * an earlier metadata test may leave or remove what this test needs. run_check_metadata looks for
 * what must or must not be there. run_check_metadata_space, on task 0, checks whether the items
 * fit. The checks return 0, or -1 with *err.
 */
bool trees_are_settled(const struct test_run *run);
int run_check_metadata(struct test_run *run, struct error *err);
int run_check_metadata_space(struct test_run *run, struct error *err);

/*
 * cleanup.c: a test that only removes what earlier tests left. Collective over the test's tasks.
 * cleanup_read_records reads what killed jobs have left beside the files of loads, before this job
 * has locks of its own. run_cleanup_of_loads cleans all loads of the job, in place of its tests.
 * Both are collective over the job.
 */
void cleanup_read_records(struct runner *runner);
void test_clean(struct test_run *run);
void run_cleanup_of_loads(struct runner *runner);

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

/*
 * locks.c, on task 0: looks at the lock files of all names that the job uses, or takes them. -1
 * with *err if another job uses one of them. lock_files_release() gives them back.
 */
int locks_look(struct runner *runner, struct error *err);
int locks_take(struct runner *runner, struct error *err);

/*
 * space.c: task 0 checks whether what the plan writes fits. sums: what can be reused of files that
 * lie there.
 */
int check_space(const struct test_run *run, const struct agreement *sums, struct error *err);

/*
 * limits.c: measures limits before the first phase of a test, if the job asks for it. Takes up to
 * 8 s. Collective; the first task holds the outcome.
 */
void limits_find(struct test_run *run);
/* True if the job asks for the limits and for nothing else. */
bool limits_only(const struct test_run *run);
/* Sets the limits of a phase. limits_set_floor() adds the one that follows from its trial. */
void limits_set(const struct test_run *run, struct phase_result *result);
void limits_set_floor(const struct test_run *run, struct phase_result *result);

/* slow.c: finds slow members of a phase. Collective; task 0 holds the outcome. */
void slow_collect(struct test_run *run, struct slow *slow);

/*
 * test.c: the steps of a test, for one that runs alone and for the members of a set. All are
 * collective over the test's tasks.
 */
void test_init(struct test_run *run, struct runner *runner, unsigned number);
/* Looks at messages while a task waits; context is its worker. */
void poll_while_waiting(void *context);
/* Starts or goes on with a test on a task of its crew. False: no repetition can run. */
bool test_begin(struct test_run *run, struct idle *idle);
/* Ends the visit, and the test unless it wants a further repetition. */
void test_finish(struct test_run *run);
/* Reads which file system the test is on. Any task may call it alone. */
void test_read_mount(struct test_run *run);
/* Brings interval rows of the members of a set to task 0; NULL: the job has no such rows. */
struct post *test_post(struct runner *runner);
/* The crew's tasks, for crew_start(). */
struct seats test_seats(const struct runner *runner, unsigned number);

/*
 * prepare.c: check and make all that the phases need; they return 0, or -1 with run->ended set.
 * test_settle is one step that may fail on any task: all learn the same outcome, and it returns 0
 * or -1. Collective over the test's tasks.
 */
int test_check_ready(struct test_run *run);
int test_make_buffers(struct test_run *run);
int test_settle(struct test_run *run, int ret, const struct error *err, const char *step,
		struct agreement *end);

/*
 * repetition.c: one repetition in steps, or all of it. repetition_skips is true for the layout of a
 * load whose files lie there. made: a phase of this repetition has written.
 */
void repetition_begin(struct test_run *run);
bool repetition_goes_on(const struct test_run *run);
bool repetition_skips(const struct test_run *run, const struct phase_plan *phase);
void repetition_end(struct test_run *run, uint64_t repetition, bool made);
void repetition_run(struct test_run *run, uint64_t repetition);
/* Behind the last of `count` repetitions. */
void repetitions_end(struct test_run *run, uint64_t count);

/*
 * resume.c: with --resume. resume_start looks how far the job is; all tasks learn the same. Returns
 * EXIT_GOOD, or another code after a message. Collective over the job, but only with --resume.
 */
enum exit_code resume_start(struct runner *runner);
void resume_release(struct runner *runner);
/* What earlier sessions have recorded of a test. */
struct recorded resume_recorded(const struct runner *runner, unsigned number);
/* Task 0 reports the begin of a test, and the repetitions of earlier sessions. */
void resume_report_test(struct test_run *run);
/* Gives a test that runs alone, or the members of a set, the numbers of their repetitions. */
void resume_test(struct test_run *run);
/* own: the member of this task; NULL: none. Collective over the job. */
void resume_set(struct runner *runner, unsigned first, unsigned count, struct test_run *own);
/* True if earlier sessions have made the visit. Task 0 then reports tests that are over. */
bool resume_visit(struct runner *runner, const struct visit *visit, bool *wanted);
/* Removes the trees that a killed session has left of the repetitions to come. */
int resume_clear(struct test_run *run, struct error *err);

/* visits.c: runs the tests of the job in the order of its schedule. */
void run_visits(struct runner *runner);

/* set.c: runs the `count` tests from number `first` on at the same time. */
void run_set(struct runner *runner, unsigned first, unsigned count);
/* All tasks get the worst outcome of any task. Collective over the job. */
void share_outcome(struct runner *runner);

/*
 * lines.c: the first task of a test makes its lines. A line is reported at once, or in a set by way
 * of lines_deliver(). publish_error() also prints the error. publish_end() assesses the test and
 * returns its line too, which the caller owns.
 */
void publish_phase(struct test_run *run, const struct phase_result *result,
		   const struct verdict *verdicts, size_t count);
void publish_removal(struct test_run *run, uint64_t repetition, double seconds);
void publish_error(struct test_run *run, const struct error *err);
json_t *publish_end(struct test_run *run);
/*
 * Brings the lines of all members of a set to task 0 of the job, which reports them. Only the ends
 * of tests go to ends[], one for each test from number `first` on. Collective over the job.
 */
void lines_deliver(struct runner *runner, struct text *lines, unsigned first, json_t **ends,
		   const struct idle *idle);

/*
 * Runs repetitions of the test until it has run->until of them or wants no further one. run is kept
 * between visits. Collective over the job.
 */
void test_visit(struct test_run *run);
/*
 * Runs the whole test in one visit, or only checks whether it can run, before the first test
 * touches anything. Collective over the job.
 */
void test_visit_once(struct runner *runner, unsigned number, bool checks_only);
/* Task 0 reports the end of a test; frees its result. */
void test_end(struct test_run *run);

/*
 * rescue.c: the plan of the running test that the process in a slot of this node belongs to, and
 * its task there; NULL: it belongs to none.
 */
const struct plan *plan_of_slot(const struct runner *runner, uint32_t slot, uint32_t *task);
/* Callbacks of the watchdog; context is the runner. */
void on_signal(void *context, int signal);
void on_hang(void *context, const struct node_slot *slot, bool runs, double seconds);
/*
 * live.c: updates the live line on task 0 where a user can see it. The other functions note how far
 * the job is; any task may call them. number: of the test, or of the first test of a set.
 */
void on_look(void *context);
void live_start(struct runner *runner);
void live_repetition_ended(struct runner *runner, unsigned number);
/* No further repetition of the test follows. */
void live_test_ended(struct runner *runner, unsigned number);

/*
 * intervals.c: the interval rows of loads. Words of the memory of each task that the job needs for
 * them; 0: none.
 */
size_t intervals_words(const struct job *job);
/* True if a test has interval rows. */
bool intervals_wanted(const struct plan *plan);
void intervals_init(struct interval_rows *intervals, struct node *node, const struct comm *all);
void intervals_release(struct interval_rows *intervals);
/* Around each phase. */
void intervals_start(struct test_run *run, const struct phase_plan *phase, uint64_t repetition);
void intervals_finish(struct test_run *run);
/*
 * Behind each step of a set: brings the rest of all rows to task 0. makes_rows: this task is the
 * first of a member with rows. senders: such tasks other than task 0.
 */
void intervals_settle(struct runner *runner, bool makes_rows, unsigned senders);
/* On task 0, with the report in its hands: writes the rows that have come from other tasks. */
void intervals_write_others(struct runner *runner);
/* Callback of the watchdog. */
uint64_t on_sample(void *context);

#endif
