/* Values of one option table: where they live, what they may be, how they are written. */
#include "options/option.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "options/names.h"
#include "options/option_pairs.h"

/*
 * A parsed value of any type. Values are parsed into it first, so that a bad value changes nothing.
 */
union value {
	uint64_t size;
	int64_t integer;
	unsigned level;
	double seconds; /* a share or a rate too */
	bool boolean;
	const char *string;
	int choice;
};

static const size_t value_sizes[] = {
	[OPTION_SIZE] = sizeof(uint64_t),   [OPTION_COUNT] = sizeof(uint64_t),
	[OPTION_INTEGER] = sizeof(int64_t), [OPTION_LEVEL] = sizeof(unsigned),
	[OPTION_SECONDS] = sizeof(double),  [OPTION_SHARE] = sizeof(double),
	[OPTION_RATE] = sizeof(double),	    [OPTION_SPEED] = sizeof(double),
	[OPTION_BOOL] = sizeof(bool),	    [OPTION_STRING] = sizeof(char *),
	[OPTION_CHOICE] = sizeof(int),	    [OPTION_PAIRS] = sizeof(char *),
};

static bool owns_string(const struct option *row)
{
	return row->type == OPTION_STRING || row->type == OPTION_PAIRS;
}

static void *member_of(const struct option_set *set, const struct option *row)
{
	return (char *)set->values + row->offset;
}

static union value option_value_of(const struct option_set *set, const struct option *row)
{
	union value value = {0};

	memcpy(&value, member_of(set, row), value_sizes[row->type]);
	return value;
}

const struct option *option_find(const struct option_table *table, const char *key)
{
	for (size_t i = 0; i < table->count; i++)
		if (text_same_key(table->rows[i].name, key) ||
		    names_have(table->rows[i].aliases, key))
			return &table->rows[i];
	return NULL;
}

const struct option *option_find_letter(const struct option_table *table, char letter)
{
	for (size_t i = 0; i < table->count; i++)
		if (letter && table->rows[i].letter == letter)
			return &table->rows[i];
	return NULL;
}

const struct option *option_find_ior(const struct option_table *table, const char *ior_key)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].ior_key && text_same_key(table->rows[i].ior_key, ior_key))
			return &table->rows[i];
	return NULL;
}

bool option_may_be_bare(const struct option *row)
{
	return row->type == OPTION_BOOL || row->type == OPTION_LEVEL || row->bare;
}

const char *option_argument(const struct option *row)
{
	static const char *const names[] = {
		[OPTION_SIZE] = "SIZE",	  [OPTION_COUNT] = "N",	     [OPTION_INTEGER] = "N",
		[OPTION_LEVEL] = "N",	  [OPTION_SECONDS] = "TIME", [OPTION_SHARE] = "SHARE",
		[OPTION_RATE] = "N",	  [OPTION_SPEED] = "SPEED",  [OPTION_BOOL] = NULL,
		[OPTION_STRING] = "TEXT", [OPTION_CHOICE] = "WHICH", [OPTION_PAIRS] = "VALUE",
	};

	return row->argument ? row->argument : names[row->type];
}

/* Parsing */

char *option_format_number(const struct option *row, uint64_t number, char *buffer, size_t size)
{
	if (row->type == OPTION_SIZE)
		return units_format_size(number, buffer, size);
	snprintf(buffer, size, "%" PRIu64, number);
	return buffer;
}

static int check_range(const struct option *row, uint64_t value, struct error *err)
{
	char limit[32], shown[32];

	option_format_number(row, value, shown, sizeof(shown));
	if (value < row->min)
		return error_input(err, "%s is too small; the least is %s", shown,
				   option_format_number(row, row->min, limit, sizeof(limit)));
	if (row->max && value > row->max)
		return error_input(err, "%s is too large; the most is %s", shown,
				   option_format_number(row, row->max, limit, sizeof(limit)));
	return 0;
}

static int parse_size(const struct option *row, const char *text, uint64_t *size, struct error *err)
{
	const bool is_rate = !strcmp(row->unit, "bytes/s");

	if (is_rate ? units_parse_byte_rate(text, size, err) : units_parse_size(text, size, err))
		return -1;
	return check_range(row, *size, err);
}

static int parse_count(const struct option *row, const char *text, uint64_t *count,
		       struct error *err)
{
	if (row->zero && text_same_key(row->zero, text)) {
		*count = 0;
		return 0;
	}
	if (units_parse_count(text, count, err))
		return row->zero ? error_input(err, "\"%.80s\" is neither a whole number nor %s",
					       text, row->zero)
				 : -1;
	return check_range(row, *count, err);
}

static int parse_level(const struct option *row, const char *text, unsigned *level,
		       struct error *err)
{
	uint64_t count;

