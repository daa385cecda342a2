/* Files with data as items: made, read and compared by one call of the loop each. */

#include "engine/metadata/small_files.h"
#include "engine/metadata/metadata_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct transfer whole(const struct worker *worker, enum access access, uint64_t bytes)
{
	return (struct transfer){
		.buffer = worker->buffer.bytes,
		.length = bytes,
		.block = worker->task,
		.count = 1,
		.access = access,
	};
}

/*
 * Counts one call. The first access to a file has no predecessor, so only calls for its rest are
 * sequential.
 */
static void small_files_count_call(struct worker *worker, const struct transfer *rest,
				   uint64_t bytes, uint64_t moved)
{
	struct counters *counters = &worker->measure->counters;
	struct access_counters *of = counters_of(counters, rest->access);

	if (moved == bytes) {
		worker->metadata->small.whole[rest->access]++;
		return;
	}
	counters_add_calls(counters, of, moved, 1);
	of->consecutive += rest->offset > 0;
	of->sequential += rest->offset > 0;
	counters->misaligned += (rest->offset & (worker->alignment - 1)) != 0;
}

/* Moves all bytes in as many calls as needed. */
static int move_at(struct worker *worker, enum access access, uint64_t offset, uint64_t bytes,
		   struct error *err)
{
	struct transfer rest = whole(worker, access, bytes);

	rest.offset = offset;
	while (rest.length) {
		int64_t moved = worker->backend->transfer(worker->item, &rest, err);

		if (moved < 0)
			return -1;
		small_files_count_call(worker, &rest, bytes, (uint64_t)moved);
		if (moved == 0)
			return error_set(err, 0, "short %s: the file ends %llu bytes early",
					 access == ACCESS_READ ? "read" : "write",
					 (unsigned long long)rest.length);
		rest.buffer = (char *)rest.buffer + moved;
		rest.offset += (uint64_t)moved;
		rest.length -= (uint64_t)moved;
	}
	return 0;
}

static int small_files_move(struct worker *worker, enum access access, uint64_t bytes,
			    struct error *err)
{
	return move_at(worker, access, 0, bytes, err);
}

static int small_files_open_file(struct worker *worker, struct backend_directory *directory,
				 const char *name, enum access access, bool create,
				 struct error *err)
{
	struct backend_open how = worker_open(worker, access);

	how.path = name;
	how.directory = directory;
	how.create = how.exclusive = create;
	how.transfer_size = worker->trees->transfer_bytes;
	how.file_size = worker->trees->file_size;
	how.shared = false;
	memset((void *)worker->item, 0, worker->backend->file_size);
	return worker->backend->open(worker->session, worker->item, &how, err);
}

/* The first failure is reported. */
static int small_files_close_file(struct worker *worker, int ret, struct error *err)
{
	struct error late = {0};

	if (!worker->backend->close(worker->item, &late) || ret)
		return ret;
	*err = late;
	return -1;
}

static void keep_first(void *context, const struct content_damage *damage)
{
	struct content_damage *first = context;

	if (!first->length)
		*first = *damage;
}

enum { MEANING = 160 };

/* Describes the data found instead, as far as its stamps tell. */
static const char *describe(const struct content *content, const struct content_damage *damage,
			    char *text)
{
	const struct content_origin *origin = &damage->origin;

	if (damage->kind == DAMAGE_OTHER_RUN)
		snprintf(text, MEANING, "carry seed %" PRIu64 ", and %" PRIu64 " was expected (-G)",
			 origin->seed, content->seed);
	else if (damage->kind == DAMAGE_MISPLACED && origin->file != content->file)
		snprintf(text, MEANING,
			 "are of file %" PRIu32 ", and file %" PRIu32
			 " was expected: misplaced, or written with another -n",
			 origin->file, content->file);
	else if (damage->kind == DAMAGE_STALE)
		snprintf(text, MEANING,
			 "are of repetition %" PRIu32 ", and %" PRIu32 " was expected",
			 origin->repetition, content->repetition);
	else
		snprintf(text, MEANING, "are wrong (%s)", damage_kind_name(damage->kind));
	return text;
}

