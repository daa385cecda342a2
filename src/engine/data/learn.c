/* Learns the seed from the data: samples of sectors vote, and the majority decides. */
#include "engine/data/learn.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/look.h"
#include "engine/data/data_state.h"
#include "plan/load.h"

enum { SAMPLES = 16, PILES = 8, FILES = 16 };

/* Sectors with the same seed and repetition. */
struct pile {
	uint64_t seed;
	uint32_t repetition;
	unsigned sectors;
};

struct survey {
	struct pile piles[PILES];
	unsigned count; /* number of piles */
	unsigned sectors;
	bool of_passes; /* some sectors were written by passes of a load */
};

bool learn_is_needed(const struct plan *plan)
{
	return !plan->test->write_file && look_reveals_seed(plan);
}

static void vote(struct survey *survey, const struct content_origin *origin)
{
	const bool of_pass = content_is_of_pass(origin->repetition);
	const uint32_t repetition = of_pass ? 0 : origin->repetition;
	unsigned i = 0;

	/*
	 * A prefilled sector is left if the write was cut. It does not carry the origin of the
	 * write.
	 */
	if (origin->repetition == CONTENT_PREFILL)
		return;
	survey->of_passes |= of_pass;
	while (i < survey->count &&
	       (survey->piles[i].seed != origin->seed || survey->piles[i].repetition != repetition))
		i++;
	if (i == PILES)
		return;
	if (i == survey->count)
		survey->piles[survey->count++] =
			(struct pile){.seed = origin->seed, .repetition = repetition};
	survey->piles[i].sectors++;
}

static uint64_t file_bytes(const struct worker *worker)
{
	const struct plan *plan = worker->plan;

	return worker->data->held ? worker->data->held * plan->geometry.transfer
				  : plan_file_bytes(plan, 0);
}

static void learn_look_at(struct worker *worker, uint64_t offset, char *bytes,
			  struct survey *survey)
{
	uint64_t left = file_bytes(worker) - offset;
	uint64_t got;

	memset(bytes, 0, LOOK_BYTES);
	got = look_read(worker, bytes, offset, left < LOOK_BYTES ? left : LOOK_BYTES);
	for (uint64_t at = 0; at + SECTOR <= got; at += SECTOR) {
		struct content_origin origin;

		survey->sectors++;
		if (content_learn(bytes + at, &origin))
			vote(survey, &origin);
	}
}

/*
 * Samples SAMPLES offsets of the file. In a file of at most SAMPLES * LOOK_BYTES all sectors vote,
 * as a few damaged ones could be most of a small sample.
 */
static void take_survey(struct worker *worker, char *bytes, struct survey *survey)
{
	uint64_t size = file_bytes(worker);
	uint64_t step = size / SAMPLES / LOOK_BYTES * LOOK_BYTES;

	for (uint64_t at = 0; !step && at < size; at += LOOK_BYTES)
		learn_look_at(worker, at, bytes, survey);
	for (uint64_t i = 0; i < SAMPLES && step; i++)
		learn_look_at(worker, i * step, bytes, survey);
}

static bool is_of_ior(enum content_kind kind)
{
	return kind == CONTENT_IOR || kind == CONTENT_IOR_OFFSET;
}

/*
 * Word i of a transfer of task 0 is the seed + i. With -l o word 0 is different. The data does not
 * contain the repetition.
 */
static void look_at_ior(struct worker *worker, char *bytes, struct survey *survey)
{
	const struct geometry *geometry = &worker->plan->geometry;
	const uint64_t number = worker->plan->test->content == CONTENT_IOR_OFFSET;
	uint64_t length = geometry->transfer < LOOK_BYTES ? geometry->transfer : LOOK_BYTES, word;

	for (uint64_t i = 0; i < SAMPLES && i < geometry->block / geometry->transfer; i++) {
		struct content_origin origin = {0};

		if (look_read(worker, bytes, i * geometry->transfer, length) <
		    (number + 1) * sizeof(word))
			return;
		memcpy(&word, bytes + number * sizeof(word), sizeof(word));
		origin.seed = word - number;
		survey->sectors++;
		if (origin.seed <= UINT32_MAX)
			vote(survey, &origin);
	}
}

/* True if the test compares or changes parts of sectors. */
static bool splits_sectors(const struct plan *plan)
{
	if (!plan->load)
		return plan->geometry.transfer % SECTOR;
	return plan_load_granule(plan) % SECTOR &&
	       (plan->test->check_read || plan_load_has(&plan->pattern, LOAD_WRITE));
}

static int learn_judge(const struct worker *worker, const struct survey *survey,
		       struct content_origin *lesson, struct error *err)
{
	const bool given = worker->plan->test->content_seed != 0;
	const uint64_t expected = is_of_ior((enum content_kind)worker->plan->test->content)
					  ? worker->seed & UINT32_MAX
					  : worker->seed & ~CONTENT_GUEST;
	const struct pile *most = &survey->piles[0];
	uint64_t found;

	if (!survey->count)
		return error_input(
			err,
			"check_read: %s has no stamps, so the expected data is not known: iorx "
			"did not write it, or wrote it with a content without stamps; give that "
			"content, or write it with -w -k",
			worker->path);
	for (unsigned i = 1; i < survey->count; i++)
		if (survey->piles[i].sectors > most->sectors)
			most = &survey->piles[i];
	*lesson = (struct content_origin){.seed = most->seed, .repetition = most->repetition};
	if (survey->of_passes && splits_sectors(worker->plan))
		return error_input(
			err,
			"test_file: %s holds sectors of several passes of a load, and parts of "
			"sectors cannot be compared with their stamps; choose sizes that are "
			"multiples of %d bytes, or another file",
			worker->path, SECTOR);
	found = most->seed & ~CONTENT_GUEST;
	if (given && expected != found)
		return error_input(
			err,
			"content_seed: %s carries seed %" PRIu64 " and %" PRIu64
			" was given (-G); give the seed of the data, or leave -G out, so that it "
			"is learned",
			worker->path, found, expected);
	return 0;
}

/* Opens the file of one task and adds its votes. */
static int survey_file(struct worker *worker, uint32_t file, uint64_t repetition, char *bytes,
		       struct survey *survey, struct error *err)
{
	struct backend_open how;
	struct error ignored;
	int ret;

	plan_path(worker->plan, file, 0, repetition, worker->path);
	how = worker_open(worker, ACCESS_READ);
	memset((void *)worker->file, 0, worker->backend->file_size);
	ret = worker->backend->open(worker->session, worker->file, &how, err);
	if (!ret && is_of_ior((enum content_kind)worker->plan->test->content))
		look_at_ior(worker, bytes, survey);
	else if (!ret)
		take_survey(worker, bytes, survey);
	worker->backend->close(worker->file, &ignored);
	return ret;
}

int learn_from_file(struct worker *worker, uint64_t repetition, struct content_origin *lesson,
		    struct error *err)
{
	uint32_t files = worker->plan->geometry.shared ? 1 : worker->plan->map.tasks;
	char *bytes = aligned_alloc(4096, LOOK_BYTES);
	struct survey survey = {0};
	int ret = 0;

	if (!bytes)
		return error_set(err, ENOMEM, "no memory to look into the file");
	/* A file without any stamp is damaged if another file shows what all should hold. */
	for (uint32_t i = 0; i < files && i < FILES && !survey.count && !ret; i++)
		ret = survey_file(worker, i, repetition, bytes, &survey, err);
	free(bytes);
	return ret ? ret : learn_judge(worker, &survey, lesson, err);
}
