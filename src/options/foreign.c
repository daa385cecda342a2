/* Options that IOR or mdtest has and iorx has not; the letters are those in batch files, old ones
 * too. And IOR's options for which load tests have others. */
#include "options/foreign.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#define FLAG(key, ...)                                        \
	{                                                     \
		.name = key, .type = OPTION_BOOL, __VA_ARGS__ \
	}
#define VALUE(key, ...)                                        \
	{                                                      \
		.name = key, .type = OPTION_COUNT, __VA_ARGS__ \
	}
#define SHARED_POINTER                                                                            \
	"tasks that share a file pointer wait for one another at each transfer, which iorx does " \
	"not do; remove it, tasks have places of their own in a shared file"
#define LUSTRE                                                                                   \
	"iorx does not set stripes; make an empty file with lfs setstripe first, it is used as " \
	"it "                                                                                    \
	"is, or set them on its directory; remove the key"

#define GPU                                                                                        \
	"iorx moves data from and to main memory only, so a result with it would not be what was " \
	"asked for; remove it"
#define GPFS "iorx gives no hints to GPFS (IBM Storage Scale); remove it"
/* GPU options, which both programs have. The GPU's number alone has no effect. */
#define GPU_ROWS \
	VALUE("GPUid"), FLAG("gpuDirect", .why = GPU), FLAG("allocateBufferOnGPU", .why = GPU)

static const struct option ior_rows[] = {
	GPU_ROWS,
	FLAG("gpfsHintAccess", .aliases = "posix.gpfs.hintaccess", .why = GPFS),
	FLAG("gpfsReleaseToken", .aliases = "posix.gpfs.releasetoken", .why = GPFS),
	FLAG("mmap.madv_pattern", .instead = "mmap.madvise=pattern"),
	FLAG("mmap.madv_dont_need", .note = "with mmap.madvise=dontneed the pages of each transfer "
					    "are given back after it"),
	FLAG("summary_always", .help = "Each test always has a summary"),
	VALUE("platform", .help = "Results always name the platform"),
	FLAG("quit_on_error", .letter = 'q', .help = "A test always ends at its first error"),
	FLAG("show_hints", .letter = 'H', .help = "Results always hold the hints in effect"),
	FLAG("useO_DIRECT", .letter = 'B', .instead = "posix.direct"),
	FLAG("showHelp", .why = "iorx --help shows it, on the command line; remove it"),
	FLAG("storeFileOffset", .why = "it is content=ior-offset (-l o) now; say that instead"),
	FLAG("useSharedFilePointer", .letter = 'P', .why = SHARED_POINTER),
	VALUE("lustreStripeCount", .aliases = "posix.lustre.stripecount", .why = LUSTRE),
	VALUE("lustreStripeSize", .aliases = "posix.lustre.stripesize", .why = LUSTRE),
	VALUE("lustreStartOST", .aliases = "posix.lustre.startost", .why = LUSTRE, .initial = "-1"),
	VALUE("lustreStripeStart", .why = LUSTRE, .initial = "-1"),
	FLAG("lustreIgnoreLocks", .aliases = "posix.lustre.ignorelocks", .why = LUSTRE),
};

#define PER_TASK "--task-table=FILE writes the times of each task"

static const struct option mdtest_rows[] = {
	GPU_ROWS,
	FLAG("print-all-procs", .note = PER_TASK),
	FLAG("showRankStatistics", .note = PER_TASK),
	FLAG("no_barriers", .letter = 'B',
	     .why = "phases begin together here, as their rates count from a common start; remove "
		    "it"),
	VALUE("verbosity", .letter = 'V', .instead = "verbose"),
	VALUE("ior_ref_num", .letter = 'A',
	      .why = "it is IOR's refNum and no flag of mdtest; use --ref-num=N"),
};

#define BY_OPERATIONS "a load test has operations instead, such as operations=read:70,write:30"
#define BY_SIZES "a load test has sizes instead, such as sizes=4k"
#define BY_FILES "the files of a load test are described by files and file_size"
#define BY_DURATION "a load test ends after a time by duration; use that"
#define IN_TURN "each task of a load test moves its own data; remove it"

static const struct option load_rows[] = {
	FLAG("write_file", .letter = 'w', .why = BY_OPERATIONS),
	FLAG("read_file", .letter = 'r', .why = BY_OPERATIONS),
	VALUE("transfer_size", .letter = 't', .why = BY_SIZES),
	VALUE("block_size", .letter = 'b', .why = BY_FILES),
	VALUE("segment_count", .letter = 's', .why = BY_FILES),
	FLAG("file_per_proc", .letter = 'F',
	     .why = "a load test has file_scope instead; its default is files of each task"),
	FLAG("random_offset", .letter = 'z',
	     .why = "a load test has random instead, the share of transfers at random places"),
	FLAG("collective", .letter = 'c', .why = IN_TURN),
	FLAG("strided", .letter = 'S', .why = IN_TURN),
	VALUE("stonewall", .letter = 'D', .why = BY_DURATION),
	VALUE("min_time_duration", .why = BY_DURATION),
	VALUE("inter_io_delay", .why = "a load test has think_time instead, or a rate"),
	FLAG("keep_file", .letter = 'k',
	     .why = "a load test keeps its files for later tests; remove it"),
};

const struct option_table *foreign_options(enum workload workload)
{
	static const struct option_table tables[] = {
		[WORKLOAD_DATA] = {.prefix = "",
				   .rows = ior_rows,
				   .count = sizeof(ior_rows) / sizeof(ior_rows[0])},
		[WORKLOAD_METADATA] = {.prefix = "",
				       .rows = mdtest_rows,
				       .count = sizeof(mdtest_rows) / sizeof(mdtest_rows[0])},
		[WORKLOAD_LOAD] = {.prefix = "",
				   .rows = load_rows,
				   .count = sizeof(load_rows) / sizeof(load_rows[0])},
	};

	return &tables[workload];
}

/* "0", "0.0", "0k" */
static bool is_zero(const char *value)
{
	char *end;

	if (strtod(value, &end) < 0 || strtod(value, &end) > 0 || end == value)
		return false;
	while (isalpha((unsigned char)*end))
		end++;
	return *end == '\0';
}

bool foreign_is_off(const struct option *row, const char *value)
{
	static const char *const off[] = {"", "false", "no", "off"};

	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		if (!strcasecmp(value, off[i]))
			return true;
	return is_zero(value) || (row->initial && !strcasecmp(value, row->initial));
}
