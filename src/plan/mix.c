/* The mixed phase of a metadata test: shares, and which file is next. */
#include "plan/mix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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

/* at: the position of the mistake in the text. */
static int refuse(const char *text, const char *at, const char *why, struct error *err)
{
	bool inside = at > text;

	return error_input(err,
			   "mix: \"%.200s\": %s%s%.40s%s; write shares as "
			   "create:15,stat:60,read:10,remove:15",
			   text, why, inside ? " at \"" : "", inside ? at : "", inside ? "\"" : "");
}

static int refuse_name(const char *text, const char *at, size_t length, struct error *err)
{
	enum { NEAR = 2 };
	char *name = text_copy_n(at, length), why[80] = "no such operation";

	for (int i = 0; i < MIX_KINDS; i++)
		if (length > NEAR && text_distance(name, names[i], NEAR) <= NEAR)
			snprintf(why, sizeof(why), "no such operation (did you mean %s?)",
				 names[i]);
	free(name);
	return refuse(text, at, why, err);
}

/*
 * Returns why the number is no valid share, or NULL if it is one. length: characters up to the next
 * share.
 */
static const char *wrong_number(const char *number, size_t length, double *share)
{
	bool plain = strspn(number, "0123456789.") == length;
	char *end;

	*share = strtod(number, &end);
	if (end == number || !isfinite(*share))
		return "no number";
	if (*share < 0)
		return "a share is not negative";
	if (plain && end == number + length)
		return number[length] && !number[length + 1] ? "nothing follows the comma" : NULL;
	return *end == '%' ? "a share has no % sign" : "no plain decimal number";
}

/* Parses one share, "stat:60". Returns the text behind it, or NULL with *err. */
static const char *parse_share(const char *text, const char *at, double shares[MIX_KINDS],
			       struct error *err)
{
	size_t length = strcspn(at, ":=,");
	const char *number = at + length + 1, *why;
	enum mix_kind kind = 0;

	while (kind < MIX_KINDS &&
	       (strlen(names[kind]) != length || memcmp(names[kind], at, length)))
		kind++;
	if (kind == MIX_KINDS) {
		refuse_name(text, at, length, err);
		return NULL;
	}
	if (at[length] != ':')
		why = at[length] == '=' ? "a colon stands before a share" : "no number";
	else if (!isnan(shares[kind]))
		why = "it stands twice,";
	else
		why = wrong_number(number, strcspn(number, ","), &shares[kind]);
	if (why) {
		refuse(text, at, why, err);
		return NULL;
	}
	number += strcspn(number, ",");
	return *number ? number + 1 : number;
}

int mix_parse_shares(const char *text, double shares[MIX_KINDS], struct error *err)
{
	double sum = 0;

	for (int i = 0; i < MIX_KINDS; i++)
		shares[i] = NAN;
	for (const char *at = text; *at;) {
		at = parse_share(text, at, shares, err);
		if (!at)
			return -1;
	}
	for (int i = 0; i < MIX_KINDS; i++) {
		if (isnan(shares[i]))
			shares[i] = 0;
		sum += shares[i];
	}
	if (!(sum > 0) || !isfinite(sum))
		return refuse(text, text, "the sum is no positive number", err);
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
