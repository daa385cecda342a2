/* Checks whether a path exists and what a directory holds. */
#include "engine/metadata/entries.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct list_sink {
	uint64_t count;
	const char *but;
	entry_wanted *wanted;
	uint64_t skip;
	size_t most;
	struct text *names;
};

static bool count_entry(struct list_sink *sink, const char *name, enum entry_kind kind)
{
	sink->count++;
	return true;
}

static bool count_other(struct list_sink *sink, const char *name, enum entry_kind kind)
{
	sink->count += strcmp(name, sink->but) != 0;
	return true;
}

static bool take(struct list_sink *sink, const char *name, enum entry_kind kind)
{
	if (!sink->wanted(name, kind))
		return true;
	if (sink->skip)
		sink->skip--;
	else
		text_add_bytes(sink->names, name, strlen(name) + 1);
	return sink->names->length < sink->most;
}

static bool end_at_once(struct list_sink *sink, const char *name, enum entry_kind kind)
{
	return false;
}

int entries_have(struct worker *worker, const char *path, struct error *err)
{
	struct stat status;

	if (!worker->backend->stat(worker->session, NULL, path, &status, err))
		return 1;
	if (err->code != ENOENT && err->code != ENOTDIR)
		return -1;
	err->kind = ERROR_NONE;
	return 0;
}

int entries_count(struct worker *worker, const char *path, const char *but, uint64_t *count,
		  struct error *err)
{
	struct list_sink sink = {.but = but};
	int ret = worker->backend->list(worker->session, NULL, path,
					but ? count_other : count_entry, &sink, err);

	*count = sink.count;
	return ret;
}

int entries_can_list(struct worker *worker, const char *path, struct error *err)
{
	struct list_sink sink = {0};

	return worker->backend->list(worker->session, NULL, path, end_at_once, &sink, err);
}

int entries_take(struct worker *worker, const char *path, entry_wanted *wanted, uint64_t skip,
		 size_t most, struct text *names, struct error *err)
{
	struct list_sink sink = {.wanted = wanted, .skip = skip, .most = most, .names = names};

	return worker->backend->list(worker->session, NULL, path, take, &sink, err);
}
