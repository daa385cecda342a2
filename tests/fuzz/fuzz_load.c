/*
 * Any bytes as the texts of a load, one to a line: shares, sizes, distribution, choice of files.
 * What is accepted makes requests that stay in their files.
 */
#include <stdint.h>

#include "check_job.h"
#include "plan/load/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { TEXTS = 4, REQUESTS = 100 };

/* Cuts the bytes at line ends; a text that is absent is empty. */
static void cut(char *bytes, const char *texts[TEXTS])
{
	for (unsigned i = 0; i < TEXTS; i++) {
		char *end = bytes + strcspn(bytes, "\n");

		texts[i] = bytes;
		bytes = *end ? end + 1 : end;
		*end = '\0';
	}
}

static void check_deck(const struct deck *deck)
{
	unsigned cards = 0;

	for (unsigned i = 0; i < deck->kinds; i++)
		cards += deck->cards[i];
	MUST(cards == DECK_CARDS);
}

static void check_requests(const struct load_pattern *pattern, uint32_t sharers)
{
	const struct load_seat seat = {
		.task = sharers - 1, .tasks = sharers, .sharer = sharers - 1, .sharers = sharers};
	struct load_request request;
	struct load_walk walk;

	load_walk_start(&walk, pattern, &seat, 0);
	for (unsigned i = 0; i < REQUESTS && load_next(&walk, &request); i++) {
		MUST(request.file < pattern->files);
		MUST(request.length > 0 && request.length <= pattern->file_bytes);
		MUST(request.offset <= pattern->file_bytes - request.length);
	}
	load_walk_release(&walk);
}

/* Parses all texts; returns false with a good error if one is refused. */
static bool parse(struct load_pattern *pattern, const char *const texts[TEXTS])
{
	struct error err = {0};

	if (!deck_parse_shares(texts[0], "operations", load_kind_names, LOAD_KINDS,
			       &pattern->operations, &err) &&
	    !sizes_parse(texts[1], "sizes", &pattern->sizes[LOAD_READ], &err) &&
	    !distribution_parse(texts[2], "distribution", &pattern->distribution, &err) &&
	    !load_parse_file_choice(texts[3], "file_choice", pattern, &err)) {
		pattern->sizes[LOAD_WRITE] = pattern->sizes[LOAD_READ];
		check_deck(&pattern->operations);
		check_deck(&pattern->sizes[LOAD_READ].deck);
		return true;
	}
	MUST(err.kind == ERROR_INPUT && strchr(err.text, ';'));
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char *text = text_copy_n((const char *)bytes, length);
	uint64_t hash = text_hash(bytes, length);
	struct load_pattern pattern = {
		.run_length = 1 + (hash & 3),
		.stride = hash >> 2 & 4097,
		.align = hash >> 8 & 512,
		.files = 1 + (hash >> 16 & 3),
		.file_bytes = 1 + (hash >> 1 >> (hash >> 58)),
		.seed = hash,
	};
	uint32_t sharers = 1 + (hash >> 20 & 3);
	struct error err = {0};
	const char *texts[TEXTS];

	cut(text, texts);
	deck_make_two(&pattern.random, (hash >> 32 & 2) / 2.0);
	if (parse(&pattern, texts)) {
		if (load_pattern_check(&pattern, sharers, &err))
			MUST(err.kind == ERROR_INPUT && strchr(err.text, ';'));
		else
			check_requests(&pattern, sharers);
	}
	free(text);
	return 0;
}
