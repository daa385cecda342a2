/* What data says of itself: some sectors are looked at, and most of them decide. */
#include "engine/learn.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/metadata.h"

enum { LOOK = 8 * SECTOR, PLACES = 16, FIRST_PLACES = 4, PILES = 8 };

/* Sectors that say the same. */
struct pile {
	uint64_t seed;
	uint32_t repetition;
	unsigned sectors;
};

struct survey {
	struct pile piles[PILES];
	unsigned count; /* of piles */
	unsigned sectors;
};

static bool content_says_seed(const struct plan *plan)
{
	const enum content_kind kind = (enum content_kind)plan->test->content;

	return kind == CONTENT_STAMPED || kind == CONTENT_RANDOM || kind == CONTENT_IOR;
}

bool learn_is_needed(const struct plan *plan)
{
	return !plan->test->write_file && content_says_seed(plan);
}

bool learn_is_needed_of_names(const struct plan *plan, enum phase_kind kind)
{
	const struct metadata *test = plan->metadata;

	return (kind == PHASE_FILE_READ || kind == PHASE_MIX) && test->verify_read && !test->create &&
	       !plan->test->content_seed && content_says_seed(plan);
}

static void vote(struct survey *survey, const struct content_origin *origin)
{
	unsigned i = 0;

	/* Of a write that was cut it says nothing. */
	if (origin->repetition == CONTENT_PREFILL)
		return;
	while (i < survey->count && (survey->piles[i].seed != origin->seed ||
				     survey->piles[i].repetition != origin->repetition))
		i++;
	if (i == PILES)
		return;
	if (i == survey->count)
		survey->piles[survey->count++] =
			(struct pile){.seed = origin->seed, .repetition = origin->repetition};
	survey->piles[i].sectors++;
}

/* Bytes of the file's part [offset, offset + length) from its start on, in pieces of its transfers. */
static uint64_t read_part(struct worker *worker, char *bytes, uint64_t offset, uint64_t length)
{
	const struct geometry *geometry = &worker->plan->geometry;
	struct transfer piece = {.count = 1, .access = ACCESS_READ};
	uint64_t done = 0;
	struct error ignored = {0};

	while (done < length) {
		uint64_t block = (offset + done) / geometry->block;

		piece.buffer = bytes + done;
		piece.offset = offset + done;
		piece.length = geometry->transfer - piece.offset % geometry->transfer;
		if (piece.length > length - done)
			piece.length = length - done;
		piece.segment = geometry->shared ? block / geometry->tasks : block;
		piece.block = geometry->shared ? block % geometry->tasks : 0;
		int64_t moved = worker->backend->transfer(worker->file, &piece, &ignored);

		if (moved <= 0)
			break;
		done += (uint64_t)moved;
	}
	return done;
}

static void look_at(struct worker *worker, uint64_t offset, char *bytes, struct survey *survey)
{
	uint64_t left = worker->plan->file_size - offset;
	uint64_t got;

	memset(bytes, 0, LOOK);
	got = read_part(worker, bytes, offset, left < LOOK ? left : LOOK);
	for (uint64_t at = 0; at + SECTOR <= got; at += SECTOR) {
		struct content_origin origin;

		survey->sectors++;
		if (content_learn(bytes + at, &origin))
			vote(survey, &origin);
	}
}

static bool agrees(const struct survey *survey)
{
	return survey->count == 1 && survey->piles[0].sectors == survey->sectors;
}

/* Where the start and some other places agree they are enough; else more of them have a say. */
static void take_survey(struct worker *worker, char *bytes, struct survey *survey)
{
	uint64_t step = worker->plan->file_size / PLACES / LOOK * LOOK;

	look_at(worker, 0, bytes, survey);
	for (uint64_t i = 1; i < PLACES && step; i++) {
		if (i == FIRST_PLACES && agrees(survey))
			return;
		/* every fourth, then those between */
		look_at(worker, (i * FIRST_PLACES % PLACES + i / FIRST_PLACES) * step, bytes, survey);
	}
}

/* IOR's transfers of task 0 begin with its seed; of the repetition they say nothing. */
static void look_at_ior(struct worker *worker, char *bytes, struct survey *survey)
{
	const struct geometry *geometry = &worker->plan->geometry;
	uint64_t length = geometry->transfer < LOOK ? geometry->transfer : LOOK, word;

	for (uint64_t i = 0; i < PLACES && i < geometry->block / geometry->transfer; i++) {
		struct content_origin origin = {0};

		if (read_part(worker, bytes, i * geometry->transfer, length) < sizeof(word))
			return;
		memcpy(&word, bytes, sizeof(word));
		origin.seed = word;
		survey->sectors++;
		if (word <= UINT32_MAX)
			vote(survey, &origin);
	}
}

