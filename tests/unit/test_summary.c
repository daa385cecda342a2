/* Summaries over the repetitions of a test: which count, and what is joined of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "result/result.h"

/* A repetition of a read that moved so many bytes per second for so long. */
static struct phase_result read_of(double rate, double seconds)
{
	return (struct phase_result){.kind = PHASE_READ,
				     .total_rate = rate,
				     .operations_rate = rate / 1000,
				     .seconds.total = seconds};
}

struct summary_scene {
	struct test options;
	struct plan plan;
	struct test_result test;
};

/* A test of a write, phase 0, and a read, phase 1. */
static void start(struct summary_scene *scene)
{
	*scene = (struct summary_scene){
		.options.precision = 0.05,
		.plan = {.phases = {{.kind = PHASE_WRITE}, {.kind = PHASE_READ}},
			 .phase_count = 2}};
	scene->plan.test = &scene->options;
	scene->test.plan = &scene->plan;
}

static void add(struct summary_scene *scene, unsigned index, struct phase_result phase)
{
	phase.index = index;
	test_result_add(&scene->test, &phase);
}

static void only_complete_repetitions_behind_the_warmups_count(void **state)
{
	struct phase_result warmup = read_of(900, 1), failed = read_of(800, 1);
	struct phase_result stopped = read_of(700, 1);
	struct summary_scene scene;
	struct rate_summary summary;

	(void)state;
	start(&scene);
	warmup.warmup = true;
	failed.status = PHASE_FAILED;
	stopped.status = PHASE_STOPPED;
	add(&scene, 1, warmup);
	add(&scene, 1, read_of(100, 4));
	add(&scene, 1, failed);
	add(&scene, 0, read_of(600, 1));
	add(&scene, 1, read_of(400, 1));
	add(&scene, 1, stopped);
	add(&scene, 1, read_of(200, 2));
	rate_summary_fill(&summary, &scene.test, 1);
	assert_int_equal(summary.kind, PHASE_READ);
	assert_int_equal(summary.rate.count, 3);
	assert_float_equal(summary.rate.median, 200, 1e-9);
	assert_float_equal(summary.rate.least, 100, 1e-9);
	assert_float_equal(summary.rate.most, 400, 1e-9);
	assert_float_equal(summary.operations_rate, 0.2, 1e-9);
	assert_float_equal(summary.seconds, 2, 1e-9);
	/* 400 bytes in 4 s, 400 in 1 s, 400 in 2 s */
	assert_float_equal(summary.pooled, 1200 / 7., 1e-9);
	test_result_release(&scene.test);
}

static void a_test_without_complete_repetitions_has_an_empty_summary(void **state)
{
	struct phase_result failed = read_of(800, 1);
	struct summary_scene scene;
	struct rate_summary summary;

	(void)state;
	start(&scene);
	failed.status = PHASE_FAILED;
	add(&scene, 1, failed);
	rate_summary_fill(&summary, &scene.test, 1);
	assert_int_equal(summary.rate.count, 0);
	assert_float_equal(summary.pooled, 0, 0);
	assert_int_equal(summary.response.mean_ns.count, 0);
	assert_false(test_is_precise(&scene.test, 0.05));
	test_result_release(&scene.test);
}

static void a_test_is_precise_if_each_phase_is(void **state)
{
	struct summary_scene scene;

	(void)state;
	start(&scene);
	for (unsigned i = 0; i < 12; i++) {
		add(&scene, 0, read_of(1000 + 211 * (i * 5 % 12), 1));
		add(&scene, 1, read_of(1000 + i * 5 % 12, 1));
	}
	assert_false(test_is_precise(&scene.test, 0.05));
	assert_true(test_is_precise(&scene.test, 3));
	scene.plan.phases[0].kind = PHASE_READ;
	assert_false(test_is_precise(&scene.test, 0.05));
	/* The write that lays out the files of a load is not measured. */
	scene.plan.phases[0].kind = PHASE_WRITE;
	scene.plan.load = &(const struct load){0};
	assert_true(test_is_precise(&scene.test, 0.05));
	test_result_release(&scene.test);
}

