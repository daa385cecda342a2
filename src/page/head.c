/* The head of a job: version, date, tasks and nodes, command line. */
#include "page/page.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/units.h"
#include "page/layout.h"
#include "record/line.h"

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
	layout_words(out, label, PAGE_INDENT, words);
}

/* The number of the batch job, from the first of its variables. */
static void add_batch_job(struct text *words, const json_t *scheduler)
{
	static const char *const names[][2] = {
		{"SLURM_JOB_ID", "Slurm"}, {"PBS_JOBID", "PBS"}, {"LSB_JOBID", "LSF"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (line_has(scheduler, names[i][0]))
			text_add(words, ", %s job %s", names[i][1],
				 line_text(scheduler, names[i][0]));
}

/* Names up to three nodes, of more the first and the last. */
static void add_nodes(struct text *words, const json_t *run)
{
	const json_t *hosts = line_at(run, "hosts");
	const size_t count = json_array_size(hosts);
	const size_t step = count > 3 ? count - 1 : 1;
	const char *between = count > 3 ? " to " : ", ";

	page_count(words, line_count(run, "nodes"), "node");
	for (size_t i = 0; i < count; i += step)
		text_add(words, "%s%s", i ? between : " (",
			 json_string_value(json_array_get(hosts, i)));
	text_add(words, "%s", count ? ")" : "");
}

static void head_title(struct text *out, const json_t *run)
{
	char began[64];
	struct text words = {0};
	time_t now = time(NULL);
	struct tm parts;

	localtime_r(&now, &parts);
	strftime(began, sizeof(began), "%Y-%m-%d %H:%M:%S %z", &parts);
	text_add(&words, "%.46s, %s", line_text(run, "iorx_version"), began);
	add_batch_job(&words, line_at(run, "environment/scheduler"));
	text_add(&words, ", ");
	page_count(&words, line_count(run, "tasks"), "task");
	text_add(&words, " on ");
	add_nodes(&words, run);
	page_field(out, "iorx", &words);
}

/* With -v: the machine of task 0, the software, and the seed of the written data. */
static void head_system(struct text *out, const json_t *run)
{
	const json_t *facts = line_at(run, "environment");
	const uint64_t cpus = line_count(facts, "cpus"), all = line_count(facts, "node_cpus");
	const uint64_t memory = line_count(facts, "memory_bytes");
	struct text words = {0};

	text_add(&words, "%s: ", line_text(facts, "host"));
	/* a task's CPUs may be a subset of the node's where the launcher binds */
	if (cpus && cpus < all)
		text_add(&words, "bound to %" PRIu64 " of ", cpus);
	page_count(&words, all ? all : cpus, "CPU");
	if (memory)
		text_add(&words, ", %s of memory", units_show_bytes(memory).text);
	text_add(&words, "; %s; %s; %s; clock %s, %s ns per reading; seed %" PRIu64,
		 line_text(facts, "cpu"), line_text(facts, "kernel"), line_text(facts, "mpi"),
		 line_text(facts, "clock"),
		 units_fit_number(line_number(facts, "clock_cost_ns"), 4).text,
		 line_count(run, "seed"));
	page_field(out, "system", &words);
}

/* Adds a key that not all nodes have alike, and the first of the nodes that differ from most. */
static void add_difference(struct text *words, const json_t *difference, const json_t *hosts)
{
	const json_t *others = line_at(difference, "others"), *other = json_array_get(others, 0);
	const json_t *node = json_array_get(line_at(other, "nodes"), 0);
	const json_t *host = json_array_get(hosts, (size_t)json_integer_value(node));
	uint64_t unlike = 0;
	json_t *value;
	size_t i;

	json_array_foreach(others, i, value) unlike += line_count(value, "count");
	text_add(words, "%s%s %.24s on %s", words->length ? ", " : "differ in ",
		 line_text(difference, "key"),
		 line_has(other, "value") ? line_text(other, "value") : "missing",
		 host ? json_string_value(host) : "a node");
	if (unlike > 1)
		text_add(words, " (%" PRIu64 " nodes are not like the most)", unlike);
}

static void head_differences(struct text *out, const json_t *run)
{
	enum { KEYS_SHOWN = 3 };
	const json_t *differences = line_at(run, "node_environments/differences");
	const size_t count = json_array_size(differences);
	struct text words = {0};

	for (size_t i = 0; i < count && i < KEYS_SHOWN; i++)
		add_difference(&words, json_array_get(differences, i), line_at(run, "hosts"));
	if (count > KEYS_SHOWN)
		text_add(&words, " and %zu more", count - KEYS_SHOWN);
	page_field(out, "nodes", &words);
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
	page_field(out, "limits", &words);
}

void page_head(const struct page *page, struct text *out, const json_t *run)
{
	head_title(out, run);
	layout_paragraph(out, "command", PAGE_INDENT, page->command);
	head_differences(out, run);
	head_limits(page, out);
	if (page->verbose)
		head_system(out, run);
}
