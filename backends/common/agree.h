/*
 * One answer for all tasks that share a file: the contract wants an open that fails on one of them to
 * fail on every one.
 */
#ifndef BACKENDS_COMMON_AGREE_H
#define BACKENDS_COMMON_AGREE_H

#include "backends/backend.h"

/*
 * Collective over how->comm. ret and *err are this task's own outcome; when a task has failed, all
 * return -1 and those that had not get the error of the first that did. how->failing is told before, as
 * the library may keep the others.
 */
int agree_open(const struct backend_open *how, int ret, struct error *err);

#endif
