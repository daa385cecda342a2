/*
 * How long the arithmetic of a load takes for one request, ns: the best of some rounds each.
 * Usage: load [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "clock.h"
#include "plan/load/walk.h"

enum { EACH_ROUND = 1 << 20 };

struct subject {
	const char *operations, *sizes, *distribution;
	double random;
	enum arrival_kind arrival;
	uint64_t file_bytes;
};

static const struct subject subjects[] = {
	{"read:70,write:30", "4k", "uniform", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:1", "4k", "uniform", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "uniform", 0, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "uniform", 0.5, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k/40,16k/30,64k/30", "uniform", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "uniform", 1, ARRIVAL_EVEN, 1 << 30},
	{"read:70,write:30", "4k", "uniform", 1, ARRIVAL_POISSON, 1 << 30},
	{"read:70,write:30", "4k", "every_block", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "zipf:0.9", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "zipf:1", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "zipf:1.2", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "zipf:1.2", 1, ARRIVAL_CLOSED, (uint64_t)4 << 50},
	{"read:70,write:30", "4k", "pareto:0.2", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "normal:10%", 1, ARRIVAL_CLOSED, 1 << 30},
	{"read:70,write:30", "4k", "hot:90/10", 1, ARRIVAL_CLOSED, 1 << 30},
};

static void make_pattern(struct load_pattern *pattern, const struct subject *subject)
{
	static const struct load_pattern initial = {
		.files = 1, .files_in_turn = true, .run_length = 1, .seed = 42};
	struct error err = {0};

	*pattern = initial;
	pattern->file_bytes = subject->file_bytes;
	pattern->arrival.kind = subject->arrival;
	pattern->arrival.rate = subject->arrival == ARRIVAL_CLOSED ? 0 : 1e6;
	deck_make_two(&pattern->random, subject->random);
	if (deck_parse_shares(subject->operations, "operations", load_kind_names, LOAD_KINDS,
			      &pattern->operations, &err) ||
	    sizes_parse(subject->sizes, "sizes", &pattern->sizes[LOAD_READ], &err) ||
	    sizes_parse(subject->sizes, "sizes", &pattern->sizes[LOAD_WRITE], &err) ||
	    distribution_parse(subject->distribution, "distribution", &pattern->distribution,
			       &err) ||
	    load_pattern_check(pattern, 1, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static double measure(const struct load_pattern *pattern, int rounds)
{
	static const struct load_seat seat = {0, 1, 0, 1};
	struct load_request request;
	struct load_walk walk;
	double best = 1e9;

	load_walk_start(&walk, pattern, &seat, 0);
	for (int i = 0; i < rounds; i++) {
		double begin = now_ns();

		for (int k = 0; k < EACH_ROUND && load_next(&walk, &request); k++)
			__asm__ volatile("" : : "r"(request.offset));
		double each = (now_ns() - begin) / EACH_ROUND;
		best = each < best ? each : best;
	}
	load_walk_release(&walk);
	return best;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 20;

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		const struct subject *subject = &subjects[i];
		struct load_pattern pattern;

		make_pattern(&pattern, subject);
		printf("%-17s %-20s %3.0f %% random  %-12s %-8s %9.0f blocks %6.1f ns\n",
		       subject->operations, subject->sizes, subject->random * 100,
		       subject->distribution, arrival_names[subject->arrival],
		       (double)subject->file_bytes / 4096, measure(&pattern, rounds));
	}
	return 0;
}
