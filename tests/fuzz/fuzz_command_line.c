/* Any bytes as a command line, one argument to a line: a job that holds together, or a sentence. */
#include <stdint.h>

#include "check_job.h"
#include "dialects/dialect.h"
#include "tests/unit/fake_vocabulary.h"

#define ARGUMENTS 200

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Cuts the bytes at line ends; returns how many arguments there are, the program's name first. */
static int cut(char *bytes, char *argv[ARGUMENTS])
{
	int argc = 0;

	argv[argc++] = "iorx";
	for (char *argument; argc < ARGUMENTS && (argument = strsep(&bytes, "\n"));)
		argv[argc++] = argument;
	return argc;
}

/* Like the program: a first argument that is a command is the workload, and no flag. */
static void check_line(int argc, char *const *argv)
{
	struct vocabulary vocabulary = fake_vocabulary;
	struct error err = {0};
	struct command_line line;
	struct job job;

	if (argc > 1)
		vocabulary.workload = workload_of_command(argv[1]);
	bool command = vocabulary.workload != WORKLOAD_DATA;

	if (command_line_parse(argc - command, argv + command, &vocabulary, &line, &err)) {
		MUST(err.kind == ERROR_INPUT && !strncmp(err.text, "command line: ", 14));
		return;
	}
	job_init(&job, &vocabulary);
	if (command_line_apply(&line, &job, &err))
		MUST(err.kind == ERROR_INPUT && !strncmp(err.text, "command line: ", 14));
	else
		check_job(&job);
	job_release(&job);
	command_line_release(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char *copy = text_copy_n((const char *)bytes, length);
	char *argv[ARGUMENTS];
	int argc = cut(copy, argv);

	check_line(argc, argv);
	free(copy);
	return 0;
}
