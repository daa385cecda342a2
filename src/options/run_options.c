/* The options of the whole job: a row for each member of struct run. */
#include "options/groups.h"
#include "options/test.h"

/* In the order of enum clock_source, point_order, progress_mode, text_format and so on. */
static const char *const clock_names[] = {"auto", "tsc", "monotonic", NULL};
static const char *const order_names[] = {"interleaved", "sequential", NULL};
static const char *const progress_names[] = {"auto", "on", "off", NULL};
static const char *const format_names[] = {"text", "ior", "mdtest", "mdtest-colon", NULL};
static const char *const limits_names[] = {"given", "measure", "only", "off", NULL};
static const char *const summary_names[] = {"default", "JSON", "CSV", NULL};
static const char *const unit_names[] = {"MiB", "MB", "GiB", "GB", NULL};

#define R struct run
#define RESULTS .group = GROUP_RESULTS, .also_for = FOR_METADATA | FOR_LOAD
#define LIMITS .group = GROUP_LIMITS, .also_for = FOR_METADATA | FOR_LOAD
#define POSSIBLE .group = GROUP_POSSIBLE, .also_for = FOR_METADATA | FOR_LOAD
#define ASKING .group = GROUP_ASKING, .also_for = FOR_METADATA | FOR_LOAD, .command_line_only = true

