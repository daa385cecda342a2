/* What is written: the same bytes however they are asked for, none twice, each sector says whose.
 */
#include "content_scene.h"

static const enum content_kind kinds[] = {CONTENT_STAMPED, CONTENT_RANDOM};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Offset and length of a range somewhere in `whole` bytes, often at or near a sector's edge. */
static void choose(uint64_t *state, uint64_t whole, uint64_t *at, uint64_t *length)
{
	uint64_t grain = (uint64_t[]){1, 8, SECTOR, 4096}[roll(state, 4)];

	*at = roll(state, whole) / grain * grain;
	*length = 1 + roll(state, roll(state, 2) ? 1500 : whole);
	if (*length > whole - *at)
		*length = whole - *at;
}

/* All that can be asked for, with the data of IOR in transfers that fit no sector. */
static const struct content_setup setups[] = {
	{.kind = CONTENT_STAMPED},
	{.kind = CONTENT_RANDOM},
	{.kind = CONTENT_STAMPED, .compress = 0.5},
	{.kind = CONTENT_RANDOM, .compress = 0.33},
	{.kind = CONTENT_RANDOM, .compress = 0.9},
	{.kind = CONTENT_STAMPED, .dedup = 3, .dedup_block = 4096},
	{.kind = CONTENT_RANDOM, .dedup = 2, .dedup_block = 131584, .compress = 0.2},
	{.kind = CONTENT_ZEROS},
	{.kind = CONTENT_FILE, .file = "/proc/self/exe"},
	{.kind = CONTENT_IOR, .layout = {3, 3 * 47009, 47009, true}},
	{.kind = CONTENT_IOR_OFFSET, .layout = {1, 262144, 262144, false}},
};
enum { SETUPS = sizeof(setups) / sizeof(setups[0]) };

static void any_split_of_a_range_gives_the_same_bytes(void **state)
{
	const uint64_t base = (UINT64_C(1) << 40) + 7 * SECTOR, whole = 3 * MIB;
	uint64_t random = 5, at, length;
	char *piece = malloc(whole);

	(void)state;
	for (int i = 0; i < SETUPS; i++) {
		struct content content = start_as(setups[i]);
		char *all = make(&content, base, whole);

		for (int round = 0; round < 700; round++) {
			choose(&random, round % 10 ? 64 * KIB : whole, &at, &length);
			content_fill(&content, piece, base + at, length);
			assert_memory_equal(piece, all + at, length);
			assert_true(content_check(&content, all + at, base + at, length));
		}
		free(all);
		content_release(&content);
	}
	free(piece);
}

