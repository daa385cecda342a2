/* Limits: how speeds are written, what a limit allows, and the table of a lecture on rates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "court.h"

static void speeds_are_decimal_unless_they_say_otherwise(void **state)
{
	static const struct {
		const char *text;
		double bytes;
		const char *shown;
	} speeds[] = {
		{"1100MiB/s", 1100. * 1048576, "1100MiB/s"},
		{"1100miB", 1100. * 1048576, "1100MiB/s"},
		{"12.5GB/s", 12.5e9, "12.5GB/s"},
		{"100Gbit/s", 12.5e9, "12.5GB/s"},
		{"40Gbit", 5e9, "5GB/s"},
		{"2TB/s", 2e12, "2000GB/s"},
		{"64kB/s", 64e3, "62.5KiB/s"},
		{"1000", 1000, "1kB/s"},
		{"0.5MiB/s", 524288, "512KiB/s"},
		{"10G/s", 1e10, "10GB/s"},
		{"10Gbytes/s", 1e10, "10GB/s"},
		{"8Mibit/s", 1048576, "1MiB/s"},
		{"0", 0, "0"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		struct error err = {0};
		double bytes, again;
		char shown[40];

		assert_int_equal(units_parse_speed(speeds[i].text, &bytes, &err), 0);
		assert_true(bytes == speeds[i].bytes);
		assert_string_equal(units_format_speed(bytes, shown, sizeof(shown)),
				    speeds[i].shown);
		assert_int_equal(units_parse_speed(shown, &again, &err), 0);
		assert_true(again == bytes);
	}
}

static void units_that_may_mean_bits_or_bytes_are_refused(void **state)
{
	static const char *const texts[] = {"100G",   "100Gb/x", "100Gbps", "12.5g",
					    "",	      "fast",	 "-1MB/s",  "1MB/s/s",
					    "1 MB/s", "1MB/min", "1e9",	    "1.2.3MB"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct error err = {0};
		double bytes;

		assert_int_equal(units_parse_speed(texts[i], &bytes, &err), -1);
		assert_non_null(strstr(err.text, "write for example 1100MiB/s"));
	}
}

static void a_small_b_is_refused_and_both_meanings_are_shown(void **state)
{
	struct error err = {0};
	uint64_t bytes;
	double speed;

	(void)state;
	assert_int_equal(units_parse_speed("10Gb/s", &speed, &err), -1);
	assert_string_equal(err.text, "\"10Gb/s\" may mean bits or bytes; write 10Gbit/s or, eight "
				      "times as much, 10GB/s");
	assert_int_equal(units_parse_speed("8b", &speed, &err), -1);
	assert_int_equal(units_parse_byte_rate("2.5mb/s", &bytes, &err), -1);
	assert_string_equal(err.text, "\"2.5mb/s\" may mean bits or bytes; write 2.5mbit/s or, "
				      "eight times as much, 2.5mB/s");
}

static void a_rate_of_bytes_is_a_size_per_second_or_bits(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} rates[] = {{"2000k", 2048000},      {"10M/s", 10 * 1048576},
		     {"10MB", 10 * 1048576},  {"10MiB/s", 10485760},
		     {"1Gbit/s", 125000000},  {"512", 512},
		     {"3kbytes/s", 3 * 1024}, {"0", 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct error err = {0};
		uint64_t bytes;

		assert_int_equal(units_parse_byte_rate(rates[i].text, &bytes, &err), 0);
		assert_int_equal(bytes, rates[i].bytes);
	}
}

static void a_speed_is_echoed_in_bytes_and_in_bits(void **state)
{
	struct text out = {0};

	(void)state;
	units_add_speed(&out, 12.5e9);
	assert_string_equal(text_string(&out), "12.5 GB/s (100 Gbit/s)");
	text_clear(&out);
	units_add_speed(&out, 64e3);
	assert_string_equal(text_string(&out), "64 kB/s (512 kbit/s)");
	text_release(&out);
}

static const char *const plain[] = {"repetitions", "1", NULL};
static const double mib = 1048576;

/* Sets the rate of a phase of 2 nodes and gives limits in MiB/s. */
static const struct verdict *judge_rate(struct court *court, const char *id, double rate,
					const struct run *limits)
{
	struct phase_result *phase = &court->scene.phases[0];

	phase->possible = (struct possible){0};
	possible_set(&phase->possible, limits, court->scene.plan.map.nodes);
	phase_result_fill(phase, phase->measure);
	phase->possible.rate = rate * mib;
	return find_verdict(court, id);
}

