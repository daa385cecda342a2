/* The head of a test: its work, its files, its tasks and its storage, in one paragraph. */
#include "page/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "options/turns.h"
#include "options/varied.h"
#include "page/anonymize.h"
#include "record/line.h"

void page_next(struct text *words)
{
	text_add(words, "; ");
}

static void add_repetitions(struct text *words, const struct test *test)
{
	if (test->repetitions == 1 && !test->warmup)
		return;
	page_next(words);
	if (test->warmup)
		text_add(words, "%" PRIu64 " warm-up and ", test->warmup);
	if (test->repetitions)
		page_count(words, test->repetitions, "repetition");
	else
		text_add(words,
			 "up to %" PRIu64
			 " repetitions, until the median is known within +- %.3g %%",
			 test->max_repetitions, 100 * test->precision);
	if (test->budget > 0)
		text_add(words, ", in %g s (budget)", test->budget);
	if (test->ref_num)
		text_add(words, "; ref_num %" PRId64, test->ref_num);
}

static void test_add_files(struct text *words, const struct plan *plan)
{
	const struct geometry *geometry = &plan->geometry;
	char path[PLAN_PATH_SIZE];

	page_next(words);
	for (uint32_t i = 0; i < plan->path_count + plan->test->dual_mount; i++) {
		plan_base(plan, i, path);
		text_add(words, "%s%s",
			 !i			  ? ""
			 : plan->test->dual_mount ? ", read as "
						  : " and ",
			 path);
	}
	if (geometry->shared)
		text_add(words, ", one file of %s", units_show_bytes(plan->file_size).text);
	else
		text_add(words, ".%08d etc., a file of %s for each task%s", 0,
			 units_show_bytes(plan->file_size).text,
			 plan->directories ? ", in its own directory" : "");
	if (plan->test->multi_file)
		text_add(words, ", new for each repetition");
	if (plan->path_count > 1)
		text_add(words, ", dealt to the %" PRIu32 " paths in turn", plan->path_count);
}

/* The bytes of a task in a phase, how they are moved, and the time that ends the phase. */
static void add_transfers(struct text *words, const struct plan *plan)
{
	const struct geometry *geometry = &plan->geometry;
	const struct test *test = plan->test;

	page_next(words);
	if (geometry->segments > 1)
		text_add(words, "%" PRIu64 " segments of %s a task in ", geometry->segments,
			 units_show_bytes(geometry->block).text);
	else
		text_add(words, "%s a task in ", units_show_bytes(plan->bytes_per_task).text);
	page_count(words, plan->transfers_per_task, "transfer");
	text_add(words, " of %s", units_show_bytes(plan->transfer_bytes).text);
	if (plan->order != ORDER_SEQUENTIAL)
		text_add(words, " in random order%s, seed %" PRId64,
			 plan->order == ORDER_REPEATS ? " with repeats" : "",
			 test->random_offset_seed);
	if (plan->queue_depth > 1)
		text_add(words, ", up to %" PRIu64 " in flight", plan->queue_depth);
	if (test->duration > 0)
		text_add(words, ", again and again for %g s per phase", test->duration);
	else if (test->stonewall > 0)
		text_add(words, ", or as many as %g s allow", test->stonewall);
	if (test->min_time_duration > 0)
		text_add(words, ", repeated up to %g s", test->min_time_duration);
}

static void add_writing(struct text *words, const struct test *test)
{
	if (!test->write_file)
		return;
	page_next(words);
	text_add(words, "%s",
		 test->fsync_per_write ? "fsync after each write, timed"
		 : test->fsync	       ? "fsync timed"
				       : "no fsync");
	if (test->use_existing_test_file)
		text_add(words, ", into existing files");
	if (test->random_prefill)
		text_add(words, ", filled first");
}

