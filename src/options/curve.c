/* The texts of a curve of load against response time. */
#include "options/curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "options/lists.h"

static const char search_word[] = "search", again_word[] = "-again";

struct curve_point_text curve_point_of(const char *text)
{
	if (!text || !*text)
		return (struct curve_point_text){CURVE_POINT_NONE, 0, 0};
	if (!strcmp(text, "max"))
		return (struct curve_point_text){CURVE_POINT_MAX, 0, 0};
	if (!strncmp(text, search_word, strlen(search_word))) {
		const unsigned number = (unsigned)atoi(text + strlen(search_word));

		return (struct curve_point_text){CURVE_POINT_SEARCH, number, number};
	}
	const unsigned draw = strstr(text, again_word) ? 1 : 0;

	if (strchr(text, '%'))
		return (struct curve_point_text){CURVE_POINT_SHARE, atof(text) / 100, draw};
	return (struct curve_point_text){CURVE_POINT_RATE, atof(text), draw};
}

/* Points from `first` to `last`; step 0: one point. */
struct range {
	double first, last, step;
	bool shares;
};

/* Parses a positive number, which a % sign may follow. */
static int parse_number(const char *text, double *value, bool *share)
{
	char number[40];
	size_t length = strcspn(text, "%");
	struct error ignored = {0};

	if (!length || length >= sizeof(number) || (text[length] && text[length + 1]))
		return -1;
	snprintf(number, sizeof(number), "%.*s", (int)length, text);
	*share |= text[length] == '%';
	return units_parse_rate(number, value, &ignored) || !(*value > 0) ? -1 : 0;
}

static int parse_range(char *text, struct range *range)
{
	char *dash = strchr(text, '-'), *slash = strchr(text, '/');

	*range = (struct range){0};
	if (!dash && !slash) {
		if (parse_number(text, &range->first, &range->shares))
			return -1;
		range->last = range->first;
		return 0;
	}
	if (!dash || !slash || slash < dash)
		return -1;
	*dash = *slash = '\0';
	if (parse_number(text, &range->first, &range->shares) ||
	    parse_number(dash + 1, &range->last, &range->shares) ||
	    parse_number(slash + 1, &range->step, &range->shares))
		return -1;
	return range->last < range->first ? -1 : 0;
}

static int curve_refuse(const char *item, struct error *err)
{
	return error_input(err,
			   "curve: \"%.60s\" is no point; points are max, a rate such as 2000, a "
			   "share of the maximum such as 50%%, or a range with its step such as "
			   "10-100/10%%",
			   item);
}

/* Adds the points of a range. Returns their number, or -1 if a list cannot have so many. */
static int curve_add_range(const struct range *range, bool again, struct text *list)
{
	const char *unit = range->shares ? "%" : "";

	/* Rounding must not lose the last point. */
	const double steps =
		range->step > 0 ? floor((range->last - range->first) / range->step + 1e-9) : 0;

	if ((steps + 1) * (again ? 2 : 1) > LIST_MOST)
		return -1;
	for (int i = 0; i <= (int)steps; i++) {
		const double value = range->first + i * range->step;

		text_add(list, " %.10g%s", value, unit);
		if (again)
			text_add(list, " %.10g%s%s", value, unit, again_word);
	}
	return 0;
}

/* Adds the points of one item of the curve. *maximum: whether shares are known, as after `max`. */
static int add_item(char *item, bool *maximum, bool again, struct text *list, struct error *err)
{
	struct range range;

	if (!strcmp(item, "max")) {
		*maximum = true;
		text_add(list, " max");
		return 0;
	}
	char *shown = text_copy(item);
	int ret = parse_range(item, &range) ? curve_refuse(shown, err) : 0;

	if (!ret && range.shares && !*maximum)
		ret = error_input(err,
				  "curve: %.60s is a share of the maximum, which is not known "
				  "before it; begin the curve with max, as in max,%.60s",
				  shown, shown);
	if (!ret && curve_add_range(&range, again, list))
		ret = error_input(err,
				  "curve: %.60s makes more than %d points%s; take larger steps",
				  shown, again ? LIST_MOST / 2 : LIST_MOST,
				  again ? ", each of which may be measured twice" : "");
	free(shown);
	return ret;
}

int curve_list(const char *curve, bool has_rates, bool again, struct text *list, struct error *err)
{
	char *copy = text_copy(curve), *rest = copy, *item;
	bool maximum = has_rates;
	int ret = 0;

	while (!ret && (item = strsep(&rest, ", \t")))
		if (*item)
			ret = add_item(item, &maximum, again, list, err);
	free(copy);
	if (!ret && !list->length)
		return curve_refuse(curve, err);
	if (!ret) {
		*list->bytes = '[';
		text_add(list, "]");
	}
	return ret;
}

void curve_list_search(struct text *list)
{
	text_add(list, "[max");
	for (int i = 1; i <= CURVE_SEARCH_POINTS; i++)
		text_add(list, " %s%d", search_word, i);
	text_add(list, "]");
}

static int parse_statistic(const char *text, double *quantile)
{
	char *end;

	if (!strcmp(text, "mean")) {
		*quantile = 0;
		return 0;
	}
	if (!strcmp(text, "max")) {
		*quantile = 1;
		return 0;
	}
	if (*text != 'p' || text[1 + strspn(text + 1, "0123456789.")])
		return -1;
	*quantile = strtod(text + 1, &end) / 100;
	return end == text + 1 || *end || !(*quantile > 0 && *quantile < 1) ? -1 : 0;
}

int curve_parse_bound(const char *text, char separator, const char *key, struct curve_bound *bound,
		      struct error *err)
{
	const char *at = strchr(text, separator);
	char statistic[16];
	double seconds;

	if (at && at - text < (ptrdiff_t)sizeof(statistic)) {
		snprintf(statistic, sizeof(statistic), "%.*s", (int)(at - text), text);
		if (!parse_statistic(statistic, &bound->quantile) &&
		    !units_parse_seconds(at + 1, &seconds, err) && seconds > 0) {
			bound->ns = (uint64_t)(seconds * 1e9);
			return 0;
		}
	}
	return error_input(err,
			   "%s: \"%.60s\" is no bound on the response time; write a percentile, "
			   "mean or max, then a time: p99%c5ms",
			   key, text, separator);
}
