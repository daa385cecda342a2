/* The options of the libaio backend. */
#include "backends/libaio.h"

static const struct option libaio_rows[] = {
	BOOL(struct backend_options, direct, .group = "libaio",
	     .help = "Open files with O_DIRECT, which bypasses the page cache.",
	     .more = "Without it Linux does each transfer while it is submitted, one after the "
		     "other. Offsets and lengths must be multiples of what the file system asks "
		     "for, mostly 512 or 4096 bytes. Some file systems refuse it."),
};

const struct option_table libaio_options = {
	.prefix = "libaio",
	.prefix_aliases = "aio",
	.summary = "Queued transfers by Linux AIO",
	OPTION_ROWS(libaio_rows, struct backend_options),
};
