/* Sizes of transfers with shares. */
#include "plan/load/sizes.h"

#include <string.h>

#include "base/units.h"
#include "pattern/pairs.h"

static int sizes_refuse(const char *text, const char *key, const char *at, const char *why,
			struct error *err)
{
	return error_input(err,
			   "%s: \"%.100s\": %s at \"%.40s\"; write one size, as 4k, or sizes with "
			   "shares, as 4k/40,16k/30,64k/30",
			   key, text, why, at);
}

/* Adds one size and its share; returns NULL, or why it is refused. */
static const char *add_size(struct sizes *sizes, double *weights, const struct pair *pair)
{
	struct error ignored;
	uint64_t bytes;

	if (sizes->count == DECK_KINDS)
		return "there are more than 32 sizes";
	if (pair->cut || units_parse_size(pair->left, &bytes, &ignored))
		return "there is no size";
	if (!bytes)
		return "a transfer has at least one byte,";
	for (unsigned i = 0; i < sizes->count; i++)
		if (sizes->bytes[i] == bytes)
			return "the size stands twice,";
	if (!*pair->right)
		return "a slash and a share must follow each of several sizes";
	if (pair_parse_share(pair->right, &weights[sizes->count]))
		return "the share is no plain decimal number from 0 on";
	sizes->bytes[sizes->count++] = bytes;
	return NULL;
}

uint64_t sizes_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Sizes without a card are never moved and so do not count. */
static void summarise(struct sizes *sizes)
{
	sizes->smallest = UINT64_MAX;
	for (unsigned i = 0; i < sizes->count; i++) {
		uint64_t bytes = sizes->bytes[i];

		if (!sizes->deck.cards[i])
			continue;
		if (bytes < sizes->smallest)
			sizes->smallest = bytes;
		if (bytes > sizes->largest)
			sizes->largest = bytes;
		sizes->divisor = sizes_common_divisor(sizes->divisor, bytes);
		sizes->mean += (double)bytes * deck_share(&sizes->deck, i);
	}
}

int sizes_parse(const char *text, const char *key, struct sizes *sizes, struct error *err)
{
	double weights[DECK_KINDS] = {0};
	const char *rest = text;
	bool alone = !strpbrk(text, ",/");
	struct pair pair;
	char small_size[32];
	int small;

	*sizes = (struct sizes){.count = 0};
	while (pair_next(&rest, '/', &pair)) {
		if (alone)
			strcpy(pair.right, "1");
		const char *why = add_size(sizes, weights, &pair);
		if (why)
			return sizes_refuse(text, key, pair.at, why, err);
	}
	small = deck_make(&sizes->deck, weights, sizes->count);
	if (small < 0)
		return sizes_refuse(text, key, text, "the shares have no positive sum", err);
	if (small < (int)sizes->count) {
		units_format_size(sizes->bytes[small], small_size, sizeof(small_size));
		return error_input(
			err,
			"%s: \"%.100s\": the share of %s is below one in %d; raise it or "
			"leave it out",
			key, text, small_size, DECK_CARDS);
	}
	summarise(sizes);
	return 0;
}
