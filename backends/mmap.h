/* The options of the mmap backend, which exist also if it is not built in. */
#ifndef BACKENDS_MMAP_H
#define BACKENDS_MMAP_H

#include <stdbool.h>

#include "options/option.h"

enum advice {
	ADVICE_NORMAL,
	ADVICE_SEQUENTIAL,
	ADVICE_RANDOM,
	ADVICE_WILLNEED,
	ADVICE_DONTNEED,
	ADVICE_PATTERN,
};

struct backend_options {
	int madvise; /* enum advice */
	bool populate;
	bool huge_pages;
};

extern const char *const mmap_advice_names[];
extern const struct option_table mmap_options;

#endif
