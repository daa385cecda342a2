/* Every kind of damage is told with its place and its origin, and nothing else is. */
#include "content_scene.h"

enum { LENGTH = 256 * KIB, MOST = 2048 };

static const uint64_t base = 5 * (uint64_t)MIB; /* of what is looked at, in the file */

struct findings {
	struct content_damage ranges[MOST];
	unsigned count;
	uint64_t wrong;
};

static void note(void *context, const struct content_damage *damage)
{
	struct findings *findings = context;

	assert_true(findings->count < MOST);
	findings->ranges[findings->count++] = *damage;
}

static struct findings examine(const struct content *content, const char *bytes)
{
	static struct findings findings;
	char *right = make(content, base, LENGTH);
	uint64_t wrong = 0, told = 0;

	memset(&findings, 0, sizeof(findings));
	findings.wrong = content_examine(content, bytes, base, LENGTH, note, &findings);
	for (uint64_t i = 0; i < LENGTH; i++)
		wrong += bytes[i] != right[i];
	assert_int_equal(findings.wrong, wrong);
	for (unsigned i = 0; i < findings.count; i++) {
		const struct content_damage *damage = &findings.ranges[i];
		uint64_t shown = damage->length < 8 ? damage->length : 8;

		told += damage->wrong_bytes;
		assert_true(!i || damage->offset >= damage[-1].offset + damage[-1].length);
		assert_memory_equal(damage->found, bytes + damage->offset - base, shown);
		assert_memory_equal(damage->expected, right + damage->offset - base, shown);
		assert_true(damage->found[0] != damage->expected[0]);
	}
	assert_int_equal(told, wrong);
	free(right);
	return findings;
}

/* One range, which begins and ends within a few bytes (equal by chance) of where it was made. */
static struct content_damage only(const struct content *content, const char *bytes,
				  enum damage_kind kind, uint64_t at, uint64_t length)
{
	struct findings findings = examine(content, bytes);
	struct content_damage damage = findings.ranges[0];

	assert_int_equal(findings.count, 1);
	assert_int_equal(damage.kind, kind);
	assert_in_range(damage.offset, base + at, base + at + 4);
	assert_in_range(damage.offset + damage.length, base + at + length - 4, base + at + length);
	return damage;
}

static const enum content_kind kinds[] = {CONTENT_STAMPED, CONTENT_RANDOM};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Each test: the right bytes of both kinds of content, to be damaged. */
static void with_each(void (*test)(struct content *content, char *bytes))
{
	for (int i = 0; i < KINDS; i++) {
		struct content content = start(kinds[i]);
		char *bytes = make(&content, base, LENGTH);

		assert_int_equal(examine(&content, bytes).count, 0);
		test(&content, bytes);
		free(bytes);
		content_release(&content);
	}
}

