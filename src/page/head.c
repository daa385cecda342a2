/* The head of a job: version, date, tasks and nodes, command line. */
#include "page/page.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/units.h"
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

static void head_title(struct text *out, const struct environment *environment)
{
	char began[64];
	char line[256];
	time_t now = time(NULL);
	struct tm parts;

	localtime_r(&now, &parts);
	strftime(began, sizeof(began), "%Y-%m-%d %H:%M:%S %z", &parts);
	snprintf(line, sizeof(line), "iorx %.46s, %s", environment->version, began);
	layout_line(out, line);
}

static void head_machine(struct text *out, const struct environment *environment)
{
	struct text words = {0};

	page_count(&words, environment->tasks, "task");
	text_add(&words, " on ");
	page_count(&words, environment->nodes, "node");
	text_add(&words, "; %s: ", environment->host);
	/* a task's CPUs may be a subset of the node's where the launcher binds */
	if (environment->cpus && environment->cpus < environment->node_cpus)
		text_add(&words, "bound to %" PRIu64 " of ", environment->cpus);
	page_count(&words, environment->node_cpus ? environment->node_cpus : environment->cpus,
		   "CPU");
	if (environment->memory_bytes)
		text_add(&words, ", %s of memory",
			 units_show_bytes(environment->memory_bytes).text);
	page_field(out, "tasks", &words);
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
	for (int i = 0; i < argc; i++)
		text_add(words, "%s%s", i ? " " : "", argv[i]);
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

	head_title(out, environment);
	page_command(page, &words, argc, argv);
	page_field(out, "command", &words);
	head_machine(out, environment);
	if (environment->every_node)
		head_differences(page, out, environment->every_node);
	head_limits(page, out);
	if (!page->verbose)
		return;
	text_add(&words, "%s; %s; %s; clock %s, %s ns per reading", environment->cpu,
		 environment->kernel, environment->mpi, environment->clock,
		 units_fit_number(environment->clock_cost_ns, 4).text);
	page_field(out, "system", &words);
}
