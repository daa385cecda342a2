/* The find of a metadata test: each task reads directories, and gives work to idle tasks. */
#include "engine/metadata/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lock_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "comm/steal.h"
#include "engine/core/loop.h"
#include "engine/metadata/find_pieces.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/mounts.h"
#include "engine/metadata/tolerate.h"

enum {
	LOOK_EVERY = 256, /* entries of a directory; a power of two */
	SERVE_EVERY_NS = 20000,
};

struct find {
	struct worker *worker;
	struct predicates predicates;
	bool wants_stat;
	struct mounts mounts;
	struct pieces pieces;
	struct steal *steal;
	struct operation_record *lists, *stats;
	struct tally tally;		 /* tally of directory listings */
	uint64_t now_ns;		 /* when the next operation may begin */
	uint64_t last_ns;		 /* end of this task's last operation */
	uint64_t serve_at_ns, served_ns; /* served_ns: time spent on other tasks so far */
	bool left;			 /* a request to stop ended it early */
};

struct list_sink {
	struct find *find;
	uint64_t seen;
};

/* A directory is counted here, and read later. */
static void count_kind(struct find *find, const char *name, enum entry_kind kind)
{
	struct find_counts *counts = &find->worker->measure->find;

	if (kind == ENTRY_FILE) {
		counts->files++;
	} else if (kind != ENTRY_DIRECTORY) {
		counts->others++;
	} else {
		const char *path = pieces_path(&find->pieces, name);

		counts->directories++;
		if (find->mounts.count && mounts_have(&find->mounts, path))
			counts->mounts++;
		else
			pieces_add_directory(&find->pieces, path);
	}
}

/* Shows progress to the node's watchdogs. */
static void show_progress(const struct worker *worker)
{
	_Atomic uint64_t *operations = &worker->node->own->operations;
	uint64_t done = atomic_load_explicit(operations, memory_order_relaxed);

	atomic_store_explicit(operations, done + 1, memory_order_relaxed);
}

/* Checks for stop requests, and serves other tasks. Returns whether this task leaves. */
static bool find_look(struct find *find, uint64_t now_ns)
{
	struct worker *worker = find->worker;

	show_progress(worker);
	if (now_ns >= worker->poll_at_ns && loop_poll(worker, now_ns)) {
		find->left = true;
		steal_give_up(find->steal);
	}
	if (now_ns >= find->serve_at_ns) {
		uint64_t end_ns;

		steal_serve(find->steal);
		end_ns = clock_now(worker->clock);
		find->served_ns += end_ns - now_ns;
		find->serve_at_ns = end_ns + SERVE_EVERY_NS;
	}
	return find->left;
}

/* Looks between two operations. Its time counts for neither. */
static void look_between(struct find *find)
{
	uint64_t before_ns = find->served_ns;

	find_look(find, find->now_ns);
	find->now_ns += find->served_ns - before_ns;
}

/* Lock files of jobs that run are no part of what is measured. */
static bool see(struct list_sink *sink, const char *name, enum entry_kind kind)
{
	struct find *find = sink->find;
	struct measure *measure = find->worker->measure;

	if (lock_file_has_name(name))
		return true;
	bool name_holds = predicates_name_holds(&find->predicates, name);

	measure->entries++;
	if (kind == ENTRY_UNKNOWN || (name_holds && find->wants_stat))
		pieces_add_name(&find->pieces, name, kind, name_holds);
	else
		measure->find.matches += name_holds;
	if (kind != ENTRY_UNKNOWN)
		count_kind(find, name, kind);
	return ++sink->seen % LOOK_EVERY || !find_look(find, clock_now(find->worker->clock));
}

/* Counts a failure. As with find(1), no number of failures ends the walk. */
static void find_fail(struct find *find, const char *path, enum operation operation,
		      const struct error *err)
{
	struct unread unread = {.operation = operation,
				.code = err->code > 0 ? (uint32_t)err->code : 0};

	tolerate_all(find->worker, path, operation_name(operation), err);
	text_path_end(path, unread.path, sizeof(unread.path));
	unread_add(find->worker->measure->find.unread, &unread);
}

static void record_row(struct find *find, enum operation operation, uint64_t end_ns,
		       uint64_t *next_ns)
{
	struct worker *worker = find->worker;

	if (worker->table &&
	    loop_record_row(worker, operation, find->now_ns, end_ns, UINT64_MAX, 0))
		*next_ns = clock_now(worker->clock);
}

