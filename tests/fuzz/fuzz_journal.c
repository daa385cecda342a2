/* Any lines as those of a journal: the document says what every document says. */
#include <stdint.h>
#include <stdio.h>

#include "check_job.h"
#include "report/document.h"
#include "report/json.h"
#include "report/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* The document; NULL where it is no journal. */
static json_t *compose(const void *bytes, size_t length)
{
	struct document_notes notes = {.older = {0}};
	FILE *in = fmemopen((void *)(uintptr_t)bytes, length, "r");
	struct error err = {0};
	char *written = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&written, &size);
	json_t *document = NULL;
	int ret;

	MUST(in && out);
	ret = document_compose(in, "journal", "interrupted", out, &notes, &err);
	fclose(out);
	fclose(in);
	MUST(!ret || (err.kind == ERROR_INPUT && *err.text));
	if (!ret) {
		document = json_loadb(written, size, 0, NULL);
		MUST(document);
	}
	free(written);
	document_notes_release(&notes);
	return document;
}

/* Lines get the hash that a journal has: changed bytes are to be met behind it. */
static void add_sealed(struct text *journal, const char *bytes, size_t length)
{
	struct text line = {0};

	text_add_bytes(&line, bytes, length);
	line_seal(&line);
	text_add_bytes(journal, line.bytes, line.length);
	text_release(&line);
}

/* Phases stand in their test, each once. */
static void check_phases(const json_t *test)
{
	const json_t *phases = json_object_get(test, "phases"), *a, *b;
	size_t i, k;

	json_array_foreach(phases, i, a)
	{
		MUST(json_integer_value(json_object_get(a, "test")) ==
		     json_integer_value(json_object_get(test, "test")));
		for (k = 0; k < i && (b = json_array_get(phases, k)); k++)
			MUST(!json_equal(a, b));
	}
}

static void check_document(const json_t *document)
{
	const json_t *test;
	size_t i;

	MUST(json_is_object(json_object_get(document, "run")));
	MUST(json_is_array(json_object_get(document, "errors")));
	json_array_foreach(json_object_get(document, "tests"), i, test) check_phases(test);
}

/* Each line of the input with its hash, the last one only where it has an end. */
static void seal_lines(struct text *journal, const char *bytes, size_t length)
{
	const char *end;

	for (; (end = memchr(bytes, '\n', length)) != NULL; bytes = end + 1) {
		if (end > bytes && end[-1] == '}')
			add_sealed(journal, bytes, (size_t)(end - bytes));
		else
			text_add_bytes(journal, bytes, (size_t)(end + 1 - bytes));
		length -= (size_t)(end + 1 - bytes);
	}
	text_add_bytes(journal, bytes, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct text journal = {0};
	json_t *document = NULL;

	seal_lines(&journal, (const char *)bytes, length);
	if (journal.length)
		document = compose(journal.bytes, journal.length);
	if (document)
		check_document(document);
	json_decref(document);
	text_release(&journal);
	return 0;
}
