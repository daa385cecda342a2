/* Removes what earlier runs of a load left. */
#include "engine/load/load_cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"
#include "engine/data/files.h"
#include "engine/data/maker.h"
#include "engine/metadata/cleanup.h"
#include "engine/metadata/metadata.h"
#include "plan/item_walk.h"
#include "plan/load.h"
#include "plan/load_paths.h"

enum { REASONS_MOST = 1 << 16 }; /* bytes of reasons that are kept */

static void stay(struct load_cleaning *cleaning, const char *path, const struct error *why)
{
	cleaning->stayed++;
	if (cleaning->reasons.length >= REASONS_MOST)
		return;
	text_add(&cleaning->reasons, "%s stays: %s", path, why->text);
	text_add_bytes(&cleaning->reasons, "", 1);
}

/* --- files ---------------------------------------------------------------------------------- */

/* Times of files are those of a clock that lags behind by some ms. */
static bool is_younger(const struct stat *status, int64_t since_ns)
{
	enum { LAG_SECONDS = 1 };

	return since_ns && status->st_ctim.tv_sec >= since_ns / 1000000000 - LAG_SECONDS;
}

static bool begins_with_zeros(int fd)
{
	static const char zeros[SECTOR];
	char bytes[SECTOR];

	return pread(fd, bytes, sizeof(bytes), 0) == SECTOR && !memcmp(bytes, zeros, SECTOR);
}

/*
 * A job that was killed leaves a record, and files that it had made and not yet written. Where a
 * file of the load has stamps, other bytes in place of the first one are not of the load.
 */
static bool is_of_record(const struct worker *worker, const struct load_cleaning *cleaning, int fd,
			 const struct stat *status)
{
	const struct plan *plan = worker->plan;
	const uint32_t base = plan_base_of(plan, worker->task, files_selected(worker));

	if (!is_younger(status, cleaning->since_ns[base]))
		return false;
	if (!status->st_size)
		return true;
	return (uint64_t)status->st_size == plan_file_bytes(plan, files_selected(worker)) &&
	       (!content_has_stamps((enum content_kind)plan->test->content) ||
		begins_with_zeros(fd));
}

/* IOR has files of the same names, so its data counts only where the load writes it too. */
static bool is_known(const struct worker *worker, enum maker maker)
{
	const int content = worker->plan->test->content;

	return maker == MADE_OURS || (maker == MADE_IORS && !plan_load_uses_found(worker->plan) &&
				      (content == CONTENT_IOR || content == CONTENT_IOR_OFFSET));
}

static int explain_unknown(const struct worker *worker, enum maker maker, struct error *err)
{
	const struct test *test = worker->plan->test;
	const bool stamped = content_has_stamps((enum content_kind)test->content);

	if (maker == MADE_EMPTY)
		return error_set(err, 0,
				 "it is empty, and no job of iorx that was killed says that it "
				 "made it");
	return stamped ? error_set(err, 0, "it has no stamp of iorx")
		       : error_set(err, 0, "content=%s has no stamps that say who made it",
				   option_find(&test_options, "content")->choices[test->content]);
}

/* Returns 0 if iorx made the open file at worker->path, or -1 with the reason why it stays. */
static int check_maker(const struct worker *worker, const struct load_cleaning *cleaning, int fd,
		       const struct stat *status, struct error *err)
{
	enum maker maker = MADE_EMPTY;

	if (status->st_size && maker_recognise_open(fd, &maker, err))
		return -1;
	if (is_known(worker, maker) || is_of_record(worker, cleaning, fd, status))
		return 0;
	return explain_unknown(worker, maker, err);
}

static int check_regular(const struct stat *status, struct error *err)
{
	if (S_ISREG(status->st_mode))
		return 0;
	return error_set(err, 0, "it is %s", named_file_kind(status->st_mode));
}

/* Opens the file that was looked at. A file that took its name meanwhile is not opened. */
static int open_same(const char *path, const struct stat *expected, struct error *err)
{
	const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return error_set(err, errno, "open: %s", strerror(errno));
	if (!fstat(fd, &status) && named_file_same(&status, expected))
		return fd;
	close(fd);
	return error_set(err, 0, "another file took its name just now");
}

static int load_cleanup_check_file(const struct worker *worker,
				   const struct load_cleaning *cleaning, const struct stat *status,
				   struct error *err)
{
	int fd, ret;

	if (check_regular(status, err))
		return -1;
	if (cleaning->takes_all)
		return 0;
	fd = open_same(worker->path, status, err);
	if (fd < 0)
		return -1;
	ret = check_maker(worker, cleaning, fd, status, err);
	close(fd);
	return ret;
}

/* Looks once more at the name, as another file may have it since the first look. */
static int remove_same(const char *path, const struct stat *expected, struct error *err)
{
	struct stat status;

	if (lstat(path, &status) || !named_file_same(&status, expected))
		return error_set(err, 0, "another file took its name just now");
	return unlink(path) ? error_set(err, errno, "unlink: %s", strerror(errno)) : 0;
}

static void clean_file(const struct worker *worker, struct load_cleaning *cleaning)
{
	struct error err = {0};
	struct stat status;

	node_set_activity(worker->node, ACTIVITY_FILES);
	if (lstat(worker->path, &status)) {
		if (errno == ENOENT || errno == ENOTDIR) {
			cleaning->absent++;
			return;
		}
		error_set(&err, errno, "lstat: %s", strerror(errno));
		stay(cleaning, worker->path, &err);
	} else if (load_cleanup_check_file(worker, cleaning, &status, &err) ||
		   remove_same(worker->path, &status, &err)) {
		stay(cleaning, worker->path, &err);
	} else {
		cleaning->removed++;
	}
}

