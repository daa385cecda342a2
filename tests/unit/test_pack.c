/* Memory made short for a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/pack.h"

enum { WORDS = 3000 };

static void assert_comes_back(const uint64_t *words, size_t count, size_t most)
{
	uint64_t back[WORDS];
	struct text packed = {0};

	memset(back, 0xab, sizeof(back));
	pack_words(&packed, words, count * 8);
	assert_true(packed.length <= most);
	assert_true(unpack_words(back, count * 8, packed.bytes, packed.length));
	assert_memory_equal(back, words, count * 8);
	text_release(&packed);
}

static void zeros_take_next_to_nothing(void **state)
{
	uint64_t words[WORDS] = {0};

	(void)state;
	assert_comes_back(words, WORDS, 3);
	words[0] = 1;
	words[WORDS - 1] = 127;
	assert_comes_back(words, WORDS, 5);
	words[1500] = UINT64_MAX;
	assert_comes_back(words, WORDS, 18);
	assert_comes_back(words, 0, 0);
}

static void any_words_come_back(void **state)
{
	uint64_t words[WORDS], seed = 5;

	(void)state;
	for (size_t i = 0; i < WORDS; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		words[i] = seed >> 60 < 8 ? 0 : seed >> (seed >> 8 & 63);
	}
	assert_comes_back(words, WORDS, WORDS * 10);
	for (size_t i = 0; i < WORDS; i++)
		words[i] = UINT64_MAX - i;
	assert_comes_back(words, WORDS, WORDS * 10);
}

static void what_is_cut_or_too_long_is_refused(void **state)
{
	uint64_t words[8] = {1, 0, 0, 300, UINT64_MAX, 0, 0, 0}, back[8];
	struct text packed = {0};

	(void)state;
	pack_words(&packed, words, sizeof(words));
	for (size_t length = 0; length < packed.length; length++)
		assert_false(unpack_words(back, sizeof(back), packed.bytes, length));
	assert_false(unpack_words(back, sizeof(back) - 8, packed.bytes, packed.length));
	assert_false(unpack_words(back, sizeof(back) - 48, packed.bytes, packed.length));
	assert_false(unpack_words(back, sizeof(back), "\0\0", 2));
	text_release(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeros_take_next_to_nothing),
		cmocka_unit_test(any_words_come_back),
		cmocka_unit_test(what_is_cut_or_too_long_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
