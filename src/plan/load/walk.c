/* The requests of one task of a load. */
#include "plan/load/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

static const enum operation operations[LOAD_DATA_KINDS] = {OPERATION_READ, OPERATION_WRITE};

/* --- the start ------------------------------------------------------------------------------ */

/* Independent random numbers of one task, or of the test. */
enum stream {
	STREAM_OPERATIONS,
	STREAM_READ_SIZES,
	STREAM_WRITE_SIZES,
	STREAM_RUNS,
	STREAM_ARRIVALS,
	STREAM_PASSES,
	STREAM_PLACES,
	STREAM_HOT_BLOCKS,
	STREAM_HOT_FILES,
	STREAM_WRITE_RUNS,
};

static void walk_fill_slots(struct load_walk *walk, uint64_t unit)
{
	const struct load_pattern *pattern = walk->pattern;

	for (unsigned kind = 0; kind < LOAD_DATA_KINDS; kind++) {
		const struct sizes *sizes = &pattern->sizes[kind];

		for (unsigned i = 0; i < sizes->count; i++) {
			uint64_t bytes = sizes->bytes[i];
			uint64_t step = pattern->align ? pattern->align : bytes;

			if (!pattern->operations.cards[kind] || !sizes->deck.cards[i])
				continue;
			walk->slots[kind][i] = (struct load_slots){
				.bytes = bytes,
				.count = (pattern->file_bytes - bytes) / step + 1,
				.step = step,
				.units = step / unit,
			};
		}
	}
}

static void start_dealers(struct load_walk *walk, uint64_t seed)
{
	const struct load_pattern *pattern = walk->pattern;

	dealer_start(&walk->operations, &pattern->operations, order_seed(seed, STREAM_OPERATIONS));
	dealer_start(&walk->random, &pattern->random, order_seed(seed, STREAM_RUNS));
	dealer_start(&walk->write_random, &pattern->write_random,
		     order_seed(seed, STREAM_WRITE_RUNS));
	for (unsigned kind = 0; kind < LOAD_DATA_KINDS; kind++)
		dealer_start(&walk->sizes[kind], &pattern->sizes[kind].deck,
			     order_seed(seed, STREAM_READ_SIZES + kind));
}

static void start_samplers(struct load_walk *walk, uint64_t unit)
{
	const struct load_pattern *pattern = walk->pattern;
	uint64_t hot = order_seed(pattern->seed, STREAM_HOT_BLOCKS);

	if (pattern->own_hot_blocks)
		hot = order_seed(hot, walk->seat.task);
	if (walk->mode == LOAD_RANDOM ||
	    (walk->mode == LOAD_RUNS && load_pattern_has_random(pattern)))
		sampler_init(&walk->sampler, &pattern->distribution,
			     load_pattern_units(pattern, unit), hot);
	if (!pattern->files_in_turn)
		sampler_init(&walk->file_sampler, &pattern->file_choice, pattern->files,
			     order_seed(pattern->seed, STREAM_HOT_FILES));
}

/* Sequential transfers begin at the task's share of the file, or with its first turn. */
static void start_places(struct load_walk *walk, uint64_t unit)
{
	const struct load_pattern *pattern = walk->pattern;
	const struct load_seat *seat = &walk->seat;
	uint64_t share = pattern->file_bytes / unit / seat->sharers * unit;

	walk->place.next = walk->mode == LOAD_TURNS ? seat->sharer : seat->sharer * share;
	walk->file = pattern->files - 1;
	if (pattern->files_in_turn)
		walk->file = (seat->sharer + pattern->files - 1) % pattern->files;
	if (pattern->files == 1 || walk->mode == LOAD_EVERY_BLOCK ||
	    load_pattern_is_random(pattern))
		return;
	walk->places = memory_allocate(pattern->files, sizeof(*walk->places));
	for (uint32_t i = 0; i < pattern->files; i++)
		walk->places[i] = walk->place;
}

/* How many of `count` numbers are seat->sharer, + sharers, + 2 sharers, … */
static uint64_t share_of(const struct load_seat *seat, uint64_t count)
{
	return count > seat->sharer ? (count - seat->sharer - 1) / seat->sharers + 1 : 0;
}