	if (units_parse_count(text, &count, err) || check_range(row, count, err))
		return -1;
	if (count > 1000)
		return error_input(err, "%" PRIu64 " is too large; the most is 1000", count);
	*level = (unsigned)count;
	return 0;
}

static int parse_seconds(const struct option *row, const char *text, double *seconds,
			 struct error *err)
{
	if (units_parse_seconds(text, seconds, err))
		return -1;
	if (!strcmp(row->unit, "min") && strpbrk(text, "smhdu"))
		*seconds /= 60;
	if (row->max && *seconds > (double)row->max)
		return error_input(err, "%.80s is too long; the most is %" PRIu64 " s", text,
				   row->max);
	return 0;
}

static int option_parse_share(const struct option *row, const char *text, double *share,
			      struct error *err)
{
	if (units_parse_share(text, share, err))
		return -1;
	if (!row->max || *share * 100 <= (double)row->max)
		return 0;
	if (!strchr(text, '%') && *share <= (double)row->max)
		return error_input(err, "%.80s is more than %" PRIu64 "%%; did you mean %.80s%%?",
				   text, row->max, text);
	return error_input(err, "%.80s is too much; the most is %" PRIu64 "%%", text, row->max);
}

static int refuse_choice(const struct option *row, const char *text, struct error *err)
{
	struct text names = {0};
	struct guess guess;

	guess_start(&guess, text);
	for (size_t i = 0; row->choices[i]; i++) {
		text_add(&names, "%s%s", i ? ", " : "", row->choices[i]);
		guess_offer(&guess, "", row->choices[i]);
	}
	error_input(err, "\"%.80s\" is none of %s%s%s%s", text, text_string(&names),
		    guess.name[0] ? "; did you mean " : "", guess.name, guess.name[0] ? "?" : "");
	text_release(&names);
	return -1;
}

static int parse_choice(const struct option *row, const char *text, int *choice, struct error *err)
{
	for (int i = 0; row->choices[i]; i++) {
		if (!text_same_key(row->choices[i], text) &&
		    !(row->choice_aliases && names_have(row->choice_aliases[i], text)))
			continue;
		*choice = i;
		return 0;
	}
	return refuse_choice(row, text, err);
}

/* Parses a value. A string is not copied here. */
static int parse_value(const struct option *row, const char *text, union value *value,
		       struct error *err)
{
	switch (row->type) {
	case OPTION_SIZE:
		return parse_size(row, text, &value->size, err);
	case OPTION_COUNT:
		return parse_count(row, text, &value->size, err);
	case OPTION_INTEGER:
		return units_parse_integer(text, &value->integer, err);
	case OPTION_LEVEL:
		return parse_level(row, text, &value->level, err);
	case OPTION_SECONDS:
		return parse_seconds(row, text, &value->seconds, err);
	case OPTION_SHARE:
		return option_parse_share(row, text, &value->seconds, err);
	case OPTION_RATE:
		return units_parse_rate(text, &value->seconds, err);
	case OPTION_SPEED:
		return units_parse_speed(text, &value->seconds, err);
	case OPTION_BOOL:
		return units_parse_bool(text, &value->boolean, err);
	case OPTION_STRING:
		value->string = row->empty_unsets && !*text ? NULL : text;
		return 0;
	case OPTION_CHOICE:
		return parse_choice(row, text, &value->choice, err);
	case OPTION_PAIRS:
		return error_input(err, "a point and a name are missing after it");
	}
	BUG("option %s has no type", row->name);
}

/*
 * The value of a bare flag. A level counts up from the value that the same kind of origin has set.
 */
static int bare_value(const struct option_set *set, const struct option *row, enum origin_kind kind,
		      union value *value, struct error *err)
{
	if (row->bare)
		return parse_value(row, row->bare, value, err);
	if (row->type == OPTION_BOOL) {
		value->boolean = true;
		return 0;
	}
	if (row->type != OPTION_LEVEL)
		return error_input(err, "needs a value");
	*value = option_value_of(set, row);
	if (option_origin(set, row).kind != kind)
		value->level = 0;
	if (value->level < 1000)
		value->level++;
	return check_range(row, value->level, err);
}

static void store(struct option_set *set, const struct option *row, union value value,
		  struct origin origin)
{
	if (owns_string(row)) {
		free((char *)option_value_of(set, row).string);
		value.string = value.string ? text_copy(value.string) : NULL;
	}
	memcpy(member_of(set, row), &value, value_sizes[row->type]);
	set->origins[option_index(set->table, row)] = origin;
}

static int option_refuse(const struct option_set *set, const struct option *row, struct error *err)
{
	const char *prefix = set->table->prefix;

	return error_add(err, "%s%s%s", prefix, *prefix ? "." : "", row->name);
}

