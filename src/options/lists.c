/* Lists of values. */
#include "options/lists.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

bool list_is_meant(const struct option *row, const char *text)
{
	if (!text || row->type == OPTION_PAIRS || (row->type == OPTION_STRING && !row->may_vary))
		return false;
	if (*text == '[')
		return true;
	/* in other types a comma may be a decimal comma */
	return (row->type == OPTION_SIZE || row->type == OPTION_COUNT) && strchr(text, ',');
}

bool list_is_written(const char *text)
{
	return text && *text == '[' && text[strlen(text) - 1] == ']';
}

int list_add_form(const struct option *row, const char *text, struct error *err)
{
	struct text form = {0};
	size_t used = strlen(err->text);

	if (!text || !strchr(text, ',') || row->type == OPTION_PAIRS ||
	    (row->type == OPTION_STRING && !row->may_vary))
		return -1;
	for (const char *at = text; *at; at++)
		text_add(&form, "%c%s", *at, at[0] == ',' && at[1] && at[1] != ' ' ? " " : "");
	snprintf(err->text + used, sizeof(err->text) - used, "; a list is written [%.80s]",
		 form.bytes);
	text_release(&form);
	return -1;
}

/* Finds the text between the brackets. */
static int find_inside(const char *text, const char **begin, const char **end, struct error *err)
{
	size_t length = strlen(text);

	while (length && isblank((unsigned char)text[length - 1]))
		length--;
	*begin = text;
	*end = text + length;
	if (*text != '[')
		return 0;
	if (text[length - 1] != ']')
		return error_input(err,
				   "the list %.80s has no \"]\" at its end; in a shell write it "
				   "without blanks, [1,2,4], or in quotes",
				   text);
	(*begin)++;
	(*end)--;
	return 0;
}

static int check_single(const char *text, size_t length, struct error *err)
{
	/* "1,000" was meant to be a thousand */
	if (length > 1 && text[0] == '0' && isdigit((unsigned char)text[1]))
		return error_input(err,
				   "%.*s in a list begins with 0; values are separated by blanks "
				   "or commas, and digits are not grouped",
				   length < 40 ? (int)length : 40, text);
	if (memchr(text, '[', length) || memchr(text, ']', length))
		return error_input(err, "a list within a list: %.*s",
				   length < 40 ? (int)length : 40, text);
	return 0;
}

static int lists_split(const struct option *row, const char *at, const char *end, struct list *list,
		       struct error *err)
{
	const char *const separators = row->has_commas ? " \t" : " \t,";

	while (at < end) {
		size_t length = 0;

		at += strspn(at, separators);
		while (at + length < end && !strchr(separators, at[length]))
			length++;
		if (at >= end || !length)
			break;
		if (check_single(at, length, err))
			return -1;
		if (list->count == LIST_MOST)
			return error_input(err, "a list has at most %d values", LIST_MOST);
		list->values = memory_grow(list->values, (list->count + 1) * sizeof(*list->values));
		list->values[list->count++] = text_copy_n(at, length);
		at += length;
	}
	return list->count ? 0 : error_input(err, "the list is empty");
}

/* Checks that each value is valid and unique; "1m" and "1024k" are equal. */
static int check_values(const struct option_table *table, const struct option *row,
			const struct list *list, struct error *err)
{
	enum { SHOWN = 64 };
	const struct origin origin = {.kind = ORIGIN_DEFAULT};
	char(*shown)[SHOWN] = memory_allocate(list->count, SHOWN);
	struct option_set set;
	int ret = 0;

	option_set_init(&set, table);
	for (size_t i = 0; i < list->count && !ret; i++) {
		ret = option_set_value(&set, row, list->values[i], origin, err);
		if (ret)
			break;
		option_format(&set, row, shown[i], SHOWN);
		/* A text may be longer than what is shown of it. */
		for (size_t k = 0; k < i && !ret; k++)
			if (!strcmp(shown[k], shown[i]) &&
			    (row->type != OPTION_STRING ||
			     !strcmp(list->values[k], list->values[i])))
				ret = error_input(err, "%s%s%s: %s stands twice in the list",
						  table->prefix, *table->prefix ? "." : "",
						  row->name, shown[i]);
	}
	option_set_release(&set);
	free(shown);
	return ret;
}

int list_parse(const struct option_table *table, const struct option *row, const char *text,
	       struct list *list, struct error *err)
{
	const char *begin, *end;

	*list = (struct list){0};
	if (find_inside(text, &begin, &end, err) || lists_split(row, begin, end, list, err)) {
		list_release(list);
		return error_add(err, "%s%s%s", table->prefix, *table->prefix ? "." : "",
				 row->name);
	}
	if (!check_values(table, row, list, err))
		return 0;
	list_release(list);
	return -1;
}

void list_release(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->values[i]);
	free(list->values);
	*list = (struct list){0};
}

void list_copy(struct list *to, const struct list *from)
{
	to->count = from->count;
	to->values = memory_allocate(from->count, sizeof(*to->values));
	for (size_t i = 0; i < from->count; i++)
		to->values[i] = text_copy(from->values[i]);
}
