/* Rules C4 and D1: the page cache between a phase and the storage. Private to the room. */
#ifndef ASSESS_CACHE_H
#define ASSESS_CACHE_H

#include "assess/scene.h"

/* C4: what a node moves fits into its memory, and nothing prevents the cache. */
bool cache_has_room(const struct scene *scene, struct verdict *verdict);
/* D1: data written was not yet on the device when the clock stopped. */
bool cache_keeps_data(const struct scene *scene, struct verdict *verdict);

#endif
