/* The whole input, parsed: the tests it asks for and the options of the whole job. */
#include "options/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "options/candidates.h"
#include "options/ior_keys.h"
#include "options/outputs.h"
#include "options/rules.h"

void test_spec_init(struct test_spec *spec, const struct vocabulary *vocabulary)
{
	spec->workload = vocabulary->workload;
	option_set_init(&spec->core, &test_options);
	option_set_init(&spec->metadata, &metadata_options);
	spec->backends = memory_allocate(vocabulary->count, sizeof(*spec->backends));
	for (size_t i = 0; i < vocabulary->count; i++)
		option_set_init(&spec->backends[i], vocabulary->tables[i]);
	spec->backend_count = vocabulary->count;
	spec->old_keys = 0;
	spec->study = (struct study){ 0 };
	spec->line = 0;
}

void test_spec_release(struct test_spec *spec)
{
	option_set_release(&spec->core);
	option_set_release(&spec->metadata);
	for (size_t i = 0; i < spec->backend_count; i++)
		option_set_release(&spec->backends[i]);
	free(spec->backends);
	study_release(&spec->study);
	*spec = (struct test_spec){ 0 };
}

const struct option_set *test_spec_set(const struct test_spec *spec, const struct option_table *table)
{
	if (table == &test_options)
		return &spec->core;
	if (table == &metadata_options)
		return &spec->metadata;
	for (size_t i = 0; i < spec->backend_count; i++)
		if (spec->backends[i].table == table)
			return &spec->backends[i];
	return NULL;
}

struct option_set *test_spec_set_of(struct test_spec *spec, const struct option_table *table)
{
	const struct option_set *set = test_spec_set(spec, table);

	if (!set)
		BUG("a test has no options of %s", table->prefix);
	return (struct option_set *)set;
}

static void test_spec_copy(struct test_spec *to, const struct test_spec *from)
{
	to->workload = from->workload;
	option_set_copy(&to->core, &from->core);
	option_set_copy(&to->metadata, &from->metadata);
	to->backends = memory_allocate(from->backend_count, sizeof(*to->backends));
	for (size_t i = 0; i < from->backend_count; i++)
		option_set_copy(&to->backends[i], &from->backends[i]);
	to->backend_count = from->backend_count;
	to->old_keys = from->old_keys;
	study_copy(&to->study, &from->study);
	to->line = from->line;
}

void job_init(struct job *job, const struct vocabulary *vocabulary)
{
	*job = (struct job){ .vocabulary = vocabulary };
	option_set_init(&job->run, &run_options);
}

void job_release(struct job *job)
{
	option_set_release(&job->run);
	for (size_t i = 0; i < job->test_count; i++)
		test_spec_release(&job->tests[i]);
	free(job->tests);
	free(job->source);
	outputs_release(job);
	*job = (struct job){ 0 };
}

struct test_spec *job_add_test(struct job *job, const struct test_spec *from)
{
	struct test_spec added;

	if (from)
		test_spec_copy(&added, from);
	else
		test_spec_init(&added, job->vocabulary);
	/* doubled at each power of two, so that a file of very many RUNs stays quick */
	if ((job->test_count & (job->test_count - 1)) == 0)
		job->tests = memory_grow(job->tests, (job->test_count ? 2 * job->test_count : 1) *
							     sizeof(*job->tests));
	job->tests[job->test_count] = added;
	return &job->tests[job->test_count++];
}

/* Places */

char *job_where(const struct job *job, struct origin origin, char *buffer, size_t size)
{
	const char *source = job->source ? job->source : "job file";

	if (origin.kind == ORIGIN_FILE && origin.column)
		snprintf(buffer, size, "%.300s:%u:%u", source, origin.line, origin.column);
	else if (origin.kind == ORIGIN_FILE)
		snprintf(buffer, size, "%.300s:%u", source, origin.line);
	else
		snprintf(buffer, size, "%s",
			 origin.kind == ORIGIN_DEFAULT     ? "default" :
			 origin.kind == ORIGIN_ENVIRONMENT ? "environment" :
							     "command line");
	return buffer;
}

/* Which kind of origin is the more likely mistake: flags override the file, both the default. */
static int weight(enum origin_kind kind)
{
	static const int weights[] = {
		[ORIGIN_DEFAULT] = 0,
		[ORIGIN_ENVIRONMENT] = 1,
		[ORIGIN_FILE] = 2,
		[ORIGIN_COMMAND_LINE] = 3,
	};

	return weights[kind];
}