#define EACH(name)                                                     \
	static void name##_with(struct content *content, char *bytes); \
	static void name(void **state)                                 \
	{                                                              \
		(void)state;                                           \
		with_each(name##_with);                                \
	}                                                              \
	static void name##_with(struct content *content, char *bytes)

EACH(each_of_a_thousand_flipped_bits_is_told)
{
	uint64_t random = 9, flipped = 0;
	char *was = malloc(LENGTH);

	memcpy(was, bytes, LENGTH);
	while (flipped < 1000) {
		uint64_t at = roll(&random, LENGTH);

		/* neighbours would be one range */
		if (was[at] != bytes[at] || (at && was[at - 1] != bytes[at - 1]) ||
		    (at + 1 < LENGTH && was[at + 1] != bytes[at + 1]))
			continue;
		bytes[at] ^= (char)(1 << roll(&random, 8));
		flipped++;
	}
	struct findings findings = examine(content, bytes);

	assert_int_equal(findings.count, 1000);
	assert_int_equal(findings.wrong, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(findings.ranges[i].kind, DAMAGE_BITS);
	free(was);
}

EACH(a_byte_that_became_zero_is_no_lost_write)
{
	bytes[1000] = bytes[1000] ? 0 : 1;
	only(content, bytes, DAMAGE_BITS, 1000, 1);
}

EACH(swapped_blocks_say_where_they_belong)
{
	char block[4096];

	memcpy(block, bytes + 8192, 4096);
	memcpy(bytes + 8192, bytes + 65536, 4096);
	memcpy(bytes + 65536, block, 4096);
	struct findings findings = examine(content, bytes);

	assert_int_equal(findings.count, 2);
	assert_int_equal(findings.ranges[0].kind, DAMAGE_MISPLACED);
	assert_int_equal(findings.ranges[0].origin.offset - findings.ranges[0].offset,
			 65536 - 8192);
	assert_int_equal(findings.ranges[1].kind, DAMAGE_MISPLACED);
	assert_int_equal(findings.ranges[1].offset - findings.ranges[1].origin.offset,
			 65536 - 8192);
	assert_in_range(findings.ranges[1].length, 4092, 4096);
}

EACH(another_files_data_names_the_file)
{
	struct content other = *content;
	struct content_damage damage;

	content_select(&other, 8, content->repetition);
	content_fill(&other, bytes + 20000, base + 20000, 47008);
	damage = only(content, bytes, DAMAGE_MISPLACED, 20000, 47008);
	assert_int_equal(damage.origin.file, 8);
	assert_int_equal(damage.origin.offset, damage.offset);
}

EACH(a_stale_repetition_is_named)
{
	struct content other = *content;
	struct content_damage damage;

	content_select(&other, content->file, 0);
	content_fill(&other, bytes + 47008, base + 47008, 47008);
	damage = only(content, bytes, DAMAGE_STALE, 47008, 47008);
	assert_int_equal(damage.origin.repetition, 0);
	assert_int_equal(damage.origin.file, content->file);
	assert_int_equal(damage.origin.offset, damage.offset);
}

EACH(another_run_is_told_by_its_seed)
{
	struct content other = start_as((struct content_setup){.kind = content->kind, .seed = 99});
	struct content_damage damage;

	content_fill(&other, bytes + 4096, base + 4096, 10000);
	damage = only(content, bytes, DAMAGE_OTHER_RUN, 4096, 10000);
	assert_int_equal(damage.origin.seed, 99);
	content_release(&other);
}

EACH(a_lost_write_is_zeros)
{
	memset(bytes + 47008, 0, 47008);
	only(content, bytes, DAMAGE_ZEROS, 47008, 47008);
}

EACH(a_zeroed_page_is_zeros)
{
	memset(bytes + 12288, 0, 4096);
	only(content, bytes, DAMAGE_ZEROS, 12288, 4096);
}

/* From `at` on the data of so many bytes before or behind. */
static void shift(const struct content *content, char *bytes, uint64_t at, uint64_t length,
		  int64_t by)
{
	content_fill(content, bytes + at, base + at - (uint64_t)by, length);
}

EACH(data_shifted_by_a_sector_or_any_bytes_is_told)
{
	static const int64_t distances[] = {512, -512, 1,    -1,    7,	  -13,
					    511, 513,  1000, -2048, 4095, 70001};
	static const uint64_t starts[] = {0, 4096, 47008, 5000};

	for (unsigned i = 0; i < 4; i++) {
		for (unsigned k = 0; k < sizeof(distances) / sizeof(distances[0]); k++) {
			struct content_damage damage;
			char *copy = malloc(LENGTH);

			memcpy(copy, bytes, LENGTH);
			shift(content, copy, starts[i], 32768, distances[k]);
			damage = only(content, copy, DAMAGE_SHIFTED, starts[i], 32768);
			assert_int_equal(damage.shift, distances[k]);
			assert_int_equal(damage.offset - damage.origin.offset, damage.shift);
			free(copy);
		}
	}
}

EACH(memory_that_was_not_read_into_is_told)
{
	content_spoil(bytes, LENGTH);
	struct findings findings = examine(content, bytes);

	for (unsigned i = 0; i < findings.count; i++)
		assert_int_equal(findings.ranges[i].kind, DAMAGE_SPOILT);
	/* whatever had been there before */
	memset(bytes, 0, LENGTH);
	content_spoil(bytes, LENGTH);
	only(content, bytes, DAMAGE_SPOILT, 0, LENGTH);
}

EACH(a_read_that_ended_early_is_told)
{
	char *right = make(content, base, LENGTH);

	memset(bytes, 0x5a, LENGTH);
	content_spoil(bytes, LENGTH);
	memcpy(bytes, right, 99840);
	only(content, bytes, DAMAGE_SPOILT, 99840, LENGTH - 99840);
	free(right);
}

EACH(foreign_bytes_are_random_damage)
{
	uint64_t random = 17;

	for (int i = 0; i < 3000; i++)
		bytes[70000 + i] = (char)roll(&random, 256);
	struct findings findings = examine(content, bytes);
	uint64_t last = findings.count - 1;

	assert_in_range(findings.ranges[0].offset, base + 70000, base + 70004);
	assert_in_range(findings.ranges[last].offset + findings.ranges[last].length, base + 72996,
			base + 73000);
	for (unsigned i = 0; i < findings.count; i++)
		assert_true(findings.ranges[i].kind == DAMAGE_RANDOM);
}

EACH(damage_of_several_kinds_side_by_side_is_told_apart)
{
	struct content other = *content;
	struct findings findings;

	content_select(&other, content->file, 0);
	bytes[4000] ^= 16;
	memset(bytes + 4096, 0, 4096);
	content_fill(&other, bytes + 8192, base + 8192, 4096);
	shift(content, bytes, 12288, 4096, 3);
	findings = examine(content, bytes);
	assert_int_equal(findings.count, 4);
	assert_int_equal(findings.ranges[0].kind, DAMAGE_BITS);
	assert_int_equal(findings.ranges[1].kind, DAMAGE_ZEROS);
	assert_int_equal(findings.ranges[2].kind, DAMAGE_STALE);
	assert_int_equal(findings.ranges[3].kind, DAMAGE_SHIFTED);
}

/* The bytes of a file of which every second 4 KiB are of a pass. */
static char *make_passes(const struct content *content, uint32_t pass)
{
	char *bytes = make(content, base, LENGTH);
	struct content other = *content;

	content_select(&other, content->file, CONTENT_PASSES + pass);
	for (uint64_t at = 0; at < LENGTH; at += 8 * KIB)
		content_fill(&other, bytes + at, base + at, 4 * KIB);
	return bytes;
}

EACH(any_repetition_is_right_where_that_is_asked_for)
{
	static const uint32_t from[] = {0, CONTENT_PASSES};
	char *mixed = make_passes(content, 5);
	struct findings findings = examine(content, mixed);

	(void)bytes;
	assert_int_equal(findings.count, LENGTH / (8 * KIB));
	assert_int_equal(findings.ranges[0].kind, DAMAGE_STALE);
	assert_false(content_check(content, mixed, base, LENGTH));
	for (unsigned i = 0; i < 2; i++) {
		memset(&findings, 0, sizeof(findings));
		content_select(content, content->file, content->repetition);
		content->accepts_from = from[i];
		assert_true(content_check(content, mixed, base, LENGTH));
		assert_int_equal(content_examine(content, mixed, base, LENGTH, note, &findings), 0);

		/* in the second sector of a pass, and a sector of a pass at another offset */
		mixed[700] ^= 1;
		memcpy(mixed + 8 * KIB, mixed + 16 * KIB, SECTOR);
		assert_false(content_check(content, mixed, base, LENGTH));
		content_examine(content, mixed, base, LENGTH, note, &findings);
		assert_int_equal(findings.count, 2);
		assert_int_equal(findings.ranges[0].kind, DAMAGE_BITS);
		assert_int_equal(findings.ranges[0].offset, base + 700);
		assert_int_equal(findings.ranges[1].kind, DAMAGE_MISPLACED);
		free(mixed);
		mixed = make_passes(content, 5);
	}
	/* data that a write must replace is never right */
	free(mixed);
	mixed = make_passes(content, CONTENT_PREFILL - CONTENT_PASSES);
	assert_false(content_check(content, mixed, base, LENGTH));
	free(mixed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_of_a_thousand_flipped_bits_is_told),
		cmocka_unit_test(a_byte_that_became_zero_is_no_lost_write),
		cmocka_unit_test(swapped_blocks_say_where_they_belong),
		cmocka_unit_test(another_files_data_names_the_file),
		cmocka_unit_test(a_stale_repetition_is_named),
		cmocka_unit_test(another_run_is_told_by_its_seed),
		cmocka_unit_test(a_lost_write_is_zeros),
		cmocka_unit_test(a_zeroed_page_is_zeros),
		cmocka_unit_test(data_shifted_by_a_sector_or_any_bytes_is_told),
		cmocka_unit_test(memory_that_was_not_read_into_is_told),
		cmocka_unit_test(a_read_that_ended_early_is_told),
		cmocka_unit_test(foreign_bytes_are_random_damage),
		cmocka_unit_test(any_repetition_is_right_where_that_is_asked_for),
		cmocka_unit_test(damage_of_several_kinds_side_by_side_is_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