static enum limit limit_named(const char *name, size_t length)
{
	for (enum limit limit = 0; limit < LIMITS; limit++)
		if (!strncmp(limit_name(limit), name, length) && !limit_name(limit)[length])
			return limit;
	fail_msg("there is no limit %.*s", (int)length, name);
	return LIMITS;
}

/* Reads "1734 network=3x50 device~10x100" into a rate and its limits. */
static void read_case(char *line, struct possible *possible)
{
	*possible = (struct possible){.rate = strtod(strsep(&line, " "), NULL) * mib};
	for (const char *word; (word = strsep(&line, " "));) {
		const size_t length = strcspn(word, "=~");
		struct bound *bound = &possible->bounds[limit_named(word, length)];

		assert_int_equal(sscanf(word + length + 1, "%" SCNu64 "x%lf", &bound->count,
					&bound->each),
				 2);
		bound->each *= mib;
		bound->measured = word[length] == '~';
	}
}

/* Lists the verdicts of the case, each as the table has it. */
static void add_found(struct court *court, const struct possible *possible, struct text *found)
{
	court->scene.phases[0].possible = *possible;
	find_verdict(court, "");
	for (size_t i = 0; i < court->count; i++) {
		const struct verdict *verdict = &court->verdicts[i];

		if (*verdict->id == 'L')
			text_add(found, "\t%s %s %s\n", verdict->id,
				 severity_name(verdict->severity), verdict->meaning);
	}
}

/* The table is that of tests/python/test_limits.py, too. */
static void iorx_and_its_reports_judge_alike(void **state)
{
	char path[4096], line[512];
	struct text wanted = {0}, found = {0};
	struct possible possible;
	struct court court;
	size_t cases = 0;

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/python/limits.txt", getenv("SRCDIR"));
	FILE *table = fopen(path, "re");

	assert_non_null(table);
	open_court(&court, PHASE_WRITE, plain);
	while (fgets(line, sizeof(line), table)) {
		if (*line == '\t')
			text_add(&wanted, "%s", line);
		if (*line < '0' || *line > '9')
			continue;
		assert_string_equal(text_string(&found), text_string(&wanted));
		text_clear(&found);
		text_clear(&wanted);
		line[strcspn(line, "\n")] = '\0';
		read_case(line, &possible);
		add_found(&court, &possible, &found);
		cases++;
	}
	assert_string_equal(text_string(&found), text_string(&wanted));
	assert_true(cases > 10);
	fclose(table);
	text_release(&wanted);
	text_release(&found);
	close_court(&court);
}

/* One node behind a network of 1100 MiB/s, as in the lecture: two nodes of 550. */
static void what_the_network_cannot_carry_is_no_storage(void **state)
{
	const struct run limits = {.limit_network = 550 * mib};
	struct text words = {0};
	struct court court;

	(void)state;
	open_court(&court, PHASE_READ, plain);
	const struct phase_result *phase = &court.scene.phases[0];
	const struct verdict *verdict = judge_rate(&court, "L1", 1800, &limits);

	assert_int_equal(verdict->severity, SEVERITY_FAIL);
	assert_string_equal(verdict->meaning, "1800 MiB/s is 164 % of network 2 x 550 MiB/s "
					      "(given): not storage");
	assert_non_null(strstr(verdict->remedy, "limit.network"));
	possible_add_words(&words, &phase->possible);
	assert_string_equal(text_string(&words), "above network (given), 164 %");

	verdict = judge_rate(&court, "L1", 1095, &limits);
	assert_int_equal(verdict->severity, SEVERITY_NOTE);
	text_clear(&words);
	possible_add_words(&words, &phase->possible);
	assert_string_equal(text_string(&words), "limited by network (given), 100 %");

	assert_null(judge_rate(&court, "L1", 640, &limits));
	text_clear(&words);
	possible_add_words(&words, &phase->possible);
	assert_string_equal(text_string(&words), "below all limits; next is network, 58 %");
	text_release(&words);
	close_court(&court);
}

