/* Whether directories of a metadata test are one, whatever leads to them. */
#include "engine/names/same_directory.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/near.h"
#include "base/text.h"

/* Where a directory is or will be: below one that is there, by the names that are missing. */
struct place {
	dev_t device;
	ino_t node;
	char *missing;
};

static void find_place(const char *path, struct place *place)
{
	char near[NEAR_SIZE];
	struct stat status;
	const char *missing = path;

	/* What nobody can look at is told when it is used. */
	if (near_path(path, near, &status))
		status = (struct stat){0};
	else if (strcmp(near, "."))
		missing += strlen(near);
	*place = (struct place){status.st_dev, status.st_ino, text_copy(missing)};
}

static bool is_same(const struct place *a, const struct place *b)
{
	return a->device == b->device && a->node == b->node && plan_same_path(a->missing, b->missing);
}

static int compare(const struct plan *plan, const struct place *places, uint32_t count, struct error *err)
{
	char one[PLAN_PATH_SIZE], other[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < count; i++) {
		if (!is_same(&places[i], &places[count]))
			continue;
		plan_base(plan, i, one);
		plan_base(plan, count, other);
		return error_input(err, "dir: %.300s and %.300s are the same directory, as a link or a mount "
					"leads there; each directory once", one, other);
	}
	return 0;
}

int same_directory_check(struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->plan;
	struct place *places;
	char path[PLAN_PATH_SIZE];
	int ret = 0;

	if (worker->task || !worker->backend->files || plan->path_count < 2)
		return 0;
	places = memory_allocate(plan->path_count, sizeof(*places));
	for (uint32_t i = 0; i < plan->path_count && !ret; i++) {
		plan_base(plan, i, path);
		find_place(path, &places[i]);
		ret = compare(plan, places, i, err);
	}
	for (uint32_t i = 0; i < plan->path_count; i++)
		free(places[i].missing);
	free(places);
	return ret;
}
