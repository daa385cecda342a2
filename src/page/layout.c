/* Text in at most 80 columns. */
#include "page/layout.h"

#include <ctype.h>
#include <stdbool.h>

#include "base/utf8.h"

static void add_blanks(struct text *out, size_t count)
{
	while (count--)
		text_add_bytes(out, " ", 1);
}

/*
 * True at the end of a word. A number and its unit stay on one line. `at` is not the first
 * character.
 */
static bool ends_word(const char *at)
{
	const bool has_unit = *at && isdigit((unsigned char)at[-1]) &&
			      (isalpha((unsigned char)at[1]) || at[1] == '%');

	return !*at || (*at == ' ' && !has_unit);
}

/* Bytes of the next word, limited to those that fit into `columns`. */
static size_t word_length(const char *word, size_t columns)
{
	size_t length = 0;

	for (size_t used = 0; (!used || !ends_word(word + length)) && used < columns; used++)
		length += utf8_sequence(word + length);
	return length;
}

static size_t columns_of(const char *bytes, size_t length)
{
	size_t columns = 0;

	for (size_t i = 0; i < length; i++)
		columns += ((unsigned char)bytes[i] & 0xc0) != 0x80;
	return columns;
}

/* words: printable text; used: columns of the line so far. */
static void wrap(struct text *out, const char *words, size_t indent, size_t used)
{
	bool begins = true; /* the line holds no word yet */

	while (*words) {
		size_t length = word_length(words, COLUMNS - indent);
		size_t columns = columns_of(words, length);

		if (!begins && used + 1 + columns > COLUMNS) {
			text_add(out, "\n");
			add_blanks(out, indent);
			used = indent;
			begins = true;
		}
		if (!begins)
			text_add(out, " ");
		text_add_bytes(out, words, length);
		used += columns + !begins;
		words += length;
		/* the rest of a cut word fills or ends the next line */
		begins = false;
		while (*words == ' ')
			words++;
	}
}

void layout_paragraph(struct text *out, const char *label, unsigned indent, const char *words)
{
	struct text clean = {0};
	const char *first;
	size_t used = utf8_columns(label);

	utf8_printable(&clean, words);
	first = text_string(&clean);
	while (*first == ' ')
		first++;
	text_add(out, "%s", label);
	if (*first && used < indent)
		add_blanks(out, indent - used);
	wrap(out, first, indent, used < indent ? indent : used);
	text_add(out, "\n");
	text_release(&clean);
}

void layout_words(struct text *out, const char *label, unsigned indent, struct text *words)
{
	if (words->length)
		layout_paragraph(out, label, indent, text_string(words));
	text_release(words);
}

void layout_line(struct text *out, const char *line)
{
	struct text clean = {0};
	const char *from;
	size_t length = 0;

	utf8_printable(&clean, line);
	from = text_string(&clean);
	for (size_t used = 0; from[length] && used < COLUMNS; used++)
		length += utf8_sequence(from + length);
	while (length && from[length - 1] == ' ')
		length--;
	text_add_bytes(out, from, length);
	text_add(out, "\n");
	text_release(&clean);
}
