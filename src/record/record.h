/*
 * Results as JSON objects, one per line of the journal. doc/result.md says what the members mean,
 * doc/result.schema.json which there are. The caller owns the returned objects.
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <jansson.h>

#include "environment/environment.h"
#include "environment/mount.h"
#include "assess/repetitions.h"
#include "options/job.h"
#include "result/result.h"

#define SCHEMA_NAME "iorx-result"
#define SCHEMA_VERSION "2.0"

/* Names of the nodes, by number; names NULL: not known. */
struct hosts {
	const char (*names)[HOST_NAME_SIZE];
	uint32_t count;
};

/* NULL when the name is not known. */
const char *hosts_name(const struct hosts *hosts, uint32_t node);

json_t *record_run(const struct job *job, int argc, char *const *argv,
		   const struct environment *environment, const struct hosts *hosts);
json_t *record_test(const struct job *job, const struct test_result *test,
		    const struct mount_facts *mount);
/*
 * The lines of a test: a phase, the removal of a repetition's files, the end. The first task of the
 * test makes them. It knows its nodes by number alone, so "host" is null beside "node" until task 0
 * of the job adds the names.
 */
json_t *record_phase(const struct test_result *test, const struct phase_result *phase,
		     const struct verdict *verdicts, size_t count);
json_t *record_removal(uint64_t repetition, double seconds);
/* assessed: filled by assess_summaries(). */
json_t *record_test_end(const struct test_result *test, const struct assessed_summary *assessed);
void record_add_hosts(json_t *line, const struct hosts *hosts);
/* Names what differs on the node that N1 says is slow, in place of the remedy, as `run` has it. */
void record_add_environment(json_t *line, const struct environments *environments,
			    const json_t *run);

/* The plan of a test, with the members that tests of data and of metadata share. */
json_t *record_plan(json_t *test, const struct plan *plan);
void record_readers(json_t *plan, const char *key, const struct reader_map *readers);
/* metadata.c */
void record_tree(json_t *test, const struct plan *plan);
/* Adds an array "histogram" of lower edges and counts. */
void record_histogram(json_t *record, const struct histogram *histogram);
/* Adds an array "verdicts" to the object. */
void record_verdicts(json_t *object, const struct verdict *verdicts, size_t count);
/*
 * Adds the counters to a phase or a test. The member is null for NULL and for interfaces that
 * Darshan has no module for.
 */
void record_counters(json_t *owner, const char *key, const struct counters *counters,
		     const struct plan *plan);
void record_slow_history(json_t *summary, const struct slow_history *history);
json_t *record_error(const struct error *err);
json_t *record_end(enum job_status status, int exit_code);

/* Adds every option of a table to an object under its name, with value, unit and origin. */
void record_options(json_t *object, const struct job *job, const struct option_set *set);

#endif
