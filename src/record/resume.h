/*
 * What the journal of an earlier session says to a job that goes on behind it. Pure functions of
 * its lines and of the plans of this job.
 */
#ifndef RECORD_RESUME_H
#define RECORD_RESUME_H

#include "plan/schedule.h"
#include "record/journal_lines.h"
#include "result/result.h"

/*
 * Fills recorded[], one for each test: a repetition is done if the line of its last phase is there.
 * The members of a set are as far as the one with the fewest repetitions. Returns the line
 * that forbids to go on, as a phase failed or found wrong data, or NULL.
 */
const struct journal_line *resume_read(const struct journal_lines *lines, const struct job *job,
				       const struct plan *plans, struct recorded *recorded);

/* Adds a phase from its line to the result of its test; false if the test has no such phase. */
bool resume_restore(struct test_result *test, const json_t *phase, unsigned session);

/*
 * Adds to *differs which members of two lines "run", or which options of two lines "test", differ:
 * "tasks was 4 and is 2; ". test: JOURNAL_NO_TEST for a run.
 */
void resume_compare(const json_t *was, const json_t *is, json_int_t test, struct text *differs);

#endif
