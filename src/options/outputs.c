/* The files for results: one list of output, summary_file and summary_format. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"
#include "options/outputs.h"

static const char *const endings[] = {
	[OUTPUT_TEXT] = ".txt",	       [OUTPUT_JSON] = ".json",	     [OUTPUT_CSV] = ".csv",
	[OUTPUT_IOR_JSON] = "summary", [OUTPUT_IOR_CSV] = "summary",
};

/* The format by the end of the file's name, or -1. */
static int format_of(const char *path)
{
	size_t length = strlen(path);

	for (int i = 0; i <= OUTPUT_CSV; i++) {
		size_t ending = strlen(endings[i]);

		if (length > ending && !strcasecmp(path + length - ending, endings[i]))
			return i;
	}
	return -1;
}

static bool outputs_is_given(const char *path)
{
	return path && *path;
}

/* Takes ownership of path. */
static int add_output(struct job *job, char *path, enum output_format format, const char *key,
		      struct error *err)
{
	for (size_t i = 0; i < job->output_count; i++) {
		if (job->outputs[i].format != format)
			continue;
		error_input(err, "%s: %.200s and %.200s are both %s files; one is enough", key,
			    job->outputs[i].path, path, endings[format]);
		free(path);
		return -1;
	}
	job->outputs = memory_grow(job->outputs, (job->output_count + 1) * sizeof(*job->outputs));
	job->outputs[job->output_count++] = (struct output_file){path, format, key};
	return 0;
}

static int add_by_name(struct job *job, char *path, struct error *err)
{
	int format = format_of(path);

	if (format >= 0)
		return add_output(job, path, (enum output_format)format, "output", err);
	job->no_document = !strcasecmp(path, "none");
	if (!job->no_document)
		error_input(err, "output: \"%.200s\" must end in .json, .csv or .txt, or be none",
			    path);
	free(path);
	return job->no_document ? 0 : -1;
}

static int add_output_list(struct job *job, const char *list, struct error *err)
{
	size_t length;

	for (; *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		if (add_by_name(job, text_copy_n(list, length), err))
			return -1;
	}
	return 0;
}

/* In IOR's form, to standard output too, JSON and CSV have IOR's keys and columns. */
static enum output_format summary_output(const struct run *run)
{
	bool is_ior = run->format == FORMAT_IOR || !outputs_is_given(run->summary_file);
	int format = run->summary_format == SUMMARY_JSON  ? OUTPUT_JSON
		     : run->summary_format == SUMMARY_CSV ? OUTPUT_CSV
							  : format_of(run->summary_file);

	if (is_ior && format == OUTPUT_JSON)
		return OUTPUT_IOR_JSON;
	if (is_ior && format == OUTPUT_CSV)
		return OUTPUT_IOR_CSV;
	return format < 0 ? OUTPUT_TEXT : (enum output_format)format;
}

/* A named journal names the document too. */
static int add_resumed(struct job *job, const char *journal, struct error *err)
{
	const size_t length = strlen(journal);
	char *document;

	if (length < sizeof(".jsonl") || strcmp(journal + length - strlen(".jsonl"), ".jsonl"))
		return error_input(err, "\"%.200s\" is no journal; its name ends in .jsonl",
				   journal);
	document = text_copy_n(journal, length - 1);
	for (size_t i = 0; i < job->output_count; i++) {
		if (job->outputs[i].format != OUTPUT_JSON)
			continue;
		const bool same = !strcmp(job->outputs[i].path, document);

		if (!same)
			error_input(err,
				    "%.200s becomes %.200s, and output names %.200s; leave one of "
				    "the two out",
				    journal, document, job->outputs[i].path);
		free(document);
		return same ? 0 : -1;
	}
	return add_output(job, document, OUTPUT_JSON, "resume", err);
}

void outputs_release(struct job *job)
{
	for (size_t i = 0; i < job->output_count; i++)
		free(job->outputs[i].path);
	free(job->outputs);
	job->outputs = NULL;
	job->output_count = 0;
}

int outputs_settle(struct job *job, const char **key, struct error *err)
{
	const struct run *run = run_of(job);

	outputs_release(job);
	job->no_document = false;
	*key = "output";
	if (run->output && add_output_list(job, run->output, err))
		return -1;
	*key = "resume";
	if (run->resume && *run->resume && !job_cleans_loads(job) &&
	    add_resumed(job, run->resume, err))
		return -1;
	*key = outputs_is_given(run->summary_file) ? "summary_file" : "summary_format";
	if (!outputs_is_given(run->summary_file) && run->summary_format == SUMMARY_DEFAULT)
		return 0;
	return add_output(job,
			  outputs_is_given(run->summary_file) ? text_copy(run->summary_file) : NULL,
			  summary_output(run), *key, err);
}
