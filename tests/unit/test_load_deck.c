/* Shares dealt from a deck, and sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "pattern/deck.h"
#include "plan/load/sizes.h"

static const char *const names[] = {"read", "write", "read_file"};

enum { KINDS = 3 };

static struct deck parse(const char *text)
{
	struct error err = {0};
	struct deck deck;

	if (deck_parse_shares(text, "operations", names, KINDS, &deck, &err))
		fail_msg("%s", err.text);
	return deck;
}

static void assert_cards(const char *text, unsigned a, unsigned b, unsigned c)
{
	struct deck deck = parse(text);

	assert_int_equal(deck.cards[0], a);
	assert_int_equal(deck.cards[1], b);
	assert_int_equal(deck.cards[2], c);
}

static void shares_become_a_thousand_cards(void **state)
{
	(void)state;
	assert_cards("read:70, write:30", 700, 300, 0);
	assert_cards("read:70%,write:30%", 700, 300, 0);
	assert_cards(" Write : 3 ,read: 1 ", 250, 750, 0);
	assert_cards("read:1,write:1,read_file:1", 334, 333, 333);
	assert_cards("read:99.9,write:0.1", 999, 1, 0);
	assert_cards("read:99.94,write:0.06", 999, 1, 0);
	assert_cards("read:1,write:0", 1000, 0, 0);
	assert_cards("readfile:2,", 0, 0, 1000);
	assert_cards(" write ", 0, 1000, 0);
	assert_int_equal(parse("write:5").single, 1);
	assert_int_equal(parse("read:5,write:1").single, -1);
}

static void assert_deals_shares(const struct deck *deck, uint64_t seed)
{
	struct dealer dealer;

	dealer_start(&dealer, deck, seed);
	for (unsigned i = 0; i < 20; i++) {
		unsigned dealt[KINDS] = {0};

		for (unsigned k = 0; k < DECK_CARDS; k++) {
			unsigned kind = dealer_next(&dealer);

			assert_int_equal(kind, dealer_card(&dealer, i * DECK_CARDS + k));
			dealt[kind]++;
		}
		for (unsigned k = 0; k < KINDS; k++)
			assert_int_equal(dealt[k], deck->cards[k]);
	}
}

static void every_thousand_cards_have_the_shares(void **state)
{
	static const char *const texts[] = {"read:70,write:30", "read:999,write:1", "write:1",
					    "read:1,write:1,read_file:1"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct deck deck = parse(texts[i]);

		for (uint64_t seed = 0; seed < 20; seed++)
			assert_deals_shares(&deck, seed);
	}
}

/* Any card may be dealt at any place, whatever was dealt before. */
static void cards_are_well_shuffled(void **state)
{
	enum { DECKS = 10000, PLACES = 1000 };
	struct deck deck = parse("read:70,write:30");
	static unsigned writes[PLACES];
	double sum = 0, pairs = 0, expected = DECKS * 0.3, variance = DECKS * 0.3 * 0.7;
	struct dealer dealer;
	unsigned last = 0;

	(void)state;
	dealer_start(&dealer, &deck, 5);
	for (unsigned i = 0; i < DECKS; i++)
		for (unsigned k = 0; k < PLACES; k++) {
			unsigned kind = dealer_next(&dealer);

			writes[k] += kind;
			pairs += k && kind && last;
			last = kind;
		}
	for (unsigned k = 0; k < PLACES; k++)
		sum += (writes[k] - expected) * (writes[k] - expected) / variance;
	assert_true(sum > 1000 - 5 * 44.7 && sum < 1000 + 5 * 44.7);
	/* two neighbours are both writes: 0.3 * 299 / 999 */
	expected = DECKS * 999.0 * 0.3 * 299 / 999;
	assert_true(pairs > expected * 0.998 && pairs < expected * 1.002);
}

