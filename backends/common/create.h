/*
 * For libraries that open existing files and create missing ones by different calls. This finds the
 * call that is needed and creates the file with our mode, before the library is called.
 */
#ifndef BACKENDS_COMMON_CREATE_H
#define BACKENDS_COMMON_CREATE_H

#include "backends/backend.h"

/* The library's call for an open. */
enum way { WAY_FAILED, WAY_OPEN, WAY_CREATE };

/*
 * Collective over how->comm. An empty file is to be created, a file with content or for reading is
 * to be opened. All tasks get the same answer: 0, or -1 with WAY_FAILED and *err. A file to be
 * created then exists, empty and owned by the caller. With how->exclusive it was made by no other
 * program, so the library's create may replace it.
 */
int create_choose_way(const struct backend_open *how, enum way *way, struct error *err);

#endif