/* a * b, or UINT64_MAX for what is too large: no limit. */
static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t lower_limit(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void start_limits(struct load_walk *walk)
{
	const struct load_pattern *pattern = walk->pattern;
	uint64_t of_passes = times(pattern->passes, walk->per_file), bytes;

	walk->operation_limit = pattern->operation_limit ? pattern->operation_limit : UINT64_MAX;
	walk->byte_limit = pattern->byte_limit ? pattern->byte_limit : UINT64_MAX;
	if (!pattern->passes)
		return;
	if (walk->mode == LOAD_EVERY_BLOCK) {
		of_passes = times(pattern->passes, walk->passes.count);
		walk->operation_limit = lower_limit(walk->operation_limit, of_passes);
	} else if (walk->mode == LOAD_TURNS) {
		of_passes = times(share_of(&walk->seat, of_passes), pattern->files);
		walk->operation_limit = lower_limit(walk->operation_limit, of_passes);
	} else {
		bytes = times(pattern->file_bytes, pattern->files) / walk->seat.sharers;
		walk->byte_limit = lower_limit(walk->byte_limit, times(pattern->passes, bytes));
	}
}

static uint64_t seed_of(const struct load_pattern *pattern, const struct load_seat *seat,
			uint64_t repetition)
{
	return order_seed(order_seed(pattern->seed, repetition + (pattern->draw << 32)),
			  (uint64_t)seat->first_task << 32 | seat->task);
}

void load_walk_resume(struct load_walk *walk, uint64_t repetition)
{
	const struct load_pattern *pattern = walk->pattern;
	const uint64_t seed = seed_of(pattern, &walk->seat, repetition);

	arrival_start(&walk->arrival, &pattern->arrival, walk->seat.task, walk->seat.tasks,
		      order_seed(seed, STREAM_ARRIVALS));
	load_items_start(&walk->items, &pattern->items);
}

void load_walk_start(struct load_walk *walk, const struct load_pattern *pattern,
		     const struct load_seat *seat, uint64_t repetition)
{
	const struct load_sizes all = load_pattern_sizes(pattern);
	const bool moves = load_pattern_moves_data(pattern);
	const uint64_t unit = load_pattern_unit(pattern, &all);
	const uint64_t seed = seed_of(pattern, seat, repetition);

	memset(walk, 0, sizeof(*walk));
	walk->pattern = pattern;
	walk->seat = *seat;
	walk->mode = moves ? load_pattern_mode(pattern, &all) : LOAD_RUNS;
	walk->block_bytes = all.largest;
	walk->state = order_seed(seed, STREAM_PLACES);
	if (walk->mode == LOAD_TURNS || walk->mode == LOAD_EVERY_BLOCK)
		walk->per_file = load_pattern_per_file(pattern, walk->mode, all.largest);
	if (walk->mode == LOAD_EVERY_BLOCK)
		passes_start(&walk->passes, share_of(seat, walk->per_file * pattern->files),
			     order_seed(seed, STREAM_PASSES));
	load_walk_resume(walk, repetition);
	start_dealers(walk, seed);
	start_limits(walk);
	if (!moves)
		return;
	walk_fill_slots(walk, unit);
	start_samplers(walk, unit);
	start_places(walk, unit);
}

void load_walk_release(struct load_walk *walk)
{
	free(walk->places);
	walk->places = NULL;
}

/* --- the next request ----------------------------------------------------------------------- */

static inline struct load_place *place_of(struct load_walk *walk)
{
	return walk->places ? &walk->places[walk->file] : &walk->place;
}

/* Picks the file of the next run. */
static inline void pick_file(struct load_walk *walk)
{
	const struct load_pattern *pattern = walk->pattern;

	if (pattern->files == 1 || pattern->files_given)
		return;
	if (!pattern->files_in_turn)
		walk->file = (uint32_t)sampler_draw(&walk->file_sampler, &walk->state);
	else
		walk->file = walk->file + 1 < pattern->files ? walk->file + 1 : 0;
}

static inline uint64_t random_offset(struct load_walk *walk, const struct load_slots *slots)
{
	uint64_t slot;

	if (walk->sampler.kind == DISTRIBUTION_UNIFORM)
		return random_below(&walk->state, slots->count) * slots->step;
	slot = sampler_draw(&walk->sampler, &walk->state);
	if (slots->units > 1)
		slot /= slots->units;
	return (slot < slots->count ? slot : slots->count - 1) * slots->step;
}

static inline void next_at_random(struct load_walk *walk, const struct load_slots *slots,
				  struct load_request *request)
{
	pick_file(walk);
	request->file = walk->file;
	request->offset = random_offset(walk, slots);
	request->pass = 0;
}

static inline bool run_jumps(struct load_walk *walk, enum operation operation)
{
	return dealer_next(walk->pattern->splits_random && operation == OPERATION_WRITE
				   ? &walk->write_random
				   : &walk->random);
}

static inline void next_of_runs(struct load_walk *walk, const struct load_slots *slots,
				struct load_request *request)
{
	struct load_place *place;
	bool jumps = false;

	if (!walk->run_left) {
		walk->run_left = walk->pattern->run_length;
		pick_file(walk);
		jumps = run_jumps(walk, request->operation);
	}
	walk->run_left--;
	place = place_of(walk);
	request->file = walk->file;
	request->offset = jumps ? random_offset(walk, slots) : place->next;
	if (request->offset + slots->bytes > walk->pattern->file_bytes)
		request->offset = 0;
	place->next = request->offset + slots->bytes + walk->pattern->stride;
	request->pass = 0;
}

static inline void next_of_turns(struct load_walk *walk, const struct load_slots *slots,
				 struct load_request *request)
{
	struct load_place *place;

	if (!walk->run_left) {
		walk->run_left = walk->pattern->run_length;
		pick_file(walk);
	}
	walk->run_left--;
	place = place_of(walk);
	request->file = walk->file;
	request->offset = place->next * (slots->bytes + walk->pattern->stride);
	request->pass = place->pass;
	place->next += walk->seat.sharers;
	if (place->next >= walk->per_file) {
		place->pass += place->next / walk->per_file;
		place->next %= walk->per_file;
	}
}

static inline void next_of_every_block(struct load_walk *walk, const struct load_slots *slots,
				       struct load_request *request)
{
	uint64_t block = passes_next(&walk->passes) * walk->seat.sharers + walk->seat.sharer;
	uint64_t file = walk->pattern->files == 1 ? 0 : block / walk->per_file;

	request->file = (uint32_t)file;
	request->offset = (block - file * walk->per_file) * slots->bytes;
	request->pass = walk->passes.pass;
}

static void next_on_items(struct load_walk *walk, enum load_kind kind, struct load_request *request)
{
	struct load_item_request item;

	load_items_next(&walk->items, kind, random_unit(&walk->state), &item);
	request->operation = item.operation;
	request->file = 0;
	request->item = item.item;
	request->new_item = item.new_item;
	request->length = item.bytes;
}

static inline void next_on_data(struct load_walk *walk, unsigned kind, struct load_request *request)
{
	const struct load_slots *slots = &walk->slots[kind][dealer_next(&walk->sizes[kind])];

	request->operation = operations[kind];
	request->length = slots->bytes;
	switch (walk->mode) {
	case LOAD_RANDOM:
		next_at_random(walk, slots, request);
		break;
	case LOAD_RUNS:
		next_of_runs(walk, slots, request);
		break;
	case LOAD_TURNS:
		next_of_turns(walk, slots, request);
		break;
	case LOAD_EVERY_BLOCK:
		next_of_every_block(walk, slots, request);
		break;
	}
	request->offset += walk->seat.first;
}

bool load_next(struct load_walk *walk, struct load_request *request)
{
	unsigned kind;

	/* load_walk_follow() sets the limit to 0, so that other walks do not pay for traces. */
	if (walk->operations_done >= walk->operation_limit || walk->bytes_done >= walk->byte_limit)
		return walk->trace && trace_walk_next(walk->trace, request);
	kind = dealer_next(&walk->operations);
	if (__builtin_expect(load_kind_is_on_items(kind), 0))
		next_on_items(walk, kind, request);
	else
		next_on_data(walk, kind, request);
	request->due_ns = arrival_next(&walk->arrival);
	walk->operations_done++;
	walk->bytes_done += request->length;
	return true;
}

void load_walk_follow(struct load_walk *walk, struct trace_walk *trace)
{
	walk->trace = trace;
	walk->operation_limit = 0;
}

uint64_t load_next_due(struct load_walk *walk, bool *is_sync)
{
	struct load_request request;

	*is_sync = false;
	if (!walk->trace)
		return arrival_next(&walk->arrival);
	if (!trace_walk_next(walk->trace, &request))
		return UINT64_MAX;
	*is_sync = request.operation == OPERATION_SYNC;
	return request.due_ns;
}

enum load_end load_walk_end(const struct load_walk *walk)
{
	const struct load_pattern *pattern = walk->pattern;

	if (walk->trace)
		return LOAD_END_TRACE;
	if (walk->operations_done >= walk->operation_limit)
		return walk->operation_limit == pattern->operation_limit ? LOAD_END_OPERATIONS
									 : LOAD_END_PASSES;
	return walk->byte_limit == pattern->byte_limit ? LOAD_END_BYTES : LOAD_END_PASSES;
}

/* --- what was written ----------------------------------------------------------------------- */

bool load_last_write(const struct load_walk *walk, const struct load_request *request,
		     uint64_t *pass)
{
	const struct passes *passes = &walk->passes;
	const uint64_t block = request->file * walk->per_file +
			       (request->offset - walk->seat.first) / walk->block_bytes;
	const uint64_t own = block / walk->seat.sharers;

	/* Each visit takes one card of the deck of operations. */
	for (uint64_t p = request->pass; p-- > 0;) {
		const uint64_t visit = p * passes->count + passes_index(passes, p, own);

		if (dealer_card(&walk->operations, visit) != LOAD_WRITE)
			continue;
		*pass = p;
		return true;
	}
	return false;
}
