/* What must hold of any job that a dialect accepted. */
#ifndef TESTS_FUZZ_CHECK_JOB_H
#define TESTS_FUZZ_CHECK_JOB_H

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "options/job.h"

#define MUST(condition)           \
	do {                      \
		if (!(condition)) \
			abort();  \
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

/* Named values are lines of their own, each name once, and saying one again changes nothing. */
static inline void check_pairs(struct option_set *set, const struct option *row)
{
	const char *lines = *(const char **)((char *)set->values + row->offset);
	char *before = text_copy(lines ? lines : "");
	const char *rest = before;
	struct option_pair pair;
	struct error err;

	while (option_pair_next(&rest, &pair)) {
		char *name = text_copy_n(pair.name, pair.name_length);
		char *value = text_copy_n(pair.value, pair.value_length);

		MUST(*name && *value);
		MUST(!option_set_pair(set, row, name, value, option_origin(set, row), &err));
		free(value);
		free(name);
	}
	lines = *(const char **)((char *)set->values + row->offset);
	MUST(!strcmp(before, lines ? lines : ""));
	free(before);
}

static inline void check_backends(struct test_spec *spec)
{
	for (size_t i = 0; i < spec->backend_count; i++)
		for (size_t k = 0; k < spec->backends[i].table->count; k++)
			if (spec->backends[i].table->rows[k].type == OPTION_PAIRS)
				check_pairs(&spec->backends[i], &spec->backends[i].table->rows[k]);
}

static inline void check_job(struct job *job)
{
	struct error err;

	MUST(job->test_count > 0);
	for (size_t i = 0; i < job->test_count; i++) {
		check_set(&job->tests[i].core);
		if (workload_words[job->tests[i].workload].options)
			check_set((struct option_set *)own_set_of(&job->tests[i]));
		check_backends(&job->tests[i]);
	}
	if (job_complete(job, &err)) {
		MUST(err.kind == ERROR_INPUT && *err.text);
		return;
	}
	for (size_t i = 0; i < job->test_count; i++) {
		const struct test *test = test_of(&job->tests[i]);

		if (job->tests[i].workload != WORKLOAD_DATA)
			continue;
		MUST(test->write_file || test->read_file || test->check_write);
		MUST(test->block_size % test->transfer_size == 0);
	}
}

#endif
