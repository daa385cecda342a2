/* iorx: reads a job, does it on all tasks, and says what happened and whether to believe it. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assess/verdict_help.h"
#include "backends/common/hints.h"
#include "backends/registry.h"
#include "base/memory.h"
#include "base/version.h"
#include "comm/launcher.h"
#include "comm/world.h"
#include "dialects/dialect.h"
#include "engine/core/watchdog.h"
#include "options/help.h"
#include "report/report.h"
#include "run/run.h"

/* A whole file; on task 0. */
static int read_file(const char *name, struct text *bytes, struct error *err)
{
	int fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	char piece[65536];
	ssize_t got;

	if (fd < 0)
		return error_input(err, "%s: %s; -f takes the name of a job file", name, strerror(errno));
	while ((got = read(fd, piece, sizeof(piece))) > 0)
		text_add_bytes(bytes, piece, (size_t)got);
	if (got < 0)
		error_input(err, "%s: %s", name, strerror(errno));
	if (fd != STDIN_FILENO)
		close(fd);
	return got < 0 ? -1 : 0;
}

/* Task 0 reads, all get the bytes or the same error. */
static int share_file(const struct world *world, const char *name, struct text *bytes,
		      struct error *err)
{
	if (world->all.rank == 0)
		read_file(name, bytes, err);
	comm_share_fixed(&world->all, err, sizeof(*err), NULL);
	if (err->kind != ERROR_NONE)
		return -1;
	comm_share(&world->all, bytes, NULL);
	return 0;
}

static const char metadata_command[] = "mdtest";

/* "ior" and "mdtest" where the program was started by a link of that name. */
static const char *program_name(int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;

	return slash ? slash + 1 : argc > 0 ? argv[0] : "";
}

/* iorx mdtest …, or a link of that name. */
static enum workload workload_of(int argc, char **argv)
{
	return !strcmp(program_name(argc, argv), metadata_command) ||
			       (argc > 1 && !strcmp(argv[1], metadata_command))
		       ? WORKLOAD_METADATA
		       : WORKLOAD_DATA;
}

/* Sets an option of the whole job that nobody has set. */
static int assign_unset(struct job *job, const char *key, const char *value, struct error *err)
{
	if (option_origin(&job->run, option_find(&run_options, key)).kind != ORIGIN_DEFAULT)
		return 0;
	return job_assign(job, NULL, key, value, (struct origin){.kind = ORIGIN_ENVIRONMENT}, err);
}

static int assign_surroundings(struct job *job, const char *name, struct error *err)
{
	const char *end_time = getenv("SLURM_JOB_END_TIME");

	if (end_time && assign_unset(job, "deadline", end_time, err))
		return -1;
	if (strcmp(name, "ior") && strcmp(name, metadata_command))
		return 0;
	return assign_unset(job, "format", name, err);
}

/* IORX_OPTIONS of task 0, as a launcher may keep it from other tasks. */
static int read_environment(const struct world *world, struct job *job, struct command_line *line,
			    struct error *err)
{
	const char *own = getenv("IORX_OPTIONS");
	struct text options = {0};

	if (world->all.rank == 0 && own)
		text_add(&options, "%s", own);
	comm_share(&world->all, &options, NULL);
	job->environment = options.length ? text_copy(options.bytes) : NULL;
	text_release(&options);
	return job->environment ? command_line_parse_environment(job->environment, job->vocabulary,
								 line, err)
				: 0;
}

static int read_script(const struct world *world, const char *script, struct job *job,
		       struct error *err)
{
	struct text bytes = {0};
	int ret = share_file(world, script, &bytes, err);

	if (!ret)
		ret = script_parse(script, text_string(&bytes), bytes.length, job, err);
	text_release(&bytes);
	return ret;
}

/* argv, IORX_OPTIONS and the job file become a job: a pure function of bytes that are the same on every task. */
static int understand(const struct world *world, int argc, char **argv, struct job *job,
		      struct error *err)
{
	struct command_line environment = {0}, line = {0};
	bool names = job->vocabulary->workload == WORKLOAD_METADATA && argc > 1 &&
		     !strcmp(argv[1], metadata_command);
	const char *script = NULL;
	int ret = read_environment(world, job, &environment, err);

