/* Rules M5 to M8: whether a mix or a load did what it was asked for. */
#include "assess/pace.h"

#include <inttypes.h>
#include <math.h>

#include "assess/judge.h"
#include "base/units.h"
#include "plan/load.h"
#include "result/goals.h"

static void advise_slower(bool replays, struct verdict *verdict)
{
	verdict_advise(verdict, replays ? "a lower trace_speed, trace_pace=none, a queue_depth, or "
					  "more tasks"
					: "a lower rate, or none, or more tasks");
}

/* Warns that only this share of the due rate, in operations/s, was reached. */
static bool warn_of_rate(double due, double share, bool skips, bool replays,
			 struct verdict *verdict)
{
	verdict_prove(verdict, "due_operations_per_s", due);
	verdict_prove(verdict, "reached_share", share);
	verdict_judge(
		verdict, SEVERITY_WARN, "saturated: only %.2g %% of the due rate was reached, %s",
		100 * share,
		skips ? "and the other operations were left out (on_late=skip)"
		      : "so response times grow with the length of the phase and mean little");
	advise_slower(replays, verdict);
	return true;
}

/* Warns of operations that were issued later and later, though most of them in time. */
static bool warn_of_drift(const struct phase_result *phase, bool replays, struct verdict *verdict)
{
	const double least_ns_per_s = 10000, least_share = 0.1;
	const struct lateness *lateness = &phase->lateness;
	const double drift = lateness->drift_ns_per_s;
	const double share = drift * lateness->seconds / phase->response_mean_ns;

	if (!lateness->drifts || !(drift > least_ns_per_s) || !(share > least_share))
		return false;
	verdict_prove(verdict, "late_drift_ns_per_s", drift);
	verdict_prove(verdict, "share_of_mean_response", share);
	verdict_judge(verdict, SEVERITY_WARN,
		      "drift: with each second operations were issued %s later, so response times "
		      "grow with the length of the phase",
		      units_show_ns((uint64_t)drift).text);
	advise_slower(replays, verdict);
	return true;
}

static bool load_missed_rate(const struct phase_result *phase, const struct plan *plan,
			     struct verdict *verdict)
{
	const struct load *load = plan->load;
	struct kept kept = {0};
	double seconds;

	kept_add(&kept, phase->due, phase->issued, plan);
	if (kept_missed(&kept))
		return warn_of_rate(kept.rate, (double)kept.issued / (double)kept.due,
				    load->on_late == LATE_SKIP, plan->trace, verdict);
	if (warn_of_drift(phase, plan->trace, verdict))
		return true;
	seconds = kept_seconds_needed(&kept);
	if (!(seconds > 0))
		return false;
	verdict_prove(verdict, "slots", (double)kept.slots);
	verdict_prove(verdict, "due_operations", (double)kept.due);
	verdict_judge(verdict, SEVERITY_NOTE,
		      "too short to show an overload: up to %" PRIu64
		      " operation%s in flight count%s as issued, and %" PRIu64 " were due",
		      kept.slots, kept.slots == 1 ? "" : "s", kept.slots == 1 ? "s" : "", kept.due);
	if (plan->load_seconds > 0)
		verdict_advise(verdict, "duration=%.0f or more", ceil(seconds));
	else if (!load->beside)
		verdict_advise(verdict, "%s",
			       plan->trace ? "trace_loop with a duration" : "more operations");
	return true;
}

static bool mix_missed_rate(const struct phase_result *phase, const struct plan *plan,
			    struct verdict *verdict)
{
	/* With fewer operations the time of the last one is a visible share. */
	enum { OPERATIONS_LEAST = 20 };
	const double due = plan_due_rate(plan, phase->kind);
	const uint64_t issued =
		phase->operations + phase->failed_operations + phase->measure->mix_missed;
	double share;

