/* iorx: reads a job, does it on all tasks, and says what happened and whether to believe it. */
#include "config.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "assess/verdict_help.h"
#include "backends/common/hints.h"
#include "backends/registry.h"
#include "base/memory.h"
#include "base/version.h"
#include "comm/launcher.h"
#include "comm/world.h"
#include "engine/core/watchdog.h"
#include "options/help.h"
#include "page/report.h"
#include "run/input.h"
#include "run/run.h"

static void print_version(void)
{
	struct text backends = {0};
	char mpi[256];

	world_mpi_version(mpi, sizeof(mpi));
	registry_list_names(&backends);
	printf("iorx %s%s%s%s\nbackends: %s\nMPI: %s\nJSON: jansson %s\ncompiled with %s %s\n",
	       version.number, *version.git ? " (" : "", version.git, *version.git ? ")" : "",
	       text_string(&backends), mpi, JANSSON_VERSION, version.compiler, version.flags);
	text_release(&backends);
}

/* The document of a job that was killed, from its journal. */
static int finish_journal(const char *journal, struct error *err)
{
	struct text document = {0};
	int ret = report_finish_journal(journal, &document, err);

	if (document.length)
		printf("%s\n", text_string(&document));
	if (ret)
		error_add(err, "finish");
	text_release(&document);
	return ret;
}

/* On options, values, backends, a verdict by its id, or a word of the text. */
static int help(const struct job *job, struct text *out, struct error *err)
{
	const char *topic = run_of(job)->help;
	const char *verdict = verdict_help(topic);
	struct text options = {0};

	if (verdict) {
		help_on_verdict(verdict, out);
		return 0;
	}
	const bool explained = report_explain(topic, out);
	const int ret = help_text(job->vocabulary, topic, &options, err);

	if (!ret)
		text_add(out, "%s%s", explained ? "\n" : "", text_string(&options));
	text_release(&options);
	if (!ret || explained)
		return 0;
	verdict_help_refuse(topic, err);
	return -1;
}

/* Questions about iorx itself. Returns false when nothing was asked; *code is the exit code. */
static bool main_answer(const struct world *world, const struct job *job, enum exit_code *code)
{
	const struct run *run = run_of(job);
	struct text out = {0};
	struct error err = {0};
	int ret = 0;

	if (!run->help && !run->version && !run->list_backends && !run->finish)
		return false;
	if (run->help)
		ret = help(job, &out, &err);
	else if (run->list_backends)
		registry_list(&out);
	else if (run->finish && world->all.rank == 0)
		ret = finish_journal(run->finish, &err);
	*code = !ret ? EXIT_GOOD : err.kind == ERROR_INPUT ? EXIT_INPUT : EXIT_IO;
	if (world->all.rank == 0) {
		if (ret)
			report_message("error", err.text);
		else if (run->version)
			print_version();
		else
			fputs(text_string(&out), stdout);
	}
	text_release(&out);
	return true;
}

static enum exit_code plan_only(struct world *world, struct clock *clock, const struct job *job)
{
	bool looks = run_of(job)->dry_run;
	enum exit_code code = looks ? run_dry(job, world, clock) : run_show_plan(job, world);

	if (code == EXIT_GOOD && world->all.rank == 0)
		printf("%s; nothing was touched\n",
		       looks ? "plan only, checked against files, space and permissions"
			     : "plan only, without a look at any file");
	return code;
}

/* One message for each. */
static void warn_of_unused(const struct job *job)
{
	struct text lines = {0};
	char *rest;

	job_list_unused(job, &lines);
	rest = lines.bytes;
	for (char *line; rest && *rest && (line = strsep(&rest, "\n"));)
		report_message("warning", line);
	text_release(&lines);
}

/* Once, of the first test that is given some. */
static void warn_of_hints(const struct job *job)
{
	struct text names = {0}, line = {0};

	for (size_t i = 0; i < job->test_count && !names.length; i++) {
		const struct test_spec *spec = &job->tests[i];
		const struct registration *entry = registry_find(test_of(spec)->api);
		bool spares_private;
		const char *file = test_spec_hints_file(spec, entry->options, &spares_private);

		if (file)
			hints_passed_over(file, spares_private, &names);
	}
	text_add(&line,
		 "%s: hints for GPFS have no effect, those for MPI-IO begin with IOR_HINT__MPI__",
		 text_string(&names));
	if (names.length)
		report_message("warning", text_string(&line));
	text_release(&names);
	text_release(&line);
}

