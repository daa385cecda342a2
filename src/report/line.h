/*
 * Reads the lines of a result. A line is the JSON object of one result, as the journal has it: a
 * phase, the end of a test. Every form of the text is made from lines. A path such as
 * "rates/total_bytes_per_s" leads to a member, and doc/result.md says what the members mean.
 */
#ifndef REPORT_LINE_H
#define REPORT_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The member at a path; NULL: there is none. */
json_t *line_at(const json_t *line, const char *path);
/* True if the member is there and not null. */
bool line_has(const json_t *line, const char *path);

double line_number(const json_t *line, const char *path);    /* NAN: not known */
uint64_t line_count(const json_t *line, const char *path);   /* 0: not known */
bool line_true(const json_t *line, const char *path);	     /* false: not known */
const char *line_text(const json_t *line, const char *path); /* "": not known */

#endif
