/* The order of the visits of a job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "options/job.h"
#include "plan/schedule.h"
#include "tests/unit/fake_vocabulary.h"

struct given {
	const char *key, *value;
};

#define GIVEN(...) ((const struct given[]){__VA_ARGS__, {NULL, NULL}})

/* Makes a job of one test, and of a further test behind each key "test". */
static void make(struct job *job, int workload, const struct given *given)
{
	struct origin origin = {.kind = ORIGIN_FILE, .column = 5};
	struct test_spec *spec;
	struct error err = {0};

	job_init(job, &fake_vocabulary);
	job->source = text_copy("job.ior");
	spec = job_add_test(job, NULL);
	spec->workload = workload;
	for (; given->key; given++) {
		origin.line++;
		if (!strcmp(given->key, "test")) {
			spec = job_add_test(job, NULL);
			spec->workload = workload;
		} else if (job_assign(job, spec, given->key, given->value, origin, &err)) {
			fail_msg("%s", err.text);
		}
	}
	if (job_complete(job, &err))
		fail_msg("%s", err.text);
}

/* Writes the visits as "first:until", where each test wants `repetitions` of them. */
static void list_visits(const struct job *job, uint64_t repetitions, struct text *words)
{
	struct schedule schedule;
	struct visit visit;

	schedule_init(&schedule, job);
	while (schedule_next(&schedule, &visit)) {
		const struct outcome outcome = {.wanted = visit.until < repetitions};

		if (visit.until == UINT64_MAX)
			text_add(words, " %u", visit.first);
		else
			text_add(words, " %u:%u", visit.first, (unsigned)visit.until);
		schedule_note(&schedule, &visit, &outcome);
	}
	schedule_release(&schedule);
}

static void assert_visits(const struct given *given, uint64_t repetitions, const char *expected)
{
	struct text words = {0};
	struct job job;

	make(&job, WORKLOAD_DATA, given);
	list_visits(&job, repetitions, &words);
	assert_string_equal(text_string(&words), expected);
	text_release(&words);
	job_release(&job);
}

static void each_test_has_one_visit(void **state)
{
	(void)state;
	assert_visits(GIVEN({"repetitions", "3"}, {"test", ""}, {"repetitions", "2"}), 3, " 0 1");
}

static void points_with_one_repetition_have_one_visit_each(void **state)
{
	(void)state;
	assert_visits(GIVEN({"transfer_size", "1k, 2k, 4k"}, {"repetitions", "1"}), 1, " 0 1 2");
}

static void points_of_a_study_have_a_repetition_each_and_then_the_next(void **state)
{
	(void)state;
	assert_visits(GIVEN({"transfer_size", "1k, 2k"}, {"repetitions", "3"}), 3,
		      " 0:1 1:1 0:2 1:2 0:3 1:3");
}

static void warm_ups_belong_to_the_first_visit(void **state)
{
	(void)state;
	assert_visits(GIVEN({"transfer_size", "1k, 2k"}, {"repetitions", "2"}, {"warmup", "2"}), 4,
		      " 0:3 1:3 0:4 1:4");
}

static void the_test_behind_a_study_comes_after_its_last_visit(void **state)
{
	(void)state;
	assert_visits(GIVEN({"transfer_size", "1k, 2k"}, {"repetitions", "2"}, {"test", ""}), 2,
		      " 0:1 1:1 0:2 1:2 2");
}

static void a_point_that_has_ended_is_left_out_of_later_rounds(void **state)
{
	struct schedule schedule;
	struct visit visit;
	struct job job;

	(void)state;
	make(&job, WORKLOAD_DATA, GIVEN({"transfer_size", "1k, 2k"}, {"repetitions", "3"}));
	schedule_init(&schedule, &job);
	for (unsigned i = 0; i < 2; i++) {
		assert_true(schedule_next(&schedule, &visit));
		assert_int_equal(visit.first, i);
		schedule_note(&schedule, &visit, &(struct outcome){.wanted = i == 1});
	}
	for (unsigned round = 2; round <= 3; round++) {
		assert_true(schedule_next(&schedule, &visit));
		assert_int_equal(visit.first, 1);
		assert_int_equal(visit.until, round);
		schedule_note(&schedule, &visit, &(struct outcome){.wanted = round < 3});
	}
	assert_false(schedule_next(&schedule, &visit));
	schedule_release(&schedule);
	job_release(&job);
}

