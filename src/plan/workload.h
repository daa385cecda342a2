/*
 * The kinds of test: data, metadata and load. The row of a kind says what the rooms above the plan
 * need to know of such a test, so that they need not ask which kind it is.
 */
#ifndef PLAN_WORKLOAD_H
#define PLAN_WORKLOAD_H

#include "options/job.h"
#include "plan/plan.h"

struct workload_traits {
	const char *program;	/* whose numbers it can be compared with: "IOR"; NULL: none */
	const char *key;	/* option that names its files: "test_file" */
	const char *unit;	/* what status_file counts: "transfers" */
	const char *holds;	/* what these are: "data" */
	bool has_names;		/* makes trees of items, and no files of the test */
	bool counts_operations; /* its rates are operations/s, also of phases that move data */
	int (*build)(struct plan *plan, const struct test_spec *spec, const struct backend *backend,
		     const struct facts *facts, struct error *err);
};

/* The row of a plan's test. */
const struct workload_traits *plan_traits(const struct plan *plan);

/* Builds the plan of any test. Returns 0, or -1 with ERROR_INPUT, which names the option. */
int plan_build_test(struct plan *plan, const struct test_spec *spec, const struct backend *backend,
		    const struct facts *facts, struct error *err);

/* False for a test on names alone. */
bool plan_moves_data(const struct plan *plan);

/* True if the test writes files or creates items, so that it makes the status file. */
bool plan_makes_files(const struct plan *plan);

/* True for the phase whose count status_file keeps: the last one that writes or creates items. */
bool plan_keeps_count(const struct plan *plan, enum phase_kind kind);

/* Time limit of a phase in seconds; 0: the phase ends when everything is moved. */
double plan_time_limit(const struct plan *plan, enum phase_kind kind);

#endif
