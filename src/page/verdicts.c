/* Verdicts, kept until all phases of a test are known, so that each is printed once. */
#include "page/page.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "page/layout.h"
#include "record/phase_line.h"

void kept_verdicts_release(struct kept_verdicts *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		json_decref(kept->list[i].verdict);
	free(kept->list);
	*kept = (struct kept_verdicts){0};
}

static bool has_same(const json_t *one, const json_t *other, const char *key)
{
	return !strcmp(line_text(one, key), line_text(other, key));
}

static bool is_same_rule(const json_t *one, const json_t *other)
{
	return has_same(one, other, "id") && has_same(one, other, "severity");
}

static void verdicts_add(struct kept_verdicts *kept, const struct kept_verdict *verdict)
{
	for (size_t i = 0; i < kept->count; i++) {
		struct kept_verdict *one = &kept->list[i];

		if (one->kind != verdict->kind || !is_same_rule(one->verdict, verdict->verdict))
			continue;
		one->count += verdict->count;
		return;
	}
	kept->list = memory_grow(kept->list, (kept->count + 1) * sizeof(*kept->list));
	kept->list[kept->count] = *verdict;
	json_incref(kept->list[kept->count++].verdict);
}

/* How many phases of a kind were judged; beside a verdict on a summary, how many summaries. */
static uint64_t judged_beside(const struct kept_verdicts *kept, const struct kept_verdict *verdict,
			      enum phase_kind kind)
{
	return kept->judged[verdict->repetition == OVER_ALL][kind];
}

void page_keep(struct kept_verdicts *kept, enum phase_kind kind, unsigned test, uint64_t repetition,
	       const json_t *line)
{
	json_t *verdicts = line_at(line, "verdicts"), *verdict;
	size_t i;

	kept->judged[repetition == OVER_ALL][kind] +=
		json_array_size(verdicts) > 0 || phase_line_is(line, "complete");
	json_array_foreach(verdicts, i, verdict)
	{
		verdicts_add(kept, &(struct kept_verdict){verdict, kind, test, repetition, 1});
	}
}

enum severity line_severity(const json_t *line)
{
	const char *name = line_text(line, "severity");
	enum severity severity = SEVERITY_FAIL;

	while (severity > SEVERITY_GOOD && strcmp(name, severity_name(severity)))
		severity--;
	return severity;
}

const char *severity_mark(enum severity worst)
{
	return worst == SEVERITY_FAIL ? "!" : worst == SEVERITY_WARN ? "?" : "";
}

static enum severity severity_of(const struct kept_verdict *kept)
{
	return line_severity(kept->verdict);
}

enum severity kept_verdicts_worst(const struct kept_verdicts *kept, enum phase_kind kind)
{
	enum severity worst = SEVERITY_GOOD;

	for (size_t i = 0; i < kept->count; i++)
		if (kept->list[i].kind == kind && severity_of(&kept->list[i]) > worst)
			worst = severity_of(&kept->list[i]);
	return worst;
}

static bool has_id(const struct kept_verdict *kept, const char *id)
{
	return !strcmp(line_text(kept->verdict, "id"), id);
}

/* True if a complaint about the same phases, no less severe, explains this one. */
static bool is_explained(const struct kept_verdict *verdict, const struct kept_verdict *by)
{
	static const char *const rules[][2] = {{"V1", "T1"}, {"V1", "C1"}, {"V5", "T1"},
					       {"V5", "C1"}, {"C4", "T1"}, {"C4", "C1"},
					       {"C4", "D1"}};

	/* The rule already warns of other phases. */
	if (severity_of(verdict) == SEVERITY_NOTE && severity_of(by) > SEVERITY_NOTE &&
	    has_same(verdict->verdict, by->verdict, "id"))
		return true;
	if (by->kind != verdict->kind || severity_of(by) == SEVERITY_GOOD ||
	    severity_of(by) < severity_of(verdict) || by->count < verdict->count)
		return false;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (has_id(verdict, rules[i][0]) && has_id(by, rules[i][1]))
			return true;
	return false;
}

/*
 * True for a consequence of what another verdict on the phase says: numbers of a phase that is too
 * short, or that a cache answered, vary, and it is known already that its data fits into memory.
 */
