/* The plan of a load test: files that are laid out, and the operations on them. */
#include "plan/load.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/units.h"
#include "base/content_room.h"
#include "plan/replay.h"

enum {
	LAYOUT_MOST = 1 << 20,	  /* bytes of a transfer that lays files out */
	LAYOUT_MEMORY = 16 << 20, /* bytes of all of these in flight, if they may be smaller */
	LAYOUT_LEAST = 4096,
	DEFAULT_SECONDS = 30, /* of a load without any limit */
	MOST_DEPTH = 4096,    /* operations of a task in flight, as queue_depth */
};

/* Bytes of the largest call on a data file or an item. */
static uint64_t largest_call(const struct load_pattern *pattern)
{
	const uint64_t data = load_pattern_sizes(pattern).largest;
	const uint64_t item = load_pattern_has_items(pattern) ? pattern->items.bytes : 0;

	return item > data ? item : data;
}

/*
 * Chooses the transfer that lays files out: the largest power of two up to 1 MiB that divides
 * `block`, but no smaller than the largest operation, as both use the same buffers. With many in
 * flight, and where nothing is laid out, a smaller one saves memory.
 */
static int choose_transfer(const struct test *layout, uint64_t largest, uint64_t *transfer,
			   struct error *err)
{
	const uint64_t block = layout->block_size;
	uint64_t least = LAYOUT_LEAST;

	while (least < largest)
		least *= 2;
	*transfer = least > LAYOUT_MOST ? least : LAYOUT_MOST;
	while (*transfer > least &&
	       (!layout->write_file || *transfer > LAYOUT_MEMORY / layout->queue_depth))
		*transfer /= 2;
	while (*transfer > least && block % *transfer)
		*transfer /= 2;
	if (block && block % *transfer == 0)
		return 0;
	return error_input(err,
			   "file_size: the part of each task, %" PRIu64
			   " bytes, must be a multiple of %s; choose a file_size that gives one",
			   block, units_show_bytes(least).text);
}

/* Finds how many tasks share a file. Each writes an equal part of it in the layout. */
static int count_sharers(const struct plan *plan, const struct load *load, uint64_t *sharers,
			 struct error *err)
{
	const struct node_map *map = &plan->map;

	*sharers = 1;
	if (load->file_scope == LOAD_SCOPE_TEST)
		*sharers = map->tasks;
	if (load->file_scope != LOAD_SCOPE_NODE)
		return 0;
	*sharers = node_map_most_tasks(map);
	if (*sharers * map->nodes == map->tasks)
		return 0;
	return error_input(err,
			   "file_scope: node needs equally many tasks on each node, and %" PRIu32
			   " tasks on %" PRIu32 " nodes are not; choose num_tasks so, or take task",
			   map->tasks, map->nodes);
}

/* Makes the options of the ordinary write phase that lays one file of each task out. */
static int make_layout(struct plan *plan, const struct test *test, const struct load *load,
		       uint64_t sharers, struct error *err)
{
	const uint64_t largest = largest_call(&plan->pattern);
	struct test *layout = memory_allocate(1, sizeof(*layout));

	*layout = *test;
	layout->block_size = load->file_size / sharers;
	if (plan->trace)
		layout->block_size = layout->transfer_size = replay_transfer(plan->trace);
	layout->segment_count = 1;
	if (load->depth_scope == DEPTH_OF_FILE)
		layout->queue_depth *= load->files;
	layout->file_per_proc = load->file_scope != LOAD_SCOPE_TEST;
	layout->write_file = load->layout != LAYOUT_NONE && !plan->backend->no_storage &&
			     load_pattern_moves_data(&plan->pattern);
	layout->read_file = layout->check_write = layout->wear_out = false;
	layout->keep_file = layout->fsync = true;
	layout->fsync_per_write = false;
	layout->random_offset = ORDER_SEQUENTIAL;
	layout->scaling = SCALING_WEAK;
	layout->duration = layout->stonewall = 0;
	/* A device is written in place and never removed. */
	layout->use_existing_test_file = load->allow_device;
	plan->layout = layout;
	if (plan->trace)
		return 0;
	/* Without data the transfer is only the size of the buffer for items. */
	if (!load_pattern_moves_data(&plan->pattern))
		for (layout->block_size = LAYOUT_LEAST; layout->block_size < largest;)
			layout->block_size *= 2;
	return choose_transfer(layout, largest, &layout->transfer_size, err);
}

/* a *= b, or an error. */
static int load_multiply(uint64_t *a, uint64_t b, struct error *err)
{
	if (!__builtin_mul_overflow(*a, b, a) && *a <= INT64_MAX)
		return 0;
	return error_input(err, "files: the files of all tasks would pass 2^63 bytes; lower files "
				"or file_size");
}