static void service_times_of_all_repetitions_are_joined(void **state)
{
	static const enum operation operations[] = {OPERATION_READ};
	struct summary_scene scene;
	struct rate_summary summary;

	(void)state;
	start(&scene);
	for (unsigned repetition = 0; repetition < 3; repetition++) {
		struct phase_result phase = read_of(100, 1);

		phase.warmup = repetition == 0;
		phase.measure = measure_create(operations, 1);
		for (unsigned i = 0; i < 200; i++)
			measure_add(&phase.measure->records[0], phase.warmup ? 90000 : 1000, 0, 0,
				    0, 0);
		add(&scene, 1, phase);
		free(phase.measure);
	}
	rate_summary_fill(&summary, &scene.test, 1);
	assert_int_equal(summary.times.max_ns, 1000);
	assert_int_equal(summary.times.p99_ns, 1000); /* 400 operations are enough for it */
	assert_int_equal(summary.times.p999_ns, 0);
	test_result_release(&scene.test);
}

static void parts_of_a_mix_have_rates_of_their_own(void **state)
{
	static const enum operation operations[] = {OPERATION_MIXED, OPERATION_STAT,
						    OPERATION_OPEN_CLOSE};
	struct summary_scene scene;
	struct rate_summary summary;

	(void)state;
	start(&scene);
	scene.plan.phases[1].kind = PHASE_MIX;
	scene.plan.mix.shares[MIX_STAT] = 0.75;
	scene.plan.mix.shares[MIX_READ] = 0.25;
	for (unsigned repetition = 1; repetition <= 3; repetition++) {
		struct phase_result phase = read_of(100, 2);

		phase.kind = PHASE_MIX;
		phase.measure = measure_create(operations, 3);
		phase.rated[OPERATION_STAT] = 300 * repetition;
		phase.rated[OPERATION_OPEN_CLOSE] = 100 * repetition;
		for (unsigned i = 0; i < 10; i++)
			measure_add(&phase.measure->records[1], 1000, 0, 0, 0, 0);
		add(&scene, 1, phase);
		free(phase.measure);
	}
	rate_summary_fill(&summary, &scene.test, 1);
	assert_int_equal(summary.part_count, 2);
	assert_string_equal(summary.parts[0].series.part, "stat");
	assert_float_equal(summary.parts[0].rate.median, 300, 1e-9);
	assert_int_equal(summary.parts[0].operations, 30);
	assert_float_equal(summary.parts[1].rate.median, 100, 1e-9);
	assert_int_equal(summary.parts[1].operations, 0);
	test_result_release(&scene.test);
}

static void the_repetition_nearest_to_its_limits_is_kept(void **state)
{
	struct summary_scene scene;
	struct phase_result phase = read_of(100, 1);

	(void)state;
	start(&scene);
	phase.possible.rate = 100;
	add(&scene, 1, phase); /* without a limit */
	assert_float_equal(test_result_repeated(&scene.test, 1)->nearest.rate, 0, 0);
	phase.possible.bounds[LIMIT_DEVICE] = (struct bound){.each = 300, .count = 2};
	for (unsigned i = 0; i < 3; i++) {
		phase.possible.rate = (double[]){150, 250, 200}[i];
		add(&scene, 1, phase);
	}
	phase.status = PHASE_FAILED;
	phase.possible.rate = 500;
	add(&scene, 1, phase);
	assert_float_equal(test_result_repeated(&scene.test, 1)->nearest.rate, 250, 0);
	assert_float_equal(test_result_repeated(&scene.test, 0)->nearest.rate, 0, 0);
	test_result_release(&scene.test);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_complete_repetitions_behind_the_warmups_count),
		cmocka_unit_test(a_test_without_complete_repetitions_has_an_empty_summary),
		cmocka_unit_test(a_test_is_precise_if_each_phase_is),
		cmocka_unit_test(service_times_of_all_repetitions_are_joined),
		cmocka_unit_test(parts_of_a_mix_have_rates_of_their_own),
		cmocka_unit_test(the_repetition_nearest_to_its_limits_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
