/* Text in at most 80 columns. */
#include "report/layout.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "report/utf8.h"

static void add_blanks(struct text *out, size_t count)
{
	while (count--)
		text_add_bytes(out, " ", 1);
}

/* No line begins with a percent sign. */
static bool ends_word(const char *at)
{
	return !*at || (*at == ' ' && at[1] != '%');
}

/* Bytes of the next word, no more than fit into `columns`. */
static size_t word_length(const char *word, size_t columns)
{
	size_t length = 0;

	for (size_t used = 0; !ends_word(word + length) && used < columns; used++)
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

/* words is printable; used: columns of the line so far. */
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
		/* a cut word goes on in the next line, which is full of it or ends it */
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

void layout_line(struct text *out, const char *line)
{
	layout_wide_line(out, line, COLUMNS);
}

void layout_wide_line(struct text *out, const char *line, unsigned columns)
{
	struct text clean = {0};
	const char *from;
	size_t length = 0;

	utf8_printable(&clean, line);
	from = text_string(&clean);
	for (size_t used = 0; from[length] && used < columns; used++)
		length += utf8_sequence(from + length);
	while (length && from[length - 1] == ' ')
		length--;
	text_add_bytes(out, from, length);
	text_add(out, "\n");
	text_release(&clean);
}

/* As many decimals as fit; false when not even the whole part does. */
static bool fit_decimals(double value, unsigned width, char *buffer)
{
	for (int decimals = 4; decimals >= 0; decimals--)
		if (snprintf(buffer, NUMBER_SIZE, "%.*f", decimals, value) <= (int)width)
			return true;
	return false;
}

char *layout_number(double value, unsigned width, char *buffer)
{
	static const char suffixes[] = "kMGTPE";

	if (!isfinite(value) || fabs(value) >= 1e21)
		return strcpy(buffer, "-");
	if (value == 0)
		return strcpy(buffer, "0");
	if (fit_decimals(value, width, buffer))
		return buffer;
	for (const char *suffix = suffixes; *suffix; suffix++) {
		value /= 1000;
		if (fabs(value) >= 1000 || !fit_decimals(value, width - 1, buffer))
			continue;
		size_t length = strlen(buffer);

		buffer[length] = *suffix;
		buffer[length + 1] = '\0';
		return buffer;
	}
	return strcpy(buffer, "-");
}

char *layout_ns(uint64_t ns, char *buffer)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	size_t unit = 0;
	double value;

	while (unit < 3 && (double)ns / units[unit].ns >= 999.5)
		unit++;
	value = (double)ns / units[unit].ns;
	snprintf(buffer, NUMBER_SIZE, "%.*f%s",
		 unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value, units[unit].name);
	return buffer;
}

char *layout_seconds(double seconds, char *buffer)
{
	return layout_ns((uint64_t)llround(seconds * 1e9), buffer);
}

char *layout_whole(double value, unsigned width, char *buffer)
{
	int length = snprintf(buffer, NUMBER_SIZE, "%.0f", value);

	if (length > (int)width)
		return layout_number(value, width, buffer);
	/* four digits below 1000 */
	return value < 1000 ? layout_number(value, width < 5 ? width : 5, buffer) : buffer;
}

char *layout_bytes(uint64_t bytes, char *buffer)
{
	static const char *const names[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double value = (double)bytes;
	unsigned unit = 0;

	while (value >= 1024 && unit < 6) {
		value /= 1024;
		unit++;
	}
	if (value == floor(value))
		snprintf(buffer, NUMBER_SIZE, "%.0f %s", value, names[unit]);
	else
		snprintf(buffer, NUMBER_SIZE, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0,
			 value, names[unit]);
	return buffer;
}
