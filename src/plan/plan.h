/*
 * The plan of one test: exactly what every task will do, or why the test cannot run. All are pure
 * functions of the test and of plain facts. So every task reaches the same plan or the same error
 * without communication.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/backend.h"
#include "base/error.h"
#include "options/load.h"
#include "options/metadata.h"
#include "options/test.h"
#include "pattern/geometry.h"
#include "plan/load/walk.h"
#include "plan/mix.h"
#include "plan/node_map.h"
#include "pattern/order.h"
#include "pattern/phase.h"
#include "plan/predicates.h"
#include "plan/reader_map.h"
#include "plan/seats.h"
#include "plan/tree.h"

#define PLAN_PATH_SIZE 4096

enum { PLAN_PHASES = PHASE_KINDS }; /* most phases of a test */

/* Facts that are gathered before planning. */
struct facts {
	const struct node_map *map; /* all tasks of the job */
	uint64_t memory_per_node;   /* bytes, the smallest node; 0: unknown */
	uint32_t first_task;	    /* of the job that a member of a set has; else 0 */
	const struct trace *trace;  /* that the load replays; NULL: none */
	uint64_t largest_call;	    /* bytes; a buffer must hold it */
};

/* The space of a file system under the test's files, for plan_check_space(); gathered by one task.
 */
struct space {
	bool known;
	uint64_t files; /* files of the plan in this file system */
	uint64_t free_bytes;
	uint64_t free_files;	 /* UINT64_MAX where the file system does not count */
	uint64_t reusable_bytes; /* allocated by files the test replaces */
	uint64_t reusable_files;
	uint64_t others_bytes; /* that other tests write there at the same time */
	char path[256];	       /* directory that was asked for its file system */
};

struct plan {
	const struct test *test;
	const struct metadata *metadata; /* NULL: no metadata test */
	const struct load *load;	 /* NULL: no load test */
	struct test *layout;		 /* of a load test: test of its own that lays files out */
	struct load_pattern pattern;	 /* of a load test: its operations */
	const struct trace *trace;	 /* of a load test: that it replays; NULL: none */
	struct trace_play play;		 /* which part of the trace, and how */
	struct plan *names;		 /* of a load test: the trees of its items; NULL: none */
	double load_seconds;		 /* length of its measured window; 0: no limit of time */
	bool load_syncs;		 /* of a load test: an fsync when it has ended */
	bool awaits_rate;    /* of a load test: earlier points of a curve decide its rate */
	uint32_t first_task; /* of a load test: facts.first_task */
	const struct backend *backend;
	struct geometry geometry;	      /* of one file */
	uint32_t own_files;		      /* of each task, or of the tasks that share them */
	enum load_scope file_scope;	      /* tasks that share files */
	bool has_fields;		      /* of a load: names have fields for numbers */
	struct node_map map;		      /* tasks that take part */
	uint32_t sleeping_tasks;	      /* of the job, while the test or its set runs */
	const struct seats *seats;	      /* of a member of a set: where they run; or NULL */
	struct reader_map readers, verifiers; /* in the first repetition; see plan_readers() */
	struct tree tree;		      /* of a metadata test: its trees */
	uint32_t full_tasks;		      /* have tree.items items, later tasks one less */
	struct reader_map shifts[STRIDES];    /* task whose items a task works on, by stride */
	struct predicates predicates;	      /* of the find phase */
	struct mix mix;			      /* of the mixed phase */
	enum order_kind order;
	uint64_t order_seed;
	uint32_t most_tasks_on_node;
	struct phase_plan phases[PLAN_PHASES];
	unsigned phase_count;

	/* calls in one phase; a strided one moves a piece of each segment */
	uint64_t transfers_per_task;
	uint64_t transfer_bytes; /* bytes of one call */
	uint64_t largest_call;	 /* bytes; operations of a load may be larger than its layout's */
	uint64_t queue_depth;	 /* most transfers in flight */
	uint64_t bytes_per_task;
	uint64_t bytes;		      /* moved by all tasks in one phase */
	uint64_t file_size;	      /* bytes of each file, of a trace's files the largest */
	uint64_t files;		      /* most that exist at the same time */
	uint64_t directories;	      /* made by unique_dir */
	uint32_t path_count;	      /* paths that files are dealt to */
	uint64_t space_bytes;	      /* most bytes held at the same time */
	uint64_t memory_hog_per_node; /* memory hog, bytes beyond memory_per_task's */
	uint64_t buffers;	      /* transfer buffers of one task */
	uint64_t buffer_bytes;	      /* bytes of one task's transfer buffers */
	uint64_t name_size;	      /* of a metadata test: room for an item's longest path */
	uint64_t memory_per_task;     /* buffers and what iorx itself needs, bytes, an estimate */
};

int plan_build(struct plan *plan, const struct test *test, const struct backend *backend,
	       const struct facts *facts, struct error *err);