static void add_reading(struct text *words, const struct plan *plan)
{
	static const char *const colds[] = {
		[COLD_NONE] = "caches left as they are",
		[COLD_FADVISE] = "read cold (cold=fadvise)",
		[COLD_DROP_CACHES] = "read cold (cold=drop_caches)",
		[COLD_COMMAND] = "read cold (cold=command)",
	};
	const struct test *test = plan->test;
	const char *read = test->cold ? "" : "read ";

	if (!test->read_file)
		return;
	page_next(words);
	text_add(words, "%s", colds[test->cold]);
	if (test->reorder_tasks)
		text_add(words, ", %sby another %s", read, plan->map.nodes > 1 ? "node" : "task");
	else if (test->reorder_tasks_random)
		text_add(words, ", %sby tasks in random order, seed %" PRId64, read,
			 test->reorder_random_seed);
	if (test->check_read)
		text_add(words, ", every byte compared");
}

static void add_data(struct text *words, const struct plan *plan)
{
	test_add_files(words, plan);
	add_transfers(words, plan);
	add_writing(words, plan->test);
	add_reading(words, plan);
}

/* The name of the test, the set that it runs in, and its place in a study. */
static void add_place(const struct page *page, struct text *words, const struct test_result *test)
{
	const struct test_spec *spec = test->spec;
	const struct membership *member = &spec->set;
	const bool in_turns =
		spec->study.made && page->job && turns_matter(page->job, test->number);
	const char *why = in_turns ? turns_why_not(page->job, test->number) : NULL;
	struct text values = {0};

	if (test_of(spec)->name)
		text_add(words, "%s", test_of(spec)->name);
	if (member->alone)
		text_add(words, "%stest %u once more, alone", words->length ? ", " : "",
			 member->alone_of);
	else if (member->number)
		text_add(words, "%sin set %u", words->length ? ", " : "", member->number);
	if (spec->study.made) {
		varied_values(spec, NULL, &values);
		text_add(words, "%spoint %s of %zu", words->length ? ", " : "",
			 text_string(&values), study_combinations(&spec->study));
		text_release(&values);
	}
	if (in_turns)
		text_add(words, "%s%s", why ? ", one by one, as " : ", all in turn",
			 why ? why : "");
	if (words->length)
		text_add(words, ": ");
}

/* The tasks, where others of the job or of the set do not take part. */
static void add_tasks(struct text *words, const struct test_result *test)
{
	const struct plan *plan = test->plan;

	if (!plan->sleeping_tasks && !plan->seats && !plan->load)
		return;
	page_next(words);
	page_tasks(words, plan);
	if (!plan->seats)
		return;
	if (test_of(test->spec)->nodes)
		text_add(words, " (nodes %s)", test_of(test->spec)->nodes);
	else if (!test->spec->set.alone)
		text_add(words, " from task %" PRIu32 " on", plan->seats->first_task);
	if (plan->sleeping_tasks)
		text_add(words, ", %" PRIu32 " sleep%s", plan->sleeping_tasks,
			 plan->sleeping_tasks == 1 ? "s" : "");
}

/*
 * Injected faults are shown also where the job file asks for them, so that no result passes for a
 * real one.
 */
static void add_faults(struct text *words, const struct test_spec *spec)
{
	bool any = false;
	char value[512];

	for (size_t i = 0; i < spec->backend_count; i++) {
		const struct option_set *set = &spec->backends[i];

		for (size_t k = 0; set->table->any_api && k < set->table->count; k++) {
			if (set->origins[k].kind == ORIGIN_DEFAULT)
				continue;
			if (!any)
				page_next(words);
			text_add(words, "%s%s=%s",
				 any ? ", " : "faults injected: ", set->table->rows[k].name,
				 option_format(set, &set->table->rows[k], value, sizeof(value)));
			any = true;
		}
	}
}

/* A file system is described once as long as tests stay on it. */
static void add_mount(struct page *page, struct text *words, const json_t *mount)
{
	const uint64_t size = line_count(mount, "size_bytes");
	struct text place = {0};

	if (!line_has(mount, "type"))
		return;
	text_add(&place, "%s at %s", line_text(mount, "type"), line_text(mount, "target"));
	if (line_has(mount, "source"))
		text_add(&place, " from %s", line_text(mount, "source"));
	if (strcmp(text_string(&place), text_string(&page->storage))) {
		page_next(words);
		text_add(words, "%s", text_string(&place));
		if (size)
			text_add(words, ", %s of %s free",
				 units_show_bytes(line_count(mount, "free_bytes")).text,
				 units_show_bytes(size).text);
	}
	text_release(&page->storage);
	page->storage = place;
}

