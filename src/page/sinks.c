/* The outputs of text and tables. */
#include "page/sinks.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

#include "base/named_file.h"
#include "base/result_file.h"
#include "page/ior_words.h"
#include "page/message.h"
#include "record/document.h"

/*
 * Recognises files of iorx by the first line of each form of the text, or the first columns of a
 * table.
 */
static bool sinks_is_ours(int fd)
{
	static const char ior[] = "MPI Coordinated Test of Parallel I/O";
	static const char version[] = "\"Version\": \"" IOR_VERSION "+iorx-";
	char line[128], digit[2];

	result_file_line(fd, line, sizeof(line));
	return sscanf(line, "iorx %1[0-9]", digit) == 1 ||
	       (!strncmp(line, "IOR-", 4) && strstr(line, ior)) ||
	       !strncmp(line, "-- started at ", 14) ||
	       !strncmp(line, "test,phase,repetition,", 22) ||
	       !strncmp(line, "test,repetition,interval,", 25) ||
	       !strncmp(line, "access,bw(MiB/s),", 17) || strstr(line, version);
}

/* A file of the job, and its sink. */
struct target {
	struct result_file file;
	enum sink_kind sink;
};

enum { MOST_TARGETS = OUTPUT_IOR_CSV + 2 };

static struct target target_of(const struct job *job, const char *key, const char *path,
			       enum sink_kind sink)
{
	const bool takes_any = run_of(job)->allow_overwrite;

	return (struct target){{
				       .key = key,
				       .path = path,
				       .is_ours = sinks_is_ours,
				       .takes_any = takes_any,
				       .keeps_older =
					       run_of(job)->resume &&
					       (sink == SINK_TASKS || sink == SINK_INTERVALS),
			       },
			       sink};
}

/* Lists all files but the document and returns their number. */
static size_t list_targets(const struct job *job, struct target *targets)
{
	static const enum sink_kind of_format[] = {
		[OUTPUT_TEXT] = SINK_TEXT,	 [OUTPUT_JSON] = SINKS,
		[OUTPUT_CSV] = SINK_CSV,	 [OUTPUT_IOR_JSON] = SINK_SUMMARY,
		[OUTPUT_IOR_CSV] = SINK_SUMMARY,
	};
	const char *tasks = run_of(job)->task_table;
	size_t count = 0;

	for (size_t i = 0; i < job->output_count; i++) {
		const struct output_file *output = &job->outputs[i];
		const enum sink_kind sink = of_format[output->format];

		if (sink != SINKS && output->path)
			targets[count++] = target_of(job, output->key, output->path, sink);
	}
	if (tasks)
		targets[count++] = target_of(job, "task_table", tasks, SINK_TASKS);
	return count;
}

/*
 * A document of iorx under the name is renamed first; with --allow-overwrite any file may be
 * replaced.
 */
static int check_document(const struct job *job, const struct output_file *output,
			  struct error *err)
{
	struct stat status;

	if (output->format != OUTPUT_JSON)
		return 0;
	if (named_file_check_folder(output->key, output->path, err))
		return -1;
	if (!stat(output->path, &status) && S_ISFIFO(status.st_mode))
		return error_input(err, "%s: %.200s is %s; name a file", output->key, output->path,
				   named_file_kind(status.st_mode));
	if (run_of(job)->allow_overwrite || !document_check_free(output->path, err))
		return 0;
	return error_input(err,
			   "%s: %.200s exists and is not a document of iorx; name another "
			   "file, or have it renamed with --allow-overwrite on the command line",
			   output->key, output->path);
}

bool sinks_have_intervals(const struct job *job)
{
	for (size_t i = 0; i < job->test_count; i++)
		if (load_of(&job->tests[i]) && load_of(&job->tests[i])->interval > 0)
			return true;
	return false;
}

void sinks_name_intervals(const char *document, struct text *name)
{
	text_add(name, "%.*s.intervals.csv", (int)(strlen(document) - strlen(".json")), document);
}

static struct target intervals_target(const struct job *job, const struct text *name)
{
	struct target target = target_of(job, "interval", name->bytes, SINK_INTERVALS);

	target.file.opens_late = true;
	return target;
}

static int check_intervals(const struct job *job, const struct output_file *output,
			   struct error *err)
{
	struct text name = {0};
	struct target target;
	int ret;

	if (output->format != OUTPUT_JSON || !sinks_have_intervals(job))
		return 0;
	sinks_name_intervals(output->path, &name);
	target = intervals_target(job, &name);
	ret = result_file_check(&target.file, err);
	text_release(&name);
	return ret;
}

int sinks_check(const struct job *job, struct error *err)
{
	struct target targets[MOST_TARGETS];
	size_t count = list_targets(job, targets);

	for (size_t i = 0; i < count; i++)
		if (result_file_check(&targets[i].file, err))
			return -1;
	for (size_t i = 0; i < job->output_count; i++)
		if (check_document(job, &job->outputs[i], err) ||
		    check_intervals(job, &job->outputs[i], err))
			return -1;
	return 0;
}

