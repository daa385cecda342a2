/* The mixed phase of a metadata test: shares, and which file is next. */
#include "plan/mix.h"

#include <string.h>

static const char *const names[MIX_KINDS] = {"create", "stat", "read", "remove"};
static const enum load_kind load_kinds[MIX_KINDS] = {LOAD_CREATE, LOAD_STAT, LOAD_OPEN,
						     LOAD_UNLINK};

const char *mix_kind_name(enum mix_kind kind)
{
	return names[kind];
}

enum operation mix_operation(enum mix_kind kind)
{
	return load_operation(load_kinds[kind]);
}

int mix_parse_shares(const char *text, double shares[MIX_KINDS], struct error *err)
{
	double sum = 0;

	if (deck_parse_weights(text, "mix", names, MIX_KINDS, shares, err))
		return -1;
	for (int i = 0; i < MIX_KINDS; i++)
		sum += shares[i];
	for (int i = 0; i < MIX_KINDS; i++)
		shares[i] /= sum;
	return 0;
}

/* The number of files stays constant only if as many are created as removed. */
static void even_out(struct mix *mix)
{
	const double *asked = mix->asked;

	memcpy(mix->shares, asked, sizeof(mix->shares));
	mix->evened =
		asked[MIX_CREATE] < asked[MIX_REMOVE] || asked[MIX_CREATE] > asked[MIX_REMOVE];
	mix->shares[MIX_CREATE] = (asked[MIX_CREATE] + asked[MIX_REMOVE]) / 2;
	mix->shares[MIX_REMOVE] = mix->shares[MIX_CREATE];
}

/* The deck of the shares. Returns a kind whose share is too small, or LOAD_KINDS. */
static int make_deck(const struct mix *mix, struct deck *deck)
{
	double weights[LOAD_KINDS] = {0};

	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++)
		weights[load_kinds[kind]] = mix->shares[kind];
	return deck_make(deck, weights, LOAD_KINDS);
}

/* Rounds the shares to those of the deck. */
static int settle_shares(struct mix *mix, struct error *err)
{
	struct deck deck;
	const int small = make_deck(mix, &deck);

	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++) {
		if (small == (int)load_kinds[kind])
			return error_input(err, "mix: the share of %s is below one in %d; raise it",
					   names[kind], DECK_CARDS);
		mix->shares[kind] = deck_share(&deck, load_kinds[kind]);
	}
	return 0;
}

/* True if a task might read a file that another task has created but not yet written. */
static bool reads_what_is_being_made(const struct metadata *test, const double shares[MIX_KINDS],
				     uint32_t tasks)
{
	return test->stride && tasks > 1 && test->read_bytes && shares[MIX_CREATE] > 0 &&
	       shares[MIX_READ] > 0;
}

int mix_build(struct mix *mix, const struct metadata *test, uint64_t items, uint32_t tasks,
	      struct error *err)
{
	*mix = (struct mix){
		.task_rate = test->mix_rate > 0 ? test->mix_rate : test->mix_total_rate / tasks,
		.operations = test->mix_operations,
		.seconds = test->mix_duration,
		.think_seconds = test->mix_think,
	};
	if (!mix->operations && !(mix->seconds > 0))
		mix->operations = items;
	if (items < 2)
		return error_input(err,
				   "mix: a task has %s, and needs two files at least, of which one "
				   "may be missing; raise items (-n)",
				   items ? "one file" : "none");
	if (mix_parse_shares(test->mix, mix->asked, err))
		return -1;
	even_out(mix);
	if (settle_shares(mix, err))
		return -1;
	if (reads_what_is_being_made(test, mix->shares, tasks))
		return error_input(
			err, "mix: with a stride (-N) files may be read (-e) while their task "
			     "writes them; leave one of them out, or mix no creates and removes");
	return 0;
}

uint64_t mix_most_missing(uint64_t items)
{
	return items / 10 ? items / 10 : 1;
}

struct load_item_limits mix_limits(uint64_t items)
{
	return (struct load_item_limits){
		.files = {.names = items, .start = items, .least = items - mix_most_missing(items)},
	};
}

void mix_make_pattern(const struct mix *mix, const struct metadata *test, uint64_t items,
		      uint32_t tasks, struct load_pattern *pattern)
{
	*pattern = (struct load_pattern){
		.files = 1,
		.files_in_turn = true,
		.run_length = 1,
		.items = mix_limits(items),
		.arrival = {.kind = mix->task_rate > 0 ? ARRIVAL_EVEN : ARRIVAL_CLOSED,
			    .rate = mix->task_rate * tasks,
			    .think_ns = (uint64_t)(mix->think_seconds * 1e9)},
		.operation_limit = mix->operations,
		.seed = (uint64_t)test->random_seed,
	};
	make_deck(mix, &pattern->operations);
}
