/* Whether some were slow again and again: rule N1. Private to the room. */
#ifndef ASSESS_SLOW_H
#define ASSESS_SLOW_H

#include "assess/verdict.h"

/* Of the repetitions of one kind of phase. Fills a verdict with an id; false: nobody was slow. */
bool assess_slow(const struct slow_history *history, enum phase_kind kind, bool shared_file,
		 struct verdict *verdict);

#endif
