/*
 * How fast content is made and checked on one core, beside memset() of the same buffer in turn: the
 * best of some rounds each, GB/s and the share of memset().
 * Usage: content [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "content/content.h"

enum { LARGE = 1 << 20, SMALL = 4096, EACH_ROUND = 64 << 20 };

struct subject {
	const char *name;
	struct content_setup setup;
};

static const struct subject subjects[] = {
	{"stamped", {.kind = CONTENT_STAMPED}},
	{"stamped 50 %", {.kind = CONTENT_STAMPED, .compress = 0.5}},
	{"stamped x 3", {.kind = CONTENT_STAMPED, .dedup = 3, .dedup_block = 4096}},
	{"random", {.kind = CONTENT_RANDOM}},
	{"random 50 %", {.kind = CONTENT_RANDOM, .compress = 0.5}},
	{"random x 3", {.kind = CONTENT_RANDOM, .dedup = 3, .dedup_block = 4096}},
	{"ior", {.kind = CONTENT_IOR, .layout = {4, 1 << 26, 1 << 20, true}}},
};

enum work { WORK_MEMSET, WORK_PUT, WORK_FILL, WORK_CHECK, WORKS };

struct bench {
	struct content content;
	struct content_buffer buffer;
	char *bytes;
	uint64_t length;
	double best[WORKS]; /* ns each */
};

static void work_once(struct bench *bench, enum work work, uint64_t offset)
{
	switch (work) {
	case WORK_MEMSET:
		memset(bench->bytes, (int)offset, bench->length);
		break;
	case WORK_PUT:
		content_put(&bench->content, &bench->buffer, offset, bench->length);
		break;
	case WORK_FILL:
		content_fill(&bench->content, bench->bytes, offset, bench->length);
		break;
	default:
		if (!content_check(&bench->content, bench->bytes, 0, bench->length))
			exit(1);
	}
	__asm__ volatile("" : : "r"(bench->bytes) : "memory");
}

static void run_round(struct bench *bench, enum work work)
{
	uint64_t count = EACH_ROUND / bench->length;

	if (work == WORK_CHECK)
		content_fill(&bench->content, bench->bytes, 0, bench->length);
	double start = now_ns();

	for (uint64_t i = 0; i < count; i++)
		work_once(bench, work, i * bench->length);
	double each = (now_ns() - start) / (double)count;

	if (!bench->best[work] || each < bench->best[work])
		bench->best[work] = each;
}

static void measure(const struct subject *subject, uint64_t length, int rounds)
{
	struct bench bench = {.length = length, .bytes = aligned_alloc(4096, length)};
	bool in_place = subject->setup.kind == CONTENT_STAMPED && !subject->setup.dedup;
	struct error err;

	bench.buffer = (struct content_buffer){.room = content_room(length, in_place),
					       .in_place = in_place};
	bench.buffer.bytes = aligned_alloc(4096, bench.buffer.room);
	if (content_start(&bench.content, &subject->setup, &err))
		exit(1);
	content_buffer_prepare(&bench.content, &bench.buffer);
	for (int i = 0; i < rounds; i++)
		for (int work = 0; work < WORKS; work++)
			run_round(&bench, (enum work)work);
	printf("    %7lu %-13s", (unsigned long)length, subject->name);
	for (int work = 0; work < WORKS; work++)
		printf("  %6.1f (%.2f)", (double)length / bench.best[work],
		       bench.best[WORK_MEMSET] / bench.best[work]);
	printf("\n");
	content_release(&bench.content);
	free(bench.buffer.bytes);
	free(bench.bytes);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 7;

	printf("      bytes content        memset         put in place   fill           check\n");
	for (int large = 1; large >= 0; large--)
		for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
			measure(&subjects[i], large ? LARGE : SMALL, rounds);
	return 0;
}