static bool is_consequence(const struct kept_verdicts *kept, const struct kept_verdict *verdict)
{
	for (size_t i = 0; i < kept->count && !kept->joined; i++)
		if (is_explained(verdict, &kept->list[i]))
			return true;
	return false;
}

void kept_verdicts_join(struct kept_verdicts *all, const struct kept_verdicts *test)
{
	all->joined++;
	for (unsigned kind = 0; kind < PHASE_KINDS; kind++) {
		all->judged[false][kind] += test->judged[false][kind];
		all->judged[true][kind] += test->judged[true][kind];
	}
	for (size_t i = 0; i < test->count; i++)
		if (!is_consequence(test, &test->list[i]))
			verdicts_add(all, &test->list[i]);
}

/* True for one cause: the same rule and remedy, or another rule that says the same. */
static bool is_alike(const struct kept_verdict *one, const struct kept_verdict *other)
{
	return has_same(one->verdict, other->verdict, "severity") &&
	       has_same(one->verdict, other->verdict, "remedy") &&
	       (has_same(one->verdict, other->verdict, "id") ||
		has_same(one->verdict, other->verdict, "meaning"));
}

/* A cause that verdicts share: the first of them, and which phases have it. */
struct cause {
	const struct kept_verdict *first;
	bool kinds[PHASE_KINDS];
	unsigned kind_count;
	uint64_t count, of_kinds, of_all; /* phases that have it, of these kinds, and of all */
};

enum { KINDS_NAMED = 3 }; /* more kinds of phases are counted */

/* Takes a verdict, and unless `apart` those that are alike, out of those that are left. */
static struct cause take_cause(const struct kept_verdicts *kept, size_t first, bool apart,
			       bool *taken)
{
	struct cause cause = {.first = &kept->list[first]};

	for (size_t i = first; i < kept->count; i++) {
		if (taken[i] || (apart ? i > first : !is_alike(cause.first, &kept->list[i])))
			continue;
		taken[i] = true;
		cause.kinds[kept->list[i].kind] = true;
		cause.count += kept->list[i].count;
	}
	for (enum phase_kind kind = 0; kind < PHASE_KINDS; kind++) {
		const uint64_t judged = judged_beside(kept, cause.first, kind);

		cause.of_kinds += cause.kinds[kind] ? judged : 0;
		cause.kind_count += cause.kinds[kind];
		cause.of_all += judged;
	}
	return cause;
}

/* "all 12 phases, such as ", "write, read, such as ", "3 of 12 phases (write), such as " */
static void add_phases(struct text *words, const struct cause *cause)
{
	const bool all_of_kinds = cause->count >= cause->of_kinds;
	const char *between = "";

	if (cause->count == 1)
		return;
	if (cause->count >= cause->of_all) {
		if (cause->count == 2)
			text_add(words, "both phases, such as ");
		else
			text_add(words, "all %" PRIu64 " phases, such as ", cause->count);
		return;
	}
	if (cause->kind_count > KINDS_NAMED) {
		text_add(words, "%" PRIu64 " of %" PRIu64 " phases, such as ", cause->count,
			 cause->of_all);
		return;
	}
	if (!all_of_kinds)
		text_add(words, "%" PRIu64 " of %" PRIu64 " phases (", cause->count, cause->of_all);
	for (enum phase_kind kind = 0; kind < PHASE_KINDS; kind++) {
		if (!cause->kinds[kind])
			continue;
		text_add(words, "%s%s", between, phase_name(kind));
		between = ", ";
	}
	text_add(words, "%s, such as ", all_of_kinds ? "" : ")");
}

/* "write 0", of a summary "write" */
static void add_first(struct text *words, const struct kept_verdicts *kept,
		      const struct kept_verdict *verdict)
{
	text_add(words, "%s", phase_name(verdict->kind));
	if (verdict->repetition != OVER_ALL)
		text_add(words, " %" PRIu64, verdict->repetition);
	if (kept->joined > 1)
		text_add(words, " of test %u", verdict->test);
}

