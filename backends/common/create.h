/*
 * Files of formats whose library opens what is there and creates what is not: which of the two an open
 * has to be is found, and the file made with our mode, before the library is called.
 */
#ifndef BACKENDS_COMMON_CREATE_H
#define BACKENDS_COMMON_CREATE_H

#include "backends/backend.h"

/* What an open of the library has to do. */
enum way { WAY_FAILED, WAY_OPEN, WAY_CREATE };

/*
 * Collective over how->comm. An empty file is to be created, one that holds something opened, and
 * what is only read is opened. All get the same answer: 0, or -1 with WAY_FAILED and *err. A file that is to be
 * created is there then, empty, and the caller's: with how->exclusive nobody else has made it, so the library's
 * create replaces what it finds.
 */
int create_choose_way(const struct backend_open *how, enum way *way, struct error *err);

#endif
