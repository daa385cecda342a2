/* Below a row: who was slow, and with -v the ten slowest tasks. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "report/layout.h"
#include "report/page.h"

enum { NAMED = 3, MEMBERS_LEAST = 8 }; /* of fewer the distances are a few numbers: z is chance */

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

static const char *z_text(double z, char *buffer)
{
	return isfinite(z) ? layout_number(z, 5, buffer) : "inf";
}

static void say_group(const struct page *page, struct text *out, enum slow_kind kind,
		      const struct slow_group *group)
{
	struct text words = {0};
	char ratio[NUMBER_SIZE], z[NUMBER_SIZE], limit[NUMBER_SIZE];
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
		text_add(&words, " %s x the others (z %s)", layout_number(one->ratio, 5, ratio),
			 z_text(one->z, z));
	}
	if (group->slow > named)
		text_add(&words, "; and %" PRIu32 " more", group->slow - named);
	text_add(&words, "; by chance z stays below %s", layout_number(group->threshold, 4, limit));
	page_below(out, &words);
	text_release(&words);
}

static void slowest_row(const struct page *page, struct text *out, const struct slow_one *one,
			bool z_tells)
{
	char line[200], seconds[NUMBER_SIZE], ratio[NUMBER_SIZE], z[NUMBER_SIZE];
	struct text host = {0};

	page_host(&host, page, one->pace.node);
	snprintf(line, sizeof(line), "%*s%6" PRIu32 "  %-22.22s %6" PRIu32 " %10s %8s %7s %s",
		 PAGE_ROW_INDENT, "", one->pace.number, text_string(&host), one->pace.file,
		 layout_ns((uint64_t)(one->pace.seconds * 1e9), seconds),
		 layout_number(one->ratio, 6, ratio),
		 z_tells || one->slow ? z_text(one->z, z) : "-", one->slow ? "slow" : "");
	layout_line(out, line);
	text_release(&host);
}

/* Whose file a task moved, or whose items it had to do with. */
static void slowest_head(struct text *out, bool names)
{
	layout_line(out, names ? "            task  on                   items of  operation x others       z"
			       : "            task  on                       file a transfer x others       z");
}

void page_slow(const struct page *page, struct text *out, const struct phase_result *phase)
{
	const struct slow *slow = phase->slow;

	if (!slow)
		return;
	say_group(page, out, SLOW_NODE, &slow->groups[SLOW_NODE]);
	say_group(page, out, SLOW_SLOT, &slow->groups[SLOW_SLOT]);
	say_group(page, out, SLOW_TASK, &slow->groups[SLOW_TASK]);
	if (!page->verbose || !slow->groups[SLOW_TASK].members)
		return;

	bool z_tells = slow->judged && slow->groups[SLOW_TASK].members >= MEMBERS_LEAST;

	slowest_head(out, phase_is_metadata(phase->kind));
	for (uint32_t i = 0; i < slow->groups[SLOW_TASK].kept; i++)
		slowest_row(page, out, &slow->groups[SLOW_TASK].ones[i], z_tells);
}
