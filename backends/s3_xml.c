/* A small strict reader of XML: tags must be whole, and references those that XML defines. */
#include "backends/s3_xml.h"

#include <stdlib.h>
#include <string.h>

/* Skips to the '<' of the next tag; comments, declarations and CDATA are no tags. */
static const char *next_tag(const char *at)
{
	while ((at = strchr(at, '<'))) {
		const char *end = !strncmp(at, "<!--", 4)	 ? "-->"
				  : !strncmp(at, "<![CDATA[", 9) ? "]]>"
				  : at[1] == '?' || at[1] == '!' ? ">"
								 : NULL;

		if (!end)
			return at;
		at = strstr(at, end);
		if (!at)
			return NULL;
	}
	return NULL;
}

/* True if `tag`, behind its '<' or "</", has this name. */
static bool is_named(const char *tag, const char *name)
{
	const size_t length = strlen(name);

	return !strncmp(tag, name, length) && tag[length] && strchr(" \t\r\n/>", tag[length]);
}

bool s3_xml_next(const char **at, const char *name, const char **inner, size_t *length)
{
	const char *tag = *at, *end;
	unsigned depth = 1;

	while ((tag = next_tag(tag)) && !is_named(tag + 1, name))
		tag++;
	if (!tag || !(end = strchr(tag, '>')))
		return false;
	*inner = end + 1;
	*length = 0;
	*at = end + 1;
	if (end[-1] == '/')
		return true;
	for (tag = end; (tag = next_tag(tag)); tag++) {
		end = strchr(tag, '>');
		if (!end)
			return false;
		if (is_named(tag + 1, name) && end[-1] != '/')
			depth++;
		else if (tag[1] == '/' && is_named(tag + 2, name) && !--depth)
			break;
	}
	if (!tag)
		return false;
	*length = (size_t)(tag - *inner);
	*at = end + 1;
	return true;
}

/* Writes a code point as UTF-8. Returns its length, 0 if it is none. */
static size_t put_character(unsigned long code, char out[4])
{
	if (!code || code > 0x10ffff)
		return 0;
	if (code < 0x80)
		return out[0] = (char)code, 1;
	const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = length - 1; i; i--, code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)(first[length] | code);
	return length;
}

/* Resolves the reference at `at`. Returns its length in XML, 0 if it is none. */
static size_t resolve(const char *at, char out[4], size_t *length)
{
	static const struct {
		const char *text, *meaning;
	} names[] = {
		{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}};
	char *end;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(at, names[i].text, strlen(names[i].text))) {
			out[0] = names[i].meaning[0];
			*length = 1;
			return strlen(names[i].text);
		}
	if (at[1] != '#')
		return 0;
	*length =
		put_character(strtoul(at + 2 + (at[2] == 'x'), &end, at[2] == 'x' ? 16 : 10), out);
	return *length && *end == ';' ? (size_t)(end + 1 - at) : 0;
}

bool s3_xml_value(const char *xml, size_t length, const char *name, char *value, size_t size)
{
	const char *at = xml, *inner;
	size_t used = 0, inner_length;

	value[0] = '\0';
	if (!s3_xml_next(&at, name, &inner, &inner_length) || at > xml + length)
		return false;
	for (at = inner; at < inner + inner_length;) {
		char out[4] = {*at};
		size_t added = 1, taken = *at == '&' ? resolve(at, out, &added) : *at != '<';

		if (!taken || used + added >= size) {
			value[0] = '\0';
			return false;
		}
		memcpy(value + used, out, added);
		used += added;
		at += taken;
	}
	value[used] = '\0';
	return true;
}