static void the_members_of_a_set_have_one_visit(void **state)
{
	struct schedule schedule;
	struct visit visit;
	struct job job;

	(void)state;
	make(&job, WORKLOAD_DATA, GIVEN({"repetitions", "2"}, {"test", ""}, {"test", ""}));
	job.tests[0].set.number = job.tests[1].set.number = 1;
	schedule_init(&schedule, &job);
	assert_true(schedule_next(&schedule, &visit));
	assert_int_equal(visit.first, 0);
	assert_int_equal(visit.count, 2);
	assert_true(schedule_next(&schedule, &visit));
	assert_int_equal(visit.first, 2);
	assert_int_equal(visit.count, 1);
	assert_false(schedule_next(&schedule, &visit));
	schedule_release(&schedule);
	job_release(&job);
}

/* Writes the visits that a job still makes whose tests are as far as recorded. */
static void assert_left(const struct given *given, const struct recorded *recorded,
			uint64_t repetitions, const char *expected)
{
	struct schedule schedule;
	struct text words = {0};
	struct visit visit;
	struct job job;

	make(&job, WORKLOAD_DATA, given);
	schedule_init(&schedule, &job);
	while (schedule_next(&schedule, &visit)) {
		bool wanted = visit.until < repetitions;

		if (!schedule_was_made(&visit, recorded, &wanted)) {
			text_add(&words, " %u", visit.first);
			if (visit.until != UINT64_MAX)
				text_add(&words, ":%u", (unsigned)visit.until);
		}
		schedule_note(&schedule, &visit, &(struct outcome){.wanted = wanted});
	}
	assert_string_equal(text_string(&words), expected);
	schedule_release(&schedule);
	text_release(&words);
	job_release(&job);
}

static void visits_that_are_recorded_are_not_left(void **state)
{
	(void)state;
	assert_left(GIVEN({"repetitions", "3"}, {"test", ""}, {"repetitions", "2"}),
		    (struct recorded[]){{3, true, true}, {1, true, false}}, 0, " 1");
}

static void turns_go_on_where_they_stopped(void **state)
{
	(void)state;
	assert_left(GIVEN({"transfer_size", "1k, 2k, 4k"}, {"repetitions", "3"}),
		    (struct recorded[]){{2, true, false}, {1, true, false}, {1, true, false}}, 3,
		    " 1:2 2:2 0:3 1:3 2:3");
	/* A point that was precise after two repetitions wants no further one. */
	assert_left(GIVEN({"transfer_size", "1k, 2k"}, {"repetitions", "3"}),
		    (struct recorded[]){{2, true, true}, {2, true, false}}, 3, " 1:3");
}

/* A storage that does 1000 operations/s: up to `good` of them in 5 ms, the bound, more in 9 ms. */
static void note_point(struct schedule *schedule, const struct visit *visit, double good)
{
	const double asked = visit->rates ? *visit->rates : 0, reached = 1000;
	const struct outcome outcome = {
		.point = {.asked = asked,
			  .rate = asked > 0 ? asked : reached,
			  .mean_ns = 1e6,
			  .bounded_ns = asked > good ? 9e6 : 5e6,
			  .reached = asked > 0},
		.reached = &reached,
	};

	schedule_note(schedule, visit, &outcome);
}

/* Writes the rates of the points that are visited. */
static void assert_rates(const struct given *given, double good, const char *expected)
{
	struct schedule schedule;
	struct text words = {0};
	struct visit visit;
	struct job job;

	make(&job, WORKLOAD_LOAD, given);
	schedule_init(&schedule, &job);
	while (schedule_next(&schedule, &visit)) {
		text_add(&words, " %.0f", visit.rates ? *visit.rates : -1);
		note_point(&schedule, &visit, good);
	}
	assert_string_equal(text_string(&words), expected);
	schedule_release(&schedule);
	text_release(&words);
	job_release(&job);
}