static void every_limit_is_judged_and_the_least_is_named(void **state)
{
	const struct run limits = {.limit_network = 1000 * mib,
				   .limit_server = 100 * mib,
				   .limit_servers = 8,
				   .limit_device = 300 * mib,
				   .limit_devices = 2};
	struct court court;
	enum limit least;

	(void)state;
	open_court(&court, PHASE_WRITE, plain);
	struct possible *possible = &court.scene.phases[0].possible;

	/* network 2000, servers 800, devices 600 */
	assert_int_equal(judge_rate(&court, "L2", 1000, &limits)->severity, SEVERITY_FAIL);
	assert_int_equal(find_verdict(&court, "L3")->severity, SEVERITY_FAIL);
	assert_null(find_verdict(&court, "L1"));
	assert_true(possible_least(possible, &least));
	assert_int_equal(least, LIMIT_DEVICE);
	/* near to two limits: the one that allows less limits the phase */
	assert_int_equal(judge_rate(&court, "L2", 590, &limits)->severity, SEVERITY_NOTE);
	assert_null(judge_rate(&court, "L3", 620, &limits));
	close_court(&court);
}

/* Client 100 (read) and 400 MiB/s, target 200 and 250, network 50 of each node. */
static const struct measured measured = {
	.limits = {{.limit = LIMIT_CLIENT,
		    .access = ACCESS_READ,
		    .judges = true,
		    .each = 100 * MIB,
		    .count = 2},
		   {.limit = LIMIT_CLIENT,
		    .access = ACCESS_WRITE,
		    .judges = true,
		    .each = 400 * MIB,
		    .count = 2},
		   {.limit = LIMIT_DEVICE,
		    .access = ACCESS_READ,
		    .judges = true,
		    .each = 200 * MIB,
		    .count = 1},
		   {.limit = LIMIT_DEVICE,
		    .access = ACCESS_READ,
		    .judges = true,
		    .each = 250 * MIB,
		    .count = 1},
		   {.limit = LIMIT_DEVICE, .access = ACCESS_READ, .each = 9 * MIB, .count = 1},
		   {.limit = LIMIT_NETWORK,
		    .any_access = true,
		    .judges = true,
		    .each = 50 * MIB,
		    .count = 2}},
	.count = 6,
};

static const struct verdict *judge_measured(struct court *court, const char *id, double rate,
					    const struct run *limits)
{
	struct phase_result *phase = &court->scene.phases[0];

	judge_rate(court, id, rate, limits);
	possible_add_measured(&phase->possible, &measured, ACCESS_READ, false);
	return find_verdict(court, id);
}

static void what_was_measured_warns_and_the_network_only_notes(void **state)
{
	struct run limits = {.limit_servers = 1, .limit_devices = 1};
	struct text words = {0};
	struct court court;

	(void)state;
	open_court(&court, PHASE_READ, plain);
	struct possible *possible = &court.scene.phases[0].possible;

	assert_null(judge_measured(&court, "L2", 320, &limits));
	assert_true(possible_bound(possible, LIMIT_DEVICE) == 250 * mib);
	assert_true(possible_bound(possible, LIMIT_CLIENT) == 200 * mib);
	assert_int_equal(judge_measured(&court, "L2", 330, &limits)->severity, SEVERITY_WARN);
	assert_string_equal(find_verdict(&court, "L4")->meaning,
			    "330 MiB/s is 165 % of client 2 x 100 MiB/s (measured): more than the "
			    "memory of the clients moved");
	assert_int_equal(find_verdict(&court, "L4")->severity, SEVERITY_WARN);
	assert_int_equal(find_verdict(&court, "L1")->severity, SEVERITY_NOTE);
	judge_measured(&court, "L1", 125, &limits);
	possible_add_words(&words, possible);
	assert_string_equal(text_string(&words), "limited by network (measured), 125 %");
	text_release(&words);
	/* what was given counts */
	limits.limit_device = 900 * mib;
	judge_measured(&court, "L2", 330, &limits);
	assert_true(possible_bound(possible, LIMIT_DEVICE) == 900 * mib);
	/* a load reads and writes */
	possible_add_measured(possible, &measured, ACCESS_READ, true);
	assert_true(possible_bound(possible, LIMIT_CLIENT) == 800 * mib);
	close_court(&court);
}

