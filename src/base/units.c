/* Parses sizes, times, rates and counts. */
#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SIZE_EXAMPLES "write for example 4096, 256k, 1MiB or 1.5g"
#define SECONDS_EXAMPLES "write for example 30, 1.5, 500ms, 5m or 2h"
#define COUNT_EXAMPLES "write a whole number such as 16 or 1k"
#define SHARE_EXAMPLES "write for example 5% or 0.05"
#define RATE_EXAMPLES "write for example 200, 0.5 or 2k"
#define SPEED_EXAMPLES "write for example 1100MiB/s, 12.5GB/s or 100Gbit/s"
#define INTEGER_EXAMPLES "write a whole number such as 16 or -1"

/* More than thirty years. Sums and products in ns still fit into 64 bits. */
#define LONGEST_SECONDS 1e9

/* A number taken apart: whole + fraction / 10^digits. */
struct decimal {
	unsigned __int128 whole;
	uint64_t fraction;
	unsigned digits;
};

/* Describes what is wrong with text, at `rest`. */
static int units_refuse(struct error *err, const char *text, const char *rest, const char *what,
			const char *examples)
{
	if (!*text)
		return error_input(err, "the value is empty; %s", examples);
	if (rest == text || !*rest)
		return error_input(err, "\"%.80s\" is not %s; %s", text, what, examples);
	return error_input(err, "\"%.80s\" is not %s: cannot read \"%.40s\"; %s", text, what, rest,
			   examples);
}

static const char *take_whole(const char *at, struct decimal *number)
{
	for (; isdigit((unsigned char)*at); at++) {
		number->whole = number->whole * 10 + (unsigned)(*at - '0');
		if (number->whole > (unsigned __int128)INT64_MAX)
			return NULL;
	}
	return at;
}

/* Zeros at the end are ignored. More than 18 other digits never give a whole number of bytes. */
static const char *take_fraction(const char *at, struct decimal *number)
{
	size_t length = strspn(at, "0123456789");
	size_t significant = length;

	while (significant > 0 && at[significant - 1] == '0')
		significant--;
	if (significant > 18)
		return NULL;
	for (size_t i = 0; i < significant; i++)
		number->fraction = number->fraction * 10 + (uint64_t)(at[i] - '0');
	number->digits = (unsigned)significant;
	return at + length;
}

/*
 * Returns the position after the number, text itself if there is none, NULL if it has too many
 * digits.
 */
static const char *take_decimal(const char *text, struct decimal *number)
{
	const char *at = take_whole(text, number);

	if (!at || *at != '.')
		return at;
	if (at == text && !isdigit((unsigned char)at[1]))
		return text;
	return take_fraction(at + 1, number);
}

/*
 * Reads k, m, g, t, p or e and an "i". Returns the position after them and the factor. An "e" alone
 * is the start of an exponent, as in 1e6, rather than 2^60.
 */
static const char *take_factor(const char *at, uint64_t *factor)
{
	static const char letters[] = "kmgtpe";
	const char *letter = *at ? strchr(letters, tolower((unsigned char)*at)) : NULL;

	*factor = 1;
	if (!letter || (*letter == 'e' && !strspn(at + 1, "iIbB")))
		return at;
	*factor = (uint64_t)1 << (10 * (unsigned)(letter - letters + 1));
	at++;
	return *at == 'i' || *at == 'I' ? at + 1 : at;
}

/* As take_factor(), but one letter counts in thousands, as operations and networks do. */
static const char *take_scale(const char *at, double *scale)
{
	uint64_t factor;
	const char *rest = take_factor(at, &factor);

	*scale = rest == at + 1 ? 1 : (double)factor;
	for (; rest == at + 1 && factor > 1; factor >>= 10)
		*scale *= 1000;
	return rest;
}

static double units_value_of(const struct decimal *number)
{
	return (double)number->whole + (double)number->fraction / pow(10, number->digits);
}

