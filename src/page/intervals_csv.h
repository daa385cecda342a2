/* The table of intervals: a row for each interval of a load, over all nodes. */
#ifndef PAGE_INTERVALS_CSV_H
#define PAGE_INTERVALS_CSV_H

#include "base/text.h"
#include "measure/interval.h"

enum interval_part { INTERVAL_WARMUP, INTERVAL_MEASURED, INTERVAL_COOLDOWN };

struct interval_row {
	unsigned test;
	uint64_t repetition;
	uint64_t number; /* from 1 */
	double began;	 /* s since the epoch */
	double from_s;	 /* since the load began */
	double seconds;	 /* length, the mean over the nodes */
	enum interval_part part;
	uint64_t nodes, all_nodes; /* nodes whose operations are in it */
	double operations_per_s;
	const struct interval *counts;
};

void intervals_csv_head(struct text *out);
void intervals_csv_row(struct text *out, const struct interval_row *row);

#endif
