/*
 * Completes a job after its last assignment: settles values that depend on others and checks rules.
 */
#include "base/named_file.h"
#include "base/text.h"
#include "options/curve.h"
#include "options/outputs.h"
#include "options/rules.h"
#include "options/tasks_wanted.h"

static bool complete_is_given(const struct option_set *set, const char *key)
{
	return option_origin(set, option_find(set->table, key)).kind != ORIGIN_DEFAULT;
}

static void settle_access(struct test_spec *spec)
{
	struct test *test = spec->core.values;
	bool write_given = complete_is_given(&spec->core, "write_file");
	bool read_given = complete_is_given(&spec->core, "read_file");

	if (test->check_read)
		test->read_file = true;
	if (test->write_file || test->read_file || test->check_write)
		return;
	/* if one is set to 0, the other stays; the rules refuse both set to 0 */
	test->write_file = !write_given;
	test->read_file = !read_given;
}

/* With semantics=ior the default content is IOR's. */
static void settle_content(struct test_spec *spec)
{
	struct test *test = spec->core.values;

	if (test->semantics == SEMANTICS_IOR && !complete_is_given(&spec->core, "content") &&
	    test->content_compress <= 0 && test->content_dedup <= 1)
		test->content = CONTENT_IOR;
}

static int name_api(struct test_spec *spec, const char *name, struct error *err)
{
	const struct option *row = option_find(&test_options, "api");

	return option_set_value(&spec->core, row, name, option_origin(&spec->core, row), err);
}

/* Sets the api's canonical name, if the api can be used. */
static int settle_api(const struct job *job, struct test_spec *spec, struct error *err)
{
	const char *api = test_of(spec)->api;
	int index;

	if (job->vocabulary->check_api(api, err)) {
		list_add_form(option_find(&test_options, "api"), api, err);
		error_add(err, "api");
		return job_add_keys(job, spec, "api", err);
	}
	index = job->vocabulary->find_api(api);
	if (index < 0)
		return 0; /* a backend without options can be used too */
	return name_api(spec, job->vocabulary->tables[index]->prefix, err);
}

/* A job file may come from anywhere, so its commands run only if the command line allows them. */
static int check_commands(const struct job *job, const struct option_set *set, struct error *err)
{
	for (size_t i = 0; i < set->table->count; i++) {
		const struct option *row = &set->table->rows[i];
		struct origin origin = option_origin(set, row);

		if (!row->runs_command || origin.kind != ORIGIN_FILE)
			continue;
		error_input(err,
			    "%s%s%s: a job file may run commands only with --allow-commands "
			    "on the command line",
			    set->table->prefix, *set->table->prefix ? "." : "", row->name);
		origin.column = 0;
		return job_add_origin(job, origin, err);
	}
	return 0;
}

static const char *find_foreign_key_of(const struct option_set *set, bool by_file)
{
	for (size_t i = 0; i < set->table->count; i++) {
		const struct option *row = &set->table->rows[i];
		bool in_file = option_origin(set, row).kind == ORIGIN_FILE;

		if (row->takes_foreign && in_file == by_file && !option_is_default(set, row))
			return row->name;
	}
	return NULL;
}

/* The first key in the job file, or elsewhere, that asks to replace foreign files; NULL: none. */
static const char *find_foreign_key(const struct test_spec *spec, bool by_file)
{
	const struct option_set *own = own_set_of(spec);
	const char *key = find_foreign_key_of(&spec->core, by_file);

	return key || !own ? key : find_foreign_key_of(own, by_file);
}

/*
 * A job file may come from anywhere, so it may destroy foreign files only if the command line
 * allows that: by --allow-overwrite or by the same key. Deletion by semantics=ior and writes into
 * files that layout=missing has found have no other flag.
 */
static void settle_foreign(const struct job *job, struct test_spec *spec)
{
	const struct option *semantics = option_find(&test_options, "semantics");
	bool in_file = option_origin(&spec->core, semantics).kind == ORIGIN_FILE;
	const struct test *test = test_of(spec);

	if (run_of(job)->allow_overwrite)
		return;
	if (in_file && test->semantics == SEMANTICS_IOR && !test->keep_file)
		spec->spares_foreign = semantics->name;
	else if (spec->workload == WORKLOAD_LOAD && load_of(spec)->layout == LAYOUT_MISSING)
		spec->spares_foreign = "layout";
	else if (!find_foreign_key(spec, false))
		spec->spares_foreign = find_foreign_key(spec, true);
}

/* Without any phase given, all phases run. */
static void settle_metadata(struct test_spec *spec)
{
	struct metadata *test = spec->metadata.values;

	/* As in mdtest, both flags together mean both kinds. */
	if (test->files_only && test->directories_only)
		test->files_only = test->directories_only = false;
	test->files_only |= test->shared_file && !test->directories_only;
	if (!test->create && !test->stat && !test->read && !test->rename && !test->remove &&
	    !test->find)
		test->create = test->stat = test->read = test->rename = test->remove = true;
}

/*
 * Operations at a rate are due at equal distances unless arrival says otherwise. The points of a
 * curve have a rate, except its maximum.
 */
static void settle_pace(struct test_spec *spec)
{
	struct load *load = spec->load.values;
	const enum curve_point_kind point = curve_point_of(load->curve).kind;
	const bool has_rate = load_has_rate(load);

	if (point == CURVE_POINT_MAX && !has_rate)
		load->arrival = ARRIVAL_CLOSED;
	else if (point != CURVE_POINT_NONE && load->arrival == ARRIVAL_CLOSED)
		load->arrival = ARRIVAL_EVEN;
	else if (has_rate && !complete_is_given(&spec->load, "arrival"))
		load->arrival = ARRIVAL_EVEN;
}