	if (!(due > 0) || !(phase->seconds.transfer > 0) ||
	    issued < (uint64_t)OPERATIONS_LEAST * plan->map.tasks)
		return false;
	share = (double)issued / phase->seconds.transfer / due;
	/* Random arrivals miss their rate by chance, 4 standard deviations at most. */
	if (share >= 0.95 || (1 - share) * sqrt(due * phase->seconds.transfer) < 4)
		return false;
	return warn_of_rate(due, share, false, false, verdict);
}

bool pace_was_missed(const struct scene *scene, struct verdict *verdict)
{
	return (scene->plan->load ? load_missed_rate : mix_missed_rate)(scene->phase, scene->plan,
									verdict);
}

bool pace_woke_late(const struct scene *scene, struct verdict *verdict)
{
	const double note_above = 0.1, warn_above = 0.5;
	const struct measure *measure = scene->measure;
	double share;

	if (!measure->mix_slept)
		return false;
	share = (double)measure->mix_late_ns /
		(double)measure_record(measure, OPERATION_RESPONSE)->histogram.sum_ns;
	if (!(share > note_above))
		return false;
	verdict_prove(verdict, "late_share", share);
	verdict_prove(verdict, "late_mean_ns",
		      (double)measure->mix_late_ns / (double)measure->mix_slept);
	verdict_judge(
		verdict, share > warn_above ? SEVERITY_WARN : SEVERITY_NOTE,
		"%.2g %% of the response times is delay of iorx itself, which woke up late, and "
		"not of the storage",
		100 * share);
	verdict_advise(verdict, "fewer tasks than CPUs and idle nodes, or read the service times");
	return true;
}

bool pace_limited_by_client(const struct scene *scene, struct verdict *verdict)
{
	const double warn_above = 0.8;
	const double busy = scene->phase->concurrency.busy_share;

	if (!(scene->plan->pattern.arrival.rate > 0) || !(busy > warn_above))
		return false;
	verdict_prove(verdict, "busy_share", busy);
	verdict_judge(verdict, SEVERITY_WARN,
		      "tasks were busy %.0f %% of the time: operations wait for a free task, which "
		      "is part of their response times",
		      100 * busy);
	verdict_advise(verdict, "more tasks, or a larger queue_depth");
	return true;
}

/* M5 judges the rate. Shares and sizes are exact in 1000 operations of a task, and not in fewer. */
static bool is_missed(const struct goal *goal, uint32_t tasks)
{
	enum { DECK = 1000 };
	const double tolerated = 0.05;

	return goal->kind != GOAL_RATE && goal->operations >= (uint64_t)DECK * tasks &&
	       fabs(goal->achieved - goal->asked) > tolerated * goal->asked;
}

static const struct goal *find_missed(const struct goal *goals, unsigned count, uint32_t tasks)
{
	for (unsigned i = 0; i < count; i++)
		if (is_missed(&goals[i], tasks))
			return &goals[i];
	return NULL;
}

bool pace_missed_goal(const struct scene *scene, struct verdict *verdict)
{
	struct goal goals[GOALS_MOST];
	const unsigned count = goals_fill(scene->phase, scene->plan, goals);
	const struct goal *goal = find_missed(goals, count, scene->plan->map.tasks);

	/* The requests of a trace are its own: shares and sizes are only means of the whole. */
	if (!goal || scene->plan->trace)
		return false;
	verdict_prove(verdict, "asked", goal->asked);
	verdict_prove(verdict, "achieved", goal->achieved);
	if (goal->kind == GOAL_DEPTH) {
		verdict_judge(verdict, SEVERITY_WARN,
			      "a task had %.3g operations in flight, and not the %.3g of "
			      "queue_depth: the tasks limit the load",
			      goal->achieved, goal->asked);
		verdict_advise(verdict, "more tasks with a smaller queue_depth each");
		return true;
	}
	verdict_judge(verdict, SEVERITY_WARN, "%ss: %s %.4g, and the job asks for %.4g",
		      load_kind_names[goal->of],
		      goal->kind == GOAL_SHARE ? "their share was" : "their mean bytes were",
		      goal->achieved, goal->asked);
	verdict_advise(verdict, "report it as an error of iorx, with the result file");
	return true;
}