/* Prints a cause with the numbers of the first phase that has it. Other phases are only named. */
static void print_cause(const struct kept_verdicts *kept, struct text *out,
			const struct cause *cause, enum detail detail)
{
	const json_t *verdict = cause->first->verdict;
	struct text words = {0};
	char label[16];

	snprintf(label, sizeof(label), "%-4s %-3s", line_text(verdict, "severity"),
		 line_text(verdict, "id"));
	add_phases(&words, cause);
	add_first(&words, kept, cause->first);
	text_add(&words, ": %s", line_text(verdict, "meaning"));
	/* A note asks for nothing. */
	if (*line_text(verdict, "remedy") && detail != DETAIL_QUIET &&
	    (detail == DETAIL_ALL || severity_of(cause->first) > SEVERITY_NOTE))
		text_add(&words, "; remedy: %s", line_text(verdict, "remedy"));
	layout_words(out, label, 9, &words);
}

/* Adds what all phases of a kind have good, in words: "read cold, every byte right". */
static void add_good(struct text *words, const struct kept_verdicts *kept, enum phase_kind kind)
{
	static const char *const goods[][2] = {{"D1", "synced"},
					       {"C1", "cold"},
					       {"M4", "all entries found"},
					       {"P6", "every byte right"},
					       {"V1", "precise"}};
	bool named = false;

	for (size_t i = 0; i < kept->count; i++) {
		const struct kept_verdict *one = &kept->list[i];

		if (one->kind != kind || severity_of(one) != SEVERITY_GOOD ||
		    one->count < judged_beside(kept, one, kind))
			continue;
		for (size_t k = 0; k < sizeof(goods) / sizeof(*goods); k++) {
			if (!has_id(one, goods[k][0]))
				continue;
			text_add(words, "%s", named ? ", " : words->length ? "; " : "");
			text_add(words, "%s%s%s", named ? "" : phase_name(kind), named ? "" : " ",
				 goods[k][1]);
			named = true;
		}
	}
}

static void print_good(const struct kept_verdicts *kept, struct text *out)
{
	struct text words = {0};

	for (enum phase_kind kind = 0; kind < PHASE_KINDS; kind++)
		add_good(&words, kept, kind);
	layout_words(out, "good", 9, &words);
}

enum { NOTES_SAID = 2 }; /* without -v */

/* Names a rule once. */
static void name_rule(struct text *rules, const struct cause *cause)
{
	const char *id = line_text(cause->first->verdict, "id");

	if (!strstr(text_string(rules), id))
		text_add(rules, "%s%s", rules->length ? ", " : "", id);
}

/* So many causes of a severity are said; of the others the rules are named. */
static unsigned most_said(enum severity severity, enum detail detail)
{
	if (detail == DETAIL_ALL || severity == SEVERITY_FAIL)
		return UINT_MAX;
	if (detail == DETAIL_QUIET)
		return 0;
	return severity == SEVERITY_NOTE ? NOTES_SAID : UINT_MAX;
}

/* Causes of one severity, each said or named. */
static void print_severity(const struct kept_verdicts *kept, struct text *out,
			   enum severity severity, enum detail detail, bool *taken)
{
	const unsigned most = most_said(severity, detail);
	struct text rules = {0};
	unsigned said = 0;

	for (size_t i = 0; i < kept->count; i++) {
		if (taken[i] || severity_of(&kept->list[i]) != severity)
			continue;
		const struct cause cause = take_cause(kept, i, detail == DETAIL_ALL, taken);

		if (said++ < most)
			print_cause(kept, out, &cause, detail);
		else
			name_rule(&rules, &cause);
	}
	if (rules.length)
		text_add(&rules, "; -v says more");
	layout_words(out, severity_name(severity), 9, &rules);
}

void page_verdicts(const struct kept_verdicts *kept, enum detail detail, struct text *out)
{
	const enum severity last = detail == DETAIL_ALL ? SEVERITY_GOOD : SEVERITY_NOTE;
	bool *taken = memory_allocate(kept->count + 1, sizeof(*taken));

	for (size_t i = 0; i < kept->count; i++)
		taken[i] = detail != DETAIL_ALL && is_consequence(kept, &kept->list[i]);
	for (int severity = SEVERITY_FAIL; severity >= (int)last; severity--)
		print_severity(kept, out, (enum severity)severity, detail, taken);
	free(taken);
	if (detail != DETAIL_ALL)
		print_good(kept, out);
}
