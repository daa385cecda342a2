/* The options of metadata tests: a row for each member of struct metadata, and what they share. */
#include "options/metadata.h"

#include <string.h>

#include "options/groups.h"

static const char *const names_names[] = { "full", "relative", NULL };

#define M struct metadata
#define WHAT .group = GROUP_WHAT
#define TREE .group = GROUP_TREE
#define HOW .group = GROUP_HOW

/* The help of a row fits beside its flags into 80 columns. */
static const struct option rows[] = {
	STRING(M, dir, WHAT, .letter = 'd', .initial = "out", .argument = "DIR",
	       .help = "Directory to work in, or a@b@c",
	       .more = "It is made when it is not there. Of several the tasks take one after the "
		       "other in turn; @@ is an @ in a name. Below it nothing is touched but "
		       "test-dir.REPETITION-NUMBER."),
	BOOL(M, create, WHAT, .letter = 'C', .help = "Create",
	     .more = "Without any of -C -T -E -U -r all are done: what is made is measured and "
		     "removed again."),
	BOOL(M, stat, WHAT, .letter = 'T', .help = "Look at what is there (stat)"),
	BOOL(M, read, WHAT, .letter = 'E', .help = "Open and close the files"),
	BOOL(M, rename, WHAT, .letter = 'U', .help = "Rename the directories",
	     .more = "Each takes the name of the one before it, in a ring, so that all names are "
		     "there again in the end."),
	BOOL(M, remove, WHAT, .letter = 'r', .help = "Remove"),
	BOOL(M, directories_only, WHAT, .letter = 'D', .help = "Items are directories only"),
	BOOL(M, files_only, WHAT, .letter = 'F', .help = "Items are files only"),

	COUNT(M, items, TREE, .letter = 'n', .initial = "0",
	      .help = "Items of each task",
	      .more = "Exactly as many, whatever the tree. What its directories cannot share "
		      "evenly goes to the first ones, one each. With --items-per-dir too, trees "
		      "of that filling are made until there is room."),
	COUNT(M, items_per_dir, TREE, .letter = 'I', .initial = "0",
	      .help = "Items of a task in a directory"),
	COUNT(M, branch, TREE, .letter = 'b', .initial = "1", .min = 1,
	      .help = "Directories below each directory"),
	COUNT(M, depth, TREE, .letter = 'z', .initial = "0", .max = 1000,
	      .help = "Levels below the root of the tree"),
	BOOL(M, leaf_only, TREE, .letter = 'L', .help = "Items in the deepest level only"),
	BOOL(M, unique_dir, TREE, .letter = 'u', .help = "A tree for each task"),

	COUNT(M, stride, HOW, .letter = 'N', .initial = "0",
	      .help = "Go on with the items of a task so far off",
	      .more = "Task p creates its own items, stats those of task p + N, reads those of p + "
		      "2N and removes those of p + 3N. Where the tasks run on several nodes, N "
		      "counts nodes. 0: each task has to do with its own."),
	LEVEL(M, random, HOW, .letter = 'R', .help = "Stat in random order; -RR: all but create"),
	INTEGER(M, random_seed, HOW, .initial = "0", .help = "Seed of that order"),
	CHOICE(M, names, names_names, HOW, .initial = "full", .help = "How names are given",
	       .more = "full gives whole paths, as mdtest does: looking up every directory on the "
		       "way is then part of the rate. relative holds the directories open and gives "
		       "the last name only."),
	COUNT(M, max_errors, HOW, .initial = "1000",
	      .help = "Failures after which a task leaves",
	      .more = "A failed operation is counted, and the next one is tried. A full file "
		      "system or directory ends the phase of the task at once."),
};

const struct option_table metadata_options = {
	.prefix = "metadata",
	.prefix_aliases = "mdtest",
	.summary = "options of metadata tests: iorx mdtest, and MDTEST blocks of job files",
	.rows = rows,
	.count = sizeof(rows) / sizeof(rows[0]),
	.values_size = sizeof(M),
};

const struct metadata_share metadata_shares[] = {
	{ "api", 'a' },
	{ "repetitions", 'i' },
	{ "num_tasks", 0 },
	{ "placement", 0 },
	{ "scaling", 0 },
	{ "warmup", 0 },
	{ "max_repetitions", 0 },
	{ "precision", 0 },
	{ "budget", 0 },
	{ "node_budget", 0 },
	{ "num_nodes", 0 },
	{ "num_tasks_on_node_0", 0 },
	{ "inter_test_delay", 0 },
	{ "max_time_duration", 0 },
	{ "memory_per_node", 0 },
	{ "memory_per_task", 0 },
	{ "outlier_threshold", 0 },
	{ "ref_num", 0 },
	{ "verbose", 'v' },
	{ "help", 'h' },
	{ NULL, 0 },
};

bool metadata_has(const struct option *row)
{
	for (const struct metadata_share *share = metadata_shares; share->name; share++)
		if (!strcmp(share->name, row->name))
			return true;
	return false;
}

const char *metadata_letter(char letter)
{
	for (const struct metadata_share *share = metadata_shares; share->name; share++)
		if (share->letter == letter)
			return share->name;
	return NULL;
}
