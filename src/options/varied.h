/* Names and values of the options that lists vary, as views print them. */
#ifndef OPTIONS_VARIED_H
#define OPTIONS_VARIED_H

#include "options/job.h"

enum { VARIED_VALUE_SIZE = 200 };

/* The value that a test has. buffer: VARIED_VALUE_SIZE bytes. */
const char *varied_value(const struct test_spec *spec, const struct varied *varied, char *buffer);

/*
 * Appends the name of a varied option, "transfer_size", or "checkpoint.transfer_size" if that is
 * the member of the set that has it. own_prefix: "load.rate" instead of "rate".
 */
void varied_name(const struct test_spec *spec, const struct varied *varied, bool own_prefix,
		 struct text *out);

/* True for the number of tasks of the test itself. */
bool varied_is_tasks(const struct varied *varied);

/* Appends a value in words: "posix", "64KiB", "4 tasks", and for other options "fsync=1". */
void varied_word(const struct test_spec *spec, const struct varied *varied, struct text *out);

/* Appends all varied options but `except` with their values: "num_tasks=4, transfer_size=4KiB". */
void varied_values(const struct test_spec *spec, const struct varied *except, struct text *out);

#endif
