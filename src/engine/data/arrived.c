/* Checks that data reached the file after all calls reported success. */
#include "engine/data/arrived.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/data/files.h"
#include "engine/data/holes.h"

enum { SAMPLE = 16, SAMPLE_NS = 1000000000 };
/* Time limit for reading back when size or allocation look short. */
#define ALL_NS UINT64_C(8000000000)
enum { CHUNK = 1 << 20, HEADER_MOST = 1 << 20 };

/* Transfers of the current file among `count` transfers that a task made of its files in turn. */
static uint64_t in_this_file(const struct worker *worker, uint64_t count)
{
	const struct plan *plan = worker->plan;
	const uint32_t file = files_selected(worker);
	uint64_t each = plan->transfers_per_task / plan->own_files, before = file * each;

	if (plan->trace) {
		each = plan_part(plan, worker->task, file).count;
		before = 0;
		for (uint32_t i = 0; i < file && count < worker->available; i++)
			before += plan_part(plan, worker->task, i).count;
	}
	if (count <= before)
		return 0;
	return count - before < each ? count - before : each;
}

/*
 * Bytes of each segment's block that this task wrote. A strided call moves a piece of every
 * segment.
 */
static uint64_t done_in_each(const struct worker *worker)
{
	uint64_t bytes = in_this_file(worker, worker->written) * worker->plan->transfer_bytes;

	return worker->plan->test->strided ? bytes / worker->plan->geometry.segments : bytes;
}

/* Transfers that this task wrote, counted in the size of the plan's geometry. */
static uint64_t transfers_done(const struct worker *worker)
{
	return in_this_file(worker, worker->written) *
	       (worker->plan->transfer_bytes / worker->plan->geometry.transfer);
}

/* Finds the position of the task's i-th written transfer, in the order of the test. */
static void locate(const struct worker *worker, uint64_t i, struct placement *at)
{
	const struct geometry *geometry = &worker->plan->geometry;
	uint64_t in_each = done_in_each(worker) / geometry->transfer;

	if (worker->plan->test->strided)
		i = i / in_each * (geometry->block / geometry->transfer) + i % in_each;
	plan_locate_in(worker->plan, worker->task, files_selected(worker), i, 0, at);
}

/*
 * Bytes from the start of a shared file that must exist: the segments that all tasks have filled,
 * and on task 0 also its own part of the next segment.
 */
static uint64_t shared_start(const struct worker *worker)
{
	const struct geometry *geometry = &worker->plan->geometry;
	uint64_t per_block = geometry->block / geometry->transfer;
	uint64_t segments = in_this_file(worker, worker->least_written) / per_block;
	uint64_t more =
		(in_this_file(worker, worker->written) - segments * per_block) * geometry->transfer;

	if (worker->task)
		more = 0;
	return segments * geometry_stride(geometry) +
	       (more < geometry->block ? more : geometry->block);
}

/* Bytes from the file's start on that must be there, as far as this task knows. */
static uint64_t known_start(const struct worker *worker)
{
	const struct plan *plan = worker->plan;
	const struct geometry *geometry = &plan->geometry;
	uint64_t bytes = done_in_each(worker);
	uint64_t written =
		in_this_file(worker, geometry->shared ? worker->least_written : worker->written);

	if (plan->trace) {
		const struct file_part part = plan_part(plan, worker->task, files_selected(worker));

		return part.count && bytes >= part.count * geometry->transfer
			       ? (part.first + part.count) * geometry->transfer
			       : 0;
	}
	if (written >= plan->transfers_per_task / plan->own_files && plan->order != ORDER_REPEATS)
		return plan->file_size;
	if (plan->order != ORDER_SEQUENTIAL)
		return 0;
	if (plan->test->strided)
		return bytes < geometry->block ? bytes : geometry->block;
	return geometry->shared ? shared_start(worker) : bytes;
}

/* --- size and holes ------------------------------------------------------------------------- */

