/* The options of the whole job: a row for each member of struct run. */
#include "options/groups.h"
#include "options/test.h"

/* In the order of enum clock_source, enum progress_mode, enum text_format and enum summary_format. */
static const char *const clock_names[] = { "auto", "tsc", "monotonic", NULL };
static const char *const progress_names[] = { "auto", "on", "off", NULL };
static const char *const format_names[] = { "text", "ior", "mdtest", "mdtest-colon", NULL };
static const char *const summary_names[] = { "default", "JSON", "CSV", NULL };

#define R struct run
#define RESULTS .group = GROUP_RESULTS, .in_metadata = true
#define LIMITS .group = GROUP_LIMITS, .in_metadata = true
#define ASKING .group = GROUP_ASKING, .in_metadata = true, .command_line_only = true

/* The help of a row fits beside its flags into 80 columns. */
static const struct option rows[] = {
	STRING(R, script, .group = GROUP_WHAT, .letter = 'f', .argument = "FILE",
	       .command_line_only = true, .help = "Job file; flags override all its tests",
	       .more = "See JOB FILES."),

	LEVEL(R, verbose, RESULTS, .letter = 'v', .mdtest_letter = 'v', .help = "Say more of each phase"),
	CHOICE(R, format, format_names, RESULTS, .initial = "text", .help = "Form",
	       .more = "ior writes the numbers as IOR does, for the scripts that take its output "
		       "apart: JUBE, ReFrame, Ramble and others; mdtest writes those of metadata tests "
		       "as mdtest does, mdtest-colon with a colon behind each name. The result files are the same; "
		       "what must not be believed is said on standard error. A link to the program with the name "
		       "ior or mdtest makes that form the default."),
	STRING(R, output, RESULTS, .argument = "FILE[,FILE]",
	       .help = "Result files: .json, .csv, .txt",
	       .more = "One of each kind at most. Without it the results go to "
		       "iorx-DATE-TIME.json in the working directory, or nowhere, with a warning, if that "
		       "file cannot be written. none makes no result file that is not named."),
	STRING(R, summary_file, RESULTS, .argument = "FILE",
	       .help = "Result file, as IOR names it",
	       .more = "With --format=ior its JSON has IOR's keys, and its CSV IOR's columns."),
	CHOICE(R, summary_format, summary_names, RESULTS, .initial = "default",
	       .help = "Format of --summary-file",
	       .more = "default takes JSON, CSV or text from the end of its name. JSON or CSV without a file "
		       "is written to standard output in place of the text, with IOR's keys or columns."),

	CHOICE(R, progress, progress_names, RESULTS, .initial = "auto",
	       .help = "Live line of progress",
	       .more = "Phase, repetition, percent, rate and time left, written over twice a second. auto "
		       "does it where standard output, the launcher's if there is one, is a terminal; on "
		       "also elsewhere. Tasks do nothing for it."),

	STRING(R, task_table, RESULTS,
	       .aliases = "tasks_csv saveRankPerformanceDetailsCSV saveRankPerformanceDetails",
	       .argument = "FILE",
	       .help = "A table with a row per task",
	       .more = "For each phase and repetition, in the order of nodes: bytes or operations, "
		       "times of its steps and of its transfers, rates, the clock of its node."),
	STRING(R, operation_tables, RESULTS, .aliases = "savePerOpDataCSV", .argument = "PREFIX",
	       .help = "A table with a row per operation",
	       .more = "Each task writes its own, PREFIX.00000003.csv, of all phases and repetitions: "
		       "operation, offset, length, start and service time. Rows are kept in memory "
		       "and written after the phase, or between two transfers when they are 65536; "
		       "that is in no service time, but in the rates."),

	BOOL(R, dry_run, LIMITS, .help = "Check everything, touch nothing"),
	BOOL(R, show_plan, LIMITS, .help = "Say what each task will do"),
	BOOL(R, force, LIMITS, .help = "Start although space is short"),
	BOOL(R, strict, LIMITS, .help = "Exit 3 when a trust rule fails",
	     .more = "The rules say whether the numbers can be believed: see the results."),
	BOOL(R, warning_as_errors, LIMITS, .help = "Exit 3 also when a rule warns",
	     .more = "As --strict, for verdicts of severity warn too."),
	BOOL(R, allow_commands, LIMITS, .command_line_only = true,
	     .help = "Job files may run commands"),
	BOOL(R, allow_overwrite, LIMITS, .command_line_only = true,
	     .help = "Replace and delete any file",
	     .more = "Without this flag a result file replaces only a file that iorx made, and a job "
		     "file may not have a foreign file replaced (replace, use_existing_test_file) or "
		     "deleted (semantics=ior). A foreign file under the name of a document is renamed."),
	BOOL(R, allow_separate_jobs, LIMITS, .command_line_only = true,
	     .help = "Tasks may be jobs of one task",
	     .more = "A launcher of another MPI starts each task as a job of its own. Such a start is "
		     "refused otherwise."),
	STRING(R, deadline, LIMITS, .argument = "WHEN", .help = "Start nothing that ends later",
	       .more = "+30m from now, seconds since the epoch, or 2026-11-20T18:00:00. Without "
		       "it 5 s before the end of the batch job, from SLURM_JOB_END_TIME."),
	SECONDS(R, hang_after, LIMITS, .initial = "0",
		.help = "End the job when a call takes longer",
		.more = "With 0 the job ends only when a task hangs for 60 s after a failure, for 10 s "
			"after a signal, or for 300 s in an open while no task of its node makes "
			"progress."),
	CHOICE(R, clock, clock_names, LIMITS, .initial = "auto", .help = "Where time is read",
	       .more = "auto takes the processor's counter (the TSC of x86-64, cntvct_el0 of aarch64) where "
		       "the kernel itself uses it, else CLOCK_MONOTONIC. tsc insists on that counter."),

	STRING(R, help, ASKING, .letter = 'h', .mdtest_letter = 'h', .bare = "",
	       .argument = "TOPIC",
	       .help = "Help: all, or an option, value, verdict",
	       .more = "json writes all options as a JSON document for other programs."),
	BOOL(R, version, ASKING, .help = "Version, and what is built in"),
	BOOL(R, list_backends, ASKING, .help = "Storage interfaces and their options"),
	STRING(R, finish, ASKING, .argument = "NAME.jsonl",
	       .help = "Make NAME.json of a killed job's journal"),
};

const struct option_table run_options = {
	.prefix = "",
	.summary = "options of the whole job",
	.rows = rows,
	.count = sizeof(rows) / sizeof(rows[0]),
	.values_size = sizeof(R),
};
