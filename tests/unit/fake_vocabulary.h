/* A small vocabulary for tests of options and dialects: two apis and one that is not built in. */
#ifndef TESTS_UNIT_FAKE_VOCABULARY_H
#define TESTS_UNIT_FAKE_VOCABULARY_H

#include "base/text.h"
#include "options/vocabulary.h"

struct fake_posix {
	bool direct;
	uint64_t stripe;
	const char *command;
};

static const struct option fake_posix_rows[] = {
	BOOL(struct fake_posix, direct, .aliases = "odirect", .group = "posix",
	     .help = "Open files with O_DIRECT.", .more = "Some file systems refuse it."),
	SIZE(struct fake_posix, stripe, .initial = "1MiB", .min = 4096, .max = 1 << 30,
	     .group = "posix", .help = "Bytes of a stripe."),
	STRING(struct fake_posix, command, .runs_command = true, .group = "posix",
	       .help = "A command."),
};

static const struct option_table fake_posix_table = {
	.prefix = "posix",
	.summary = "Files of the operating system",
	.rows = fake_posix_rows,
	.count = sizeof(fake_posix_rows) / sizeof(fake_posix_rows[0]),
	.values_size = sizeof(struct fake_posix),
};

struct fake_null {
	double delay_xfer;
	unsigned noise;
	const char *hint;
	bool preallocate;
	uint64_t alignment;
};

static const struct option fake_null_rows[] = {
	SECONDS(struct fake_null, delay_xfer, .max = 60, .help = "Pause of a transfer."),
	LEVEL(struct fake_null, noise, .max = 3, .help = "How much it says."),
	PAIRS(struct fake_null, hint, .help = "A hint."),
	BOOL(struct fake_null, preallocate, .ior_key = "preallocate", .letter = 'p',
	     .help = "Allocate."),
	SIZE(struct fake_null, alignment, .aliases = "setAlignment", .ior_key = "setAlignment",
	     .letter = 'J', .initial = "1", .min = 1, .help = "Align."),
};

static const struct option_table fake_null_table = {
	.prefix = "null",
	.prefix_aliases = "dummy",
	.summary = "No storage",
	.rows = fake_null_rows,
	.count = sizeof(fake_null_rows) / sizeof(fake_null_rows[0]),
	.values_size = sizeof(struct fake_null),
};

static const struct option_table *const fake_tables[] = {&fake_posix_table, &fake_null_table};

static int fake_find_api(const char *name)
{
	if (text_same_key(name, "posix"))
		return 0;
	return text_same_key(name, "null") || text_same_key(name, "dummy") ? 1 : -1;
}

static int fake_check_api(const char *name, struct error *err)
{
	if (fake_find_api(name) >= 0)
		return 0;
	if (text_same_key(name, "hdf5"))
		return error_input(err, "hdf5 is not built in; install libhdf5-openmpi-dev");
	return error_input(err, "there is no backend \"%.40s\"", name);
}

static const struct vocabulary fake_vocabulary = {
	.tables = fake_tables,
	.count = 2,
	.check_api = fake_check_api,
	.find_api = fake_find_api,
};

#endif
