/* The options of one test: a row for each member of struct test. */
#include "options/groups.h"
#include "options/job.h"

static const char *const semantics_names[] = {"iorx", "ior", NULL};
static const char *const content_names[] = {"stamped", "random", "zeros", "file",
					    "ior",     "offset", NULL};
/*
 * The letters of IOR's -l. IOR cannot verify its random data, and its incompressible data compress.
 */
static const char *const content_aliases[] = {"i incompressible", "r",		 NULL, NULL,
					      "t timestamp",	  "o ior-offset"};
static const char *const placement_names[] = {"first", "packed", "spread", NULL};
static const char *const scaling_names[] = {"weak", "strong", NULL};
static const char *const cold_names[] = {"none", "fadvise", "drop_caches", "command", NULL};

static bool reads_at_random(const struct test_spec *spec)
{
	return test_of(spec)->reorder_tasks_random;
}

static bool reads_shifted(const struct test_spec *spec)
{
	return test_of(spec)->reorder_tasks || test_of(spec)->check_write;
}

static bool is_in_set(const struct test_spec *spec)
{
	return spec->set.number;
}

static bool has_own_files(const struct test_spec *spec)
{
	return test_of(spec)->file_per_proc;
}

static bool moves_at_random(const struct test_spec *spec)
{
	return load_of(spec) || test_of(spec)->random_offset;
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
	return metadata_of(spec) ? test_of(spec)->stonewall > 0 && creates_items(spec)
				 : test_of(spec)->wear_out;
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
#define SHARED .also_for = FOR_METADATA | FOR_LOAD
#define NOT_LOAD .also_for = FOR_METADATA
#define NOT_METADATA .also_for = FOR_LOAD
#define MOVES_DATA .needs = moves_data, .needs_what = "moves data of files (-w, -e)"

/* The help of a row fits beside its flags into 80 columns. */
static const struct option rows[] = {
	STRING(T, api, WHAT, SHARED, .letter = 'a', .mdtest_letter = 'a', .initial = "posix",
	       .argument = "NAME", .may_vary = true, .help = "Storage interface",
	       .more = "IOR's names work too: POSIX, DUMMY, MPIIO, HDF5, NCMPI, MMAP, AIO, S3, "
		       "RADOS, LIBNFS. iorx --list-backends shows the backends of this build."),
	STRING(T, test_file, WHAT, NOT_METADATA, .letter = 'o', .initial = "testFile",
	       .argument = "PATH", .help = "File to write and read",
	       .more = "If each task has a file of its own (--file-per-proc, and load tests "
		       "with --file-scope=task), its number is appended with 8 digits. With "
		       "--multi-file the repetition follows. a@b deals the files of tasks to "
		       "several paths in turn; @@ is an @ in a name. In load tests %t, %n, %s and "
		       "%f stand for the numbers of the task, its node, its slot on the node and "
		       "the file, so that nothing is appended; %04t has at least 4 digits, %% is a "
		       "%."),
	SIZE(T, block_size, WHAT, .letter = 'b', .initial = "1MiB", .min = 1,
	     .help = "Contiguous bytes of a task in a segment",
	     .more = "A file consists of segments; a segment holds one block of every task, or, "
		     "with --file-per-proc, one block."),
	SIZE(T, transfer_size, WHAT, .letter = 't', .initial = "256KiB", .min = 1,
	     .help = "Bytes moved by one call", .more = "It must divide the block size."),
	COUNT(T, segment_count, WHAT, .letter = 's', .initial = "1", .min = 1,
	      .help = "Segments of a file"),
	BOOL(T, write_file, WHAT, .letter = 'w', .help = "Write",
	     .more = "A test without --write-file, --read-file and the checks writes and "
		     "reads."),
	BOOL(T, read_file, WHAT, .letter = 'r', .help = "Read",
	     .more = "A test without --write-file, --read-file and the checks writes and "
		     "reads."),
	BOOL(T, file_per_proc, WHAT, .letter = 'F', .help = "A file for each task"),
	BOOL(T, unique_dir, WHAT, .letter = 'u', .needs = has_own_files,
	     .needs_what = "uses file_per_proc (-F)", .help = "A directory for each task's file",
	     .more = "This option has an effect with --file-per-proc only."),
	BOOL(T, multi_file, WHAT, .letter = 'm', .help = "New files for each repetition"),
	STRING(T, name, WHAT, SHARED, .argument = "NAME", .empty_unsets = true,
	       .help = "Name of the test in the results"),
	BOOL(T, alone, WHAT, SHARED, .needs = is_in_set, .needs_what = "is in a set (TOGETHER)",
	     .help = "Run members of a set alone too",
	     .more = "After a set TOGETHER, its members run once more, each alone and on the "
		     "same tasks. A table says how much slower each was in the set."),
	COUNT(T, copies, WHAT, SHARED, .needs = is_in_set, .needs_what = "is in a set (TOGETHER)",
	      .initial = "1", .min = 1, .max = SET_MOST, .help = "Copies of all members of a set",
	      .more = "Each copy has all members on further tasks. From the second copy on, #2 "
		      "stands behind names and files. copies=[1 2 4] on the line TOGETHER START "
		      "shows how many the storage carries."),
	COUNT(T, num_tasks, WHAT, SHARED, .letter = 'N', .initial = "0", .aliases = "tasks",
	      .help = "Number of tasks that take part (0: all)",
	      .more = "If the job has fewer tasks, all of them take part, with a warning; "
		      "in a list of values, and with exact_tasks, such a number is an error. "
		      "Tasks that do not take part sleep. tasks=[1 2 4 8] runs the test with "
		      "each number of tasks and ends with a table that compares them; the "
		      "options placement and scaling choose the tasks and the amount of work."),
	STRING(T, nodes, WHAT, SHARED, .argument = "LIST", .has_commas = true, .empty_unsets = true,
	       .help = "Nodes of a member of a set",
	       .more = "A member of a set TOGETHER has tasks of these nodes only: numbers and "
		       "ranges from 0 on, such as 0-3,7, in the order of their first tasks. "
		       "num_tasks is then a number or a share of the tasks of these nodes; "
		       "without it the member has all that other members leave."),
	CHOICE(T, placement, placement_names, WHAT, SHARED, .initial = "first",
	       .help = "Tasks that take part",
	       .more = "It matters if num_tasks is smaller than the job. first: the first "
		       "tasks, as the launcher numbered them. packed: a node is filled "
		       "before the next node gets a task. spread: each node gets one task "
		       "before any node gets another."),
	CHOICE(T, scaling, scaling_names, WHAT, NOT_LOAD, .initial = "weak",
	       .help = "Sizes are per task or in total",
	       .more = "weak: sizes are per task, so more tasks move more data. strong: "
		       "sizes are for all tasks together, so more tasks share the same work: "
		       "with segment_count=1 the block of each task is its share of "
		       "block_size, otherwise each task has its share of the segments."),
	COUNT(T, repetitions, WHAT, SHARED, .letter = 'i', .mdtest_letter = 'i', .initial = "1",
	      .min = 1, .zero = "auto", .help = "Repetitions of the test, or auto",
	      .more = "auto repeats the test at least 8 times and at most max_repetitions "
		      "times, until the 99 % interval of the median rate of each phase is "
		      "as narrow as precision demands. Repetitions that may follow one "
		      "another, as in a drift, go on to 20 at least."),
	SHARE(T, precision, WHAT, SHARED, .initial = "5%", .max = 100, .needs = knows_precision,
	      .needs_what = "uses repetitions=auto", .help = "Target precision of the median rate",
	      .more = "Target half-width of the 99 % interval of the median rate, relative "
		      "to the median. repetitions=auto repeats until it is reached. The "
		      "results say whether it was reached, and otherwise how many "
		      "repetitions would reach it."),
	COUNT(T, max_repetitions, WHAT, SHARED, .initial = "30", .min = TEST_PRECISE_LEAST,
	      .needs = repeats_until, .needs_what = "uses repetitions=auto",
	      .help = "Maximum number of repetitions with auto"),
	COUNT(T, warmup, WHAT, SHARED, .initial = "0",
	      .help = "Warm-up repetitions before the measured ones",
	      .more = "The results have them, marked as warm-up. No summary includes them."),
	SECONDS(T, budget, WHAT, SHARED, .initial = "0", .help = "Time limit for all repetitions",
		.more = "No repetition starts that would end later, judged by the longest "
			"repetition so far. The time counts from the start of the first "
			"repetition, which always runs. 0: no limit."),
	SECONDS(T, node_budget, WHAT, SHARED, .initial = "0",
		.help = "Limit for all repetitions, in node-hours",
		.more = "As budget, with the time multiplied by the number of nodes: 100h are "
			"100 node-hours."),
	INTEGER(T, num_nodes, WHAT, SHARED, .initial = "-1", .help = "Expected number of nodes",
		.more = "iorx knows where the tasks run. This option only checks it: the test "
			"is refused if the number of nodes differs. Below 1 nothing is "
			"checked."),
	INTEGER(T, num_tasks_on_node_0, WHAT, SHARED, .initial = "-1", .aliases = "numTasksOnNode0",
		.help = "Expected tasks on the first node",
		.more = "This option only checks the number, as num_nodes does."),
	CHOICE(T, semantics, semantics_names, WHAT, .initial = "iorx", .takes_foreign = true,
	       .help = "Behave as iorx or as IOR",
	       .more = "ior behaves as IOR where the two programs differ in a way that can "
		       "change a number: -C uses the distance that IOR computes from the "
		       "first two tasks. It also deletes files as IOR does: before a write, "
		       "any file at test_file (unless -E is given), also an empty file and a "
		       "file of another program; afterwards, without -k, also a file that "
		       "was only read. From a job file it deletes files of other programs "
		       "only with --allow-overwrite. Each test ends with a line that says "
		       "why its numbers may differ from IOR's."),

	BOOL(T, collective, HOW, .letter = 'c', .help = "Collective transfers",
	     .more = "All tasks of a shared file take part in each call. The backends "
		     "mpiio, hdf5 and pnetcdf have collective calls."),
	BOOL(T, strided, HOW, .letter = 'S',
	     .aliases = "useStridedDatatype mpiio.useStridedDatatype",
	     .help = "One call moves a transfer of every segment",
	     .more = "A datatype describes the transfers of all segments to the library. A "
		     "call needs segment_count times transfer_size bytes of memory. The "
		     "backend must be mpiio."),
	COUNT(T, queue_depth, HOW, SHARED, .aliases = "iodepth aio.max-pending", .initial = "1",
	      .min = 1, .max = 4096, .help = "Operations of a task in flight",
	      .more = "More than one needs a backend with a queue: uring or libaio. In "
		      "metadata tests uring queues create, stat, open and remove; other "
		      "operations, and files with data, go one at a time."),
	COUNT(T, queue_batch, HOW, .aliases = "aio.granularity", .initial = "1", .min = 1,
	      .max = 256, .help = "Completions to wait for at a time",
	      .more = "With queue_depth, a task waits for this many completions before it "
		      "submits new transfers, all together. A larger number saves system "
		      "calls and drains the queue further."),
	LEVEL(T, random_offset, HOW, .letter = 'z', .max = 2,
	      .help = "Random order of transfers; -zz: with repeats",
	      .more = "Without repeats each task moves its own transfers in a random order; "
		      "in a shared file all tasks together move each transfer once, and "
		      "every task moves equally many. With repeats each transfer is drawn "
		      "from the whole file: a write then leaves holes, and a read in the "
		      "same test reads what was written. A read of files that the test did "
		      "not write draws from the transfers that the shortest of these files "
		      "has, whatever sizes are given."),
	INTEGER(T, random_offset_seed, HOW, NOT_METADATA, .initial = "0", .needs = moves_at_random,
		.needs_what = "uses random_offset (-z)", .help = "Seed of the random order",
		.more = "A seed gives the same order on every machine, in every repetition, "
			"and for writing and reading. A storage system that stores data in "
			"the order of arrival may then read it sequentially: to avoid this, "
			"read with another seed in a test of its own."),
	SIZE(T, random_prefill, HOW, .initial = "0", .aliases = "prefill",
	     .help = "Fill the file first, in pieces of this size",
	     .more = "Before each write the file is filled from begin to end and synced, "
		     "outside the measured time, so that random writes replace data "
		     "instead of making a file with holes. The size must be a multiple of "
		     "transfer_size. 0: no prefill."),
	BOOL(T, fsync, HOW, NOT_METADATA, .letter = 'e', .help = "One fsync after the last write",
	     .more = "The fsync is part of the measured time; of a load it is behind the window "
		     "that counts, with a time of its own."),
	BOOL(T, fsync_per_write, HOW, NOT_METADATA, .letter = 'Y',
	     .help = "An fsync after each write"),
	BOOL(T, reorder_tasks, HOW, .letter = 'C', .aliases = "reorderTasksConstant",
	     .help = "Read what another node wrote",
	     .more = "The page cache of the reading node then cannot answer. The result "
		     "says how many tasks read from their own node nevertheless."),
	COUNT(T, task_per_node_offset, HOW, .letter = 'Q', .initial = "1", .needs = reads_shifted,
	      .needs_what = "uses reorder_tasks (-C)",
	      .help = "With -C: distance to the writer, in nodes"),
	LEVEL(T, reorder_tasks_random, HOW, .letter = 'Z', .max = 2,
	      .help = "Read what a random task wrote",
	      .more = "Given once: tasks are shifted in node order by a random distance "
		      "that leaves as few tasks as possible on the node of their writer. "
		      "Given twice (-ZZ): any permutation. Each task's data is read by "
		      "exactly one task."),
	INTEGER(T, reorder_random_seed, HOW, .letter = 'X', .initial = "0",
		.aliases = "reorderTasksRandomSeed", .needs = reads_at_random,
		.needs_what = "uses reorder_tasks_random (-Z)",
		.help = "Seed of -Z; negative: new each repetition",
		.more = "A negative seed gives other readers in each repetition, and the same "
			"readers in each run."),
	BOOL(T, check_write, HOW, .letter = 'W', .help = "Verify what was written",
	     .more = "After each write a phase of its own, verify, reads all data and "
		     "compares every byte. Where tasks and nodes allow it, a task verifies "
		     "data that it neither wrote nor will read. Without --write-file an "
		     "existing file is verified."),
	BOOL(T, check_read, HOW, NOT_METADATA, .letter = 'R',
	     .help = "Check every byte that is read",
	     .more = "The time for comparing is outside the service times and inside the "
		     "rates; the result gives its share. Wrong data makes the exit code 1, "
		     "and the job goes on. A data test then reads even without "
		     "--read-file; without --write-file it learns the seed and the "
		     "repetition of the data from the file."),
	BOOL(T, intra_test_barriers, HOW, .letter = 'g',
	     .help = "Barriers after open and before close"),
	STRING(T, memory_per_node, HOW, SHARED, .letter = 'M', .argument = "SIZE|N%",
	       .may_vary = true, .help = "Memory hog: memory to occupy on each node",
	       .more = "The tasks of a node take this much memory before the phases, in "
		       "equal shares, touch it, and lock it if that is allowed, so that less "
		       "is left for the page cache. N% is relative to the memory of the "
		       "smallest node, or of its cgroup if that is smaller. A memory hog "
		       "that cannot fit is refused."),
	SIZE(T, memory_per_task, HOW, SHARED, .initial = "0",
	     .help = "Memory hog: memory to occupy for each task"),
	SECONDS(T, inter_test_delay, HOW, SHARED, .letter = 'd', .initial = "0",
		.help = "Pause before each phase, in seconds"),
	COUNT(T, inter_io_delay, HOW, .initial = "0", .unit = "us",
	      .help = "Pause between transfers, in microseconds",
	      .more = "The pause is outside the service times. The system may add some 50 "
		      "us."),
	BOOL(T, single_xfer_attempt, HOW, .letter = 'x',
	     .help = "Treat a short transfer as a failure",
	     .more = "Otherwise further calls move the rest of a short transfer, and the "
		     "result counts the short transfers."),

	SECONDS(T, stonewall, HOW, NOT_LOAD, .letter = 'D', .mdtest_letter = 'W',
		.aliases = "deadlineForStonewalling", .initial = "0", .needs = creates_items,
		.needs_what = "creates items (-C)",
		.help = "Start no more operations after this time",
		.more = "The time counts in each phase from the task's first operation on. "
			"Each task looks at its own clock; collective tasks agree. A later "
			"read in the same test reads what was written. The result says how "
			"much had been moved at that moment."),
	BOOL(T, wear_out, HOW, .aliases = "stoneWallingWearOut",
	     .help = "After -D all tasks catch up to the fastest",
	     .more = "After the stonewall every task continues until it has moved as many "
		     "transfers as the fastest task. The result has both rates."),
	COUNT(T, wear_out_iterations, HOW, .aliases = "stoneWallingWearOutIterations",
	      .initial = "0", .help = "Maximum transfers of a task (0: all)"),
	SECONDS(T, wear_out_limit, HOW, NOT_LOAD, .initial = "0", .needs = wears_out,
		.needs_what = "has a wear-out (wear_out; in metadata tests -C with -W)",
		.help = "Time limit for the wear-out",
		.more = "0: ten times --stonewall. A task that has not caught up to the "
			"fastest task by then stops; the result says how many tasks did not "
			"catch up."),
	STRING(T, status_file, HOW, NOT_LOAD, .mdtest_letter = 'x',
	       .aliases = "stoneWallingStatusFile", .argument = "FILE",
	       .help = "Store how much was written in FILE",
	       .more = "The file holds one number: the transfers or items that every task "
		       "wrote in the last repetition, with wear_out those of the fastest "
		       "task. A later test that only reads moves at most this many of each "
		       "task. It must use the same order. If the file is missing, iorx warns "
		       "and the test moves all that its files hold. Metadata tests, strided "
		       "tests and those of HDF5 and PnetCDF are refused then, as the size of "
		       "their files does not say what was written."),
	SECONDS(T, duration, HOW, NOT_METADATA, .initial = "0",
		.help = "Run each phase for this time",
		.more = "A task that reaches the end of its transfers begins again with the "
			"first, so that no task idles; all tasks stop at the same time. A "
			"load test without any limit runs for 30 s."),
	SECONDS(T, min_time_duration, HOW, .initial = "0",
		.help = "Run each phase for at least this time",
		.more = "A task that is done earlier begins again with its first transfer."),
	MINUTES(T, max_time_duration, HOW, SHARED, .letter = 'T', .initial = "0",
		.help = "Start no phase after this many minutes",
		.more = "The time counts from the begin of the test. A phase that runs is not "
			"stopped."),
	CHOICE(T, cold, cold_names, HOW, NOT_METADATA, .initial = "none", .help = "Cold reads",
	       .more = "Before reads, fadvise drops the file's pages on every node by "
		       "posix_fadvise; drop_caches writes to /proc/sys/vm/drop_caches and needs "
		       "root; command runs --cold-command. Caches of storage servers stay as they "
		       "are."),
	STRING(T, cold_command, HOW, NOT_METADATA, .argument = "COMMAND", .runs_command = true,
	       .needs = runs_command, .needs_what = "uses cold=command",
	       .help = "Command that drops caches",
	       .more = "--cold=command runs it once per node before reads. A job file may "
		       "give it only with --allow-commands on the command line."),

	CHOICE(T, content, content_names, DATA, SHARED, .letter = 'l', .aliases = "dataPacketType",
	       .choice_aliases = content_aliases, .initial = "stamped", MOVES_DATA, .help = "Data",
	       .more = "stamped: random bytes that repeat every MiB, with a stamp in each 512 "
		       "bytes that says seed, file, offset and repetition. random: every byte "
		       "anew, and the stamps. zeros. file: the bytes of --content-file, again and "
		       "again. ior: what IOR writes without -l or with -l t; offset, or "
		       "ior-offset: with -l o. With --semantics=ior the default is ior."),
	SHARE(T, content_compress, DATA, SHARED, .aliases = "content.compress", .initial = "0%",
	      .max = 90, MOVES_DATA, .help = "Share of the data that compresses",
	      .more = "This share of every 512 bytes is zeros. The content must be stamped "
		      "or random."),
	COUNT(T, content_dedup, DATA, SHARED, .aliases = "content.dedup", .initial = "1", .min = 1,
	      .max = 1000, MOVES_DATA, .help = "Copies of each block in a file",
	      .more = "In each file, runs of 128 KiB, or of one larger block, are repeated "
		      "this many times, one after the other. The content must be stamped or "
		      "random."),
	SIZE(T, content_dedup_block, DATA, SHARED, .aliases = "content.dedup_block",
	     .initial = "4KiB", .min = 512, .max = 1 << 30, .argument = "N", .needs = has_copies,
	     .needs_what = "uses content_dedup", .help = "Block that --content-dedup repeats",
	     .more = "The size must be a multiple of 512."),
	STRING(T, content_file, DATA, SHARED, .aliases = "content.file", .argument = "PATH",
	       .help = "File for --content=file",
	       .more = "The file has at most 256 MiB. Each task holds it in memory."),
	INTEGER(T, content_seed, DATA, SHARED, .letter = 'G', .mdtest_letter = 'G', .initial = "0",
		.aliases = "content.seed setTimeStampSignature", MOVES_DATA,
		.help = "Seed of the data; 0: taken from the time",
		.more = "The same seed gives the same bytes on every machine. To be checked, "
			"data must have been written with this seed; with 0, a run that did "
			"not write the data learns the seed from it."),

	BOOL(T, keep_file, FILES, .letter = 'k', .help = "Do not delete the files",
	     .more = "Files that this run did not write are never deleted."),
	BOOL(T, keep_file_with_error, FILES, .letter = 'K',
	     .help = "Do not delete files with wrong data",
	     .more = "If data is wrong or an operation fails, the files of that repetition "
		     "stay as evidence. The next repetition writes into them, unless "
		     "--multi-file gives it files of its own."),
	BOOL(T, use_existing_test_file, FILES, .letter = 'E', .takes_foreign = true,
	     .help = "Write into files that exist",
	     .more = "The files are not truncated, and they stay when the test is over, "
		     "even without -k. A symbolic link to an existing file is followed. "
		     "For files of other programs a job file needs --allow-overwrite on "
		     "the command line."),
	BOOL(T, dual_mount, FILES, .letter = 'y', .help = "Read through a second mount",
	     .more = "test_file is a@b: two paths to the same file, through two mounts of "
		     "one file system. The test writes through the first mount and reads "
		     "through the second, whose cache did not see the data."),
	BOOL(T, replace, FILES, .takes_foreign = true,
	     .help = "Delete files of other programs in the way",
	     .more = "Otherwise a file that iorx did not make is never overwritten. A job "
		     "file needs --allow-overwrite on the command line for it."),

	SECONDS(T, outlier_threshold, .group = GROUP_RESULTS, SHARED, .letter = 'j', .initial = "0",
		.help = "Name tasks this far from the mean time",
		.more = "Tasks whose start, open, transfer, close or total time differs by "
			"more than this many seconds from the mean of all tasks are named "
			"with their node, for the step with the largest difference. 0: none."),
	INTEGER(T, ref_num, .group = GROUP_RESULTS, SHARED, .letter = 'A', .initial = "0",
		.help = "Your own number, repeated in the results"),
};

const struct option_table test_options = {
	.prefix = "",
	.summary = "options of a test",
	OPTION_ROWS(rows, T),
};