/* All tasks together play a trace once, unless file_scope says otherwise. */
static void settle_scope(struct test_spec *spec)
{
	struct load *load = spec->load.values;

	if (load->trace && !complete_is_given(&spec->load, "file_scope"))
		load->file_scope = LOAD_SCOPE_TEST;
}

/* Settles the values of a test that depend on others, as far as the rules compare them. */
static void settle_workload(const struct job *job, struct test_spec *spec)
{
	if (spec->workload == WORKLOAD_METADATA) {
		settle_metadata(spec);
		return;
	}
	if (spec->workload == WORKLOAD_DATA) {
		settle_access(spec);
		settle_content(spec);
	} else {
		settle_pace(spec);
		settle_scope(spec);
	}
	settle_foreign(job, spec);
}

/* Sets what an option without a value, or with another name, means to the plan. */
static void settle_synonyms(struct test_spec *spec)
{
	struct metadata *metadata = spec->metadata.values;
	struct load *load = spec->load.values;

	if (spec->workload == WORKLOAD_METADATA && !metadata->branch)
		metadata->branch = 1; /* the tree has one directory */
	if (spec->workload == WORKLOAD_LOAD && test_of(spec)->fsync_per_write)
		load->fsync_every = 1;
}

static int check_rules(const struct job *job, const struct test_spec *spec, struct error *err)
{
	const char *keys = rules_check(spec, err);

	return keys ? job_add_keys(job, spec, keys, err) : 0;
}

static int complete_test(const struct job *job, struct test_spec *spec, struct error *err)
{
	const struct option_set *own = own_set_of(spec);

	spec->allows_private = run_of(job)->allow_private;
	if (settle_api(job, spec, err))
		return -1;
	settle_workload(job, spec);
	if (check_rules(job, spec, err))
		return -1;
	settle_synonyms(spec);
	if (run_of(job)->allow_commands)
		return 0;
	if (check_commands(job, &spec->core, err) || (own && check_commands(job, own, err)))
		return -1;
	for (size_t i = 0; i < spec->backend_count; i++)
		if (check_commands(job, &spec->backends[i], err))
			return -1;
	return 0;
}

/* IOR's summary has no words for other tests than those of data. */
static int check_summary(const struct job *job, struct error *err)
{
	for (size_t i = 0; i < job->output_count; i++)
		for (size_t k = 0; k < job->test_count && !job->outputs[i].path; k++)
			if (job->tests[k].workload != WORKLOAD_DATA)
				return error_input(err,
						   "summary_format: IOR's summary, which stands on "
						   "standard output without summary_file, has no "
						   "%s tests; name a file with output",
						   own_set_of(&job->tests[k])->table->prefix);
	return 0;
}

static bool cleans(const struct test_spec *spec)
{
	const struct metadata *metadata = metadata_of(spec);
	const struct load *load = load_of(spec);

	return (metadata && metadata->cleanup) || (load && load->cleanup);
}

/* The files that a cleanup would remove are not known in advance. */
static int check_cleanup(const struct job *job, struct error *err)
{
	const bool any_load = job_cleans_loads(job);

	for (size_t i = 0; i < job->test_count; i++) {
		const struct load *given = job->tests[i].load.values;

		if (cleans(&job->tests[i]) && run_of(job)->dry_run)
			return error_input(err, "dry_run: it does not list what cleanup would "
						"remove; --show-plan says what is looked for");
		if (given->cleanup && !any_load)
			return error_input(err, "load.cleanup: it removes the files of loads, and "
						"the job has none; leave it out");
	}
	return 0;
}

/* A cleanup of loads has no results. The words of a load may name files for them. */
static int leave_results_out(struct job *job, struct error *err)
{
	static const struct {
		const char *key, *value;
	} unset[] = {{"output", "none"},
		     {"summary_file", ""},
		     {"summary_format", "default"},
		     {"task_table", ""},
		     {"operation_tables", ""}};

	for (size_t i = 0; i < sizeof(unset) / sizeof(*unset); i++) {
		const struct option *row = option_find(&run_options, unset[i].key);

		if (option_set_value(&job->run, row, unset[i].value, option_origin(&job->run, row),
				     err))
			return -1;
	}
	return 0;
}

static int check_name(const char *path, const char *name, const char **key, struct error *err)
{
	*key = name;
	return path ? named_file_check_name(name, path, err) : 0;
}

/* Checks the names of the files for results. On failure *key is the wrong option. */
static int check_names(const struct job *job, const char **key, struct error *err)
{
	const struct run *run = run_of(job);
	const char *prefix = run->operation_tables;

	for (size_t i = 0; i < job->output_count; i++)
		if (check_name(job->outputs[i].path, job->outputs[i].key, key, err))
			return -1;
	if (check_name(run->task_table, "task_table", key, err))
		return -1;
	return check_name(prefix && *prefix ? prefix : NULL, "operation_tables", key, err);
}

static int complete_run(struct job *job, struct error *err)
{
	const char *key = "dry_run";

	if (check_cleanup(job, err) || (job_cleans_loads(job) && leave_results_out(job, err)))
		return job_add_keys(job, NULL, key, err);
	if (!outputs_settle(job, &key, err) && !check_summary(job, err) &&
	    !check_names(job, &key, err))
		return 0;
	return job_add_keys(job, NULL, key, err);
}

int job_complete(struct job *job, struct error *err)
{
	if (complete_run(job, err) || study_make_tests(job, err) || sets_check(job, err))
		return -1;
	sets_complete(job);
	if (tasks_wanted_check(job, err))
		return -1;
	for (size_t i = 0; i < job->test_count; i++)
		if (complete_test(job, &job->tests[i], err))
			return -1;
	return 0;
}
