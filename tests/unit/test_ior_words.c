/* Which files are recognised as IOR's data, and which numbers of users are not. */
#include "content_scene.h"
#include "content/ior_words.h"

#define NOW UINT64_C(1790000000)

enum { PLACE = 4096 };

static bool recognise(const char *bytes, uint64_t length, uint64_t written_s)
{
	struct ior_words words;

	if (!ior_words_begin(&words, bytes, PLACE))
		return false;
	for (uint64_t at = 0; at < length; at += PLACE)
		if (!ior_words_fit(&words, at, bytes + at,
				   length - at < PLACE ? length - at : PLACE))
			return false;
	return ior_words_prove(&words, length / 8, written_s);
}

/* What IOR makes of a task's file; the caller frees it. */
static char *make_words(enum content_kind kind, uint64_t seed, struct content_layout layout,
			uint32_t task, uint64_t length)
{
	struct content content = start_as((struct content_setup){.kind = kind, .layout = layout});
	char *bytes = malloc(length);

	content_reseed(&content, seed);
	content_select(&content, task, 0);
	content_fill(&content, bytes, 0, length);
	content_release(&content);
	return bytes;
}

static void data_of_any_layout_are_recognised(void **state)
{
	static const struct {
		struct content_layout layout;
		uint32_t task;
		uint64_t seed, length;
	} files[] = {
		{{4, 64 * KIB, 4 * KIB, true}, 0, NOW, 512 * KIB},
		{{4, 64 * KIB, 64 * KIB, true}, 0, 0, 256 * KIB},
		{{2, 47008, 47008, true}, 0, 271, 47008 * 20},
		{{2, 512, 512, true}, 0, NOW, 64 * KIB},
		{{4, 64 * KIB, 8 * KIB, false}, 0, 27, 64 * KIB},
		{{4, 64 * KIB, 8 * KIB, false}, 3, 0, 64 * KIB},
		{{1, 64 * KIB, 64 * KIB, true}, 0, NOW, 64 * KIB},
		{{4, 64 * KIB, 64 * KIB, false}, 3, NOW, 64 * KIB},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		for (int kind = CONTENT_IOR; kind <= CONTENT_IOR_OFFSET; kind++) {
			char *bytes = make_words((enum content_kind)kind, files[i].seed,
						 files[i].layout, files[i].task, files[i].length);

			if (!recognise(bytes, files[i].length, NOW + 60))
				fail_msg("file %zu, kind %d", i, kind);
			/* A hole of a write that was cut. */
			memset(bytes + PLACE, 0, PLACE);
			assert_true(recognise(bytes, files[i].length, NOW + 60));
			/* A letter in it. */
			bytes[files[i].length - 100] ^= 1;
			assert_false(recognise(bytes, files[i].length, NOW + 60));
			free(bytes);
		}
	}
}

/* Counts from `first` on and begins anew after `period` numbers. */
static bool recognise_numbers(uint64_t first, uint64_t period, uint64_t written_s)
{
	enum { COUNT = 8192 };
	uint64_t *numbers = malloc(COUNT * sizeof(*numbers));
	bool is_recognised;

	for (uint64_t i = 0; i < COUNT; i++)
		numbers[i] = first + i % period;
	is_recognised = recognise((char *)numbers, COUNT * sizeof(*numbers), written_s);
	free(numbers);
	return is_recognised;
}

static void numbers_of_users_are_not(void **state)
{
	const uint64_t never = UINT64_MAX;

	(void)state;
	assert_false(recognise_numbers(0, 1, NOW));	/* zeros */
	assert_false(recognise_numbers(7, 1, NOW));	/* one number */
	assert_false(recognise_numbers(0, never, NOW)); /* indices */
	assert_false(recognise_numbers(0, 1024, NOW));	/* of a table */
	assert_false(recognise_numbers(1, 1024, NOW));
	assert_false(recognise_numbers(27, never, NOW));
	assert_false(recognise_numbers(1950, 101, NOW));	  /* years */
	assert_false(recognise_numbers(NOW, never, NOW + 8191));  /* a log of each second */
	assert_false(recognise_numbers(NOW, never, NOW - 1));	  /* a forecast */
	assert_false(recognise_numbers(NOW - 864000, 1024, NOW)); /* times of several series */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_of_any_layout_are_recognised),
		cmocka_unit_test(numbers_of_users_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
