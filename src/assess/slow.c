/* Rule N1: members that were slow repeatedly. */
#include "assess/slow.h"

#include <inttypes.h>
#include <stdio.h>

#include "assess/judge.h"

/* Kinds by how much they explain: a slow node makes slow tasks. */
static const enum slow_kind order[] = {SLOW_NODE, SLOW_SLOT, SLOW_TASK, SLOW_FILE};

enum { ORDER = sizeof(order) / sizeof(*order), WHO_SIZE = 64 };

static void name_member(enum slow_kind kind, const struct slow_member *member, bool names,
			char *who)
{
	const char *const kinds[SLOW_KINDS] = {
		[SLOW_TASK] = "task",
		[SLOW_NODE] = "node",
		[SLOW_SLOT] = "on every node slot",
		[SLOW_FILE] = names ? "work on the items of task" : "the file of task",
	};
	int length = snprintf(who, WHO_SIZE, "%s %" PRIu32, kinds[kind], member->number);

	if (kind == SLOW_TASK)
		snprintf(who + length, WHO_SIZE - (size_t)length, " on node %" PRIu32,
			 member->node);
}

static double mean_ratio(const struct slow_member *member)
{
	return member->ratio_sum / (double)member->times;
}

/*
 * The member that was slow most often. Only persistent members count with `persists`, else all
 * whose z was above the threshold.
 */
static const struct slow_member *worst(const struct slow_history *history, enum slow_kind kind,
				       bool persists)
{
	const struct slow_member *found = NULL;

	for (uint32_t i = 0; i < history->counts[kind]; i++) {
		const struct slow_member *member = &history->members[kind][i];
		bool counts = persists ? slow_persists(history, kind, member) : member->flagged > 0;

		if (counts &&
		    (!found || member->times > found->times ||
		     (member->times == found->times && mean_ratio(member) > mean_ratio(found))))
			found = member;
	}
	return found;
}

static void prove(const struct slow_history *history, enum slow_kind kind,
		  const struct slow_member *member, struct verdict *verdict)
{
	verdict_prove(verdict, "slow_repetitions", (double)member->times);
	verdict_prove(verdict, "repetitions", (double)history->repetitions);
	verdict_prove(verdict, "ratio", mean_ratio(member));
	verdict_prove(verdict, "p", slow_chance(history, kind, member));
}

/* The unit of work whose time is the pace. */
static const char *unit_of_work(bool names)
{
	return names ? "an operation" : "a transfer";
}

/*
 * Advice for a member that stays slow. Task 0 of the job adds what its node says otherwise than
 * most, where any does (record_add_environment).
 */
static void slow_advise(enum slow_kind kind, const struct slow_member *member,
			struct verdict *verdict)
{
	if (kind == SLOW_NODE || kind == SLOW_TASK)
		verdict_prove(verdict, "node", kind == SLOW_NODE ? member->number : member->node);
	verdict_advise(verdict, kind == SLOW_SLOT || kind == SLOW_TASK
					? "look at how tasks are bound, or leave it out and compare"
					: "look at what is different there, or leave it out and "
					  "compare");
}

static bool judge_persistent(const struct slow_history *history, bool names, bool shared_file,
			     struct verdict *verdict)
{
	for (unsigned i = 0; i < ORDER; i++) {
		const struct slow_member *member = worst(history, order[i], true);
		char who[WHO_SIZE];

		if (!member || (order[i] == SLOW_FILE && shared_file))
			continue;
		name_member(order[i], member, names, who);
		prove(history, order[i], member, verdict);
		verdict_judge(verdict, SEVERITY_WARN,
			      "%s was slow in %" PRIu64 " of %" PRIu64
			      " repetitions, %.2f times the others' time %s: placement or hardware",
			      who, member->times, history->repetitions, mean_ratio(member),
			      unit_of_work(names));
		slow_advise(order[i], member, verdict);
		return true;
	}
	return false;
}

static bool judge_sporadic(const struct slow_history *history, bool names, struct verdict *verdict)
{
	for (unsigned i = 0; i < ORDER; i++) {
		const struct slow_member *member = worst(history, order[i], false);
		char who[WHO_SIZE];

		if (!member || order[i] == SLOW_FILE)
			continue;
		name_member(order[i], member, names, who);
		prove(history, order[i], member, verdict);
		verdict_judge(verdict, SEVERITY_NOTE,
			      "%s was slow in %" PRIu64 " of %" PRIu64
			      " repetition%s, %.2f times the others' time %s: %s",
			      who, member->flagged, history->repetitions,
			      history->repetitions == 1 ? "" : "s", mean_ratio(member),
			      unit_of_work(names),
			      2 * member->times >= history->repetitions
				      ? "too few to tell whether it stays slow"
				      : "it comes and goes, as interference does");
		verdict_advise(verdict, "repetitions=auto");
		return true;
	}
	return false;
}

bool assess_slow(const struct slow_history *history, enum phase_kind kind, bool shared_file,
		 struct verdict *verdict)
{
	const bool names = !phase_moves_data(kind);

	return history->repetitions && (judge_persistent(history, names, shared_file, verdict) ||
					judge_sporadic(history, names, verdict));
}
