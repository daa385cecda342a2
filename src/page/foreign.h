/* Functions shared by the text forms of IOR and mdtest. */
#ifndef PAGE_FOREIGN_H
#define PAGE_FOREIGN_H

#include "page/page.h"

/* One number over the complete repetitions; count 0: there is none. */
struct figures {
	double least, most, mean, deviation; /* deviation of the population */
	size_t count;
};

/*
 * Keeps the numbers of a form, of which it takes ownership, by phase: an array for each repetition
 * that is no warm-up. A phase without a row has no numbers.
 */
void foreign_keep(json_t *kept, const json_t *line, json_t *numbers);
/* Figures of the n-th number of a phase's repetitions. */
struct figures foreign_figures(const json_t *kept, enum phase_kind kind, unsigned nth);

/*
 * Prints the verdicts of a phase that have severity fail to standard error, where the other program
 * would print its warnings.
 */
void foreign_doubts(const json_t *line);

/* True if the other program has a row for the phase. IOR has none for the check of -W. */
bool foreign_has_row(const json_t *line);

/*
 * Puts size and use of a file system as words: Capacity "100.5 GiB", Used Capacity "35.0%", Inodes
 * "11.6 Mi", Used Inodes "5.0%". Nothing where they are not known. mount may be NULL.
 */
void foreign_put_space(json_t *object, const struct mount_facts *mount);
/* Appends a line of these words. */
void foreign_add_space(struct text *out, const struct mount_facts *mount);

#endif
