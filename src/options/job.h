/* The whole input, parsed: the tests it asks for and the options of the whole job. */
#ifndef OPTIONS_JOB_H
#define OPTIONS_JOB_H

#include "base/text.h"
#include "options/load.h"
#include "options/metadata.h"
#include "options/option.h"
#include "options/set.h"
#include "options/study.h"
#include "options/test.h"
#include "options/vocabulary.h"

/* One test with all its values. */
struct test_spec {
	enum workload workload;
	struct option_set core;	     /* of test_options */
	struct option_set metadata;  /* of metadata_options, for WORKLOAD_METADATA */
	struct option_set load;	     /* of load_options, for WORKLOAD_LOAD */
	struct option_set *backends; /* one per table of the vocabulary, same order */
	size_t backend_count;
	struct study study; /* options with lists of values, and whether the test is made of them */
	/*
	 * Key of the job file that asks, without permission, to replace files that iorx did not
	 * make; NULL: none. job_complete() sets it.
	 */
	const char *spares_foreign;
	bool allows_private;   /* allow_private of the job. job_complete() sets it. */
	struct membership set; /* of a set of tests that run at the same time */
	unsigned line;	       /* line of its RUN, or of the end of its block; 0: command line */
};

/* A file for results, from output, summary_file and summary_format. */
enum output_format { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_IOR_JSON, OUTPUT_IOR_CSV };

struct output_file {
	char *path; /* NULL: standard output, instead of the text */
	enum output_format format;
	const char *key; /* the option that names it */
};

/* "NAME=VALUE", which stands for ${NAME} in the values of a job file. */
struct definition {
	char *text;
	bool used;
};

struct job {
	const struct vocabulary *vocabulary;
	uint64_t tasks;	   /* tasks that MPI started; 0: unknown, for help only */
	char *source;	   /* name of the job file as given; NULL: the command line alone */
	char *text;	   /* text of the job file; NULL: no file */
	char *environment; /* value of IORX_OPTIONS; NULL: it is not set */
	struct text notes; /* warnings of keys of IOR and mdtest without effect, one per line */
	struct definition *definitions;
	size_t definition_count;
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
void test_spec_copy(struct test_spec *to, const struct test_spec *from); /* to: uninitialised */
void test_spec_release(struct test_spec *spec);

/* A test's values of one table; NULL when the vocabulary has no such table. */
const struct option_set *test_spec_set(const struct test_spec *spec,
				       const struct option_table *table);
/* test_spec_set() for writing; an unknown table is a BUG. */
struct option_set *test_spec_set_of(struct test_spec *spec, const struct option_table *table);

static inline const struct test *test_of(const struct test_spec *spec)
{
	return spec->core.values;
}

/* The metadata options of a test; NULL for a test of another workload. */
static inline const struct metadata *metadata_of(const struct test_spec *spec)
{
	return spec->workload == WORKLOAD_METADATA ? spec->metadata.values : NULL;
}

/* The load options of a test; NULL for a test of another workload. */
static inline const struct load *load_of(const struct test_spec *spec)
{
	return spec->workload == WORKLOAD_LOAD ? spec->load.values : NULL;
}

/*
 * True if a job file set this option of the set, and so must not name a private file by it. Call it
 * after job_complete().
 */
static inline bool test_spec_spares_private(const struct test_spec *spec,
					    const struct option_set *set, const char *key)
{
	return !spec->allows_private &&
	       option_origin(set, option_find(set->table, key)).kind == ORIGIN_FILE;
}

/*
 * The hints file of a test with a backend of these options, "" when it is not given; NULL: the
 * backend takes none. Sets *spares_private as test_spec_spares_private() does. Call it after
 * job_complete().
 */
const char *test_spec_hints_file(const struct test_spec *spec, const struct option_table *table,
				 bool *spares_private);

/* The values of the options that only tests of its workload have; NULL for a test of data. */
static inline const struct option_set *own_set_of(const struct test_spec *spec)
{
	const struct option_table *own = workload_words[spec->workload].options;

	return own ? test_spec_set(spec, own) : NULL;
}

static inline const struct run *run_of(const struct job *job)
{
	return job->run.values;
}

/* True if the job removes the files of its loads. None of its tests runs then. */
bool job_cleans_loads(const struct job *job);

/*
 * Sets "key" or "prefix.key" for one test or the whole job. value NULL is the bare flag. In a job
 * file the test's workload decides what a key without prefix means, elsewhere the vocabulary's.
 * Unknown keys are errors, see vocabulary_find(). It is an error if a job file sets an option of
 * the whole job to two different values. A list of values, "[1 2 4]", is kept for job_complete(),
 * for options of a test only. The error text starts with the key; the caller adds the location.
 */
int job_assign(struct job *job, struct test_spec *spec, const char *key, const char *value,
	       struct origin origin, struct error *err);

/*
 * Call it after the last assignment. Makes tests of lists (study.h) and settles values that depend
 * on others: -w -r, the api's canonical name, the output files. Then checks for each test all rules
 * that span options (rules.h) and whether its api can be used. The error text starts with the
 * location of the most relevant value: "job.ior:12: ", "command line: ", or for defaults that of
 * the test's RUN, "job.ior:20: ".
 */
int job_complete(struct job *job, struct error *err);

/*
 * The origin of the option that a text starts with, "dir: …"; ORIGIN_DEFAULT if not set or no
 * option.
 */
struct origin job_origin(const struct job *job, const struct test_spec *spec, const char *text);

/*
 * Adds the location of a test's option before an error text that starts with its key, "num_tasks:
 * …". For errors that only the plan finds. False if the location is unknown.
 */
bool job_add_location(const struct job *job, const struct test_spec *spec, struct error *err);

/*
 * Call it after job_complete(). Adds a line for each of these: an option without effect as it needs
 * another; a key of IOR or mdtest without effect, or that no test's api has; an option on the
 * command line of a backend that no test uses; fewer tasks than num_tasks; task steps that end
 * before last_tasks, as there are no more tasks.
 */
void job_list_unused(const struct job *job, struct text *lines);

/*
 * "job.ior:12:3" ("job.ior:12" when the column is 0), "command line", "default" or "environment";
 * returns buffer.
 */
char *job_where(const struct job *job, struct origin origin, char *buffer, size_t size);

/*
 * Adds the location of an option before an error text; returns -1. Nobody can look up a line of
 * standard input, so its comment follows, in which programs that write jobs name the line of the
 * original: "-:12 (job.fio:3 bs=4k)".
 */
int job_add_origin(const struct job *job, struct origin origin, struct error *err);

/*
 * The same with the most relevant of the keys, which blanks separate; spec NULL: keys of the job.
 */
int job_add_keys(const struct job *job, const struct test_spec *spec, const char *keys,
		 struct error *err);

/* The same with the option that the error text begins with, or else with the line of the test. */
int job_add_test_location(const struct job *job, const struct test_spec *spec, struct error *err);

/* The same for a line of the job file. */
int job_add_line(const struct job *job, unsigned line, struct error *err);

#endif
