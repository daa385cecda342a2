/*
 * What backend.h says of tasks that share a file: collective and strided transfers, views, opens
 * that fail. Nothing is asserted before all tasks are done, for the others would wait.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "subject.h"

enum { PIECE = PAGE, PIECES = 3, BLOCK = PIECE * PIECES, SEGMENTS = 4 };

struct scene {
	struct subject *subject;
	bool collective, strided, shared;
	/* task 0 takes part with length 0 in every second call, and with nothing missing */
	bool idle;
	int rank, tasks, wrong;
};

static struct scene scene_of(struct subject *subject, bool collective, bool strided)
{
	struct scene scene = {
		.subject = subject, .collective = collective, .strided = strided, .shared = true};

	MPI_Comm_rank(MPI_COMM_WORLD, &scene.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &scene.tasks);
	return scene;
}

static bool keeps_data(const struct subject *subject)
{
	return !subject->backend->ignores_buffers;
}

static const char *scene_path(const struct scene *scene)
{
	static char path[4096];
	const char *folder = getenv("TEST_TMPDIR");

	if (!scene->shared)
		return in_scratch(scene->subject, "own");
	snprintf(path, sizeof(path), "%s%s/together", scene->subject->server,
		 folder ? folder : ".");
	return path;
}

static uint64_t stride_of(const struct scene *scene)
{
	return (uint64_t)BLOCK * (uint64_t)(scene->shared ? scene->tasks : 1);
}

static struct backend_file *open_scene(struct scene *scene, enum access access, int source)
{
	struct backend_open how = {
		.path = scene_path(scene),
		.access = access,
		.create = access == ACCESS_WRITE,
		.comm = scene->shared ? MPI_COMM_WORLD : MPI_COMM_SELF,
		.collective = scene->collective,
		.strided = scene->strided,
		.transfer_size = PIECE * (scene->strided ? SEGMENTS : 1),
		.file_size = SEGMENTS * stride_of(scene),
		.tasks = (uint64_t)scene->tasks,
		.block = BLOCK,
		.segments = SEGMENTS,
		.shared = scene->shared,
		.source = (uint64_t)source,
	};
	struct backend_file *file = calloc(1, scene->subject->backend->file_size);
	struct error err = {0};

	if (scene->subject->backend->open(scene->subject->session, file, &how, &err) < 0) {
		print_error("open: %s\n", err.text);
		scene->wrong++;
	}
	return file;
}

static void close_scene(struct scene *scene, struct backend_file *file)
{
	struct error err = {0};

	scene->wrong += file_close(scene->subject, file, &err) < 0;
}

/* Each byte tells whose block, which segment and which piece it is in. */
static void fill(unsigned char *buffer, int whose, int segment, int piece)
{
	pattern(buffer, PIECE, (uint64_t)(whose * 1000 + segment * 10 + piece));
}

static void expect(struct scene *scene, const unsigned char *buffer, int whose, int segment,
		   int piece)
{
	unsigned char *right = malloc(PIECE);

	fill(right, whose, segment, piece);
	scene->wrong += keeps_data(scene->subject) && memcmp(buffer, right, PIECE) != 0;
	free(right);
}

static void move_once(struct scene *scene, struct backend_file *file, struct transfer *transfer,
		      bool idle)
{
	uint64_t length = transfer->length;
	struct error err = {0};
	int64_t moved;

	if (idle)
		transfer->length = 0;
	moved = scene->subject->backend->transfer(file, transfer, &err);
	if (moved != (int64_t)transfer->length) {
		print_error("%lld bytes moved: %s\n", (long long)moved, err.text);
		scene->wrong++;
	}
	transfer->length = length;
}

/* One piece of each of `count` segments from `segment` on. */
static void move_piece(struct scene *scene, struct backend_file *file, enum access access,
		       int source, int segment, int count, int piece)
{
	unsigned char *buffer = buffer_make((size_t)count * PIECE);
	bool idles = scene->idle && scene->rank == 0;
	struct transfer transfer = {
		.buffer = buffer,
		.length = (uint64_t)count * PIECE,
		.access = access,
		.offset = (uint64_t)segment * stride_of(scene) + (uint64_t)piece * PIECE +
			  (scene->shared ? (uint64_t)source * BLOCK : 0),
		.block = (uint64_t)source,
		.segment = (uint64_t)segment,
		.count = (uint64_t)count,
		.stride = stride_of(scene),
	};

	for (int i = 0; access == ACCESS_WRITE && i < count; i++)
		fill(buffer + i * PIECE, source, segment + i, piece);
	if (scene->idle)
		move_once(scene, file, &transfer, idles);
	move_once(scene, file, &transfer, false);
	for (int i = 0; access == ACCESS_READ && i < count; i++)
		expect(scene, buffer + i * PIECE, source, segment + i, piece);
	free(buffer);
}