static int open_target(struct sinks *sinks, const struct target *target, struct error *err)
{
	int fd = result_file_open(&target->file, 0666, err);

	sinks->list[target->sink] =
		(struct sink){fd < 0 ? NULL : fdopen(fd, "w"), target->file.path, false};
	return fd < 0 ? -1 : 0;
}

/* Reports a failed write on standard error. Later writes are not tried. */
static void break_sink(struct sink *sink)
{
	struct error err;
	int code = errno;

	sink->broken = true;
	error_set(&err, code, "output: %.300s cannot be written: %s; it is not complete",
		  sink->path, strerror(code));
	report_message("error", err.text);
}

static void close_sink(struct sink *sink)
{
	int failed = !sink->file ? 0 : sink->file == stdout ? fflush(stdout) : fclose(sink->file);

	if (failed && !sink->broken)
		break_sink(sink);
	sink->file = NULL;
}

int sinks_open(struct sinks *sinks, const struct job *job, struct error *err)
{
	struct target targets[MOST_TARGETS];
	size_t count = list_targets(job, targets);

	*sinks = (struct sinks){.list[SINK_OUT] = {.file = stdout, .path = "standard output"},
				.lock = PTHREAD_MUTEX_INITIALIZER};
	for (size_t i = 0; i < job->output_count; i++) {
		if (job->outputs[i].format == OUTPUT_JSON)
			sinks->document = job->outputs[i].path;
		if (job->outputs[i].path)
			continue;
		sinks->list[SINK_SUMMARY] = sinks->list[SINK_OUT];
		sinks->list[SINK_OUT].file = NULL;
	}
	for (size_t i = 0; i < count; i++) {
		if (!open_target(sinks, &targets[i], err))
			continue;
		sinks_close(sinks);
		return -1;
	}
	return 0;
}

void sinks_open_intervals(struct sinks *sinks, const struct job *job, const struct text *name)
{
	const struct target target = intervals_target(job, name);
	struct error err;

	if (!open_target(sinks, &target, &err))
		return;
	sinks->list[SINK_INTERVALS].broken = true;
	report_message("error", err.text);
}

static void sinks_put(struct sink *sink, const struct text *text)
{
	if (!sink->file || sink->broken || !text->length)
		return;
	if (fwrite(text->bytes, 1, text->length, sink->file) != text->length)
		break_sink(sink);
}

static void sinks_flush(struct sink *sink)
{
	if (sink->file && !sink->broken && fflush(sink->file))
		break_sink(sink);
}

void sinks_add(struct sinks *sinks, enum sink_kind kind, const struct text *text)
{
	sinks_put(&sinks->list[kind], text);
	if (kind != SINK_TASKS)
		sinks_flush(&sinks->list[kind]);
	if (kind == SINK_CSV)
		sinks_flush(&sinks->list[SINK_TASKS]);
}

/* Takes the live line from the screen. */
static void erase_live(struct sinks *sinks)
{
	static const char erase[] = MESSAGE_ERASE;
	const struct text words = {.bytes = (char *)(uintptr_t)erase, .length = sizeof(erase) - 1};

	if (sinks->live.length)
		sinks_put(&sinks->list[SINK_OUT], &words);
}

/* True if a line can be written without waiting. A terminal stopped with Ctrl-S would block. */
static bool takes_more(const struct sink *sink)
{
	struct pollfd end = {.fd = fileno(sink->file), .events = POLLOUT};

	return poll(&end, 1, 0) == 1 && (end.revents & POLLOUT);
}

/* The lock is held while a page is written, perhaps for as long as no reader takes it. */
void sinks_live(struct sinks *sinks, const struct text *line)
{
	if (pthread_mutex_trylock(&sinks->lock))
		return;
	if (sinks->list[SINK_OUT].file && takes_more(&sinks->list[SINK_OUT])) {
		erase_live(sinks);
		text_clear(&sinks->live);
		text_add(&sinks->live, "%s", text_string(line));
		sinks_put(&sinks->list[SINK_OUT], line);
		sinks_flush(&sinks->list[SINK_OUT]);
	}
	pthread_mutex_unlock(&sinks->lock);
}

void sinks_print(struct sinks *sinks, const struct text *page)
{
	pthread_mutex_lock(&sinks->lock);
	if (page->length) {
		erase_live(sinks);
		sinks_put(&sinks->list[SINK_OUT], page);
		sinks_put(&sinks->list[SINK_OUT], &sinks->live);
		sinks_flush(&sinks->list[SINK_OUT]);
	}
	pthread_mutex_unlock(&sinks->lock);
	sinks_add(sinks, SINK_TEXT, page);
}

bool sinks_broken(const struct sinks *sinks)
{
	for (enum sink_kind kind = 0; kind < SINKS; kind++)
		if (sinks->list[kind].broken)
			return true;
	return false;
}

int sinks_close(struct sinks *sinks)
{
	erase_live(sinks);
	sinks_flush(&sinks->list[SINK_OUT]);
	text_release(&sinks->live);
	for (enum sink_kind kind = 0; kind < SINK_OUT; kind++)
		close_sink(&sinks->list[kind]);
	return sinks_broken(sinks) ? -1 : 0;
}
