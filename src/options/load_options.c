/* The options of load tests: a row for each member of struct load. */
#include "base/units.h"
#include "options/groups.h"
#include "options/job.h"
#include "pattern/deck.h"
#include "pattern/distribution.h"
#include "pattern/kinds.h"

static const char *const scope_names[] = {"task", "node", "test", NULL};
static const char *const depth_names[] = {"task", "file", NULL};
static const char *const layout_names[] = {"write", "allocate", "none", "missing", NULL};
const char *const arrival_names[] = {"closed", "even", "poisson", "uniform", NULL};
const char *const load_end_names[LOAD_ENDS] = {
	[LOAD_END_TIME] = "time",
	[LOAD_END_OPERATIONS] = "operation_limit",
	[LOAD_END_BYTES] = "byte_limit",
	[LOAD_END_PASSES] = "passes",
	[LOAD_END_STEADY] = "steady",
	[LOAD_END_BESIDE] = "the phase it ran beside",
	[LOAD_END_TRACE] = "the end of the trace",
	[LOAD_END_STOP] = "stop",
};
static const char *const hot_names[] = {"same", "own", NULL};
static const char *const sync_names[] = {"none", "dsync", "sync", NULL};
static const char *const lock_names[] = {"none", "shared", "exclusive", "readwrite", NULL};
static const char *const trace_paces[] = {"recorded", "think", "none", NULL};
static const char *const late_names[] = {"queue", "skip", NULL};

static bool moves_at_random(const struct test_spec *spec)
{
	const struct load *load = load_of(spec);
	struct error ignored;
	double share;

	return load->random > 0 ||
	       (load->write_random &&
		(units_parse_share(load->write_random, &share, &ignored) || share > 0));
}

static bool syncs_now_and_then(const struct test_spec *spec)
{
	return load_of(spec)->fsync_every || test_of(spec)->fsync_per_write;
}

static bool has_hot_blocks(const struct test_spec *spec)
{
	struct distribution distribution;
	struct error ignored;

	return !distribution_parse(load_of(spec)->distribution, "", &distribution, &ignored) &&
	       distribution_is_scattered(&distribution);
}

static bool has_bursts(const struct test_spec *spec)
{
	return load_of(spec)->burst > 1;
}

static bool has_trace(const struct test_spec *spec)
{
	return load_of(spec)->trace;
}

static bool has_recorded_pace(const struct test_spec *spec)
{
	return has_trace(spec) && load_of(spec)->trace_pace == TRACE_PACE_RECORDED;
}

static bool has_rate(const struct test_spec *spec)
{
	return load_has_rate(load_of(spec)) || load_of(spec)->curve || has_recorded_pace(spec);
}

static bool has_curve(const struct test_spec *spec)
{
	return load_of(spec)->curve;
}

static bool has_steady(const struct test_spec *spec)
{
	return load_of(spec)->steady;
}

static bool has_files(const struct test_spec *spec)
{
	return load_of(spec)->files > 1;
}

static bool shares_files(const struct test_spec *spec)
{
	return load_of(spec)->file_scope != LOAD_SCOPE_TASK;
}

/* True if an operation other than read and write has a share. */
static bool has_items(const struct test_spec *spec)
{
	struct deck operations;
	struct error ignored;

	if (deck_parse_shares(load_of(spec)->operations, "", load_kind_names, LOAD_KINDS,
			      &operations, &ignored))
		return false;
	for (enum load_kind kind = LOAD_DATA_KINDS; kind < LOAD_KINDS; kind++)
		if (operations.cards[kind])
			return true;
	return false;
}

#define L struct load
#define WHAT .group = GROUP_WHAT
#define PACE .group = GROUP_PACE
#define END .group = GROUP_END
#define FILES .group = GROUP_FILES
#define AT_RANDOM .needs = moves_at_random, .needs_what = "moves data at random places (random)"
#define ON_ITEMS .needs = has_items, .needs_what = "has operations on names (operations)"
#define AT_A_RATE .needs = has_rate, .needs_what = "has a rate or byte_rate"
#define OF_TRACE .needs = has_trace, .needs_what = "replays a trace (trace)"