	/* The word itself is no flag. */
	if (!ret)
		ret = command_line_parse(argc - names, argv + names, job->vocabulary, &line, err);
	if (!ret)
		script = command_line_value(&line, "script");
	if (!ret && !script)
		script = command_line_value(&environment, "script");
	if (script)
		ret = read_script(world, script, job, err);
	if (!ret)
		ret = command_line_apply(&environment, job, err);
	if (!ret)
		ret = command_line_apply(&line, job, err);
	if (!ret)
		ret = assign_surroundings(job, program_name(argc, argv), err);
	command_line_release(&environment);
	command_line_release(&line);
	return ret;
}

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

/* On options, values, backends, or a verdict by its id. */
static int help(const struct job *job, struct text *out, struct error *err)
{
	const char *topic = run_of(job)->help;
	const char *verdict = verdict_help(topic);

	if (!verdict)
		return help_text(job->vocabulary, topic, out, err);
	help_on_verdict(verdict, out);
	return 0;
}

/* Questions about iorx itself. Returns false when nothing was asked; *code is the exit code. */
static bool answer(const struct world *world, const struct job *job, enum exit_code *code)
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
		printf("\n%s; nothing was touched\n",
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

/* The hints file of a test whose backend takes one, "" when it is not given; NULL: it takes none. */
static const char *hints_file(const struct test_spec *spec)
{
	for (size_t i = 0; i < spec->backend_count; i++) {
		const struct option_set *set = &spec->backends[i];
		const struct option *row = option_find(set->table, "hints_file");
		const char *name;

		if (!row || !text_same_key(test_of(spec)->api, set->table->prefix))
			continue;
		name = *(char *const *)((const char *)set->values + row->offset);
		return name ? name : "";
	}
	return NULL;
}

/* Once, of the first test that is given some. */
static void warn_of_hints(const struct job *job)
{
	struct text names = {0}, line = {0};

	for (size_t i = 0; i < job->test_count && !names.length; i++) {
		const char *file = hints_file(&job->tests[i]);

		if (file)
			hints_passed_over(file, &names);
	}
	text_add(&line, "%s: hints for GPFS have no effect, those for MPI-IO begin with IOR_HINT__MPI__",
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

static enum exit_code run(struct world *world, struct clock *clock, struct job *job, int argc,
			  char **argv)
{
	struct error err = {0};
	enum exit_code code;

	if (understand(world, argc, argv, job, &err))
		goto bad;
	if (answer(world, job, &code))
		return code;
	if (check_start(world, job, &err) || job_complete(job, &err))
		goto bad;
	if (world->all.rank == 0) {
		if (argc == 1)
			report_message("note", "no options are given: this is the default test, which writes and reads "
				       "1 MiB of each task in ./testFile; iorx --help shows the options");
		warn_of_unused(job);
		warn_of_hints(job);
	}
	world_find_nodes(world);
	/* What the kernel of one node trusts another's may not. */
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

int main(int argc, char **argv)
{
	struct world world;
	struct clock clock;
	struct vocabulary words;
	struct job job;

	clock_start(&clock);
	watchdog_block_signals();
	/* A reader of our output that goes away must not take the results with it. */
	signal(SIGPIPE, SIG_IGN);
	/* A write beyond RLIMIT_FSIZE then fails with EFBIG, which is reported like any other failure. */
	signal(SIGXFSZ, SIG_IGN);
	world_start(&argc, &argv, &world);
	words = *registry_vocabulary();
	words.workload = workload_of(argc, argv);
	job_init(&job, &words);
	job.tasks = (uint64_t)world.all.size;
	enum exit_code code = run(&world, &clock, &job, argc, argv);

	job_release(&job);
	bool first = world.all.rank == 0;

	fflush(stdout);
	world_finish(&world);
	/* A launcher kills the rest at the first task that returns non-zero: only one does. */
	return first ? (int)code : 0;
}