/* Goes from the plan of one file of each task, or of all, to the files of the load. */
static int share_files(struct plan *plan, const struct load *load, uint64_t sharers,
		       struct error *err)
{
	plan->load = load;
	plan->file_scope = (enum load_scope)load->file_scope;
	plan->own_files = plan->trace ? plan->trace->files : (uint32_t)load->files;
	plan->geometry.shared = load->file_scope != LOAD_SCOPE_TASK;
	if (plan->geometry.shared)
		plan->geometry.tasks = sharers;
	plan->file_size = geometry_file_size(&plan->geometry);
	plan->files = plan_file_count(plan);
	if (plan->trace && replay_files(plan, err))
		return -1;
	if (plan->files > UINT32_MAX)
		return error_input(err, "files: all tasks together have more than 2^32 files; "
					"lower files");
	if (!plan->trace && (load_multiply(&plan->transfers_per_task, load->files, err) ||
			     load_multiply(&plan->bytes_per_task, load->files, err) ||
			     load_multiply(&plan->bytes, load->files, err)))
		return -1;
	plan->space_bytes = plan->bytes;
	return plan_count_paths(plan, err);
}

static int check_backend(const struct plan *plan, const struct load *load, struct error *err)
{
	if (plan->backend->whole_files)
		return error_input(
			err,
			"api: %s has no loads, as files are written whole and nothing is "
			"synced; use a data test, or iorx mdtest with --mix for "
			"operations on small files",
			plan->backend->name);
	if (!load_pattern_moves_data(&plan->pattern))
		return 0;
	if (!plan->backend->random_access)
		return error_input(err,
				   "api: %s cannot serve a load, which reads and writes one open "
				   "file in any order; use posix, uring or libaio",
				   plan->backend->name);
	if (load->depth_scope == DEPTH_OF_FILE && !plan->backend->submit)
		return error_input(err,
				   "depth_scope: %s moves one transfer at a time; use uring or "
				   "libaio, or depth_scope = task",
				   plan->backend->name);
	if (load->depth_scope == DEPTH_OF_FILE &&
	    plan->test->queue_depth * load->files > MOST_DEPTH)
		return error_input(
			err,
			"depth_scope: %" PRIu64 " files with %" PRIu64
			" operations in flight are more than %d; lower queue_depth or files",
			load->files, plan->test->queue_depth, MOST_DEPTH);
	return 0;
}

/* A read of a block that was never written returns zeros without asking the storage. */
static int check_allocation(const struct plan *plan, const struct load *load, struct error *err)
{
	if (!plan->backend->allocate)
		return error_input(err,
				   "layout: %s cannot allocate files; use posix, uring or libaio, "
				   "or layout = write",
				   plan->backend->name);
	if (load->allow_device)
		return error_input(err, "layout: a block device has nothing to allocate; use "
					"layout = write or none");
	if (plan_load_has(&plan->pattern, LOAD_READ))
		return error_input(err, "layout: allocated blocks hold no data until they are "
					"written, so reads of them would not reach the storage; "
					"use layout = write, or leave read out of operations");
	return 0;
}

/* Only a file without a format of its own shows by its size what it holds. */
static int check_found(const struct backend *backend, const struct load *load, struct error *err)
{
	if (load->allow_device)
		return error_input(err, "layout: a block device is never missing; use layout = "
					"write or none");
	if (backend->no_storage || (backend->files && !backend->own_format))
		return 0;
	return error_input(err,
			   "layout: missing needs files of the operating system, and those of %s "
			   "have another form; use layout = write or none",
			   backend->name);
}

/* Refuses ways to use files that the backend does not have. */
static int check_ways(const struct plan *plan, const struct load *load, struct error *err)
{
	const struct backend *backend = plan->backend;

	if (load->sync != WRITE_SYNC_NONE && !backend->opens_synchronous)
		return error_input(err,
				   "sync: %s cannot open files so that each write is synced; use "
				   "posix, uring or libaio, or fsync_every",
				   backend->name);
	if (load->allow_device && !backend->begins_with_descriptor)
		return error_input(
			err,
			"allow_device: %s cannot use a block device; use posix, uring or "
			"libaio",
			backend->name);
	if (load->layout == LAYOUT_ALLOCATE && check_allocation(plan, load, err))
		return -1;
	if (load->layout == LAYOUT_MISSING && check_found(backend, load, err))
		return -1;
	if (load->lock == LOAD_LOCK_NONE)
		return 0;
	if (!backend->lock)
		return error_input(err, "lock: %s cannot lock bytes of a file; use posix",
				   backend->name);
	if (load->lock == LOAD_LOCK_EXCLUSIVE && !plan_load_has(&plan->pattern, LOAD_WRITE))
		return error_input(err, "lock: exclusive locks need files that are opened for "
					"writing, and this load only reads; use lock = shared");
	return 0;
}

static void add_load_phase(struct plan *plan)
{
	const struct test *test = plan->test;
	const bool writes = plan_load_has(&plan->pattern, LOAD_WRITE);

	plan->phases[plan->phase_count++] = (struct phase_plan){
		.kind = PHASE_LOAD,
		.access = writes ? ACCESS_WRITE : ACCESS_READ,
		.cold = test->cold != COLD_NONE,
		.checks = test->check_read && plan_load_has(&plan->pattern, LOAD_READ),
		.queue_depth = plan->queue_depth,
	};
}

