/* The fault wrapper: stands before any backend and makes chosen operations fail on purpose. */
#ifndef BACKENDS_FAULT_H
#define BACKENDS_FAULT_H

#include "backends/backend.h"

extern const struct option_table fault_options;

/* True when the options ask for a fault at all. */
bool fault_wanted(const struct backend_options *options);

/*
 * Fills *wrapper with a backend that has exactly inner's operations and properties and hands each
 * call on, but for the faults. Its session needs backend_start.inner and inner_start.
 */
void fault_wrap(const struct backend *inner, struct backend *wrapper);

#endif
