/* The plan of one test: exactly what every task will do, or why the test cannot run. */
#include "plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "base/content_room.h"
#include "pattern/random_cursor.h"

static int check_backend(const struct plan *plan, struct error *err)
{
	const struct backend *backend = plan->backend;
	const struct test *test = plan->test;

	if (!backend->open || !backend->transfer)
		return error_input(err, "api: %s cannot move data", backend->name);
	if ((test->fsync || test->fsync_per_write) && !backend->sync)
		return error_input(err,
				   "fsync: %s cannot sync; leave fsync and fsync_per_write out",
				   backend->name);
	if (test->cold == COLD_FADVISE && test->read_file && !backend->files)
		return error_input(err,
				   "cold: %s has no page cache that could be dropped; leave "
				   "cold out",
				   backend->name);
	if (test->collective && !backend->collective)
		return error_input(err,
				   "collective: %s has no collective transfers; leave -c out, or "
				   "use mpiio, hdf5 or pnetcdf",
				   backend->name);
	if (test->strided && !backend->strided)
		return error_input(
			err,
			"strided: %s moves one segment at a time; leave strided out, or use mpiio",
			backend->name);
	if (test->random_prefill && test->write_file &&
	    (backend->own_format || backend->no_storage || backend->whole_files))
		return error_input(err, "random_prefill: %s %s; leave it out", backend->name,
				   backend->no_storage ? "keeps no data that could be replaced"
						       : "makes its file anew in each write");
	if (test->queue_depth > 1 && !backend->submit)
		return error_input(err,
				   "queue_depth: %s moves one transfer at a time; leave "
				   "queue_depth out, or use uring or libaio",
				   backend->name);
	if ((test->check_write || test->check_read) && backend->ignores_buffers)
		return error_input(err, "%s: %s moves no data that could be compared; leave it out",
				   test->check_read ? "check_read" : "check_write", backend->name);
	if (backend->single_writer && !test->file_per_proc && plan->map.tasks > 1 &&
	    test->write_file)
		return error_input(err,
				   "api: with %s a shared file can be written by one task only; "
				   "set file_per_proc=1 or num_tasks=1",
				   backend->name);
	return 0;
}

/* True if each file is one transfer, which one call writes whole. */
static bool has_single_transfers(const struct test *test, const struct node_map *map)
{
	return test->transfer_size >= test->block_size && test->segment_count == 1 &&
	       (test->file_per_proc || map->tasks == 1);
}

/* Refuses writes that replace bytes of a file, or that may end before the file is whole. */
static int check_whole_files(const struct plan *plan, struct error *err)
{
	const struct test *test = plan->test;
	const char *name = plan->backend->name;

	if (!plan->backend->whole_files || !test->write_file)
		return 0;
	if (test->use_existing_test_file)
		return error_input(err,
				   "use_existing_test_file: %s writes a file as a whole and cannot "
				   "write into one; leave -E out, or replace the file with "
				   "--replace",
				   name);
	if (plan->order == ORDER_REPEATS)
		return error_input(err,
				   "random_offset: with -zz places are written several times, and "
				   "%s writes each byte of a file once; use -z",
				   name);
	if (plan_is_cut(plan) && !has_single_transfers(test, &plan->map))
		return error_input(err,
				   "%s: a file of %s is there only when all of it was written, and "
				   "a phase that ends early leaves nothing; leave it out, or write "
				   "files of one transfer (-F, transfer_size = block_size)",
				   test->stonewall > 0	? "stonewall"
				   : test->duration > 0 ? "duration"
							: "wear_out_iterations",
				   name);
	return 0;
}

/* a * b, or an error that names the value that would be too large. */
static int plan_multiply(uint64_t a, uint64_t b, const char *what, uint64_t *product,
			 struct error *err)
{
	if (__builtin_mul_overflow(a, b, product) || *product > INT64_MAX)
		return error_input(err,
				   "segment_count: %s would pass 2^63 bytes; lower block_size, "
				   "segment_count or the number of tasks",
				   what);
	return 0;
}

static int count_bytes(struct plan *plan, struct error *err)
{
	const struct test *test = plan->test;
	uint64_t block, segments, repeated;

	if (plan_share_work(plan, &block, &segments, err) ||
	    plan_multiply(block, segments, "a task's data", &plan->bytes_per_task, err) ||
	    plan_multiply(plan->bytes_per_task, plan->map.tasks, "the data of all tasks",
			  &plan->bytes, err))
		return -1;
	plan->geometry = (struct geometry){
		.tasks = plan->map.tasks,
		.block = block,
		.transfer = test->transfer_size,
		.segments = segments,
		.shared = !test->file_per_proc,
	};
	plan->file_scope = test->file_per_proc ? LOAD_SCOPE_TASK : LOAD_SCOPE_TEST;
	plan->transfers_per_task = geometry_transfers(&plan->geometry);
	plan->transfer_bytes = test->transfer_size;
	plan->queue_depth = test->queue_depth;
	plan->buffers = plan->queue_depth;
	if (test->strided) {
		plan->transfers_per_task /= segments;
		plan->transfer_bytes *= segments;
	}
	plan->file_size = geometry_file_size(&plan->geometry);
	plan->files = test->file_per_proc ? plan->map.tasks : 1;
	plan->space_bytes = plan->bytes;
	if (!test->multi_file || !test->keep_file)
		return 0;
	/* Every repetition leaves its own files. */
	if (plan_multiply(plan->bytes, test_repetitions_most(test), "all repetitions' files",
			  &repeated, err))
		return -1;
	plan->space_bytes = repeated;
	plan->files *= test_repetitions_most(test);
	return 0;
}

