/* Text of --show-plan: the work of every task of a test. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "page/anonymize.h"
#include "page/layout.h"
#include "page/page.h"
#include "page/report.h"
#include "plan/item_walk.h"

enum { FIRST_TASKS = 8 };

static void add_space(struct text *words, const struct plan *plan, uint64_t bytes)
{
	page_count(words, plan->files, "file");
	if (plan->directories)
		text_add(words, " in %" PRIu64 " director%s", plan->directories,
			 plan->directories == 1 ? "y" : "ies");
	text_add(words, ", %s (%" PRIu64 " bytes) at the same time", units_show_bytes(bytes).text,
		 bytes);
}

static void plan_memory(struct text *out, const struct plan *plan)
{
	struct text words = {0};

	text_add(&words, "%s for each task, %s of it transfer buffers; ",
		 units_show_bytes(plan->memory_per_task).text,
		 units_show_bytes(plan->buffer_bytes).text);
	page_count(&words, node_map_most_tasks(&plan->map), "task");
	text_add(&words, " on the fullest node");
	page_field(out, "memory", &words);
	if (!plan->load || load_pattern_moves_data(&plan->pattern))
		add_space(&words, plan, plan->space_bytes);
	if (plan->names) {
		text_add(&words, "%s", words.length ? "; small files: " : "");
		add_space(&words, plan->names,
			  plan->names->files * plan->names->metadata->write_bytes);
	}
	page_field(out, "space", &words);
}

static const struct phase_plan *phase_of(const struct plan *plan, enum phase_kind kind)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan->phases[i].kind == kind)
			return &plan->phases[i];
	return NULL;
}

static void add_node(const struct page *page, struct text *row, uint32_t node)
{
	const char *host = hosts_name(&page->hosts, node);

	if (host)
		text_add(row, "%-12.12s", host);
	else
		text_add(row, "%-12" PRIu32, node);
}

/* The offset of the first transfer of the block of `source`, in 15 columns; "-" without a phase. */
static void add_offset(struct text *row, const struct plan *plan, const struct phase_plan *phase,
		       uint32_t source)
{
	struct placement first;

	if (!phase) {
		text_add(row, " %15s", "-");
		return;
	}
	plan_locate(plan, source, 0, 0, &first);
	text_add(row, " %15" PRIu64, first.offset);
}

static void print_path(const struct page *page, struct text *out, const char *label,
		       unsigned indent, const char *path)
{
	struct text words = {0};

	text_add(&words, "%s", path);
	anonymize_text(page->anonymizer, &words);
	layout_words(out, label, indent, &words);
}

static void plan_add_file(const struct page *page, struct text *out, const struct plan *plan,
			  const struct phase_plan *phase, uint32_t source)
{
	char *path = memory_allocate(PLAN_PATH_SIZE, 1);

	plan_phase_path(plan, phase, source, 0, path);
	print_path(page, out, phase->access == ACCESS_WRITE ? "        writes" : "        reads",
		   15, path);
	free(path);
}

static void transfers_row(const struct page *page, struct text *out, const struct plan *plan,
			  uint32_t task)
{
	const struct phase_plan *write = phase_of(plan, PHASE_WRITE);
	const struct phase_plan *reads = phase_of(plan, PHASE_READ);
	const struct phase_plan *read = reads ? reads : phase_of(plan, PHASE_VERIFY);
	uint32_t source = read ? plan_source(plan, read, 0, task) : task;
	struct text row = {0};

	text_add(&row, "%7" PRIu32 " ", task);
	add_node(page, &row, plan_job_node(plan, task));
	add_offset(&row, plan, write, task);
	add_offset(&row, plan, read, source);
	if (read)
		text_add(&row, " %7" PRIu32, source);
	else
		text_add(&row, " %7s", "-");
	text_add(&row, " %18" PRIu64, plan->bytes_per_task);
	layout_line(out, text_string(&row));
	text_release(&row);
	if (plan->geometry.shared)
		return;
	if (write)
		plan_add_file(page, out, plan, write, task);
	if (read)
		plan_add_file(page, out, plan, read, source);
}

