/* Functions shared by the text forms of IOR and mdtest. */
#ifndef REPORT_FOREIGN_H
#define REPORT_FOREIGN_H

#include <time.h>

#include "report/page.h"

/* Sums of one number over the complete repetitions. */
struct figures {
	double least, most, sum, squares;
	unsigned count;
};

void figures_add(struct figures *figures, double value);
double figures_deviation(const struct figures *figures); /* 0 for fewer than two values */
/* Sample standard deviation (n-1), as mdtest prints it. */
double figures_sample_deviation(const struct figures *figures);

/*
 * Prints verdicts of severity fail to standard error, where the other program would print its
 * warnings.
 */
void foreign_doubts(const struct phase_result *phase, const struct verdict *verdicts, size_t count);

/* True if the other program has a row for the phase. IOR has none for the check of -W. */
bool foreign_has_row(const struct phase_result *phase);

/* Size and use of a file system as words: "100.5 GiB", "35.0%", "11.6 Mi", "5.0%". */
struct space_words {
	char size[32], used[32], inodes[32], used_inodes[32];
};

/* false: not known */
bool foreign_space(const struct mount_facts *mount, struct space_words *words);
/* Appends a line of these words, or nothing where they are not known. mount may be NULL. */
void foreign_add_space(struct text *out, const struct mount_facts *mount);

#endif