/* Where a test, or with NULL the job, has this key. */
static const struct option_set *set_with(const struct job *job, const struct test_spec *spec,
					 const char *key)
{
	if (!spec)
		return &job->run;
	return metadata_of(spec) && option_find(&metadata_options, key) ? &spec->metadata :
									   &spec->core;
}

/* Puts the place of the key that matters most before the text: spec NULL for the job's options. */
static int blame(const struct job *job, const struct test_spec *spec, const char *const *keys,
		 size_t count, struct error *err)
{
	struct origin worst = { .kind = ORIGIN_DEFAULT };
	char place[400];

	for (size_t i = 0; i < count && keys[i]; i++) {
		const struct option_set *set = set_with(job, spec, keys[i]);
		struct origin origin = option_origin(set, option_find(set->table, keys[i]));

		if (weight(origin.kind) > weight(worst.kind))
			worst = origin;
	}
	worst.column = 0;
	if (worst.kind == ORIGIN_DEFAULT && spec && spec->line)
		worst = (struct origin){ .kind = ORIGIN_FILE, .line = spec->line };
	else if (worst.kind == ORIGIN_DEFAULT)
		worst.kind = ORIGIN_COMMAND_LINE;
	return error_add(err, "%s", job_where(job, worst, place, sizeof(place)));
}

bool job_add_place(const struct job *job, const struct test_spec *spec, struct error *err)
{
	char *key = text_copy_n(err->text, strcspn(err->text, ":"));
	const struct option_set *set = set_with(job, spec, key);
	const struct option *row = option_find(set->table, key);
	const char *keys[] = { key };
	bool given = row && option_origin(set, row).kind != ORIGIN_DEFAULT;

	if (given)
		blame(job, spec, keys, 1, err);
	free(key);
	return given;
}

/* Assigning */

static int refuse_in_file(const struct key *key, struct error *err)
{
	return error_input(err, "%s: only the command line may say it; remove it", key->row->name);
}

/* The job's own options have one value, so a file must not give two. */
static int check_one_value(const struct option_set *run, const struct option *row,
			   const struct option_set *before, struct error *err)
{
	struct origin now = option_origin(run, row), then = option_origin(before, row);
	char value[200], earlier[200];

	if (now.kind != ORIGIN_FILE || then.kind != ORIGIN_FILE)
		return 0;
	option_format(run, row, value, sizeof(value));
	option_format(before, row, earlier, sizeof(earlier));
	if (!strcmp(value, earlier))
		return 0;
	return error_input(err,
			   "%s: %s on line %u, but %s on line %u; a job has one value",
			   row->name, value, now.line, earlier, then.line);
}

static int assign_run(struct job *job, const struct key *key, const char *value,
		      struct origin origin, struct error *err)
{
	struct option_set before;
	int ret;

	option_set_copy(&before, &job->run);
	ret = option_set_value(&job->run, key->row, value, origin, err);
	if (!ret)
		ret = check_one_value(&job->run, key->row, &before, err);
	option_set_release(&before);
	return ret;
}

static int assign_to(struct option_set *set, const struct key *key, const char *value,
		     struct origin origin, struct error *err)
{
	if (key->part)
		return option_set_pair(set, key->row, key->part, value, origin, err);
	return option_set_value(set, key->row, value, origin, err);
}

/* A key of IOR that backends have: which of them is meant shows when the api is known. */
static int assign_old(struct test_spec *spec, const struct key *key, const char *value,
		      struct origin origin, struct error *err)
{
	uint64_t bit = UINT64_C(1) << (key->old - ior_keys);

	for (size_t i = 0; i < spec->backend_count; i++) {
		struct option_set *set = &spec->backends[i];
		const struct option *row = option_find(set->table, key->old->name);

		if (!row)
			continue;
		if (option_set_value(set, row, value, origin, err))
			return -1;
		if (option_is_default(set, row))
			spec->old_keys &= ~bit;
		else
			spec->old_keys |= bit;
	}
	return 0;
}

static int assign_list(struct test_spec *spec, const struct key *key, const char *value,
		       struct origin origin, struct error *err)
{
	struct list list;

	if (key->old)
		return error_input(err, "%s: a list needs the name of the backend before it, such as "
					"%s.%s", key->old->name, key->table->prefix, key->row->name);
	if (key->scope == KEY_RUN)
		return error_input(err, "%s: a job has one value; lists are for options of a test",
				   key->row->name);
	if (list_parse(key->table, key->row, value, &list, err))
		return -1;
	study_vary(&spec->study, key->table, key->row, &list, origin);
	return 0;
}

