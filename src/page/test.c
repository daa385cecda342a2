/* The head of a test: its work, its files, its tasks and its storage, in one paragraph. */
#include "page/page.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "options/turns.h"
#include "options/varied.h"
#include "page/layout.h"

static void test_title(struct text *out, const struct test_result *test)
{
	const struct plan *plan = test->plan;
	struct text words = {0};
	char label[16];

	text_add(&words, "%s: ", plan->backend->name);
	for (unsigned i = 0; i < plan->phase_count; i++)
		text_add(&words, "%s%s", i ? ", " : "", phase_name(plan->phases[i].kind));
	text_add(&words, "; ");
	if (plan->test->warmup)
		text_add(&words, "%" PRIu64 " warm-up and ", plan->test->warmup);
	if (plan->test->repetitions)
		page_count(&words, plan->test->repetitions, "repetition");
	else
		text_add(&words,
			 "up to %" PRIu64
			 " repetitions, until the median is known within +- %.3g %%",
			 plan->test->max_repetitions, 100 * plan->test->precision);
	if (plan->test->budget > 0)
		text_add(&words, ", in %g s (budget)", plan->test->budget);
	if (plan->test->ref_num)
		text_add(&words, "; ref_num %" PRId64, plan->test->ref_num);
	snprintf(label, sizeof(label), "test %u ", test->number);
	page_field(out, label, &words);
}

static void test_files(struct text *out, const struct plan *plan)
{
	struct text words = {0};
	char path[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < plan->path_count + plan->test->dual_mount; i++) {
		plan_base(plan, i, path);
		text_add(&words, "%s%s",
			 !i			  ? ""
			 : plan->test->dual_mount ? ", read as "
						  : " and ",
			 path);
	}
	if (plan->geometry.shared)
		text_add(&words, ", one file of %s for all tasks%s",
			 units_show_bytes(plan->file_size).text,
			 plan->test->multi_file ? " and a new one for each repetition" : "");
	else
		text_add(&words, ".%08d etc., a file of %s for each task%s%s", 0,
			 units_show_bytes(plan->file_size).text,
			 plan->directories ? ", in its own directory" : "",
			 plan->test->multi_file ? ", new for each repetition" : "");
	if (plan->path_count > 1)
		text_add(&words, ", dealt to the %" PRIu32 " paths in turn", plan->path_count);
	page_field(out, "file", &words);
}

/* The bytes of a phase, and the time that ends it. */
static void add_phase_bytes(struct text *words, const struct plan *plan)
{
	const struct test *test = plan->test;
	const struct units_text bytes = units_show_bytes(plan->bytes);

	if (test->duration > 0)
		text_add(words, "%s again and again, for %g s per phase", bytes.text,
			 test->duration);
	else if (test->stonewall > 0)
		text_add(words, "%s per phase, or as much as %g s allow", bytes.text,
			 test->stonewall);
	else
		text_add(words, "%s per phase", bytes.text);
	if (test->min_time_duration > 0)
		text_add(words, ", repeated up to %g s", test->min_time_duration);
}

static void test_layout(struct text *out, const struct plan *plan)
{
	const struct geometry *geometry = &plan->geometry;
	struct text words = {0};

	page_tasks(&words, plan);
	text_add(&words, plan->sleeping_tasks && !plan->seats ? "; each " : ", each ");
	page_count(&words, plan->transfers_per_task, "transfer");
	text_add(&words, " of %s in ", units_show_bytes(plan->transfer_bytes).text);
	if (plan->order == ORDER_SEQUENTIAL)
		text_add(&words, "file order");
	else
		text_add(&words, "random order%s, seed %" PRId64,
			 plan->order == ORDER_REPEATS ? " with repeats" : "",
			 plan->test->random_offset_seed);
	if (plan->queue_depth > 1)
		text_add(&words, ", up to %" PRIu64 " in flight", plan->queue_depth);
	text_add(&words, ": ");
	add_phase_bytes(&words, plan);
	page_field(out, "moves", &words);
	page_count(&words, geometry->segments, "segment");
	text_add(&words, " of one %s block%s", units_show_bytes(geometry->block).text,
		 geometry->shared ? " for each task" : "");
	page_field(out, "layout", &words);
}

static void test_writing(struct text *out, const struct plan *plan)
{
	const struct test *test = plan->test;
	struct text words = {0};

	if (!test->write_file)
		return;
	if (test->fsync_per_write)
		text_add(&words, "an fsync after each write, inside the measured time");
	else if (test->fsync)
		text_add(&words, "one fsync after the last write, inside the measured time");
	else
		text_add(&words, "no fsync: the data may still be in memory when the time ends");
	if (test->use_existing_test_file)
		text_add(&words, "; into existing files");
	if (test->random_prefill)
		text_add(&words, "; the file is filled first");
	page_field(out, "writing", &words);
}

static void test_reading(struct text *out, const struct plan *plan)
{
	static const char *const colds[] = {
		[COLD_NONE] = "caches are left as they are",
		[COLD_FADVISE] = "the file's pages are dropped before (cold=fadvise)",
		[COLD_DROP_CACHES] = "all caches of nodes are dropped before (cold=drop_caches)",
		[COLD_COMMAND] = "a command drops caches before (cold=command)",
	};
	struct text words = {0};

	if (!plan->test->read_file)
		return;
	text_add(&words, "%s%s", colds[plan->test->cold],
		 plan->test->check_read ? "; every byte is compared" : "");
	page_field(out, "reading", &words);
}

