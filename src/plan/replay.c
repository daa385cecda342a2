/* The plan of a load that replays a trace. */
#include "plan/replay.h"

#include <inttypes.h>

#include "plan/load.h"
#include "plan/load/trace_walk.h"

enum { TRANSFER_MOST = 1 << 20, TRANSFER_LEAST = 4096 };

static struct trace_play play_of(const struct load *load)
{
	return (struct trace_play){
		.from_ns = (uint64_t)(load->trace_from * 1e9),
		.until_ns =
			load->trace_until > 0 ? (uint64_t)(load->trace_until * 1e9) : UINT64_MAX,
		.speed = load->trace_pace == TRACE_PACE_RECORDED ? load->trace_speed : 1,
		.pace = (enum trace_pace)load->trace_pace,
		.loops = load->trace_loop,
	};
}

bool replay_plays_part(const struct plan *plan)
{
	return plan->trace && (plan->play.from_ns || plan->play.until_ns != UINT64_MAX);
}

bool replay_thinks(const struct plan *plan)
{
	return plan->trace && plan->play.pace == TRACE_PACE_THINK;
}

/* A kind of operation that the trace has gets one card at least, as others look for those. */
static void take_shares(const struct trace *trace, struct load_pattern *pattern)
{
	double weights[LOAD_KINDS] = {0};

	for (unsigned kind = 0; kind < LOAD_DATA_KINDS; kind++) {
		const double least = (double)trace_transfers(trace) / DECK_CARDS;
		const double count = (double)trace->operations[kind];

		weights[kind] = count > 0 && count < least ? least : count;
		pattern->sizes[kind].mean = count > 0 ? (double)trace->moved[kind] / count : 0;
		pattern->sizes[kind].smallest = trace->granule;
		pattern->sizes[kind].largest = trace->largest;
		pattern->sizes[kind].divisor = trace->granule;
	}
	deck_make(&pattern->operations, weights, LOAD_KINDS);
}

int replay_pattern(struct plan *plan, const struct load *load, struct error *err)
{
	enum { LEAST_NS = 1000000 };
	const struct trace *trace = plan->trace;
	const struct trace_play *play = &plan->play;
	struct load_pattern *pattern = &plan->pattern;

	plan->play = play_of(load);
	_Static_assert((int)TRACE_READ == LOAD_READ && (int)TRACE_WRITE == LOAD_WRITE,
		       "the kinds have the same numbers");
	if (!trace_transfers(trace))
		return error_input(err, "trace: %s has neither reads nor writes", load->trace);
	if (play->from_ns > trace->span_ns)
		return error_input(err,
				   "trace_from: %g s lie behind the end of %s, which has %.3f s; "
				   "lower it",
				   load->trace_from, load->trace, (double)trace->span_ns / 1e9);
	if (play->pace == TRACE_PACE_RECORDED && trace_play_ns(trace, play) < LEAST_NS)
		return error_input(
			err,
			"trace_pace: what is played of %s takes less than a millisecond, "
			"so its times say nothing; take trace_pace = none, more of it or "
			"a lower trace_speed",
			load->trace);
	if (play->pace == TRACE_PACE_THINK && !trace->known)
		return error_input(err,
				   "trace_pace: think needs to know how long the calls took, which "
				   "%s does not say; take recorded or none",
				   load->trace);
	*pattern = (struct load_pattern){
		.run_length = 1,
		.files = trace->files,
		.files_in_turn = true,
		.seed = (uint64_t)plan->test->random_offset_seed,
	};
	take_shares(trace, pattern);
	pattern->arrival.kind = play->pace == TRACE_PACE_RECORDED ? ARRIVAL_TRACE : ARRIVAL_CLOSED;
	return 0;
}

static uint64_t padding(const struct trace *trace, uint64_t transfer)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < trace->files; i++)
		bytes += (transfer - trace->file_bytes[i] % transfer) % transfer;
	return bytes;
}

/* Large transfers are faster, as long as they make the files less than a tenth larger. */
uint64_t replay_transfer(const struct trace *trace)
{
	uint64_t transfer = TRANSFER_MOST, bytes = 0;

	for (uint32_t i = 0; i < trace->files; i++)
		bytes += trace->file_bytes[i];
	while (transfer > TRANSFER_LEAST && padding(trace, transfer) > bytes / 10)
		transfer /= 2;
	return transfer;
}

int replay_files(struct plan *plan, struct error *err)
{
	const struct trace *trace = plan->trace;
	const char *name = plan->load->trace;
	const uint64_t groups = plan->files / plan->own_files;
	const uint64_t sharers = plan_sharers(plan);
	uint64_t largest = 0;

	if (plan->load->allow_device && trace->files > 1)
		return error_input(err,
				   "allow_device: %s has %" PRIu32
				   " files, and a device is one; make a trace of one of them with "
				   "iorx-translate trace --only=NAME",
				   name, trace->files);
	if (replay_thinks(plan) && trace->streams > sharers)
		return error_input(err,
				   "trace_pace: with think each stream needs a task, and %s has "
				   "%" PRIu32 " streams for %" PRIu64
				   " task%s; take as many tasks with file_scope = test, or "
				   "trace_pace=recorded",
				   name, trace->streams, sharers, sharers == 1 ? "" : "s");
	if ((trace->streams + sharers - 1) / sharers > TRACE_MOST_STREAMS)
		return error_input(err,
				   "trace: %s has %" PRIu32
				   " streams, and a task replays at most %d; take more tasks, or "
				   "merge streams with iorx-translate trace --streams=%" PRIu64,
				   name, trace->streams, TRACE_MOST_STREAMS,
				   TRACE_MOST_STREAMS * sharers);
	for (uint32_t i = 0; i < trace->files; i++)
		if (plan_file_bytes(plan, i) > largest)
			largest = plan_file_bytes(plan, i);
	plan->file_size = largest;
	if (__builtin_mul_overflow(plan_own_bytes(plan), groups, &plan->bytes) ||
	    plan->bytes > INT64_MAX)
		return error_input(err, "trace: the files of all tasks would pass 2^63 bytes; take "
					"fewer tasks, or file_scope = test");
	plan->bytes_per_task = plan->bytes / plan->map.tasks;
	plan->transfers_per_task = plan_transfers_of(plan, 0);
	if (plan_load_is_paced(&plan->pattern))
		plan->pattern.arrival.rate = (double)groups * trace_play_rate(trace, &plan->play);
	return 0;
}