/* Builds the plan of a metadata test. metadata.c */
int plan_build_metadata(struct plan *plan, const struct test *test, const struct metadata *metadata,
			const struct backend *backend, const struct facts *facts,
			struct error *err);
/* Builds the plan of a load test. load.c */
int plan_build_load(struct plan *plan, const struct test *test, const struct load *load,
		    const struct backend *backend, const struct facts *facts, struct error *err);
/* The plan that describes the trees of a test: its own, or that of a load's items. NULL: none. */
static inline const struct plan *plan_of_trees(const struct plan *plan)
{
	return plan->metadata ? plan : plan->names;
}

/* True if the test removes what earlier tests left, and measures nothing. */
static inline bool plan_cleans(const struct plan *plan)
{
	return plan->load ? plan->load->cleanup : plan->metadata && plan->metadata->cleanup;
}

/* The job's number of the node on which a task of the test runs. */
static inline uint32_t plan_job_node(const struct plan *plan, uint32_t task)
{
	const uint32_t node = node_map_node(&plan->map, task);

	return plan->seats ? plan->seats->node_of[node] : node;
}

/* True for the write phase that only lays out the files of a load. */
static inline bool plan_is_layout(const struct plan *plan, const struct phase_plan *phase)
{
	return plan->load && phase->kind == PHASE_WRITE;
}

/*
 * True if each task ends the phase with an fsync. Of a load only the layout does, so that the
 * kernel does not write it back while the load is measured.
 */
static inline bool plan_syncs_at_end(const struct plan *plan, const struct phase_plan *phase)
{
	if (phase->access != ACCESS_WRITE)
		return false;
	return plan->load && !plan_is_layout(plan, phase) ? plan->load_syncs : plan->test->fsync;
}

/*
 * True if the earlier test leaves other trees than before in a directory of the later test. That
 * directory goes to path (PLAN_PATH_SIZE bytes). Symbolic links are not resolved. trees.c
 */
bool plan_changes_trees(const struct plan *earlier, const struct plan *later, char *path);
/*
 * Call this if plan_changes_trees() is true and no test between the two changes the trees again.
 * ERROR_INPUT if the later test would find a leftover tree where it makes its own, or would miss a
 * tree that the earlier test removed. study: both tests are of one study.
 */
int plan_check_trees(const struct plan *earlier, const struct plan *later, const char *path,
		     bool study, struct error *err);
/* Number of items of a task of a metadata test. */
static inline uint64_t plan_items_of(const struct plan *plan, uint32_t task)
{
	return plan->tree.items - (task >= plan->full_tasks);
}
/* Counts `owner`'s items among the first `made`, where all items are sorted by owner. */
uint64_t plan_items_among(const struct plan *plan, uint64_t made, uint32_t owner);
/* Number of tasks that have work in a phase. Few tasks make trees and shared files. */
uint32_t plan_working_tasks(const struct plan *plan, enum phase_kind kind);
/* True if a phase passes names relative to open directories, false if it passes whole paths. */
bool plan_gives_relative(const struct plan *plan, enum phase_kind kind);
void plan_release(struct plan *plan);

/* First step of both builders: chooses the tasks that take part and checks their nodes. tasks.c */
int plan_take_tasks(struct plan *plan, const struct facts *facts, struct error *err);
/* A task's items: the test's number, or with scaling=strong the task's share of it. */
int plan_share_items(struct plan *plan, uint64_t *items, struct error *err);
/* A task's block and segments: the test's, or with scaling=strong the task's share of them. */
int plan_share_work(const struct plan *plan, uint64_t *block, uint64_t *segments,
		    struct error *err);
/*
 * Checks that the backend has the operations that a metadata test's phases, which must be known,
 * need. operations.c
 */
int plan_check_operations(const struct plan *plan, struct error *err);

/* Too little space or too few inodes is an error that names both numbers. */
int plan_check_space(const struct plan *plan, const struct space *space, struct error *err);

/*
 * Last step of both builders: bytes that memory_per_node and memory_per_task occupy. ERROR_INPUT if
 * the node's memory is too small. memory_hog.c
 */
int plan_count_memory_hog(struct plan *plan, const struct facts *facts, struct error *err);

/*
 * File names. With file_per_proc and in loads, test_file may hold several paths, "a@b". Files are
 * dealt to them in turn, as IOR does; "@@" is an '@' in a name. The directories of a metadata test,
 * and those that it cleans up, are such lists too. paths.c
 */
int plan_count_paths(struct plan *plan, struct error *err); /* checks each path too */
/*
 * Copies the first path of a list into PLAN_PATH_SIZE bytes. Returns the start of the next path,
 * NULL after the last.
 */
const char *plan_take_path(const char *list, char *path);
/*
 * Path number `number` as the user gave it, without a task's number; PLAN_PATH_SIZE bytes. Fields
 * of a load's path have the numbers of the first file.
 */