int job_assign(struct job *job, struct test_spec *spec, const char *key, const char *value,
	       struct origin origin, struct error *err)
{
	struct vocabulary words = *job->vocabulary;
	struct key target;

	if (origin.kind == ORIGIN_FILE && spec)
		words.workload = spec->workload;
	if (vocabulary_can_ignore(&words, key, value))
		return 0;
	if (vocabulary_find(&words, key, &target, err))
		return -1;
	if (origin.kind == ORIGIN_FILE && target.row->command_line_only)
		return refuse_in_file(&target, err);
	if (target.scope == KEY_NOTHING)
		return 0;
	if (list_is_meant(target.row, value))
		return assign_list(spec, &target, value, origin, err);
	if (target.old)
		return assign_old(spec, &target, value, origin, err);
	if (target.scope == KEY_RUN)
		return assign_run(job, &target, value, origin, err);
	study_settle(&spec->study, target.row);
	return assign_to(test_spec_set_of(spec, target.table), &target, value, origin, err);
}

/* Completing */

static bool is_given(const struct option_set *set, const char *key)
{
	return option_origin(set, option_find(set->table, key)).kind != ORIGIN_DEFAULT;
}

static void settle_access(struct test_spec *spec)
{
	struct test *test = spec->core.values;
	bool write_given = is_given(&spec->core, "write_file");
	bool read_given = is_given(&spec->core, "read_file");

	if (test->check_read)
		test->read_file = true;
	if (test->write_file || test->read_file || test->check_write)
		return;
	/* one of them said to be 0 leaves the other; both said to be 0 is for the rules */
	test->write_file = !write_given;
	test->read_file = !read_given;
}

/* What IOR writes, where its way is asked for and nothing else is said. */
static void settle_content(struct test_spec *spec)
{
	struct test *test = spec->core.values;

	if (test->semantics == SEMANTICS_IOR && !is_given(&spec->core, "content") &&
	    test->content_compress <= 0 && test->content_dedup <= 1)
		test->content = CONTENT_IOR;
}

/* "direct" means one thing whichever is chosen: said of one candidate, it holds for all. */
static int share_direct(const struct job *job, struct test_spec *spec, struct error *err)
{
	const struct option *rows[CANDIDATES] = { NULL };
	struct option_set *sets[CANDIDATES] = { NULL };
	struct origin origin = { .kind = ORIGIN_DEFAULT };

	for (enum candidate i = 0; i < CANDIDATES; i++) {
		int index = vocabulary_find_prefix(job->vocabulary, candidate_name(i));

		if (index < 0)
			continue;
		sets[i] = &spec->backends[index];
		rows[i] = option_find(sets[i]->table, "direct");
		if (rows[i] && *(const bool *)((const char *)sets[i]->values + rows[i]->offset))
			origin = option_origin(sets[i], rows[i]);
	}
	for (enum candidate i = 0; i < CANDIDATES && origin.kind != ORIGIN_DEFAULT; i++)
		if (rows[i] && option_set_value(sets[i], rows[i], "1", origin, err))
			return -1;
	return 0;
}

static int name_api(struct test_spec *spec, const char *name, struct error *err)
{
	const struct option *row = option_find(&test_options, "api");

	return option_set_value(&spec->core, row, name, option_origin(&spec->core, row), err);
}

/* The api under its canonical name, if it can be used. */
static int settle_api(const struct job *job, struct test_spec *spec, struct error *err)
{
	static const char *const keys[] = { "api" };
	const char *api = test_of(spec)->api;
	int index;

	if (job->vocabulary->check_api(api, err)) {
		error_add(err, "api");
		return blame(job, spec, keys, 1, err);
	}
	if (api_is_auto(test_of(spec)))
		return share_direct(job, spec, err) ? -1 : name_api(spec, "auto", err);
	index = job->vocabulary->find_api(api);
	if (index < 0)
		return 0; /* a backend without options is usable, too */
	return name_api(spec, job->vocabulary->tables[index]->prefix, err);
}

/* An old key that asks for something which the api has not. */
static int refuse_old_key(const struct job *job, const struct test_spec *spec,
			  const struct ior_key *old, struct error *err)
{
	struct origin origin = { .kind = ORIGIN_DEFAULT };
	struct text who = { 0 };
	char place[400];

	for (size_t i = 0; i < spec->backend_count; i++) {
		const struct option_set *set = &spec->backends[i];
		const struct option *row = option_find(set->table, old->name);

		if (!row)
			continue;
		text_add(&who, "%s%s", who.length ? ", " : "", set->table->prefix);
		origin = option_origin(set, row);
	}
	error_input(err, "%s: %s has no such option, it is for %s; remove it, or set it to its default",
		    old->name, test_of(spec)->api, text_string(&who));
	text_release(&who);
	origin.column = 0;
	return error_add(err, "%s", job_where(job, origin, place, sizeof(place)));
}

