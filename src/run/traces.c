/* The traces that the loads of a job replay: task 0 reads their heads, and all tasks get them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/named_file.h"
#include "run/state.h"

static int read_begin(int fd, void *bytes, size_t length, struct error *err)
{
	const ssize_t got = named_file_read(fd, 0, bytes, length);

	if (got < 0)
		return error_input(err, "%s", strerror(errno));
	return (size_t)got == length ? 0 : error_input(err, "it ends within its head");
}

/* Reads the bytes before the records of a trace. */
static int read_head(int fd, uint64_t *size, struct text *bytes, struct error *err)
{
	char head[TRACE_HEAD_BYTES], *all;
	struct stat status;
	uint64_t before;
	int ret;

	if (fstat(fd, &status))
		return error_input(err, "%s", strerror(errno));
	*size = (uint64_t)status.st_size;
	if (read_begin(fd, head, sizeof(head), err) ||
	    trace_find_records(head, *size, &before, err))
		return -1;
	all = memory_allocate(before, 1);
	ret = read_begin(fd, all, before, err);
	if (!ret)
		text_add_bytes(bytes, all, before);
	free(all);
	return ret;
}

/* On task 0. */
static void read_trace(const char *name, bool spares_private, uint64_t *size, struct text *bytes,
		       struct error *err)
{
	const int fd = named_file_open(name, spares_private, err);

	if (fd < 0)
		return;
	read_head(fd, size, bytes, err);
	close(fd);
}

/* Collective over the job's tasks. */
static int share_trace(const struct world *world, const char *name, bool spares_private,
		       struct trace *trace, struct error *err)
{
	struct text bytes = {0};
	uint64_t size = 0;
	struct error cause = {0};

	if (world->all.rank == 0)
		read_trace(name, spares_private, &size, &bytes, &cause);
	comm_share_fixed(&world->all, &cause, sizeof(cause), NULL);
	if (cause.kind == ERROR_NONE) {
		comm_share_fixed(&world->all, &size, sizeof(size), NULL);
		comm_share(&world->all, &bytes, NULL);
		trace_parse(trace, bytes.bytes, bytes.length, size, &cause);
	}
	text_release(&bytes);
	return cause.kind == ERROR_NONE
		       ? 0
		       : error_input(err, "trace: %.300s: %.400s", name, cause.text);
}

static const char *trace_of(const struct runner *runner, size_t number)
{
	const struct load *load = load_of(&runner->job->tests[number]);

	return load ? load->trace : NULL;
}

int traces_find(struct runner *runner, size_t number, const struct trace **trace, struct error *err)
{
	const struct test_spec *spec = &runner->job->tests[number];
	const char *name = trace_of(runner, number);

	*trace = NULL;
	if (!name)
		return 0;
	for (size_t i = 0; i < number && !*trace; i++)
		if (runner->traces[i] && !strcmp(trace_of(runner, i), name))
			*trace = runner->traces[i];
	if (*trace)
		return 0;
	*trace = runner->traces[number] = memory_allocate(1, sizeof(**runner->traces));
	return share_trace(runner->world, name,
			   test_spec_spares_private(spec, &spec->load, "trace"),
			   runner->traces[number], err);
}

void traces_release(struct runner *runner)
{
	for (size_t i = 0; runner->traces && i < runner->job->test_count; i++) {
		if (runner->traces[i])
			trace_release(runner->traces[i]);
		free(runner->traces[i]);
	}
	free(runner->traces);
	runner->traces = NULL;
}
