/* Splits "key = value, key = value", for all dialects. */
#include "dialects/pairs.h"

#include <ctype.h>
#include <string.h>

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static const char *skip_key(const char *at, const char *end)
{
	while (at < end && (isalnum((unsigned char)*at) || (*at && strchr("_-.", *at))))
		at++;
	return at;
}

/* True at "key =", also behind blanks. */
static bool is_key(const char *at, const char *end)
{
	const char *key = skip_blanks(at, end);
	const char *after = skip_key(key, end);

	if (after == key || isdigit((unsigned char)*key))
		return false;
	after = skip_blanks(after, end);
	return after < end && *after == '=';
}

/* True at ", key =". */
static bool separates(const char *at, const char *end)
{
	return at < end && *at == ',' && is_key(at + 1, end);
}

/* True at the last blank before "key =". */
static bool lacks_comma(const char *at, const char *end)
{
	return (*at == ' ' || *at == '\t') && at + 1 < end && at[1] != ' ' && at[1] != '\t' &&
	       is_key(at + 1, end);
}

/* True where a value must have ended. */
static bool is_over(const struct pairs *pairs, const char *at)
{
	return at == pairs->end || separates(at, pairs->end) || (pairs->script && *at == '#');
}

static int set_column(const struct pairs *pairs, const char *at, struct pair *pair)
{
	pair->column = (unsigned)(at - pairs->line) + 1;
	return -1;
}

static int shown_length(const struct pairs *pairs, const char *at)
{
	return pairs->end - at < 40 ? (int)(pairs->end - at) : 40;
}

static int take_quoted(struct pairs *pairs, struct pair *pair, struct error *err)
{
	const char *opening = pairs->at;
	const char *closing = memchr(opening + 1, *opening, (size_t)(pairs->end - opening - 1));

	if (!closing) {
		error_input(err, "the quote %.40s has no end", *opening == '"' ? "\"" : "'");
		return set_column(pairs, opening, pair);
	}
	pair->value = opening + 1;
	pair->value_length = (size_t)(closing - pair->value);
	pairs->at = skip_blanks(closing + 1, pairs->end);
	if (is_over(pairs, pairs->at))
		return 1;
	error_input(err, "after the quoted value only a comma and key = may follow, not \"%.*s\"",
		    shown_length(pairs, pairs->at), pairs->at);
	return set_column(pairs, pairs->at, pair);
}

static int take_value(struct pairs *pairs, struct pair *pair, struct error *err)
{
	const char *at = skip_blanks(pairs->at, pairs->end);
	const char *last;

	pairs->at = at;
	if (at < pairs->end && (*at == '"' || *at == '\''))
		return take_quoted(pairs, pair, err);
	for (; !is_over(pairs, at); at++) {
		if (!lacks_comma(at, pairs->end))
			continue;
		error_input(err,
			    "a comma is missing before \"%.*s\"; a value with blanks and = stands "
			    "in quotes",
			    shown_length(pairs, at + 1), at + 1);
		return set_column(pairs, at + 1, pair);
	}
	for (last = at; last > pairs->at && (last[-1] == ' ' || last[-1] == '\t'); last--)
		;
	pair->value = pairs->at;
	pair->value_length = (size_t)(last - pairs->at);
	pairs->at = at;
	return 1;
}

int pairs_next(struct pairs *pairs, struct pair *pair, struct error *err)
{
	const char *key = skip_blanks(pairs->at, pairs->end);
	const char *after;

	*pair = (struct pair){0};
	if (key == pairs->end || (pairs->script && *key == '#'))
		return 0;
	if (pairs->at > pairs->line && *key == ',')
		key = skip_blanks(key + 1, pairs->end);
	after = skip_key(key, pairs->end);
	set_column(pairs, key, pair);
	pair->key = key;
	pair->key_length = (size_t)(after - key);
	pairs->at = skip_blanks(after, pairs->end);
	if (after > key && pairs->at < pairs->end && *pairs->at == '=') {
		pairs->at++;
		return take_value(pairs, pair, err);
	}
	if (pairs->script && pair->key_length > 2 && key[0] == '-' && is_over(pairs, pairs->at))
		return 1;
	return error_input(err, "\"%.*s\" is not key = value", shown_length(pairs, key), key);
}
