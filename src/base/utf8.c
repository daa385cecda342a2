/* Bytes from outside, made safe to print. */
#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Length of a sequence by its first byte, and the range of its second byte; RFC 3629, table 3-7. */
static size_t utf8_expected(unsigned char first, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first == 0xe0)
		*low = 0xa0;
	else if (first == 0xed)
		*high = 0x9f; /* surrogates */
	else if (first == 0xf0)
		*low = 0x90;
	else if (first == 0xf4)
		*high = 0x8f;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

size_t utf8_sequence(const char *at)
{
	const unsigned char *bytes = (const unsigned char *)at;
	unsigned char low, high;
	size_t length = utf8_expected(bytes[0], &low, &high);

	for (size_t i = 1; i < length; i++) {
		if (bytes[i] < low || bytes[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return length;
}

void utf8_repair(struct text *out, const char *bytes)
{
	size_t length;

	for (; *bytes; bytes += length ? length : 1) {
		length = utf8_sequence(bytes);
		if (length)
			text_add_bytes(out, bytes, length);
		else
			text_add_bytes(out, REPLACEMENT, sizeof(REPLACEMENT) - 1);
	}
}

/* True for C0, DEL and the two-byte C1 controls. */
static bool is_control(const char *at, size_t length)
{
	unsigned char first = (unsigned char)at[0];

	if (length == 2)
		return first == 0xc2 && (unsigned char)at[1] < 0xa0;
	return length == 1 && (first < 0x20 || first == 0x7f);
}

void utf8_printable(struct text *out, const char *bytes)
{
	size_t length;

	for (; *bytes; bytes += length ? length : 1) {
		length = utf8_sequence(bytes);
		if (*bytes == '\n' || *bytes == '\t')
			text_add_bytes(out, " ", 1);
		else if (!length || is_control(bytes, length))
			text_add_bytes(out, "?", 1);
		else
			text_add_bytes(out, bytes, length);
	}
}

size_t utf8_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}
