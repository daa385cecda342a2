/* Options that IOR or mdtest has and iorx has not; the letters are those in batch files, old ones too. */
#include "options/foreign.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#define FLAG(key, ...) { .name = key, .type = OPTION_BOOL, __VA_ARGS__ }
#define VALUE(key, ...) { .name = key, .type = OPTION_COUNT, __VA_ARGS__ }
#define SHARED_POINTER                                                                             \
	"tasks that share a file pointer wait for one another at each transfer, which iorx does "  \
	"not do; remove it, tasks have places of their own in a shared file"
#define LUSTRE                                                                                     \
	"iorx does not set stripes; make an empty file with lfs setstripe first, it is used as it " \
	"is, or set them on its directory; remove the key"

#define GPU                                                                                        \
	"iorx moves data from and to main memory only, so a result with it would not be what was " \
	"asked for; remove it"
#define GPFS "iorx gives no hints to GPFS (IBM Storage Scale); remove it"
/* GPU options, which both programs have. The GPU's number alone has no effect. */
#define GPU_ROWS                                                                                   \
	VALUE("GPUid"),                                                                            \
	FLAG("gpuDirect", .why = GPU),                                                             \
	FLAG("allocateBufferOnGPU", .why = GPU)

static const struct option ior_rows[] = {
	GPU_ROWS,
	FLAG("gpfsHintAccess", .aliases = "posix.gpfs.hintaccess", .why = GPFS),
	FLAG("gpfsReleaseToken", .aliases = "posix.gpfs.releasetoken", .why = GPFS),
	FLAG("mmap.madv_pattern", .instead = "mmap.madvise=pattern"),
	FLAG("mmap.madv_dont_need",
	     .note = "with mmap.madvise=dontneed the pages of each transfer are given back after it"),
	FLAG("summary_always", .help = "Always so: each test has a summary"),
	VALUE("platform", .help = "Always so: results name the platform"),
	FLAG("quit_on_error", .letter = 'q', .help = "Always so: a test ends at its first error"),
	FLAG("show_hints", .letter = 'H', .help = "Always so: results hold the hints in effect"),
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
	     .why = "phases begin together here, as their rates count from a common start; remove it"),
	VALUE("verbosity", .letter = 'V', .instead = "verbose"),
	VALUE("ior_ref_num", .letter = 'A',
	      .why = "it is IOR's refNum and no flag of mdtest; use --ref-num=N"),
};

const struct option_table *foreign_options(enum workload workload)
{
	static const struct option_table tables[] = {
		[WORKLOAD_DATA] = { .prefix = "", .rows = ior_rows,
				    .count = sizeof(ior_rows) / sizeof(ior_rows[0]) },
		[WORKLOAD_METADATA] = { .prefix = "", .rows = mdtest_rows,
					.count = sizeof(mdtest_rows) / sizeof(mdtest_rows[0]) },
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
	static const char *const off[] = { "", "false", "no", "off" };

	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		if (!strcasecmp(value, off[i]))
			return true;
	return is_zero(value) || (row->initial && !strcasecmp(value, row->initial));
}
