/* The options of one test: a row for each member of struct test. */
#include "options/groups.h"
#include "options/job.h"

static const char *const semantics_names[] = { "iorx", "ior", NULL };
static const char *const content_names[] = { "stamped", "random", "zeros", "file", "ior",
					      "offset", NULL };
/*
 * The letters of IOR's -l. IOR cannot verify its random data, and its incompressible data compress.
 */
static const char *const content_aliases[] = { "i incompressible", "r", NULL, NULL, "t timestamp",
						"o ior-offset" };
static const char *const placement_names[] = { "first", "packed", "spread", NULL };
static const char *const scaling_names[] = { "weak", "strong", NULL };
static const char *const cold_names[] = { "none", "fadvise", "drop_caches", "command", NULL };

static bool reads_at_random(const struct test_spec *spec)
{
	return test_of(spec)->reorder_tasks_random;
}

static bool reads_shifted(const struct test_spec *spec)
{
	return test_of(spec)->reorder_tasks || test_of(spec)->check_write;
}

static bool has_own_files(const struct test_spec *spec)
{
	return test_of(spec)->file_per_proc;
}

static bool moves_at_random(const struct test_spec *spec)
{
	return test_of(spec)->random_offset;
}

static bool runs_command(const struct test_spec *spec)
{
	return test_of(spec)->cold == COLD_COMMAND;
}

static bool repeats_until(const struct test_spec *spec)
{
	return !test_of(spec)->repetitions;
}

/* With enough repetitions a verdict uses the precision too. */
static bool knows_precision(const struct test_spec *spec)
{
	return repeats_until(spec) || test_of(spec)->repetitions >= TEST_PRECISE_LEAST;
}

static bool has_copies(const struct test_spec *spec)
{
	return test_of(spec)->content_dedup > 1;
}

static bool creates_items(const struct test_spec *spec)
{
	return !metadata_of(spec) || metadata_of(spec)->create;
}

static bool wears_out(const struct test_spec *spec)
{
	return metadata_of(spec) ? test_of(spec)->stonewall > 0 && creates_items(spec) :
				   test_of(spec)->wear_out;
}

static bool moves_data(const struct test_spec *spec)
{
	const struct metadata *test = metadata_of(spec);

	return !test || (metadata_has_files(test) && (test->write_bytes || test->read_bytes));
}

#define T struct test
#define WHAT .group = GROUP_WHAT
#define HOW .group = GROUP_HOW
#define DATA .group = GROUP_DATA
#define FILES .group = GROUP_FILES
#define SHARED .in_metadata = true
#define MOVES_DATA .needs = moves_data, .needs_what = "moves data of files (-w, -e)"

