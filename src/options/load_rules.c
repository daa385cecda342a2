/* The rules that span options of load tests. */
#include "options/rules.h"

#include <math.h>
#include <string.h>

/* Checks a load whose operations are due at a rate, which the option `rate` gives. */
static const char *check_rate(const struct load *load, const char *rate, struct error *err)
{
	if (load->arrival == ARRIVAL_CLOSED)
		return rule_broken(err, "arrival rate byte_rate",
				   "arrival: closed has no rate, as an operation starts when an "
				   "earlier one has finished; leave arrival or %s out",
				   rate);
	if (load->think_time > 0)
		return rule_broken(err, "think_time rate byte_rate",
				   "think_time: with %s operations are due whether earlier ones "
				   "have finished or not; leave one of the two out",
				   rate);
	if (load->burst_pause > 0)
		return rule_broken(err, "burst_pause rate byte_rate",
				   "burst_pause: with %s the rate says when the next burst is due; "
				   "leave one of the two out",
				   rate);
	return NULL;
}

static const char *check_pace(const struct test_spec *spec, struct error *err)
{
	const struct load *load = load_of(spec);
	const char *rate = load->rate > 0 ? "rate" : load->byte_rate ? "byte_rate" : NULL;
	const char *keys = NULL;

	if (load->rate > 0 && load->byte_rate)
		return rule_broken(err, "byte_rate rate",
				   "byte_rate: rate says how many operations are due too; leave "
				   "one of the two out");
	if (load->curve && rate && !(spec->set.number && !load->search))
		return rule_broken(
			err, "rate byte_rate curve",
			"%s: the points of %s are rates already; leave one of the two out", rate,
			load->search ? "search" : "curve");
	if (load->curve && (load->think_time > 0 || load->burst_pause > 0))
		return rule_broken(err, "think_time burst_pause curve search",
				   "think_time: the points of a curve have rates, so that nothing "
				   "waits between operations; leave think_time and burst_pause "
				   "out");
	if (load->arrival != ARRIVAL_CLOSED && !rate && !load->curve)
		return rule_broken(
			err, "arrival",
			"arrival: %s needs a rate; add rate or byte_rate, or leave arrival out",
			arrival_names[load->arrival]);
	if (rate)
		keys = check_rate(load, rate, err);
	if (!keys && load->depth_scope == DEPTH_OF_FILE && (rate || load->curve))
		return rule_broken(err, "depth_scope rate byte_rate curve search",
				   "depth_scope: file keeps the queue of each file full, and %s "
				   "says when operations are due; leave one of the two out",
				   load->curve ? "curve" : rate);
	return keys;
}

/* True unless the steady window is a number of whole intervals. */
static bool windows_do_not_fit(const struct load *load)
{
	const double count = load->steady_window / load->interval;

	return count < 3 || count > 1000 || fabs(count - round(count)) > 1e-6;
}

static const char *check_end(const struct load *load, struct error *err)
{
	if (load->beside && (load->operation_limit || load->byte_limit || load->passes ||
			     load->warmup_time > 0 || load->cooldown > 0 || load->steady))
		return rule_broken(
			err, "beside operation_limit byte_limit passes warmup_time",
			"beside: the load begins and ends with the phases of other tests; leave "
			"operation_limit, byte_limit, passes, warmup_time, cooldown and steady "
			"out");
	if (load->interval > 0 && load->interval < 0.5)
		return rule_broken(err, "interval",
				   "interval: an interval has at least 0.5 s; the timeline of the "
				   "document has shorter ones");
	if (load->steady && !(load->interval > 0))
		return rule_broken(err, "steady interval",
				   "steady: a steady state is found in interval rows; add "
				   "interval, for instance 1s");
	if (load->steady && windows_do_not_fit(load))
		return rule_broken(err, "steady_window steady interval",
				   "steady_window: the window must have 3 to 1000 whole intervals; "
				   "make it a multiple of interval");
	return NULL;
}

/* The options of a load that mean something beside a trace; the trace says the others. */
static bool is_beside_trace(const char *name)
{
	static const char *const names[] = {"allow_device", "beside",	"cleanup", "cooldown",
					    "file_scope",   "interval", "layout",  "lock",
					    "on_late",	    "sync"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strncmp(name, "trace", strlen("trace"));
}

static const char *check_trace(const struct test_spec *spec, struct error *err)
{
	const struct load *load = load_of(spec);
	const struct option_set *set = &spec->load;

	for (size_t i = 0; i < set->table->count; i++) {
		const struct option *row = &set->table->rows[i];

		if (option_origin(set, row).kind != ORIGIN_DEFAULT && !is_beside_trace(row->name))
			return rule_broken(err, row->name,
					   "%s: the trace says what the load does, and on which "
					   "files; leave %s or trace out",
					   row->name, row->name);
	}
	if (!*load->trace)
		return rule_broken(err, "trace",
				   "trace: the name is empty; leave trace out, or "
				   "name the file");
	if (test_of(spec)->fsync_per_write)
		return rule_broken(err, "fsync_per_write trace",
				   "fsync_per_write: the trace says when there is an fsync; leave "
				   "one of the two out");
	if (!(load->trace_speed > 0))
		return rule_broken(err, "trace_speed",
				   "trace_speed: with 0 the trace would never end; 1 is the speed "
				   "at which it was recorded");
	if (load->trace_until > 0 && load->trace_until <= load->trace_from)
		return rule_broken(err, "trace_until trace_from",
				   "trace_until: the part that is played would end before "
				   "trace_from, where it begins");
	if (load->trace_pace == TRACE_PACE_THINK && test_of(spec)->queue_depth > 1)
		return rule_broken(err, "trace_pace queue_depth",
				   "trace_pace: with think a request waits for the end of the one "
				   "before; leave queue_depth out");
	if (load->beside && !load->trace_loop)
		return rule_broken(err, "beside trace_loop",
				   "beside: the trace would end before the phases beside which it "
				   "is played; add trace_loop");
	if (load->trace_loop && !load->beside && !(test_of(spec)->duration > 0))
		return rule_broken(err, "trace_loop duration",
				   "trace_loop: without a duration the trace would be played "
				   "forever; add duration, for instance 60s");
	return NULL;
}

const char *rules_check_load(const struct test_spec *spec, struct error *err)
{
	const struct load *load = load_of(spec);
	const struct test *test = test_of(spec);
	const char *keys = check_end(load, err);

	if (!keys && load->trace)
		keys = check_trace(spec, err);
	if (keys)
		return keys;
	if (load->allow_device && load->file_scope != LOAD_SCOPE_TEST)
		return rule_broken(err, "allow_device file_scope",
				   "allow_device: all tasks use the one device; set file_scope = "
				   "test");
	if (load->lock != LOAD_LOCK_NONE && test->queue_depth > 1)
		return rule_broken(err, "lock queue_depth",
				   "lock: a lock is waited for, so a task makes one operation at a "
				   "time; leave queue_depth out");
	if (load->depth_scope == DEPTH_OF_FILE && load->run_length > 1)
		return rule_broken(err, "depth_scope run_length",
				   "depth_scope: with file each operation goes to the file that "
				   "has one fewer in flight, so there are no runs; leave one of "
				   "the two out");
	if (test->fsync_per_write && load->fsync_every > 1)
		return rule_broken(err, "fsync_every fsync_per_write",
				   "fsync_every: fsync_per_write (-Y) already asks for an fsync "
				   "after every write; leave one of the two out");
	return check_pace(spec, err);
}
