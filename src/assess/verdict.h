/*
 * Rules that say whether to believe a number. Each is a pure function of a phase's result and has
 * an id that doc/measurement.md explains.
 */
#ifndef ASSESS_VERDICT_H
#define ASSESS_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "result/result.h"

enum severity { SEVERITY_GOOD, SEVERITY_NOTE, SEVERITY_WARN, SEVERITY_FAIL };

const char *severity_name(enum severity severity); /* "good", "note", "warn", "fail" */

/* One number the verdict rests on; the name carries its unit as in JSON: "read_bytes". */
struct evidence {
	const char *name;
	double value;
};

enum { VERDICT_EVIDENCE = 5 };

struct verdict {
	const char *id; /* "C1" */
	enum severity severity;
	char meaning[200]; /* the finding with its numbers; one sentence */
	char remedy[160];  /* the advice; "" when good */
	struct evidence evidence[VERDICT_EVIDENCE];
	unsigned evidence_count;
};

/* Facts that are not in the phase itself. */
struct assess_facts {
	uint64_t memory_per_node; /* bytes; 0: unknown */
	uint32_t nodes_on_kernel; /* most nodes that share a kernel; 0: each has its own */
	bool reads_own_writes;	  /* the test wrote what this phase reads */
	const char *file_system;  /* type of file system; "" or NULL: unknown */
	bool journals_data;	  /* the file system writes data twice */
	const char *preloaded;	  /* libraries that the loader was told to load first; NULL: none */
};

enum { VERDICTS = 40 };

/*
 * True if this type of file system keeps its files in memory, so that its page cache is no cache.
 */
bool assess_in_memory(const char *file_system);
/* True if the test's api uses direct I/O. */
bool assess_direct(const struct test_spec *spec);

/*
 * Fills the verdicts on one complete or stopped phase and returns their number. A rule that does
 * not apply gives none.
 */
size_t assess_phase(const struct phase_result *phase, const struct test_result *test,
		    const struct assess_facts *facts, struct verdict verdicts[VERDICTS]);

#endif