static void limit_is_the_fastest_round(void **state)
{
	const double rates[] = {80, 100, 90};
	struct measured found = {0};

	(void)state;
	measured_add(&found, LIMIT_CLIENT, 3, rates, 0);
	assert_int_equal(found.count, 0);
	const struct measured_limit *limit = measured_add(&found, LIMIT_CLIENT, 3, rates, 3);

	assert_int_equal(found.count, 1);
	assert_true(limit->each == 100 && limit->count == 3 && limit->rounds == 3);
	assert_true(limit->spread == 0.2);
}

static void without_limits_nothing_is_said(void **state)
{
	struct run limits = {.limit_servers = 1, .limit_devices = 1};
	struct text words = {0};
	struct court court;
	enum limit least;

	(void)state;
	open_court(&court, PHASE_WRITE, plain);
	assert_null(judge_rate(&court, "L1", 1e6, &limits));
	assert_false(possible_least(&court.scene.phases[0].possible, &least));
	possible_add_words(&words, &court.scene.phases[0].possible);
	assert_int_equal(words.length, 0);
	limits.limit_network = mib;
	limits.limits = LIMITS_OFF;
	assert_null(judge_rate(&court, "L1", 1e6, &limits));
	limits.limits = LIMITS_GIVEN;
	assert_non_null(judge_rate(&court, "L1", 1e6, &limits));
	assert_null(judge_rate(&court, "L1", 0, &limits));
	close_court(&court);
}

static void the_rate_of_all_tasks_is_compared(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	assert_true(phase->possible.rate == phase->total_rate && phase->total_rate > 0);
	close_court(&court);
}

static void rounds_without_a_rate_are_no_limit(void **state)
{
	const double none[] = {0, 0}, falling[] = {100, 60};
	struct measured found = {0};

	(void)state;
	measured_add(&found, LIMIT_CLIENT, 1, none, 2);
	assert_int_equal(found.count, 0);
	const struct measured_limit *limit = measured_add(&found, LIMIT_CLIENT, 1, falling, 2);

	assert_true(limit->spread == 0.4);
	for (unsigned i = 0; i < 2 * MEASURED_MOST; i++)
		measured_add(&found, LIMIT_CLIENT, 1, falling, 2);
	assert_int_equal(found.count, MEASURED_MOST - 1);
}

static void the_least_of_all_limits_counts_parts(void **state)
{
	struct possible possible = {.rate = 1};
	enum limit least = LIMITS;

	(void)state;
	assert_false(possible_least(&possible, &least));
	possible.bounds[LIMIT_NETWORK] = (struct bound){.each = 100, .count = 4};
	possible.bounds[LIMIT_DEVICE] = (struct bound){.each = 300, .count = 1};
	possible.bounds[LIMIT_SERVER] = (struct bound){.each = 300, .count = 1};
	assert_true(possible_least(&possible, &least));
	assert_int_equal(least, LIMIT_DEVICE); /* the first of equals */
	assert_true(possible_bound(&possible, LIMIT_NETWORK) == 400);
	possible.rate = 0;
	assert_false(possible_least(&possible, &least));
}

static void a_rate_is_above_a_limit_by_5_percent_or_30_if_it_was_measured(void **state)
{
	struct possible possible = {.rate = 1050,
				    .bounds[LIMIT_DEVICE] = {.each = 500, .count = 2}};

	(void)state;
	assert_false(possible_is_above(&possible, LIMIT_DEVICE));
	possible.rate = 1051;
	assert_true(possible_is_above(&possible, LIMIT_DEVICE));
	possible.bounds[LIMIT_DEVICE].measured = true;
	assert_false(possible_is_above(&possible, LIMIT_DEVICE));
	possible.rate = 1301;
	assert_true(possible_is_above(&possible, LIMIT_DEVICE));
}