static bool has_limit(const struct test *test, const struct load *load)
{
	return test->duration > 0 || load->operation_limit || load->byte_limit || load->passes ||
	       load->trace;
}

/* Number of tasks that split one file; 1 if each visits a region of its own, or the whole file. */
static uint32_t dividers(const struct plan *plan)
{
	return plan->load->whole_files || plan->load->region_step ? 1 : plan_sharers(plan);
}

/* Finds the bytes of each file that a task visits. */
static int set_region(struct plan *plan, struct error *err)
{
	const struct load *load = plan->load;
	const uint64_t size = plan->file_size, sharers = plan_sharers(plan);
	uint64_t first;

	if (__builtin_mul_overflow(load->region_step, sharers - 1, &first) ||
	    __builtin_add_overflow(first, load->region_offset, &first) || first >= size ||
	    load->region_size > size - first)
		return error_input(err,
				   "region_offset: the regions of the tasks pass the end of a file "
				   "of %s; raise file_size, or lower region_offset, region_size or "
				   "region_step",
				   units_show_bytes(size).text);
	plan->pattern.file_bytes = load->region_size ? load->region_size : size - first;
	return 0;
}

int plan_build_load(struct plan *plan, const struct test *test, const struct load *load,
		    const struct backend *backend, const struct facts *facts, struct error *err)
{
	struct plan built = {.test = test, .backend = backend, .trace = facts->trace};
	struct facts own = *facts;
	uint64_t sharers;
	int ret;

	if (load->trace && !facts->trace)
		return error_input(err, "trace: %.300s was not read", load->trace);
	if (plan_take_tasks(&built, facts, err))
		return -1;
	own.largest_call = built.trace ? built.trace->largest : 0;
	ret = load_pattern_build(&built, load, err) || check_backend(&built, load, err) ||
	      check_ways(&built, load, err) || count_sharers(&built, load, &sharers, err) ||
	      make_layout(&built, test, load, sharers, err) ||
	      plan_build(plan, built.layout, backend, &own, err);
	if (!ret) {
		plan->layout = built.layout;
		built.layout = NULL;
	}
	plan_release(&built);
	if (ret)
		return -1;
	plan->pattern = built.pattern;
	plan->trace = built.trace;
	plan->play = built.play;
	if (share_files(plan, load, sharers, err)) {
		plan_release(plan);
		return -1;
	}
	plan->awaits_rate = built.awaits_rate;
	plan->first_task = facts->first_task;
	plan->load_syncs = test->fsync;
	plan->load_seconds = has_limit(test, load) ? test->duration : DEFAULT_SECONDS;
	if (load->cleanup)
		plan->phase_count = 0;
	else
		add_load_phase(plan);
	/* The requests of a trace were checked with it. */
	if ((plan->trace || (!set_region(plan, err) &&
			     !load_pattern_check(&plan->pattern, dividers(plan), err))) &&
	    !load_trees_build(plan, facts, err))
		return 0;
	plan_release(plan);
	return -1;
}

uint64_t plan_load_end(const struct plan *plan, uint32_t file)
{
	const struct load *load = plan->load;

	if (plan->trace)
		return plan->trace->file_bytes[file];
	return load->region_offset + load->region_step * (plan_sharers(plan) - 1) +
	       plan->pattern.file_bytes;
}

struct load_seat plan_load_seat(const struct plan *plan, uint32_t task)
{
	const struct load *load = plan->load;
	const uint32_t sharer = plan_sharer(plan, task), sharers = dividers(plan);

	return (struct load_seat){
		.task = task,
		.tasks = plan->map.tasks,
		.first_task = plan->first_task,
		.sharer = sharers > 1 ? sharer : 0,
		.sharers = sharers,
		.first = load->region_offset + sharer * load->region_step,
	};
}

static bool has_stamps(const struct test *test)
{
	return test->content == CONTENT_STAMPED || test->content == CONTENT_RANDOM;
}

bool plan_load_follows_passes(const struct plan *plan)
{
	const struct load_pattern *pattern = &plan->pattern;

	return plan->load && plan->test->check_read && has_stamps(plan->test) &&
	       load_pattern_visits_every_block(pattern) && !load_pattern_has_items(pattern) &&
	       plan_load_has(pattern, LOAD_READ) && plan_load_has(pattern, LOAD_WRITE) &&
	       plan->load->on_late != LATE_SKIP && dividers(plan) == plan_sharers(plan) &&
	       /* files that are there may be those of other tests that run */
	       plan->load->layout != LAYOUT_NONE && plan_load_granule(plan) % SECTOR == 0;
}

uint64_t plan_load_granule(const struct plan *plan)
{
	const struct load_pattern *pattern = &plan->pattern;
	uint64_t granule =
		sizes_common_divisor(pattern->align, load_pattern_sizes(pattern).divisor);

	granule = sizes_common_divisor(plan->load->region_offset, granule);
	return sizes_common_divisor(plan->load->region_step, granule);
}