/* What is the same in any run counts for nothing: holes of a write that was cut. */
static bool is_zeros(const char *bytes, uint64_t length)
{
	return !length || (!bytes[0] && !memcmp(bytes, bytes + 1, length - 1));
}

/* Whether the transfer that starts there does not speak against IOR's data; *places: how many speak for it. */
static bool agrees_with_ior(struct worker *worker, struct content *content, uint64_t offset,
			    char *bytes, unsigned *places)
{
	const uint64_t transfer = worker->plan->geometry.transfer;
	const uint64_t length = transfer < LOOK ? transfer : LOOK;
	uint64_t word = 0;

	if (read_part(worker, bytes, offset, length) < length)
		return false;
	if (is_zeros(bytes, length))
		return true;
	memcpy(&word, bytes, length < sizeof(word) ? length : sizeof(word));
	/* Whatever seed it was: the first place teaches it, the others must have it. */
	if (!(*places)++)
		content_reseed(content, word & UINT32_MAX);
	return content_check(content, bytes, offset, length);
}

/* A file of one transfer may be zeros by IOR's rule: then all of it is looked at. */
static bool agrees_entirely(struct worker *worker, const struct content *content, char *bytes)
{
	const uint64_t transfer = worker->plan->geometry.transfer;

	for (uint64_t offset = 0, length; offset < transfer; offset += length) {
		length = transfer - offset < LOOK ? transfer - offset : LOOK;
		if (read_part(worker, bytes, offset, length) < length ||
		    !content_check(content, bytes, offset, length))
			return false;
	}
	return true;
}

static bool agrees_all_over(struct worker *worker, uint64_t transfers, char *bytes)
{
	const struct geometry *geometry = &worker->plan->geometry;
	struct content content = {
		.kind = (enum content_kind)worker->plan->test->content,
		.file = geometry->shared ? 0 : worker->task,
		.layout = {geometry->tasks, geometry->block, geometry->transfer, geometry->shared},
	};
	uint64_t looks = transfers < PLACES ? transfers : PLACES;
	unsigned places = 0;

	for (uint64_t i = 0; i < looks; i++) {
		uint64_t number = i == looks - 1 ? transfers - 1 : i * (transfers / looks);

		if (!agrees_with_ior(worker, &content, number * geometry->transfer, bytes, &places))
			return false;
	}
	return places > 0 || (transfers == 1 && agrees_entirely(worker, &content, bytes));
}

bool learn_recognises_ior(struct worker *worker, uint64_t size)
{
	const enum content_kind kind = (enum content_kind)worker->plan->test->content;
	const uint64_t whole = worker->plan->file_size;
	struct backend_open how = worker_open(worker, ACCESS_READ);
	struct error ignored;
	bool agrees = false;

	if ((kind != CONTENT_IOR && kind != CONTENT_IOR_OFFSET) ||
	    (!worker->backend->own_format && size > whole))
		return false;
	if (worker->backend->own_format)
		size = whole;
	char *bytes = aligned_alloc(4096, LOOK);

	if (!bytes)
		return false;
	memset((void *)worker->file, 0, worker->backend->file_size);
	if (!worker->backend->open(worker->session, worker->file, &how, &ignored))
		agrees = agrees_all_over(worker, size / worker->plan->geometry.transfer, bytes);
	worker->backend->close(worker->file, &ignored);
	free(bytes);
	return agrees;
}

static int judge(const struct worker *worker, const struct survey *survey,
		 struct content_origin *lesson, struct error *err)
{
	const bool given = worker->plan->test->content_seed != 0;
	const uint64_t expected = worker->plan->test->content == CONTENT_IOR ?
					  worker->seed & UINT32_MAX :
					  worker->seed;
	const struct pile *most = &survey->piles[0];

