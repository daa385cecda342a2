/* The backends that api=auto chooses from. */
#ifndef OPTIONS_CANDIDATES_H
#define OPTIONS_CANDIDATES_H

#include <stdbool.h>

#include "options/test.h"

enum candidate { CANDIDATE_POSIX, CANDIDATE_URING, CANDIDATE_LIBAIO, CANDIDATES };

const char *candidate_name(enum candidate candidate); /* of its backend and of its options' table */

/* Whether a test's backend is chosen by a probe; once job_complete() has settled the name. */
bool api_is_auto(const struct test *test);

/* Whether options of a backend are the test's: its own, or with auto those of a candidate. */
bool api_uses(const struct test *test, const char *backend);

#endif