int option_set_value(struct option_set *set, const struct option *row, const char *text,
		     struct origin origin, struct error *err)
{
	union value value = {0};
	int ret;

	if (text)
		ret = parse_value(row, text, &value, err);
	else
		ret = bare_value(set, row, origin.kind, &value, err);
	if (ret)
		return option_refuse(set, row, err);
	/* a value may be set to itself: the copy is made before the old one is freed */
	if (row->type == OPTION_STRING && value.string == option_value_of(set, row).string) {
		set->origins[option_index(set->table, row)] = origin;
		return 0;
	}
	store(set, row, value, origin);
	return 0;
}

int option_set_pair(struct option_set *set, const struct option *row, const char *name,
		    const char *value, struct origin origin, struct error *err)
{
	char *lines;

	if (option_pair_check(name, value, err))
		return option_refuse(set, row, err);
	lines = option_pairs_with(option_value_of(set, row).string, name, value);
	store(set, row, (union value){.string = lines}, origin);
	free(lines);
	return 0;
}

/* Sets */

static void set_allocate(struct option_set *set, const struct option_table *table)
{
	set->table = table;
	set->values = memory_allocate(1, table->values_size);
	set->origins = memory_allocate(table->count, sizeof(*set->origins));
}

void option_set_init(struct option_set *set, const struct option_table *table)
{
	const struct origin origin = {.kind = ORIGIN_DEFAULT};
	struct error err;

	set_allocate(set, table);
	for (size_t i = 0; i < table->count; i++) {
		const struct option *row = &table->rows[i];

		if (row->initial && option_set_value(set, row, row->initial, origin, &err))
			BUG("the default of an option: %s", err.text);
	}
}

void option_set_release(struct option_set *set)
{
	for (size_t i = 0; set->table && i < set->table->count; i++)
		if (owns_string(&set->table->rows[i]))
			free((char *)option_value_of(set, &set->table->rows[i]).string);
	free(set->values);
	free(set->origins);
	*set = (struct option_set){0};
}

void option_set_copy(struct option_set *to, const struct option_set *from)
{
	const struct option_table *table = from->table;

	set_allocate(to, table);
	for (size_t i = 0; i < table->count; i++)
		store(to, &table->rows[i], option_value_of(from, &table->rows[i]),
		      from->origins[i]);
}

/* Prints seconds and rates, never with an exponent, which units_parse_*() do not read. */
static char *format_decimal(double seconds, char *buffer, size_t size)
{
	size_t length;

	if (seconds == 0 || seconds >= 1e-4) {
		snprintf(buffer, size, "%.15g", seconds);
		return buffer;
	}
	snprintf(buffer, size, "%.15f", seconds);
	/* removes zeros at the end and "0." at the start: "0.00002" */
	for (length = strlen(buffer); length > 1 && strchr("0.", buffer[length - 1]); length--)
		buffer[length - 1] = '\0';
	return buffer;
}

char *option_format(const struct option_set *set, const struct option *row, char *buffer,
		    size_t size)
{
	union value value = option_value_of(set, row);

	switch (row->type) {
	case OPTION_SIZE:
		return units_format_size(value.size, buffer, size);
	case OPTION_COUNT:
		if (row->zero && !value.size)
			snprintf(buffer, size, "%s", row->zero);
		else
			snprintf(buffer, size, "%" PRIu64, value.size);
		return buffer;
	case OPTION_INTEGER:
		snprintf(buffer, size, "%" PRId64, value.integer);
		return buffer;
	case OPTION_LEVEL:
		snprintf(buffer, size, "%u", value.level);
		return buffer;
	case OPTION_SECONDS:
	case OPTION_RATE:
		return format_decimal(value.seconds, buffer, size);
	case OPTION_SPEED:
		return units_format_speed(value.seconds, buffer, size);
	case OPTION_SHARE:
		snprintf(buffer, size, "%.15g%%", value.seconds * 100);
		return buffer;
	case OPTION_BOOL:
		snprintf(buffer, size, "%d", value.boolean);
		return buffer;
	case OPTION_STRING:
	case OPTION_PAIRS:
		snprintf(buffer, size, "%s", value.string ? value.string : "");
		return buffer;
	case OPTION_CHOICE:
		snprintf(buffer, size, "%s", row->choices[value.choice]);
		return buffer;
	}
	BUG("option %s has no type", row->name);
}

bool option_is_default(const struct option_set *set, const struct option *row)
{
	char value[200], initial[200];
	struct option_set untouched;

	option_set_init(&untouched, set->table);
	option_format(set, row, value, sizeof(value));
	option_format(&untouched, row, initial, sizeof(initial));
	option_set_release(&untouched);
	return !strcmp(value, initial);
}