static int count_memory(struct plan *plan, const struct facts *facts, struct error *err)
{
	/* histograms, slices, plan, stacks; tests keep the truth below it */
	enum { OWN_BYTES = 3 << 20 };
	uint64_t most = plan->most_tasks_on_node = node_map_most_tasks(&plan->map);

	plan->largest_call = facts->largest_call > plan->transfer_bytes ? facts->largest_call
									: plan->transfer_bytes;
	if (plan_multiply(content_room(plan->largest_call, plan_writes_in_place(plan)),
			  plan->queue_depth, "the transfers in flight", &plan->buffer_bytes, err))
		return -1;
	if (plan->backend->ignores_buffers)
		plan->buffer_bytes = 0;
	plan->memory_per_task =
		plan->buffer_bytes + (plan->buffer_bytes ? CONTENT_POOL : 0) + OWN_BYTES;
	if (facts->memory_per_node && plan->memory_per_task > facts->memory_per_node / most)
		return error_input(err,
				   "transfer_size: %" PRIu64 " tasks on a node need %" PRIu64
				   " MiB of buffers and the node has %" PRIu64
				   " MiB; lower transfer_size, queue_depth or the tasks per node",
				   most, plan->memory_per_task * most / MIB,
				   facts->memory_per_node / MIB);
	return 0;
}

static void list_phases(struct plan *plan)
{
	const struct test *test = plan->test;
	bool cold = test->cold != COLD_NONE;
	const uint64_t depth = plan->queue_depth;

	if (test->write_file)
		plan->phases[plan->phase_count++] = (struct phase_plan){
			.kind = PHASE_WRITE, .access = ACCESS_WRITE, .queue_depth = depth};
	if (test->check_write)
		plan->phases[plan->phase_count++] = (struct phase_plan){.kind = PHASE_VERIFY,
									.access = ACCESS_READ,
									.cold = cold,
									.checks = true,
									.queue_depth = depth};
	if (test->read_file)
		plan->phases[plan->phase_count++] = (struct phase_plan){.kind = PHASE_READ,
									.access = ACCESS_READ,
									.cold = cold,
									.checks = test->check_read,
									.queue_depth = depth};
}

/* A seed below 0 asks for other readers in each repetition. */
static void build_readers(struct plan *plan, uint64_t repetition)
{
	struct reader_map *readers = &plan->readers;
	const struct test *test = plan->test;
	int64_t seed = test->reorder_random_seed;

	if (test->reorder_tasks_random)
		reader_map_build_random(readers, &plan->map, test->reorder_tasks_random == 1,
					seed < 0 ? order_seed((uint64_t)seed, repetition)
						 : (uint64_t)seed);
	else if (test->reorder_tasks && test->semantics == SEMANTICS_IOR)
		reader_map_build_ior(readers, &plan->map, test->task_per_node_offset);
	else
		reader_map_build(readers, &plan->map, test->reorder_tasks,
				 test->task_per_node_offset);
	reader_map_build_verifiers(&plan->verifiers, &plan->map, readers,
				   test->task_per_node_offset);
}

int plan_build(struct plan *plan, const struct test *test, const struct backend *backend,
	       const struct facts *facts, struct error *err)
{
	*plan = (struct plan){
		.test = test,
		.backend = backend,
		.order = (enum order_kind)test->random_offset,
		.order_seed = (uint64_t)test->random_offset_seed,
	};
	if (plan_take_tasks(plan, facts, err) || check_backend(plan, err) ||
	    check_whole_files(plan, err) || count_bytes(plan, err) ||
	    count_memory(plan, facts, err) || plan_count_memory_hog(plan, facts, err) ||
	    plan_count_paths(plan, err)) {
		plan_release(plan);
		return -1;
	}
	build_readers(plan, 0);
	plan->directories = test->unique_dir && test->file_per_proc ? plan->map.tasks : 0;
	list_phases(plan);
	return 0;
}

bool plan_writes_in_place(const struct plan *plan)
{
	const struct test *test = plan->test;

	return test->write_file && test->content == CONTENT_STAMPED && test->content_dedup <= 1 &&
	       plan->queue_depth == 1 && !test->strided;
}

void plan_release(struct plan *plan)
{
	node_map_release(&plan->map);
	if (plan->names)
		plan_release(plan->names);
	free(plan->names);
	free(plan->layout);
	plan->layout = NULL;
	plan->names = NULL;
}

