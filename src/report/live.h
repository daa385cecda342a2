/* The line that says what is going on, and is written over. */
#ifndef REPORT_LIVE_H
#define REPORT_LIVE_H

#include "base/text.h"
#include "report/report.h"

/* Appends it to an empty text, shorter than the columns; no end of line. */
void live_line(const struct progress *progress, unsigned columns, struct text *out);

#endif
