/* The mixed phase of a metadata test: shares, and which file is next. */
#include "plan/mix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *const names[MIX_KINDS] = {"create", "stat", "read", "remove"};

const char *mix_kind_name(enum mix_kind kind)
{
	return names[kind];
}

enum operation mix_operation(enum mix_kind kind)
{
	static const enum operation operations[MIX_KINDS] = {
		[MIX_CREATE] = OPERATION_CREATE,
		[MIX_STAT] = OPERATION_STAT,
		[MIX_READ] = OPERATION_OPEN_CLOSE,
		[MIX_REMOVE] = OPERATION_REMOVE,
	};

	return operations[kind];
}

/* at: the place of the mistake in the text. */
static int refuse(const char *text, const char *at, const char *why, struct error *err)
{
	bool inside = at > text;

	return error_input(err, "mix: \"%.200s\": %s%s%.40s%s; write shares as "
				"create:15,stat:60,read:10,remove:15",
			   text, why, inside ? " at \"" : "", inside ? at : "", inside ? "\"" : "");
}

static int refuse_name(const char *text, const char *at, size_t length, struct error *err)
{
	enum { NEAR = 2 };
	char *name = text_copy_n(at, length), why[80] = "no such operation";

	for (int i = 0; i < MIX_KINDS; i++)
		if (length > NEAR && text_distance(name, names[i], NEAR) <= NEAR)
			snprintf(why, sizeof(why), "no such operation (did you mean %s?)", names[i]);
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

	while (kind < MIX_KINDS && (strlen(names[kind]) != length || memcmp(names[kind], at, length)))
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
	mix->evened = asked[MIX_CREATE] < asked[MIX_REMOVE] || asked[MIX_CREATE] > asked[MIX_REMOVE];
	mix->shares[MIX_CREATE] = (asked[MIX_CREATE] + asked[MIX_REMOVE]) / 2;
	mix->shares[MIX_REMOVE] = mix->shares[MIX_CREATE];
}

/* True if a task might read a file that another task has created but not yet written. */
static bool reads_what_is_being_made(const struct metadata *test, const double shares[MIX_KINDS],
				     uint32_t tasks)
{
	return test->stride && tasks > 1 && test->read_bytes && shares[MIX_CREATE] > 0 && shares[MIX_READ] > 0;
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
		return error_input(err, "mix: a task has %s, and needs two files at least, of which one may be "
					"missing; raise items (-n)", items ? "one file" : "none");
	if (mix_parse_shares(test->mix, mix->asked, err))
		return -1;
	even_out(mix);
	if (reads_what_is_being_made(test, mix->shares, tasks))
		return error_input(err, "mix: with a stride (-N) files may be read (-e) while their task writes "
					"them; leave one of them out, or mix no creates and removes");
	return 0;
}

uint64_t mix_most_missing(uint64_t items)
{
	return items / 10 ? items / 10 : 1;
}

void mix_walk_start(struct mix_walk *walk, const struct mix *mix, uint64_t items, uint64_t seed)
{
	*walk = (struct mix_walk){
		.mix = mix,
		.items = items,
		.most_missing = mix_most_missing(items),
		.state = seed,
	};
}

/* S. Vigna's splitmix64, public domain. */
double mix_walk_draw(struct mix_walk *walk)
{
	uint64_t word = walk->state += UINT64_C(0x9e3779b97f4a7c15);

	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((word ^ word >> 31) >> 11) * 0x1p-53;
}

enum mix_kind mix_walk_choose(struct mix_walk *walk)
{
	const double *shares = walk->mix->shares;
	double drawn = mix_walk_draw(walk);
	enum mix_kind kind;

	if (drawn < shares[MIX_STAT])
		return MIX_STAT;
	drawn -= shares[MIX_STAT];
	if (drawn < shares[MIX_READ])
		return MIX_READ;
	if (shares[MIX_CREATE] <= 0) /* what rounding left */
		return shares[MIX_READ] > 0 ? MIX_READ : MIX_STAT;
	drawn -= shares[MIX_READ];
	kind = drawn < shares[MIX_CREATE] ? MIX_CREATE : MIX_REMOVE;
	if (!walk->missing)
		return MIX_REMOVE;
	return walk->missing >= walk->most_missing ? MIX_CREATE : kind;
}

uint64_t mix_walk_item(struct mix_walk *walk, enum mix_kind kind)
{
	uint64_t there = walk->items - walk->missing, item;

	switch (kind) {
	case MIX_CREATE:
		item = walk->tail + walk->items - walk->missing;
		break;
	case MIX_REMOVE:
		item = walk->tail;
		break;
	default:
		item = walk->tail + (uint64_t)(mix_walk_draw(walk) * (double)there);
		break;
	}
	return item % walk->items;
}

void mix_walk_done(struct mix_walk *walk, enum mix_kind kind)
{
	if (kind == MIX_CREATE) {
		walk->missing--;
	} else if (kind == MIX_REMOVE) {
		walk->missing++;
		walk->tail = walk->tail + 1 == walk->items ? 0 : walk->tail + 1;
	}
	if (walk->missing > walk->missing_so_far)
		walk->missing_so_far = walk->missing;
}
