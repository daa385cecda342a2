/* The rules that span options of a test. */
#include "options/rules.h"

#include "base/units.h"
#include "options/lists.h"

#define DIVISOR_TRIES 100000

/* The largest divisor of block that is not more than limit; block itself when none is near. */
static uint64_t divisor_below(uint64_t block, uint64_t limit)
{
	uint64_t pieces = (block + limit - 1) / limit;

	for (uint64_t tries = 0; tries < DIVISOR_TRIES && pieces <= block; tries++, pieces++)
		if (block % pieces == 0)
			return block / pieces;
	for (uint64_t divisor = limit; limit <= DIVISOR_TRIES && divisor > 0; divisor--)
		if (block % divisor == 0)
			return divisor;
	return block;
}

static bool transfer_does_not_divide_block(const struct test *test, struct text *why)
{
	char transfer[32], block[32], divisor[32];

	if (test->block_size % test->transfer_size == 0)
		return false;
	units_format_size(test->transfer_size, transfer, sizeof(transfer));
	units_format_size(test->block_size, block, sizeof(block));
	units_format_size(divisor_below(test->block_size, test->transfer_size), divisor,
			  sizeof(divisor));
	text_add(why, "transfer_size: %s does not divide block_size %s; use a divisor such as %s",
		 transfer, block, divisor);
	return true;
}

static bool file_is_too_large(const struct test *test, struct text *why)
{
	unsigned __int128 bytes = (unsigned __int128)test->block_size * test->segment_count;
	uint64_t tasks = test->num_tasks && test->scaling == SCALING_WEAK ? test->num_tasks : 1;

	/* both factors are below 2^63, so the product of two still fits */
	if (bytes <= INT64_MAX && bytes * tasks <= INT64_MAX)
		return false;
	text_add(why, "block_size: times segment_count%s it is 2^63 bytes or more; use less",
		 tasks > 1 ? " and num_tasks" : "");
	return true;
}

static bool existing_file_is_replaced(const struct test *test)
{
	return test->use_existing_test_file && test->replace;
}

static bool nothing_is_done(const struct test *test)
{
	return !test->write_file && !test->read_file && !test->check_write;
}

static bool name_is_empty(const struct test *test)
{
	return !(test->test_file && *test->test_file);
}

static bool name_is_a_list(const struct test *test, struct text *why)
{
	if (!list_is_written(test->test_file))
		return false;
	text_add(why,
		 "test_file: names take no list; a RUN for each in a job file tests one after the "
		 "other, -F with a@b deals files to several, and ./%.80s is one of that name",
		 test->test_file);
	return true;
}

static bool cold_command_is_missing(const struct test *test)
{
	return test->cold == COLD_COMMAND && !(test->cold_command && *test->cold_command);
}

static bool queue_is_synchronous(const struct test *test, struct text *why)
{
	if (test->queue_depth == 1 || (!test->collective && !test->strided))
		return false;
	text_add(why, "queue_depth: %s transfers are made one at a time; leave one of the two out",
		 test->collective ? "collective" : "strided");
	return true;
}

static bool batch_is_larger_than_queue(const struct test *test)
{
	return test->queue_batch > test->queue_depth;
}

static bool order_is_of_one_call(const struct test *test)
{
	return test->random_offset && test->strided;
}

static bool repeats_are_verified(const struct test *test)
{
	/* A read after a write in the same test draws the offsets that the write has drawn. */
	return test->random_offset >= 2 && test->check_write && !test->write_file;
}

static bool readers_are_ordered_twice(const struct test *test)
{
	return test->reorder_tasks && test->reorder_tasks_random;
}

static bool content_has_no_room_for_it(const struct test *test, struct text *why)
{
	bool compress = test->content_compress > 0;

	if (test->content == CONTENT_STAMPED || test->content == CONTENT_RANDOM ||
	    (!compress && test->content_dedup <= 1))
		return false;
	text_add(why,
		 "content_%s: it is for content=stamped and content=random; leave one of the two "
		 "out",
		 compress ? "compress" : "dedup");
	return true;
}

static bool deduplicated_block_is_no_sectors(const struct test *test)
{
	return test->content_dedup_block % 512 != 0;
}

