/* Names of files with fields for numbers. */
#include "plan/name_fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	char letter;
	enum name_field field;
} letters[] = {{'t', NAME_TASK}, {'n', NAME_NODE}, {'s', NAME_SLOT}, {'f', NAME_FILE}};

enum { MOST_DIGITS = 20 };

/*
 * Reads what follows a '%' at *name, and moves *name behind it. Returns a field, 0 for a second
 * '%', or -1. *digits: the least number of digits.
 */
static int take_field(const char **name, int *digits)
{
	*digits = 0;
	if (**name == '%') {
		++*name;
		return 0;
	}
	for (; **name >= '0' && **name <= '9' && *digits <= MOST_DIGITS; ++*name)
		*digits = *digits * 10 + **name - '0';
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]) && *digits <= MOST_DIGITS;
	     i++) {
		if (**name != letters[i].letter)
			continue;
		++*name;
		return (int)letters[i].field;
	}
	return -1;
}

int name_fields_find(const char *name, unsigned *fields, struct error *err)
{
	const char *behind_field = NULL;
	int digits, field;

	*fields = 0;
	for (const char *at = name; *at;) {
		if (*at++ != '%')
			continue;
		if (at - 1 == behind_field && *at != '%')
			return error_input(
				err,
				"test_file: two numbers follow each other in %.300s; put "
				"a character between them, such as '.'",
				name);
		field = take_field(&at, &digits);
		if (field < 0)
			return error_input(
				err,
				"test_file: in %.300s stands a '%%' that begins no field; "
				"%%t, %%n, %%s and %%f are the numbers of task, node, "
				"slot and file, and %%%% is a '%%'",
				name);
		*fields |= (unsigned)field;
		if (field)
			behind_field = at;
	}
	return 0;
}

static uint32_t name_fields_number_of(const struct name_numbers *numbers, enum name_field field)
{
	return field == NAME_TASK   ? numbers->task
	       : field == NAME_NODE ? numbers->node
	       : field == NAME_SLOT ? numbers->slot
				    : numbers->file;
}

void name_fields_expand(const char *name, const struct name_numbers *numbers, struct text *path)
{
	while (*name) {
		const size_t plain = strcspn(name, "%");
		int digits, field;

		text_add_bytes(path, name, plain);
		name += plain;
		if (!*name)
			return;
		name++;
		field = take_field(&name, &digits);
		if (field > 0)
			text_add(path, "%0*" PRIu32, digits,
				 name_fields_number_of(numbers, (enum name_field)field));
		else
			text_add(path, "%%");
	}
}

bool name_fields_in_directory(const char *name)
{
	const char *slash = strrchr(name, '/');
	int digits;

	for (const char *at = name; slash && at < slash;)
		if (*at++ == '%' && take_field(&at, &digits) > 0)
			return true;
	return false;
}