static int check_size(struct worker *worker, uint64_t expected, struct error *err)
{
	bool own_format = worker->backend->own_format;
	uint64_t bytes, allocated;

	if (worker->backend->size(worker->session, worker->path, &bytes, &allocated, err))
		return -1;
	worker->measure->sized_files++;
	worker->measure->allocated_bytes += allocated;
	/*
	 * Files of a library's own format are longer than the plan through headers, or shorter
	 * through filters.
	 */
	if (own_format ? bytes > 0 || !expected : bytes >= expected)
		return 0;
	return error_set(err, 0,
			 "the file has %" PRIu64
			 " bytes after all calls reported success for %" PRIu64 ": data was lost",
			 bytes, expected);
}

static int check_holes(struct worker *worker, uint64_t expected, struct holes *holes,
		       struct error *err)
{
	const struct backend *backend = worker->backend;

	holes->first = UINT64_MAX;
	if (!backend->files || backend->own_format || backend->ignores_buffers)
		return 0;
	holes_find(worker->path, expected, holes);
	if (holes->first == UINT64_MAX || content_may_be_holes(&worker->content))
		return 0;
	worker->measure->hole_bytes += holes->bytes;
	return error_set(err, 0,
			 "the file has a hole here although all calls reported success: %" PRIu64
			 " bytes of %" PRIu64 " never arrived, data was lost",
			 holes->bytes, expected);
}

static void arrived_check_file(struct worker *worker)
{
	uint64_t expected = known_start(worker);
	struct error err = {0};
	struct holes holes;

	/* A write that was stopped has left no file. */
	if (worker->backend->whole_files && expected < worker->plan->file_size)
		return;
	if (check_size(worker, expected, &err))
		worker_fail(worker, &err, "size", UINT64_MAX, 0);
	else if (check_holes(worker, expected, &holes, &err))
		worker_fail(worker, &err, "check", holes.first, holes.bytes);
}

/* --- reading back --------------------------------------------------------------------------- */

/* Damage of one transfer. */
struct wrong {
	uint64_t offset;     /* offset of the first wrong byte */
	const char *instead; /* description of the data found there */
	struct error error;  /* why it cannot be read, if so */
};

/* State of one task's sampled read-back. */
struct sample {
	struct worker *worker;
	void *buffer;
	uint64_t room; /* size of the buffer */
	uint64_t until_ns;
	uint32_t stop; /* the node's stop word when the sampling began */
	uint64_t looked, lost;
	uint64_t first;	    /* offset of the first transfer that is lost */
	struct wrong wrong; /* damage of that transfer */
};

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
	return x ^ (x >> 29);
}

/*
 * Spreads `count` samples over `done` transfers and returns number `i`: the first, the last, or a
 * random one of each stretch between.
 */
static uint64_t arrived_choose(const struct worker *worker, uint64_t i, uint64_t count,
			       uint64_t done)
{
	uint64_t stretch = done / count;

	if (count == done || i == 0)
		return i;
	if (i == count - 1)
		return done - 1;
	return i * stretch + mix(worker->seed + i + ((uint64_t)worker->task << 32)) % stretch;
}

static const char *describe(enum damage_kind kind)
{
	static const char *const found[] = {
		[DAMAGE_BITS] = "single wrong bytes",
		[DAMAGE_ZEROS] = "zeros",
		[DAMAGE_STALE] = "what was there before",
		[DAMAGE_MISPLACED] = "data of another place",
		[DAMAGE_SHIFTED] = "shifted data",
		[DAMAGE_OTHER_RUN] = "what was there before",
		[DAMAGE_SPOILT] = "nothing at all",
		[DAMAGE_RANDOM] = "other data",
	};

	return found[kind];
}

/* Only the first damaged range is described. */
static void take_damage(void *context, const struct content_damage *damage)
{
	struct wrong *wrong = context;

	if (wrong->instead)
		return;
	wrong->offset = damage->offset;
	wrong->instead = describe(damage->kind);
}