int small_file_compare(const struct worker *worker, uint64_t bytes, struct error *err)
{
	struct content_damage first = {0};
	char text[MEANING];

	if (content_check(&worker->metadata->content, worker->buffer.bytes, 0, bytes))
		return 0;
	content_examine(&worker->metadata->content, worker->buffer.bytes, 0, bytes, keep_first,
			&first);
	return error_set(err, 0,
			 "the data is not what was written: from byte %" PRIu64 " on %" PRIu64
			 " bytes %s",
			 first.offset, first.wrong_bytes,
			 describe(&worker->metadata->content, &first, text));
}

/* Reads the file back. Returns 1 if it holds other data. */
static int read_back(struct worker *worker, uint64_t bytes, struct error *err)
{
	content_spoil(worker->buffer.bytes, bytes);
	worker->metadata->small.turns++;
	if (small_files_move(worker, ACCESS_READ, bytes, err))
		return -1;
	return small_file_compare(worker, bytes, err) ? 1 : 0;
}

void small_file_fill(struct worker *worker, uint32_t number, uint64_t repetition, uint64_t bytes)
{
	content_select(&worker->metadata->content, number, (uint32_t)repetition);
	content_fill(&worker->metadata->content, worker->buffer.bytes, 0, bytes);
}

void small_file_spoil(struct worker *worker, uint32_t number, uint64_t repetition, uint64_t bytes)
{
	content_select(&worker->metadata->content, number, (uint32_t)repetition);
	content_spoil(worker->buffer.bytes, bytes);
}

/* Returns true if a create with this error made no file: a file of that name is then foreign. */
static bool makes_nothing(int code)
{
	return code == EEXIST || code == EMFILE || code == ENFILE || code == ENOMEM;
}

void small_file_take_back(struct worker *worker, struct backend_directory *directory,
			  const char *name, const struct error *err)
{
	struct error ignored;

	if (makes_nothing(err->code) || !worker->backend->remove)
		return;
	worker->backend->remove(worker->session, directory, name, &ignored);
}

int small_file_create(struct worker *worker, struct backend_directory *directory, const char *name,
		      struct error *err)
{
	const struct metadata *test = worker->trees->metadata;
	int ret = small_files_open_file(worker, directory, name, ACCESS_WRITE, true, err);

	if (!ret)
		ret = small_files_move(worker, ACCESS_WRITE, test->write_bytes, err);
	if (!ret && test->fsync) {
		ret = worker->backend->sync(worker->item, err);
		worker->metadata->small.syncs += !ret;
	}
	if (!ret && test->verify_write)
		ret = read_back(worker, test->write_bytes, err);
	ret = small_files_close_file(worker, ret, err);
	if (ret < 0)
		small_file_take_back(worker, directory, name, err);
	return ret;
}

int small_file_read(struct worker *worker, struct backend_directory *directory, const char *name,
		    struct error *err)
{
	int ret = small_files_open_file(worker, directory, name, ACCESS_READ, false, err);

	if (!ret)
		ret = small_files_move(worker, ACCESS_READ, worker->trees->metadata->read_bytes,
				       err);
	return small_files_close_file(worker, ret, err);
}

int small_file_write(struct worker *worker, const char *name, bool reads_first, struct error *err)
{
	const uint64_t bytes = worker->trees->metadata->write_bytes;
	int ret = small_files_open_file(worker, NULL, name, ACCESS_WRITE, false, err);

	if (!ret && reads_first)
		ret = small_files_move(worker, ACCESS_READ, bytes, err);
	if (!ret)
		ret = small_files_move(worker, ACCESS_WRITE, bytes, err);
	return small_files_close_file(worker, ret, err);
}

int small_file_append(struct worker *worker, const char *name, struct error *err)
{
	const uint64_t bytes = worker->trees->metadata->write_bytes;
	uint64_t end = 0, allocated;
	int ret = small_files_open_file(worker, NULL, name, ACCESS_WRITE, false, err);

	if (!ret)
		ret = worker->backend->size(worker->session, name, &end, &allocated, err);
	if (!ret)
		ret = move_at(worker, ACCESS_WRITE, end, bytes, err);
	return small_files_close_file(worker, ret, err);
}

int small_file_sync(struct worker *worker, const char *name, struct error *err)
{
	int ret = small_files_open_file(worker, NULL, name, ACCESS_WRITE, false, err);

	if (!ret)
		ret = worker->backend->sync(worker->item, err);
	return small_files_close_file(worker, ret, err);
}
