/*
 * Brings the environments of all nodes to task 0. Only hashes travel at first; then one node of
 * each distinct hash sends its text.
 */
#ifndef ENVIRONMENT_EXCHANGE_H
#define ENVIRONMENT_EXCHANGE_H

#include "comm/node.h"
#include "environment/compare.h"

/* Most texts that are sent; further nodes are counted as unheard. */
enum { EXCHANGE_TEXTS = 64 };

/*
 * The first task of each node gathers. paths: as in struct gather_request. Collective over all
 * tasks of the job; task 0 gets *environments, which it releases.
 */
void environments_gather(const struct world *world, const struct node *node,
			 const char *const *paths, size_t path_count,
			 struct environments *environments);

#endif