/* Reads one piece of a transfer. Returns false after an error or at the end of the file. */
static bool read_piece(struct worker *worker, const struct transfer *piece, struct wrong *wrong)
{
	struct transfer rest = *piece;

	/* Some libraries report success for a read past the end and leave the buffer unchanged. */
	content_spoil(rest.buffer, rest.length);
	while (rest.length) {
		int64_t moved = worker->backend->transfer(worker->file, &rest, &wrong->error);

		if (moved <= 0) {
			wrong->offset = rest.offset;
			wrong->instead = moved < 0 ? "an error" : "the end of the file";
			return false;
		}
		rest.buffer = (char *)rest.buffer + moved;
		rest.offset += (uint64_t)moved;
		rest.length -= (uint64_t)moved;
	}
	return true;
}

static bool piece_is_right(struct worker *worker, const struct transfer *piece, struct wrong *wrong)
{
	if (!read_piece(worker, piece, wrong))
		return false;
	if (content_check(&worker->content, piece->buffer, piece->offset, piece->length))
		return true;
	content_examine(&worker->content, piece->buffer, piece->offset, piece->length, take_damage,
			wrong);
	return false;
}

static bool transfer_is_right(struct sample *sample, const struct placement *at,
			      struct wrong *wrong)
{
	const uint64_t length = sample->worker->plan->geometry.transfer;
	struct transfer piece = {.buffer = sample->buffer,
				 .block = at->block,
				 .segment = at->segment,
				 .count = 1,
				 .access = ACCESS_READ};

	for (uint64_t done = 0; done < length; done += piece.length) {
		piece.offset = at->offset + done;
		piece.length = length - done < sample->room ? length - done : sample->room;
		if (!piece_is_right(sample->worker, &piece, wrong))
			return false;
	}
	return true;
}

static void arrived_look_at(struct sample *sample, uint64_t index)
{
	struct worker *worker = sample->worker;
	struct wrong wrong = {0};
	struct placement at;

	locate(worker, index, &at);
	sample->looked++;
	if (transfer_is_right(sample, &at, &wrong) || sample->lost++)
		return;
	sample->first = at.offset;
	sample->wrong = wrong;
}

/* Checks transfers in the order of the test, so that the first lost one is reported first. */
static void look_at_some(struct sample *sample, uint64_t count, uint64_t done)
{
	struct worker *worker = sample->worker;

	for (uint64_t i = 0; i < count; i++) {
		node_set_activity(worker->node, ACTIVITY_READ_BACK);
		arrived_look_at(sample, arrived_choose(worker, i, count, done));
		if (clock_now(worker->clock) >= sample->until_ns ||
		    atomic_load(&worker->node->shared->stop) != sample->stop)
			return;
	}
}

/* Opens the file for this task alone, so that transfers may come in any order. */
static int open_again(struct worker *worker, struct error *err)
{
	struct backend_open how = worker_open(worker, ACCESS_READ);

	memset((void *)worker->file, 0, worker->backend->file_size);
	return worker->backend->open(worker->session, worker->file, &how, err);
}

/*
 * Reads the place of the first lost transfer by POSIX, as a library may call a read that failed a
 * success. Returns the errno; 0: it can be read, or there is no file.
 */
