/* The outputs of text and tables. */
#include "page/sinks.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>

#include "base/named_file.h"
#include "base/result_file.h"
#include "page/anonymize.h"
#include "page/ior_words.h"
#include "page/message.h"
#include "record/document.h"

/*
 * Recognises files of iorx by the first line of each form of the text, or the first columns of a
 * table.
 */
static bool is_ours(int fd)
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
	struct sink *sink;
};

enum { MOST_TARGETS = OUTPUT_IOR_CSV + 2 };

static void add_target(const struct job *job, const char *key, const char *path, struct sink *sink,
		       struct target *target)
{
	target->file =
		(struct result_file){key, path, is_ours, run_of(job)->allow_overwrite, false};
	target->sink = sink;
}

/* Lists all files but the document and returns their number. */
static size_t list_targets(const struct job *job, struct sinks *sinks, struct target *targets)
{
	const char *tasks = run_of(job)->task_table;
	size_t count = 0;

	struct sink *const of_format[] = {
		[OUTPUT_TEXT] = &sinks->text,	    [OUTPUT_JSON] = NULL,
		[OUTPUT_CSV] = &sinks->csv,	    [OUTPUT_IOR_JSON] = &sinks->summary,
		[OUTPUT_IOR_CSV] = &sinks->summary,
	};

	for (size_t i = 0; i < job->output_count; i++) {
		const struct output_file *output = &job->outputs[i];
		struct sink *sink = of_format[output->format];

		if (sink && output->path)
			add_target(job, output->key, output->path, sink, &targets[count++]);
	}
	if (tasks)
		add_target(job, "task_table", tasks, &sinks->tasks, &targets[count++]);
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

static struct result_file intervals_file(const struct job *job, const struct text *name)
{
	return (struct result_file){.key = "interval",
				    .path = name->bytes,
				    .is_ours = is_ours,
				    .takes_any = run_of(job)->allow_overwrite,
				    .opens_late = true};
}

static int check_intervals(const struct job *job, const struct output_file *output,
			   struct error *err)
{
	struct text name = {0};
	struct result_file file;
	int ret;

	if (output->format != OUTPUT_JSON || !sinks_have_intervals(job))
		return 0;
	sinks_name_intervals(output->path, &name);
	file = intervals_file(job, &name);
	ret = result_file_check(&file, err);
	text_release(&name);
	return ret;
}

int sinks_check(const struct job *job, struct error *err)
{
	struct target targets[MOST_TARGETS];
	struct sinks unused;
	size_t count = list_targets(job, &unused, targets);

	for (size_t i = 0; i < count; i++)
		if (result_file_check(&targets[i].file, err))
			return -1;
	for (size_t i = 0; i < job->output_count; i++)
		if (check_document(job, &job->outputs[i], err) ||
		    check_intervals(job, &job->outputs[i], err))
			return -1;
	return 0;
}

static int open_target(const struct target *target, struct error *err)
{
	int fd = result_file_open(&target->file, 0666, err);

	target->sink->path = target->file.path;
	target->sink->file = fd < 0 ? NULL : fdopen(fd, "w");
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
	size_t count = list_targets(job, sinks, targets);

	*sinks = (struct sinks){.out = {.file = stdout, .path = "standard output"},
				.lock = PTHREAD_MUTEX_INITIALIZER};
	for (size_t i = 0; i < job->output_count; i++) {
		if (job->outputs[i].format == OUTPUT_JSON)
			sinks->document = job->outputs[i].path;
		if (job->outputs[i].path)
			continue;
		sinks->summary = sinks->out;
		sinks->out.file = NULL;
	}
	for (size_t i = 0; i < count; i++) {
		if (!open_target(&targets[i], err))
			continue;
		sinks_close(sinks);
		return -1;
	}
	return 0;
}

void sinks_open_intervals(struct sinks *sinks, const struct job *job, const struct text *name)
{
	const struct target target = {intervals_file(job, name), &sinks->intervals};
	struct error err;

	if (!open_target(&target, &err))
		return;
	sinks->intervals.broken = true;
	report_message("error", err.text);
}

static void put(struct sink *sink, const struct text *text)
{
	if (!sink->file || sink->broken || !text->length)
		return;
	if (fwrite(text->bytes, 1, text->length, sink->file) != text->length)
		break_sink(sink);
}

static void flush(struct sink *sink)
{
	if (sink->file && !sink->broken && fflush(sink->file))
		break_sink(sink);
}

/* Every page and row goes through here; the live line names nobody. */
static void write_text(const struct sinks *sinks, struct sink *sink, const struct text *text)
{
	struct text changed = {0};

	if (!sinks->anonymizer || !sinks->anonymizer->wanted) {
		put(sink, text);
		return;
	}
	anonymize_text(sinks->anonymizer, text_string(text), &changed);
	put(sink, &changed);
	text_release(&changed);
}

static void add(const struct sinks *sinks, struct sink *sink, const struct text *text)
{
	write_text(sinks, sink, text);
	flush(sink);
}

/* Takes the live line from the screen. */
static void erase_live(struct sinks *sinks)
{
	static const char erase[] = MESSAGE_ERASE;
	const struct text words = {.bytes = (char *)(uintptr_t)erase, .length = sizeof(erase) - 1};

	if (sinks->live.length)
		put(&sinks->out, &words);
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
	if (sinks->out.file && takes_more(&sinks->out)) {
		erase_live(sinks);
		text_clear(&sinks->live);
		text_add(&sinks->live, "%s", text_string(line));
		put(&sinks->out, line);
		flush(&sinks->out);
	}
	pthread_mutex_unlock(&sinks->lock);
}

void sinks_print(struct sinks *sinks, const struct text *page)
{
	pthread_mutex_lock(&sinks->lock);
	if (page->length) {
		erase_live(sinks);
		write_text(sinks, &sinks->out, page);
		put(&sinks->out, &sinks->live);
		flush(&sinks->out);
	}
	pthread_mutex_unlock(&sinks->lock);
	add(sinks, &sinks->text, page);
}

void sinks_row(struct sinks *sinks, const struct text *row)
{
	add(sinks, &sinks->csv, row);
	flush(&sinks->tasks);
}

void sinks_task_row(struct sinks *sinks, const struct text *row)
{
	write_text(sinks, &sinks->tasks, row);
}

void sinks_interval(struct sinks *sinks, const struct text *row)
{
	add(sinks, &sinks->intervals, row);
}

void sinks_summary(struct sinks *sinks, const struct text *text)
{
	add(sinks, &sinks->summary, text);
}

bool sinks_broken(const struct sinks *sinks)
{
	return sinks->intervals.broken || sinks->out.broken || sinks->text.broken ||
	       sinks->csv.broken || sinks->tasks.broken || sinks->summary.broken;
}

int sinks_close(struct sinks *sinks)
{
	erase_live(sinks);
	flush(&sinks->out);
	text_release(&sinks->live);
	close_sink(&sinks->text);
	close_sink(&sinks->csv);
	close_sink(&sinks->tasks);
	close_sink(&sinks->summary);
	close_sink(&sinks->intervals);
	return sinks_broken(sinks) ? -1 : 0;
}
