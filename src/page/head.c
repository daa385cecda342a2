/* The head of a job: version, date, tasks and nodes, command line. */
#include "page/page.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/units.h"
#include "page/command.h"
#include "page/layout.h"

void page_count(struct text *out, uint64_t count, const char *noun)
{
	text_add(out, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

void page_tasks(struct text *out, const struct plan *plan)
{
	const bool sleeps = plan->sleeping_tasks && !plan->seats;

	if (sleeps)
		text_add(out, "%" PRIu32 " of ", plan->map.tasks);
	page_count(out, plan->map.tasks + (sleeps ? plan->sleeping_tasks : 0), "task");
	text_add(out, " on ");
	page_count(out, plan->map.nodes, "node");
	if (sleeps)
		text_add(out, ", %" PRIu32 " sleep%s", plan->sleeping_tasks,
			 plan->sleeping_tasks == 1 ? "s" : "");
}

void page_field(struct text *out, const char *label, struct text *words)
{
	if (words->length)
		layout_paragraph(out, label, PAGE_INDENT, text_string(words));
	text_release(words);
}

/* The number of the batch job, from the first of its variables. */
static void add_batch_job(struct text *words, const char *scheduler)
{
	static const char *const names[][2] = {
		{"SLURM_JOB_ID=", "Slurm"}, {"PBS_JOBID=", "PBS"}, {"LSB_JOBID=", "LSF"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *line = strstr(scheduler, names[i][0]);
		const char *number = line ? line + strlen(names[i][0]) : NULL;

		if (number)
			text_add(words, ", %s job %.*s", names[i][1], (int)strcspn(number, "\n"),
				 number);
	}
}

/* Names up to three nodes, of more the first and the last. */
static void add_nodes(const struct page *page, struct text *words, uint32_t nodes)
{
	const struct hosts *hosts = &page->hosts;

	page_count(words, nodes, "node");
	if (!hosts->names || !hosts->count)
		return;
	text_add(words, " (%s", hosts->names[0]);
	for (uint32_t node = 1; node < hosts->count && hosts->count <= 3; node++)
		text_add(words, ", %s", hosts->names[node]);
	if (hosts->count > 3)
		text_add(words, " to %s", hosts->names[hosts->count - 1]);
	text_add(words, ")");
}

static void head_title(const struct page *page, struct text *out,
		       const struct environment *environment)
{
	char began[64];
	struct text words = {0};
	time_t now = time(NULL);
	struct tm parts;

	localtime_r(&now, &parts);
	strftime(began, sizeof(began), "%Y-%m-%d %H:%M:%S %z", &parts);
	text_add(&words, "%.46s, %s", environment->version, began);
	add_batch_job(&words, environment->scheduler);
	text_add(&words, ", ");
	page_count(&words, environment->tasks, "task");
	text_add(&words, " on ");
	add_nodes(page, &words, environment->nodes);
	page_field(out, "iorx", &words);
}

/* With -v: the machine of task 0, the software, and the seed of the written data. */
static void head_system(struct text *out, const struct environment *environment)
{
	struct text words = {0};

	text_add(&words, "%s: ", environment->host);
	/* a task's CPUs may be a subset of the node's where the launcher binds */
	if (environment->cpus && environment->cpus < environment->node_cpus)
		text_add(&words, "bound to %" PRIu64 " of ", environment->cpus);
	page_count(&words, environment->node_cpus ? environment->node_cpus : environment->cpus,
		   "CPU");
	if (environment->memory_bytes)
		text_add(&words, ", %s of memory",
			 units_show_bytes(environment->memory_bytes).text);
	text_add(&words, "; %s; %s; %s; clock %s, %s ns per reading; seed %" PRIu64,
		 environment->cpu, environment->kernel, environment->mpi, environment->clock,
		 units_fit_number(environment->clock_cost_ns, 4).text, environment->seed);
	page_field(out, "system", &words);
}

/* One line of the keys that not all nodes have alike, with the nodes that differ from most. */
static void head_differences(const struct page *page, struct text *out,
			     const struct environments *environments)
{
	enum { KEYS_SHOWN = 3 };
	struct text words = {0};

	for (size_t i = 0; i < environments->key_count && i < KEYS_SHOWN; i++) {
		const struct differing_key *key = &environments->keys[i];
		const struct differing_value *other = &key->values[1];
		const char *host = hosts_name(&page->hosts, *other->nodes);

		text_add(&words, "%s%s %.24s on %s", i ? ", " : "differ in ", key->key,
			 other->value ? other->value : "missing", host ? host : "a node");
		if (environments->nodes - key->values->count > 1)
			text_add(&words, " (%" PRIu32 " nodes are not like the most)",
				 environments->nodes - key->values->count);
	}
	if (environments->key_count > KEYS_SHOWN)
		text_add(&words, " and %zu more", environments->key_count - KEYS_SHOWN);
	page_field(out, "nodes", &words);
}

void page_command(const struct page *page, struct text *words, int argc, char *const *argv)
{
	if (page->environment)
		text_add(words, "IORX_OPTIONS='%s' ", page->environment);
	for (int i = 0; i < argc; i++) {
		text_add(words, "%s", i ? " " : "");
		command_add_word(words, argv[i]);
	}
}

/* Given limits in bytes and in bits, as these are easily mistaken for one another. */
static void head_limits(const struct page *page, struct text *out)
{
	struct possible given = {0};
	struct text words = {0};

	if (!page->job)
		return;
	possible_set(&given, run_of(page->job), 1);
	for (enum limit limit = 0; limit < LIMITS; limit++) {
		const struct bound *bound = &given.bounds[limit];

		if (!(bound->each > 0))
			continue;
		text_add(&words, words.length ? ", %s " : "given: %s ", limit_name(limit));
		if (bound->count != 1)
			text_add(&words, "%" PRIu64 " x ", bound->count);
		units_add_speed(&words, bound->each);
	}
	if (words.length)
		page_field(out, "limits", &words);
	text_release(&words);
}

void page_head(const struct page *page, struct text *out, const struct environment *environment,
	       int argc, char *const *argv)
{
	struct text words = {0};

	head_title(page, out, environment);
	page_command(page, &words, argc, argv);
	page_field(out, "command", &words);
	if (environment->every_node)
		head_differences(page, out, environment->every_node);
	head_limits(page, out);
	if (page->verbose)
		head_system(out, environment);
}
