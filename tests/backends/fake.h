/* A storage that is reached by pool and container handles, for the suite; see fake.c. */
#ifndef TESTS_BACKENDS_FAKE_H
#define TESTS_BACKENDS_FAKE_H

#include "backends/backend.h"

extern const struct backend fake_backend;
extern const struct option_table fake_options;

/* What prepare drew on task 0, as this task's start got it; never 0. */
uint64_t fake_connection(const struct backend_session *session);

#endif
