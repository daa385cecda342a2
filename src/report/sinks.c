/* Where the text and the table go. */
#include "report/sinks.h"

#include <errno.h>
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

static void close_sink(struct sink *sink)
{
	struct error err;
	int failed;

	if (!sink->file)
		return;
	failed = ferror(sink->file);
	if (fclose(sink->file) || failed) {
		error_set(&err, errno, "output: %.300s could not be written whole", sink->path);
		message_warn(&err);
	}
	sink->file = NULL;
}

int sinks_open(struct sinks *sinks, const struct job *job, struct error *err)
{
	*sinks = (struct sinks){0};
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
	return 0;
}

static void add(FILE *file, const struct text *text)
{
	if (!file || !text->length)
		return;
	fwrite(text->bytes, 1, text->length, file);
	fflush(file);
}

void sinks_say(struct sinks *sinks, const struct text *page)
{
	add(stdout, page);
	add(sinks->text.file, page);
}

void sinks_row(struct sinks *sinks, const struct text *row)
{
	add(sinks->csv.file, row);
}

void sinks_close(struct sinks *sinks)
{
	close_sink(&sinks->text);
	close_sink(&sinks->csv);
}