/* The help of a row fits beside its flags into 80 columns. */
static const struct option rows[] = {
	STRING(R, script, .group = GROUP_WHAT, .also_for = FOR_LOAD, .letter = 'f',
	       .argument = "FILE", .command_line_only = true,
	       .help = "Job file; flags override its options", .more = "See JOB FILES in iorx(1)."),

	STRING(R, set, .group = GROUP_WHAT, .also_for = FOR_METADATA | FOR_LOAD,
	       .argument = "NAME.KEY=VALUE", .command_line_only = true,
	       .help = "Set an option of the test of that name",
	       .more = "NAME is the option name of a test in the job file. The flag may be given "
		       "several times: --set users.rate=500 --set users.num_tasks=rest."),
	STRING(R, define, .group = GROUP_WHAT, .also_for = FOR_METADATA | FOR_LOAD,
	       .argument = "NAME=VALUE", .command_line_only = true,
	       .help = "Set ${NAME} in the values of the job file",
	       .more = "The flag may be given several times: --define SIZE=4m --define DIR=$PWD. "
		       "A ${NAME} without a value is an error, as is a definition that no value "
		       "has. $${ stands for the characters ${."),
	BOOL(R, exact_tasks, .group = GROUP_WHAT, .also_for = FOR_METADATA | FOR_LOAD,
	     .help = "Refuse to start with too few tasks",
	     .more = "Without this option a test that wants more tasks than the job has "
		     "(num_tasks) runs on those that there are, with a warning, as in IOR. The "
		     "jobs that iorx-translate writes have it, as a number of tasks is a part of "
		     "what they measure."),
	LEVEL(R, verbose, RESULTS, .letter = 'v', .mdtest_letter = 'v',
	      .help = "Print more about each phase"),
	BOOL(R, quiet, RESULTS, .help = "Only the tables and verdicts of tests",
	     .more = "Settings and rows of single repetitions are left out, but for phases that "
		     "failed, ended early or found wrong data. The result files have "
		     "everything. -v takes precedence."),
	CHOICE(R, format, format_names, RESULTS, .initial = "text", .help = "Output format",
	       .more = "ior prints the numbers as IOR does, for scripts that parse its "
		       "output: JUBE, ReFrame, Ramble and others; mdtest prints those of "
		       "metadata tests as mdtest does, mdtest-colon with a colon after each "
		       "name. The result files stay the same, and warnings about numbers "
		       "that must not be believed go to standard error. If the program is "
		       "started through a link with the name ior or mdtest, that format is "
		       "the default."),
	CHOICE(R, unit, unit_names, RESULTS, .initial = "MiB", .help = "Unit of rates in the text",
	       .more = "MiB and GiB are 1024-based, MB and GB 1000-based. Result files have bytes "
		       "per second, and verdicts and limits name their own units."),
	STRING(R, output, RESULTS, .argument = "FILE[,FILE]",
	       .help = "Result files: .json, .csv, .txt",
	       .more = "At most one file of each kind. Without this option the results go to "
		       "iorx-DATE-TIME.json in the working directory; if that file cannot be "
		       "written, a warning says so and there is no result file. none makes "
		       "only the result files that other options name."),
	STRING(R, summary_file, RESULTS, .argument = "FILE", .empty_unsets = true,
	       .help = "Result file, by IOR's name of the option",
	       .more = "With --format=ior its JSON has IOR's keys, and its CSV IOR's columns."),
	CHOICE(R, summary_format, summary_names, RESULTS, .initial = "default",
	       .help = "Format of --summary-file",
	       .more = "default takes JSON, CSV or text from the end of its name. JSON or CSV "
		       "without a file is written to standard output in place of the text, with "
		       "IOR's keys or columns."),

	CHOICE(R, progress, progress_names, RESULTS, .initial = "auto",
	       .help = "Live line of progress",
	       .more = "The line shows the point or test, the repetition, how much of the job is "
		       "done and about how long the rest takes. Where the terminal has room it "
		       "goes on with the phase, its rate and when it ends. Times follow from the "
		       "repetitions that have ended, and from duration and stonewall. The line is "
		       "updated twice a second. auto prints it if standard output, the launcher's "
		       "if there is one, is a terminal; on prints it elsewhere too. The tasks do "
		       "no work for it while they measure."),

	STRING(R, task_table, RESULTS,
	       .aliases = "tasks_csv saveRankPerformanceDetailsCSV saveRankPerformanceDetails",
	       .argument = "FILE", .empty_unsets = true, .help = "A table with a row per task",
	       .more = "For each phase and repetition, in the order of nodes: bytes or "
		       "operations, the times of the task's steps and transfers, its rates, "
		       "and the clock of its node."),
	STRING(R, operation_tables, RESULTS, .aliases = "savePerOpDataCSV", .argument = "PREFIX",
	       .empty_unsets = true, .help = "A table with a row per operation",
	       .more = "Each task writes a file of its own, such as PREFIX.00000003.csv, for "
		       "all phases and repetitions: operation, offset, length, start and "
		       "service time. Rows are kept in memory and written after the phase, "
		       "or between two transfers when there are 65536 of them. The writing "
		       "is in no service time, but it is in the rates."),

	BOOL(R, anonymize, RESULTS, .help = "Hash hosts, users and paths in results",
	     .more = "Names of hosts and users, parts of paths and network addresses become "
		     "hashes in all result files and on standard output. The secret of the "
		     "hashes is kept nowhere, so equal names are equal within one job only. The "
		     "command line and the text of the job file are left out. "
		     "Messages on standard error keep their names."),

	CHOICE(R, order, order_names, LIMITS, .initial = "interleaved", .help = "Order of points",
	       .more = "interleaved makes the first repetition of all points, then the second "
		       "and so on. Drift during the job then does not look like an effect of an "
		       "option. Warm-ups come right before a point's first repetition. "
		       "sequential makes all repetitions of a point before the next one. So "
		       "do loads, and points whose files stay or that have one repetition each; "
		       "study.sequential_because in the results says why."),
	BOOL(R, dry_run, LIMITS, .help = "Check everything, touch nothing"),
	BOOL(R, show_plan, LIMITS, .help = "Print what each task would do"),
	BOOL(R, force, LIMITS, .help = "Start even if free space is too small"),
	BOOL(R, strict, LIMITS, .help = "Exit with 3 if a verdict is fail",
	     .more = "Trust rules judge whether the numbers can be believed. Their "
		     "verdicts stand at the end of the results."),
	BOOL(R, warning_as_errors, LIMITS, .help = "Exit with 3 also if a verdict is warn",
	     .more = "As --strict, for verdicts of severity warn too."),
	BOOL(R, allow_commands, LIMITS, .command_line_only = true,
	     .help = "Job files may run commands"),
	BOOL(R, allow_overwrite, LIMITS, .command_line_only = true,
	     .help = "Replace and delete any file",
	     .more = "Without this flag a result file replaces only a file that iorx made, "
		     "and a job file may neither replace files of other programs (replace, "
		     "use_existing_test_file, layout=none, layout=missing) "
		     "nor delete them (semantics=ior). A file of "
		     "another program under the name of a document is renamed."),
	BOOL(R, allow_private, LIMITS, .command_line_only = true,
	     .help = "Job files may name private files",
	     .more = "A file is private if its own mode does not let others read it; the modes of "
		     "the directories above it do not count. Without this flag a job "
		     "file may not name one (content_file, hints_file, status_file, and a "
		     "test_file of another program whose bytes are compared), as its bytes would "
		     "reach files and messages that others read. What the command line names "
		     "needs no flag. Files written with the bytes of a private content_file, and "
		     "the results of a job with a private content_file or hints_file, are private "
		     "themselves (mode 0600)."),
	BOOL(R, allow_sharing, LIMITS, .help = "Share files with other jobs",
	     .more = "A job that writes has its files for itself: NAME.iorx-lock beside them says "
		     "who uses them, and a second job is refused. Jobs that all have this flag "
		     "use the same files at the same time. Jobs that only read files that are "
		     "there (a load with layout=none) never exclude each other."),
	BOOL(R, allow_separate_jobs, LIMITS, .command_line_only = true,
	     .help = "Run even if each task is a job of its own",
	     .more = "The launcher of another MPI starts each task as a separate job of "
		     "one task. Without this flag iorx refuses such a start."),
	STRING(R, deadline, LIMITS, .argument = "WHEN",
	       .help = "Start no phase that would end later",
	       .more = "+30m from now, seconds since the epoch, or 2026-11-20T18:00:00. "
		       "Without this option the deadline is 5 s before the end of the batch "
		       "job, from SLURM_JOB_END_TIME."),
	STRING(R, resume, LIMITS, .argument = "NAME.jsonl", .bare = "", .command_line_only = true,
	       .help = "Go on behind the journal of a killed job",
	       .more = "The same job, started again, makes only the repetitions that its journal "
		       "does not have, and one document has those of all sessions. Without a name "
		       "the journal is that of the document that output names, and where it is not "
		       "there the job begins anew, so that a batch script may have the flag from "
		       "the first time on. A job with this flag keeps its journal also when a "
		       "signal or the deadline ends it."),
	BOOL(R, resume_anyway, LIMITS, .command_line_only = true,
	     .help = "Resume although job or place differ",
	     .more = "Without this flag --resume refuses another version of iorx, number of tasks "
		     "or nodes, and tests with other options than the journal has."),
	SECONDS(R, hang_after, LIMITS, .initial = "0", .help = "End the job if a call takes longer",
		.more = "With 0 the job ends only if a task hangs for 60 s after a failure, "
			"for 10 s after a signal, or for 300 s in an open while no task of "
			"its node makes progress."),
	CHOICE(R, clock, clock_names, LIMITS, .initial = "auto", .help = "Clock to read",
	       .more = "auto reads the processor's counter (the TSC of x86-64, cntvct_el0 of "
		       "aarch64) if the kernel itself uses it, otherwise CLOCK_MONOTONIC. "
		       "tsc insists on that counter."),

	CHOICE(R, limits, limits_names, POSSIBLE, .initial = "given", .help = "Judge by limits",
	       .more = "A rate above a given limit by more than 5 % was not that of the storage, "
		       "and fails (verdicts L1 to L3). measure also measures, before each test and "
		       "for 8 s at most, what clients, network and target can do, and warns of "
		       "rates more than 30 % above (L1, L2, L4, L5). only measures and runs no "
		       "test. off judges nothing. Limits only judge; they enter no rate."),
	SPEED_OF(R, limit_network, "limit.network", POSSIBLE, .help = "The network of each node",
		 .more = "The limit of a phase is this times the nodes of the test: "
			 "--limit.network=100Gbit/s. 10Gb/s is refused, as it may mean bits or "
			 "bytes; 10G/s are bytes. KiB, MiB and GiB are 1024-based, kB, MB and GB "
			 "1000-based as networks are sold."),
	SPEED_OF(R, limit_server, "limit.server", POSSIBLE, .help = "Each server of the storage"),
	COUNT_OF(R, limit_servers, "limit.servers", POSSIBLE, .initial = "1", .min = 1,
		 .help = "Servers over which the files are spread"),
	SPEED_OF(R, limit_device, "limit.device", POSSIBLE, .help = "Each device below the files"),
	COUNT_OF(R, limit_devices, "limit.devices", POSSIBLE, .initial = "1", .min = 1,
		 .help = "Devices over which the files are spread"),
	STRING(R, site_file, POSSIBLE, .argument = "FILE", .command_line_only = true,
	       .help = "Read limits of the site from a file",
	       .more = "Lines such as \"limit.network = 12.5GB/s\"; # begins a comment. What the "
		       "job or the command line sets goes before. A site sets "
		       "IORX_OPTIONS=--site-file=FILE for all its jobs."),

	STRING(R, help, ASKING, .letter = 'h', .mdtest_letter = 'h', .bare = "",
	       .argument = "TOPIC", .help = "Help, on an option, value, verdict or column",
	       .more = "json writes all options as a JSON document for other programs."),
	BOOL(R, version, ASKING, .help = "Version and what is built in"),
	BOOL(R, list_backends, ASKING, .help = "Storage interfaces and their options"),
	STRING(R, finish, ASKING, .argument = "NAME.jsonl",
	       .help = "Make NAME.json from a killed job's journal"),
};

const struct option_table run_options = {
	.prefix = "",
	.summary = "options of the whole job",
	OPTION_ROWS(rows, R),
};
