/*
 * Who was slower than the others: tasks, nodes, places on a node, files; in one phase, and over the
 * repetitions. What is compared is a task's own time for one transfer, its pace. Tasks' paces are
 * folded onto task 0 in memory that does not grow with their number: of all tasks the ten slowest, and
 * the paces of at most 4096 of them, evenly chosen. Definitions: doc/measurement.md, "Slow tasks".
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
	uint32_t number; /* of the task, the node, or the slot */
	uint32_t node;   /* of a task */
	uint32_t file;   /* a task moved, by the task that wrote it */
	double seconds;
};

/*
 * Paces on their way to task 0: a blob for comm_fold(), at first of one task. slot: the task's place on
 * its node. every: of so many tasks, or nodes, one is chosen for the median.
 */
void paces_start(struct text *blob);
void paces_add_task(struct text *blob, const struct pace *pace, uint32_t slot, uint32_t every);
/* By the node's first task: the (lower) median of its tasks, so that one slow task makes no slow node. */
void paces_add_node(struct text *blob, const struct pace *pace, uint32_t every);
void paces_merge(void *context, struct text *mine, const void *theirs, size_t length);

struct slow_one {
	struct pace pace;
	double ratio; /* pace / the others' median */
	double z;     /* modified, against the others */
	bool slow;
};

/* Of one kind; members 0: there is nothing to compare. */
struct slow_group {
	uint64_t members;
	double median;    /* s, of all */
	double threshold; /* that z passes by chance in one of 20 phases; 0: too few members */
	double share;     /* of members that are at least a tenth slower than the others */
	uint32_t kept, slow;
	struct slow_one ones[SLOW_KEPT]; /* the slowest first */
};

struct slow {
	bool judged; /* the phase was long enough to say so */
	struct slow_group groups[SLOW_FILE]; /* a phase cannot tell a file from its task */
};

/* From the folded blob; it is written to. */
void slow_judge(struct slow *slow, struct text *blob, bool judged);

/* One that was at least a tenth slower than the others in some repetition. */
struct slow_member {
	uint32_t number, node;
	uint64_t times;    /* repetitions in which it was */
	uint64_t flagged;  /* of them, those in which its z said so too */
	double ratio_sum;  /* over these repetitions */
};

/* Over the judged repetitions of one kind of phase. */
struct slow_history {
	uint64_t repetitions;
	uint64_t sizes[SLOW_KINDS]; /* members */
	double shares[SLOW_KINDS];  /* sum of slow_group.share */
	uint32_t counts[SLOW_KINDS];
	struct slow_member members[SLOW_KINDS][SLOW_MEMBERS];
};

void slow_remember(struct slow_history *history, const struct slow *slow);

/*
 * The probability that any member is among the slow so often when each repetition chooses them anew;
 * below 0.05, and in at least half of the repetitions, it is persistent.
 */
double slow_chance(const struct slow_history *history, enum slow_kind kind,
		   const struct slow_member *member);
bool slow_persists(const struct slow_history *history, enum slow_kind kind,
		   const struct slow_member *member);

#endif