static void a_transfer_in_place_holds_the_same_bytes(void **state)
{
	enum { LENGTH = 47008 };
	struct content content = start(CONTENT_STAMPED);
	struct content_buffer buffer = {.room = content_room(LENGTH, true), .in_place = true};
	uint64_t random = 6;

	(void)state;
	buffer.bytes = aligned_alloc(4096, buffer.room);
	for (int round = 0; round < 2000; round++) {
		uint64_t grain = (uint64_t[]){1, SECTOR, 4096, LENGTH}[round % 4];
		uint64_t offset = roll(&random, 1 << 30) * grain,
			 length = 1 + roll(&random, LENGTH);
		char *put;

		content_select(&content, (uint32_t)round / 8, (uint32_t)round % 3);
		if (round == 1000)
			buffer.ready = false;
		content_buffer_prepare(&content, &buffer);
		put = content_put(&content, &buffer, offset, length);
		assert_int_equal((uintptr_t)put % 4096, offset % 4096);
		assert_true(put >= buffer.bytes && put + length <= buffer.bytes + buffer.room);
		assert_true(content_check(&content, put, offset, length));
	}
	free(buffer.bytes);
	content_release(&content);
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Two of 2^21 sectors that differ have the same one in 2^23 runs; the seed is always the same. */
static uint64_t hash(const char *sector)
{
	uint64_t h = 1, word;

	for (int i = 0; i < SECTOR; i += 8) {
		memcpy(&word, sector + i, 8);
		h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return h;
}

static void no_two_sectors_of_a_gibibyte_are_equal(void **state)
{
	enum { FILES = 4, EACH = 512 * KIB, AT_ONCE = 256 };
	uint64_t *hashes = malloc(FILES * EACH * sizeof(*hashes)), count = 0;
	char *bytes = malloc(AT_ONCE * SECTOR);

	(void)state;
	for (int i = 0; i < KINDS; i++, count = 0) {
		struct content content = start(kinds[i]);

		for (uint32_t file = 0; file < FILES; file++) {
			content_select(&content, file / 2, file % 2);
			for (uint64_t at = 0; at < EACH; at += AT_ONCE) {
				content_fill(&content, bytes, at * SECTOR, AT_ONCE * SECTOR);
				for (int k = 0; k < AT_ONCE; k++)
					hashes[count++] = hash(bytes + k * SECTOR);
			}
		}
		qsort(hashes, count, sizeof(*hashes), ascending);
		for (uint64_t k = 1; k < count; k++)
			assert_true(hashes[k] != hashes[k - 1]);
		content_release(&content);
	}
	free(bytes);
	free(hashes);
}

static void each_sector_says_whose_it_is(void **state)
{
	(void)state;
	for (int i = 0; i < KINDS; i++) {
		struct content content = start(kinds[i]);
		const uint64_t base = 123 * (uint64_t)MIB;
		char *bytes = make(&content, base, MIB);
		struct content_origin origin;

		for (uint64_t at = 0; at < MIB; at += SECTOR) {
			assert_true(content_learn(bytes + at, &origin));
			assert_int_equal(origin.seed, SEED);
			assert_int_equal(origin.offset, base + at);
			assert_int_equal(origin.file, 3);
			assert_int_equal(origin.repetition, 1);
			assert_false(content_learn(bytes + at + 8, &origin));
		}
		free(bytes);
		content_release(&content);
	}
}

/* The loops exist for several processors; this is the generator and the stamp in plain words. */
static void bytes_are_those_of_the_plain_definition(void **state)
{
	const uint64_t a0 = UINT64_C(0xc0ac29b7c97c50dd), b0 = UINT64_C(0x0801f2e2858efc16);
	struct content content = start(CONTENT_RANDOM);
	const uint64_t sector = 99;
	uint64_t h = stamp_fold(stamp_position(&content.stamper, sector)), a = h ^ a0, b = h + b0,
		 word;
	char *bytes = make(&content, sector * SECTOR, SECTOR);

	(void)state;
	for (int row = 0; row < 8; row++) {
		a += b;
		b = stamp_rotate(b, 23) ^ a;
		memcpy(&word, bytes + row * 64 + 6 * 8, 8);
		assert_int_equal(word, a);
	}
	memcpy(&word, bytes, 8);
	assert_int_equal(word, SEED ^ stamp_rotate(h, STAMP_ROTATE_SEED));
	memcpy(&word, bytes + 16, 8);
	assert_int_equal(word, (3 | UINT64_C(1) << 32) ^ stamp_rotate(h, STAMP_ROTATE_WHO));
	free(bytes);
	content_release(&content);
}

static void another_seed_gives_other_bytes_and_the_same_seed_the_same(void **state)
{
	(void)state;
	for (int i = 0; i < KINDS; i++) {
		struct content content = start(kinds[i]);
		char *bytes = make(&content, 0, 64 * KIB);

		content_reseed(&content, SEED + 1);
		assert_false(content_check(&content, bytes, 0, 64 * KIB));
		content_reseed(&content, SEED);
		assert_true(content_check(&content, bytes, 0, 64 * KIB));
		free(bytes);
		content_release(&content);
	}
}

static void any_wrong_bit_is_seen(void **state)
{
	(void)state;
	for (int i = 0; i < SETUPS; i++) {
		struct content content = start_as(setups[i]);
		char *bytes = make(&content, 100, 3000);

		for (int at = 0; at < 3000; at++) {
			bytes[at] ^= (char)(1 << at % 8);
			assert_false(content_check(&content, bytes, 100, 3000));
			bytes[at] ^= (char)(1 << at % 8);
		}
		assert_true(content_check(&content, bytes, 100, 3000));
		free(bytes);
		content_release(&content);
	}
}

static void what_was_not_read_never_passes(void **state)
{
	uint64_t random = 3;

	(void)state;
	for (int i = 0; i < SETUPS; i++) {
		struct content content = start_as(setups[i]);

		for (int round = 0; round < 300; round++) {
			uint64_t offset = roll(&random, MIB), length = 8 + roll(&random, 5000);
			char *bytes = make(&content, offset, length);

			content_spoil(bytes, length);
			assert_false(content_check(&content, bytes, offset, length));
			content_spoil(bytes, length);
			assert_false(content_check(&content, bytes, offset, length));
			free(bytes);
		}
		content_release(&content);
	}
}

static void a_share_of_every_sector_is_zeros(void **state)
{
	struct content content =
		start_as((struct content_setup){.kind = CONTENT_STAMPED, .compress = 0.5});
	char *bytes = make(&content, 0, 64 * KIB);
	struct content_origin origin;

	(void)state;
	for (int at = 0; at < 64 * KIB; at += SECTOR) {
		int zeros = 0;

		assert_true(content_learn(bytes + at, &origin));
		for (int i = SECTOR / 2; i < SECTOR; i++)
			zeros += !bytes[at + i];
		assert_int_equal(zeros, SECTOR / 2);
	}
	free(bytes);
	content_release(&content);
}

static void each_block_exists_so_often_and_no_others(void **state)
{
	const struct content_setup setup = {
		.kind = CONTENT_RANDOM, .dedup = 3, .dedup_block = 4096};
	enum { BLOCKS = 9 * 32, BLOCK = 4096 };
	struct content content = start_as(setup);
	char *bytes = make(&content, 0, BLOCKS * BLOCK);
	uint64_t hashes[BLOCKS];

	(void)state;
	for (int i = 0; i < BLOCKS; i++)
		hashes[i] = hash(bytes + i * BLOCK);
	qsort(hashes, BLOCKS, sizeof(*hashes), ascending);
	for (int i = 0; i < BLOCKS; i++)
		assert_true((hashes[i] == hashes[i - i % 3]) &&
			    (i < 3 || hashes[i] != hashes[i - 3]));
	assert_memory_equal(bytes, bytes + 32 * BLOCK, 32 * BLOCK);
	assert_memory_equal(bytes, bytes + 64 * BLOCK, 32 * BLOCK);
	free(bytes);
	content_release(&content);
}

static uint64_t word_at(const char *bytes, uint64_t i)
{
	uint64_t word;

	memcpy(&word, bytes + 8 * i, 8);
	return word;
}

static void words_of_ior_are_task_and_seed_anew_in_each_transfer(void **state)
{
	const struct content_layout shared = {4, 64 * KIB, 16 * KIB, true},
				    own = {4, 64 * KIB, 16 * KIB, false};
	struct content content =
		start_as((struct content_setup){.kind = CONTENT_IOR, .layout = shared});
	char *bytes = make(&content, 0, 1 * MIB);

	(void)state;
	for (uint64_t i = 0; i < MIB / 8; i++)
		assert_int_equal(word_at(bytes, i), (i / 8192 % 4) << 32 | (SEED + i % 2048));
	content.layout = own;
	content_fill(&content, bytes, 0, MIB);
	for (uint64_t i = 0; i < MIB / 8; i++)
		assert_int_equal(word_at(bytes, i), UINT64_C(3) << 32 | (SEED + i % 2048));
	free(bytes);
	content_release(&content);
}

static void words_of_ior_with_offsets_are_multiples_of_the_transfers(void **state)
{
	const struct content_layout shared = {4, 64 * KIB, 16 * KIB, true};
	struct content content =
		start_as((struct content_setup){.kind = CONTENT_IOR_OFFSET, .layout = shared});
	const uint64_t base = (UINT64_C(5) << 32) + 80 * KIB; /* task 1's second transfer */
	char *bytes = make(&content, base, 16 * KIB);

	(void)state;
	for (uint64_t i = 0; i < 2048; i++)
		assert_int_equal(word_at(bytes, i),
				 UINT64_C(1) << 32 |
					 (i % 512 ? SEED + i : 80 * KIB * (i / 512 + 1)));
	content_fill(&content, bytes, base + 8 * 500, 8 * 20);
	for (uint64_t i = 500; i < 520; i++)
		assert_int_equal(word_at(bytes, i - 500),
				 UINT64_C(1) << 32 |
					 (i % 512 ? SEED + i : 80 * KIB * (i / 512 + 1)));
	free(bytes);
	content_release(&content);
}

static void a_file_that_is_no_source_is_refused(void **state)
{
	static const char *const names[] = {"/nonexistent", "/", "/dev/null"};

	(void)state;
	for (int i = 0; i < 3; i++) {
		const struct content_setup setup = {.kind = CONTENT_FILE, .file = names[i]};
		struct content content;
		struct error err = {0};

		assert_int_equal(content_start(&content, &setup, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_non_null(strstr(err.text, names[i]));
		content_release(&content);
	}
}

static void files_of_iorx_are_recognised(void **state)
{
	struct content content = start(CONTENT_STAMPED);
	char *bytes = make(&content, 0, 64 * KIB), *container = calloc(1, 64 * KIB);

	(void)state;
	assert_true(content_recognise(bytes, STAMP_BYTES));
	assert_false(content_recognise(bytes, STAMP_BYTES - 1));
	assert_true(content_recognise(bytes + 5 * SECTOR, 4096));
	bytes[3] ^= 1;
	assert_false(content_recognise(bytes, 4096));
	assert_false(content_recognise(container, 64 * KIB));
	memcpy(container + 2049, bytes, 4096);
	assert_false(content_recognise_inside(container, 64 * KIB));
	memcpy(container, "CDF\x05", 4);
	assert_true(content_recognise_inside(container, 64 * KIB));
	free(container);
	free(bytes);
	content_release(&content);
}

static void data_in_files_of_other_programs_say_their_seed_and_no_maker(void **state)
{
	struct content content = start(CONTENT_STAMPED);
	struct content_origin origin;
	char *bytes;

	(void)state;
	content_reseed(&content, 7 | CONTENT_GUEST);
	bytes = make(&content, 0, 4096);
	assert_false(content_recognise(bytes, 4096));
	assert_true(content_learn(bytes, &origin));
	assert_int_equal(origin.seed, content.seed);
	free(bytes);
	content_release(&content);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_split_of_a_range_gives_the_same_bytes),
		cmocka_unit_test(a_transfer_in_place_holds_the_same_bytes),
		cmocka_unit_test(no_two_sectors_of_a_gibibyte_are_equal),
		cmocka_unit_test(each_sector_says_whose_it_is),
		cmocka_unit_test(bytes_are_those_of_the_plain_definition),
		cmocka_unit_test(another_seed_gives_other_bytes_and_the_same_seed_the_same),
		cmocka_unit_test(any_wrong_bit_is_seen),
		cmocka_unit_test(what_was_not_read_never_passes),
		cmocka_unit_test(a_share_of_every_sector_is_zeros),
		cmocka_unit_test(each_block_exists_so_often_and_no_others),
		cmocka_unit_test(words_of_ior_are_task_and_seed_anew_in_each_transfer),
		cmocka_unit_test(words_of_ior_with_offsets_are_multiples_of_the_transfers),
		cmocka_unit_test(a_file_that_is_no_source_is_refused),
		cmocka_unit_test(files_of_iorx_are_recognised),
		cmocka_unit_test(data_in_files_of_other_programs_say_their_seed_and_no_maker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
