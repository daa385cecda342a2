/*
 * Tasks, nodes, slots of a node and files that were slower than the others, in one phase and over
 * the repetitions. The measure is the pace: a task's own time for one transfer. Paces are folded
 * onto task 0 in memory that does not grow with the number of tasks: the ten slowest tasks, and the
 * paces of at most 4096 tasks, evenly chosen. Definitions: doc/measurement.md, "Slow tasks".
 */
#ifndef RESULT_SLOW_H
#define RESULT_SLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum slow_kind { SLOW_TASK, SLOW_NODE, SLOW_SLOT, SLOW_FILE, SLOW_KINDS };

const char *slow_kind_name(enum slow_kind kind); /* "task", "node", "slot", "file" */

enum { SLOW_KEPT = 10, SLOW_SLOTS = 256, SLOW_SAMPLES = 4096, SLOW_MEMBERS = 16 };

/* The time one member of a kind needed for a transfer. */
struct pace {
	uint32_t
		number; /* number of the task in the test, of the node in the job, or of the slot */
	uint32_t node;	/* node of a task */
	uint32_t file;	/* for a task: the file, named by the task that wrote it */
	double seconds;
};

/*
 * Paces on their way to task 0: a blob for comm_fold(), at first with one task. slot: the task's
 * index on its node. every: one of so many tasks, or nodes, is chosen for the median.
 */
void paces_start(struct text *blob);
void paces_add_task(struct text *blob, const struct pace *pace, uint32_t slot, uint32_t every);
/*
 * Called by the node's first task with the (lower) median of the node's tasks, so that one slow
 * task makes no slow node.
 */
void paces_add_node(struct text *blob, const struct pace *pace, uint32_t every);
void paces_merge(void *context, struct text *mine, const void *theirs, size_t length);

struct slow_one {
	struct pace pace;
	double ratio; /* pace / the others' median */
	double z;     /* modified z against the others */
	bool slow;
};

/* Paces of one kind; members 0: nothing can be compared. */
struct slow_group {
	uint64_t members;
	double median;	  /* s, of all members */
	double threshold; /* z that chance exceeds in one of 20 phases; 0: too few members */
	double share;	  /* share of members at least a tenth slower than the others */
	uint32_t kept, slow;
	struct slow_one ones[SLOW_KEPT]; /* the slowest first */
};

struct slow {
	bool judged;			     /* the phase was long enough to judge */
	struct slow_group groups[SLOW_FILE]; /* a phase cannot tell a file from its task */
};

/* Judges the paces of the folded blob, which is modified. */
void slow_judge(struct slow *slow, struct text *blob, bool judged);

/* A member that was at least a tenth slower than the others in some repetition. */
struct slow_member {
	uint32_t number, node;
	uint64_t times;	  /* repetitions in which it was slower */
	uint64_t flagged; /* of these, repetitions in which its z was above the threshold too */
	double ratio_sum; /* over these repetitions */
};

/* Slow members over the judged repetitions of one kind of phase. */
struct slow_history {
	uint64_t repetitions;
	uint64_t sizes[SLOW_KINDS]; /* members */
	double shares[SLOW_KINDS];  /* sum of slow_group.share */
	uint32_t counts[SLOW_KINDS];
	struct slow_member members[SLOW_KINDS][SLOW_MEMBERS];
};

void slow_remember(struct slow_history *history, const struct slow *slow);

/*
 * Probability that any member is slow in so many repetitions if each repetition chooses slow
 * members anew. A member is persistent if this is below 0.05 and it was slow in at least half of
 * the repetitions.
 */
double slow_chance(const struct slow_history *history, enum slow_kind kind,
		   const struct slow_member *member);
bool slow_persists(const struct slow_history *history, enum slow_kind kind,
		   const struct slow_member *member);

#endif
