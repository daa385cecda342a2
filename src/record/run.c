/* The run as a whole: its environment, its errors and its end. */
#include "record/record.h"

#include <string.h>

#include "base/version.h"
#include "environment/compare.h"
#include "record/json.h"
#include "record/line.h"

const char *hosts_name(const struct hosts *hosts, uint32_t node)
{
	return hosts && hosts->names && node < hosts->count ? hosts->names[node] : NULL;
}

/* A row of a heatmap has the name in place of the number; other objects have both. */
void record_add_hosts(json_t *line, const struct hosts *hosts)
{
	const json_t *node = json_object_get(line, "node");
	const char *key;
	json_t *member;
	size_t i;

	json_object_foreach(line, key, member) record_add_hosts(member, hosts);
	json_array_foreach(line, i, member) record_add_hosts(member, hosts);
	if (json_is_integer(node))
		json_object_set_new(
			line, json_object_get(line, "host") ? "host" : "node",
			json_text(hosts_name(hosts, (uint32_t)json_integer_value(node))));
}

static const char *value_in(const json_t *object, const char *key)
{
	return line_has(object, key) ? line_text(object, key) : "missing";
}

/*
 * Adds some of the keys in which a node differs from most: "cpu.governor powersave (others
 * performance), …". The line of the job has the values, where names in them may be hidden.
 */
static void add_differences(const json_t *run, const struct environments *environments,
			    uint32_t node, struct text *out)
{
	enum { KEYS_SHOWN = 2 };
	const json_t *differences = line_at(run, "node_environments/differences");
	size_t shown = 0;

	for (size_t i = 0; i < environments->key_count && shown < KEYS_SHOWN; i++) {
		const json_t *key = json_array_get(differences, i);
		const size_t value = environments_value(&environments->keys[i], node);

		if (!value)
			continue;
		text_add(out, "%s%s %.40s (others %.40s)", shown ? ", " : "", line_text(key, "key"),
			 value_in(json_array_get(line_at(key, "others"), value - 1), "value"),
			 value_in(key, "common"));
		shown++;
	}
}

static void add_environment(json_t *verdict, const struct environments *environments,
			    const json_t *run)
{
	const double node = line_number(verdict, "evidence/node");
	struct text differs = {0}, remedy = {0};

	if (strcmp(line_text(verdict, "id"), "N1") || !(node >= 0))
		return;
	add_differences(run, environments, (uint32_t)node, &differs);
	text_add(&remedy, "there differs %.100s: make it equal, or leave it out",
		 text_string(&differs));
	if (differs.length)
		put_text(verdict, "remedy", text_string(&remedy));
	text_release(&remedy);
	text_release(&differs);
}

void record_add_environment(json_t *line, const struct environments *environments,
			    const json_t *run)
{
	json_t *summary, *verdict;
	size_t i, k;

	json_array_foreach(line_at(line, "summaries"), i, summary)
	{
		json_array_foreach(line_at(summary, "verdicts"), k, verdict)
		{
			add_environment(verdict, environments, run);
		}
	}
}

static void put_environment(json_t *run, const struct environment *environment)
{
	json_t *object = put_object(run, "environment");

	put_text(object, "compiler", environment->compiler);
	put_text(object, "flags", version.flags);
	put_text(object, "mpi", environment->mpi);
	put_text(object, "host", environment->host);
	put_text(object, "kernel", environment->kernel);
	put_text(object, "cpu", environment->cpu);
	put_count(object, "cpus", environment->cpus);
	put_count(object, "node_cpus", environment->node_cpus);
	put_count(object, "memory_bytes", environment->memory_bytes);
	put_text(object, "clock", environment->clock);
	put_number(object, "clock_cost_ns", environment->clock_cost_ns);
	put_lines(object, "scheduler", environment->scheduler);
	put_lines(object, "variables", environment->variables);
}

/* A value that some nodes have; null: they do not have the key. */
static json_t *record_value(const struct differing_value *value)
{
	enum { NODES_SHOWN = 64 };
	json_t *object = json_object(), *nodes;

	put_text(object, "value", value->value);
	put_count(object, "count", value->count);
	nodes = put_array(object, "nodes");
	for (uint32_t i = 0; i < value->count && i < NODES_SHOWN; i++)
		json_array_append_new(nodes, json_count(value->nodes[i]));
	return object;
}

static void put_nodes(json_t *run, const struct environments *environments)
{
	json_t *object = put_object_if(run, "node_environments", environments != NULL), *list;

	if (!object)
		return;
	put_count(object, "nodes", environments->nodes);
	put_count(object, "distinct", environments->group_count);
	put_count(object, "unheard", environments->unheard);
	put_number(object, "gathered_s", environments->took.wall);
	put_number(object, "gathered_cpu_s", environments->took.cpu);
	put_lines(object, "common", text_string(&environments->common));
	list = put_array(object, "differences");
	for (size_t i = 0; i < environments->key_count; i++) {
		const struct differing_key *key = &environments->keys[i];
		json_t *item = json_object(), *others;

		put_text(item, "key", key->key);
		put_text(item, "common", key->values->value);
		others = put_array(item, "others");
		for (size_t k = 1; k < key->count; k++)
			json_array_append_new(others, record_value(&key->values[k]));
		json_array_append_new(list, item);
	}
}

static void put_hosts(json_t *run, const struct hosts *hosts)
{
	json_t *names;

	if (!hosts->names)
		return;
	names = put_array(run, "hosts");
	for (uint32_t node = 0; node < hosts->count; node++)
		json_array_append_new(names, json_text(hosts->names[node]));
}

json_t *record_run(const struct job *job, int argc, char *const *argv,
		   const struct environment *environment, const struct hosts *hosts)
{
	const struct run *options = job->run.values;
	json_t *run = json_object(), *command;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	put_text(run, "iorx_version", environment->version);
	put_time(run, "began", now);
	command = put_array(run, "command_line");
	for (int i = 0; i < argc; i++)
		json_array_append_new(command, json_text(argv[i]));
	put_text(run, "iorx_options", options->anonymize ? NULL : job->environment);
	put_text(run, "job_file", job->source);
	put_text(run, "job_text", options->anonymize ? NULL : job->text);
	put_count(run, "tests", job->test_count);
	put_count(run, "tasks", environment->tasks);
	put_count(run, "nodes", environment->nodes);
	put_hosts(run, hosts);
	put_count(run, "seed", environment->seed);
	record_options(put_object(run, "options"), job, &job->run);
	put_environment(run, environment);
	put_nodes(run, environment->every_node);
	return run;
}

json_t *record_error(const struct error *err)
{
	json_t *object = json_object();
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	put_time(object, "at", now);
	put_text(object, "kind", err->kind == ERROR_INPUT ? "input" : "io");
	json_object_set_new(object, "errno", err->code ? json_integer(err->code) : json_null());
	put_text(object, "text", err->text);
	return object;
}

json_t *record_end(enum job_status status, int exit_code)
{
	json_t *object = json_object();
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	put_time(object, "at", now);
	put_text(object, "status", job_status_name(status));
	put_integer(object, "exit_code", exit_code);
	return object;
}
