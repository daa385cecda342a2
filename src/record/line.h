/*
 * Reads the lines of a result. A line is the JSON object of one result, as the journal has it: a
 * phase, the end of a test. Every form of the text is made from lines. A path such as
 * "rates/total_bytes_per_s" leads to a member, and doc/result.md says what the members mean.
 */
#ifndef RECORD_LINE_H
#define RECORD_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "measure/histogram.h"
#include "pattern/phase.h"

/* The member at a path; NULL: there is none. */
json_t *line_at(const json_t *line, const char *path);
/* True if the member is there and not null. */
bool line_has(const json_t *line, const char *path);

double line_number(const json_t *line, const char *path);    /* NAN: not known */
uint64_t line_count(const json_t *line, const char *path);   /* 0: not known */
bool line_true(const json_t *line, const char *path);	     /* false: not known */
const char *line_text(const json_t *line, const char *path); /* "": not known */

/* How rates of a phase are counted: the end of the names of members, "bytes_per_s". */
const char *line_unit(enum phase_kind kind);

/* A median and its 95 % interval; NAN: not known. */
struct line_median {
	double value, lower, upper;
};

/* Reads "median_UNIT" and "median_interval" of a rate or a time; the unit may be "ns". */
struct line_median line_median(const json_t *owner, const char *unit);

/* Adds the times of an object that has a histogram, with "count", "sum_ns" and so on. */
void line_add_times(struct histogram *into, const json_t *times);

/* The summary of a phase of the plan, in the line of a test's end. */
const json_t *line_summary(const json_t *line, unsigned phase);
/* The numbers of a series of the phase: series 0 is the summary itself, the others its parts. */
const json_t *line_numbers(const json_t *summary, unsigned series);

#endif
