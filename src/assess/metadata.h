/* Rules M1 to M4: whether to believe the number of a metadata phase. Private to the room. */
#ifndef ASSESS_METADATA_H
#define ASSESS_METADATA_H

#include "assess/scene.h"

/* M1: operations failed. */
bool metadata_failed(const struct scene *scene, struct verdict *verdict);
/* M2: the kernel of the node that made the names may have answered for the storage. */
bool metadata_is_cached(const struct scene *scene, struct verdict *verdict);

/* M3: the directories of files had held other items. */
bool metadata_in_grown_directories(const struct scene *scene, struct verdict *verdict);

/* M4: a find saw other entries than were made. */
bool find_saw_entries(const struct scene *scene, struct verdict *verdict);

#endif
