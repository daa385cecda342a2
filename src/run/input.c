/* The words that a job is made of. */
#include "run/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/named_file.h"
#include "dialects/dialect.h"

enum {
	MOST_BYTES = 64 << 20, /* of a job file; /dev/zero has no end */
	NAP_MS = 50,
	MOST_NAPS = 100, /* then a pipe has no writer */
};

/* Opens a file, a pipe such as that of <(generate), or a terminal, and waits for none of them. */
static int input_open_file(const char *name, bool *is_pipe, struct error *err)
{
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return error_input(err, "%s", strerror(errno));
	if (fstat(fd, &status))
		status.st_mode = S_IFREG;
	*is_pipe = S_ISFIFO(status.st_mode);
	if (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode) || *is_pipe)
		return fd;
	close(fd);
	return error_input(err, "it is %s", named_file_kind(status.st_mode));
}

/* A pipe reads as empty until it has a writer, which may just be starting. */
static int read_bytes(int fd, bool is_pipe, struct text *bytes, struct error *err)
{
	const struct timespec nap = {.tv_nsec = NAP_MS * 1000000};
	char piece[65536];
	unsigned naps = 0;
	ssize_t got;

	do {
		got = read(fd, piece, sizeof(piece));
		if (got > 0)
			text_add_bytes(bytes, piece, (size_t)got);
		else if (got < 0 && errno == EAGAIN)
			got = fcntl(fd, F_SETFL, 0) < 0 ? -1 : 1;
		else if (!got && is_pipe && !bytes->length && naps++ < MOST_NAPS)
			got = nanosleep(&nap, NULL) < 0 ? -1 : 1;
	} while (got > 0 && bytes->length <= MOST_BYTES);
	if (got < 0)
		return error_input(err, "%s", strerror(errno));
	if (bytes->length > MOST_BYTES)
		return error_input(err, "it has more than %d MiB", MOST_BYTES >> 20);
	if (naps > MOST_NAPS)
		return error_input(err, "it is a pipe that nobody writes");
	return 0;
}

/* A whole file; on task 0. */
static int read_file(const char *name, const char *option, struct text *bytes, struct error *err)
{
	const bool is_input = !strcmp(name, "-");
	bool is_pipe = false;
	int fd = is_input ? STDIN_FILENO : input_open_file(name, &is_pipe, err);
	int ret = fd < 0 ? -1 : read_bytes(fd, is_pipe, bytes, err);

	if (fd >= 0 && !is_input)
		close(fd);
	if (!ret)
		return 0;
	const struct error cause = *err;

	return error_input(err, "%.300s: %s; %s takes the name of a file", name, cause.text,
			   option);
}

/* Task 0 reads, all get the bytes or the same error. */
static int share_file(const struct world *world, const char *name, const char *option,
		      struct text *bytes, struct error *err)
{
	if (world->all.rank == 0)
		read_file(name, option, bytes, err);
	comm_share_fixed(&world->all, err, sizeof(*err), NULL);
	if (err->kind != ERROR_NONE)
		return -1;
	comm_share(&world->all, bytes, NULL);
	return 0;
}

/* "ior" and "mdtest" where the program was started by a link of that name. */
static const char *program_name(int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;

	return slash ? slash + 1 : argc > 0 ? argv[0] : "";
}

enum workload input_workload(int argc, char **argv)
{
	enum workload workload = argc > 1 ? workload_of_command(argv[1]) : WORKLOAD_DATA;

	return workload != WORKLOAD_DATA ? workload : workload_of_command(program_name(argc, argv));
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
	if (strcmp(name, "ior") && strcmp(name, "mdtest"))
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
	int ret = share_file(world, script, "-f", &bytes, err);

	if (!ret)
		ret = script_parse(script, text_string(&bytes), bytes.length, job, err);
	text_release(&bytes);
	return ret;
}

static int read_site(const struct world *world, struct job *job, struct error *err)
{
	const char *name = run_of(job)->site_file;
	struct text bytes = {0};
	int ret = name ? share_file(world, name, "site_file", &bytes, err) : 0;

	if (name && !ret)
		ret = site_parse(name, text_string(&bytes), bytes.length, job, err);
	text_release(&bytes);
	return ret;
}

int input_read(const struct world *world, int argc, char **argv, struct job *job, struct error *err)
{
	struct command_line environment = {0}, line = {0};
	bool command = argc > 1 && workload_of_command(argv[1]) != WORKLOAD_DATA;
	const char *script = NULL;
	int ret = read_environment(world, job, &environment, err);

	/* The word itself is no flag. */
	if (!ret)
		ret = command_line_parse(argc - command, argv + command, job->vocabulary, &line,
					 err);
	if (!ret)
		script = command_line_value(&line, "script");
	if (!ret && !script)
		script = command_line_value(&environment, "script");
	if (!ret)
		ret = definitions_take(&environment, job, err);
	if (!ret)
		ret = definitions_take(&line, job, err);
	if (!ret && script)
		ret = read_script(world, script, job, err);
	if (!ret)
		ret = definitions_check_used(job, err);
	if (!ret)
		ret = command_line_apply(&environment, job, err);
	if (!ret)
		ret = command_line_apply(&line, job, err);
	if (!ret)
		ret = read_site(world, job, err);
	if (!ret)
		ret = assign_surroundings(job, program_name(argc, argv), err);
	command_line_release(&environment);
	command_line_release(&line);
	return ret;
}
