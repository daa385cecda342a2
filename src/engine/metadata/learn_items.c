/* Learns the seed and numbers of small files from their data. */
#include "engine/metadata/learn_items.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/metadata/metadata.h"

enum { MOST_TRIED = 16 };

/* Returns true if the phase compares data of another run, and the data reveals its seed. */
static bool compares_unmade(const struct plan *plan, enum phase_kind kind)
{
	const struct metadata *test = plan->metadata;

	return (kind == PHASE_FILE_READ || kind == PHASE_MIX) && test->verify_read &&
	       !test->create && look_reveals_seed(plan);
}

bool learn_items_is_needed(const struct plan *plan, enum phase_kind kind)
{
	return compares_unmade(plan, kind) && !plan->test->content_seed;
}

/*
 * Learns from the start of the file at worker->path. Returns 1 if it reveals its seed, 0 if not, -1
 * with *err.
 */
static int learn_from_start(struct worker *worker, struct content_origin *lesson, struct error *err)
{
	struct backend_open how = worker_open(worker, ACCESS_READ);
	char bytes[LOOK_BYTES] __attribute__((aligned(4096)));
	uint64_t length = worker->trees->metadata->read_bytes, got = 0, word;
	struct error ignored;
	int ret;

	how.path = worker->path;
	memset((void *)worker->file, 0, worker->backend->file_size);
	ret = worker->backend->open(worker->session, worker->file, &how, err);
	if (!ret)
		got = look_read(worker, bytes, 0, length < LOOK_BYTES ? length : LOOK_BYTES);
	worker->backend->close(worker->file, &ignored);
	if (ret)
		return -1;
	if (worker->trees->test->content == CONTENT_IOR && got >= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		*lesson = (struct content_origin){.seed = word & UINT32_MAX};
		return 1;
	}
	return content_recognise(bytes, got) && content_learn(bytes, lesson);
}

/* Learns from the first of task 0's files that can be opened, as all files have one seed. */
int learn_from_items(struct worker *worker, uint64_t repetition, struct content_origin *lesson,
		     struct error *err)
{
	char target[PLAN_PATH_SIZE];
	const struct item_owner owner = metadata_owner(worker, 0, repetition, target);
	struct item_walk *walk = memory_allocate(1, sizeof(*walk));
	uint64_t items = plan_items_of(worker->trees, 0);
	int ret = -1;

	item_walk_start(walk, &worker->trees->tree, &owner, ITEM_FILE, NULL);
	for (uint64_t item = 0; ret < 0 && item < items && item < MOST_TRIED; item++) {
		item_walk_to(walk, item);
		snprintf(worker->path, sizeof(worker->path), "%s", walk->at.path);
		ret = learn_from_start(worker, lesson, err);
	}
	free(walk);
	if (ret > 0)
		return 0;
	return ret < 0 ? -1
		       : error_input(err,
				     "verify_read: %.300s has no stamp with its seed: iorx "
				     "did not write it, or wrote it with another content, or fewer "
				     "than 32 bytes of it are read; give the seed of the run that "
				     "wrote it (-G)",
				     worker->path);
}

/* Reports a seed other than the given one, by the first file that reveals one. */
static int check_seed(struct worker *worker, struct error *err)
{
	const bool ior = worker->trees->test->content == CONTENT_IOR;
	const uint64_t given = ior ? worker->seed & UINT32_MAX : worker->seed;
	struct content_origin lesson;
	struct error ignored = {0};

	/* Data without a seed is compared in the phase and reported there. */
	if (learn_from_items(worker, 0, &lesson, &ignored) || lesson.seed == given)
		return 0;
	return error_input(
		err,
		"content_seed: %.300s carries seed %" PRIu64 " and %" PRIu64
		" was given (-G); give the seed of the data, or leave -G out, so that it is "
		"learned",
		worker->path, lesson.seed, given);
}

/*
 * Finds by how much the file number in an item's data exceeds the expected one. Returns false if
 * the data has none.
 */
static bool find_shift(struct worker *worker, uint64_t item, int64_t *shift)
{
	char target[PLAN_PATH_SIZE];
	const struct item_owner owner = metadata_owner(worker, worker->task, 0, target);
	struct item_walk *walk = memory_allocate(1, sizeof(*walk));
	struct content_origin origin;
	struct error ignored = {0};

	item_walk_start(walk, &worker->trees->tree, &owner, ITEM_FILE, NULL);
	item_walk_to(walk, item);
	snprintf(worker->path, sizeof(worker->path), "%s", walk->at.path);
	free(walk);
	if (learn_from_start(worker, &origin, &ignored) <= 0)
		return false;
	*shift = (int64_t)origin.file -
		 (int64_t)(uint32_t)(owner.task * worker->trees->tree.items + item);
	return true;
}

/*
 * Files are numbered across tasks, so another -n shifts all numbers of a task alike. A single wrong
 * number is damage.
 */
static int check_numbers(struct worker *worker, struct error *err)
{
	const uint64_t items = worker->trees->tree.items;
	int64_t first, second;

	if (worker->trees->test->content == CONTENT_IOR || !worker->task ||
	    plan_items_of(worker->trees, worker->task) < 2 || !find_shift(worker, 1, &second) ||
	    !find_shift(worker, 0, &first) || first != second || !first || first % worker->task ||
	    (int64_t)items + first / worker->task < 1)
		return 0;
	return error_input(err,
			   "items: the data of %.300s is that of a run with %" PRId64
			   " files of each task, and this test has %" PRIu64
			   "; give the -n and -I that wrote it",
			   worker->path, (int64_t)items + first / worker->task, items);
}

int learn_items_check(struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->trees;
	struct content_origin lesson;

	for (unsigned i = 0; i < plan->phase_count; i++) {
		if (!compares_unmade(plan, plan->phases[i].kind))
			continue;
		if (worker->task)
			return check_numbers(worker, err);
		return plan->test->content_seed ? check_seed(worker, err)
						: learn_from_items(worker, 0, &lesson, err);
	}
	return 0;
}
