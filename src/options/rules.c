/* The rules that span options of a test. */
#include "options/rules.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/units.h"
#include "options/lists.h"

#define DIVISOR_TRIES 100000

const char *rule_broken(struct error *err, const char *keys, const char *format, ...)
{
	char sentence[sizeof(err->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof(sentence), format, arguments);
	va_end(arguments);
	error_input(err, "%s", sentence);
	return keys;
}

static bool rules_is_given(const char *value)
{
	return value && *value;
}

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

static const char *check_sizes(const struct test *test, struct error *err)
{
	/* both factors are below 2^63, so the product of two still fits */
	const unsigned __int128 bytes = (unsigned __int128)test->block_size * test->segment_count;
	const uint64_t tasks =
		test->num_tasks && test->scaling == SCALING_WEAK ? test->num_tasks : 1;
	char transfer[32], block[32], other[32];

	units_format_size(test->transfer_size, transfer, sizeof(transfer));
	if (test->block_size % test->transfer_size != 0) {
		units_format_size(test->block_size, block, sizeof(block));
		units_format_size(divisor_below(test->block_size, test->transfer_size), other,
				  sizeof(other));
		return rule_broken(err, "transfer_size block_size",
				   "transfer_size: %s does not divide block_size %s; use a divisor "
				   "such as %s",
				   transfer, block, other);
	}
	if (bytes > INT64_MAX || bytes * tasks > INT64_MAX)
		return rule_broken(
			err, "block_size segment_count num_tasks",
			"block_size: times segment_count%s it is 2^63 bytes or more; use less",
			tasks > 1 ? " and num_tasks" : "");
	if (test->random_prefill % test->transfer_size != 0) {
		units_format_size(test->random_prefill, other, sizeof(other));
		return rule_broken(err, "random_prefill transfer_size",
				   "random_prefill: %s is no multiple of transfer_size %s", other,
				   transfer);
	}
	return NULL;
}

static const char *check_order(const struct test *test, struct error *err)
{
	if (test->queue_batch > test->queue_depth)
		return rule_broken(err, "queue_batch queue_depth",
				   "queue_batch: only queue_depth transfers can be in flight; "
				   "raise queue_depth or lower queue_batch");
	if (test->random_offset && test->strided)
		return rule_broken(err, "random_offset strided",
				   "random_offset: strided moves all segments in one call, which "
				   "has no order; leave one of the two out");
	/* A read after a write in the same test draws the offsets that the write has drawn. */
	if (test->random_offset >= 2 && test->check_write && !test->write_file)
		return rule_broken(err, "check_write random_offset",
				   "check_write: with repeats (-zz) not everything would be read; "
				   "leave -zz out, or check what is read (-R)");
	if (test->reorder_tasks && test->reorder_tasks_random)
		return rule_broken(err, "reorder_tasks_random reorder_tasks",
				   "reorder_tasks_random: reorder_tasks (-C) shifts by a fixed "
				   "distance, this (-Z) by a random one; choose one");
	return NULL;
}

/* Checks the rules of options that only data tests have. */
static const char *check_data(const struct test *test, struct error *err)
{
	const char *keys;

	if (test->wear_out && test->write_file && test->stonewall <= 0)
		return rule_broken(err, "wear_out stonewall",
				   "wear_out: there is no stonewall that it could follow; add "
				   "stonewall (-D)");
	if (test->inter_io_delay && test->queue_depth != 1)
		return rule_broken(err, "inter_io_delay queue_depth",
				   "inter_io_delay: with queue_depth transfers overlap, and none "
				   "is between two; leave one of the two out");
	if (test->use_existing_test_file && test->replace)
		return rule_broken(err, "replace use_existing_test_file",
				   "replace: it deletes the file that use_existing_test_file (-E) "
				   "writes into; choose one");
	if (!test->write_file && !test->read_file && !test->check_write)
		return rule_broken(err, "write_file read_file",
				   "write_file: it is 0, and so is read_file: there is nothing to "
				   "do");
	keys = check_sizes(test, err);
	return keys ? keys : check_order(test, err);
}

/* Checks the rules of options that data tests and load tests have. */
static const char *check_files(const struct test *test, struct error *err)
{
	if (test->duration > 0 && (test->stonewall > 0 || test->min_time_duration > 0))
		return rule_broken(
			err, "duration stonewall min_time_duration",
			"duration: %s also sets when a phase ends; leave one of the two out",
			test->stonewall > 0 ? "stonewall (-D)" : "min_time_duration");
	if (list_is_written(test->test_file))
		return rule_broken(err, "test_file",
				   "test_file: names take no list; a RUN for each in a job file "
				   "tests one after the other, -F with a@b deals files to several, "
				   "and ./%.80s is one of that name",
				   test->test_file);
	if (!rules_is_given(test->test_file))
		return rule_broken(err, "test_file", "test_file: the name is empty");
	if (test->cold == COLD_COMMAND && !rules_is_given(test->cold_command))
		return rule_broken(err, "cold cold_command",
				   "cold: command needs cold_command, the command that drops the "
				   "caches");
	return NULL;
}

/* Checks the rules of options that all tests have. */
static const char *check_all(const struct test *test, struct error *err)
{
	const bool compress = test->content_compress > 0;

	if (test->queue_depth != 1 && (test->collective || test->strided))
		return rule_broken(err, "queue_depth collective strided",
				   "queue_depth: %s transfers are made one at a time; leave one of "
				   "the two out",
				   test->collective ? "collective" : "strided");
	if (test->content != CONTENT_STAMPED && test->content != CONTENT_RANDOM &&
	    (compress || test->content_dedup > 1))
		return rule_broken(err, "content_compress content_dedup content",
				   "content_%s: it is for content=stamped and content=random; "
				   "leave one of the two out",
				   compress ? "compress" : "dedup");
	if (test->content_dedup_block % 512 != 0)
		return rule_broken(err, "content_dedup_block",
				   "content_dedup_block: it is no multiple of 512");
	if (rules_is_given(test->content_file) && test->content != CONTENT_FILE)
		return rule_broken(err, "content_file content",
				   "content_file: it is used with content=file only; add that, or "
				   "leave it out");
	if (!rules_is_given(test->content_file) && test->content == CONTENT_FILE)
		return rule_broken(err, "content_file content",
				   "content: file needs content_file, the file whose bytes are "
				   "written");
	return NULL;
}

const char *rules_check(const struct test_spec *spec, struct error *err)
{
	const struct test *test = test_of(spec);
	const char *keys = NULL;

	if (spec->workload == WORKLOAD_METADATA)
		keys = rules_check_metadata(metadata_of(spec), err);
	else if (spec->workload == WORKLOAD_LOAD)
		keys = rules_check_load(spec, err);
	else
		keys = check_data(test, err);
	if (!keys && spec->workload != WORKLOAD_METADATA)
		keys = check_files(test, err);
	return keys ? keys : check_all(test, err);
}
