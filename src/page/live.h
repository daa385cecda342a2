/* The live line, which shows progress and is overwritten. */
#ifndef PAGE_LIVE_H
#define PAGE_LIVE_H

#include "base/text.h"
#include "page/report.h"
#include "result/rate_unit.h"

/* Appends the line to an empty text. The line is shorter than `columns` and has no end of line. */
void live_line(const struct progress *progress, const struct rate_unit *unit, unsigned columns,
	       struct text *out);

#endif
