/* api=auto: from what was probed to what is chosen, and the words for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "plan/choice.h"

/* Rates of one node, transfers per second; 0: not moved in that direction. */
struct seen {
	double write, read;
	const char *why_not; /* instead of rates */
};

static struct probe probe_of(struct seen posix, struct seen uring, struct seen libaio)
{
	const struct seen all[CANDIDATES] = {posix, uring, libaio};
	struct probe probe = {.nodes = 1, .seconds = 0.3, .length = 4096, .depth = 32};

	for (int i = 0; i < CANDIDATES; i++) {
		struct candidate_probe *figures = &probe.candidates[i];

		if (all[i].why_not) {
			snprintf(figures->why_not, sizeof(figures->why_not), "%s", all[i].why_not);
			continue;
		}
		figures->nodes = 1;
		figures->transfer_s[ACCESS_WRITE] = all[i].write > 0 ? 1 / all[i].write : 0;
		figures->transfer_s[ACCESS_READ] = all[i].read > 0 ? 1 / all[i].read : 0;
	}
	return probe;
}

static void check(struct probe probe, enum candidate expected, const char *why)
{
	struct choice choice = {.probe = probe};

	choice_make(&choice);
	assert_true(choice.made);
	assert_string_equal(candidate_name(choice.chosen), candidate_name(expected));
	assert_string_equal(choice.why, why);
}

static struct seen seen(double write, double read)
{
	return (struct seen){.write = write, .read = read};
}

static struct seen not_seen(const char *why)
{
	return (struct seen){.why_not = why};
}

static void the_fastest_is_chosen(void **state)
{
	(void)state;
	check(probe_of(seen(0, 100), seen(0, 300), seen(0, 200)), CANDIDATE_URING,
	      "uring 3.00 of posix here, libaio 2.00 of posix here");
	check(probe_of(seen(0, 100), seen(0, 300), seen(0, 400)), CANDIDATE_LIBAIO,
	      "uring 3.00 of posix here, libaio 4.00 of posix here");
	check(probe_of(seen(0, 100), seen(0, 4), seen(0, 97)), CANDIDATE_POSIX,
	      "uring 0.04 of posix here, libaio 0.97 of posix here");
}

static void what_noise_could_explain_is_left_to_posix(void **state)
{
	(void)state;
	check(probe_of(seen(0, 100), seen(0, 109), seen(0, 100)), CANDIDATE_POSIX,
	      "uring 1.09 of posix here, libaio 1.00 of posix here");
	check(probe_of(seen(0, 100), seen(0, 112), seen(0, 100)), CANDIDATE_URING,
	      "uring 1.12 of posix here, libaio 1.00 of posix here");
}

static void a_gain_in_one_direction_is_no_excuse_for_a_loss_in_the_other(void **state)
{
	(void)state;
	check(probe_of(seen(100, 100), seen(500, 90), seen(100, 100)), CANDIDATE_POSIX,
	      "uring 1.53 of posix here, libaio 1.00 of posix here");
	check(probe_of(seen(100, 100), seen(500, 90), seen(150, 101)), CANDIDATE_LIBAIO,
	      "uring 1.53 of posix here, libaio 1.21 of posix here");
}

static void what_did_not_run_is_named_and_never_chosen(void **state)
{
	(void)state;
	check(probe_of(seen(0, 100), not_seen("io_uring_setup: Operation not permitted"),
		       seen(0, 200)),
	      CANDIDATE_LIBAIO,
	      "uring did not run: io_uring_setup: Operation not permitted, libaio 2.00 of posix here");
}

static void without_posix_there_is_nothing_to_compare_with(void **state)
{
	(void)state;
	check(probe_of(not_seen("open: No such file or directory"), seen(0, 200),
		       seen(0, 200)),
	      CANDIDATE_POSIX, "open: No such file or directory");
}

static void without_a_probe_the_reason_is_the_depth_or_what_kept_it_from_running(void **state)
{
	struct probe none = {0}, refused = {.nodes = 2, .why_not = "nothing was tried"};

	(void)state;
	check(none, CANDIDATE_POSIX, "one transfer at a time needs no queue");
	check(refused, CANDIDATE_POSIX, "nothing was tried");
}

static void nodes_count_alike_and_all_must_run_it(void **state)
{
	struct probe both = probe_of(seen(0, 100), seen(0, 400), seen(0, 300));
	struct probe second = probe_of(seen(0, 100), not_seen("forbidden"), seen(0, 100));
	struct probe none = {0};

	(void)state;
	second.seconds = 0.5;
	probe_merge(&both, &second);
	probe_merge(&both, &none);
	assert_int_equal(both.nodes, 2);
	assert_float_equal(both.seconds, 0.5, 0);
	assert_float_equal(probe_rate(&both, CANDIDATE_POSIX, ACCESS_READ), 100, 1e-9);
	assert_float_equal(probe_rate(&both, CANDIDATE_LIBAIO, ACCESS_READ), 150, 1e-9);
	assert_float_equal(probe_rate(&both, CANDIDATE_LIBAIO, ACCESS_WRITE), 0, 0);
	check(both, CANDIDATE_LIBAIO, "uring did not run: forbidden, libaio 1.50 of posix here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fastest_is_chosen),
		cmocka_unit_test(what_noise_could_explain_is_left_to_posix),
		cmocka_unit_test(a_gain_in_one_direction_is_no_excuse_for_a_loss_in_the_other),
		cmocka_unit_test(what_did_not_run_is_named_and_never_chosen),
		cmocka_unit_test(without_posix_there_is_nothing_to_compare_with),
		cmocka_unit_test(without_a_probe_the_reason_is_the_depth_or_what_kept_it_from_running),
		cmocka_unit_test(nodes_count_alike_and_all_must_run_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
