/* Directories held open, so that names can be given relative to them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/metadata.h"

enum { HELD_MOST = 512 }; /* half of what a process may usually have open */

/* A directory has one place, by its number; another that needs the place closes it. */
struct directories {
	size_t size; /* of a handle */
	uint64_t count; /* places; one more is for those that are one item behind */
	uint64_t *numbers; /* UINT64_MAX: free */
	char *handles;
};

struct directories *directories_create(const struct worker *worker)
{
	const struct tree *tree = &worker->plan->tree;
	uint64_t all = tree->directories * tree->trees;
	struct directories *made;

	if (worker->plan->metadata->names != NAMES_RELATIVE)
		return NULL;
	made = memory_allocate(1, sizeof(*made));
	made->count = all < HELD_MOST ? all : HELD_MOST;
	made->size = worker->backend->directory_size;
	made->numbers = memory_allocate(made->count + 1, sizeof(*made->numbers));
	made->handles = memory_allocate(made->count + 1, made->size);
	memset(made->numbers, 0xff, (made->count + 1) * sizeof(*made->numbers));
	return made;
}

static struct backend_directory *handle_at(struct directories *directories, uint64_t place)
{
	return (struct backend_directory *)(directories->handles + place * directories->size);
}

static void close_at(struct directories *directories, struct worker *worker, uint64_t place)
{
	struct error ignored;

	if (directories->numbers[place] == UINT64_MAX)
		return;
	/* Nothing was written through it that could be lost. */
	worker->backend->close_directory(handle_at(directories, place), &ignored);
	directories->numbers[place] = UINT64_MAX;
}

struct backend_directory *directories_get(struct directories *directories, struct worker *worker,
					  uint64_t number, bool behind, const char *path,
					  struct error *err)
{
	uint64_t place = behind ? directories->count : number % directories->count;
	struct backend_directory *handle = handle_at(directories, place);
	struct error ignored;

	if (directories->numbers[place] == number)
		return handle;
	close_at(directories, worker, place);
	memset((void *)handle, 0, directories->size);
	if (worker->backend->open_directory(worker->session, handle, path, err)) {
		worker->backend->close_directory(handle, &ignored);
		return NULL;
	}
	directories->numbers[place] = number;
	return handle;
}

bool directories_closes(const struct directories *directories, uint64_t number)
{
	uint64_t held = directories->numbers[number % directories->count];

	return held != UINT64_MAX && held != number;
}

void directories_release(struct directories *directories, struct worker *worker)
{
	if (!directories)
		return;
	for (uint64_t place = 0; place <= directories->count; place++)
		close_at(directories, worker, place);
	free(directories->numbers);
	free(directories->handles);
	free(directories);
}
