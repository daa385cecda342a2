/* Patterns of loads, made of the texts that users write. */
#ifndef TESTS_UNIT_LOAD_SCENE_H
#define TESTS_UNIT_LOAD_SCENE_H

#include "plan/load/walk.h"

struct load_words {
	const char *operations, *sizes, *distribution, *file_choice;
};

/* Parses the words that are given over a pattern of 4 KiB random reads in one file of 1 MiB. */
static inline void load_scene(struct load_pattern *pattern, const struct load_words *words)
{
	const char *operations = words->operations ? words->operations : "read:1";
	const char *sizes = words->sizes ? words->sizes : "4k";
	const char *distribution = words->distribution ? words->distribution : "uniform";
	const char *file_choice = words->file_choice ? words->file_choice : "in_turn";
	struct error err = {0};

	*pattern = (struct load_pattern){
		.files = 1, .file_bytes = 1 << 20, .run_length = 1, .seed = 42};
	deck_make_two(&pattern->random, 1);
	if (deck_parse_shares(operations, "operations", load_kind_names, LOAD_KINDS,
			      &pattern->operations, &err) ||
	    sizes_parse(sizes, "sizes", &pattern->sizes[LOAD_READ], &err) ||
	    sizes_parse(sizes, "sizes", &pattern->sizes[LOAD_WRITE], &err) ||
	    distribution_parse(distribution, "distribution", &pattern->distribution, &err) ||
	    load_parse_file_choice(file_choice, "file_choice", pattern, &err))
		fail_msg("%s", err.text);
}

static inline void load_scene_start(struct load_walk *walk, const struct load_pattern *pattern,
				    uint32_t sharer, uint32_t sharers)
{
	const struct load_seat seat = {
		.task = sharer, .tasks = sharers, .sharer = sharer, .sharers = sharers};
	struct error err = {0};

	if (load_pattern_check(pattern, sharers, &err))
		fail_msg("%s", err.text);
	load_walk_start(walk, pattern, &seat, 0);
}

#endif
