/*
 * What exactly one test will do, or why it cannot: pure functions of the test and of plain facts, so
 * that every task reaches the same plan or the same error without talking.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "base/error.h"
#include "options/metadata.h"
#include "options/test.h"
#include "plan/geometry.h"
#include "plan/mix.h"
#include "plan/node_map.h"
#include "plan/order.h"
#include "plan/phase.h"
#include "plan/predicates.h"
#include "plan/reader_map.h"
#include "plan/tree.h"

#define PLAN_PATH_SIZE 4096

enum { PLAN_PHASES = PHASE_KINDS }; /* at most, of a test */

/* What was gathered before planning. */
struct facts {
	const struct node_map *map; /* of all tasks of the job */
	uint64_t memory_per_node;   /* bytes, the smallest node; 0: unknown */
};

/* The space of a file system under the test's files, for plan_check_space(); gathered by one task. */
struct space {
	bool known;
	uint64_t files; /* of the plan's, that will lie there */
	uint64_t free_bytes;
	uint64_t free_files; /* UINT64_MAX where the file system does not count */
	uint64_t reusable_bytes; /* allocated by files the test replaces */
	uint64_t reusable_files;
	char path[256]; /* the directory that was asked */
};

struct plan {
	const struct test *test;
	const struct metadata *metadata; /* NULL: a test of files */
	const struct backend *backend;
	struct geometry geometry;
	struct node_map map; /* of the tasks that take part */
	struct reader_map readers, verifiers; /* of the first repetition; plan_readers() */
	struct tree tree;                   /* of a metadata test */
	uint32_t full_tasks;                /* have tree.items items, the tasks behind them one less */
	struct reader_map shifts[STRIDES];  /* whose items it has to do with */
	struct predicates predicates;       /* of its find */
	struct mix mix;                     /* of its mixed phase */
	enum order_kind order;
	uint64_t order_seed;
	uint32_t most_tasks_on_node;
	struct phase_plan phases[PLAN_PHASES];
	unsigned phase_count;

	uint64_t transfers_per_task; /* calls in one phase; a strided one moves a piece of each segment */
	uint64_t transfer_bytes;     /* of one call */
	uint64_t queue_depth;        /* in flight at most */
	uint64_t bytes_per_task;
	uint64_t bytes;       /* moved by all tasks in one phase */
	uint64_t file_size;   /* bytes of each file */
	uint64_t files;       /* that exist at the same time at most */
	uint64_t directories; /* made by unique_dir */
	uint32_t path_count;  /* that files are dealt to */
	uint64_t space_bytes; /* held at the same time at most */
	uint64_t ballast_per_node; /* bytes to occupy beside memory_per_task's */
	uint64_t buffers;      /* transfers of a task that have one at the same time */
	uint64_t buffer_bytes; /* transfer buffers of one task */
	uint64_t name_size;    /* of a metadata test: room for the longest path of an item */
	uint64_t memory_per_task; /* buffers and what iorx itself needs, bytes, an estimate */
};

int plan_build(struct plan *plan, const struct test *test, const struct backend *backend,
	       const struct facts *facts, struct error *err);
/* The same for a metadata test. metadata.c */
int plan_build_metadata(struct plan *plan, const struct test *test, const struct metadata *metadata,
			const struct backend *backend, const struct facts *facts, struct error *err);
/*
 * trees.c, of two tests of a job. Whether other trees lie in a directory that the later one works in when the
 * earlier one is over, and which: PLAN_PATH_SIZE bytes. What links lead to is not known.
 */
bool plan_changes_trees(const struct plan *earlier, const struct plan *later, char *path);
/*
 * Where it is so and no test between changes them again: the later one would find the tree of the earlier where
 * it makes its own, or would miss the one that the earlier removed; ERROR_INPUT says so. study: both are of one.
 */
int plan_check_trees(const struct plan *earlier, const struct plan *later, const char *path, bool study,
		     struct error *err);
