/* Rules V1 to V6: whether to believe the number that repetitions give together. */
#include "assess/repetitions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assess/judge.h"
#include "assess/slow.h"

/* Formats a share in per cent: "0.012", "5", "187". */
static const char *percent(double share, char text[24])
{
	snprintf(text, 24, 100 * share >= 10 ? "%.0f" : "%.2g", fmin(100 * share, 1e15));
	return text;
}

enum { V1_REPETITIONS_MOST = 100 }; /* more are no advice */

/* V1: the median is less precise than requested. */
static bool rule_v1(const struct rate_summary *summary, const struct test *test,
		    struct verdict *verdict)
{
	double needed = (double)summary->needed, wanted = test->precision;
	const bool is_feasible = needed <= V1_REPETITIONS_MOST;
	char known[24], asked[24], enough[64];

	if (summary->precision < 0)
		return false;
	verdict_prove(verdict, "precision", summary->precision);
	verdict_prove(verdict, "wanted", wanted);
	if (summary->precision <= wanted) {
		verdict_judge(verdict, SEVERITY_GOOD,
			      "the median is known within +- %s %% (99 %% interval)",
			      percent(summary->precision, known));
		return true;
	}
	verdict_prove(verdict, "needed_repetitions", needed);
	snprintf(enough, sizeof(enough), "; about %.0f repetitions would be enough", needed);
	verdict_judge(verdict, SEVERITY_WARN,
		      "the median is known only within +- %s %% (99 %% interval), and +- %s %% was "
		      "asked for%s",
		      percent(summary->precision, known), percent(wanted, asked),
		      is_feasible ? enough : "");
	verdict_advise(verdict, is_feasible ? "repetitions=auto with that many max_repetitions"
					    : "find the disturbance");
	return true;
}

/* V2: the first repetition differs from the others. */
static bool rule_v2(const struct rate_summary *summary, const struct test *test,
		    struct verdict *verdict)
{
	if (!summary->first.differs)
		return false;
	verdict_prove(verdict, "ratio", summary->first.ratio);
	verdict_judge(verdict, SEVERITY_WARN,
		      "the rate of the first repetition is %.2f times the median of the others",
		      summary->first.ratio);
	verdict_advise(verdict, "use warmup=1 if you want the rate of the other repetitions");
	return true;
}

/* V3: the rates rise or fall with the repetitions. */
static bool rule_v3(const struct rate_summary *summary, const struct test *test,
		    struct verdict *verdict)
{
	const struct drift *drift = &summary->drift;

	if (!drift->drifts)
		return false;
	verdict_prove(verdict, "rho", drift->rho);
	verdict_prove(verdict, "p", drift->p);
	verdict_prove(verdict, "change", drift->change);
	verdict_judge(verdict, SEVERITY_WARN,
		      "the rates %s from repetition to repetition (rho %.2f, p %.2g): %+.1f %% "
		      "from the first third to the last; an interval is that of these "
		      "repetitions, not of later ones",
		      drift->rho > 0 ? "rise" : "fall", drift->rho, drift->p, 100 * drift->change);
	verdict_advise(
		verdict,
		"look for caches that fill, space that runs out, or devices that throttle when "
		"hot; repeat longer");
	return true;
}

/* V4: the rates have two modes. */
static bool rule_v4(const struct rate_summary *summary, const struct test *test,
		    struct verdict *verdict)
{
	const struct two_modes *modes = &summary->modes;

	if (!modes->found)
		return false;
	verdict_prove(verdict, "low_bytes_per_s", modes->low);
	verdict_prove(verdict, "high_bytes_per_s", modes->high);
	verdict_prove(verdict, "low_repetitions", (double)modes->low_count);
	verdict_prove(verdict, "high_repetitions", (double)modes->high_count);
	verdict_judge(verdict, SEVERITY_WARN,
		      "two kinds of repetitions: the rate of %zu is around %.0f %% of that of the "
		      "other %zu; one number for both describes neither",
		      modes->low_count, 100 * modes->low / modes->high, modes->high_count);
	verdict_advise(verdict,
		       "report both; look for a different placement, other users, or a cache that "
		       "sometimes holds the data");
	return true;
}

