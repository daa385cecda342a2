/* Puts a document under its name: writes it beside, and moves a document of another run aside. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"
#include "record/document.h"
#include "record/json.h"
#include "record/line.h"
#include "record/record.h"

static mode_t usual_mode(FILE *journal)
{
	struct stat status;

	return fstat(fileno(journal), &status) ? 0644 : status.st_mode & 0777;
}

/* Closes the file in any case. */
static int finish_file(FILE *out, const char *temporary, struct error *err)
{
	int failed = fflush(out) || ferror(out) || fsync(fileno(out));
	int code = errno;

	if (fclose(out) && !failed) {
		failed = 1;
		code = errno;
	}
	return failed ? error_set(err, code, "%.300s: %s", temporary, strerror(code)) : 0;
}

static int write_beside(FILE *journal, const char *name, const char *without_end, char *temporary,
			struct document_notes *notes, struct error *err)
{
	int fd = mkostemp(temporary, O_CLOEXEC);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int ret;

	if (!out)
		return error_set(err, errno, "%.300s: %s", temporary, strerror(errno));
	fchmod(fd, usual_mode(journal)); /* mkostemp makes files that only the owner reads */
	ret = document_compose(journal, name, without_end, out, notes, err);
	if (ret) {
		fclose(out);
		return ret;
	}
	return finish_file(out, temporary, err);
}

/* Returns NULL, with the errno in err->code, for what is no regular file too. */
static FILE *open_regular(const char *path, struct error *err)
{
	int fd = named_file_open(path, false, err);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

/* The file that stands under a document's name. */
struct found {
	bool any;		    /* a file that is not empty */
	bool ours;		    /* a document as iorx writes it */
	char status[16], began[40]; /* "" if missing in the document */
};

/* Reads the lines up to "run" as an object. The rest of the document may be large. */
static json_t *read_beginning(FILE *file)
{
	struct text text = {0};
	char *line = NULL;
	size_t capacity = 0;
	json_t *object = NULL;

	for (int i = 0; i < 5 && getline(&line, &capacity, file) > 0; i++) {
		text_add(&text, "%s", line);
		if (strncmp(line, "\"run\":", 6))
			continue;
		text.length -= strlen(",\n");
		text_add(&text, "}");
		object = json_loads(text.bytes, 0, NULL);
		break;
	}
	free(line);
	text_release(&text);
	return object;
}

static void copy_at(const json_t *object, const char *path, char *to, size_t size)
{
	const char *text = json_string_value(line_at(object, path));

	snprintf(to, size, "%s", text ? text : "");
}

static struct found document_place_look_at(const char *document)
{
	static const char first[] = "{\"schema\":{\"name\":\"" SCHEMA_NAME "\"";
	struct found found = {.any = false};
	char bytes[sizeof(first)] = "";
	struct error err;
	FILE *file = open_regular(document, &err);
	json_t *object;

	if (!file) {
		found.any = err.code != ENOENT;
		return found;
	}
	found.any = fread(bytes, 1, sizeof(first) - 1, file) > 0;
	found.ours = !strcmp(bytes, first);
	rewind(file);
	if (found.ours) {
		object = read_beginning(file);
		copy_at(object, "status", found.status, sizeof(found.status));
		copy_at(object, "run/began", found.began, sizeof(found.began));
		json_decref(object);
	}
	fclose(file);
	return found;
}

/* Finds the time at which the run of a journal began; "" if its first line has none. */
static void find_began(const char *journal, char *began, size_t size)
{
	struct error ignored;
	FILE *file = open_regular(journal, &ignored);
	char *line = NULL;
	size_t capacity = 0;
	json_t *object = NULL;

	if (file && getline(&line, &capacity, file) > 0)
		object = json_loads(line, 0, NULL);
	copy_at(object, "run/began", began, size);
	json_decref(object);
	free(line);
	if (file)
		fclose(file);
}

static bool may_go(const char *document, const char *began)
{
	struct found found = document_place_look_at(document);

	return !found.any || (*found.began && !strcmp(found.began, began));
}

/* No other job takes the name meanwhile: only the job of a journal writes its document. */
static int put_in_place(const char *temporary, const char *journal, const char *document,
			struct text *older, struct error *err)
{
	char began[40];

	find_began(journal, began, sizeof(began));
	if (!may_go(document, began) && named_file_move_aside(document, older, err))
		return -1;
	if (rename(temporary, document))
		return error_set(err, errno, "%.300s: %s", document, strerror(errno));
	return 0;
}

int document_make(const char *journal, const char *document, const char *without_end,
		  struct document_notes *notes, struct error *err)
{
	FILE *file = open_regular(journal, err);
	struct text temporary = {0};
	int ret;

	*notes = (struct document_notes){.older = {0}};
	if (!file)
		return error_add(err, "%.300s", journal);
	text_add(&temporary, "%s.XXXXXX", document);
	ret = write_beside(file, journal, without_end, temporary.bytes, notes, err);
	if (!ret)
		ret = put_in_place(temporary.bytes, journal, document, &notes->older, err);
	unlink(temporary.bytes);
	text_release(&temporary);
	fclose(file);
	return ret;
}

bool document_is_complete(const char *document, const char *journal)
{
	const struct found found = document_place_look_at(document);
	char began[40] = "";

	if (journal)
		find_began(journal, began, sizeof(began));
	return !strcmp(found.status, "complete") && (!journal || !strcmp(found.began, began));
}

int document_check_free(const char *document, struct error *err)
{
	struct found found = document_place_look_at(document);

	if (!found.any || found.ours)
		return 0;
	return error_input(
		err, "%.300s exists and is not a document of iorx; rename it, or name another file",
		document);
}

int document_check_replace(const char *journal, const char *document, struct error *err)
{
	struct found found = document_place_look_at(document);
	char began[40];

	find_began(journal, began, sizeof(began));
	if (!*found.began || strcmp(found.began, began) || !strcmp(found.status, "interrupted"))
		return document_check_free(document, err);
	return error_input(err,
			   "%.300s is there, of this run, and is %s; remove it first to make "
			   "it anew",
			   document, found.status);
}