/* The first and the last item of a task. */
static void items_row(const struct page *page, struct text *out, const struct plan *plan,
		      uint32_t task)
{
	char *target = memory_allocate(PLAN_PATH_SIZE, 1);
	struct item_walk *walk = memory_allocate(1, sizeof(*walk));
	const enum item_kind kind = plan->metadata->directories_only ? ITEM_DIRECTORY : ITEM_FILE;
	uint64_t items = plan_items_of(plan, task);
	struct text label = {0};

	plan_base(plan, plan_base_of(plan, task, 0), target);
	item_walk_start(walk, &plan->tree,
			&(struct item_owner){.target = target,
					     .task = task,
					     .unique = plan->metadata->unique_dir,
					     .shared = plan->metadata->shared_file},
			kind, NULL);
	item_walk_to(walk, 0);
	text_add(&label, "%7" PRIu32 " from", task);
	print_path(page, out, text_string(&label), 13, items ? walk->at.path : "(nothing)");
	if (items) {
		item_walk_to(walk, items - 1);
		print_path(page, out, "        to", 13, walk->at.path);
	}
	text_release(&label);
	free(walk);
	free(target);
}

/* A row for each task, or for the first ones and the last. */
static void plan_table(const struct page *page, struct text *out, const struct plan *plan)
{
	uint32_t tasks = plan->map.tasks;

	if (!plan->metadata)
		layout_line(out, "   task node             writes from      reads from of task"
				 "    bytes per phase");
	else
		layout_line(out, plan->metadata->create ? "   task makes"
							: "   task goes through what it made");
	for (uint32_t task = 0; task < tasks; task++) {
		if (!page->verbose && task >= FIRST_TASKS && task + 1 < tasks) {
			layout_line(out, "    ... (-v shows all)");
			task = tasks - 1;
		}
		if (plan->metadata)
			items_row(page, out, plan, task);
		else
			transfers_row(page, out, plan, task);
	}
}

/* Text of --cleanup. What is removed is known only when files and directories are looked at. */
static void plan_cleaning(const struct page *page, struct text *out, const struct plan *plan)
{
	struct text words = {0};

	page_cleaning(page, out, plan);
	if (plan->load)
		text_add(&words, "regular files of these names that have a stamp of iorx, or that "
				 "a killed job says it made; small files and directories below "
				 "the marker of iorx");
	else
		text_add(&words,
			 "directories test-dir.REPETITION-NUMBER in it that have the empty "
			 "marker of iorx, or trees of mdtest and nothing else; of these, files and "
			 "directories with names of such tests are removed");
	page_field(out, "looks for", &words);
}

static void add_plan(struct page *page, struct text *out, const struct test_result *test)
{
	const struct plan *plan = test->plan;

	page_settings(page, out, test, NULL, true);
	if (!plan->metadata)
		plan_memory(out, plan);
	text_add(out, "\n");
	if (!plan->metadata || plan->files)
		plan_table(page, out, plan);
}

/* The table cuts names of hosts, so that hidden ones would not be found: it then has numbers. */
void report_plan(FILE *out, const struct test_result *test, const char (*hosts)[HOST_NAME_SIZE],
		 const struct anonymizer *anonymizer, unsigned verbose)
{
	struct page page = {.verbose = verbose,
			    .hosts = {hosts, hosts && !anonymizer->wanted ? UINT32_MAX : 0},
			    .anonymizer = anonymizer};
	struct text words = {0};

	if (plan_cleans(test->plan))
		plan_cleaning(&page, &words, test->plan);
	else
		add_plan(&page, &words, test);
	fprintf(out, "%s\n", text_string(&words));
	fflush(out);
	text_release(&words);
	text_release(&page.storage);
}