static int check_start(const struct world *world, const struct job *job, struct error *err)
{
	char library[256];

	world_mpi_version(library, sizeof(library));
	if (launcher_check_library(library, err))
		return -1;
	if (run_of(job)->allow_separate_jobs)
		return 0;
	return launcher_check_tasks(world->all.size, library, err);
}

static enum exit_code main_run(struct world *world, struct clock *clock, struct job *job, int argc,
			       char **argv)
{
	struct error err = {0};
	enum exit_code code;

	if (input_read(world, argc, argv, job, &err))
		goto bad;
	if (main_answer(world, job, &code))
		return code;
	if (check_start(world, job, &err) || job_complete(job, &err))
		goto bad;
	if (world->all.rank == 0) {
		if (argc == 1)
			report_message("note", "no options are given: this is the default test, "
					       "which writes and reads 1 MiB of each task in "
					       "./testFile; iorx --help shows the options");
		warn_of_unused(job);
		warn_of_hints(job);
	}
	world_find_nodes(world);
	/* The kernels of two nodes may disagree on whether the TSC can be trusted. */
	if (clock_calibrate(clock, (enum clock_source)run_of(job)->clock, &err))
		error_add(&err, "%s", world->host);
	if (comm_agree_error(&world->all, &err))
		goto bad;
	if (run_of(job)->show_plan || run_of(job)->dry_run)
		return plan_only(world, clock, job);
	return run_job(job, world, clock, argc, argv);
bad:
	if (world->all.rank == 0)
		report_message("error", err.text);
	return EXIT_INPUT;
}

static bool is_first; /* task 0 */

/* A job that has not begun has touched nothing, so that a signal may end it at once. */
static void end_by_signal(int number)
{
	static const char end[] = ": the job ends before its first test; nothing was touched\n";
	const char *text = number == SIGTERM  ? "iorx: error: SIGTERM"
			   : number == SIGINT ? "iorx: error: SIGINT"
					      : "iorx: error: SIGUSR1";
	const struct iovec line[] = {{(void *)(uintptr_t)text, strlen(text)},
				     {(void *)(uintptr_t)end, sizeof(end) - 1}};
	ssize_t written = is_first ? writev(STDERR_FILENO, line, 2) : 0;

	(void)written; /* a failed write to standard error cannot be reported */
	_exit(EXIT_IO);
}

/* Becomes iorx-health, which starts the launcher itself. Returns only if it is missing. */
static int become_health(char **argv)
{
	struct text beside = {0};
	char path[4096];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	text_add(&beside, "%s-health", path);
	execv(text_string(&beside), argv + 1);
	execvp("iorx-health", argv + 1);
	report_message("error", "iorx health is the program iorx-health, which is neither beside "
				"iorx nor in PATH; configure builds it if it finds a Python with "
				"numpy, scipy, matplotlib and jinja2");
	text_release(&beside);
	return EXIT_INPUT;
}

int main(int argc, char **argv)
{
	struct world world;
	struct clock clock;
	struct vocabulary words;
	struct job job;

	if (argc > 1 && !strcmp(argv[1], "health") && !launcher_started_this())
		return become_health(argv);
	clock_start(&clock);
	watchdog_block_signals();
	/* A reader of our output that goes away must not take the results with it. */
	signal(SIGPIPE, SIG_IGN);
	/* A write beyond RLIMIT_FSIZE then fails with EFBIG, which is reported like any other
	 * failure. */
	signal(SIGXFSZ, SIG_IGN);
	world_start(&argc, &argv, &world);
	is_first = world.all.rank == 0;
	watchdog_end_by_signals(end_by_signal);
	words = *registry_vocabulary();
	words.workload = input_workload(argc, argv);
	job_init(&job, &words);
	job.tasks = (uint64_t)world.all.size;
	enum exit_code code = main_run(&world, &clock, &job, argc, argv);

	job_release(&job);
	fflush(stdout);
	world_finish(&world);
	/* A launcher kills the rest at the first task that returns non-zero: only one does. */
	return is_first ? (int)code : 0;
}
