/*
 * Directories test-dir.REPETITION-NUMBER of a metadata test, one for each of its trees. One task of
 * each target makes them, marks them as of iorx, and removes them.
 */
#ifndef ENGINE_METADATA_TEST_DIRECTORIES_H
#define ENGINE_METADATA_TEST_DIRECTORIES_H

#include "engine/core/worker.h"

/*
 * Changes nothing. Reports ERROR_INPUT if an existing test directory of any repetition holds more
 * than the marker. With `removed` directories with a marker may hold anything, as an earlier test
 * removes them.
 */
int test_directories_check(struct worker *worker, bool removed, struct error *err);
/*
 * Reports ERROR_INPUT if the directory of a load's items, which has its name from test_file, is a
 * symbolic link of another user. It may lead anywhere.
 */
int test_directories_check_link(const struct worker *worker, const char *target, struct error *err);
/*
 * Makes test directories and the missing part of the target above. An existing one must be empty,
 * else ERROR_INPUT.
 */
int test_directories_make(struct worker *worker, uint64_t repetition, struct error *err);
/*
 * Removes test directories that hold only the marker, outside the timed part. Others stay and are
 * counted in the measure's tests_kept. A failed removal is a failed operation of the phase.
 */
void test_directories_remove(struct worker *worker, uint64_t repetition);
/*
 * Removes test directories that this repetition made or found empty, with all that tests leave in
 * them. Other files stay.
 */
int test_directories_clean_up(struct worker *worker, uint64_t repetition, struct error *err);

#endif
