/* Results of comparing data, printed below a row. */
#include <inttypes.h>

#include "plan/load.h"
#include "report/damage.h"
#include "report/layout.h"
#include "report/page.h"

static void print_damage(struct text *out, const struct test_result *test,
			 const struct phase_result *phase, const struct damage *damage)
{
	struct text words = {0};

	damage_path(test->plan, phase, damage, &words);
	text_add(&words, ": offset 0x%" PRIx64 " (%" PRIu64 "), %" PRIu64 " bytes",
		 damage->what.offset, damage->what.offset, damage->what.length);
	if (damage->what.wrong_bytes != damage->what.length)
		text_add(&words, ", %" PRIu64 " of them wrong", damage->what.wrong_bytes);
	text_add(&words, ", read by task %" PRIu32 ": ", damage->task);
	damage_meaning(test->plan, damage, &words);
	text_add(&words, "; expected ");
	damage_bytes(damage, damage->what.expected, &words);
	if (damage->what.kind != DAMAGE_SPOILT) {
		text_add(&words, ", found ");
		damage_bytes(damage, damage->what.found, &words);
	}
	layout_paragraph(out, "          - ", PAGE_ROW_INDENT + 2, text_string(&words));
	text_release(&words);
}

static void print_damages(struct text *out, const struct test_result *test,
			  const struct phase_result *phase)
{
	const struct verification *found = measure_verification(phase->measure);
	struct text words = {0};

	text_add(&words,
		 "WRONG DATA: %" PRIu64 " of %" PRIu64 " transfers, %" PRIu64 " bytes in %" PRIu64
		 " range%s",
		 found->wrong_transfers, phase->operations, found->wrong_bytes, found->ranges,
		 found->ranges == 1 ? "" : "s");
	if (found->missing_bytes)
		text_add(&words, "; %" PRIu64 " of them behind the end of the file",
			 found->missing_bytes);
	page_below(out, &words);
	for (uint32_t i = 0; i < found->listed && i < DAMAGE_SAID; i++)
		print_damage(out, test, phase, &found->list[i]);
	if (found->ranges > DAMAGE_SAID) {
		text_add(&words, "and %" PRIu64 " more", found->ranges - DAMAGE_SAID);
		layout_paragraph(out, "          - ", PAGE_ROW_INDENT + 2, text_string(&words));
		text_clear(&words);
	}
	damage_evidence(test, phase, &words);
	page_below(out, &words);
}

/* True for a load whose writes cannot be told from the data before them. */
static bool writes_what_was_there(const struct plan *plan)
{
	return plan->load && plan_load_has(&plan->pattern, LOAD_WRITE) &&
	       !plan_load_follows_passes(plan);
}

void page_verification(struct text *out, const struct test_result *test,
		       const struct phase_result *phase)
{
	struct text words = {0};

	if (!phase->checks || !phase_began(phase))
		return;
	if (phase->learned)
		text_add(&words,
			 "seed %" PRIu64 " and repetition %" PRIu32 " learned from the data; ",
			 phase->data_seed, phase->data_repetition);
	text_add(&words, "every byte compared, which took %.1f %% of the transfer time%s",
		 100 * phase->content_share, phase->wrong_bytes ? "" : ": all are right");
	if (plan_load_follows_passes(test->plan) && !phase->wrong_bytes)
		text_add(&words, ", and none are older than the last write of this phase");
	if (writes_what_was_there(test->plan))
		text_add(&words,
			 "; writes repeat the data that was there, so a lost one is not found");
	page_below(out, &words);
	if (phase->wrong_bytes)
		print_damages(out, test, phase);
}