static void add_phases(struct text *words, const struct plan *plan)
{
	page_next(words);
	for (unsigned i = 0; i < plan->phase_count; i++)
		text_add(words, "%s%s", i ? ", " : "", phase_name(plan->phases[i].kind));
}

void page_settings(struct page *page, struct text *out, const struct test_result *test,
		   const json_t *line, bool names_phases)
{
	const struct plan *plan = test->plan;
	struct text words = {0};
	char label[16];

	add_place(page, &words, test);
	text_add(&words, "%s%s", plan->backend->name,
		 plan->test->collective	     ? ", collective"
		 : plan->backend->collective ? ", independent"
					     : "");
	if (names_phases)
		add_phases(&words, plan);
	add_repetitions(&words, plan->test);
	add_tasks(&words, test);
	if (plan->metadata)
		page_add_tree(&words, plan);
	else if (plan->load)
		page_add_load(&words, test);
	else
		add_data(&words, plan);
	add_faults(&words, test->spec);
	anonymize_text(page->anonymizer, &words);
	add_mount(page, &words, line_at(line, "mount"));
	snprintf(label, sizeof(label), "test %u ", test->number);
	page_field(out, label, &words);
}

static void add_measured(struct text *words, const struct measured_limit *limit, enum unit unit)
{
	text_add(words, "%s %s", limit_name(limit->limit),
		 limit->any_access		? ""
		 : limit->access == ACCESS_READ ? "read "
						: "write ");
	if (limit->count != 1)
		text_add(words, "%" PRIu64 " x ", limit->count);
	possible_add_rate(words, limit->each, unit);
	text_add(words, ": %s", limit->method);
	if (limit->rounds > 1)
		text_add(words, "; %u rounds, spread %.0f %%", limit->rounds, 100 * limit->spread);
}

/* The limits that were measured before the test and judge its phases, or all of them. */
static void test_measured(struct text *out, const struct measured *measured, enum unit unit)
{
	struct text words = {0};

	if (!measured->asked)
		return;
	if (measured->why_not)
		text_add(&words, "not measured: %s", measured->why_not);
	else
		text_add(&words, "measured in %.1f s", measured->seconds);
	if (measured->round_trip > 0)
		text_add(&words, "; %s from node to node and back",
			 units_show_ns((uint64_t)(1e9 * measured->round_trip)).text);
	page_field(out, "limits", &words);
	for (unsigned i = 0; i < measured->count; i++) {
		if (!measured->limits[i].judges && !measured->only)
			continue;
		add_measured(&words, &measured->limits[i], unit);
		page_field(out, "", &words);
	}
}

void page_cleaning(const struct page *page, struct text *out, const struct plan *plan)
{
	struct text words = {0};

	if (plan->load)
		page_load_files(&words, plan);
	else
		text_add(&words, "%s", plan->metadata->cleanup);
	anonymize_text(page->anonymizer, &words);
	page_field(out, "cleaning", &words);
}

void page_test_head(struct page *page, struct text *out, const struct test_result *test,
		    const json_t *line)
{
	page_settings(page, out, test, line, false); /* rows name the phases */
	test_measured(out, &test->measured, (enum unit)page->unit);
}

bool page_is_alone(const struct page *page)
{
	return !page->job || page->job->test_count == 1;
}

void page_between(const struct page *page, struct text *out)
{
	text_add(out, "%s", page_is_alone(page) ? "" : "\n");
}

void page_test(struct page *page, struct text *out, const struct test_result *test,
	       const struct mount_facts *mount, const json_t *line)
{
	page_between(page, out);
	if (plan_cleans(test->plan)) {
		page_cleaning(page, out, test->plan);
		return;
	}
	page_test_head(page, out, test, line);
	if (test->measured.only)
		return;
	text_add(out, "\n");
	page->explains[test->plan->metadata || test->plan->load] = true;
	page_row_head(page, out, test->plan->metadata || test->plan->load);
}
