/* Where the text and the table go. */
#include "report/sinks.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "report/message.h"

static int open_sink(struct sink *sink, const char *path, struct error *err)
{
	sink->path = path;
	sink->file = fopen(path, "we");
	if (sink->file)
		return 0;
	return error_input(err, "output: %.300s cannot be made: %s", path, strerror(errno));
}

/* Said on standard error at once; what follows is not tried. */
static void break_sink(struct sink *sink)
{
	struct error err;
	int code = errno;

	sink->broken = true;
	error_set(&err, code, "output: %.300s cannot be written: %s; it is not complete", sink->path,
		  strerror(code));
	report_message("error", err.text);
}

static void close_sink(struct sink *sink)
{
	if (sink->file && fclose(sink->file) && !sink->broken)
		break_sink(sink);
	sink->file = NULL;
}

int sinks_open(struct sinks *sinks, const struct job *job, struct error *err)
{
	const char *tasks = run_of(job)->task_table;

	*sinks = (struct sinks){.out = {.file = stdout, .path = "standard output"},
				.lock = PTHREAD_MUTEX_INITIALIZER};
	for (size_t i = 0; i < job->output_count; i++) {
		const struct output_file *output = &job->outputs[i];
		int ret = 0;

		if (output->format == OUTPUT_JSON)
			sinks->document = output->path;
		else
			ret = open_sink(output->format == OUTPUT_CSV ? &sinks->csv : &sinks->text,
					output->path, err);
		if (ret) {
			sinks_close(sinks);
			return -1;
		}
	}
	if (tasks && open_sink(&sinks->tasks, tasks, err)) {
		sinks_close(sinks);
		return -1;
	}
	return 0;
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

static void add(struct sink *sink, const struct text *text)
{
	put(sink, text);
	flush(sink);
}

/* Back to the line's begin, and nothing from there on. */
static void erase_live(struct sinks *sinks)
{
	static const char erase[] = "\r\033[K";
	const struct text words = {.bytes = (char *)(uintptr_t)erase, .length = sizeof(erase) - 1};

	if (sinks->live)
		put(&sinks->out, &words);
	sinks->live = false;
}

/* Whether a line can be written without waiting, as for a terminal that was stopped with Ctrl-S. */
static bool takes_more(const struct sink *sink)
{
	struct pollfd end = {.fd = fileno(sink->file), .events = POLLOUT};

	return poll(&end, 1, 0) == 1 && (end.revents & POLLOUT);
}

/* Who writes a page holds the lock, perhaps for as long as nobody reads it. */
void sinks_live(struct sinks *sinks, const struct text *line)
{
	if (pthread_mutex_trylock(&sinks->lock))
		return;
	if (takes_more(&sinks->out)) {
		erase_live(sinks);
		put(&sinks->out, line);
		sinks->live = line->length > 0;
		flush(&sinks->out);
	}
	pthread_mutex_unlock(&sinks->lock);
}

void sinks_say(struct sinks *sinks, const struct text *page)
{
	pthread_mutex_lock(&sinks->lock);
	erase_live(sinks);
	add(&sinks->out, page);
	pthread_mutex_unlock(&sinks->lock);
	add(&sinks->text, page);
}

void sinks_row(struct sinks *sinks, const struct text *row)
{
	add(&sinks->csv, row);
	flush(&sinks->tasks);
}

void sinks_task_row(struct sinks *sinks, const struct text *row)
{
	put(&sinks->tasks, row);
}

bool sinks_broken(const struct sinks *sinks)
{
	return sinks->out.broken || sinks->text.broken || sinks->csv.broken ||
	       sinks->tasks.broken;
}

int sinks_close(struct sinks *sinks)
{
	close_sink(&sinks->text);
	close_sink(&sinks->csv);
	close_sink(&sinks->tasks);
	return sinks_broken(sinks) ? -1 : 0;
}