static void move_all(struct scene *scene, enum access access, int source)
{
	struct backend_file *file = open_scene(scene, access, source);
	int count = scene->strided ? SEGMENTS : 1;

	for (int segment = 0; !scene->wrong && segment < SEGMENTS; segment += count)
		for (int piece = 0; piece < PIECES; piece++)
			move_piece(scene, file, access, source, segment, count, piece);
	close_scene(scene, file);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* The file as the operating system shows it has every byte in its place. */
static void check_layout(struct scene *scene)
{
	const struct backend *backend = scene->subject->backend;
	FILE *file = backend->files && !backend->own_format ? fopen(scene_path(scene), "re") : NULL;
	unsigned char *buffer = malloc(PIECE);
	int tasks = scene->shared ? scene->tasks : 1;

	for (int i = 0; file && i < SEGMENTS * tasks * PIECES; i++) {
		int block = i / PIECES % tasks;

		scene->wrong += fread(buffer, 1, PIECE, file) != PIECE;
		expect(scene, buffer, scene->shared ? block : scene->rank, i / PIECES / tasks,
		       i % PIECES);
	}
	scene->wrong += file && fgetc(file) != EOF;
	if (file)
		fclose(file);
	free(buffer);
}

/* Writes all, looks at the file, and each task reads what the next one wrote. */
static void play(struct scene *scene)
{
	int next = scene->shared ? (scene->rank + 1) % scene->tasks : scene->rank;

	move_all(scene, ACCESS_WRITE, scene->rank);
	check_layout(scene);
	MPI_Barrier(MPI_COMM_WORLD);
	move_all(scene, ACCESS_READ, next);
	if (scene->rank == 0 && scene->shared)
		unlink(scene_path(scene) + strlen(scene->subject->server));
	MPI_Barrier(MPI_COMM_WORLD);
	assert_int_equal(scene->wrong, 0);
}

static void independent_transfers_fill_a_shared_file(void **state)
{
	struct scene scene = scene_of(*state, false, false);

	play(&scene);
}

static void collective_transfers_fill_a_shared_file(void **state)
{
	struct scene scene = scene_of(*state, true, false);

	only_with(scene.subject->backend->collective);
	play(&scene);
}

static void a_task_with_length_zero_takes_part_and_moves_nothing(void **state)
{
	struct scene scene = scene_of(*state, true, false);

	only_with(scene.subject->backend->collective);
	scene.idle = true;
	play(&scene);
}

static void strided_transfers_move_a_piece_of_every_segment(void **state)
{
	struct scene scene = scene_of(*state, false, true);

	only_with(scene.subject->backend->strided);
	play(&scene);
}

static void strided_transfers_of_a_file_of_its_own(void **state)
{
	struct scene scene = scene_of(*state, false, true);

	only_with(scene.subject->backend->strided);
	scene.shared = false;
	play(&scene);
}

static void strided_and_collective_transfers(void **state)
{
	struct scene scene = scene_of(*state, true, true);

	only_with(scene.subject->backend->strided && scene.subject->backend->collective);
	play(&scene);
	scene.idle = true;
	play(&scene);
}

/* --- with a file view, for those that have the option ------------------------------------------
 */

static void play_with_view(void **state, bool collective, bool shared)
{
	struct scene scene = scene_of(*state, collective, false);

	only_with(option_find(scene.subject->options.table, "use_file_view"));
	subject_option(scene.subject, "use_file_view", "1");
	assert_ok(subject_start(scene.subject, err));
	scene.shared = shared;
	play(&scene);
}

static void a_view_shows_each_task_its_blocks(void **state)
{
	play_with_view(state, false, true);
}

static void a_view_serves_collective_transfers(void **state)
{
	play_with_view(state, true, true);
}

static void a_view_of_a_file_of_its_own_shows_all(void **state)
{
	play_with_view(state, false, false);
}

static void without_a_source_there_is_no_view(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file;
	char *buffer;
	struct error err = {0};

	only_with(option_find(subject->options.table, "use_file_view"));
	subject_option(subject, "use_file_view", "1");
	assert_ok(subject_start(subject, err));
	buffer = buffer_make(PAGE);
	pattern(buffer, PAGE, 1);
	file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 5 * PAGE, PAGE, &err), PAGE);
	file_done(subject, file);
	assert_int_equal(file_size(subject, in_scratch(subject, "file")), 6 * PAGE);
	free(buffer);
}

/* --- failures ----------------------------------------------------------------------------------
 */

static void a_task_that_can_open_no_files_is_told_before_the_others_wait(void **state)
{
	struct scene scene = scene_of(*state, false, false);
	struct rlimit whole, none;
	struct error err = {0};
	int ret;

	only_with(option_find(scene.subject->options.table, "hint"));
	getrlimit(RLIMIT_NOFILE, &whole);
	none = whole;
	none.rlim_cur = 3;
	if (scene.rank == scene.tasks - 1)
		setrlimit(RLIMIT_NOFILE, &none);
	ret = subject_start(scene.subject, &err);
	setrlimit(RLIMIT_NOFILE, &whole);
	assert_int_equal(ret, scene.rank == scene.tasks - 1 ? -1 : 0);
	assert_int_equal(err.kind, ret ? ERROR_INPUT : ERROR_NONE);
}

const struct CMUnitTest together_tests[] = {
	TEST(independent_transfers_fill_a_shared_file),
	TEST(collective_transfers_fill_a_shared_file),
	TEST(a_task_with_length_zero_takes_part_and_moves_nothing),
	TEST(strided_transfers_move_a_piece_of_every_segment),
	TEST(strided_transfers_of_a_file_of_its_own),
	TEST(strided_and_collective_transfers),
	TEST_PREPARED(a_view_shows_each_task_its_blocks),
	TEST_PREPARED(a_view_serves_collective_transfers),
	TEST_PREPARED(a_view_of_a_file_of_its_own_shows_all),
	TEST_PREPARED(without_a_source_there_is_no_view),
	TEST_PREPARED(a_task_that_can_open_no_files_is_told_before_the_others_wait),
};
const size_t together_test_count = LENGTH_OF(together_tests);
