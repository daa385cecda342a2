/* Rule N1: members that were slow repeatedly. Private to the room. */
#ifndef ASSESS_SLOW_H
#define ASSESS_SLOW_H

#include "assess/verdict.h"

/*
 * Judges the repetitions of one kind of phase. Fills a verdict with an id; false: no member was
 * slow.
 */
bool assess_slow(const struct slow_history *history, enum phase_kind kind, bool shared_file,
		 struct verdict *verdict);

#endif