/* Fewer tasks than those of the load have names for a part of its files only. */
static void look_further(struct worker *worker, struct load_cleaning *cleaning)
{
	const struct load_cleaning by_stamp = {.since_ns = cleaning->since_ns};
	struct error err = {0};
	struct stat status;

	if (!load_paths_further(worker->plan, worker->path) || lstat(worker->path, &status) ||
	    load_cleanup_check_file(worker, &by_stamp, &status, &err))
		return;
	error_set(&err, 0,
		  "this job has too few tasks or nodes to name it; start the cleanup with as many "
		  "as the load");
	stay(cleaning, worker->path, &err);
}

static void clean_files(struct worker *worker, struct load_cleaning *cleaning)
{
	if (!plan_load_leaves_files(worker->plan) || !files_is_keeper(worker))
		return;
	if (!worker->task)
		look_further(worker, cleaning);
	plan_path(worker->plan, worker->task, 0, 0, worker->path);
	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		clean_file(worker, cleaning);
	}
	files_select(worker, 0);
}

/* --- items ---------------------------------------------------------------------------------- */

/* A job that was killed between mkdir and the marker leaves an empty directory. */
static bool remove_empty(const struct load_cleaning *cleaning, const char *path,
			 const struct stat *status)
{
	return (cleaning->takes_all || is_younger(status, cleaning->since_ns[0])) && !rmdir(path);
}

static void clean_tree(struct worker *worker, struct load_cleaning *cleaning, char *path)
{
	struct cleaning tree = {.worker = worker};
	struct error err = {0};
	struct stat status;

	if (lstat(path, &status))
		return;
	cleanup_test_directory(&tree, path);
	cleaning->items += tree.removed;
	if (lstat(path, &status))
		return;
	if (S_ISDIR(status.st_mode) && remove_empty(cleaning, path, &status)) {
		cleaning->items++;
		return;
	}
	if (tree.failed)
		err = tree.err;
	else if (tree.kept)
		error_set(&err, 0, "other files lie in %s", tree.first_kept);
	else if (S_ISDIR(status.st_mode))
		error_set(&err, 0, "it has no marker of iorx (" METADATA_MARKER ")");
	else
		error_set(&err, 0, "it is no directory");
	stay(cleaning, path, &err);
}

static void clean_trees(struct worker *worker, struct load_cleaning *cleaning)
{
	const struct plan *trees = worker->trees;
	const uint64_t repetitions = test_repetitions_most(trees->test);

	for (uint64_t repetition = 0; repetition < repetitions; repetition++) {
		struct tree_path *path = metadata_own_path(worker, repetition);

		for (uint64_t tree = 0; tree < trees->tree.trees; tree++) {
			tree_path_test(path, tree);
			clean_tree(worker, cleaning, path->path);
		}
		free(path);
	}
}

/* Task 0 makes and removes the directories of all trees. */
static void clean_items(struct worker *worker, struct load_cleaning *cleaning)
{
	struct error err = {0};
	struct stat status;

	if (!worker->trees || worker->task || !worker->backend->list)
		return;
	plan_base(worker->trees, 0, worker->path);
	if (lstat(worker->path, &status))
		return;
	if (!S_ISDIR(status.st_mode)) {
		error_set(&err, 0, "it is %s",
			  S_ISLNK(status.st_mode) ? "a symbolic link, which is not followed"
						  : "no directory");
		stay(cleaning, worker->path, &err);
		return;
	}
	const uint64_t stayed = cleaning->stayed;

	clean_trees(worker, cleaning);
	plan_base(worker->trees, 0, worker->path);
	if (!rmdir(worker->path)) {
		cleaning->items++;
	} else if (!worker->plan->load->dir && cleaning->stayed == stayed) {
		/* A directory that the user named is the user's. */
		error_set(&err, errno, "%s",
			  errno == ENOTEMPTY ? "other files lie in it" : strerror(errno));
		stay(cleaning, worker->path, &err);
	}
}

/* --- all tasks ------------------------------------------------------------------------------ */

struct sums {
	uint64_t removed, stayed, absent, items;
};

static void add_sums(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct sums own, other;

	memcpy(&own, mine->bytes, sizeof(own));
	memcpy(&other, theirs, length);
	own.removed += other.removed;
	own.stayed += other.stayed;
	own.absent += other.absent;
	own.items += other.items;
	memcpy(mine->bytes, &own, sizeof(own));
}

static void add_reasons(void *context, struct text *mine, const void *theirs, size_t length)
{
	if (mine->length < REASONS_MOST)
		text_add_bytes(mine, theirs, length);
}

void load_clean(struct worker *worker, struct load_cleaning *cleaning)
{
	const struct comm *comm = &worker->crew->comm;

	clean_files(worker, cleaning);
	clean_items(worker, cleaning);

	struct sums sums = {cleaning->removed, cleaning->stayed, cleaning->absent, cleaning->items};

	comm_fold_fixed(comm, &sums, sizeof(sums), add_sums, NULL, worker->idle);
	comm_fold(comm, &cleaning->reasons, add_reasons, NULL, worker->idle);
	cleaning->removed = sums.removed;
	cleaning->stayed = sums.stayed;
	cleaning->absent = sums.absent;
	cleaning->items = sums.items;
}
