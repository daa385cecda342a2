/* Rules M1 to M6: whether to believe the number of a metadata phase. Private to the room. */
#ifndef ASSESS_NAMES_H
#define ASSESS_NAMES_H

#include "assess/verdict.h"

/* M1: operations failed. */
bool names_failed(const struct phase_result *phase, struct verdict *verdict);
/* M2: the kernel of the node that made the names may have answered for the storage. */
bool names_are_cached(const struct phase_result *phase, const struct plan *plan,
		      const char *file_system, struct verdict *verdict);

/* M3: the directories of files had held other items. */
bool names_in_grown_directories(const struct phase_result *phase, struct verdict *verdict);

/* M5: a mix with a rate did not do all due operations in time. */
bool names_kept_the_rate(const struct phase_result *phase, const struct plan *plan, struct verdict *verdict);

/* M6: the response times of a mix with a rate are largely late wake-ups of iorx. */
bool names_woke_in_time(const struct phase_result *phase, struct verdict *verdict);

/* M4: a find saw other entries than were made. */
bool names_were_found(const struct phase_result *phase, struct verdict *verdict);

#endif