static int check_old_keys(const struct job *job, const struct test_spec *spec, struct error *err)
{
	int index = job->vocabulary->find_api(test_of(spec)->api);

	for (size_t i = 0; i < ior_key_count; i++) {
		bool given = spec->old_keys >> i & 1;

		if (given && (index < 0 || !option_find(spec->backends[index].table,
							ior_keys[i].name)))
			return refuse_old_key(job, spec, &ior_keys[i], err);
	}
	return 0;
}

/* A job file may come from anywhere: its commands run only when the caller of iorx says so. */
static int check_commands(const struct job *job, const struct option_set *set, struct error *err)
{
	for (size_t i = 0; i < set->table->count; i++) {
		const struct option *row = &set->table->rows[i];
		struct origin origin = option_origin(set, row);
		char place[400];

		if (!row->runs_command || origin.kind != ORIGIN_FILE)
			continue;
		error_input(err, "%s%s%s: a job file may run commands only with --allow-commands "
				 "on the command line",
			    set->table->prefix, *set->table->prefix ? "." : "", row->name);
		origin.column = 0;
		return error_add(err, "%s", job_where(job, origin, place, sizeof(place)));
	}
	return 0;
}

static int check_metadata_rules(const struct job *job, const struct test_spec *spec,
				struct error *err)
{
	for (const struct metadata_rule *rule = metadata_rules; rule->broken; rule++) {
		struct text why = { 0 };

		if (!rule->broken(metadata_of(spec), &why))
			continue;
		error_input(err, "%s", text_string(&why));
		text_release(&why);
		return blame(job, spec, rule->keys, 3, err);
	}
	return 0;
}

static int check_test_rules(const struct job *job, const struct test_spec *spec, struct error *err)
{
	for (const struct test_rule *rule = test_rules; rule->broken; rule++) {
		struct text why = { 0 };

		if (!rule->broken(test_of(spec), &why))
			continue;
		error_input(err, "%s", text_string(&why));
		text_release(&why);
		return blame(job, spec, rule->keys, 3, err);
	}
	return 0;
}

static int complete_data(const struct job *job, struct test_spec *spec, struct error *err)
{
	settle_access(spec);
	settle_content(spec);
	return settle_api(job, spec, err) || check_old_keys(job, spec, err) ||
	       check_test_rules(job, spec, err) ? -1 : 0;
}

/* None of the phases given: all of them. */
static int complete_metadata(const struct job *job, struct test_spec *spec, struct error *err)
{
	struct metadata *test = spec->metadata.values;

	if (test->cleanup && !test->items && !test->items_per_dir)
		test->items = 1; /* of no phase */
	test->files_only |= test->shared_file && !test->directories_only;
	if (!test->create && !test->stat && !test->read && !test->rename && !test->remove)
		test->create = test->stat = test->read = test->rename = test->remove = true;
	return settle_api(job, spec, err) || check_metadata_rules(job, spec, err) ? -1 : 0;
}

static int complete_test(const struct job *job, struct test_spec *spec, struct error *err)
{
	if (spec->workload == WORKLOAD_METADATA) {
		if (complete_metadata(job, spec, err))
			return -1;
	} else if (complete_data(job, spec, err)) {
		return -1;
	}
	if (run_of(job)->allow_commands)
		return 0;
	if (check_commands(job, &spec->core, err))
		return -1;
	for (size_t i = 0; i < spec->backend_count; i++)
		if (check_commands(job, &spec->backends[i], err))
			return -1;
	return 0;
}

static int complete_run(struct job *job, struct error *err)
{
	const char *key;

	for (const struct run_rule *rule = run_rules; rule->broken; rule++) {
		struct text why = { 0 };

		if (!rule->broken(run_of(job), &why))
			continue;
		error_input(err, "%s", text_string(&why));
		text_release(&why);
		return blame(job, NULL, rule->keys, 3, err);
	}
	return outputs_settle(job, &key, err) ? blame(job, NULL, &key, 1, err) : 0;
}

int job_complete(struct job *job, struct error *err)
{
	if (complete_run(job, err) || study_make_tests(job, err))
		return -1;
	for (size_t i = 0; i < job->test_count; i++)
		if (complete_test(job, &job->tests[i], err))
			return -1;
	return 0;
}
