/* The whole input, parsed: the tests it asks for and the options of the whole job, as they are
 * assigned. */
#include "options/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "options/outputs.h"

void test_spec_init(struct test_spec *spec, const struct vocabulary *vocabulary)
{
	spec->workload = vocabulary->workload;
	option_set_init(&spec->core, &test_options);
	option_set_init(&spec->metadata, &metadata_options);
	option_set_init(&spec->load, &load_options);
	spec->backends = memory_allocate(vocabulary->count, sizeof(*spec->backends));
	for (size_t i = 0; i < vocabulary->count; i++)
		option_set_init(&spec->backends[i], vocabulary->tables[i]);
	spec->backend_count = vocabulary->count;
	spec->study = (struct study){0};
	spec->spares_foreign = NULL;
	spec->allows_private = false;
	spec->set = (struct membership){0};
	spec->line = 0;
}

void test_spec_release(struct test_spec *spec)
{
	option_set_release(&spec->core);
	option_set_release(&spec->metadata);
	option_set_release(&spec->load);
	for (size_t i = 0; i < spec->backend_count; i++)
		option_set_release(&spec->backends[i]);
	free(spec->backends);
	study_release(&spec->study);
	*spec = (struct test_spec){0};
}

const struct option_set *test_spec_set(const struct test_spec *spec,
				       const struct option_table *table)
{
	if (table == &test_options)
		return &spec->core;
	if (table == &metadata_options)
		return &spec->metadata;
	if (table == &load_options)
		return &spec->load;
	for (size_t i = 0; i < spec->backend_count; i++)
		if (spec->backends[i].table == table)
			return &spec->backends[i];
	return NULL;
}

const char *test_spec_hints_file(const struct test_spec *spec, const struct option_table *table,
				 bool *spares_private)
{
	const struct option_set *set = test_spec_set(spec, table);
	const struct option *row = set ? option_find(table, "hints_file") : NULL;
	const char *name;

	*spares_private = row && test_spec_spares_private(spec, set, row->name);
	if (!row)
		return NULL;
	name = *(char *const *)((const char *)set->values + row->offset);
	return name ? name : "";
}

struct option_set *test_spec_set_of(struct test_spec *spec, const struct option_table *table)
{
	const struct option_set *set = test_spec_set(spec, table);

	if (!set)
		BUG("a test has no options of %s", table->prefix);
	return (struct option_set *)set;
}

void test_spec_copy(struct test_spec *to, const struct test_spec *from)
{
	to->workload = from->workload;
	option_set_copy(&to->core, &from->core);
	option_set_copy(&to->metadata, &from->metadata);
	option_set_copy(&to->load, &from->load);
	to->backends = memory_allocate(from->backend_count, sizeof(*to->backends));
	for (size_t i = 0; i < from->backend_count; i++)
		option_set_copy(&to->backends[i], &from->backends[i]);
	to->backend_count = from->backend_count;
	study_copy(&to->study, &from->study);
	to->spares_foreign = from->spares_foreign;
	to->allows_private = from->allows_private;
	to->set = from->set;
	to->line = from->line;
}

void job_init(struct job *job, const struct vocabulary *vocabulary)
{
	*job = (struct job){.vocabulary = vocabulary};
	option_set_init(&job->run, &run_options);
}

void job_release(struct job *job)
{
	option_set_release(&job->run);
	for (size_t i = 0; i < job->test_count; i++)
		test_spec_release(&job->tests[i]);
	free(job->tests);
	free(job->source);
	free(job->text);
	free(job->environment);
	for (size_t i = 0; i < job->definition_count; i++)
		free(job->definitions[i].text);
	free(job->definitions);
	text_release(&job->notes);
	outputs_release(job);
	*job = (struct job){0};
}

struct test_spec *job_add_test(struct job *job, const struct test_spec *from)
{
	struct test_spec added;

	if (from)
		test_spec_copy(&added, from);
	else
		test_spec_init(&added, job->vocabulary);
	/* doubles at each power of two, so that files of many RUNs are read fast */
	if ((job->test_count & (job->test_count - 1)) == 0)
		job->tests = memory_grow(job->tests, (job->test_count ? 2 * job->test_count : 1) *
							     sizeof(*job->tests));
	job->tests[job->test_count] = added;
	return &job->tests[job->test_count++];
}