/* Appends the values of the varied options, for a test of a study. */
static void test_study(struct text *out, const struct test_spec *spec)
{
	struct text words = {0};

	if (!spec->study.made)
		return;
	varied_values(spec, NULL, &words);
	page_field(out, "study", &words);
}

static void test_set(struct text *out, const struct test_result *test)
{
	const struct membership *member = &test->spec->set;
	struct text words = {0};

	if (test_of(test->spec)->name)
		text_add(&words, "%s", test_of(test->spec)->name);
	page_field(out, "name", &words);
	if (member->alone)
		text_add(&words, "test %u once more, alone and on the same tasks",
			 member->alone_of);
	else if (member->number && test_of(test->spec)->nodes)
		text_add(&words,
			 "set %u: at the same time as its other tests, on tasks of nodes %s",
			 member->number, test_of(test->spec)->nodes);
	else if (member->number)
		text_add(&words,
			 "set %u: at the same time as its other tests, from task %" PRIu32 " on",
			 member->number, test->plan->seats->first_task);
	if (member->number && test->plan->sleeping_tasks)
		text_add(&words, "; %" PRIu32 " sleep%s", test->plan->sleeping_tasks,
			 test->plan->sleeping_tasks == 1 ? "s" : "");
	page_field(out, "together", &words);
}

static void test_data(struct text *out, const struct test_result *test)
{
	test_files(out, test->plan);
	test_layout(out, test->plan);
	test_writing(out, test->plan);
	test_reading(out, test->plan);
}

/* Injected faults are shown also where the job file asks for them, so that no result passes for a
 * real one. */
static void test_faults(struct text *out, const struct test_spec *spec)
{
	struct text words = {0};
	char value[512];

	for (size_t i = 0; i < spec->backend_count; i++) {
		const struct option_set *set = &spec->backends[i];

		for (size_t k = 0; set->table->any_api && k < set->table->count; k++)
			if (set->origins[k].kind != ORIGIN_DEFAULT)
				text_add(&words, "%s%s=%s", words.length ? ", " : "injected: ",
					 set->table->rows[k].name,
					 option_format(set, &set->table->rows[k], value,
						       sizeof(value)));
	}
	if (words.length)
		page_field(out, "fault", &words);
	text_release(&words);
}

void page_settings(struct text *out, const struct test_result *test)
{
	test_title(out, test);
	test_set(out, test);
	test_study(out, test->spec);
	if (test->plan->metadata)
		page_tree_settings(out, test->plan);
	else if (test->plan->load)
		page_load_settings(out, test);
	else
		test_data(out, test);
	test_faults(out, test->spec);
}

static void test_mount(struct text *out, const struct mount_facts *mount)
{
	struct text words = {0};

	if (!mount || !*mount->type)
		return;
	text_add(&words, "%s at %s", mount->type, mount->target);
	if (*mount->source)
		text_add(&words, " from %s", mount->source);
	if (mount->size_bytes)
		text_add(&words, ", %s of %s free", units_show_bytes(mount->free_bytes).text,
			 units_show_bytes(mount->size_bytes).text);
	page_field(out, "storage", &words);
}

static void add_measured(struct text *words, const struct measured_limit *limit)
{
	text_add(words, "%s %s", limit_name(limit->limit),
		 limit->any_access		? ""
		 : limit->access == ACCESS_READ ? "read "
						: "write ");
	if (limit->count != 1)
		text_add(words, "%" PRIu64 " x ", limit->count);
	possible_add_rate(words, limit->each);
	text_add(words, ": %s", limit->method);
	if (limit->rounds > 1)
		text_add(words, "; %u rounds, spread %.0f %%", limit->rounds, 100 * limit->spread);
}

/* The limits that were measured before the test and judge its phases, or all of them. */
static void test_measured(struct text *out, const struct measured *measured)
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
		add_measured(&words, &measured->limits[i]);
		page_field(out, "", &words);
	}
}

/* The order of a study's points, where it makes a difference. */
static void test_turns(const struct page *page, struct text *out, const struct test_result *test)
{
	struct text words = {0};
	const char *why;

	if (!page->job || !test->spec->study.made || !turns_matter(page->job, test->number))
		return;
	why = turns_why_not(page->job, test->number);
	text_add(&words, "%s%s",
		 why ? "sequential, as " : "interleaved: all points in each repetition",
		 why ? why : "");
	page_field(out, "order", &words);
}

void page_cleaning(struct text *out, const struct plan *plan)
{
	struct text words = {0};

	if (plan->load)
		page_load_files(&words, plan);
	else
		text_add(&words, "%s", plan->metadata->cleanup);
	page_field(out, "cleaning", &words);
}

void page_test_head(const struct page *page, struct text *out, const struct test_result *test,
		    const struct mount_facts *mount)
{
	page_settings(out, test);
	test_turns(page, out, test);
	test_mount(out, mount);
	test_measured(out, &test->measured);
}

void page_test(struct page *page, struct text *out, const struct test_result *test,
	       const struct mount_facts *mount)
{
	text_add(out, "\n");
	if (plan_cleans(test->plan)) {
		page_cleaning(out, test->plan);
		return;
	}
	page_test_head(page, out, test, mount);
	if (test->measured.only)
		return;
	text_add(out, "\n");
	page->explains[test->plan->metadata || test->plan->load] = true;
	page_row_head(page, out, test->plan->metadata || test->plan->load);
}