/* Items of a task of a metadata test. */
static inline uint64_t plan_items_of(const struct plan *plan, uint32_t task)
{
	return plan->tree.items - (task >= plan->full_tasks);
}
/* The owners' items one behind the other: how many of `owner`'s are among the first `made`. */
uint64_t plan_items_among(const struct plan *plan, uint64_t made, uint32_t owner);
/* How many of its tasks have anything to do in a phase by the plan: trees and shared files are made by few. */
uint32_t plan_working_tasks(const struct plan *plan, enum phase_kind kind);
/* Whether a phase of it gives names relative to directories that are held open, else whole paths. */
bool plan_gives_relative(const struct plan *plan, enum phase_kind kind);
void plan_release(struct plan *plan);

/* What both begin with: the tasks that take part, on the nodes they were said to be. tasks.c */
int plan_take_tasks(struct plan *plan, const struct facts *facts, struct error *err);

/* Too little space or too few inodes is an error that names both numbers. */
int plan_check_space(const struct plan *plan, const struct space *space, struct error *err);

/* What memory_per_node and memory_per_task come to, and whether it can fit; after the rest. ballast.c */
int plan_count_ballast(struct plan *plan, const struct facts *facts, struct error *err);

/*
 * Names. With file_per_proc test_file may name several paths, "a@b": tasks are dealt to them in turn, as
 * IOR does; "@@" is an '@' in a name. The directories of a metadata test, and those that it cleans, are such a list too.
 * paths.c
 */
int plan_count_paths(struct plan *plan, struct error *err); /* and whether each can be one */
/* Copies the first of a list into PLAN_PATH_SIZE bytes; returns where the next one begins, NULL after the last. */
const char *plan_take_path(const char *list, char *path);
/* Path number `number` as it was given, without a task's number; PLAN_PATH_SIZE bytes. */
void plan_base(const struct plan *plan, uint32_t number, char *path);
/* Whether two are the same name for name, but for slashes and names "." that lead nowhere else. */
bool plan_same_path(const char *a, const char *b);
/* The one that `task`'s file belongs to. */
uint32_t plan_base_of(const struct plan *plan, uint32_t task);
/*
 * Where to ask what direct I/O needs for a task's transfers: its file, or of a metadata test the directory,
 * as no file is there yet. PLAN_PATH_SIZE bytes.
 */
void plan_probe_path(const struct plan *plan, uint32_t task, char *path);
/* How many of the plan's files belong to it. */
uint64_t plan_base_files(const struct plan *plan, uint32_t number);

/* The name of the file that holds `task`'s data in a repetition; PLAN_PATH_SIZE bytes. */
void plan_path(const struct plan *plan, uint32_t task, uint64_t repetition, char *path);
/* The same as a phase sees it: with dual_mount reads go by the second path. */
void plan_phase_path(const struct plan *plan, const struct phase_plan *phase, uint32_t task,
		     uint64_t repetition, char *path);
/* The directory that task makes for itself under unique_dir. */
void plan_directory(const struct plan *plan, uint32_t task, char *path);

/* Who reads whose data in a phase of a repetition; of PHASE_READ or PHASE_VERIFY. */
struct reader_map plan_readers(const struct plan *plan, enum phase_kind kind, uint64_t repetition);

/* The task whose block, or share of a random order, `task` moves in a phase of a repetition. */
uint32_t plan_source(const struct plan *plan, const struct phase_plan *phase, uint64_t repetition,
		     uint32_t task);

/* The place of a task's transfer number `index` in the order of the test. */
void plan_place(const struct plan *plan, uint32_t source, uint64_t index,
		struct placement *placement);

/*
 * Whether a task may make what it writes where it stands in a longer buffer: one transfer at a time
 * that is one piece of the file.
 */
bool plan_writes_in_place(const struct plan *plan);

/* Whether a phase may end before all of the plan is moved. */
bool plan_is_cut(const struct plan *plan);

/* The bytes a file of `task` must have when `count` transfers of each task are read; 0: not known. */
uint64_t plan_end(const struct plan *plan, uint32_t task, uint64_t count);

#endif