static void shares_are_shares_of_the_rate_at_the_maximum(void **state)
{
	(void)state;
	assert_rates(GIVEN({"curve", "max, 10%, 50%, 90%"}), 1e9, " 0 100 500 900");
}

static void a_curve_ends_above_its_bound_once_that_was_measured_twice(void **state)
{
	(void)state;
	assert_rates(GIVEN({"curve", "max, 10-90/20%"}, {"stop_response", "p99:5ms"}), 400,
		     " 0 100 300 500 500");
}

static void a_search_closes_in_on_the_highest_rate_within_its_bound(void **state)
{
	struct schedule schedule;
	struct visit visit;
	double last = 0;
	unsigned visits = 0;
	struct job job;

	(void)state;
	make(&job, WORKLOAD_LOAD, GIVEN({"search", "p99<5ms"}));
	schedule_init(&schedule, &job);
	for (; schedule_next(&schedule, &visit); visits++) {
		last = *visit.rates;
		note_point(&schedule, &visit, 637);
	}
	assert_true(visits > 5 && visits < CURVE_SEARCH_POINTS);
	assert_true(last > 637 * 0.97 && last < 637 * 1.03);
	schedule_release(&schedule);
	job_release(&job);
}

static void a_search_goes_on_from_the_outcomes_of_its_points(void **state)
{
	struct schedule whole, later;
	struct visit visit;
	struct job job;
	double rate;

	(void)state;
	make(&job, WORKLOAD_LOAD, GIVEN({"search", "p99<5ms"}));
	schedule_init(&whole, &job);
	schedule_init(&later, &job);
	while (schedule_next(&whole, &visit)) {
		rate = *visit.rates;
		note_point(&whole, &visit, 637);
		assert_true(schedule_next(&later, &visit));
		assert_float_equal(*visit.rates, rate, 0);
		note_point(&later, &visit, 637);
	}
	assert_false(schedule_next(&later, &visit));
	schedule_release(&whole);
	schedule_release(&later);
	job_release(&job);
}

static void shares_of_a_maximum_that_was_not_measured_are_left_out(void **state)
{
	struct schedule schedule;
	struct visit visit;
	struct job job;

	(void)state;
	make(&job, WORKLOAD_LOAD, GIVEN({"curve", "max, 10%, 50%"}));
	schedule_init(&schedule, &job);
	assert_true(schedule_next(&schedule, &visit));
	schedule_note(&schedule, &visit, &(struct outcome){.reached = &(double){0}});
	assert_false(schedule_next(&schedule, &visit));
	schedule_release(&schedule);
	job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_test_has_one_visit),
		cmocka_unit_test(points_with_one_repetition_have_one_visit_each),
		cmocka_unit_test(points_of_a_study_have_a_repetition_each_and_then_the_next),
		cmocka_unit_test(warm_ups_belong_to_the_first_visit),
		cmocka_unit_test(the_test_behind_a_study_comes_after_its_last_visit),
		cmocka_unit_test(a_point_that_has_ended_is_left_out_of_later_rounds),
		cmocka_unit_test(the_members_of_a_set_have_one_visit),
		cmocka_unit_test(visits_that_are_recorded_are_not_left),
		cmocka_unit_test(turns_go_on_where_they_stopped),
		cmocka_unit_test(a_search_goes_on_from_the_outcomes_of_its_points),
		cmocka_unit_test(shares_are_shares_of_the_rate_at_the_maximum),
		cmocka_unit_test(a_curve_ends_above_its_bound_once_that_was_measured_twice),
		cmocka_unit_test(a_search_closes_in_on_the_highest_rate_within_its_bound),
		cmocka_unit_test(shares_of_a_maximum_that_was_not_measured_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
