/* Shares of kinds, dealt from a shuffled deck. */
#include "pattern/deck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "pattern/pairs.h"

/* --- making a deck -------------------------------------------------------------------------- */

/* The kind whose share lost most by rounding down; `kinds` if none lost anything. */
static unsigned next_remainder(double *remainders, unsigned kinds)
{
	unsigned most = 0;

	for (unsigned i = 1; i < kinds; i++)
		if (remainders[i] > remainders[most])
			most = i;
	return most;
}

static void fill_cards(struct deck *deck)
{
	unsigned card = 0;

	deck->single = -1;
	for (unsigned kind = 0; kind < deck->kinds; kind++) {
		if (deck->cards[kind] == DECK_CARDS)
			deck->single = (int)kind;
		memset(deck->of_card + card, (int)kind, deck->cards[kind]);
		card += deck->cards[kind];
	}
}

int deck_make(struct deck *deck, const double *weights, unsigned kinds)
{
	double sum = 0, remainders[DECK_KINDS];
	unsigned cards = 0;

	*deck = (struct deck){.kinds = kinds};
	for (unsigned i = 0; i < kinds; i++)
		sum += weights[i];
	if (!(sum > 0) || !isfinite(sum))
		return -1;
	for (unsigned i = 0; i < kinds; i++) {
		double exact = weights[i] / sum * DECK_CARDS;

		deck->cards[i] = (uint16_t)exact;
		remainders[i] = exact - deck->cards[i];
		cards += deck->cards[i];
	}
	for (; cards < DECK_CARDS; cards++) {
		unsigned most = next_remainder(remainders, kinds);

		deck->cards[most]++;
		remainders[most] -= 1;
	}
	fill_cards(deck);
	for (unsigned i = 0; i < kinds; i++)
		if (weights[i] > 0 && !deck->cards[i])
			return (int)i;
	return (int)kinds;
}

void deck_make_two(struct deck *deck, double share)
{
	*deck = (struct deck){.kinds = 2};
	deck->cards[1] = (uint16_t)lrint(share * DECK_CARDS);
	deck->cards[0] = DECK_CARDS - deck->cards[1];
	fill_cards(deck);
}

/* --- parsing -------------------------------------------------------------------------------- */

/* A list of shares, and what is said of mistakes in it. */
struct shares {
	const char *text, *key;
	const char *const *names;
	unsigned kinds;
	double *weights; /* NAN: not named */
};

/* at: the place of the mistake. */
static int deck_refuse(const struct shares *shares, const char *at, const char *why,
		       struct error *err)
{
	struct text known = {0};

	for (unsigned i = 0; i < shares->kinds; i++)
		text_add(&known, "%s%s", i ? ", " : "", shares->names[i]);
	error_input(err,
		    "%s: \"%.100s\": %.100s at \"%.40s\"; write a list such as "
		    "%s:70,%s:30; the names are %.200s",
		    shares->key, shares->text, why, at, shares->names[0], shares->names[1],
		    text_string(&known));
	text_release(&known);
	return -1;
}

static int refuse_name(const struct shares *shares, const struct pair *pair, struct error *err)
{
	enum { NEAR = 2 };
	struct text why = {0};

	text_add(&why, "there is no such name");
	for (unsigned i = 0; i < shares->kinds; i++)
		if (strlen(pair->left) > NEAR &&
		    text_distance(pair->left, shares->names[i], NEAR) <= NEAR) {
			text_add(&why, " (did you mean %s?)", shares->names[i]);
			break;
		}
	deck_refuse(shares, pair->at, text_string(&why), err);
	text_release(&why);
	return -1;
}

static int deck_parse_share(struct shares *shares, const struct pair *pair, struct error *err)
{
	unsigned kind = 0;

	while (kind < shares->kinds && !text_same_key(pair->left, shares->names[kind]))
		kind++;
	if (kind == shares->kinds || pair->cut)
		return refuse_name(shares, pair, err);
	if (!pair->complete)
		return deck_refuse(shares, pair->at, "a colon and a share must follow the name",
				   err);
	if (!isnan(shares->weights[kind]))
		return deck_refuse(shares, pair->at, "the name stands twice,", err);
	if (pair_parse_share(pair->right, &shares->weights[kind]))
		return deck_refuse(shares, pair->at,
				   "the share is no plain decimal number from 0 on", err);
	return 0;
}

int deck_parse_weights(const char *text, const char *key, const char *const *names, unsigned kinds,
		       double *weights, struct error *err)
{
	struct shares shares = {text, key, names, kinds, weights};
	const char *rest = text;
	const bool alone = !strpbrk(text, ",:");
	struct pair pair;
	double sum = 0;

	for (unsigned i = 0; i < kinds; i++)
		weights[i] = NAN;
	while (pair_next(&rest, ':', &pair)) {
		if (alone && *pair.left) {
			strcpy(pair.right, "1");
			pair.complete = true;
		}
		if (deck_parse_share(&shares, &pair, err))
			return -1;
	}
	for (unsigned i = 0; i < kinds; i++) {
		weights[i] = isnan(weights[i]) ? 0 : weights[i];
		sum += weights[i];
	}
	if (sum > 0 && isfinite(sum))
		return 0;
	return deck_refuse(&shares, text, "the shares have no positive sum", err);
}

int deck_parse_shares(const char *text, const char *key, const char *const *names, unsigned kinds,
		      struct deck *deck, struct error *err)
{
	double weights[DECK_KINDS];
	int small;

	if (deck_parse_weights(text, key, names, kinds, weights, err))
		return -1;
	small = deck_make(deck, weights, kinds);
	if (small < (int)kinds)
		return error_input(
			err,
			"%s: \"%.100s\": the share of %s is below one in %d; raise it, or run "
			"it as a load of its own beside this one",
			key, text, names[small], DECK_CARDS);
	return 0;
}

/* --- dealing -------------------------------------------------------------------------------- */

void dealer_start(struct dealer *dealer, const struct deck *deck, uint64_t seed)
{
	*dealer = (struct dealer){.deck = deck, .single = deck->single, .seed = seed};
}

void dealer_refill(struct dealer *dealer)
{
	uint64_t numbers[ORDER_BATCH], index = dealer->dealt % DECK_CARDS;
	uint64_t left = DECK_CARDS - index;

	if (!index)
		order_init(&dealer->order, DECK_CARDS,
			   order_seed(dealer->seed, dealer->dealt / DECK_CARDS));
	order_batch(&dealer->order, index, numbers);
	dealer->at = 0;
	dealer->ready = (uint8_t)(left < ORDER_BATCH ? left : ORDER_BATCH);
	dealer->dealt += dealer->ready;
	for (unsigned i = 0; i < dealer->ready; i++)
		dealer->batch[i] = dealer->deck->of_card[numbers[i]];
}

unsigned dealer_card(const struct dealer *dealer, uint64_t index)
{
	struct order order;

	if (dealer->single >= 0)
		return (unsigned)dealer->single;
	order_init(&order, DECK_CARDS, order_seed(dealer->seed, index / DECK_CARDS));
	return dealer->deck->of_card[order_at(&order, index % DECK_CARDS)];
}
