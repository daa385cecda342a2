/*
 * The fault wrapper: stands before any backend and makes chosen operations fail on purpose.
 *
 * Calls of the chosen operation are counted per task from the start of its session. The wrapper's
 * own options are fault_options; wrapper->options stays inner's. Open, close, start and stop reach
 * inner also when they are made to fail, and so does a collective transfer, with length 0: the
 * other tasks wait in them. Any other failed call does not reach it.
 */
#ifndef BACKENDS_FAULT_H
#define BACKENDS_FAULT_H

#include "backends/backend.h"

extern const struct option_table fault_options;

/* True if the options ask for a fault. */
bool fault_wanted(const struct backend_options *options);

/* True if the fault reports data as written that was not. */
bool fault_hides(const struct backend_options *options);

/*
 * Fills *wrapper with a backend that has inner's operations and properties, and always start and
 * stop. It passes each call on, except for faults. Its sizes include inner's. Its session needs
 * backend_start.options (of fault_options), inner and inner_start.
 */
void fault_wrap(const struct backend *inner, struct backend *wrapper);

#endif
