/* Results of comparing data, printed below a row. */
#include <inttypes.h>

#include "page/layout.h"
#include "page/page.h"
#include "plan/load.h"
#include "record/phase_line.h"

enum { DAMAGE_SAID = 5 }; /* ranges of a phase that the text lists */

static void print_range(struct text *out, const json_t *range)
{
	const uint64_t offset = line_count(range, "offset_bytes");
	const uint64_t length = line_count(range, "length_bytes");
	struct text words = {0};

	text_add(&words, "%s: offset 0x%" PRIx64 " (%" PRIu64 "), %" PRIu64 " bytes",
		 line_text(range, "path"), offset, offset, length);
	if (line_count(range, "wrong_bytes") != length)
		text_add(&words, ", %" PRIu64 " of them wrong", line_count(range, "wrong_bytes"));
	text_add(&words, ", read by task %" PRIu64 ": %s; expected %s",
		 line_count(range, "read_by_task"), line_text(range, "meaning"),
		 line_text(range, "expected"));
	if (line_has(range, "found"))
		text_add(&words, ", found %s", line_text(range, "found"));
	layout_words(out, "          - ", PAGE_ROW_INDENT + 2, &words);
}

static void print_damages(struct text *out, const json_t *line, const json_t *found)
{
	const uint64_t ranges = line_count(found, "wrong_ranges");
	const json_t *list = line_at(found, "ranges");
	struct text words = {0};

	text_add(&words,
		 "WRONG DATA: %" PRIu64 " of %" PRIu64 " transfers, %" PRIu64 " bytes in %" PRIu64
		 " range%s",
		 line_count(found, "wrong_transfers"), phase_line_operations(line),
		 line_count(found, "wrong_bytes"), ranges, ranges == 1 ? "" : "s");
	if (line_count(found, "missing_bytes"))
		text_add(&words, "; %" PRIu64 " of them behind the end of the file",
			 line_count(found, "missing_bytes"));
	page_below(out, &words);
	for (size_t i = 0; i < json_array_size(list) && i < DAMAGE_SAID; i++)
		print_range(out, json_array_get(list, i));
	if (ranges > DAMAGE_SAID) {
		text_add(&words, "and %" PRIu64 " more", ranges - DAMAGE_SAID);
		layout_words(out, "          - ", PAGE_ROW_INDENT + 2, &words);
	}
	text_add(&words, "%s", line_text(found, "evidence"));
	page_below(out, &words);
}

/* True if writes repeat the bytes that were there, so that a lost write is not found. */
static bool writes_what_was_there(const struct plan *plan)
{
	return plan->load && plan_load_has(&plan->pattern, LOAD_WRITE) &&
	       !plan_load_follows_passes(plan);
}

void page_verification(struct text *out, const struct plan *plan, const json_t *line)
{
	const json_t *found = phase_line_verification(line);
	const bool wrong = line_count(found, "wrong_bytes") > 0;
	struct text words = {0};

	if (!found)
		return;
	if (line_true(found, "learned"))
		text_add(&words,
			 "seed %" PRIu64 " and repetition %" PRIu64 " learned from the data; ",
			 line_count(found, "seed"), line_count(found, "repetition"));
	text_add(&words, "every byte compared, which took %.1f %% of the transfer time%s",
		 100 * line_number(found, "content_share"), wrong ? "" : ": all are right");
	if (plan_load_follows_passes(plan) && !wrong)
		text_add(&words, ", and none are older than the last write of this phase");
	if (writes_what_was_there(plan))
		text_add(&words,
			 "; writes repeat the data that was there, so a lost one is not found");
	page_below(out, &words);
	if (wrong)
		print_damages(out, line, found);
}
