/* The options of metadata tests: a row for each member of struct metadata, and what they share. */
#include "options/groups.h"
#include "options/job.h"

static const char *const names_names[] = { "full", "relative", NULL };

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
	       .more = "A directory that is missing is made, and it stays; the text of the run says so. Tasks take "
		       "several directories in turn, and no two may be the same; @@ is an @ in a name. Below a "
		       "directory nothing is touched but test-dir.REPETITION-NUMBER."),
	BOOL(M, parents, WHAT, .help = "Make the directories above dir too",
	     .more = "They stay. Without it dir is refused where the directory above it is missing: a mistyped "
		     "path would be measured on another file system."),
	BOOL(M, create, WHAT, .letter = 'C', .help = "Create",
	     .more = "Without any of -C -T -E -U -r all are done: what is made is measured and "
		     "removed again."),
	BOOL(M, stat, WHAT, .letter = 'T', .help = "Look at what is there (stat)"),
	BOOL(M, read, WHAT, .letter = 'E', .help = "Open and close the files"),
	BOOL(M, rename, WHAT, .letter = 'U', .help = "Rename the directories",
	     .more = "Each takes the name of the one before it, in a ring, so that all names are "
		     "there again in the end."),
	BOOL(M, remove, WHAT, .letter = 'r', .help = "Remove"),
	BOOL(M, list, WHAT, .help = "List the directories (readdir)",
	     .more = "After the files were read; with directories_only (-D) before these are removed. Each directory once: of a tree for each task by the "
		     "task that stats it, of a shared tree by its tasks in turn."),
	BOOL(M, find, WHAT, .help = "Find: walk the trees, tasks share the work",
	     .more = "After the files were read and listed, with directories_only (-D) before these are removed: of "
		     "both kinds -r has removed the directories by then, and it sees the files. Without any of -C -T -E -U -r nothing else is "
		     "done: everything below dir is walked, whoever made it, and only read. A task that "
		     "has nothing to walk gets directories from the others. No symbolic link is followed "
		     "below dir. What an entry is comes from its directory (d_type); a stat is made only "
		     "for find_size, find_newer, and where the file system does not tell the type."),
	STRING(M, find_name, WHAT, .argument = "PATTERN", .empty_unsets = true,
	       .help = "Matches: whose name is like this",
	       .more = "As -name of find(1): a pattern of the shell for the last part of the path. Empty: any name."),
	STRING(M, find_size, WHAT, .argument = "[+-]N[ckMG]", .empty_unsets = true,
	       .help = "Matches: of this size",
	       .more = "As -size of find(1): N units, +N more, -N fewer, a begun one counts; c are bytes, k, "
		       "M and G times 1024, none blocks of 512. -1M are empty files only. Empty: any size."),
	STRING(M, find_newer, WHAT, .argument = "FILE", .empty_unsets = true,
	       .help = "Matches: changed after FILE",
	       .more = "As -newer of find(1): the time of their data is later. An earlier test of the job may "
		       "make FILE. Empty: any time."),
	BOOL(M, find_mounts, WHAT, .help = "Find in mounts below dir too",
	     .more = "Else what is mounted below dir is counted as a directory, and not read."),
	STRING(M, mix, WHAT, .argument = "SHARES", .empty_unsets = true,
	       .help = "Mixed: create:15,stat:60,read:10,remove:15",
	       .more = "A phase of operations drawn at random by these shares, before what is made is "
		       "removed. Each task removes its oldest files and makes them again, under the same names: "
		       "create and remove share what both were given, so that at most a tenth of its files "
		       "are missing at a time, and none at the end. It stats and reads files at random, "
		       "with --stride those of another task. Empty: no such phase."),
	SECONDS(M, mix_duration, WHAT, .initial = "0", .help = "Time of the mixed phase"),
	COUNT(M, mix_operations, WHAT, .initial = "0", .help = "Mixed operations of a task",
	      .more = "Without it and mix_duration a task makes as many as it has items; with both the first "
		      "to come ends it."),
	RATE(M, mix_rate, WHAT, .initial = "0", .help = "Mixed operations/s of each task",
	     .more = "Each operation is due at a moment, evenly spread. What is late begins at once, and its "
		     "response time counts from the moment it was due. 0.5 is one in two seconds, 0 as fast as "
		     "can be."),
	RATE(M, mix_total_rate, WHAT, .initial = "0", .help = "The same of all tasks together"),
	SECONDS(M, mix_think, WHAT, .initial = "0", .help = "Pause after each mixed operation"),
	BOOL(M, directories_only, WHAT, OF_ITEMS, .letter = 'D',
	     .help = "Items are directories only"),
	BOOL(M, files_only, WHAT, OF_ITEMS, .letter = 'F', .help = "Items are files only"),

	COUNT(M, items, TREE, .letter = 'n', .initial = "0",
	      .help = "Items of each task",
	      .more = "Exactly as many, whatever the tree. What its directories cannot share "
		      "evenly goes to the first ones, one each. With --items-per-dir too, trees "
		      "of that filling are made until there is room. Without both only the "
		      "directories of the tree are made and removed."),
	COUNT(M, items_per_dir, TREE, .letter = 'I', .initial = "0",
	      .help = "Items of a task in a directory"),
	COUNT(M, branch, TREE, OF_ITEMS, .letter = 'b', .initial = "1",
	      .help = "Directories below each directory"),
	COUNT(M, depth, TREE, OF_ITEMS, .letter = 'z', .initial = "0", .max = 1000,
	      .help = "Levels below the root of the tree"),
	BOOL(M, leaf_only, TREE, OF_ITEMS, .letter = 'L',
	     .help = "Items in the deepest level only"),
	BOOL(M, unique_dir, TREE, OF_ITEMS, .letter = 'u', .help = "A tree for each task"),

	COUNT(M, first_tasks, HOW, .letter = 'f', .initial = "0",
	      .help = "Tasks of the first test",
	      .more = "With --last-tasks the test is done with first_tasks (1 where only the last is given), "
		      "first_tasks + task_step … tasks up to the last or to the tasks of the job, as "
		      "tasks=[1 2 4] does with any numbers. Alone: one test of so many tasks."),
	COUNT(M, last_tasks, HOW, .letter = 'l', .initial = "0", .help = "Tasks of the last test"),
	COUNT(M, task_step, HOW, .needs = goes_in_steps, .needs_what = "uses last_tasks (-l)",
	      .letter = 's', .initial = "1", .min = 1,
	      .help = "Tasks from one test to the next"),
	COUNT(M, stride, HOW, OF_ITEMS, .letter = 'N', .initial = "0",
	      .help = "Go on with the items of a task so far off",
	      .more = "Task p creates its own items, stats those of task p + N, reads those of p + "
		      "2N and removes those of p + 3N. Where the tasks run on several nodes, N "
		      "counts nodes. 0: each task has to do with its own."),
	LEVEL(M, random, HOW, OF_ITEMS, .letter = 'R',
	      .help = "Stat in random order; -RR: all but create"),
	INTEGER(M, random_seed, HOW, .needs = orders_at_random, .needs_what = "uses random (-R)",
		.initial = "0", .help = "Seed of that order"),
	CHOICE(M, names, names_names, HOW, OF_ITEMS, .initial = "full",
	       .help = "How names are given",
	       .more = "full gives whole paths, as mdtest does: looking up every directory on the "
		       "way is then part of the rate. relative holds the directories open and gives "
		       "the last name only."),
	BOOL(M, time_unique_dir, HOW, .needs = opens_directories,
	     .needs_what = "uses names=relative", .letter = 't', .help = "Count the way to the directories too",
	     .more = "Relative names: the directories are opened inside the time, each when it comes. "
		     "With whole paths the way is part of every operation anyhow."),
	BOOL(M, collective_create, HOW, OF_ITEMS, .letter = 'c',
	     .help = "Task 0 creates everything"),
	BOOL(M, shared_file, HOW, OF_ITEMS, .letter = 'S',
	     .help = "All tasks open and stat the same files",
	     .more = "Task 0 creates and removes them; there are no directories as items."),
	BOOL(M, mknod, HOW, OF_FILES, .letter = 'k', .help = "Create files by mknod"),
	SIZE(M, write_bytes, HOW, OF_FILES, .letter = 'w', .initial = "0",
	     .help = "Bytes written to each file"),
	SIZE(M, read_bytes, HOW, OF_FILES, .letter = 'e', .initial = "0",
	     .help = "Bytes read from each file"),
	BOOL(M, fsync, HOW, OF_FILES, .letter = 'y', .help = "An fsync before each file is closed"),
	BOOL(M, sync_phases, HOW, .letter = 'Y', .help = "A sync of each node after each phase",
	     .more = "It is inside the total time, and waits for everything the node has not written "
		     "yet, also of others."),
	BOOL(M, verify_read, HOW, .letter = 'X', .help = "Compare what is read (-e)",
	     .more = "A run that did not write it learns the seed from the first file, unless it is given (-G); "
		     "the number of items must be that of the run that wrote."),
	BOOL(M, verify_write, HOW, .help = "Read back what was written (-w)"),
	SECONDS(M, pre_delay, HOW, .letter = 'p', .initial = "0",
		.help = "Pause before each repetition"),
	STRING(M, run_cmd_before_phase, HOW, .argument = "COMMAND", .runs_command = true,
	       .empty_unsets = true,
	       .help = "Run before each phase",
	       .more = "By sh, once, on the node of task 0; the others wait, and no time counts. It finds "
		       "IORX_PHASE (file-create …), IORX_REPETITION (from 0) and IORX_PATH (dir, the first "
		       "of several) in its environment. What it prints goes to standard error. When it "
		       "fails, the test ends with exit code 1; a stop or the deadline ends it. A job file "
		       "may give it only with --allow-commands on the command line."),
	STRING(M, run_cmd_after_phase, HOW, .argument = "COMMAND", .runs_command = true,
	       .empty_unsets = true,
	       .help = "Run after each phase that was not stopped",
	       .more = "In the same way, before the next phase begins; no time counts either."),
	STRING(M, cleanup, .group = GROUP_FILES, .argument = "DIR", .command_line_only = true,
	       .help = "Remove what such tests left in DIR, or a@b",
	       .more = "Several directories as with dir; when one of them is not there nothing is removed in any. "
		       "Nothing is measured, so no result file is made but by --output. Only regular files and directories with the names of trees "
		       "and items are removed, and only in directories test-dir.* that carry the empty marker of iorx. "
		       "Nothing on a file system that is mounted there is removed. --show-plan says what is looked for; "
		       "--dry-run is refused."),
	BOOL(M, print_rate, .group = GROUP_RESULTS, .letter = 'P', .aliases = "print_rate_and_time",
	     .help = "With --format=mdtest: rates and times"),
	BOOL(M, print_time, .group = GROUP_RESULTS, .letter = 'Z', .help = "With --format=mdtest: times",
	     .more = "In ms per operation, in place of the rates."),
	COUNT(M, max_errors, HOW, .initial = "1000",
	      .help = "Failures after which a task leaves",
	      .more = "A failed operation is counted, and the next one is tried, until so many of the "
		      "task have failed in the phase: 1 (or 0) ends it at the first. In a phase "
		      "that creates, so many failures end the repetition, and so does a full file "
		      "system or directory; what the repetition made is removed. A find goes on "
		      "whatever fails, as find(1) does."),
};

const struct option_table metadata_options = {
	.prefix = "metadata",
	.prefix_aliases = "mdtest",
	.summary = "options of metadata tests: iorx mdtest, and MDTEST blocks of job files",
	.rows = rows,
	.count = sizeof(rows) / sizeof(rows[0]),
	.values_size = sizeof(M),
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
