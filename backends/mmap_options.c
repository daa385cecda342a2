/* The options of the mmap backend. */
#include "backends/mmap.h"

const char *const mmap_advice_names[] = {
	[ADVICE_NORMAL] = "normal",	[ADVICE_SEQUENTIAL] = "sequential",
	[ADVICE_RANDOM] = "random",	[ADVICE_WILLNEED] = "willneed",
	[ADVICE_DONTNEED] = "dontneed", [ADVICE_PATTERN] = "pattern",
	[ADVICE_PATTERN + 1] = NULL,
};

static const struct option mmap_rows[] = {
	CHOICE(struct backend_options, madvise, mmap_advice_names, .initial = "normal",
	       .group = "mmap", .help = "Advice to the kernel about the use of the mapping.",
	       .more = "normal: nothing. sequential: read further ahead, and let go of pages "
		       "early. random: no reading ahead. willneed: start reading the whole file at "
		       "open. dontneed: the pages of each transfer are unmapped after it, so that "
		       "the next one there faults again; they stay in the page cache. pattern: "
		       "random where the test's order is (-z), else sequential."),
	BOOL(struct backend_options, populate, .group = "mmap",
	     .help = "Map all pages at open (MAP_POPULATE), which reads the file.",
	     .more = "Every task maps the whole file it opens, also a shared one. Pages to write "
		     "still fault once, when they become dirty."),
	BOOL(struct backend_options, huge_pages, .group = "mmap",
	     .help = "Ask for huge pages (MADV_HUGEPAGE), on file systems that have them.",
	     .more = "For example tmpfs mounted with huge=advise."),
};

const struct option_table mmap_options = {
	.prefix = "mmap",
	.summary = "Memory-mapped files: transfers are copies, the kernel reads and writes",
	OPTION_ROWS(mmap_rows, struct backend_options),
};
