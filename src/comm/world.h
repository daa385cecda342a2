/* The world: all tasks of the job, and which of them share a node. */
#ifndef COMM_WORLD_H
#define COMM_WORLD_H

#include "comm/comm.h"
#include "plan/node_map.h"

enum { HOST_NAME_SIZE = 64 };

struct world {
	struct comm all; /* a duplicate of MPI_COMM_WORLD */
	struct node_map map;
	/*
	 * The kernel of each node, numbered by its first node; NULL: each node has its own. Nodes
	 * with one kernel (containers of one host) share its page cache and its memory.
	 */
	uint32_t *kernels;
	uint32_t nodes_on_kernel; /* most nodes that share a kernel */
	uint32_t node;		  /* of this task */
	uint32_t slot;		  /* earlier tasks on this node */
	uint32_t node_tasks;	  /* tasks on this node */
	char host[HOST_NAME_SIZE];
	char (*hosts)[HOST_NAME_SIZE]; /* names by node; on task 0 only, NULL elsewhere */
};

/*
 * Starts MPI. Tasks are on the same node if host name and boot id are equal. This holds for
 * emulated hosts on one machine and for hosts of a cluster with the same name. All tasks get
 * hashes; task 0 alone gets the names.
 */
void world_start(int *argc, char ***argv, struct world *world);
void world_find_nodes(struct world *world);
void world_finish(struct world *world);

/* The first line of the MPI library's version, "Open MPI v4.1.4, …". */
void world_mpi_version(char *buffer, size_t size);

#endif
