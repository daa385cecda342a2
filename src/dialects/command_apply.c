/* Applies the flags of a command line to the tests of a job. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dialects/dialect.h"

/* Refuses an option that no test of the job has, as a test's own vocabulary does. */
static int refuse_for_all(const struct job *job, const char *name, struct error *err)
{
	struct vocabulary words = *job->vocabulary;
	struct key key;

	words.workload = job->tests[0].workload;
	return vocabulary_find(&words, name, &key, err);
}

/* The key behind the name of a test and a point; NULL: the text begins with another name. */
static const char *key_behind_name(const struct test_spec *spec, const char *text)
{
	const char *name = test_of(spec)->name;
	const size_t length = name ? strlen(name) : 0;

	return length && !strncmp(text, name, length) && text[length] == '.' ? text + length + 1
									     : NULL;
}

static int set_one(struct job *job, struct test_spec *spec, const char *name, const char *value,
		   struct origin origin, struct error *err)
{
	if (option_find(&run_options, name))
		return error_input(err, "%s: this option is for the whole job; give --%s=%.80s",
				   name, name, value);
	return set_take_share(spec, name, value) ? 0
						 : job_assign(job, spec, name, value, origin, err);
}

/* --set NAME.KEY=VALUE: for each test of that name, the longest one where names have dots. */
static int apply_to_named(struct job *job, const char *text, struct origin origin,
			  struct error *err)
{
	const char *equal = strchr(text, '=');
	size_t longest = 0; /* of the names that the text begins with, with the dot */
	int ret = 0;

	if (!equal)
		return error_input(err, "set: \"%.80s\" is not NAME.KEY=VALUE", text);
	origin.for_one = true;
	for (size_t i = 0; i < job->test_count; i++) {
		const char *key = key_behind_name(&job->tests[i], text);

		if (key && key <= equal && (size_t)(key - text) > longest)
			longest = (size_t)(key - text);
	}
	for (size_t i = 0; i < job->test_count && !ret; i++) {
		const char *key = key_behind_name(&job->tests[i], text);

		if (!longest || key != text + longest)
			continue;
		char *name = text_copy_n(key, (size_t)(equal - key));

		ret = set_one(job, &job->tests[i], name, equal + 1, origin, err);
		free(name);
	}
	if (ret)
		return error_add(err, "set: \"%.80s\"", text);
	if (longest)
		return 0;
	return error_input(
		err,
		"set: no test has the name that \"%.80s\" begins with; the job file gives "
		"it by name = NAME",
		text);
}

/* Applies an assignment to every test that has the option, but only once to the job. */
static int apply(const struct command_line *line, size_t number, struct job *job, struct error *err)
{
	const struct assignment *assignment = &line->assignments[number];
	struct origin origin = {.kind = line->kind, .line = assignment->argument};
	bool applied = false;
	struct key key;

	if (vocabulary_find(job->vocabulary, assignment->key, &key, err))
		return -1;
	if (key.row == option_find(&run_options, "set") &&
	    apply_to_named(job, assignment->value, origin, err))
		return -1;
	for (size_t i = 0; i < (key.scope == KEY_RUN ? 1 : job->test_count); i++) {
		struct test_spec *spec = &job->tests[i];

		if (key.scope == KEY_TEST && !option_is_for(key.row, spec->workload))
			continue;
		if (job_assign(job, spec, assignment->key, assignment->value, origin, err))
			return -1;
		applied = true;
	}
	/* IORX_OPTIONS is for jobs of all workloads. */
	if (applied || line->kind == ORIGIN_ENVIRONMENT)
		return 0;
	return refuse_for_all(job, assignment->key, err);
}

int command_line_apply(const struct command_line *line, struct job *job, struct error *err)
{
	if (job->test_count == 0)
		job_add_test(job, NULL);
	for (size_t i = 0; i < line->count; i++) {
		const char *shown = line->assignments[i].shown;

		if (!apply(line, i, job, err))
			continue;
		if (shown)
			error_add(err, "%.80s", shown);
		return error_add(err, "%s", command_line_location(line));
	}
	return 0;
}
