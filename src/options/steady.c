/* The text that says when a load is steady. */
#include "options/steady.h"

#include <string.h>

#include "pattern/pairs.h"

/* Parses one bound, "range:20%". */
static int parse_bound(const struct pair *pair, struct steady_rule *rule)
{
	double *bound = !strcmp(pair->left, "range")   ? &rule->range
			: !strcmp(pair->left, "slope") ? &rule->slope
						       : NULL;

	if (!bound || *bound >= 0 || pair->cut || !strchr(pair->right, '%') ||
	    pair_parse_share(pair->right, bound) || !(*bound > 0))
		return -1;
	*bound /= 100;
	return 0;
}

int steady_parse(const char *text, struct steady_rule *rule, struct error *err)
{
	const char *rest = text;
	struct pair pair;
	int ret = 0;

	*rule = (struct steady_rule){-1, -1};
	while (!ret && pair_next(&rest, ':', &pair))
		ret = parse_bound(&pair, rule);
	if (!ret && (rule->range > 0 || rule->slope > 0))
		return 0;
	return error_input(
		err,
		"steady: \"%.100s\" is no steady state; write range:20%%, slope:10%%, or "
		"one of the two",
		text);
}