/* The help of a row fits beside its flags into 80 columns. */
static const struct option rows[] = {
	STRING(T, api, WHAT, SHARED, .letter = 'a', .mdtest_letter = 'a', .initial = "posix",
	       .argument = "NAME", .may_vary = true,
	       .help = "Storage interface",
	       .more = "The names that IOR uses are known too: POSIX, DUMMY, MPIIO, HDF5, NCMPI, MMAP, AIO. "
		       "iorx --list-backends shows what this build has."),
	STRING(T, test_file, WHAT, .letter = 'o', .initial = "testFile", .argument = "PATH",
	       .help = "File to write and read",
	       .more = "With --file-per-proc the number of the task is appended with 8 digits; "
		       "with --multi-file the repetition after it. With --file-per-proc, a@b deals "
		       "the tasks' files to several paths in turn; @@ is an @ in a name."),
	SIZE(T, block_size, WHAT, .letter = 'b', .initial = "1MiB", .min = 1,
	     .help = "Contiguous bytes of a task in a segment",
	     .more = "A file consists of segments; a segment holds one block of every task, or, "
		     "with --file-per-proc, one block."),
	SIZE(T, transfer_size, WHAT, .letter = 't', .initial = "256KiB", .min = 1,
	     .help = "Bytes moved by one call", .more = "It must divide the block size."),
	COUNT(T, segment_count, WHAT, .letter = 's', .initial = "1", .min = 1,
	      .help = "Segments of a file"),
	BOOL(T, write_file, WHAT, .letter = 'w', .help = "Write",
	     .more = "Without --write-file, --read-file and the checks of both a test writes and "
		     "reads."),
	BOOL(T, read_file, WHAT, .letter = 'r', .help = "Read",
	     .more = "Without --write-file, --read-file and the checks of both a test writes and "
		     "reads."),
	BOOL(T, file_per_proc, WHAT, .letter = 'F', .help = "A file for each task"),
	BOOL(T, unique_dir, WHAT, .letter = 'u', .needs = has_own_files,
	     .needs_what = "uses file_per_proc (-F)", .help = "A directory for each task's file",
	     .more = "This option has an effect with --file-per-proc only."),
	BOOL(T, multi_file, WHAT, .letter = 'm', .help = "New files for each repetition"),
	COUNT(T, num_tasks, WHAT, SHARED, .letter = 'N', .initial = "0", .aliases = "tasks",
	      .help = "So many tasks take part (0: all)",
	      .more = "Where more are wanted than the job has, all take part, with a warning; in a list "
		      "such a number is an error. Tasks that do not take part sleep. tasks=[1 2 4 8] does the test with each number "
		      "of tasks and ends with a table that compares them; placement and scaling say "
		      "which tasks and how much work."),
	CHOICE(T, placement, placement_names, WHAT, SHARED, .initial = "first",
	       .help = "Which tasks",
	       .more = "When num_tasks is fewer than there are. first: the first ones, as the launcher "
		       "numbered them. packed: a node is filled before the next one gets any. spread: "
		       "each node gets one before any gets another."),
	CHOICE(T, scaling, scaling_names, WHAT, SHARED, .initial = "weak",
	       .help = "What the sizes are of",
	       .more = "weak: of each task, as ever, so that more tasks do more. strong: of all tasks "
		       "together, so that the same work is shared: with segment_count=1 each task's "
		       "block is that part of block_size, else it has that part of the segments."),
	COUNT(T, repetitions, WHAT, SHARED, .letter = 'i', .mdtest_letter = 'i', .initial = "1",
	      .min = 1, .zero = "auto",
	      .help = "How often the test is done; auto: enough",
	      .more = "With auto from 8 times to max_repetitions, until the 99 % interval of the median "
		      "rate of each phase is as narrow as precision asks for."),
	SHARE(T, precision, WHAT, SHARED, .initial = "5%", .max = 100,
	      .needs = knows_precision, .needs_what = "uses repetitions=auto",
	      .help = "Half of the interval, of the median",
	      .more = "What repetitions=auto aims at; the results say whether it was reached, and "
		      "else how many repetitions it would need."),
	COUNT(T, max_repetitions, WHAT, SHARED, .initial = "30", .min = TEST_PRECISE_LEAST,
	      .needs = repeats_until, .needs_what = "uses repetitions=auto",
	      .help = "Most repetitions with auto"),
	COUNT(T, warmup, WHAT, SHARED, .initial = "0",
	      .help = "Repetitions before those that count",
	      .more = "They are kept in the results, marked, and are in no summary."),
	SECONDS(T, budget, WHAT, SHARED, .initial = "0",
		.help = "No repetition that would end later",
		.more = "Counted from the first one's start, which is always done; what one takes is "
			"judged by the longest so far. 0: no limit."),
	SECONDS(T, node_budget, WHAT, SHARED, .initial = "0",
		.help = "The same, for time times nodes",
		.more = "100h are 100 node-hours."),
	INTEGER(T, num_nodes, WHAT, SHARED, .initial = "-1", .help = "Nodes they run on",
		.more = "Where the tasks run is known; this only checks it, and refuses the test when "
			"it is not so. Below 1 nothing is checked."),
	INTEGER(T, num_tasks_on_node_0, WHAT, SHARED, .initial = "-1", .aliases = "numTasksOnNode0",
		.help = "Tasks on the first of them", .more = "Only checked, as num_nodes."),
	CHOICE(T, semantics, semantics_names, WHAT, .initial = "iorx", .takes_foreign = true,
	       .help = "Whose way where they differ",
	       .more = "ior does as IOR where it could move a number: -C as IOR computes it, from "
		       "the first two tasks. It also deletes as IOR does: any file at test_file "
		       "before a write (but with -E), also an empty one and one that iorx did not "
		       "make; and afterwards, without -k, also a file that was only read. From a job "
		       "file it deletes foreign files only with --allow-overwrite. Each "
		       "test ends with a line that says what makes its numbers differ from IOR's."),


	BOOL(T, collective, HOW, .letter = 'c', .help = "Collective transfers",
	     .more = "All tasks of a shared file take part in each call. For backends that have "
		     "them: mpiio, hdf5, pnetcdf."),
	BOOL(T, strided, HOW, .letter = 'S', .aliases = "useStridedDatatype mpiio.useStridedDatatype",
	     .help = "All segments in one call",
	     .more = "Each call moves one transfer of every segment, described to the library by a "
		     "datatype; segment_count times transfer_size bytes of memory. For mpiio."),
	COUNT(T, queue_depth, HOW, SHARED, .aliases = "iodepth aio.max-pending", .initial = "1", .min = 1,
	      .max = 4096,
	      .help = "Transfers or names of a task in flight",
	      .more = "More than one needs a backend that queues: uring or libaio. Operations on names, "
		      "of metadata tests, are queued by uring: create, stat, open and remove; the others, "
		      "and files with data, go one at a time."),
	COUNT(T, queue_batch, HOW, .aliases = "aio.granularity", .initial = "1", .min = 1, .max = 256,
	      .help = "Completions awaited at a time",
	      .more = "With queue_depth: so many transfers are waited for before new ones are "
		      "submitted, together. More save calls and empty the queue further."),
	LEVEL(T, random_offset, HOW, .letter = 'z', .max = 2,
	      .help = "Random order; -zz: with repeats",
	      .more = "Without repeats each task moves its own transfers in a random order; in a "
		      "shared file all tasks together move each transfer once, and each task as "
		      "many. With repeats each transfer is drawn from all of the file: a write then "
		      "leaves holes, and a read in the same test reads what was written. A read of "
		      "files that the test did not write draws from what the shortest of them has, "
		      "whatever sizes are given."),
	INTEGER(T, random_offset_seed, HOW, .initial = "0", .needs = moves_at_random,
		.needs_what = "uses random_offset (-z)",
	       .help = "Seed of the random order",
		.more = "A seed gives the same order on every machine, in every repetition, and "
			"in writing and reading. A storage system that keeps data in the order of "
			"its arrival may read it in sequence then: read with another seed in a test "
			"of its own."),
	SIZE(T, random_prefill, HOW, .initial = "0", .aliases = "prefill",
	     .help = "Fill the file before, in such pieces",
	     .more = "Before each write the file is filled from its begin to its end and synced, not "
		     "measured, so that a random order replaces data instead of making a file with "
		     "holes. A multiple of transfer_size. 0: not."),
	BOOL(T, fsync, HOW, .letter = 'e', .help = "One fsync after the last write",
	     .more = "It is part of the measured time."),
	BOOL(T, fsync_per_write, HOW, .letter = 'Y', .help = "An fsync after each write"),
	BOOL(T, reorder_tasks, HOW, .letter = 'C', .aliases = "reorderTasksConstant",
	     .help = "Read what another node wrote",
	     .more = "So that the page cache of the own node cannot answer. The result says how "
		     "many tasks read from their own node nevertheless."),
	COUNT(T, task_per_node_offset, HOW, .letter = 'Q', .initial = "1",
	      .needs = reads_shifted, .needs_what = "uses reorder_tasks (-C)",
	      .help = "How many nodes away, with -C"),
	LEVEL(T, reorder_tasks_random, HOW, .letter = 'Z', .max = 2,
	      .help = "Read what a random task wrote",
	      .more = "Once: tasks in the order of their nodes, shifted by a random distance that "
		      "leaves as few as possible on their own node. Twice: any permutation. Each "
		      "task's data is read by one task."),
	INTEGER(T, reorder_random_seed, HOW, .letter = 'X', .initial = "0",
		.aliases = "reorderTasksRandomSeed",
		.needs = reads_at_random, .needs_what = "uses reorder_tasks_random (-Z)",
		.help = "Seed of -Z; below 0: new each time",
		.more = "A seed below 0 gives other readers in each repetition, the same ones in "
			"each run."),
	BOOL(T, check_write, HOW, .letter = 'W', .help = "Verify what was written",
	     .more = "After each write a phase of its own, verify, reads everything and compares "
		     "every byte. Where tasks and nodes allow it, what a task verifies was "
		     "neither written by it nor will it be read by it. Without --write-file "
		     "it verifies a file that is there."),
	BOOL(T, check_read, HOW, .letter = 'R', .help = "Check every byte that is read",
	     .more = "Implies --read-file. Comparing is in no service time, but in the rates: "
		     "its share is said. A wrong byte makes the exit code 1; everything runs. "
		     "Without --write-file the seed and the repetition of the data are learned "
		     "from the file."),
	BOOL(T, intra_test_barriers, HOW, .letter = 'g',
	     .help = "Barriers after open and before close"),
	STRING(T, memory_per_node, HOW, SHARED, .letter = 'M', .argument = "SIZE|N%",
	       .may_vary = true,
	       .help = "Memory to occupy on each node",
	       .more = "So much is taken, touched and locked where that is allowed, in equal shares of "
		       "the node's tasks, before the phases, so that less is left for the page cache. "
		       "N% counts from the memory of the smallest node, or of its cgroup where that is "
		       "less. What cannot fit is refused."),
	SIZE(T, memory_per_task, HOW, SHARED, .initial = "0",
	     .help = "Memory to occupy for each task"),
	SECONDS(T, inter_test_delay, HOW, SHARED, .letter = 'd', .initial = "0",
		.help = "Pause before each phase"),
	COUNT(T, inter_io_delay, HOW, .initial = "0", .unit = "us",
	      .help = "Microseconds between two transfers",
	      .more = "Outside their service times. The system may take some 50 us longer."),
	BOOL(T, single_xfer_attempt, HOW, .letter = 'x',
	     .help = "A short transfer is a failure",
	     .more = "Without it the rest of a transfer that moved less than it was asked for is moved "
		     "by further calls, and counted as a short one."),

	SECONDS(T, stonewall, HOW, SHARED, .letter = 'D', .mdtest_letter = 'W',
		.aliases = "deadlineForStonewalling",
		.initial = "0",
		.needs = creates_items, .needs_what = "creates items (-C)",
		.help = "Start nothing more after this time",
		.more = "Of each phase, from a task's first transfer on: each task looks at its own "
			"clock, collective ones agree. A later read in the same test reads what there is. "
			"The result says what had been moved at that moment."),
	BOOL(T, wear_out, HOW, .aliases = "stoneWallingWearOut",
	     .help = "After -D go on to the count of the fastest",
	     .more = "So that every task has moved as many transfers. Both rates are in the result."),
	COUNT(T, wear_out_iterations, HOW, .aliases = "stoneWallingWearOutIterations",
	      .initial = "0",
	      .help = "Transfers of a task at most (0: all)"),
	SECONDS(T, wear_out_limit, HOW, SHARED, .initial = "0",
		.needs = wears_out,
		.needs_what = "has a wear-out (wear_out; in metadata tests -C with -W)",
		.help = "Longest time for the wear-out",
		.more = "0: ten times --stonewall. A task that did not come to the count "
			"of the fastest by then stops; the result says how many did not."),
	STRING(T, status_file, HOW, SHARED, .mdtest_letter = 'x',
	       .aliases = "stoneWallingStatusFile", .argument = "FILE",
	       .help = "Keep how much was written in FILE",
	       .more = "The file holds one number: the transfers or items that every task wrote in the last "
		       "repetition, with wear_out those of the fastest task. A later test that reads and does "
		       "not write moves at most so many of each task. Its order must be the same."),
	SECONDS(T, duration, HOW, .initial = "0",
		.help = "Let phases run for this time",
		.more = "From its begin on. Tasks that come to the end of their transfers begin again "
			"with the first, so that none idles; all stop at the same time."),
	SECONDS(T, min_time_duration, HOW, .initial = "0",
		.help = "Let phases run for this time at least",
		.more = "Who is done earlier begins again with the first transfer."),
	MINUTES(T, max_time_duration, HOW, SHARED, .letter = 'T', .initial = "0",
		.help = "No phase starts after N minutes",
		.more = "From the begin of the test; a phase that runs is not stopped."),
	CHOICE(T, cold, cold_names, HOW, .initial = "none",
	       .help = "Cold reads",
	       .more = "Before reads, fadvise drops the file's pages on every node by "
		       "posix_fadvise; drop_caches writes to /proc/sys/vm/drop_caches and needs root; command "
		       "runs --cold-command. Caches of storage servers stay as they are."),
	STRING(T, cold_command, HOW, .argument = "COMMAND", .runs_command = true,
	       .needs = runs_command, .needs_what = "uses cold=command",
	       .help = "Command that drops caches",
	       .more = "Run once per node before reads by --cold=command. A job file may give "
		       "it only with --allow-commands on the command line."),

	CHOICE(T, content, content_names, DATA, SHARED, .letter = 'l', .aliases = "dataPacketType",
	       .choice_aliases = content_aliases, .initial = "stamped", MOVES_DATA,
	       .help = "Data",
	       .more = "stamped: random bytes that repeat every MiB, with a stamp in each 512 "
		       "bytes that says seed, file, offset and repetition. random: every byte "
		       "anew, and the stamps. zeros. file: the bytes of --content-file, again and "
		       "again. ior: what IOR writes without -l or with -l t; offset, or ior-offset: with "
		       "-l o. With --semantics=ior the default is ior."),
	SHARE(T, content_compress, DATA, SHARED, .aliases = "content.compress", .initial = "0%",
	      .max = 90,
	      MOVES_DATA,
	      .help = "How much of it compresses",
	      .more = "That part of every 512 bytes is zeros. For stamped and random."),
	COUNT(T, content_dedup, DATA, SHARED, .aliases = "content.dedup", .initial = "1",
	      .min = 1, .max = 1000,
	      MOVES_DATA,
	      .help = "How often each block exists",
	      .more = "In each file runs of 128 KiB, or of one larger block, come so often one after "
		      "the other. For stamped and random."),
	SIZE(T, content_dedup_block, DATA, SHARED, .aliases = "content.dedup_block",
	     .initial = "4KiB",
	     .min = 512, .max = 1 << 30, .argument = "N", .needs = has_copies,
	     .needs_what = "uses content_dedup",
	       .help = "Block that --content-dedup repeats",
	     .more = "A multiple of 512."),
	STRING(T, content_file, DATA, SHARED, .aliases = "content.file", .argument = "PATH",
	       .help = "File for --content=file", .more = "256 MiB at most; each task holds it."),
	INTEGER(T, content_seed, DATA, SHARED, .letter = 'G', .mdtest_letter = 'G', .initial = "0",
		.aliases = "content.seed setTimeStampSignature", MOVES_DATA,
	       .help = "Seed of the data; 0: the time",
		.more = "The same seed gives the same bytes, on every machine. Data that is "
			"checked must carry it; with 0 a run that did not write it learns it."),

	BOOL(T, keep_file, FILES, .letter = 'k', .help = "Do not delete the files",
	     .more = "Files that this run did not write are never deleted."),
	BOOL(T, keep_file_with_error, FILES, .letter = 'K',
	     .help = "Do not delete wrong files",
	     .more = "When data is wrong or an operation fails the files of that repetition stay "
		     "as evidence. The next repetition writes into them, unless --multi-file "
		     "gives it files of its own."),
	BOOL(T, use_existing_test_file, FILES, .letter = 'E', .takes_foreign = true,
	     .help = "Write into files that exist",
	     .more = "They are not truncated, and stay when the test is over, also without -k. A "
		     "symbolic link is followed to a file that is there. From a job file it holds "
		     "for foreign files only with --allow-overwrite."),
	BOOL(T, dual_mount, FILES, .letter = 'y', .help = "Read by a second mount",
	     .more = "test_file is a@b: two paths of the same file, by two mounts of one file system. "
		     "What is written by the first is read by the second, whose cache did not see it."),
	BOOL(T, replace, FILES, .takes_foreign = true, .help = "Delete foreign files in the way",
	     .more = "Without it a file that iorx did not make is never overwritten. From a job file "
		     "it is taken only with --allow-overwrite."),

	SECONDS(T, outlier_threshold, .group = GROUP_RESULTS, SHARED, .letter = 'j', .initial = "0",
		.help = "Name tasks this far from the mean",
		.more = "Tasks whose start, open, transfer, close or total time is more than so "
			"many seconds from the mean of all tasks are named with their node, in the "
			"step where they are farthest; 0: none."),
	INTEGER(T, ref_num, .group = GROUP_RESULTS, SHARED, .letter = 'A', .initial = "0",
		.help = "Number to repeat in the results"),
};

const struct option_table test_options = {
	.prefix = "",
	.summary = "options of a test",
	.rows = rows,
	.count = sizeof(rows) / sizeof(rows[0]),
	.values_size = sizeof(T),
};
