/*
 * Agreement of the tasks that share a file: by the contract, an open that fails on one of them
 * fails on all.
 */
#ifndef BACKENDS_COMMON_AGREE_H
#define BACKENDS_COMMON_AGREE_H

#include "backends/backend.h"

/*
 * Collective over how->comm. ret and *err are this task's own outcome. If any task has failed, all
 * return -1, and tasks without an error, or without its cause, get the error of the first task that
 * knows one. A failed task calls how->failing first, as the library may hold up the others.
 */
int agree_open(const struct backend_open *how, int ret, struct error *err);

#endif
