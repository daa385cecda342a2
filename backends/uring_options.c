/* The options of the uring backend. */
#include "backends/uring.h"

#define ROW(kind, member, ...) kind(struct backend_options, member, .group = "uring", __VA_ARGS__)

static const struct option uring_rows[] = {
	ROW(BOOL, direct, .help = "Open files with O_DIRECT, which bypasses the page cache.",
	    .more = "Offsets and lengths must then be multiples of what the file system asks for, "
		    "mostly 512 or 4096 bytes. Some file systems refuse it."),
	ROW(BOOL, sqpoll, .help = "Let a kernel thread per task submit the transfers.",
	    .more = "The thread spins on a CPU while there is work: leave a CPU free for it. "
		    "Submitting "
		    "then needs no system call."),
	ROW(SECONDS, sqpoll_idle, .initial = "1s", .max = 3600,
	    .help = "Time that the kernel thread spins without work before it sleeps."),
	ROW(INTEGER, sqpoll_cpu, .initial = "-1",
	    .help = "CPU that the kernel thread is bound to; -1: any."),
	ROW(BOOL, iopoll,
	    .help = "Poll the device for completions instead of waiting for its interrupts.",
	    .more = "It needs uring.direct and a device with poll queues (nvme.poll_queues=N); a "
		    "device "
		    "that is known to have none is refused."),
	ROW(BOOL, fixed_buffers, .initial = "true",
	    .help = "Register the buffers with the kernel once instead of mapping them in each "
		    "transfer.",
	    .more = "Where the kernel does not allow it, the test runs with plain buffers, and its "
		    "settings in the results say so."),
	ROW(BOOL, registered_files, .initial = "true",
	    .help = "Register the file with the kernel once instead of in each transfer."),
};

const struct option_table uring_options = {
	.prefix = "uring",
	.summary = "Queued transfers and metadata operations by io_uring",
	OPTION_ROWS(uring_rows, struct backend_options),
};
