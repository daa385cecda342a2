/*
 * The directories test-dir.REPETITION-NUMBER of a metadata test, one for each of its trees, which one task
 * of each target makes, marks as of iorx, and removes; the other tasks have none.
 */
#ifndef ENGINE_METADATA_TEST_DIRECTORIES_H
#define ENGINE_METADATA_TEST_DIRECTORIES_H

#include "engine/core/worker.h"

/*
 * Touches nothing: those of all repetitions that are there must be empty but for the marker, else ERROR_INPUT. With
 * `removed` those with a marker may hold anything: a test that comes first removes them.
 */
int test_directories_check(struct worker *worker, bool removed, struct error *err);
/* With what is missing of the target above. One that is there must be empty, else ERROR_INPUT. */
int test_directories_make(struct worker *worker, uint64_t repetition, struct error *err);
/*
 * Those that are empty but for the marker, outside the time. What is not empty stays, and is counted in the measure's
 * tests_kept; what cannot be removed is a failed operation of the phase.
 */
void test_directories_remove(struct worker *worker, uint64_t repetition);
/* Those of them this repetition made or found empty, with all that tests leave in them; what else lies there stays. */
int test_directories_clean_up(struct worker *worker, uint64_t repetition, struct error *err);

#endif