void plan_base(const struct plan *plan, uint32_t number, char *path);
/* True if two paths have the same names, apart from repeated slashes and names ".". */
bool plan_same_path(const char *a, const char *b);
/* True if one of the first `count` paths of a list "a@b" is the path. */
bool plan_path_stands_before(const char *list, uint32_t count, const char *path);
/* The number of the path that `task`'s directory, or its file number `file`, belongs to. */
uint32_t plan_base_of(const struct plan *plan, uint32_t task, uint32_t file);
/*
 * The path to query for the alignment of a task's direct I/O: its file. A metadata test has no file
 * yet, so its directory is taken. PLAN_PATH_SIZE bytes.
 */
void plan_probe_path(const struct plan *plan, uint32_t task, char *path);
/* How many of the plan's files belong to path number `number`. */
uint64_t plan_base_files(const struct plan *plan, uint32_t number);

/*
 * The name of the file that holds `task`'s data in a repetition; PLAN_PATH_SIZE bytes. file: its
 * number among the task's files, 0 .. own_files-1.
 */
void plan_path(const struct plan *plan, uint32_t task, uint32_t file, uint64_t repetition,
	       char *path);
/* The name of the task's first file in a phase: with dual_mount, reads use the second path. */
void plan_phase_path(const struct plan *plan, const struct phase_plan *phase, uint32_t task,
		     uint64_t repetition, char *path);

/*
 * The files of a test are numbered: those of the first task, of the second and so on, where tasks
 * share files those of the first node. files.c
 */
uint32_t plan_file_number(const struct plan *plan, uint32_t task, uint32_t file);
uint64_t plan_file_count(const struct plan *plan);
/* Finds the first task of a file of the test. Returns the number of the file among the task's. */
uint32_t plan_file_of(const struct plan *plan, uint32_t number, uint32_t *task);
/* The bytes of file number `file` of a task's files. */
uint64_t plan_file_bytes(const struct plan *plan, uint32_t file);
/* The bytes of all files of one task, or of the tasks that share them. */
uint64_t plan_own_bytes(const struct plan *plan);
/*
 * The part of a file that a task writes when the files of a load are laid out, in transfers from
 * the begin of the file.
 */
struct file_part {
	uint64_t first, count;
};
struct file_part plan_part(const struct plan *plan, uint32_t task, uint32_t file);
/*
 * Finds the file of a load that a task's transfer number *index of the layout is in. *index becomes
 * its number among those of the task in this file.
 */
uint32_t plan_file_at(const struct plan *plan, uint32_t task, uint64_t *index);
/* Transfers of a task in a phase that writes or reads all of its files. */
uint64_t plan_transfers_of(const struct plan *plan, uint32_t task);
/* The task whose block of file `number` of the test is at an offset. */
uint32_t plan_block_owner(const struct plan *plan, uint32_t number, uint64_t offset);
/* Number of tasks that share each file. */
uint32_t plan_sharers(const struct plan *plan);
/* The number of a task among those that share its files; 0 for the one that looks after them. */
uint32_t plan_sharer(const struct plan *plan, uint32_t task);
/* The directory that `task` makes for itself with unique_dir. */
void plan_directory(const struct plan *plan, uint32_t task, char *path);

/* The map from reading to writing tasks in a repetition; kind is PHASE_READ or PHASE_VERIFY. */
struct reader_map plan_readers(const struct plan *plan, enum phase_kind kind, uint64_t repetition);

/* The task whose block, or share of a random order, `task` moves in a phase of a repetition. */
uint32_t plan_source(const struct plan *plan, const struct phase_plan *phase, uint64_t repetition,
		     uint32_t task);

/*
 * The position of a task's transfer number `index` in the order of the test. held: transfers that
 * each file really has, where these decide what a random order visits; 0: those of the plan.
 */
void plan_locate(const struct plan *plan, uint32_t source, uint64_t index, uint64_t held,
		 struct placement *placement);

/* The same for transfer number `index` of a task in file number `file` of its own. */
void plan_locate_in(const struct plan *plan, uint32_t source, uint32_t file, uint64_t index,
		    uint64_t held, struct placement *placement);

/*
 * True if a task may make its data in place, inside a longer buffer. This needs one transfer at a
 * time, each one piece of the file.
 */
bool plan_writes_in_place(const struct plan *plan);

/* True if a phase may end before all bytes of the plan are moved. */
bool plan_is_cut(const struct plan *plan);

/*
 * True if the size of a file says how many of the plan's transfers it holds. A library's own format
 * adds to the data, and a strided transfer lies in all segments.
 */
bool plan_size_tells(const struct plan *plan);

/* The least size of `task`'s file if `count` transfers of each task are read; 0: not known. */
uint64_t plan_end(const struct plan *plan, uint32_t task, uint64_t count);

/* The transfers that `task` has in files that hold `held` each; in an order with repeats all. */
uint64_t plan_within(const struct plan *plan, uint32_t task, uint64_t held);

#endif