/* V5: too few repetitions to say anything. */
static bool rule_v5(const struct rate_summary *summary, const struct test *test,
		    struct verdict *verdict)
{
	const struct dependence *dependence = &summary->rate.dependence;
	size_t needs = median_interval_needs(0.95);

	if (summary->rate.interval.possible)
		return false;
	verdict_prove(verdict, "repetitions", (double)summary->rate.count);
	if (summary->rate.count >= needs) {
		verdict_prove(verdict, "effective_repetitions", dependence->effective);
		verdict_judge(verdict, SEVERITY_NOTE,
			      "%zu repetitions follow one another so closely (von Neumann's ratio "
			      "%.2f) that they say as much as %.1f: no 95 %% interval is possible",
			      summary->rate.count, dependence->ratio, dependence->effective);
		verdict_advise(verdict, "more repetitions, or find what changes so slowly");
		return true;
	}
	verdict_judge(verdict, SEVERITY_NOTE, "%zu repetition%s: an interval needs %zu",
		      summary->rate.count, summary->rate.count == 1 ? "" : "s", needs);
	verdict_advise(verdict,
		       test->repetitions ? "repetitions=auto" : "more time (budget, deadline)");
	return true;
}

/* V6: the repetitions are those of several sessions of a job. */
static bool rule_v6(const struct rate_summary *summary, const struct test *test,
		    struct verdict *verdict)
{
	const struct sessions_summary *sessions = &summary->sessions;

	if (sessions->count < 2)
		return false;
	verdict_prove(verdict, "sessions", sessions->count);
	verdict_prove(verdict, "latest_repetitions", (double)sessions->latest);
	verdict_prove(verdict, "ratio", sessions->ratio);
	verdict_judge(verdict, sessions->apart ? SEVERITY_WARN : SEVERITY_NOTE,
		      "measured in %u sessions (--resume), between which conditions may have "
		      "changed: the median of the latest %zu repetitions is %.2f times that of the "
		      "others%s",
		      sessions->count, sessions->latest, sessions->ratio,
		      sessions->apart ? ", and the ranges do not overlap" : "");
	verdict_advise(verdict, sessions->apart ? "give the rates of each session, not one for both"
						: "where it matters, measure in one session");
	return true;
}

static size_t assess_summary(const struct rate_summary *summary, const struct test *test,
			     struct verdict verdicts[VERDICTS])
{
	static const struct {
		const char *id;
		bool (*applies)(const struct rate_summary *, const struct test *, struct verdict *);
	} rules[] = {{"V1", rule_v1}, {"V2", rule_v2}, {"V3", rule_v3},
		     {"V4", rule_v4}, {"V5", rule_v5}, {"V6", rule_v6}};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules) && summary->rate.count; i++) {
		verdicts[count] = (struct verdict){.id = rules[i].id};
		count += rules[i].applies(summary, test, &verdicts[count]);
	}
	return count;
}

void assess_summaries(const struct test_result *test,
		      struct assessed_summary summaries[PLAN_PHASES])
{
	for (unsigned i = 0; i < test->plan->phase_count; i++) {
		struct assessed_summary *own = &summaries[i];
		const enum phase_kind kind = test->plan->phases[i].kind;

		rate_summary_fill(&own->summary, test, i);
		own->count = assess_summary(&own->summary, test->plan->test, own->verdicts);
		own->verdicts[own->count] = (struct verdict){.id = "N1"};
		own->count += assess_slow(&test_result_repeated(test, i)->slow, kind,
					  test->plan->geometry.shared, &own->verdicts[own->count]);
	}
}