/* The share of `total` that falls to this file system, as all files are alike. */
static uint64_t share(const struct plan *plan, uint64_t total, const struct space *space)
{
	return (uint64_t)((unsigned __int128)total * space->files / plan->files);
}

int plan_check_space(const struct plan *plan, const struct space *space, struct error *err)
{
	uint64_t bytes = share(plan, plan->space_bytes, space);
	uint64_t entries = share(plan, plan->files + plan->directories, space);

	if (!space->known || !plan->test->write_file)
		return 0;
	if (space->others_bytes &&
	    bytes + space->others_bytes > space->free_bytes + space->reusable_bytes)
		return error_input(
			err,
			"test_file: the test writes %s, the other tests of its set %s, and %s has "
			"%s free; let them write less, choose another directory, or go on with "
			"--force",
			units_show_bytes(bytes).text, units_show_bytes(space->others_bytes).text,
			space->path,
			units_show_bytes(space->free_bytes + space->reusable_bytes).text);
	if (bytes > space->free_bytes + space->reusable_bytes)
		return error_input(
			err,
			"test_file: the test writes %s and %s has %s free; lower %s, choose "
			"another directory, or go on with --force",
			units_show_bytes(bytes).text, space->path,
			units_show_bytes(space->free_bytes + space->reusable_bytes).text,
			plan->trace  ? "num_tasks, where each plays the trace"
			: plan->load ? "files or file_size"
				     : "block_size or segment_count");
	if (space->free_files != UINT64_MAX && entries > space->free_files + space->reusable_files)
		return error_input(err,
				   "test_file: the test makes %" PRIu64
				   " files and directories and %s has %" PRIu64
				   " inodes free; choose another directory, or go on with --force",
				   entries, space->path, space->free_files + space->reusable_files);
	return 0;
}

struct reader_map plan_readers(const struct plan *plan, enum phase_kind kind, uint64_t repetition)
{
	struct plan now = *plan;

	if (plan->metadata)
		return plan->shifts[phase_traits[kind].stride];
	if (plan->test->reorder_random_seed < 0)
		build_readers(&now, repetition);
	return kind == PHASE_VERIFY ? now.verifiers : now.readers;
}

uint32_t plan_source(const struct plan *plan, const struct phase_plan *phase, uint64_t repetition,
		     uint32_t task)
{
	struct reader_map readers;

	if (phase->kind == PHASE_WRITE)
		return task;
	readers = plan_readers(plan, phase->kind, repetition);
	return reader_map_source(&readers, &plan->map, task);
}

bool plan_is_cut(const struct plan *plan)
{
	const struct test *test = plan->test;

	return test->stonewall > 0 || test->duration > 0 || test->wear_out_iterations;
}

bool plan_size_tells(const struct plan *plan)
{
	return !plan->backend->own_format && !plan->test->strided;
}

uint64_t plan_end(const struct plan *plan, uint32_t task, uint64_t count)
{
	struct placement last;

	if (plan->order == ORDER_REPEATS)
		return 0;
	if (count >= plan->transfers_per_task)
		return plan->file_size;
	if (!count || plan->order != ORDER_SEQUENTIAL || plan->test->strided)
		return 0;
	/* In a shared file the last task's transfer has the largest offset. */
	geometry_locate(&plan->geometry, plan->geometry.shared ? plan->geometry.tasks - 1 : task,
			count - 1, &last);
	return last.offset + plan->geometry.transfer;
}

uint64_t plan_within(const struct plan *plan, uint32_t task, uint64_t held)
{
	const struct geometry *geometry = &plan->geometry;
	uint64_t count;

	if (plan->order == ORDER_REPEATS)
		return plan->transfers_per_task;
	if (plan->order == ORDER_PERMUTED)
		count = geometry->shared ? held / geometry->tasks : held;
	else /* in collective calls all tasks make as many as the last one */
		count = geometry_transfers_within(
			geometry, plan->test->collective ? geometry->tasks - 1 : task, held);
	return count < plan->transfers_per_task ? count : plan->transfers_per_task;
}

void plan_locate_in(const struct plan *plan, uint32_t source, uint32_t file, uint64_t index,
		    uint64_t held, struct placement *placement)
{
	const uint64_t before = plan->trace ? plan_part(plan, source, file).first : 0;

	if (plan->trace)
		*placement = (struct placement){
			.offset = (before + index) * plan->geometry.transfer, .block = source};
	else
		plan_locate(plan, source, index, held, placement);
}

void plan_locate(const struct plan *plan, uint32_t source, uint64_t index, uint64_t held,
		 struct placement *placement)
{
	struct random_cursor cursor;

	if (plan->order == ORDER_SEQUENTIAL) {
		if (plan->file_scope == LOAD_SCOPE_NODE)
			source = plan_sharer(plan, source);
		geometry_locate(&plan->geometry, source, index, placement);
		return;
	}
	random_cursor_start(&cursor, &plan->geometry, plan->order, plan->order_seed, source, held);
	random_cursor_jump(&cursor, index);
	*placement = *cursor.at;
}
