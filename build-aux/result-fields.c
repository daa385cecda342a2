/* Prints the rows of src/result/fields.h as JSON: build-aux/result-documents.py makes documents of
 * them. */
#include <jansson.h>
#include <stdio.h>

#include "result/fields.h"

static const char *const types[] = {
	[RESULT_COUNT] = "count",   [RESULT_COUNT_32] = "count",  [RESULT_NUMBER] = "number",
	[RESULT_TRUTH] = "truth",   [RESULT_EXTENT] = "extent",	  [RESULT_NODE] = "node",
	[RESULT_OBJECT] = "object", [RESULT_BY_HAND] = "by hand",
};

static json_t *rows_of(const struct result_field *fields)
{
	json_t *rows = json_array();

	for (const struct result_field *field = fields; field->key; field++) {
		json_t *row = json_pack("{ss, ss?, ss, sb, sb, ss?}", "key", field->key, "text",
					field->text, "type", types[field->type], "signed",
					field->is_signed, "null", field->known || field->needed,
					"only", field->only ? field->only->text : NULL);

		if (field->inner)
			json_object_set_new(row, "members", rows_of(field->inner));
		json_array_append_new(rows, row);
	}
	return rows;
}

int main(void)
{
	json_t *rows = rows_of(result_fields);

	json_dumpf(rows, stdout, JSON_INDENT(1));
	json_decref(rows);
	return ferror(stdout) ? 1 : 0;
}
