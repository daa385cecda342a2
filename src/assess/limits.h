/* Rules L1 to L5: rates above what a limit allows. Private to the room. */
#ifndef ASSESS_LIMITS_H
#define ASSESS_LIMITS_H

#include "assess/verdict.h"

/*
 * Fails a rate above a limit that was given, and warns above one that was measured. Notes a rate
 * that is near to the limit if no other allows less.
 */
bool limit_is_reached(const struct phase_result *phase, enum limit limit, struct verdict *verdict);

#endif
