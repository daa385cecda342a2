/* The rules that span options of load tests. */
#include "options/rules.h"

#include <math.h>

#include "options/job.h"

/* The name of the option that gives a rate; NULL: it is a closed loop. */
static const char *rate_name(const struct load *load)
{
	if (load->rate > 0)
		return "rate";
	return load->byte_rate ? "byte_rate" : NULL;
}

static bool has_rate_beside_curve(const struct test_spec *spec, struct text *why)
{
	const struct load *load = load_of(spec);

	if (!load->curve || !rate_name(load) || (spec->set.number && !load->search))
		return false;
	text_add(why, "%s: the points of %s are rates already; leave one of the two out",
		 rate_name(load), load->search ? "search" : "curve");
	return true;
}

static bool thinks_on_a_curve(const struct test_spec *spec)
{
	return load_of(spec)->curve &&
	       (load_of(spec)->think_time > 0 || load_of(spec)->burst_pause > 0);
}

static bool has_two_rates(const struct test_spec *spec)
{
	return load_of(spec)->rate > 0 && load_of(spec)->byte_rate;
}

static bool arrivals_have_no_rate(const struct test_spec *spec, struct text *why)
{
	const struct load *load = load_of(spec);
	const struct option *row = option_find(&load_options, "arrival");

	if (load->arrival == ARRIVAL_CLOSED || rate_name(load) || load->curve)
		return false;
	text_add(why, "arrival: %s needs a rate; add rate or byte_rate, or leave arrival out",
		 row->choices[load->arrival]);
	return true;
}

static bool closed_loop_has_a_rate(const struct test_spec *spec, struct text *why)
{
	const struct load *load = load_of(spec);

	if (load->arrival != ARRIVAL_CLOSED || !rate_name(load))
		return false;
	text_add(why,
		 "arrival: closed has no rate, as an operation starts when an earlier one has "
		 "finished; leave arrival or %s out",
		 rate_name(load));
	return true;
}

static bool thinks_at_a_rate(const struct test_spec *spec, struct text *why)
{
	const struct load *load = load_of(spec);

	if (!(load->think_time > 0) || !rate_name(load))
		return false;
	text_add(why,
		 "think_time: with %s operations are due whether earlier ones have finished or "
		 "not; leave one of the two out",
		 rate_name(load));
	return true;
}

static bool pauses_at_a_rate(const struct test_spec *spec, struct text *why)
{
	const struct load *load = load_of(spec);

	if (!(load->burst_pause > 0) || !rate_name(load))
		return false;
	text_add(why,
		 "burst_pause: with %s the rate says when the next burst is due; leave one of the "
		 "two out",
		 rate_name(load));
	return true;
}

static bool fills_files_at_a_rate(const struct test_spec *spec, struct text *why)
{
	const struct load *load = load_of(spec);

	if (load->depth_scope != DEPTH_OF_FILE || (!rate_name(load) && !load->curve))
		return false;
	text_add(why,
		 "depth_scope: file keeps the queue of each file full, and %s says when operations "
		 "are due; leave one of the two out",
		 load->curve ? "curve" : rate_name(load));
	return true;
}

static bool fills_files_in_runs(const struct test_spec *spec)
{
	const struct load *load = load_of(spec);

	return load->depth_scope == DEPTH_OF_FILE && load->run_length > 1;
}

static bool has_two_fsyncs(const struct test_spec *spec)
{
	return test_of(spec)->fsync_per_write && load_of(spec)->fsync_every > 1;
}

static bool has_devices_of_tasks(const struct test_spec *spec)
{
	return load_of(spec)->allow_device && load_of(spec)->file_scope != LOAD_SCOPE_TEST;
}

static bool locks_a_queue(const struct test_spec *spec)
{
	return load_of(spec)->lock != LOAD_LOCK_NONE && test_of(spec)->queue_depth > 1;
}

static bool has_short_intervals(const struct test_spec *spec)
{
	return load_of(spec)->interval > 0 && load_of(spec)->interval < 0.5;
}

static bool is_steady_without_rows(const struct test_spec *spec)
{
	return load_of(spec)->steady && !(load_of(spec)->interval > 0);
}

static bool windows_do_not_fit(const struct test_spec *spec)
{
	const struct load *load = load_of(spec);
	const double count = load->interval > 0 ? load->steady_window / load->interval : 0;

	return load->steady && load->interval > 0 &&
	       (count < 3 || count > 1000 || fabs(count - round(count)) > 1e-6);
}

static bool has_limits_beside(const struct test_spec *spec)
{
	const struct load *load = load_of(spec);

	return load->beside && (load->operation_limit || load->byte_limit || load->passes ||
				load->warmup_time > 0 || load->cooldown > 0 || load->steady);
}

const struct load_rule load_rules[] = {
	{.keys = {"beside", "operation_limit", "byte_limit", "passes", "warmup_time"},
	 .broken = has_limits_beside,
	 .sentence = "beside: the load begins and ends with the phases of other tests; leave "
		     "operation_limit, byte_limit, passes, warmup_time, cooldown and steady out"},
	{.keys = {"interval"},
	 .broken = has_short_intervals,
	 .sentence = "interval: an interval has at least 0.5 s; the timeline of the document has "
		     "shorter ones"},
	{.keys = {"allow_device", "file_scope"},
	 .broken = has_devices_of_tasks,
	 .sentence = "allow_device: all tasks use the one device; set file_scope = test"},
	{.keys = {"lock", "queue_depth"},
	 .broken = locks_a_queue,
	 .sentence = "lock: a lock is waited for, so a task makes one operation at a time; leave "
		     "queue_depth out"},
	{.keys = {"steady", "interval"},
	 .broken = is_steady_without_rows,
	 .sentence = "steady: a steady state is found in interval rows; add interval, for instance "
		     "1s"},
	{.keys = {"steady_window", "steady", "interval"},
	 .broken = windows_do_not_fit,
	 .sentence = "steady_window: the window must have 3 to 1000 whole intervals; make it a "
		     "multiple of interval"},
	{.keys = {"byte_rate", "rate"},
	 .broken = has_two_rates,
	 .sentence = "byte_rate: rate says how many operations are due too; leave one of the two "
		     "out"},
	{.keys = {"rate", "byte_rate", "curve"}, .explain = has_rate_beside_curve},
	{.keys = {"think_time", "burst_pause", "curve", "search"},
	 .broken = thinks_on_a_curve,
	 .sentence = "think_time: the points of a curve have rates, so that nothing waits between "
		     "operations; leave think_time and burst_pause out"},
	{.keys = {"arrival"}, .explain = arrivals_have_no_rate},
	{.keys = {"arrival", "rate", "byte_rate"}, .explain = closed_loop_has_a_rate},
	{.keys = {"think_time", "rate", "byte_rate"}, .explain = thinks_at_a_rate},
	{.keys = {"burst_pause", "rate", "byte_rate"}, .explain = pauses_at_a_rate},
	{.keys = {"depth_scope", "rate", "byte_rate", "curve", "search"},
	 .explain = fills_files_at_a_rate},
	{.keys = {"depth_scope", "run_length"},
	 .broken = fills_files_in_runs,
	 .sentence = "depth_scope: with file each operation goes to the file that has one fewer in "
		     "flight, so there are no runs; leave one of the two out"},
	{.keys = {"fsync_every", "fsync_per_write"},
	 .broken = has_two_fsyncs,
	 .sentence = "fsync_every: fsync_per_write (-Y) already asks for an fsync after every "
		     "write; leave one of the two out"},
	{.keys = {NULL}},
};
