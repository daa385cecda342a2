/* The whole input, parsed: the tests it asks for and the options of the whole job. */
#ifndef OPTIONS_JOB_H
#define OPTIONS_JOB_H

#include "base/text.h"
#include "options/metadata.h"
#include "options/option.h"
#include "options/study.h"
#include "options/test.h"
#include "options/vocabulary.h"

/* One test with all its values. */
struct test_spec {
	enum workload workload;
	struct option_set core;      /* of test_options */
	struct option_set metadata;  /* of metadata_options, for WORKLOAD_METADATA */
	struct option_set *backends; /* one per table of the vocabulary, same order */
	size_t backend_count;
	struct study study; /* options with lists of values, and whether the test is made of them */
	/*
	 * Key by which the job file, not allowed to, asks for files that iorx did not make; NULL: none.
	 * Filled by job_complete().
	 */
	const char *spares_foreign;
	unsigned line; /* of its RUN in the job file, or of what ended it; 0 for the command line */
};

/* A file the results go to, from output, summary_file and summary_format. */
enum output_format { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_IOR_JSON, OUTPUT_IOR_CSV };

struct output_file {
	char *path; /* NULL: standard output, in place of the text */
	enum output_format format;
	const char *key; /* the option that names it */
};

struct job {
	const struct vocabulary *vocabulary;
	uint64_t tasks; /* that MPI started; 0: not known, only help is wanted */
	char *source; /* name of the job file as given; NULL: the command line alone */
	char *text;   /* of the job file; NULL: there is none */
	char *environment; /* value of IORX_OPTIONS; NULL: it is not set */
	struct text notes; /* warnings of keys of IOR and mdtest that have no effect, one a line */
	struct option_set run;
	struct test_spec *tests;
	size_t test_count;
	struct output_file *outputs; /* filled by job_complete(), at most one of each format */
	size_t output_count;
	bool no_document; /* output=none: only a .json that is named is written */
};

void job_init(struct job *job, const struct vocabulary *vocabulary);
void job_release(struct job *job);

/* Appends a copy of *from (NULL: all defaults) and returns it; earlier pointers go stale. */
struct test_spec *job_add_test(struct job *job, const struct test_spec *from);
void test_spec_init(struct test_spec *spec, const struct vocabulary *vocabulary);
void test_spec_release(struct test_spec *spec);

/* A test's values of one table; NULL when the vocabulary has no such table. */
const struct option_set *test_spec_set(const struct test_spec *spec, const struct option_table *table);
/* The same to be changed; a table that is not there is a BUG. */
struct option_set *test_spec_set_of(struct test_spec *spec, const struct option_table *table);

static inline const struct test *test_of(const struct test_spec *spec)
{
	return spec->core.values;
}

/* NULL for tests of files. */
static inline const struct metadata *metadata_of(const struct test_spec *spec)
{
	return spec->workload == WORKLOAD_METADATA ? spec->metadata.values : NULL;
}

static inline const struct run *run_of(const struct job *job)
{
	return job->run.values;
}

/*
 * Sets "key" or "prefix.key" for one test or the whole job. value NULL is the bare flag. What a key
 * without a prefix means is the test's workload to say in a job file, and the job's vocabulary's
 * elsewhere. Unknown
 * keys are errors as vocabulary_find() says. An option of the whole job that a job file sets twice
 * to different values is an error. A list of values, "[1 2 4]", is kept for job_complete(), for options
 * of a test only. The error text starts with the key; the place is the caller's.
 */
int job_assign(struct job *job, struct test_spec *spec, const char *key, const char *value,
	       struct origin origin, struct error *err);

/*
 * After the last assignment: makes tests of lists (study.h), settles values that hang on others (-w -r,
 * the canonical name of the api, the output files) and checks, test by test, every rule that spans options (rules.h) and
 * whether the api can be used. The text of the error starts with the place of the value that
 * matters most: "job.ior:12: ", "command line: ", or "job.ior:20: " of the test's RUN for defaults.
 */
int job_complete(struct job *job, struct error *err);

/* Where the option was given that a text begins with, "dir: …"; a default where nobody did, or it is none. */
struct origin job_origin(const struct job *job, const struct test_spec *spec, const char *text);

/*
 * Puts the place of a test's option before a text that starts with its key, "num_tasks: …", where it was
 * given; for what shows only when the test is planned. False when no place says it.
 */
bool job_add_place(const struct job *job, const struct test_spec *spec, struct error *err);

/*
 * After job_complete(): a line for each option that is given and does nothing without another one,
 * for each key of IOR or mdtest that has no effect, or that no test's api has, and for each option of a backend that the command line sets
 * and no test's api uses; where fewer tasks than num_tasks wants take part, and where steps of tasks end
 * before last_tasks, as there are no more.
 */
void job_list_unused(const struct job *job, struct text *lines);

/*
 * "job.ior:12:3" ("job.ior:12" when the column is 0), "command line", "default" or "environment";
 * returns buffer.
 */
char *job_where(const struct job *job, struct origin origin, char *buffer, size_t size);

#endif
