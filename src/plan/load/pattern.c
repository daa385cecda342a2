/* The pattern of a load: what its parts mean together. */
#include "plan/load/pattern.h"

#include "base/text.h"

static bool has_kinds(const struct load_pattern *pattern, unsigned from, unsigned to)
{
	for (; from < to; from++)
		if (pattern->operations.cards[from])
			return true;
	return false;
}

bool load_pattern_moves_data(const struct load_pattern *pattern)
{
	return has_kinds(pattern, 0, LOAD_DATA_KINDS);
}

bool load_pattern_has_items(const struct load_pattern *pattern)
{
	return has_kinds(pattern, LOAD_DATA_KINDS, LOAD_KINDS);
}

/* --- what the sizes have in common ---------------------------------------------------------- */

struct load_sizes load_pattern_sizes(const struct load_pattern *pattern)
{
	struct load_sizes all = {.smallest = UINT64_MAX};

	for (unsigned kind = 0; kind < LOAD_DATA_KINDS; kind++) {
		const struct sizes *sizes = &pattern->sizes[kind];

		if (!pattern->operations.cards[kind])
			continue;
		if (sizes->smallest < all.smallest)
			all.smallest = sizes->smallest;
		if (sizes->largest > all.largest)
			all.largest = sizes->largest;
		all.divisor = sizes_common_divisor(sizes->divisor, all.divisor);
	}
	return all;
}

uint64_t load_pattern_unit(const struct load_pattern *pattern, const struct load_sizes *all)
{
	return pattern->align ? pattern->align : all->divisor;
}

uint64_t load_pattern_units(const struct load_pattern *pattern, uint64_t unit)
{
	return pattern->file_bytes > unit ? pattern->file_bytes / unit : 1;
}

bool load_pattern_has_random(const struct load_pattern *pattern)
{
	return pattern->random.cards[1] ||
	       (pattern->splits_random && pattern->write_random.cards[1]);
}

bool load_pattern_is_random(const struct load_pattern *pattern)
{
	return pattern->random.single == 1 &&
	       (!pattern->splits_random || pattern->write_random.single == 1);
}

bool load_pattern_visits_every_block(const struct load_pattern *pattern)
{
	return pattern->distribution.kind == DISTRIBUTION_EVERY_BLOCK &&
	       load_pattern_has_random(pattern);
}

enum load_mode load_pattern_mode(const struct load_pattern *pattern, const struct load_sizes *all)
{
	if (load_pattern_visits_every_block(pattern))
		return LOAD_EVERY_BLOCK;
	if (!load_pattern_has_random(pattern) && all->smallest == all->largest)
		return LOAD_TURNS;
	if (load_pattern_is_random(pattern) && pattern->run_length == 1)
		return LOAD_RANDOM;
	return LOAD_RUNS;
}

uint64_t load_pattern_per_file(const struct load_pattern *pattern, enum load_mode mode,
			       uint64_t length)
{
	uint64_t stride = mode == LOAD_TURNS ? pattern->stride : 0;

	return (pattern->file_bytes - length) / (length + stride) + 1;
}

/* --- rules ---------------------------------------------------------------------------------- */

static int check_every_block(const struct load_pattern *pattern, const struct load_sizes *all,
			     struct error *err)
{
	if (all->smallest != all->largest)
		return error_input(err,
				   "distribution: every_block needs transfers of one size; give "
				   "one size, or take uniform");
	if (!load_pattern_is_random(pattern))
		return error_input(err, "distribution: every_block visits all blocks in a random "
					"order; set random = 100 %%, or take uniform");
	if (pattern->run_length > 1 || pattern->stride)
		return error_input(err,
				   "distribution: every_block has no runs; leave run_length and "
				   "stride out, or take uniform");
	if (pattern->files_given)
		return error_input(
			err, "depth_scope: every_block visits the files in one order, and file "
			     "gives each file its own; take depth_scope = task, or uniform");
	if (pattern->align && all->largest % pattern->align)
		return error_input(err,
				   "align: with every_block it divides the transfer's size; leave "
				   "it out, or take uniform");
	return 0;
}

