/* Below a row: which nodes, slots and tasks were slow. */
#include <inttypes.h>
#include <math.h>

#include "base/units.h"
#include "report/page.h"

enum { NAMED = 3 };

static void add_who(struct text *words, const struct page *page, enum slow_kind kind,
		    const struct pace *pace)
{
	if (kind == SLOW_NODE) {
		page_host(words, page, pace->number);
		return;
	}
	text_add(words, "%s %" PRIu32 " on ", slow_kind_name(kind), pace->number);
	if (kind == SLOW_TASK)
		page_host(words, page, pace->node);
	else
		text_add(words, "every node");
}

static void say_group(const struct page *page, struct text *out, enum slow_kind kind,
		      const struct slow_group *group)
{
	struct text words = {0};
	uint32_t named = 0;

	if (!group->slow)
		return;
	text_add(&words, "slow: ");
	for (uint32_t i = 0; i < group->kept && named < NAMED; i++) {
		const struct slow_one *one = &group->ones[i];

		if (!one->slow)
			continue;
		text_add(&words, "%s", named++ ? "; " : "");
		add_who(&words, page, kind, &one->pace);
		text_add(&words, " %s x the others (z %s)", units_fit_number(one->ratio, 5).text,
			 isfinite(one->z) ? units_fit_number(one->z, 5).text : "inf");
	}
	if (group->slow > named)
		text_add(&words, "; and %" PRIu32 " more", group->slow - named);
	text_add(&words, "; by chance z stays below %s", units_fit_number(group->threshold, 4).text);
	page_below(out, &words);
}

void page_slow(const struct page *page, struct text *out, const struct phase_result *phase)
{
	const struct slow *slow = phase->slow;

	if (!slow)
		return;
	say_group(page, out, SLOW_NODE, &slow->groups[SLOW_NODE]);
	say_group(page, out, SLOW_SLOT, &slow->groups[SLOW_SLOT]);
	say_group(page, out, SLOW_TASK, &slow->groups[SLOW_TASK]);
}
