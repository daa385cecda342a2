/*
 * Rules M5 to M8: whether a mix or a load did what it was asked for.
 * Private to the room.
 */
#ifndef ASSESS_PACE_H
#define ASSESS_PACE_H

#include "assess/scene.h"

/* M5: too few operations were issued in time, or they were issued later and later. */
bool pace_was_missed(const struct scene *scene, struct verdict *verdict);
/* M6: the response times are largely late wake-ups of iorx. */
bool pace_woke_late(const struct scene *scene, struct verdict *verdict);
/* M7: the tasks of a load are so busy that operations wait for them, and not for the storage. */
bool pace_limited_by_client(const struct scene *scene, struct verdict *verdict);
/* M8: a load missed a share, a size or the depth that it was asked for. */
bool pace_missed_goal(const struct scene *scene, struct verdict *verdict);

#endif