static int check_places(const struct load_pattern *pattern, const struct load_sizes *all,
			uint32_t sharers, struct error *err)
{
	static const uint64_t most_units = UINT64_C(1) << 53;
	enum load_mode mode = load_pattern_mode(pattern, all);
	uint64_t transfers;

	if (pattern->file_bytes < all->largest)
		return error_input(err,
				   "file_size: a file is smaller than the largest transfer; raise "
				   "file_size or lower the sizes");
	if (load_pattern_has_random(pattern) && pattern->align >= pattern->file_bytes &&
	    pattern->file_bytes / 2 >= all->largest)
		return error_input(err, "align: it is not less than the part of a file that is "
					"visited, so that all random transfers would be at its "
					"start; lower align");
	if (load_pattern_units(pattern, load_pattern_unit(pattern, all)) > most_units)
		return error_input(err,
				   "align: a file has more than 2^53 places to begin at; set align "
				   "to the smallest size");
	if (mode == LOAD_EVERY_BLOCK && check_every_block(pattern, all, err))
		return -1;
	if (mode == LOAD_RUNS && sharers > 1 && !load_pattern_has_random(pattern))
		return error_input(
			err, "sizes: tasks that share a file and move it sequentially take "
			     "turns, which needs one size; give one size, or file_scope = task");
	if (mode == LOAD_RUNS || mode == LOAD_RANDOM)
		return 0;
	transfers = load_pattern_per_file(pattern, mode, all->largest);
	if (mode == LOAD_EVERY_BLOCK)
		transfers *= pattern->files;
	if (transfers < sharers)
		return error_input(err,
				   "file_size: fewer transfers than tasks that share them; raise "
				   "file_size or lower num_tasks");
	return 0;
}

static int check_pair(const struct load_pattern *pattern, enum load_kind makes,
		      enum load_kind removes, struct error *err)
{
	const uint16_t *cards = pattern->operations.cards;

	if (cards[removes] <= cards[makes])
		return 0;
	return error_input(err,
			   "operations: more %s than %s would leave nothing to remove; give %s at "
			   "least the share of %s",
			   load_kind_names[removes], load_kind_names[makes], load_kind_names[makes],
			   load_kind_names[removes]);
}

static int pattern_check_items(const struct load_pattern *pattern, struct error *err)
{
	if (pattern->passes)
		return error_input(err, "passes: operations on names make no passes; set "
					"operation_limit or duration instead");
	if (check_pair(pattern, LOAD_CREATE, LOAD_UNLINK, err))
		return -1;
	return check_pair(pattern, LOAD_MKDIR, LOAD_RMDIR, err);
}

int load_pattern_check(const struct load_pattern *pattern, uint32_t sharers, struct error *err)
{
	const struct load_sizes all = load_pattern_sizes(pattern);

	if (load_pattern_moves_data(pattern) && check_places(pattern, &all, sharers, err))
		return -1;
	return load_pattern_has_items(pattern) ? pattern_check_items(pattern, err) : 0;
}

int load_parse_file_choice(const char *text, const char *key, struct load_pattern *pattern,
			   struct error *err)
{
	pattern->files_in_turn = text_same_key(text, "in_turn");
	if (pattern->files_in_turn)
		return 0;
	if (text_same_key(text, "random")) {
		pattern->file_choice = (struct distribution){.kind = DISTRIBUTION_UNIFORM};
		return 0;
	}
	if (distribution_parse(text, key, &pattern->file_choice, err))
		return -1;
	if (pattern->file_choice.kind == DISTRIBUTION_EVERY_BLOCK)
		return error_input(err,
				   "%s: every_block chooses no files; write in_turn, random or "
				   "zipf:1.2",
				   key);
	return 0;
}