static int read_by_posix(const struct sample *sample)
{
	/* In a format of its own a library puts the data behind a header. */
	const uint64_t header = sample->worker->backend->own_format ? HEADER_MOST : 0;
	const uint64_t end = sample->first + sample->worker->plan->geometry.transfer + header;
	uint64_t at = sample->first;
	ssize_t moved;
	int fd, code;

	if (!sample->worker->backend->files)
		return 0;
	fd = open(sample->worker->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	do {
		moved = pread(fd, sample->buffer, end - at < sample->room ? end - at : sample->room,
			      (off_t)at);
		code = moved < 0 ? errno : 0;
		at += moved > 0 ? (uint64_t)moved : 0;
	} while (moved > 0 && at < end);
	close(fd);
	return code;
}

static void report_lost(struct sample *sample)
{
	const struct wrong *wrong = &sample->wrong;
	struct error err = {0};
	int code;

	if (!sample->lost)
		return;
	code = wrong->error.kind ? wrong->error.code : read_by_posix(sample);
	if (wrong->error.kind)
		error_set(&err, code,
			  "this cannot be read although all writes reported success: %s; %" PRIu64
			  " of %" PRIu64 " transfers read back failed",
			  wrong->error.text, sample->lost, sample->looked);
	else if (code)
		error_set(&err, code,
			  "this cannot be read although all writes reported success: pread: %s; "
			  "the library reported success and %s for %" PRIu64 " of %" PRIu64
			  " transfers read back",
			  strerror(code), wrong->instead, sample->lost, sample->looked);
	else
		error_set(&err, 0,
			  "this is not what was written although all calls reported success: %s "
			  "from offset %" PRIu64 " on; %" PRIu64 " of %" PRIu64
			  " transfers read back are wrong, the library lost the data",
			  wrong->instead, wrong->offset, sample->lost, sample->looked);
	worker_fail(sample->worker, &err, "read back", sample->first,
		    sample->worker->plan->geometry.transfer);
}

/* Returns true if size or allocation give a reason to read everything back. */
static bool looks_short(struct worker *worker, uint64_t expected)
{
	uint64_t bytes, allocated;
	struct error ignored = {0};

	if (worker->backend->size(worker->session, worker->path, &bytes, &allocated, &ignored))
		return true;
	return bytes < expected || (worker->backend->files && allocated < expected);
}

static void read_back_open(struct sample *sample)
{
	struct worker *worker = sample->worker;
	uint64_t done = transfers_done(worker);
	bool all = looks_short(worker, known_start(worker));

	sample->until_ns = clock_now(worker->clock) + (all ? ALL_NS : SAMPLE_NS);
	sample->stop = atomic_load(&worker->node->shared->stop);
	look_at_some(sample, all || done < SAMPLE ? done : SAMPLE, done);
	worker->measure->read_back += sample->looked;
	worker->measure->lost += sample->lost;
}

static void read_back(struct worker *worker)
{
	uint64_t length = worker->plan->geometry.transfer;
	struct sample sample = {.worker = worker, .room = length < CHUNK ? length : CHUNK};
	struct error err = {0}, ignored = {0};

	sample.buffer = aligned_alloc(4096, (sample.room + 4095) / 4096 * 4096);
	if (!sample.buffer) {
		error_set(&err, ENOMEM, "no memory to read back what was written");
		worker_fail(worker, &err, "read back", UINT64_MAX, 0);
		return;
	}
	node_set_activity(worker->node, ACTIVITY_READ_BACK);
	if (open_again(worker, &err))
		err.kind = ERROR_IO;
	else
		read_back_open(&sample);
	worker->backend->close(worker->file, &ignored);
	report_lost(&sample);
	free(sample.buffer);
	if (err.kind == ERROR_NONE)
		return;
	error_add(&err, "all calls reported success and the file cannot be opened again");
	worker_fail(worker, &err, "read back", UINT64_MAX, 0);
}

/* Returns false if the file's permissions deny reading. */
static bool may_be_read(const struct worker *worker)
{
	return !worker->backend->files ||
	       faccessat(AT_FDCWD, worker->path, R_OK, AT_EACCESS) == 0 || errno != EACCES;
}

void arrived_check(struct worker *worker, uint64_t repetition)
{
	const struct backend *backend = worker->backend;

	if (!backend->size || backend->no_storage)
		return;
	plan_path(worker->plan, worker->task, files_selected(worker), repetition, worker->path);
	if (files_is_keeper(worker))
		arrived_check_file(worker);
	if (backend->may_hide_errors && !backend->ignores_buffers && worker->measure->bytes &&
	    !worker_failed(worker) && may_be_read(worker))
		read_back(worker);
}