static void read_directory(struct find *find, const char *path)
{
	struct worker *worker = find->worker;
	struct list_sink sink = {.find = find};
	struct error err = {0};
	uint64_t end_ns, next_ns, before_ns = find->served_ns;
	int ret;

	pieces_enter(&find->pieces, path);
	ret = worker->backend->list(worker->session, NULL, path, see, &sink, &err);
	next_ns = end_ns = clock_now(worker->clock);
	find->now_ns += find->served_ns - before_ns;
	if (find->left) {
		find->last_ns = find->now_ns = end_ns;
		return;
	}
	pieces_end_names(&find->pieces);
	if (ret) {
		find_fail(find, path, OPERATION_LIST, &err);
	} else {
		next_ns = tally_add(worker, &find->tally, find->lists, end_ns - find->now_ns,
				    end_ns, UINT64_MAX);
		record_row(find, OPERATION_LIST, end_ns, &next_ns);
	}
	find->last_ns = end_ns;
	find->now_ns = next_ns;
	show_progress(worker);
}

static enum entry_kind find_kind_of(const struct stat *status)
{
	return S_ISDIR(status->st_mode)	  ? ENTRY_DIRECTORY
	       : S_ISREG(status->st_mode) ? ENTRY_FILE
					  : ENTRY_OTHER;
}

/* Counts a name by its mark and its status, which may be missing. */
static void find_judge(struct find *find, const char *name, int mark, const struct stat *status)
{
	if (mark_kind(mark) == ENTRY_UNKNOWN)
		count_kind(find, name, status ? find_kind_of(status) : ENTRY_OTHER);
	if (status && mark_name_holds(mark))
		find->worker->measure->find.matches +=
			predicates_stat_holds(&find->predicates, status);
}

static void find_look_at(struct find *find, const char *name, int mark)
{
	struct worker *worker = find->worker;
	const struct backend *backend = worker->backend;
	const char *path = pieces_path(&find->pieces, name);
	struct error err = {0};
	struct stat status;
	int ret = (backend->lstat ? backend->lstat : backend->stat)(worker->session, NULL, path,
								    &status, &err);
	uint64_t end_ns = clock_now(worker->clock), next_ns = end_ns;

	if (ret) {
		find_fail(find, path, OPERATION_STAT, &err);
	} else {
		measure_add(find->stats, end_ns - find->now_ns, end_ns, UINT64_MAX, worker->task,
			    worker->node_number);
		record_row(find, OPERATION_STAT, end_ns, &next_ns);
	}
	find_judge(find, name, mark, ret ? NULL : &status);
	find->last_ns = end_ns;
	find->now_ns = next_ns;
	show_progress(worker);
}

static void look_at_names(struct find *find, const struct piece *piece)
{
	pieces_enter(&find->pieces, piece->directory);
	for (const char *at = piece->names; at < piece->end && !find->left; at += strlen(at) + 1) {
		find_look_at(find, at + 1, *at);
		if (find->now_ns >= find->serve_at_ns || find->now_ns >= find->worker->poll_at_ns)
			look_between(find);
	}
}

/* Works through all pieces in the pile. */
static void empty_pile(struct find *find)
{
	struct piece piece;

	while (pieces_take(&find->pieces, &piece)) {
		if (piece.names)
			look_at_names(find, &piece);
		else
			read_directory(find, piece.directory);
		look_between(find);
	}
}

/* The start of a walk is an entry too. A link there is followed. */
static void push_root(struct find *find, char *path)
{
	struct measure *measure = find->worker->measure;
	const char *name;
	bool name_holds;

	text_trim_slashes(path);
	name = strrchr(path, '/');
	name_holds = predicates_name_holds(&find->predicates, name && name[1] ? name + 1 : path);
	measure->entries++;
	measure->find.directories++;
	pieces_add_directory(&find->pieces, path);
	if (!name_holds || !find->wants_stat) {
		measure->find.matches += name_holds;
		return;
	}
	pieces_enter(&find->pieces, path);
	pieces_add_name(&find->pieces, ".", ENTRY_DIRECTORY, true);
	pieces_end_names(&find->pieces);
}

/*
 * Adds the starts of the walk. Existing directories are dealt to the tasks in turn. Of a test's own
 * trees each task starts with those it keeps.
 */
static void push_roots(struct find *find, uint64_t repetition)
{
	const struct worker *worker = find->worker;
	const struct plan *plan = worker->trees;
	char root[PLAN_PATH_SIZE];
	struct tree_path *path;

	if (metadata_only_finds(plan->metadata)) {
		for (uint32_t i = worker->task; i < plan->path_count; i += plan->map.tasks) {
			plan_base(plan, i, root);
			push_root(find, root);
		}
		return;
	}
	if (!metadata_keeps_tree(worker))
		return;
	path = metadata_own_path(worker, repetition);
	for (uint64_t tree = 0; tree < plan->tree.trees; tree++) {
		tree_path_directory(path, tree, 0);
		push_root(find, path->path);
	}
	free(path);
}