bool job_cleans_loads(const struct job *job)
{
	for (size_t i = 0; i < job->test_count; i++)
		if (load_of(&job->tests[i]) && load_of(&job->tests[i])->cleanup)
			return true;
	return false;
}

static int refuse_in_file(const struct key *key, struct error *err)
{
	return error_input(err, "%s: this option is for the command line only; remove it",
			   key->row->name);
}

/* An option of the whole job has one value, so a file must not set two. */
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
	return error_input(err, "%s: %s on line %u, but %s on line %u; a job has one value",
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
	if (key->pair_name)
		return option_set_pair(set, key->row, key->pair_name, value, origin, err);
	return option_set_value(set, key->row, value, origin, err);
}

/* Sets a key of IOR that several backends have in all of them, as the api is not known yet. */
static int assign_for_api(struct test_spec *spec, const struct key *key, const char *value,
			  struct origin origin, struct error *err)
{
	origin.for_api = true;
	for (size_t i = 0; i < spec->backend_count; i++) {
		struct option_set *set = &spec->backends[i];
		const struct option *row = option_find_ior(set->table, key->row->ior_key);

		if (row && option_set_value(set, row, value, origin, err))
			return -1;
	}
	return 0;
}

static int assign_list(struct test_spec *spec, const struct key *key, const char *value,
		       struct origin origin, struct error *err)
{
	struct list list;

	if (key->for_api)
		return error_input(
			err, "%s: a list needs the name of the backend before it, such as %s.%s",
			key->row->ior_key, key->table->prefix, key->row->name);
	if (key->scope == KEY_RUN)
		return error_input(err, "%s: a job has one value; lists are for options of a test",
				   key->row->name);
	if (list_parse(key->table, key->row, value, &list, err))
		return -1;
	study_vary(&spec->study, key->table, key->row, &list, origin);
	return 0;
}

/* Sets a key of IOR or mdtest that means one value of an option of iorx, or has no effect. */
static int assign_foreign(struct job *job, struct test_spec *spec, const struct option *row,
			  struct origin origin, struct error *err)
{
	const char *equal = row->instead ? strchr(row->instead, '=') : NULL;
	struct text line = {0};
	char *key;
	int ret;

	if (row->note)
		text_add(&line, "%s has no effect; %s\n", row->name, row->note);
	/* The key may be set in each test, but is reported once. */
	if (row->note && !strstr(text_string(&job->notes), line.bytes))
		text_add(&job->notes, "%s", line.bytes);
	text_release(&line);
	if (!equal)
		return 0;
	key = text_copy_n(row->instead, (size_t)(equal - row->instead));
	ret = job_assign(job, spec, key, equal + 1, origin, err);
	free(key);
	return ret;
}

int job_assign(struct job *job, struct test_spec *spec, const char *key, const char *value,
	       struct origin origin, struct error *err)
{
	struct vocabulary words = *job->vocabulary;
	struct key target;

	if ((origin.kind == ORIGIN_FILE || origin.for_one) && spec)
		words.workload = spec->workload;
	if (vocabulary_can_ignore(&words, key, value))
		return 0;
	if (vocabulary_find(&words, key, &target, err))
		return -1;
	if (origin.kind == ORIGIN_FILE && target.row->command_line_only)
		return refuse_in_file(&target, err);
	if (target.scope == KEY_NOTHING)
		return assign_foreign(job, spec, target.row, origin, err);
	if (list_is_meant(target.row, value))
		return assign_list(spec, &target, value, origin, err);
	if (target.for_api)
		return assign_for_api(spec, &target, value, origin, err);
	if (target.scope == KEY_RUN)
		return assign_run(job, &target, value, origin, err);
	study_settle(&spec->study, target.row);
	if (!assign_to(test_spec_set_of(spec, target.table), &target, value, origin, err))
		return 0;
	return list_add_form(target.row, value, err);
}
