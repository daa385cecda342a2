/* Cuts lists of pairs. */
#include "pattern/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t";

/* Copies what stands between blanks; returns false if it does not fit. */
static bool copy_side(char *side, size_t size, const char *from, size_t length)
{
	size_t before = strspn(from, blanks);
	bool fits;

	before = before < length ? before : length;
	from += before;
	length -= before;
	while (length && strchr(blanks, from[length - 1]))
		length--;
	fits = length < size;
	length = fits ? length : size - 1;
	memcpy(side, from, length);
	side[length] = '\0';
	return fits;
}

bool pair_next(const char **rest, char separator, struct pair *pair)
{
	const char *from = *rest + strspn(*rest, blanks);
	size_t length = strcspn(from, ",");
	const char *middle = memchr(from, separator, length);
	size_t left = middle ? (size_t)(middle - from) : length;
	bool last = !from[length];

	*pair = (struct pair){.at = from};
	if (last && !length)
		return false;
	pair->cut = !copy_side(pair->left, sizeof(pair->left), from, left);
	if (middle)
		pair->cut |=
			!copy_side(pair->right, sizeof(pair->right), middle + 1, length - left - 1);
	pair->complete = *pair->left && *pair->right;
	*rest = from + length + !last;
	return true;
}

int pair_parse_share(const char *text, double *share)
{
	size_t digits;
	char *end;

	text += strspn(text, blanks);
	digits = strspn(text, "0123456789.");
	*share = strtod(text, &end);
	if (!digits || end != text + digits || !isfinite(*share))
		return -1;
	end += strspn(end, blanks);
	return strcmp(end, "%") && *end ? -1 : 0;
}
