/* The journal: one line per event, synced. */
#include "record/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "record/json.h"
#include "record/record.h"

enum { MOST_NUMBERS = 1000 };

/* "a.json" without ".json". */
static size_t stem_length(const char *document)
{
	static const char ending[] = ".json";
	size_t length = strlen(document), end = sizeof(ending) - 1;

	return length > end && !strcasecmp(document + length - end, ending) ? length - end : length;
}

static char *default_document(void)
{
	char name[64];
	time_t now = time(NULL);
	struct tm parts;

	localtime_r(&now, &parts);
	strftime(name, sizeof(name), "iorx-%Y%m%d-%H%M%S.json", &parts);
	return text_copy(name);
}

/* "<stem>-<number><ending>", without a number if it is 1. */
static char *numbered(const char *document, unsigned number, const char *ending)
{
	struct text name = {0};

	text_add_bytes(&name, document, stem_length(document));
	if (number > 1)
		text_add(&name, "-%u", number);
	text_add(&name, "%s", ending);
	return name.bytes;
}

char *journal_name(const char *document)
{
	return numbered(document, 1, ".jsonl");
}

char *journal_document(const char *name)
{
	const char *end = strrchr(name, '.');
	struct text document = {0};

	text_add(&document, "%.*s.json", (int)(end ? end - name : (long)strlen(name)), name);
	return document.bytes;
}

void journal_close(struct journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	journal->fd = -1;
}

static void drop_names(struct journal *journal)
{
	free(journal->name);
	free(journal->document);
	journal->name = journal->document = NULL;
}

/*
 * Takes the lock by which a job that goes on behind a journal sees that another one writes it.
 * False if another one has it. A file system without locks lets everybody in.
 */
static bool take_lock(int fd)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return !fcntl(fd, F_OFD_SETLK, &all) || (errno != EAGAIN && errno != EACCES);
}

/*
 * Returns 1: made, 0: the name is taken, -1: failed. free_document: the document's name must be
 * free too.
 */
static int try_name(struct journal *journal, const char *document, unsigned number,
		    bool free_document)
{
	journal->name = numbered(document, number, ".jsonl");
	journal->document = number > 1 ? numbered(document, number, ".json") : text_copy(document);
	journal->fd = open(journal->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (journal->fd < 0)
		return errno == EEXIST ? 0 : -1;
	take_lock(journal->fd);
	if (!free_document || access(journal->document, F_OK))
		return 1;
	journal_close(journal);
	unlink(journal->name);
	return 0;
}

static int check_document(const char *document, struct error *err)
{
	struct stat status;

	if (!stat(document, &status) && S_ISDIR(status.st_mode))
		return error_input(err, "output: %.300s is a directory; name a file", document);
	return 0;
}

static int open_numbered(struct journal *journal, const char *document, bool is_default,
			 struct error *err)
{
	for (unsigned number = 1; number <= MOST_NUMBERS; number++) {
		int made = try_name(journal, document, number, is_default || number > 1);

		if (made > 0)
			return 0;
		if (made < 0) {
			error_input(err,
				    "output: %.300s cannot be made: %s; name a file with "
				    "output=FILE.json that can be written",
				    journal->name, strerror(errno));
			drop_names(journal);
			return -1;
		}
		drop_names(journal);
	}
	return error_input(err, "output: %.300s and %d more are taken; remove old journals",
			   document, MOST_NUMBERS);
}

int journal_open(struct journal *journal, const char *document, struct error *err)
{
	char *name = document ? text_copy(document) : default_document();
	int ret;

	*journal = (struct journal){.fd = -1};
	ret = document ? check_document(name, err) : 0;
	if (!ret)
		ret = open_numbered(journal, name, !document, err);
	free(name);
	return ret;
}

int journal_continue(struct journal *journal, const struct journal_before *before,
		     struct error *err)
{
	const char *name = before->name;
	struct stat status;

	*journal = (struct journal){.name = text_copy(name),
				    .document = journal_document(name),
				    .fd = open(name, O_WRONLY | O_APPEND | O_CLOEXEC),
				    .length = before->length};
	if (journal->fd < 0 || fstat(journal->fd, &status))
		error_input(err, "resume: %.300s cannot be written: %s", name, strerror(errno));
	else if (!take_lock(journal->fd) || status.st_size != before->size)
		error_input(err, "resume: %.300s is written by a job that runs", name);
	else if (!ftruncate(journal->fd, before->length))
		return 0;
	else
		error_input(err, "resume: %.300s cannot be cut: %s", name, strerror(errno));
	journal_release(journal);
	return -1;
}

static int write_all(int fd, const char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		bytes += written;
		length -= (size_t)written;
	}
	return 0;
}

/*
 * Writes and syncs a line. A line that was written in part is truncated away, so that the journal
 * stays readable.
 */
static int journal_write_line(struct journal *journal, const char *line, struct error *err)
{
	size_t length = strlen(line);
	int code;

	if (!write_all(journal->fd, line, length) && !fsync(journal->fd)) {
		journal->length += (off_t)length;
		return 0;
	}
	code = errno;
	journal->broken = true;
	if (ftruncate(journal->fd, journal->length))
		code = code ? code : errno;
	return error_set(
		err, code,
		"results: %.300s cannot be written: %s; all further results are on standard "
		"output only",
		journal->name, strerror(code));
}

static int add_value(struct text *line, const char *event, json_t *value, bool first)
{
	json_t *object = json_object(), *schema;
	char *dumped;

	if (first) {
		schema = put_object(object, "schema");
		put_text(schema, "name", SCHEMA_NAME);
		put_text(schema, "version", SCHEMA_VERSION);
	}
	json_object_set_new(object, event, value);
	dumped = json_dumps(object, JSON_COMPACT);
	json_decref(object);
	if (!dumped)
		return -1;
	text_add(line, "%s\n", dumped);
	free(dumped);
	return 0;
}

int journal_add(struct journal *journal, const char *event, json_t *value, struct error *err)
{
	struct text line = {0};
	int ret;

	if (journal->fd < 0 || journal->broken) {
		json_decref(value);
		return 0;
	}
	if (add_value(&line, event, value, journal->length == 0)) {
		journal->broken = true;
		ret = error_set(err, ENOMEM, "results: a line of %.300s cannot be made",
				journal->name);
	} else {
		ret = journal_write_line(journal, text_string(&line), err);
	}
	text_release(&line);
	return ret;
}

void journal_release(struct journal *journal)
{
	journal_close(journal);
	drop_names(journal);
}
