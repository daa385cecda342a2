/* Where nodes differ: pure functions of what each node said. */
#ifndef ENVIRONMENT_COMPARE_H
#define ENVIRONMENT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Nodes that said the same. The text is sorted lines. */
struct like_nodes {
	struct text lines;
	uint32_t *nodes; /* ascending */
	uint32_t count;
};

struct differing_value {
	const char *value; /* NULL: these nodes do not have the key */
	uint32_t *nodes;   /* ascending */
	uint32_t count;
};

/* A key that not all nodes have alike. */
struct differing_key {
	const char *key;
	struct differing_value *values; /* the first is that of most nodes */
	size_t count;
};

/* Time that gathering took: more wall time than CPU time where the node's CPUs were busy. */
struct gather_seconds {
	double wall, cpu;
};

struct environments {
	struct like_nodes *groups; /* owned; the texts are split at NULs */
	size_t group_count;
	uint32_t nodes;		    /* nodes that said something */
	uint32_t unheard;	    /* nodes whose text was not asked for, as too many differ */
	struct gather_seconds took; /* the longest of any node */
	struct text common;	    /* lines of the values of most nodes */
	struct differing_key *keys;
	size_t key_count;
};

/*
 * Compares the groups, which it takes; the array must be from the heap. A key with equally many
 * nodes on two sides has the value of the lowest node as that of most.
 */
void environments_compare(struct environments *environments, struct like_nodes *groups,
			  size_t count);
void environments_release(struct environments *environments);

/* Number of the value that a node has for the key; 0: that of most nodes, or it is not known. */
size_t environments_value(const struct differing_key *key, uint32_t node);

#endif
