/* The options of a test's metadata phases; metadata_options.c has their rows. */
#ifndef OPTIONS_METADATA_H
#define OPTIONS_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "options/option.h"

/* The form of names that the operating system gets. */
enum names_form {
	NAMES_FULL,	/* whole paths, as mdtest does */
	NAMES_RELATIVE, /* relative to their open directory */
};

/*
 * Members are named like the options. struct test has those common to all tests (api, repetitions
 * …).
 */
struct metadata {
	/* what is measured */
	const char *dir; /* one directory, or several with '@' between them */
	bool parents;	 /* directories above it are made too */
	bool create, stat, read, rename, remove; /* none given: all, settled by job_complete() */
	bool list;				 /* too */
	bool find;			   /* alone: of what is there in dir, and nothing else */
	bool directories_only, files_only; /* neither given: both kinds */

	/* of the find; NULL: any */
	const char *find_name, *find_size, *find_newer;
	bool find_mounts; /* goes into other file systems too */

	/* mixed operations */
	const char *mix; /* their shares, "create:20,stat:60,…"; NULL: none */
	double mix_duration;
	uint64_t mix_operations; /* of a task; 0: until mix_duration, or as many as it has items */
	/* operations/s of each task, of all together; 0: as fast as can be */
	double mix_rate, mix_total_rate;
	double mix_think; /* after each operation */

	/* the tree */
	uint64_t items;		/* of a task; 0: items_per_dir in each directory */
	uint64_t items_per_dir; /* 0: items spread over the directories */
	uint64_t branch, depth;
	bool leaf_only;
	bool unique_dir; /* a tree for each task */

	/* on how many tasks: first, first + step … last; 0: as num_tasks says */
	uint64_t first_tasks, last_tasks, task_step;

	/* how */
	/* tasks, or nodes where there are several, between the phases; 0: own items */
	uint64_t stride;
	unsigned random; /* 1: stat in random order, 2: read and remove too */
	int64_t random_seed;
	int names;		/* enum names_form */
	bool time_unique_dir;	/* opening the directories of relative names too */
	bool collective_create; /* task 0 makes all items */
	bool shared_file;	/* all tasks have to do with the same files, which task 0 makes */
	bool mknod;		/* instead of open and close */
	bool fsync;		/* each file */
	bool sync_phases;	/* all file systems, after each phase */
	double pre_delay;	/* before each repetition */
	const char *run_cmd_before_phase, *run_cmd_after_phase; /* by task 0; NULL: none */
	uint64_t write_bytes, read_bytes;			/* of each file */
	bool verify_read, verify_write;
	const char *cleanup; /* only remove what tests left in this directory; NULL: not asked */
	bool print_rate, print_time; /* in mdtest's form: both tables, or that of times alone */
	uint64_t max_errors;	     /* failed operations of a task that end its phase */
};

extern const struct option_table metadata_options;

/* True if the test is only a find, so that the content of dir is only read. */
bool metadata_only_finds(const struct metadata *test);
/* True if no number of items is given: the test makes and removes empty trees. */
bool metadata_only_trees(const struct metadata *test);
/* True if the test has items, and files among them. */
bool metadata_has_files(const struct metadata *test);

#endif
