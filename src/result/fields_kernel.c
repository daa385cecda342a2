/* The object "kernel" of a phase: what the kernel counted, and what it says of its caches. */
#include "result/fields.h"

static uint64_t reads_are_counted(const struct result_source *source)
{
	return source->result->trial.reads == READS_COUNTED;
}

static bool activity_known(const struct result_source *source)
{
	return source->measure->activity.devices || source->measure->activity.stall_nodes;
}

static uint64_t pages_are_seen(const struct result_source *source)
{
	return source->result->trial.pages_seen;
}

static bool trial_is_known(const struct result_source *source)
{
	return source->result->trial.reads != READS_UNKNOWN;
}

static const struct result_field io[] = {
	OF_MEASURE("tasks", io.tasks, "Tasks that could read /proc/self/io."),
	OF_MEASURE("rchar_bytes", io.rchar, "Bytes that read calls returned."),
	OF_MEASURE("wchar_bytes", io.wchar, "Bytes that write calls took."),
	OF_MEASURE("syscr", io.syscr, "Read system calls."),
	OF_MEASURE("syscw", io.syscw, "Write system calls."),
	OF_MEASURE("read_bytes", io.read_bytes, "Bytes that were fetched from a device or server."),
	OF_MEASURE("write_bytes", io.write_bytes,
		   "Bytes that were to be sent to a device or server."),
	OF_MEASURE("cancelled_write_bytes", io.cancelled_write_bytes,
		   "Bytes that were removed from the page cache before they were written."),
	{0},
};

#define CACHE(when)                                                                              \
	OF_MEASURE("files", when.files, "Files that were looked at."),                           \
		OF_MEASURE("file_bytes", when.bytes, "Size of these files."),                    \
		OF_MEASURE("resident_bytes", when.resident, "Bytes of them in the page cache."), \
		OF_MEASURE("dirty_bytes", when.dirty,                                            \
			   "Bytes of these that are still to be written."),                      \
		OF_MEASURE("writeback_bytes", when.writeback,                                    \
			   "Bytes of these that are being written."),                            \
	{                                                                                        \
		0                                                                                \
	}

static const struct result_field cache_before[] = {CACHE(before)};
static const struct result_field cache_after[] = {CACHE(after)};

static const struct result_field source_fields[] = {
	OF_MEASURE("files", source.files,
		   "Files that were looked at; a shared file counts once per node."),
	OF_MEASURE("file_bytes", source.bytes, "Size of these files, as far as the plan reads."),
	OF_MEASURE("hole_bytes", source.holes, "Bytes of these in holes, which no storage holds."),
	{0},
};

static const struct result_field activity[] = {
	OF_MEASURE("watched_ns", activity.watched_ns,
		   "Length of the phase, summed over the nodes."),
	OF_MEASURE("devices", activity.devices,
		   "Nodes whose kernel counts the device below the files."),
	OF_MEASURE("read_bytes", activity.read_bytes, "Bytes that were read from these devices."),
	OF_MEASURE("written_bytes", activity.written_bytes,
		   "Bytes that were written to these devices."),
	OF_MEASURE("dirty_bytes", activity.dirty_bytes,
		   "Bytes in the memory of these nodes that were still to be written when the "
		   "phase began."),
	OF_MEASURE("stall_nodes", activity.stall_nodes,
		   "Nodes whose kernel tells how long some task waited for a CPU."),
	OF_MEASURE("cpu_stall_ns", activity.cpu_stall_ns,
		   "Time in which any task of these nodes waited for a CPU."),
	OF_MEASURE("cpu_wait_ns", activity.cpu_wait_ns,
		   "Time in which threads of iorx waited for a CPU, summed."),
	{0},
};

const struct result_field result_fields_kernel[] = {
	OF_MEASURE("user_ns", user_ns, "Processor time in the program, summed over the tasks."),
	OF_MEASURE("system_ns", system_ns, "Processor time in the kernel, summed over the tasks."),
	OF_MEASURE("voluntary_context_switches", voluntary_switches,
		   "Times that a task gave up its CPU."),
	OF_MEASURE("involuntary_context_switches", involuntary_switches,
		   "Times that a task lost its CPU."),
	OBJECT("io", io, "Sums of /proc/self/io; null where no task can read it.",
	       IF_MEASURE(io.tasks)),
	{.key = "reads_are_counted",
	 .type = RESULT_TRUTH,
	 .count = reads_are_counted,
	 .known = trial_is_known,
	 .text = "read_bytes counts what comes from this file system; null where that was not "
		 "tried. After the first read of a test 4 MiB are written beside its file, dropped "
		 "from the cache and read."},
	{.key = "cached_pages_are_seen",
	 .type = RESULT_TRUTH,
	 .count = pages_are_seen,
	 .known = trial_is_known,
	 .text = "cachestat(2) saw the pages that this trial had read; overlayfs hides them."},
	OF_RESULT("pilot_ns", trial.pilot_ns,
		  "Service time of one task that read up to 16 MiB from cold storage in the order "
		  "and the transfer size of the test; null where that was not tried.",
		  IF_RESULT(trial.pilot_ns)),
	OF_RESULT(
		"floor_ns", trial.floor_ns,
		"Shortest of 32 reads of 4 KiB from cold storage by one task, in the order of the "
		"test; null where that was not tried.",
		IF_RESULT(trial.floor_ns)),
	OF_RESULT("hot_ns", trial.hot_ns, "Shortest of the same reads again.",
		  IF_RESULT(trial.floor_ns)),
	OBJECT("cache_before", cache_before,
	       "The files in the page cache before a read, by cachestat(2); null where that is not "
	       "known.",
	       IF_MEASURE(before.files)),
	OBJECT("cache_after", cache_after,
	       "The files in the page cache after a write, by cachestat(2); null where that is not "
	       "known.",
	       IF_MEASURE(after.files)),
	OBJECT("source", source_fields,
	       "The files that a phase was going to read; null where none was looked at.",
	       IF_MEASURE(source.files)),
	OBJECT("activity", activity,
	       "What all processes of the nodes did during the phase, by /proc/diskstats and "
	       "/proc/pressure/cpu; null where the kernel tells neither.",
	       .known = activity_known),
	{0},
};