static bool content_file_is_missing(const struct test *test, struct text *why)
{
	bool given = test->content_file && *test->content_file;

	if (given == (test->content == CONTENT_FILE))
		return false;
	text_add(
		why,
		given ? "content_file: it is used with content=file only; add that, or leave it out"
		      : "content: file needs content_file, the file whose bytes are written");
	return true;
}

static bool wear_out_has_no_wall(const struct test *test)
{
	return test->wear_out && test->write_file && test->stonewall <= 0;
}

static bool phase_ends_twice(const struct test *test, struct text *why)
{
	if (!(test->duration > 0) || !(test->stonewall > 0 || test->min_time_duration > 0))
		return false;
	text_add(why, "duration: %s also sets when a phase ends; leave one of the two out",
		 test->stonewall > 0 ? "stonewall (-D)" : "min_time_duration");
	return true;
}

static bool queue_has_no_gaps(const struct test *test)
{
	return test->inter_io_delay && test->queue_depth != 1;
}

static bool prefill_is_no_transfers(const struct test *test, struct text *why)
{
	char piece[32], transfer[32];

	if (test->random_prefill % test->transfer_size == 0)
		return false;
	units_format_size(test->random_prefill, piece, sizeof(piece));
	units_format_size(test->transfer_size, transfer, sizeof(transfer));
	text_add(why, "random_prefill: %s is no multiple of transfer_size %s", piece, transfer);
	return true;
}

const struct test_rule test_rules[] = {
	{.keys = {"wear_out", "stonewall"},
	 .broken = wear_out_has_no_wall,
	 .sentence = "wear_out: there is no stonewall that it could follow; add stonewall (-D)"},
	{.keys = {"duration", "stonewall", "min_time_duration"}, .explain = phase_ends_twice},
	{.keys = {"inter_io_delay", "queue_depth"},
	 .broken = queue_has_no_gaps,
	 .sentence = "inter_io_delay: with queue_depth transfers overlap, and none is between two; "
		     "leave one of the two out"},
	{.keys = {"transfer_size", "block_size"}, .explain = transfer_does_not_divide_block},
	{.keys = {"block_size", "segment_count", "num_tasks"}, .explain = file_is_too_large},
	{.keys = {"replace", "use_existing_test_file"},
	 .broken = existing_file_is_replaced,
	 .sentence = "replace: it deletes the file that use_existing_test_file (-E) writes into; "
		     "choose one"},
	{.keys = {"write_file", "read_file"},
	 .broken = nothing_is_done,
	 .sentence = "write_file: it is 0, and so is read_file: there is nothing to do"},
	{.keys = {"test_file"}, .explain = name_is_a_list},
	{.keys = {"test_file"},
	 .broken = name_is_empty,
	 .sentence = "test_file: the name is empty"},
	{.keys = {"cold", "cold_command"},
	 .broken = cold_command_is_missing,
	 .sentence = "cold: command needs cold_command, the command that drops the caches"},
	{.keys = {"queue_depth", "collective", "strided"}, .explain = queue_is_synchronous},
	{.keys = {"queue_batch", "queue_depth"},
	 .broken = batch_is_larger_than_queue,
	 .sentence = "queue_batch: only queue_depth transfers can be in flight; raise queue_depth "
		     "or lower queue_batch"},
	{.keys = {"random_offset", "strided"},
	 .broken = order_is_of_one_call,
	 .sentence = "random_offset: strided moves all segments in one call, which has no order; "
		     "leave one of the two out"},
	{.keys = {"check_write", "random_offset"},
	 .broken = repeats_are_verified,
	 .sentence = "check_write: with repeats (-zz) not everything would be read; leave -zz out, "
		     "or check what is read (-R)"},
	{.keys = {"reorder_tasks_random", "reorder_tasks"},
	 .broken = readers_are_ordered_twice,
	 .sentence = "reorder_tasks_random: reorder_tasks (-C) shifts by a fixed distance, this "
		     "(-Z) by a random one; choose one"},
	{.keys = {"content_compress", "content_dedup", "content"},
	 .explain = content_has_no_room_for_it},
	{.keys = {"content_dedup_block"},
	 .broken = deduplicated_block_is_no_sectors,
	 .sentence = "content_dedup_block: it is no multiple of 512"},
	{.keys = {"content_file", "content"}, .explain = content_file_is_missing},
	{.keys = {"random_prefill", "transfer_size"}, .explain = prefill_is_no_transfers},
	{.keys = {NULL}},
};
