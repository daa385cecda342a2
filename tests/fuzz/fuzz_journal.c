/* Any bytes as a journal: the document is JSON, and a journal made of its lines gives the same one. */
#include <stdint.h>
#include <stdio.h>

#include "check_job.h"
#include "report/document.h"
#include "report/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* The document; NULL where it is no journal. left_out: whether lines are. */
static json_t *compose(const void *bytes, size_t length, bool *left_out)
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
		document = json_loadb(written, size, JSON_REJECT_DUPLICATES, NULL);
		MUST(document);
	}
	*left_out = notes.left_out.length > 0;
	free(written);
	document_notes_release(&notes);
	return document;
}

static void add_line(struct text *journal, const char *event, json_t *value)
{
	json_t *line = json_pack("{s:O}", event, value);
	char *dumped;

	if (!strcmp(event, "run"))
		json_object_set_new(line, "schema",
		                    json_pack("{s:s,s:s}", "name", "iorx-result", "version",
		                              "1.0"));
	dumped = json_dumps(line, JSON_COMPACT);
	text_add(journal, "%s\n", dumped);
	free(dumped);
	json_decref(line);
}

/* Without the phases and what came with its end. */
static json_t *head_of(json_t *test)
{
	static const char *const later[] = {
		"phases",   "repetitions_end",     "summaries",
		"counters", "comparable_with_ior", "comparable_with_mdtest"};
	json_t *head = json_copy(test);

	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++)
		json_object_del(head, later[i]);
	return head;
}

static void add_test(struct text *journal, json_t *test)
{
	json_t *head = head_of(test), *phase;
	size_t i;

	add_line(journal, "test", head);
	json_array_foreach(json_object_get(test, "phases"), i, phase)
		add_line(journal, "phase", phase);
	json_decref(head);
}

/* What is in a document may stand in a journal. */
static void check_document(json_t *document)
{
	struct text journal = {0};
	json_t *value, *again;
	bool left_out;
	size_t i;

	add_line(&journal, "run", json_object_get(document, "run"));
	json_array_foreach(json_object_get(document, "tests"), i, value) add_test(&journal, value);
	json_array_foreach(json_object_get(document, "errors"), i, value)
		add_line(&journal, "error", value);
	if (json_object_get(document, "end"))
		add_line(&journal, "end", json_object_get(document, "end"));
	again = compose(journal.bytes, journal.length, &left_out);
	MUST(again && !left_out);
	MUST(json_equal(json_object_get(document, "errors"), json_object_get(again, "errors")));
	MUST(json_equal(json_object_get(document, "status"), json_object_get(again, "status")));
	json_decref(again);
	text_release(&journal);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	bool left_out;
	json_t *document = length ? compose(bytes, length, &left_out) : NULL;

	if (document)
		check_document(document);
	json_decref(document);
	return 0;
}
