/* What the line of a phase says, where more than one member tells it. */
#ifndef RECORD_PHASE_LINE_H
#define RECORD_PHASE_LINE_H

#include "plan/series.h"
#include "record/line.h"

const struct phase_plan *phase_line_plan(const struct plan *plan, const json_t *line);
enum phase_kind phase_line_kind(const struct plan *plan, const json_t *line);

/* False if the phase failed or was stopped before its start. Nothing was measured then. */
bool phase_line_began(const json_t *line);
bool phase_line_is(const json_t *line, const char *status);
/*
 * True if the numbers of the phase are shown: it completed, or only operations that are counted
 * apart failed.
 */
bool phase_line_has_numbers(const json_t *line);

/* The object of one kind of operation, such as its service times; NULL: there was none. */
const json_t *phase_line_times(const json_t *line, enum operation operation);
/* A percentile of these times, such as "p99"; NAN: there were too few operations. */
double phase_line_percentile(const json_t *times, const char *name);

/* The seconds that rates go by. A load is measured in its window. */
double phase_line_seconds(const json_t *line);
uint64_t phase_line_operations(const json_t *line);	   /* of the main kind */
uint64_t phase_line_failed_operations(const json_t *line); /* operations on names */
/* Operations of one kind that a rate counts, per second. */
double phase_line_part_rate(const json_t *line, enum operation operation);
/* Bytes of one kind of operation that a rate counts, per second. */
double phase_line_part_bytes(const json_t *line, enum operation operation);
/* The object on the comparing of data; NULL: nothing was compared. */
const json_t *phase_line_verification(const json_t *line);

#endif
