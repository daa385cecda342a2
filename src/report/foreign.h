/* What the texts in the form of other programs share. */
#ifndef REPORT_FOREIGN_H
#define REPORT_FOREIGN_H

#include <time.h>

#include "report/page.h"

/* One number over the complete repetitions. */
struct figures {
	double least, most, sum, squares;
	unsigned count;
};

void figures_add(struct figures *figures, double value);
double figures_deviation(const struct figures *figures); /* 0 below two */
/* Standard deviation with n-1, of the sample, as mdtest gives it. */
double figures_sample_deviation(const struct figures *figures);

/* Where the other program would warn on standard error, we do. */
void foreign_doubts(const struct phase_result *phase, const struct verdict *verdicts, size_t count);

/* Whether a phase is one of those that the other program would have a row for. */
bool foreign_has_row(const struct phase_result *phase);

/* "100.5 GiB", "35.0%", "11.6 Mi", "5.0%": size and use of a file system. */
struct space_words {
	char size[32], used[32], inodes[32], used_inodes[32];
};

bool foreign_space(const struct mount_facts *mount, struct space_words *words); /* false: not known */
/* A line of these words; nothing where they are not known. mount: may be NULL. */
void foreign_add_space(struct text *out, const struct mount_facts *mount);

#endif