	if (!survey->count)
		return error_input(err, "check_read: %s holds nothing that says where it belongs: "
					"iorx did not write it, or wrote it with a content that "
					"does not say it; name that content, or write it with -w -k",
				   worker->path);
	for (unsigned i = 1; i < survey->count; i++)
		if (survey->piles[i].sectors > most->sectors)
			most = &survey->piles[i];
	*lesson = (struct content_origin){.seed = most->seed, .repetition = most->repetition};
	if (given && expected != most->seed)
		return error_input(err, "content_seed: %s carries seed %" PRIu64 " and %" PRIu64
					" was given (-G); give that of the data, or leave it out: it is "
					"learned then",
				   worker->path, most->seed, expected);
	return 0;
}

int learn_from_file(struct worker *worker, uint64_t repetition, struct content_origin *lesson,
		    struct error *err)
{
	struct backend_open how = worker_open(worker, ACCESS_READ);
	char *bytes = aligned_alloc(4096, LOOK);
	struct survey survey = {0};
	struct error ignored;
	int ret;

	if (!bytes)
		return error_set(err, ENOMEM, "no memory to look into the file");
	plan_path(worker->plan, 0, repetition, worker->path);
	memset((void *)worker->file, 0, worker->backend->file_size);
	ret = worker->backend->open(worker->session, worker->file, &how, err);
	if (!ret && worker->plan->test->content == CONTENT_IOR)
		look_at_ior(worker, bytes, &survey);
	else if (!ret)
		take_survey(worker, bytes, &survey);
	worker->backend->close(worker->file, &ignored);
	free(bytes);
	return ret ? ret : judge(worker, &survey, lesson, err);
}

/* What stands at the start of the file at worker->path; 0: it says nothing of its seed. */
static int learn_from_start(struct worker *worker, struct content_origin *lesson, struct error *err)
{
	struct backend_open how = worker_open(worker, ACCESS_READ);
	char bytes[LOOK] __attribute__((aligned(4096)));
	uint64_t length = worker->plan->metadata->read_bytes, got = 0, word;
	struct error ignored;
	int ret;

	how.path = worker->path;
	memset((void *)worker->file, 0, worker->backend->file_size);
	ret = worker->backend->open(worker->session, worker->file, &how, err);
	if (!ret)
		got = read_part(worker, bytes, 0, length < LOOK ? length : LOOK);
	worker->backend->close(worker->file, &ignored);
	if (ret)
		return -1;
	if (worker->plan->test->content == CONTENT_IOR && got >= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		*lesson = (struct content_origin){.seed = word & UINT32_MAX};
		return 1;
	}
	return content_recognise(bytes, got) && content_learn(bytes, lesson);
}

/* Of task 0's first files the first that can be opened; all have one seed. */
static int learn_from_items(struct worker *worker, uint64_t repetition, struct content_origin *lesson,
			    struct error *err)
{
	char target[PLAN_PATH_SIZE];
	const struct item_owner owner = metadata_owner(worker, 0, repetition, target);
	struct item_walk *walk = memory_allocate(1, sizeof(*walk));
	uint64_t items = plan_items_of(worker->plan, 0);
	int ret = -1;

	item_walk_start(walk, &worker->plan->tree, &owner, ITEM_FILE, NULL);
	for (uint64_t item = 0; ret < 0 && item < items && item < PLACES; item++) {
		item_walk_to(walk, item);
		snprintf(worker->path, sizeof(worker->path), "%s", walk->at.path);
		ret = learn_from_start(worker, lesson, err);
	}
	free(walk);
	if (ret > 0)
		return 0;
	return ret < 0 ? -1
		       : error_input(err, "verify_read: %.300s holds nothing that says its seed: iorx did not write "
					  "it, or wrote it with another content, or fewer than 32 bytes of it "
					  "are read; give the seed of the run that wrote it (-G)",
				     worker->path);
}

int learn_check_names(struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->plan;
	struct content_origin lesson;

	for (unsigned i = 0; i < plan->phase_count && worker->task == 0; i++)
		if (learn_is_needed_of_names(plan, plan->phases[i].kind))
			return learn_from_items(worker, 0, &lesson, err);
	return 0;
}

void learn_together(struct worker *worker, uint64_t repetition, struct content_origin *lesson)
{
	struct error err = {0};

	*lesson = (struct content_origin){0};
	node_say(worker->node, ACTIVITY_NAMES);
	if (worker->task == 0 && (worker->plan->metadata ? learn_from_items : learn_from_file)(
					 worker, repetition, lesson, &err))
		worker_fail(worker, &err, "learn", UINT64_MAX, 0);
	node_say(worker->node, ACTIVITY_WAITING);
	comm_share_fixed(worker->comm, lesson, sizeof(*lesson), worker->idle);
}
