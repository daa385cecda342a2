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

/* True when the options ask for a fault at all. */
bool fault_wanted(const struct backend_options *options);

/* True when it says that data was written which was not. */
bool fault_hides(const struct backend_options *options);

/*
 * Fills *wrapper with a backend that has inner's operations and properties and hands each call on,
 * but for the faults; start and stop it always has. Its sizes hold inner's. Its session needs
 * backend_start.options (of fault_options), inner and inner_start.
 */
void fault_wrap(const struct backend *inner, struct backend *wrapper);

#endif
