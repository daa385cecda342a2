/* The speed of this node's network cards, as /sys has it. */
#ifndef MEASURE_NETWORK_CARD_H
#define MEASURE_NETWORK_CARD_H

/* All cards and InfiniBand ports that are up, together, in bytes/s; 0: none tells its speed. */
double network_card_speed(void);

#endif
