/* The live line, which shows progress and is overwritten. */
#ifndef REPORT_LIVE_H
#define REPORT_LIVE_H

#include "base/text.h"
#include "report/report.h"

/* Appends the line to an empty text. The line is shorter than `columns` and has no end of line. */
void live_line(const struct progress *progress, unsigned columns, struct text *out);

#endif