/* Returns false if the product is not whole or does not fit. */
static bool units_multiply(const struct decimal *number, uint64_t factor, uint64_t *product)
{
	unsigned __int128 part = (unsigned __int128)number->fraction * factor;
	unsigned __int128 sum = number->whole * factor;
	uint64_t power = 1;

	for (unsigned i = 0; i < number->digits; i++)
		power *= 10;
	if (part % power)
		return false;
	sum += part / power;
	if (sum > (unsigned __int128)INT64_MAX)
		return false;
	*product = (uint64_t)sum;
	return true;
}

static int parse_scaled(const char *text, bool bytes, uint64_t *value, struct error *err)
{
	const char *what = bytes ? "a size" : "a number";
	const char *examples = bytes ? SIZE_EXAMPLES : COUNT_EXAMPLES;
	struct decimal number = {0};
	const char *end = take_decimal(text, &number);
	const char *rest;
	uint64_t factor;

	if (!end)
		return error_input(err, "\"%.80s\" has too many digits; %s", text, examples);
	if (end == text)
		return units_refuse(err, text, text, what, examples);
	rest = take_factor(end, &factor);
	if (bytes && (*rest == 'b' || *rest == 'B'))
		rest++;
	if (*rest)
		return units_refuse(err, text, end, what, examples);
	if (units_multiply(&number, factor, value))
		return 0;
	if (number.whole * factor > (unsigned __int128)INT64_MAX - factor)
		return error_input(err, "\"%.80s\" is too large: less than 2^63 is possible", text);
	return error_input(err, "\"%.80s\" is not a whole number%s; %s", text,
			   bytes ? " of bytes" : "", examples);
}

int units_parse_size(const char *text, uint64_t *bytes, struct error *err)
{
	return parse_scaled(text, true, bytes, err);
}

int units_parse_count(const char *text, uint64_t *count, struct error *err)
{
	return parse_scaled(text, false, count, err);
}

int units_parse_rate(const char *text, double *per_second, struct error *err)
{
	const double least = 1e-6;
	struct decimal number = {0};
	const char *end = take_decimal(text, &number);
	const char *rest;
	double scale, rate;

	if (!end)
		return error_input(err, "\"%.80s\" has too many digits; " RATE_EXAMPLES, text);
	if (end == text)
		return units_refuse(err, text, text, "a rate", RATE_EXAMPLES);
	rest = take_scale(end, &scale);
	if (*rest)
		return units_refuse(err, text, end, "a rate", RATE_EXAMPLES);
	rate = units_value_of(&number) * scale;
	if (rate > 0 && rate < least)
		return error_input(err, "\"%.80s\" is less than one in eleven days; " RATE_EXAMPLES,
				   text);
	*per_second = rate;
	return 0;
}

/* Length of text without "/s". */
static size_t length_of_speed(const char *text)
{
	const size_t length = strlen(text);

	return length >= 2 && !strcmp(text + length - 2, "/s") ? length - 2 : length;
}

/* b: the last letter of the unit, as in "10Gb". */
static int refuse_small_b(struct error *err, const char *text, const char *b)
{
	const int length = (int)(b - text);

	return error_input(err,
			   "\"%.80s\" may mean bits or bytes; write %.*sbit/s or, eight times as "
			   "much, %.*sB/s",
			   text, length, text, length, text);
}

/* The bytes of a unit without its prefix, or 0. */
static double bytes_in(const char *unit, size_t length)
{
	static const struct {
		const char *name;
		double bytes;
	} units[] = {{"B", 1}, {"byte", 1}, {"bytes", 1}, {"bit", 1. / 8}, {"bits", 1. / 8}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == length && !strncasecmp(unit, units[i].name, length))
			return units[i].bytes;
	return 0;
}

int units_parse_speed(const char *text, double *bytes_per_second, struct error *err)
{
	struct decimal number = {0};
	const char *end = take_decimal(text, &number), *unit;
	double scale, bytes;
	size_t length;

	if (!end || end == text)
		return units_refuse(err, text, text, "a speed", SPEED_EXAMPLES);
	unit = take_scale(end, &scale);
	length = length_of_speed(unit);
	if (length == 1 && *unit == 'b')
		return refuse_small_b(err, text, unit);
	bytes = bytes_in(unit, length);
	if (!length && (unit == end || *unit)) /* networks are sold as "100G", which are bits */
		bytes = 1;
	if (!(bytes > 0))
		return units_refuse(err, text, end, "a speed", SPEED_EXAMPLES);
	*bytes_per_second = units_value_of(&number) * scale * bytes;
	return 0;
}

