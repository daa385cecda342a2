/* What must hold of any job that a dialect accepted. */
#ifndef TESTS_FUZZ_CHECK_JOB_H
#define TESTS_FUZZ_CHECK_JOB_H

#include <stdlib.h>
#include <string.h>

#include "options/job.h"

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition))                                                                  \
			abort();                                                                   \
	} while (0)

/* What is wrong has a text, of the right kind, on one line. */
static inline void check_error(const struct error *err, const char *place)
{
	MUST(err->kind == ERROR_INPUT);
	MUST(!strncmp(err->text, place, strlen(place)));
	MUST(!strchr(err->text, '\n'));
}

/* Each value can be written and read again. */
static inline void check_set(struct option_set *set)
{
	static char written[1 << 16], again[1 << 16];
	struct error err;

	for (size_t i = 0; i < set->table->count; i++) {
		const struct option *row = &set->table->rows[i];

		option_format(set, row, written, sizeof(written));
		if (row->type == OPTION_STRING && !*written)
			continue;
		MUST(!option_set_value(set, row, written, set->origins[i], &err));
		option_format(set, row, again, sizeof(again));
		MUST(!strcmp(written, again));
	}
}

static inline void check_job(struct job *job)
{
	struct error err;

	MUST(job->test_count > 0);
	for (size_t i = 0; i < job->test_count; i++)
		check_set(&job->tests[i].core);
	if (job_complete(job, &err)) {
		MUST(err.kind == ERROR_INPUT && *err.text);
		return;
	}
	for (size_t i = 0; i < job->test_count; i++) {
		const struct test *test = test_of(&job->tests[i]);

		MUST(test->write_file || test->read_file);
		MUST(test->block_size % test->transfer_size == 0);
	}
}

#endif