static void find_keep(struct find *find)
{
	struct worker *worker = find->worker;
	struct measure *measure = worker->measure;

	tally_keep(worker, &find->tally, find->lists);
	measure->expected_operations = measure->find.directories - measure->find.mounts;
	measure->least_transfers = measure->most_transfers = measure->entries;
	measure->find.taken = steal_taken(find->steal);
	measure->find.left = find->left;
	if (worker->trees->metadata->create && !worker->backend->no_storage)
		measure->find.made = worker->metadata->entries_there;
}

void find_run(struct worker *worker, uint64_t repetition, struct loop_times *times)
{
	struct find *find = worker->metadata->find;
	uint64_t waited_ns = 0, begin_ns;
	bool more = true;

	tally_start(&find->tally, worker);
	find->lists = measure_record(worker->measure, OPERATION_LIST);
	find->stats = measure_record(worker->measure, OPERATION_STAT);
	node_set_activity(worker->node, ACTIVITY_METADATA);
	times->first_issue_ns = find->now_ns = find->last_ns = clock_now(worker->clock);
	push_roots(find, repetition);
	while (more) {
		empty_pile(find);
		node_set_activity(worker->node, ACTIVITY_WAITING);
		begin_ns = find->now_ns;
		more = steal_wait(find->steal, worker->idle);
		node_set_activity(worker->node, ACTIVITY_METADATA);
		find->now_ns = clock_now(worker->clock);
		if (!more)
			break;
		/* The wait after the last piece is left out, as it lies after last_ns. */
		waited_ns += find->now_ns - begin_ns;
		look_between(find);
	}
	times->last_completion_ns = worker->wall_ns = find->last_ns;
	times->own_ns = times->last_completion_ns - times->first_issue_ns;
	/* A wait that only led to another wait also lies after last_ns. */
	times->own_ns -= waited_ns < times->own_ns ? waited_ns : times->own_ns;
	find_keep(find);
}

static void find_mounts(struct find *find)
{
	const struct plan *plan = find->worker->trees;
	char path[PLAN_PATH_SIZE];

	if (!plan->backend->files || plan->metadata->find_mounts)
		return;
	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, path);
		text_trim_slashes(path);
		mounts_below(&find->mounts, path);
	}
}

/* Reads the modification time. For a symbolic link it is the link's own, as in find(1). */
static int read_time(const char *path, struct timespec *time, struct error *err)
{
	struct stat status;

	if (lstat(path, &status))
		return error_input(err, "find_newer: %.300s: %s; name a file that is there", path,
				   strerror(errno));
	*time = status.st_mtim;
	return 0;
}

int find_prepare(struct worker *worker, struct error *err)
{
	const char *newer = worker->trees->metadata->find_newer;
	struct find *find = memory_allocate(1, sizeof(*find));
	int ret = 0;

	worker->metadata->find = find;
	find->worker = worker;
	find->predicates = worker->trees->predicates;
	find->wants_stat = predicates_want_stat(&find->predicates);
	find_mounts(find);
	find->steal = steal_create(&worker->crew->comm, &find->pieces.pile);
	if (!newer)
		return 0;
	/* Only task 0 looks: ten thousand tasks would be a load of their own. */
	if (worker->task == 0)
		ret = read_time(newer, &find->predicates.than, err);
	comm_share_fixed(&worker->crew->comm, &find->predicates.than, sizeof(find->predicates.than),
			 worker->idle);
	return ret;
}

void find_close(struct worker *worker)
{
	struct find *find = worker->metadata->find;

	if (!find)
		return;
	steal_free(find->steal);
	mounts_release(&find->mounts);
	pieces_release(&find->pieces);
	free(find);
	worker->metadata->find = NULL;
}

/* One task looks at each of the directories. */
static int check_roots(struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->trees;
	char path[PLAN_PATH_SIZE];
	struct stat status;

	for (uint32_t i = worker->task; i < plan->path_count; i += plan->map.tasks) {
		plan_base(plan, i, path);
		if (worker->backend->stat(worker->session, NULL, path, &status, err))
			return error_input(err, "dir: %.300s: %s; name a directory that is there%s",
					   path, strerror(err->code),
					   strcmp(plan->metadata->dir, "out")
						   ? ""
						   : " (-d; out is its default)");
		if (plan->backend->files && !S_ISDIR(status.st_mode))
			return error_input(err, "dir: %.300s is not a directory; name one to walk",
					   path);
	}
	return 0;
}

int find_check(struct worker *worker, const struct find_expected *expected, struct error *err)
{
	const struct metadata *test = worker->trees->metadata;
	struct timespec ignored;

	if (expected->newer && test->find && test->find_newer && worker->task == 0 &&
	    read_time(test->find_newer, &ignored, err))
		return -1;
	return expected->dir && metadata_only_finds(test) && !worker->backend->no_storage
		       ? check_roots(worker, err)
		       : 0;
}
