/*
 * Shares that are exact: kinds are dealt from a deck of 1000 cards, shuffled anew for every 1000.
 * Drawn one by one, a kind with a share of 1 % would miss its share by 10 % (a standard deviation)
 * in 10000 operations. Pure arithmetic; the same seed deals the same cards on every machine.
 */
#ifndef PATTERN_DECK_H
#define PATTERN_DECK_H

#include <stdint.h>

#include "base/error.h"
#include "pattern/order.h"

enum { DECK_CARDS = 1000, DECK_KINDS = 32 };

/* Kinds are numbers from 0 on, with a meaning for the caller. Immutable once made. */
struct deck {
	unsigned kinds;
	uint16_t cards[DECK_KINDS];  /* of each kind; together DECK_CARDS */
	uint8_t of_card[DECK_CARDS]; /* the kind of each card, in order of the kinds */
	int single;		     /* the only kind that has cards, or -1 */
};

/*
 * Parses shares such as "read:70, write:30" of `kinds` kinds with these names: any numbers from 0
 * on, scaled to 1000 cards by the method of largest remainders. A kind that is not named has no
 * share, and a single name without a share has all. key: the option, which begins the error's
 * text. Returns 0, or -1 with ERROR_INPUT, which shows the place and names what is known. A share
 * too small for a card is an error.
 */
int deck_parse_shares(const char *text, const char *key, const char *const *names, unsigned kinds,
		      struct deck *deck, struct error *err);

/*
 * The same without the deck: sets the weights of `kinds` kinds, 0 where none is given, whose sum is
 * positive.
 */
int deck_parse_weights(const char *text, const char *key, const char *const *names, unsigned kinds,
		       double *weights, struct error *err);

/*
 * Makes a deck of weights from 0 on. Returns -1 if they have no positive sum, else the number of a
 * kind whose weight is positive but too small for a card, or `kinds` if all is well.
 */
int deck_make(struct deck *deck, const double *weights, unsigned kinds);

/* A deck of two kinds: 1 with this share (0 .. 1, rounded to a thousandth), 0 with the rest. */
void deck_make_two(struct deck *deck, double share);

static inline double deck_share(const struct deck *deck, unsigned kind)
{
	return (double)deck->cards[kind] / DECK_CARDS;
}

/* Deals the cards of a deck to one task, again and again. */
struct dealer {
	const struct deck *deck; /* of the caller; it must stay */
	int single;		 /* of the deck */
	uint64_t seed;
	uint64_t dealt;	    /* cards so far */
	struct order order; /* of the cards in this deck */
	uint8_t at, ready;  /* the next card in the batch, and how many the batch has */
	uint8_t batch[ORDER_BATCH];
};

/* Card i of the dealer is a function of the deck, the seed and i alone. */
void dealer_start(struct dealer *dealer, const struct deck *deck, uint64_t seed);
void dealer_refill(struct dealer *dealer); /* for dealer_next() only */

/*
 * The kind of the next card. Cards are dealt in batches of ORDER_BATCH, as a whole deck at once
 * would delay one operation in a thousand by microseconds.
 */
static inline unsigned dealer_next(struct dealer *dealer)
{
	if (dealer->single >= 0)
		return (unsigned)dealer->single;
	if (__builtin_expect(dealer->at == dealer->ready, 0))
		dealer_refill(dealer);
	return dealer->batch[dealer->at++];
}

/* The kind of card `index`, counted from 0, whatever was dealt so far. Some 100 ns. */
unsigned dealer_card(const struct dealer *dealer, uint64_t index);

#endif
