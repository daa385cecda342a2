/* Directories held open, so that names can be given relative to them. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/metadata/metadata.h"

enum { HELD_MOST = 512 }; /* half of what a process may usually have open */

/* Identifies a directory: owner of its tree, and its number in all trees of the owner. */
struct key {
	uint64_t number; /* UINT64_MAX: none */
	uint32_t owner;
};

/*
 * Cache of open directories. A directory's number selects its slot, and another directory that
 * needs the slot closes it.
 */
struct directories {
	size_t size;	/* size of a handle */
	uint64_t count; /* slots; one more holds the directory of `behind` */
	struct key *keys;
	char *handles;
};

struct directories *directories_create(const struct worker *worker)
{
	const struct tree *tree = &worker->trees->tree;
	const size_t alignment = _Alignof(max_align_t);
	uint64_t all = tree->directories * tree->trees;
	struct directories *made;

	if (worker->trees->metadata->names != NAMES_RELATIVE)
		return NULL;
	made = memory_allocate(1, sizeof(*made));
	made->count = all < HELD_MOST ? all : HELD_MOST;
	/* Handles of any backend stand in one aligned array. */
	made->size = (worker->backend->directory_size + alignment - 1) / alignment * alignment;
	made->keys = memory_allocate(made->count + 1, sizeof(*made->keys));
	made->handles = memory_allocate(made->count + 1, made->size);
	for (uint64_t slot = 0; slot <= made->count; slot++)
		made->keys[slot].number = UINT64_MAX;
	return made;
}

static struct backend_directory *handle_at(struct directories *directories, uint64_t slot)
{
	return (struct backend_directory *)(directories->handles + slot * directories->size);
}

static void close_at(struct directories *directories, struct worker *worker, uint64_t slot)
{
	struct error ignored;

	if (directories->keys[slot].number == UINT64_MAX)
		return;
	/* A failed close loses nothing, as no data was written through the handle. */
	worker->backend->close_directory(handle_at(directories, slot), &ignored);
	directories->keys[slot].number = UINT64_MAX;
}

/* Tasks that share a tree share its directories. */
static uint32_t tree_of(const struct plan *plan, uint32_t owner)
{
	return plan->metadata->unique_dir ? owner : plan_base_of(plan, owner, 0);
}

struct backend_directory *directories_get(struct directories *directories, struct worker *worker,
					  uint32_t owner, uint64_t number, bool behind,
					  const char *path, struct error *err)
{
	uint32_t whose = tree_of(worker->trees, owner);
	uint64_t slot = behind ? directories->count : number % directories->count;
	struct backend_directory *handle = handle_at(directories, slot);
	struct error ignored;

	if (directories->keys[slot].number == number && directories->keys[slot].owner == whose)
		return handle;
	close_at(directories, worker, slot);
	memset((void *)handle, 0, directories->size);
	if (worker->backend->open_directory(worker->session, handle, path, err)) {
		worker->backend->close_directory(handle, &ignored);
		return NULL;
	}
	directories->keys[slot] = (struct key){number, whose};
	return handle;
}

bool directories_closes(const struct directories *directories, const struct worker *worker,
			uint32_t owner, uint64_t number)
{
	const struct key *held = &directories->keys[number % directories->count];

	return held->number != UINT64_MAX &&
	       (held->number != number || held->owner != tree_of(worker->trees, owner));
}

void directories_release(struct directories *directories, struct worker *worker)
{
	if (!directories)
		return;
	for (uint64_t slot = 0; slot <= directories->count; slot++)
		close_at(directories, worker, slot);
	free(directories->keys);
	free(directories->handles);
	free(directories);
}
