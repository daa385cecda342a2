/* Distributions of random accesses: what they draw, and what their parser says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "pattern/sampler.h"

static struct distribution parse(const char *text)
{
	struct distribution distribution = {0};
	struct error err = {0};

	if (distribution_parse(text, "distribution", &distribution, &err))
		fail_msg("%s", err.text);
	return distribution;
}

/* --- chi-squared ---------------------------------------------------------------------------- */

enum { CELLS = 200 };

/* Ranges of ranks that are visited alike, as far as single ranks allow. */
struct cells {
	unsigned count;
	uint64_t first[CELLS + 1]; /* of each cell, and the number of ranks */
	double expected[CELLS];
};

/* Corrections of the Euler-Maclaurin sum at one end: derivatives of x^-theta. */
static double corrections(double x, double theta)
{
	double first = theta / x, third = first * (theta + 1) / x * (theta + 2) / x;
	double fifth = third * (theta + 3) / x * (theta + 4) / x;

	return pow(x, -theta) * (0.5 - first / 12 + third / 720 - fifth / 30240);
}

/* The sum of k^-theta over k = 1 .. count, with a relative error below 10^-12. */
static double harmonic_number(uint64_t count, double theta)
{
	enum { DIRECT = 30 };
	const double power = 1 - theta, last = (double)count;
	double sum = 0, distance;

	for (uint64_t k = count < DIRECT ? count : DIRECT - 1; k > 0; k--)
		sum += pow((double)k, -theta);
	if (count < DIRECT)
		return sum;
	distance = log(last / DIRECT);
	sum += power != 0 ? pow(DIRECT, power) * expm1(power * distance) / power : distance;
	return sum + corrections(last, theta) + pow(DIRECT, -theta) - corrections(DIRECT, theta);
}

static double zones_below(const struct distribution *distribution, double share)
{
	const struct zone *zone = distribution->zone, *last = zone + distribution->zones - 1;
	double before = 0;

	while (zone < last && share >= zone->begin + zone->size)
		before = zone++->accesses;
	return before + (zone->accesses - before) * (share - zone->begin) / zone->size;
}

static double normal_below(double deviation, double share)
{
	const double scale = 1 / (deviation * sqrt(2));

	return 0.5 + 0.5 * erf((share - 0.5) * scale) / erf(0.5 * scale);
}

/* The share of all accesses that goes to ranks, or blocks, below `rank`. */
static double share_below(const struct sampler *sampler, uint64_t rank)
{
	const struct distribution *distribution = sampler->distribution;
	const double share = (double)rank / (double)sampler->count;

	switch (distribution->kind) {
	case DISTRIBUTION_ZIPF:
		return harmonic_number(rank, distribution->parameter) /
		       harmonic_number(sampler->count, distribution->parameter);
	case DISTRIBUTION_PARETO:
		return pow(share, 1 / sampler->power);
	case DISTRIBUTION_NORMAL:
		return normal_below(distribution->parameter, share);
	case DISTRIBUTION_ZONED:
	case DISTRIBUTION_HOT:
		return zones_below(distribution, share);
	default:
		return share;
	}
}

