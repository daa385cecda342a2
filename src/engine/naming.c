/* The names of a metadata phase, as the backend is given them. */
#include "engine/naming.h"

#include <string.h>

#include "engine/metadata.h"

/* Of a walk's item, among those of all trees. */
static uint64_t directory_number(const struct naming *naming, const struct item_walk *walk)
{
	return walk->place.tree * naming->worker->plan->tree.directories + walk->place.directory;
}

/* The directory of a walk's item and the name in it, or the whole path; on failure there is no name. */
static int give(struct naming *naming, struct item_walk *walk, bool moved, const char **name,
		struct backend_directory **directory, struct error *err)
{
	struct worker *worker = naming->worker;

	*name = walk->at.path;
	if (!worker->directories)
		return 0;
	*name = walk->leaf;
	if (!moved && *directory)
		return 0;
	walk->leaf[-1] = '\0';
	*directory = directories_get(worker->directories, worker, directory_number(naming, walk),
				     walk == &naming->behind, walk->at.path, err);
	walk->leaf[-1] = '/';
	if (*directory)
		return 0;
	*name = NULL;
	return -1;
}

bool naming_closes(const struct naming *naming)
{
	const struct directories *held = naming->worker->directories;

	return held && directories_closes(held, directory_number(naming, &naming->walk));
}

const char *naming_path(struct naming *naming, uint64_t at)
{
	item_walk_to(&naming->behind, at);
	return naming->behind.at.path;
}

int naming_give(struct naming *naming, bool moved, struct error *err)
{
	return give(naming, &naming->walk, moved, &naming->name, &naming->directory, err);
}

void naming_give_tree(struct naming *naming, uint64_t at)
{
	uint64_t directories = naming->walk.at.tree->directories;

	if (naming->backwards)
		at = naming->count - 1 - at;
	at = naming->listing.first + at * naming->listing.step;
	naming->walk.index = at;
	tree_path_directory(&naming->walk.at, at / directories, at % directories);
	naming->name = naming->walk.at.path;
}

/* In the directory of the first item. */
static void name_spare(struct naming *naming)
{
	const struct item_walk *walk = &naming->walk;
	size_t length = (size_t)(walk->leaf - walk->at.path) + walk->stem_length;

	memcpy(naming->spare, walk->at.path, length);
	memcpy(naming->spare + length, "spare", sizeof("spare"));
	naming->new_name = naming->worker->directories
				   ? naming->spare + (walk->leaf - walk->at.path)
				   : naming->spare;
	naming->new_directory = naming->directory;
}

int naming_give_new(struct naming *naming, uint64_t at, struct error *err)
{
	bool moved;

	if (at == 0) {
		name_spare(naming);
		return 0;
	}
	moved = at > 1 ? item_walk_step(&naming->behind, at - 1) : item_walk_to(&naming->behind, 0);
	return give(naming, &naming->behind, moved || at == 1, &naming->new_name,
		    &naming->new_directory, err);
}

int naming_close_ring(struct naming *naming, uint64_t done, struct error *err)
{
	const char *spare;
	struct backend_directory *first;

	item_walk_to(&naming->walk, 0);
	if (naming_give(naming, true, err))
		return -1;
	name_spare(naming);
	spare = naming->new_name;
	first = naming->new_directory;
	item_walk_to(&naming->behind, done - 1);
	if (give(naming, &naming->behind, true, &naming->new_name, &naming->new_directory, err))
		return -1;
	naming->name = spare;
	naming->directory = first;
	return 0;
}

static bool goes_at_random(const struct metadata *test, enum phase_kind kind)
{
	unsigned stride = phase_stride(kind);

	return stride && test->random >= (stride == 1 ? 1 : 2);
}

void naming_start(struct naming *naming, struct worker *worker, const struct phase_plan *phase,
		  uint32_t owner, uint64_t repetition, uint64_t count)
{
	const struct metadata *test = worker->plan->metadata;
	const struct item_owner whose = metadata_owner(worker, owner, repetition, naming->target);
	enum item_kind kind = phase_is_of_files(phase->kind) ? ITEM_FILE : ITEM_DIRECTORY;
	bool random = count > 1 && goes_at_random(test, phase->kind);

	naming->worker = worker;
	naming->repetition = repetition;
	naming->owner = test->shared_file ? 0 : owner;
	naming->count = count;
	if (random)
		order_init(&naming->order, count,
			   order_seed((uint64_t)test->random_seed + repetition, owner));
	item_walk_start(&naming->walk, &worker->plan->tree, &whose, kind,
			random ? &naming->order : NULL);
	item_walk_start(&naming->behind, &worker->plan->tree, &whose, kind,
			random ? &naming->order : NULL);
	naming->listing = phase->kind == PHASE_LIST ? metadata_listing(worker)
						    : (struct listing){.step = 1};
	naming->trees = phase->kind == PHASE_TREE_CREATE || phase->kind == PHASE_TREE_REMOVE ||
			phase->kind == PHASE_LIST;
	naming->backwards = phase->kind == PHASE_TREE_REMOVE;
}