static void mistakes_in_shares_are_named(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"",
		 "operations: \"\": the shares have no positive sum at \"\"; write a list such as "
		 "read:70,write:30; the names are read, write, read_file"},
		{"read:0", "the shares have no positive sum"},
		{"wriet:1", "there is no such name (did you mean write?) at \"wriet:1\""},
		{"read:1,stat:2", "there is no such name at \"stat:2\""},
		{"read,write:1", "a colon and a share must follow the name at \"read,write:1\""},
		{"read:,write:1", "a colon and a share must follow the name at \"read:,write:1\""},
		{"read=70", "there is no such name"},
		{"read:1,read:2", "the name stands twice, at \"read:2\""},
		{"read:-1", "the share is no plain decimal number from 0 on at \"read:-1\""},
		{"read:inf", "no plain decimal number"},
		{"read:1 2", "no plain decimal number"},
		{"read:1,,write:1", "there is no such name at \",write:1\""},
		{"read:9999,write:1",
		 "the share of write is below one in 1000; raise it, or run it as"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {0};
		struct deck deck;

		assert_int_equal(deck_parse_shares(cases[i].text, "operations", names, KINDS, &deck,
						   &err),
				 -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, cases[i].message))
			fail_msg("\"%s\": %s", cases[i].text, err.text);
	}
}

static void sizes_have_units_and_shares(void **state)
{
	struct error err = {0};
	struct sizes sizes;

	(void)state;
	assert_int_equal(sizes_parse("4k", "sizes", &sizes, &err), 0);
	assert_int_equal(sizes.count, 1);
	assert_int_equal(sizes.smallest, 4096);
	assert_int_equal(sizes.largest, 4096);
	assert_true(sizes.mean > 4095.9 && sizes.mean < 4096.1);
	assert_int_equal(sizes_parse("4k/40, 6KiB/30%, 1M/30, 3/0", "sizes", &sizes, &err), 0);
	assert_int_equal(sizes.count, 4);
	assert_int_equal(sizes.smallest, 4096);
	assert_int_equal(sizes.largest, 1 << 20);
	assert_int_equal(sizes.divisor, 2048);
	assert_int_equal(sizes.deck.cards[0], 400);
	assert_int_equal(sizes.deck.cards[3], 0);
	assert_true(sizes.mean > 318054.3 && sizes.mean < 318054.5);
}

static void mistakes_in_sizes_are_named(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "read_sizes: \"\": the shares have no positive sum at \"\"; write one size, "
		     "as 4k, "
		     "or sizes with shares, as 4k/40,16k/30,64k/30"},
		{"4q", "there is no size at \"4q\""},
		{"0", "a transfer has at least one byte, at \"0\""},
		{"4k,8k", "a slash and a share must follow each of several sizes at \"4k,8k\""},
		{"4k/1,4096/1", "the size stands twice, at \"4096/1\""},
		{"4k/x", "the share is no plain decimal number from 0 on at \"4k/x\""},
		{"4k/9999,8k/1",
		 "the share of 8KiB is below one in 1000; raise it or leave it out"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {0};
		struct sizes sizes;

		assert_int_equal(sizes_parse(cases[i].text, "read_sizes", &sizes, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, cases[i].message))
			fail_msg("\"%s\": %s", cases[i].text, err.text);
	}
}

/* With two kinds the third name is none. */
static void names_behind_the_last_kind_are_not_known(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"read_file:1", "there is no such name at"},
		{"read_fil:1", "there is no such name at"},
		{"writ:1", "there is no such name (did you mean write?) at"},
		{"read:0", "the shares have no positive sum at"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {0};
		char wanted[200];
		double weights[KINDS];

		assert_int_equal(deck_parse_weights(cases[i].text, "mix", names, 2, weights, &err),
				 -1);
		snprintf(wanted, sizeof(wanted),
			 "mix: \"%s\": %s \"%s\"; write a list such as read:70,write:30; the names "
			 "are read, write",
			 cases[i].text, cases[i].why, cases[i].text);
		assert_string_equal(err.text, wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_become_a_thousand_cards),
		cmocka_unit_test(every_thousand_cards_have_the_shares),
		cmocka_unit_test(cards_are_well_shuffled),
		cmocka_unit_test(mistakes_in_shares_are_named),
		cmocka_unit_test(sizes_have_units_and_shares),
		cmocka_unit_test(mistakes_in_sizes_are_named),
		cmocka_unit_test(names_behind_the_last_kind_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
