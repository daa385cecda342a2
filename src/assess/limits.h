/* Rules L1 to L3: rates above what a limit allows. Private to the room. */
#ifndef ASSESS_LIMITS_H
#define ASSESS_LIMITS_H

#include "assess/verdict.h"

/* Fails a rate above the limit, and notes one that is near to it if no other allows less. */
bool limit_is_reached(const struct phase_result *phase, enum limit limit, struct verdict *verdict);

#endif
