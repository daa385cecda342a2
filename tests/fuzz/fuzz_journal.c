/* Any lines as those of a journal: the document says what every document says. */
#include <stdint.h>
#include <stdio.h>

#include "check_job.h"
#include "record/document.h"
#include "record/json.h"

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

static void check_phases(const json_t *test)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(test, "phases"), i, phase)
		MUST(json_integer_value(json_object_get(phase, "test")) ==
		     json_integer_value(json_object_get(test, "test")));
}

static void check_document(const json_t *document)
{
	const json_t *test;
	size_t i;

	MUST(json_is_object(json_object_get(document, "run")));
	MUST(json_is_array(json_object_get(document, "errors")));
	json_array_foreach(json_object_get(document, "tests"), i, test) check_phases(test);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	json_t *document = length ? compose(bytes, length) : NULL;

	if (document)
		check_document(document);
	json_decref(document);
	return 0;
}
