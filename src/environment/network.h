/* The network cards and InfiniBand ports of this node, as /sys has them. */
#ifndef ENVIRONMENT_NETWORK_H
#define ENVIRONMENT_NETWORK_H

#include "base/text.h"

/* Adds lines on all that are up, such as net.eth0.speed. */
void network_add(struct text *lines);

/* The speed of all that are up together, in bytes/s; 0: none has a speed that is known. */
double network_speed(void);

#endif