/* The help of a row fits beside its flags into 80 columns. */
static const struct option rows[] = {
	STRING(L, operations, WHAT, .initial = "read:100", .argument = "SHARES", .may_vary = true,
	       .has_commas = true, .help = "Operations and their shares",
	       .more = "For example read:70,write:30, or write alone. The shares may have any sum. "
		       "They are exact in every 1000 operations of a task, which are dealt from a "
		       "shuffled deck. "
		       "In a list of values only blanks separate: [read:100 read:70,write:30]. "
		       "read and write move data in the files of the load. On small files of each "
		       "task (--items) act: stat, access, open (and close), read_file, write_file, "
		       "append, rmw (read, modify, write), truncate, chmod, fsync, list, create, "
		       "unlink, rename, mkdir, rmdir."),
	SHARE(L, random, WHAT, .initial = "100%", .max = 100,
	      .help = "Share of runs at random places",
	      .more = "A run has --run-length transfers. The other runs go on behind the task's "
		      "last transfer in the same file."),
	STRING(L, write_random, WHAT, .argument = "SHARE", .may_vary = true, .empty_unsets = true,
	       .help = "Share of random writes, if not --random",
	       .more = "For example 0%, with which reads are random and writes go on behind the "
		       "task's last transfer. The first transfer of a run counts."),
	COUNT(L, run_length, WHAT, .initial = "1", .min = 1,
	      .help = "Transfers that follow each other"),
	STRING(L, sizes, WHAT, .initial = "4KiB", .argument = "SIZES", .may_vary = true,
	       .has_commas = true, .help = "Bytes moved by one operation",
	       .more = "One size, or several sizes with their shares: 4k/40,16k/30,64k/30. In a "
		       "list of values only blanks separate: [4k 4k/50,64k/50]."),
	STRING(L, read_sizes, WHAT, .argument = "SIZES", .may_vary = true, .has_commas = true,
	       .empty_unsets = true, .help = "Sizes of reads, if not --sizes"),
	STRING(L, write_sizes, WHAT, .argument = "SIZES", .may_vary = true, .has_commas = true,
	       .empty_unsets = true, .help = "Sizes of writes, if not --sizes"),
	SIZE(L, stride, WHAT, .initial = "0", .help = "Bytes skipped after a transfer",
	     .more = "A transfer that goes on behind the last one begins this many bytes later. "
		     "Reads and writes at random places skip nothing before them."),
	SIZE(L, align, WHAT, AT_RANDOM, .initial = "0",
	     .help = "Offsets are multiples of it (0: of size)",
	     .more = "Random offsets are multiples of this number of bytes. With 0 they are "
		     "multiples of the size of the transfer."),
	STRING(L, distribution, WHAT, AT_RANDOM, .initial = "uniform", .argument = "WHICH",
	       .may_vary = true, .has_commas = true, .help = "Choice of random places",
	       .more = "uniform: all blocks of a file equally often. every_block: each block once "
		       "in a pass, in a random order; it needs one size. zipf:1.2: the block of "
		       "rank k in proportion to 1 / k^1.2. pareto:0.2: 20 % of the blocks get 80 % "
		       "of the operations, and so on among these. normal:10%: around the middle "
		       "of the file, with this standard deviation. zoned:60/10,30/20,10/70: 60 % "
		       "of the operations go to the first 10 % of the file, 30 % to the next 20 "
		       "%, and so on. hot:90/10: 90 % of the operations go to 10 % of the blocks, "
		       "which are scattered over the file."),
	CHOICE(L, hot_blocks, hot_names, WHAT, .needs = has_hot_blocks,
	       .needs_what = "has hot blocks (distribution=zipf, pareto or hot)", .initial = "same",
	       .help = "Hot blocks of tasks",
	       .more = "same: all tasks visit the same blocks more often than others. own: each "
		       "task has hot blocks of its own, which differ from task to task."),
	COUNT(L, fsync_every, WHAT, .initial = "0", .help = "An fsync after so many writes",
	      .more = "Each task counts its writes to all of its files. The fsync is of the file "
		      "that was written last. 0: no fsync. 1 is the same as --fsync-per-write."),
	BOOL(L, fsync_data, WHAT, .needs = syncs_now_and_then,
	     .needs_what = "has fsyncs between writes (fsync_every)",
	     .help = "fdatasync in place of these fsyncs",
	     .more = "Times of files and other metadata that no read needs are then not synced. "
		     "Interfaces other than posix, uring and libaio sync as without it."),

	CHOICE(L, sync, sync_names, WHAT, .initial = "none", .help = "Durable writes by the open",
	       .more = "dsync: files are opened with O_DSYNC, so that each write returns when its "
		       "data is durable. sync: with O_SYNC, and all metadata of the file too. The "
		       "layout of the files is synced once. For posix, uring and libaio."),
	CHOICE(L, lock, lock_names, WHAT, .initial = "none", .help = "Byte locks",
	       .more = "Each operation waits for a lock on its bytes of the file and gives it back "
		       "afterwards; both are in its service time. shared: operations do not "
		       "exclude one another, but other programs' exclusive locks do. exclusive: "
		       "operations on the same bytes follow one another. readwrite: shared for "
		       "reads and exclusive for writes. Between nodes this needs a file system "
		       "with locks. For posix."),

	STRING(L, trace, WHAT, .argument = "FILE", .help = "Replays the requests of a trace",
	       .more = "A native trace, as iorx-translate trace makes it. It says operations, "
		       "places, sizes, files and times, so that their options must be left out. "
		       "Its files are laid out as new files named by --test-file, each with the "
		       "size that the trace needs; the files that the trace names stay untouched. "
		       "Streams are dealt to the tasks that share files. With --file-scope=test "
		       "all tasks play the trace once; with node or task each node or each task "
		       "plays it on files of its own. An fsync waits for the operations of its "
		       "task in flight. Trims are left out."),
	CHOICE(L, trace_pace, trace_paces, PACE, OF_TRACE, .initial = "recorded",
	       .help = "When requests are due",
	       .more = "recorded: at the times of the trace, whether earlier ones have finished "
		       "or not. think: as long after the end of the one before as the application "
		       "computed in between, so that a faster storage ends the whole earlier; the "
		       "trace must know how long its calls took, and each stream needs a task. "
		       "none: as soon as an earlier one of the task has finished."),
	RATE(L, trace_speed, PACE, .needs = has_recorded_pace,
	     .needs_what = "replays a trace at its pace (trace_pace = recorded)", .initial = "1",
	     .help = "Speed of the trace",
	     .more = "2 plays it in half the time, 0.5 in twice the time."),
	SECONDS(L, trace_from, END, OF_TRACE, .initial = "0",
		.help = "Begin of the part that is played",
		.more = "Seconds from the first request of the trace on."),
	SECONDS(L, trace_until, END, OF_TRACE, .initial = "0",
		.help = "End of the part that is played (0: all)"),
	BOOL(L, trace_loop, END, OF_TRACE,
	     .help = "Plays the trace again until --duration is over"),

	RATE(L, rate, PACE, .initial = "0", .help = "Operations per second",
	     .more = "2k is 2000. Operations are due at this rate, whether earlier ones have "
		     "finished or not, and response times count from the moment an operation is "
		     "due. 0: each task starts an operation when another one has finished, so a "
		     "slow storage system is asked for less."),
	OPTION_ROW(
		L, byte_rate, uint64_t, OPTION_SIZE, .unit = "bytes/s", PACE, .initial = "0",
		.help = "Bytes per second, in place of --rate",
		.more = "Operations are due at this rate divided by their mean size. Bits may be "
			"given as 100Mbit/s; 10Mb is refused, as it may mean either. 0: no such "
			"rate."),
	CHOICE(L, rate_scope, scope_names, PACE, AT_A_RATE, .initial = "test",
	       .help = "Scope of the rate",
	       .more = "task, node: each task or each node has the whole rate. test: all tasks "
		       "have equal shares of the rate."),
	CHOICE(L, arrival, arrival_names, PACE, .initial = "closed", .help = "Arrival times",
	       .more = "Without a rate: closed, when an earlier operation of the task has "
		       "finished. With a rate: even, the default then, at equal distances, and the "
		       "tasks take turns; poisson, after exponentially distributed gaps, as from "
		       "many independent users; uniform, after gaps between 0 and twice their "
		       "mean."),
	CHOICE(L, on_late, late_names, PACE, AT_A_RATE, .initial = "queue",
	       .help = "Treatment of late operations",
	       .more = "An operation is late if it is due while the task cannot start it. queue: "
		       "it starts as soon as possible, and its response time has the delay. skip: "
		       "it is left out and counted."),
	STRING(L, curve, PACE, .argument = "POINTS", .has_commas = true, .empty_unsets = true,
	       .help = "Rates of a curve of response times",
	       .more = "Makes a test of each point and a curve of them all. A point is max, which "
		       "is a closed loop, a rate such as 2000, a share of the rate that max has "
		       "reached, such as 50%, or a range with its step: max,10-100/10%."),
	STRING(L, stop_response, PACE, .needs = has_curve, .needs_what = "has a curve",
	       .argument = "BOUND", .empty_unsets = true, .help = "Response time that ends a curve",
	       .more = "For example p99:5ms: the first point whose 99th percentile is above 5 ms, "
		       "also when it is measured again, is the last one. mean and max stand in "
		       "place of a percentile."),
	STRING(L, search, PACE, .argument = "BOUND", .empty_unsets = true,
	       .help = "Searches the rate with a response",
	       .more = "For example p99<2ms: after a closed loop up to 24 measurements bisect the "
		       "rates below its rate, until the highest rate within the bound is known to "
		       "5 %, and each of the two rates is measured twice."),
	SECONDS(L, think_time, PACE, .initial = "0", .help = "Pause after each operation"),
	COUNT(L, burst, PACE, .initial = "0", .max = 1000000, .help = "Operations of a burst",
	      .more = "With a rate so many operations of a task are due at the same moment. "
		      "Without a rate --burst-pause follows each burst. 0: no bursts."),
	SECONDS(L, burst_pause, PACE, .needs = has_bursts, .needs_what = "has bursts (burst)",
		.initial = "0", .help = "Pause after each burst"),

	BOOL(L, beside, END, .help = "Run beside each phase of other tests",
	     .more = "A load of a set TOGETHER runs once beside each phase of the other members, "
		     "and begins and ends with it. --duration is then the time of the load when it "
		     "runs alone (--alone)."),
	SECONDS(L, warmup_time, END, .initial = "0", .help = "Warm-up before the measured time",
		.more = "The load runs, and nothing is recorded. --warmup counts repetitions."),
	SECONDS(L, cooldown, END, .initial = "0", .help = "Load after the measured time",
		.more = "The load goes on, and nothing is recorded, so that no task measures while "
			"others have stopped."),
	COUNT(L, operation_limit, END, .initial = "0",
	      .help = "Operations of a task (0: no limit)"),
	SIZE(L, byte_limit, END, .initial = "0", .help = "Bytes of a task (0: no limit)"),
	COUNT(L, passes, END, .initial = "0", .help = "Passes over a task's files (0: no limit)",
	      .more = "In a pass a task moves as many bytes as its files have. With "
		      "distribution=every_block these are all bytes of the files."),

	SECONDS(L, interval, END, .initial = "0", .help = "Rows while the load runs (0: none)",
		.more = "Each interval appends a row to the file NAME.intervals.csv beside the "
			"document NAME.json: operations, bytes, mean and 99th percentile of reads "
			"and writes of all nodes. At least 0.5 s. The live line then shows the sum "
			"over all nodes."),
	STRING(L, steady, END, .argument = "BOUNDS", .has_commas = true, .empty_unsets = true,
	       .help = "Ends the load in a steady state",
	       .more = "For example range:20%,slope:10%, the bounds of SNIA. Over --steady-window "
		       "the largest and the smallest rate of an interval differ by at most 20 % "
		       "of the mean, and the fitted line changes by at most 10 % of it. The load "
		       "ends then, or at its limit."),
	SECONDS(L, steady_window, END, .needs = has_steady, .needs_what = "has steady",
		.initial = "10", .help = "Time that must be steady"),

	COUNT(L, files, FILES, .initial = "1", .min = 1, .max = 1000000,
	      .help = "Files of each task, node or test",
	      .more = "All files stay open during the load. With --file-scope=test and as many "
		      "paths in --test-file, a@b, these are the names of the files. Otherwise the "
		      "numbers of task or node and of the file are appended with 8 digits each, "
		      "and the files are dealt to the paths in turn."),
	CHOICE(L, file_scope, scope_names, FILES, .initial = "task",
	       .help = "Tasks that share files",
	       .more = "task: each task has files of its own. node: the tasks of a node share "
		       "files; each node then needs equally many tasks. test: all tasks share "
		       "the same files."),
	SIZE(L, file_size, FILES, .initial = "64MiB", .min = 1, .help = "Bytes of each file"),
	SIZE(L, region_offset, FILES, .initial = "0", .help = "Begin of the load in each file",
	     .more = "The load stays behind this offset. The layout writes whole files."),
	SIZE(L, region_size, FILES, .initial = "0", .help = "Bytes visited in each file (0: all)"),
	SIZE(L, region_step, FILES, .needs = shares_files,
	     .needs_what = "shares files (file_scope)", .initial = "0",
	     .help = "Distance between the regions of tasks",
	     .more = "Task t of those that share files begins t times this many bytes behind "
		     "region_offset, and visits its whole region alone."),
	BOOL(L, whole_files, FILES, .needs = shares_files,
	     .needs_what = "shares files (file_scope)",
	     .help = "Each task visits whole shared files",
	     .more = "Sequential transfers of each task begin at the start of a file, and a "
		     "pass of each task visits every block. Without it the tasks that share "
		     "files divide them."),
	STRING(L, file_choice, FILES, .needs = has_files, .needs_what = "has several files",
	       .initial = "in_turn", .argument = "WHICH", .may_vary = true,
	       .help = "Choice of the next file",
	       .more = "in_turn: one file after the other. random: any file. A distribution such "
		       "as zipf:1.2: some files more often than others. A run of --run-length "
		       "transfers stays in its file."),
	CHOICE(L, depth_scope, depth_names, FILES, .needs = has_files,
	       .needs_what = "has several files", .initial = "task",
	       .help = "Scope of --queue-depth",
	       .more = "task: a task has up to so many operations in flight, in all its files "
		       "together. file: so many in each file; when one is done, the next "
		       "operation goes to the same file, and --file-choice has no effect. It "
		       "needs a closed loop."),
	BOOL(L, allow_device, FILES, .takes_foreign = true, .help = "Overwrite a block device",
	     .more = "test_file is a block device, such as /dev/nvme1n1. What is on it is lost. "
		     "Without this option a device is refused. It needs --file-scope=test, and "
		     "--file-size says how much of the device is used. The layout is written each "
		     "time; --layout=none leaves it out."),
	CHOICE(L, layout, layout_names, FILES, .initial = "write", .takes_foreign = true,
	       .help = "Layout of files",
	       .more = "write: a phase before the load writes them, with a result of its own; "
		       "files of the right size that an earlier test made are used again. "
		       "allocate: they get their space by fallocate(), and only the start of each "
		       "task's part is written; for loads that do not read. none: the files must "
		       "be there. missing: files that are there and reach to the end of the load's "
		       "region are used as they are, and if none is there they are written; the "
		       "load writes into files that iorx did not make only with "
		       "--allow-overwrite. A load keeps its files; --cleanup removes those that "
		       "iorx made."),
	BOOL(L, cleanup, FILES, .command_line_only = true,
	     .help = "Only removes the files of the load",
	     .more = "With the words and the number of tasks of the load that made them, as its "
		     "last line says. Files are removed that have a stamp of iorx, and where a "
		     "job was killed those that it had made and not written, with its small "
		     "files. All others are listed and stay; --allow-overwrite on the command "
		     "line removes them too, if they are regular files. Devices stay. With a job "
		     "file it is for all loads in it, and no other test of the job runs."),

	COUNT(L, items, FILES, ON_ITEMS, .initial = "1000", .min = 1,
	      .help = "Small files of each task",
	      .more = "Operations on names act on these files, or make and remove others beside "
		      "them. They are made before the load and removed after it."),
	SIZE(L, item_bytes, FILES, ON_ITEMS, .initial = "4KiB", .help = "Bytes of each small file",
	     .more = "read_file and write_file move them all, append adds as many, and truncate "
		     "takes them away again. 0: the files stay empty."),
	STRING(L, dir, FILES, ON_ITEMS, .argument = "DIR", .empty_unsets = true,
	       .help = "Directory of the small files",
	       .more = "By default it has the name of the first test_file with .items behind it. "
		       "Each task has a tree of its own in it, as with iorx mdtest -u."),
	COUNT(L, branch, FILES, ON_ITEMS, .initial = "1",
	      .help = "Subdirectories of each directory"),
	COUNT(L, depth, FILES, ON_ITEMS, .initial = "0", .max = 1000,
	      .help = "Levels below the root of a tree"),
};

const struct option_table load_options = {
	.prefix = "load",
	.summary = "options of load tests: iorx load, and LOAD blocks of job files",
	OPTION_ROWS(rows, L),
};
