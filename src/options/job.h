/* The whole input, parsed: the tests it asks for and the options of the whole job. */
#ifndef OPTIONS_JOB_H
#define OPTIONS_JOB_H

#include "options/option.h"
#include "options/test.h"

/*
 * The words a job may use. The core's two tables and one per backend, also of backends that are not
 * built in (their options are known and refused with a sentence that names the package). Made by
 * main.c from the registry; options/ does not know backends.
 */
struct vocabulary {
	const struct option_table *const *tables; /* backends' tables, in the registry's order */
	size_t count;
	/* fills the sentence why the backend cannot be used here and returns -1, or returns 0 */
	int (*usable)(size_t table, struct error *err);
	/* the index of the table for the name of an api in any spelling ("DUMMY"), or -1 */
	int (*find_api)(const char *name);
};

/* One test with all its values. */
struct test_spec {
	struct option_set core;      /* of test_options */
	struct option_set *backends; /* one per table of the vocabulary, same order */
	unsigned line;               /* of its RUN in the job file; 0 for the command line */
};

struct job {
	const struct vocabulary *vocabulary;
	char *source; /* name of the job file as given; NULL: the command line alone */
	struct option_set run;
	struct test_spec *tests;
	size_t test_count;
};

void job_init(struct job *job, const struct vocabulary *vocabulary);
void job_release(struct job *job);

/* Appends a copy of *from (NULL: all defaults) and returns it; pointers to earlier tests go stale. */
struct test_spec *job_add_test(struct job *job, const struct test_spec *from);
void test_spec_init(struct test_spec *spec, const struct vocabulary *vocabulary);
void test_spec_release(struct test_spec *spec);

static inline const struct test *test_of(const struct test_spec *spec)
{
	return spec->core.values;
}

static inline const struct run *run_of(const struct job *job)
{
	return job->run.values;
}

/*
 * Sets "key" or "prefix.key" for one test or the whole job. Unknown keys are errors with a "did you
 * mean" over all tables; keys of IOR that iorx does not have yet are named as such.
 */
int job_assign(struct job *job, struct test_spec *spec, const char *key, const char *value,
	       struct origin origin, struct error *err);

/*
 * After the last assignment: settles defaults that hang on others (-w -r, summary file into
 * outputs) and checks, test by test, every rule that spans options; each rule is a function that
 * returns one sentence. The text of the error starts with file and line, or "test 2".
 */
int job_complete(struct job *job, struct error *err);

/* "job.ior:12:3", "command line", "default" or "environment"; returns buffer. */
char *job_where(const struct job *job, struct origin origin, char *buffer, size_t size);

#endif