static void assert_words(double rate, const char *wanted)
{
	const struct possible possible = {.rate = rate * mib,
					  .bounds[LIMIT_DEVICE] = {.each = 50 * mib, .count = 2}};
	struct text words = {0};

	possible_add_words(&words, &possible);
	assert_string_equal(text_string(&words), wanted);
	text_clear(&words);
	if (rate > 100) {
		possible_add_share(&words, &possible, LIMIT_DEVICE);
		assert_string_equal(text_string(&words),
				    "106 MiB/s is 106 % of device 2 x 50 MiB/s (given)");
	}
	text_release(&words);
}

static void a_rate_is_told_against_its_least_limit(void **state)
{
	(void)state;
	assert_words(89, "below all limits; next is device, 89 %");
	assert_words(90, "limited by device (given), 90 %");
	assert_words(106, "above device (given), 106 %");
}

/* A measured limit of one device, which judges writes. */
static struct measured measured_of(double each)
{
	return (struct measured){.limits = {{.limit = LIMIT_DEVICE,
					     .access = ACCESS_WRITE,
					     .judges = true,
					     .each = each,
					     .count = 2}},
				 .count = 1};
}

static void measured_limits_stand_in_where_none_was_given(void **state)
{
	struct possible possible = {0}, given = {0};
	struct measured slow = measured_of(100), fast = measured_of(200), mute = measured_of(300);
	const struct bound *bound = &possible.bounds[LIMIT_DEVICE];

	(void)state;
	possible_add_measured(&possible, &slow, ACCESS_READ, false);
	assert_true(bound->each == 0);
	possible_add_measured(&possible, &slow, ACCESS_WRITE, false);
	assert_true(bound->each == 100 && bound->count == 2 && bound->measured);
	/* The limit that allows the most counts. */
	possible_add_measured(&possible, &fast, ACCESS_READ, true);
	assert_true(bound->each == 200);
	possible_add_measured(&possible, &slow, ACCESS_WRITE, false);
	assert_true(bound->each == 200);
	mute.limits[0].judges = false;
	possible_add_measured(&possible, &mute, ACCESS_WRITE, false);
	assert_true(bound->each == 200);
	mute.limits[0].judges = mute.limits[0].any_access = true;
	possible_add_measured(&possible, &mute, ACCESS_READ, false);
	assert_true(bound->each == 300);
	assert_string_equal(possible_method(&possible, LIMIT_DEVICE), "measured");
	given.bounds[LIMIT_DEVICE] = (struct bound){.each = 10, .count = 1};
	possible_add_measured(&given, &slow, ACCESS_WRITE, false);
	assert_true(given.bounds[LIMIT_DEVICE].each == 10);
	assert_string_equal(possible_method(&given, LIMIT_DEVICE), "given");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(speeds_are_decimal_unless_they_say_otherwise),
		cmocka_unit_test(a_small_b_is_refused_and_both_meanings_are_shown),
		cmocka_unit_test(a_rate_of_bytes_is_a_size_per_second_or_bits),
		cmocka_unit_test(a_speed_is_echoed_in_bytes_and_in_bits),
		cmocka_unit_test(units_that_may_mean_bits_or_bytes_are_refused),
		cmocka_unit_test(iorx_and_its_reports_judge_alike),
		cmocka_unit_test(what_the_network_cannot_carry_is_no_storage),
		cmocka_unit_test(every_limit_is_judged_and_the_least_is_named),
		cmocka_unit_test(what_was_measured_warns_and_the_network_only_notes),
		cmocka_unit_test(limit_is_the_fastest_round),
		cmocka_unit_test(without_limits_nothing_is_said),
		cmocka_unit_test(the_rate_of_all_tasks_is_compared),
		cmocka_unit_test(rounds_without_a_rate_are_no_limit),
		cmocka_unit_test(the_least_of_all_limits_counts_parts),
		cmocka_unit_test(a_rate_is_above_a_limit_by_5_percent_or_30_if_it_was_measured),
		cmocka_unit_test(a_rate_is_told_against_its_least_limit),
		cmocka_unit_test(measured_limits_stand_in_where_none_was_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
