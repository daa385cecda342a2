/* The names of a metadata phase, as the backend is given them. */
#include "engine/metadata/naming.h"

#include <errno.h>
#include <string.h>

#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_state.h"

/* Number of the directory of a walk's item, among the directories of all trees. */
static uint64_t directory_number(const struct naming *naming, const struct item_walk *walk)
{
	return walk->position.tree * naming->worker->trees->tree.directories +
	       walk->position.directory;
}

/*
 * Gives the directory of a walk's item and the name in it, or the whole path. On failure the name
 * is NULL.
 */
static int give(struct naming *naming, struct item_walk *walk, bool moved, const char **name,
		struct backend_directory **directory, struct error *err)
{
	struct worker *worker = naming->worker;

	*name = walk->at.path;
	if (!worker->metadata->directories)
		return 0;
	*name = walk->leaf;
	if (!moved && *directory)
		return 0;
	walk->leaf[-1] = '\0';
	*directory = directories_get(worker->metadata->directories, worker, naming->owner,
				     directory_number(naming, walk), walk == &naming->behind,
				     walk->at.path, err);
	walk->leaf[-1] = '/';
	if (*directory)
		return 0;
	*name = NULL;
	return -1;
}

bool naming_closes(const struct naming *naming)
{
	const struct directories *held = naming->worker->metadata->directories;

	return held && directories_closes(held, naming->worker, naming->owner,
					  directory_number(naming, &naming->walk));
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

/* Makes the spare name, in the directory of the first item. */
static void name_spare(struct naming *naming)
{
	const struct item_walk *walk = &naming->walk;
	size_t length = (size_t)(walk->leaf - walk->at.path) + walk->stem_length;

	memcpy(naming->spare, walk->at.path, length);
	memcpy(naming->spare + length, "spare", sizeof("spare"));
	naming->new_name = naming->worker->metadata->directories
				   ? naming->spare + (walk->leaf - walk->at.path)
				   : naming->spare;
	naming->new_directory = naming->directory;
}

/* Returns 1 if the name exists, 0 if not, -1 if unknown. */
static int naming_look(const struct worker *worker, struct backend_directory *directory,
		       const char *name, struct error *err)
{
	struct stat status;

	if (worker->backend->no_storage)
		return 0;
	if (!worker->backend->stat(worker->session, directory, name, &status, err))
		return 1;
	return err->code == ENOENT ? 0 : -1;
}

static int check_free(const struct naming *naming, struct error *err)
{
	struct error why = {0};
	int there = naming_look(naming->worker, NULL, naming->spare, &why);

	if (!there)
		return 0;
	if (there < 0)
		return error_set(err, why.code, "rename: %.400s: %.300s", why.text, naming->spare);
	return error_set(err, EEXIST,
			 "rename: an item that an earlier ring of renames left has the spare name "
			 "%.300s; give it the name that is missing, or remove the tree",
			 naming->spare);
}

int naming_check_spare(struct worker *worker, const struct phase_plan *phase, uint32_t owner,
		       uint64_t repetition, struct error *err)
{
	struct naming naming;

	naming.directory = NULL;
	naming_start(&naming, worker, phase, owner, repetition, 1);
	item_walk_to(&naming.walk, 0);
	name_spare(&naming);
	return check_free(&naming, err);
}

/* The first item's name was looked at before the time began. */
static int begin_ring(struct naming *naming, uint64_t at, struct error *err)
{
	naming->ring.first = at;
	name_spare(naming);
	return at ? check_free(naming, err) : 0;
}

static uint64_t free_before(const struct ring *ring, uint64_t at)
{
	return ring->past_failure >= at ? ring->free : at - 1;
}

static int give_behind(struct naming *naming, uint64_t at, struct error *err)
{
	bool is_next = at && at == naming->ring.behind_at + 1;
	bool moved =
		is_next ? item_walk_step(&naming->behind, at) : item_walk_to(&naming->behind, at);

	naming->ring.behind_at = at;
	return give(naming, &naming->behind, moved, &naming->new_name, &naming->new_directory, err);
}

int naming_give_new(struct naming *naming, uint64_t at, struct error *err)
{
	uint64_t from = free_before(&naming->ring, at);

	return from == NO_ITEM ? begin_ring(naming, at, err) : give_behind(naming, from, err);
}

bool naming_failed_rename(struct naming *naming, uint64_t at)
{
	struct ring *ring = &naming->ring;
	struct error ignored = {0};
	int there;

	ring->free = free_before(ring, at);
	ring->past_failure = at + 1;
	if (!naming->name || !naming->new_name)
		return true; /* the rename was not tried */
	there = naming_look(naming->worker, naming->new_directory, naming->new_name, &ignored);
	if (!there)
		return true;
	/* Some storage carries out a rename and reports a failure. */
	if (there == 1 && !naming_look(naming->worker, naming->directory, naming->name, &ignored)) {
		ring->free = at;
		return true;
	}
	ring->broken = ring->free != NO_ITEM;
	return false;
}

int naming_close_ring(struct naming *naming, uint64_t done, struct error *err)
{
	uint64_t last = free_before(&naming->ring, done);

	if (last == NO_ITEM)
		return 0;
	if (naming->ring.broken)
		return error_set(err, 0, "rename: nobody can say which name is free");
	item_walk_to(&naming->walk, naming->ring.first);
	if (naming_give(naming, true, err))
		return -1;
	name_spare(naming);
	naming->name = naming->new_name;
	naming->new_directory = NULL;
	return give_behind(naming, last, err) ? -1 : 1;
}

static bool goes_at_random(const struct metadata *test, enum phase_kind kind)
{
	unsigned stride = phase_traits[kind].stride;

	return stride && test->random >= (stride == 1 ? 1 : 2);
}

void naming_start(struct naming *naming, struct worker *worker, const struct phase_plan *phase,
		  uint32_t owner, uint64_t repetition, uint64_t count)
{
	const struct metadata *test = worker->trees->metadata;
	const struct item_owner whose = metadata_owner(worker, owner, repetition, naming->target);
	enum item_kind kind = phase_traits[phase->kind].of_files ? ITEM_FILE : ITEM_DIRECTORY;
	bool random = count > 1 && goes_at_random(test, phase->kind);

	naming->worker = worker;
	naming->repetition = repetition;
	naming->owner = test->shared_file ? 0 : owner;
	naming->count = count;
	if (random)
		order_init(&naming->order, count,
			   order_seed((uint64_t)test->random_seed + repetition, owner));
	item_walk_start(&naming->walk, &worker->trees->tree, &whose, kind,
			random ? &naming->order : NULL);
	item_walk_start(&naming->behind, &worker->trees->tree, &whose, kind,
			random ? &naming->order : NULL);
	naming->ring = (struct ring){.free = NO_ITEM, .behind_at = NO_ITEM};
	naming->listing = phase->kind == PHASE_LIST ? metadata_listing(worker->trees, owner)
						    : (struct listing){.step = 1};
	naming->trees = phase->kind == PHASE_TREE_CREATE || phase->kind == PHASE_TREE_REMOVE ||
			phase->kind == PHASE_LIST;
	naming->backwards = phase->kind == PHASE_TREE_REMOVE;
}
