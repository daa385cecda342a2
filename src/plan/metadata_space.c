/* Checks that the entries and bytes of a metadata test fit into its file systems. */
#include "plan/metadata_space.h"

#include <inttypes.h>

#include "base/units.h"

/* More inodes or bytes than a file system has. A few such numbers can be added without overflow. */
#define MOST (UINT64_C(1) << 50)

static uint64_t limited(uint64_t count)
{
	return count < MOST ? count : MOST;
}

static uint64_t product(uint64_t a, uint64_t b)
{
	uint64_t all;

	return __builtin_mul_overflow(a, b, &all) ? MOST : limited(all);
}

/*
 * Without removal the trees of all repetitions exist together. repetitions=auto counts as one, as
 * its number is unknown.
 */
static uint64_t kept_repetitions(const struct plan *plan)
{
	const struct test *test = plan->test;

	return plan->metadata->remove ? 1
				      : test->warmup + (test->repetitions ? test->repetitions : 1);
}

void metadata_space_add(const struct plan *plan, uint32_t number, struct metadata_space *space)
{
	const struct metadata *test = plan->metadata;
	const struct tree *tree = &plan->tree;
	uint64_t tasks =
		plan->map.tasks / plan->path_count + (number < plan->map.tasks % plan->path_count);
	uint64_t items = product(tree->items, test->shared_file ? 1 : tasks);
	uint64_t directories =
		product(product(tree->directories, tree->trees), test->unique_dir ? tasks : 1);
	uint64_t kept = kept_repetitions(plan);
	/* A test that removes has no directories left when it creates files. */
	bool both =
		!test->files_only && !test->directories_only && !test->shared_file && !test->remove;

	/* Each test directory has a marker. */
	items = product(kept, items);
	space->entries = limited(space->entries + (both ? 2 : 1) * items +
				 product(kept, directories + 2 * limited(tree->trees)));
	if (!test->directories_only)
		space->files = limited(space->files + items);
}

/*
 * A file occupies whole blocks. Above 4 KiB the file system's block size (st_blksize) may be the
 * size of transfers that it prefers.
 */
static uint64_t metadata_space_bytes_of(const struct plan *plan, const struct metadata_space *space)
{
	enum { LARGEST_BLOCK = 4096 };
	uint64_t block =
		space->block && space->block < LARGEST_BLOCK ? space->block : LARGEST_BLOCK;
	uint64_t each = (plan->metadata->write_bytes + block - 1) / block * block, all;

	return __builtin_mul_overflow(space->files, each, &all) ? UINT64_MAX : all;
}

int metadata_space_check(const struct plan *plan, const struct metadata_space *space,
			 struct error *err)
{
	uint64_t bytes = metadata_space_bytes_of(plan, space);

	if (space->entries > space->free_files)
		return error_input(err,
				   "dir: the test makes %" PRIu64
				   " files and directories and %s has %" PRIu64
				   " inodes free; lower items, choose another directory, or go on "
				   "with --force",
				   space->entries, space->path, space->free_files);
	if (bytes > space->free_bytes)
		return error_input(err,
				   "dir: the test writes %s and %s has %s free; lower items or "
				   "write_bytes (of a load: item_bytes), choose another directory, "
				   "or go on with --force",
				   units_show_bytes(bytes).text, space->path,
				   units_show_bytes(space->free_bytes).text);
	return 0;
}