int units_parse_byte_rate(const char *text, uint64_t *bytes_per_second, struct error *err)
{
	const char *number_end = text + strspn(text, "0123456789.");
	const size_t length = length_of_speed(text);
	uint64_t factor;
	const char *unit = take_factor(number_end, &factor);
	const size_t stem = (size_t)(unit - text);
	const double bytes = bytes_in(unit, length - stem);
	double speed;

	if (length - stem == 1 && *unit == 'b')
		return refuse_small_b(err, text, unit);
	if (bytes > 0 && bytes < 1) {
		if (units_parse_speed(text, &speed, err))
			return -1;
		*bytes_per_second = (uint64_t)llround(speed);
		return 0;
	}

	char *size = text_copy_n(text, bytes > 0 ? stem : length);
	int ret = units_parse_size(size, bytes_per_second, err);

	free(size);
	return ret;
}

/* The seconds of a time unit; 0 if there is no such unit. */
static double seconds_in(const char *unit)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{"", 1},   {"s", 1},	{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},
		{"m", 60}, {"min", 60}, {"h", 3600},  {"d", 86400},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcasecmp(unit, units[i].name))
			return units[i].seconds;
	return 0;
}

int units_parse_seconds(const char *text, double *seconds, struct error *err)
{
	char digits[64];
	size_t length = strspn(text, "0123456789.");
	char *end;
	double number, unit;

	if (length == 0)
		return units_refuse(err, text, text, "a time", SECONDS_EXAMPLES);
	if (length >= sizeof(digits))
		return error_input(err, "\"%.80s\" has too many digits; " SECONDS_EXAMPLES, text);
	memcpy(digits, text, length);
	digits[length] = '\0';
	number = strtod(digits, &end);
	if (*end || end == digits)
		return units_refuse(err, text, text, "a time", SECONDS_EXAMPLES);
	unit = seconds_in(text + length);
	if (unit == 0)
		return units_refuse(err, text, text + length, "a time", SECONDS_EXAMPLES);
	if (number * unit > LONGEST_SECONDS)
		return error_input(err, "\"%.80s\" is more than thirty years", text);
	*seconds = number * unit;
	return 0;
}

int units_parse_share(const char *text, double *share, struct error *err)
{
	char *end;
	double number;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return units_refuse(err, text, text, "a share", SHARE_EXAMPLES);
	number = strtod(text, &end);
	const char *rest = end + strspn(end, " ");

	if (strspn(text, "0123456789.") != (size_t)(end - text) ||
	    (*rest && strcmp(rest, "%") != 0))
		return units_refuse(err, text, rest, "a share", SHARE_EXAMPLES);
	*share = *rest ? number / 100 : number;
	return 0;
}

int units_parse_integer(const char *text, int64_t *value, struct error *err)
{
	const char *digits = text + (*text == '-' || *text == '+');
	struct decimal number = {0};
	const char *rest = take_whole(digits, &number);

	if (!rest)
		return error_input(err, "\"%.80s\" is too large: less than 2^63 is possible", text);
	if (rest == digits)
		return units_refuse(err, text, text, "a number", INTEGER_EXAMPLES);
	if (*rest)
		return units_refuse(err, text, rest, "a number", INTEGER_EXAMPLES);
	*value = *text == '-' ? -(int64_t)number.whole : (int64_t)number.whole;
	return 0;
}

int units_parse_bool(const char *text, bool *value, struct error *err)
{
	static const char *const words[] = {"0", "1", "no", "yes", "false", "true", "off", "on"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i]))
			continue;
		*value = i % 2;
		return 0;
	}
	return units_refuse(err, text, text, "yes or no", "write 1 or 0");
}