/* The first rank below which lies at least this share of the accesses. */
static uint64_t quantile(const struct sampler *sampler, double share)
{
	uint64_t low = 0, high = sampler->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (share_below(sampler, middle) >= share)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void cut_cells(struct cells *cells, const struct sampler *sampler, unsigned draws)
{
	double before = 0;

	*cells = (struct cells){0};
	for (unsigned i = 1; i <= CELLS; i++) {
		uint64_t end = i < CELLS ? quantile(sampler, (double)i / CELLS) : sampler->count;
		double below = share_below(sampler, end);

		/* So few draws are no sample: they go to the next cell. */
		if ((below - before) * draws < 20 && i < CELLS)
			continue;
		cells->expected[cells->count++] = (below - before) * draws;
		cells->first[cells->count] = end;
		before = below;
	}
	assert_true(fabs(before - 1) < 1e-9);
}

static unsigned cell_of(const struct cells *cells, uint64_t rank)
{
	unsigned low = 0, high = cells->count;

	while (low + 1 < high) {
		unsigned middle = (low + high) / 2;

		if (rank >= cells->first[middle])
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Five standard deviations: seeds are fixed, so a good sampler passes always. */
static void assert_drawn(const char *text, uint64_t count, unsigned draws)
{
	const struct distribution distribution = parse(text);
	double sum = 0, freedom, drawn[CELLS] = {0};
	struct sampler sampler;
	uint64_t state = count;
	struct cells cells;

	sampler_init(&sampler, &distribution, count, 1);
	cut_cells(&cells, &sampler, draws);
	for (unsigned i = 0; i < draws; i++) {
		uint64_t rank = sampler_draw_rank(&sampler, &state);

		assert_true(rank < count);
		drawn[cell_of(&cells, rank)]++;
	}
	for (unsigned i = 0; i < cells.count; i++) {
		double off = drawn[i] - cells.expected[i];

		sum += off * off / cells.expected[i];
	}
	freedom = cells.count - 1.0;
	if (fabs(sum - freedom) > 5 * sqrt(2 * freedom))
		fail_msg("%s over %lu blocks: chi-squared is %.1f with %.0f degrees of freedom",
			 text, (unsigned long)count, sum, freedom);
}

static const uint64_t counts[] = {1000, 1000003, UINT64_C(1000000000), UINT64_C(1000000000000)};

enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };

static void each_part_gets_its_share(void **state)
{
	static const char *const texts[] = {"uniform",	  "zipf:0.9",
					    "zipf:1",	  "zipf:1.2",
					    "pareto:0.2", "normal:10%",
					    "hot:90/10",  "zoned:60/10,30/20,10/70"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (size_t k = 0; k < COUNTS; k++)
			assert_drawn(texts[i], counts[k], 1000000);
}

static void unusual_parameters_are_drawn_as_well(void **state)
{
	static const char *const texts[] = {
		"zipf:0.01",	     "zipf:0.5",    "zipf:0.99",  "zipf:0.999999",
		"zipf:1.0000001",    "zipf:1.01",   "zipf:2",	  "zipf:7",
		"zipf:30",	     "pareto:0.01", "pareto:0.5", "pareto:0.9",
		"normal:0.1%",	     "normal:100%", "hot:50/0.1", "hot:100/50",
		"zoned:0/50,100/50",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (size_t k = 0; k < COUNTS; k++)
			assert_drawn(texts[i], counts[k], 50000);
}

/* --- single values -------------------------------------------------------------------------- */

static void assert_near(double value, double expected, double by)
{
	if (!(fabs(value - expected) <= by * fabs(expected)))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void harmonic_numbers_are_right(void **state)
{
	static const double thetas[] = {0.01, 0.5, 0.99, 1, 1 + 1e-9, 1.2, 3, 20, 100};
	static const double euler = 0.57721566490153286, zeta_half = -1.4603545088095868;

	(void)state;
	for (size_t i = 0; i < sizeof(thetas) / sizeof(thetas[0]); i++) {
		long double sum = 0;

		for (unsigned k = 1; k <= 100000; k++) {
			sum += powl(k, -(long double)thetas[i]);
			if (k < 300 || k % 9973 == 0)
				assert_near(harmonic_number(k, thetas[i]), (double)sum, 1e-13);
		}
	}
	assert_near(harmonic_number(1000000000000, 1), log(1e12) + euler + 0.5e-12, 1e-14);
	assert_near(harmonic_number(1000000000000, 2), M_PI * M_PI / 6 - 1e-12, 1e-14);
	assert_near(harmonic_number(1000000000000, 0.5), 2e6 + zeta_half + 0.5e-6, 1e-14);
	assert_true(harmonic_number(0, 1.2) == 0);
}

static void the_only_block_is_always_drawn(void **state)
{
	static const char *const texts[] = {"uniform",	     "zipf:0.5",   "zipf:1",
					    "zipf:100",	     "pareto:0.2", "normal:10%",
					    "zoned:100/100", "hot:90/10"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct distribution distribution = parse(texts[i]);
		struct sampler sampler;
		uint64_t random = i;

		sampler_init(&sampler, &distribution, 1, 1);
		for (unsigned k = 0; k < 1000; k++)
			assert_int_equal(sampler_draw(&sampler, &random), 0);
	}
}

/* Ranks are scattered by a bijection that follows from the seed alone; places are not scattered. */
static void ranks_are_scattered_and_places_are_not(void **state)
{
	enum { COUNT = 1000 };
	const struct distribution zipf = parse("zipf:1.2"), normal = parse("normal:10%");
	struct sampler sampler;
	bool seen[COUNT] = {false};

	(void)state;
	sampler_init(&sampler, &zipf, COUNT, 7);
	for (uint64_t rank = 0; rank < COUNT; rank++) {
		uint64_t block = order_at(&sampler.scatter, rank);

		assert_false(seen[block]);
		seen[block] = true;
	}
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t a = i, b = i;

		assert_int_equal(sampler_draw(&sampler, &a),
				 order_at(&sampler.scatter, sampler_draw_rank(&sampler, &b)));
	}
	sampler_init(&sampler, &normal, COUNT, 7);
	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t a = i, b = i;

		assert_int_equal(sampler_draw(&sampler, &a), sampler_draw_rank(&sampler, &b));
	}
}

static void equal_seeds_have_equal_hot_blocks(void **state)
{
	const struct distribution hot = parse("hot:100/1");
	struct sampler a, b, other;
	uint64_t random = 3, same = 0;

	(void)state;
	sampler_init(&a, &hot, 1000, 7);
	sampler_init(&b, &hot, 1000, 7);
	sampler_init(&other, &hot, 1000, 8);
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t block = sampler_draw(&a, &random);

		assert_true(order_index(&b.scatter, block) < 10);
		same += order_index(&other.scatter, block) < 10;
	}
	assert_true(same < 500);
}

/* --- parsing -------------------------------------------------------------------------------- */

static void what_is_written_is_understood(void **state)
{
	struct distribution distribution = parse("Every-Block");

	(void)state;
	assert_int_equal(distribution.kind, DISTRIBUTION_EVERY_BLOCK);
	distribution = parse("normal: 10 %");
	assert_true(fabs(distribution.parameter - 0.1) < 1e-15);
	distribution = parse("zoned: 60/10, 30%/20%, 10/70");
	assert_int_equal(distribution.zones, 3);
	assert_true(fabs(distribution.zone[1].accesses - 0.9) < 1e-15);
	assert_true(fabs(distribution.zone[2].begin - 0.3) < 1e-15);
	assert_int_equal(parse("hot:90/10").zones, 2);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"",
		 "distribution: \"\": there is no such distribution; write one of every_block, "
		 "uniform, zipf:1.2, pareto:0.2, normal:10%, zoned:60/10,30/20,10/70, hot:90/10"},
		{"zipff:1", "no such distribution (did you mean zipf?); write one of"},
		{"zipf", "distribution: \"zipf\": its parameter is missing; write it as zipf:1.2"},
		{"zipf:", "its parameter is missing"},
		{"zipf:0", "theta is above 0 and at most 100"},
		{"zipf:-1", "a plain decimal number must follow the colon"},
		{"zipf:nan", "a plain decimal number"},
		{"zipf:1e1", "a plain decimal number"},
		{"zipf:20%", "this parameter is no percentage"},
		{"pareto:1", "h lies between 0 and 1; write it as pareto:0.2"},
		{"normal:10", "the standard deviation is a percentage of the file"},
		{"normal:0%", "above 0 and at most 100 %; write it as normal:10%"},
		{"uniform:1", "it has no parameter; write it as uniform"},
		{"hot:90", "a zone is accesses/size, both in percent; write it as hot:90/10"},
		{"hot:5/10", "no smaller share of the accesses than of the file"},
		{"hot:90/100", "one pair accesses/size with a size below 100 %"},
		{"hot:60/10,40/90", "one pair accesses/size"},
		{"zoned:60/10,30/20",
		 "the accesses are not 100 % together; write it as zoned:60/10"},
		{"zoned:60/10,40/20", "the sizes are not 100 % together"},
		{"zoned:60/10,40/0", "a zone has a size above 0"},
		{"zoned:60/10,,40/90", "a zone is accesses/size"},
		{"zoned:1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,1/1,84/84",
		 "there are more than 16 zones"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct distribution distribution;
		struct error err = {0};

		assert_int_equal(
			distribution_parse(cases[i].text, "distribution", &distribution, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, cases[i].message))
			fail_msg("\"%s\": %s", cases[i].text, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_gets_its_share),
		cmocka_unit_test(unusual_parameters_are_drawn_as_well),
		cmocka_unit_test(harmonic_numbers_are_right),
		cmocka_unit_test(the_only_block_is_always_drawn),
		cmocka_unit_test(ranks_are_scattered_and_places_are_not),
		cmocka_unit_test(equal_seeds_have_equal_hot_blocks),
		cmocka_unit_test(what_is_written_is_understood),
		cmocka_unit_test(mistakes_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
