/* Distributions of random accesses over the blocks of a file. */
#include "pattern/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "pattern/pairs.h"

/* --- parsing -------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	const char *example; /* the whole value */
} forms[DISTRIBUTION_KINDS] = {
	[DISTRIBUTION_EVERY_BLOCK] = {"every_block", "every_block"},
	[DISTRIBUTION_UNIFORM] = {"uniform", "uniform"},
	[DISTRIBUTION_ZIPF] = {"zipf", "zipf:1.2"},
	[DISTRIBUTION_PARETO] = {"pareto", "pareto:0.2"},
	[DISTRIBUTION_NORMAL] = {"normal", "normal:10%"},
	[DISTRIBUTION_ZONED] = {"zoned", "zoned:60/10,30/20,10/70"},
	[DISTRIBUTION_HOT] = {"hot", "hot:90/10"},
};

/* Where the value comes from, for messages. */
struct source {
	const char *text, *key;
};

const char *distribution_name(enum distribution_kind kind)
{
	return forms[kind].name;
}

static int distribution_refuse(const struct source *source, enum distribution_kind kind,
			       const char *why, struct error *err)
{
	return error_input(err, "%s: \"%.150s\": %s; write it as %s", source->key, source->text,
			   why, forms[kind].example);
}

static int refuse_name(const struct source *source, const char *name, struct error *err)
{
	enum { NEAR = 2 };
	struct text why = {0};

	for (unsigned i = 0; i < DISTRIBUTION_KINDS; i++)
		if (strlen(name) > NEAR && text_distance(name, forms[i].name, NEAR) <= NEAR)
			text_add(&why, " (did you mean %s?)", forms[i].name);
	text_add(&why, "; write one of");
	for (unsigned i = 0; i < DISTRIBUTION_KINDS; i++)
		text_add(&why, "%s %s", i ? "," : "", forms[i].example);
	error_input(err, "%s: \"%.150s\": there is no such distribution%s", source->key,
		    source->text, text_string(&why));
	text_release(&why);
	return -1;
}

/* Parses the number of zipf, pareto and normal. */
static int parse_parameter(const struct source *source, const char *value,
			   struct distribution *distribution, struct error *err)
{
	bool percent = strchr(value, '%');

	if (pair_parse_share(value, &distribution->parameter))
		return distribution_refuse(source, distribution->kind,
					   "a plain decimal number must follow the colon", err);
	if (percent != (distribution->kind == DISTRIBUTION_NORMAL))
		return distribution_refuse(
			source, distribution->kind,
			percent ? "this parameter is no percentage"
				: "the standard deviation is a percentage of the file",
			err);
	switch (distribution->kind) {
	case DISTRIBUTION_ZIPF:
		if (distribution->parameter > 0 && distribution->parameter <= 100)
			return 0;
		return distribution_refuse(source, DISTRIBUTION_ZIPF,
					   "theta is above 0 and at most 100", err);
	case DISTRIBUTION_PARETO:
		if (distribution->parameter > 0 && distribution->parameter < 1)
			return 0;
		return distribution_refuse(source, DISTRIBUTION_PARETO, "h lies between 0 and 1",
					   err);
	default:
		distribution->parameter /= 100;
		if (distribution->parameter > 0 && distribution->parameter <= 1)
			return 0;
		return distribution_refuse(source, DISTRIBUTION_NORMAL,
					   "the standard deviation is above 0 and at most 100 %",
					   err);
	}
}

/* Adds one zone, both numbers in percent; returns NULL, or why it is refused. */
static const char *add_zone(struct distribution *distribution, const struct pair *pair)
{
	struct zone zone;
	double accesses, size;

	if (distribution->zones == DISTRIBUTION_ZONES)
		return "there are more than 16 zones";
	if (pair->cut || pair_parse_share(pair->left, &accesses) ||
	    pair_parse_share(pair->right, &size))
		return "a zone is accesses/size, both in percent";
	if (!(size > 0))
		return "a zone has a size above 0";
	zone = (struct zone){.accesses = accesses / 100, .size = size / 100};
	if (distribution->zones) {
		const struct zone *last = &distribution->zone[distribution->zones - 1];

		zone.accesses += last->accesses;
		zone.begin = last->begin + last->size;
	}
	distribution->zone[distribution->zones++] = zone;
	return NULL;
}

static int parse_zones(const struct source *source, const char *value,
		       struct distribution *distribution, struct error *err)
{
	const struct zone *last;
	struct pair pair;

	while (pair_next(&value, '/', &pair)) {
		const char *why = add_zone(distribution, &pair);

		if (why)
			return distribution_refuse(source, distribution->kind, why, err);
	}
	if (!distribution->zones)
		return distribution_refuse(source, distribution->kind,
					   "zones must follow the colon", err);
	if (distribution->kind == DISTRIBUTION_HOT)
		return 0;
	last = &distribution->zone[distribution->zones - 1];
	if (fabs(last->accesses - 1) > 1e-9)
		return distribution_refuse(source, distribution->kind,
					   "the accesses are not 100 % together", err);
	if (fabs(last->begin + last->size - 1) > 1e-9)
		return distribution_refuse(source, distribution->kind,
					   "the sizes are not 100 % together", err);
	return 0;
}

/* The pair is the first zone; the rest of accesses and blocks is the second. */
static int complete_hot(const struct source *source, struct distribution *distribution,
			struct error *err)
{
	const struct zone *hot = &distribution->zone[0];

	if (distribution->zones != 1 || !(hot->size < 1) || hot->accesses > 1)
		return distribution_refuse(source, DISTRIBUTION_HOT,
					   "it is one pair accesses/size with a size below 100 %",
					   err);
	if (hot->accesses < hot->size)
		return distribution_refuse(
			source, DISTRIBUTION_HOT,
			"the hot blocks get no smaller share of the accesses than of the file",
			err);
	distribution->zone[1] = (struct zone){1, 1 - hot->size, hot->size};
	distribution->zones = 2;
	return 0;
}

int distribution_parse(const char *text, const char *key, struct distribution *distribution,
		       struct error *err)
{
	const struct source source = {text, key};
	size_t length = strcspn(text, ":");
	const char *value = text[length] ? text + length + 1 : "";
	char *name = text_copy_n(text, length);
	enum distribution_kind kind = 0;
	int ret;

	while (kind < DISTRIBUTION_KINDS && !text_same_key(name, forms[kind].name))
		kind++;
	ret = kind == DISTRIBUTION_KINDS ? refuse_name(&source, name, err) : 0;
	free(name);
	if (ret)
		return ret;
	*distribution = (struct distribution){.kind = kind};
	if (kind == DISTRIBUTION_EVERY_BLOCK || kind == DISTRIBUTION_UNIFORM)
		return text[length] ? distribution_refuse(&source, kind, "it has no parameter", err)
				    : 0;
	if (!*value)
		return distribution_refuse(&source, kind, "its parameter is missing", err);
	if (kind != DISTRIBUTION_ZONED && kind != DISTRIBUTION_HOT)
		return parse_parameter(&source, value, distribution, err);
	if (parse_zones(&source, value, distribution, err))
		return -1;
	return kind == DISTRIBUTION_HOT ? complete_hot(&source, distribution, err) : 0;
}

bool distribution_is_scattered(const struct distribution *distribution)
{
	return distribution->kind == DISTRIBUTION_ZIPF ||
	       distribution->kind == DISTRIBUTION_PARETO || distribution->kind == DISTRIBUTION_HOT;
}
