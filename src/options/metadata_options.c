/* The options of metadata tests: a row for each member of struct metadata, and what they share. */
#include "options/groups.h"
#include "options/job.h"

static const char *const names_names[] = {"full", "relative", NULL};

static bool has_items(const struct test_spec *spec)
{
	return !metadata_only_finds(metadata_of(spec));
}

static bool has_files(const struct test_spec *spec)
{
	return metadata_has_files(metadata_of(spec));
}

static bool goes_in_steps(const struct test_spec *spec)
{
	return metadata_of(spec)->last_tasks;
}

/* The operations of a mix are always drawn at random. */
static bool orders_at_random(const struct test_spec *spec)
{
	return has_items(spec) && (metadata_of(spec)->random || metadata_of(spec)->mix);
}

static bool opens_directories(const struct test_spec *spec)
{
	return has_items(spec) && metadata_of(spec)->names == NAMES_RELATIVE;
}

#define M struct metadata
#define WHAT .group = GROUP_WHAT
#define TREE .group = GROUP_TREE
#define HOW .group = GROUP_HOW
#define OF_ITEMS .needs = has_items, .needs_what = "has items, as a find alone walks what is there"
#define OF_FILES .needs = has_files, .needs_what = "has files as items"

/* The help of a row fits beside its flags into 80 columns. */
static const struct option rows[] = {
	STRING(M, dir, WHAT, .letter = 'd', .initial = "out", .argument = "DIR",
	       .help = "Directory to work in, or a@b@c",
	       .more = "A missing directory is made, and it stays; the text output says so. "
		       "Several directories are dealt to the tasks in turn, and no two may "
		       "be the same; @@ is an @ in a name. Below a directory iorx touches "
		       "only test-dir.REPETITION-NUMBER."),
	BOOL(M, parents, WHAT, .help = "Make missing directories above dir, too",
	     .more = "They stay. Without this option dir is refused if the directory above "
		     "it is missing: a mistyped path would be measured on another file "
		     "system."),
	BOOL(M, create, WHAT, .letter = 'C', .help = "Create the items",
	     .more = "Without any of -C -T -E -U -r all of them run: the items are made, "
		     "measured and removed again."),
	BOOL(M, stat, WHAT, .letter = 'T', .help = "Stat the items"),
	BOOL(M, read, WHAT, .letter = 'E', .help = "Open and close the files"),
	BOOL(M, rename, WHAT, .letter = 'U', .help = "Rename the directories",
	     .more = "Each directory takes the name of the one before it, in a ring, so "
		     "that all names exist again in the end."),
	BOOL(M, remove, WHAT, .letter = 'r', .help = "Remove the items"),
	BOOL(M, list, WHAT, .help = "List the directories (readdir)",
	     .more = "The listing comes after the files were read; with directories_only "
		     "(-D) before the directories are removed. Each directory is listed "
		     "once: in a tree of its own by the task that stats it, in a shared "
		     "tree by its tasks in turn."),
	BOOL(M, find, WHAT, .help = "Find: all tasks walk the trees together",
	     .more = "The find comes after the files were read and listed; with "
		     "directories_only (-D) before the directories are removed. If items "
		     "are of both kinds, -r has removed the directories by then, and the "
		     "find sees only the files. Without any of -C -T -E -U -r nothing else "
		     "runs: everything below dir is walked, whoever made it, and only "
		     "read. Tasks without work steal directories from others. No symbolic "
		     "link below dir is followed. The type of an entry comes from its "
		     "directory (d_type); a stat is made only for find_size and "
		     "find_newer, and where the file system does not give the type."),
	STRING(M, find_name, WHAT, .argument = "PATTERN", .empty_unsets = true,
	       .help = "Match entries by name",
	       .more = "As -name of find(1): a shell pattern for the last component of the "
		       "path. Empty: any name."),
	STRING(M, find_size, WHAT, .argument = "[+-]N[ckMG]", .empty_unsets = true,
	       .help = "Match entries by size",
	       .more = "As -size of find(1): N units, +N more, -N fewer; a partial unit "
		       "counts as one. c are bytes, k, M and G are 1024, 1024^2 and 1024^3 "
		       "bytes, and without a letter a unit has 512 bytes. So -1M matches "
		       "empty files only. Empty: any size."),
	STRING(M, find_newer, WHAT, .argument = "FILE", .empty_unsets = true,
	       .help = "Match entries changed after FILE",
	       .more = "As -newer of find(1): the data changed later than that of FILE. An "
		       "earlier test of the job may make FILE. Empty: any time."),
	BOOL(M, find_mounts, WHAT, .help = "Walk into mounts below dir, too",
	     .more = "Otherwise a mount point below dir is counted as a directory and not "
		     "read."),
	STRING(M, mix, WHAT, .argument = "SHARES", .empty_unsets = true,
	       .help = "Mixed: create:15,stat:60,read:10,remove:15",
	       .more = "A phase of operations by these shares, dealt from a shuffled deck of "
		       "1000, before the items are removed. Each task removes its oldest files "
		       "and makes them again under the same names: create and remove share the "
		       "sum of their shares, so that at most a tenth of its files are missing at "
		       "a time, and none at the end. It stats and reads files at random, with "
		       "--stride those of another task. Empty: no such phase."),
	SECONDS(M, mix_duration, WHAT, .initial = "0", .help = "Duration of the mixed phase"),
	COUNT(M, mix_operations, WHAT, .initial = "0", .help = "Mixed operations of each task",
	      .more = "Without mix_operations and mix_duration a task makes as many "
		      "operations as it has items; with both, the first limit that is "
		      "reached ends the phase."),
	RATE(M, mix_rate, WHAT, .initial = "0", .help = "Mixed operations per second of each task",
	     .more = "Each operation is due at a moment; the moments are evenly spaced. A "
		     "late operation begins at once, and its response time counts from the "
		     "moment it was due. 0.5 is one operation in two seconds; 0 means as "
		     "fast as possible."),
	RATE(M, mix_total_rate, WHAT, .initial = "0",
	     .help = "Mixed operations per second of all tasks"),
	SECONDS(M, mix_think, WHAT, .initial = "0", .help = "Pause after each mixed operation"),
	BOOL(M, directories_only, WHAT, OF_ITEMS, .letter = 'D',
	     .help = "Items are directories only"),
	BOOL(M, files_only, WHAT, OF_ITEMS, .letter = 'F', .help = "Items are files only"),

	COUNT(M, items, TREE, .letter = 'n', .initial = "0", .help = "Items of each task",
	      .more = "Each task makes exactly this many, whatever the tree. If the "
		      "directories cannot share them evenly, the first directories get one "
		      "more each. With --items-per-dir as well, trees of that size are made "
		      "until all items have room. Without both options only the directories "
		      "of the tree are made and removed."),
	COUNT(M, items_per_dir, TREE, .letter = 'I', .initial = "0",
	      .help = "Items of a task in each directory"),
	COUNT(M, branch, TREE, OF_ITEMS, .letter = 'b', .initial = "1",
	      .help = "Subdirectories of each directory"),
	COUNT(M, depth, TREE, OF_ITEMS, .letter = 'z', .initial = "0", .max = 1000,
	      .help = "Levels below the root of the tree"),
	BOOL(M, leaf_only, TREE, OF_ITEMS, .letter = 'L',
	     .help = "Items in the deepest level only"),
	BOOL(M, unique_dir, TREE, OF_ITEMS, .letter = 'u', .help = "A tree for each task"),

	COUNT(M, first_tasks, HOW, .letter = 'f', .initial = "0",
	      .help = "Number of tasks of the first test",
	      .more = "With --last-tasks the test runs with first_tasks (1 if only "
		      "--last-tasks is given), first_tasks + task_step … tasks, up to "
		      "last_tasks or the tasks of the job; tasks=[1 2 4] does so with any "
		      "numbers. Alone it runs one test with this many tasks."),
	COUNT(M, last_tasks, HOW, .letter = 'l', .initial = "0",
	      .help = "Number of tasks of the last test"),
	COUNT(M, task_step, HOW, .needs = goes_in_steps, .needs_what = "uses last_tasks (-l)",
	      .letter = 's', .initial = "1", .min = 1,
	      .help = "Tasks added from one test to the next"),
	COUNT(M, stride, HOW, OF_ITEMS, .letter = 'N', .initial = "0",
	      .help = "Stat the items of the task N further on",
	      .more = "Task p creates its own items, stats those of task p + N, reads those "
		      "of p + 2N and removes those of p + 3N. If the tasks run on several "
		      "nodes, N counts nodes. 0: each task works on its own items."),
	LEVEL(M, random, HOW, OF_ITEMS, .letter = 'R',
	      .help = "Stat in random order; -RR: all but create"),
	INTEGER(M, random_seed, HOW, .needs = orders_at_random, .needs_what = "uses random (-R)",
		.initial = "0", .help = "Seed of the random order"),
	CHOICE(M, names, names_names, HOW, OF_ITEMS, .initial = "full", .help = "Paths in calls",
	       .more = "full gives whole paths to the calls, as mdtest does, so the lookup "
		       "of every directory on the path is part of the rate. relative keeps "
		       "the directories open and gives only the last component."),
	BOOL(M, time_unique_dir, HOW, .needs = opens_directories,
	     .needs_what = "uses names=relative", .letter = 't',
	     .help = "Include opening of directories in the time",
	     .more = "With names=relative, directories are opened inside the measured "
		     "time, each when it is needed. With full paths the lookup is part of "
		     "every operation anyway."),
	BOOL(M, collective_create, HOW, OF_ITEMS, .letter = 'c',
	     .help = "Task 0 creates everything"),
	BOOL(M, shared_file, HOW, OF_ITEMS, .letter = 'S',
	     .help = "All tasks open and stat the same files",
	     .more = "Task 0 creates and removes the files. No items are directories."),
	BOOL(M, mknod, HOW, OF_FILES, .letter = 'k', .help = "Create files by mknod"),
	SIZE(M, write_bytes, HOW, OF_FILES, .letter = 'w', .initial = "0",
	     .help = "Bytes written to each file"),
	SIZE(M, read_bytes, HOW, OF_FILES, .letter = 'e', .initial = "0",
	     .help = "Bytes read from each file"),
	BOOL(M, fsync, HOW, OF_FILES, .letter = 'y',
	     .help = "Call fsync before each file is closed"),
	BOOL(M, sync_phases, HOW, .letter = 'Y', .help = "Sync each node after each phase",
	     .more = "The sync is inside the total time. It waits for all data that the "
		     "node has not written yet, also data of others."),
	BOOL(M, verify_read, HOW, .letter = 'X', .help = "Compare the bytes that -e reads",
	     .more = "A run that did not write the data learns the seed from the first "
		     "file, unless -G gives it; the number of items must be that of the "
		     "run that wrote."),
	BOOL(M, verify_write, HOW, .help = "Read back and compare what -w wrote"),
	SECONDS(M, pre_delay, HOW, .letter = 'p', .initial = "0",
		.help = "Pause before each repetition, in seconds"),
	STRING(M, run_cmd_before_phase, HOW, .argument = "COMMAND", .runs_command = true,
	       .empty_unsets = true, .help = "Shell command to run before each phase",
	       .more = "sh runs the command once, on the node of task 0; the other tasks "
		       "wait, outside the measured time. Its environment has IORX_PHASE "
		       "(file-create …), IORX_REPETITION (from 0) and IORX_PATH (dir, the "
		       "first of several). Its output goes to standard error. If it fails, "
		       "the test ends with exit code 1; a stop request or the deadline ends "
		       "the command. A job file may give it only with --allow-commands on "
		       "the command line."),
	STRING(M, run_cmd_after_phase, HOW, .argument = "COMMAND", .runs_command = true,
	       .empty_unsets = true, .help = "Shell command to run after each phase",
	       .more = "It runs as run_cmd_before_phase does, before the next phase begins, "
		       "but not after a phase that was stopped."),
	STRING(M, cleanup, .group = GROUP_FILES, .argument = "DIR", .command_line_only = true,
	       .help = "Remove what metadata tests left in DIR",
	       .more = "Several directories are given as with dir; if one of them does not "
		       "exist, nothing is removed in any. Nothing is measured, so only "
		       "--output makes a result file. iorx removes only regular files and "
		       "directories with the names of trees and items, only in directories "
		       "test-dir.* that have the empty marker file of iorx, and nothing on a "
		       "file system that is mounted there. --show-plan prints what it would "
		       "look for; --dry-run is refused."),
	BOOL(M, print_rate, .group = GROUP_RESULTS, .letter = 'P', .aliases = "print_rate_and_time",
	     .help = "With --format=mdtest: rates and times"),
	BOOL(M, print_time, .group = GROUP_RESULTS, .letter = 'Z',
	     .help = "With --format=mdtest: times",
	     .more = "The times are in ms per operation and replace the rates."),
	COUNT(M, max_errors, HOW, .initial = "1000", .help = "Failures after which a task stops",
	      .more = "A failed operation is counted and the next one is tried, until this "
		      "many operations of the task have failed in the phase: 1 (or 0) ends "
		      "it at the first failure. In a phase that creates items, this many "
		      "failures end the repetition, and so does a full file system or "
		      "directory; what the repetition made is removed. A find goes on "
		      "whatever fails, as find(1) does."),
};

const struct option_table metadata_options = {
	.prefix = "metadata",
	.prefix_aliases = "mdtest",
	.summary = "options of metadata tests: iorx mdtest, and MDTEST blocks of job files",
	OPTION_ROWS(rows, M),
};

bool metadata_only_finds(const struct metadata *test)
{
	return test->find && !test->create && !test->stat && !test->read && !test->rename &&
	       !test->remove;
}

bool metadata_only_trees(const struct metadata *test)
{
	return !test->items && !test->items_per_dir && !test->cleanup && !metadata_only_finds(test);
}

bool metadata_has_files(const struct metadata *test)
{
	return !metadata_only_finds(test) && !test->directories_only;
}
