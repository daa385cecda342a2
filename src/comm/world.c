/* The world: all tasks of the job, and which of them share a node. */
#include "comm/world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* A node, identified by its hash. Nodes are in the order of their first task. */
struct found_node {
	uint64_t hash;
	uint64_t kernel; /* hash of its boot id, or of its name where there is none */
	char host[HOST_NAME_SIZE];
};

/* Facts about a node that all tasks learn. */
struct known_node {
	uint64_t hash;
	uint32_t kernel; /* the first node with this kernel */
	uint32_t nodes;	 /* nodes so far that have it */
};

void world_start(int *argc, char ***argv, struct world *world)
{
	int provided;

	*world = (struct world){0};
	MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_dup(MPI_COMM_WORLD, &world->all.handle);
	MPI_Comm_rank(world->all.handle, &world->all.rank);
	MPI_Comm_size(world->all.handle, &world->all.size);
	if (gethostname(world->host, sizeof(world->host)))
		snprintf(world->host, sizeof(world->host), "unknown");
	world->host[sizeof(world->host) - 1] = '\0';
}

static struct found_node identify(const struct world *world)
{
	struct found_node node = {0};
	char identity[HOST_NAME_SIZE + 64];
	const size_t name = strlen(world->host);
	size_t length = name;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	memcpy(node.host, world->host, sizeof(node.host));
	memcpy(identity, world->host, name);
	if (fd >= 0) {
		ssize_t got = read(fd, identity + name, sizeof(identity) - name);

		length += got > 0 ? (size_t)got : 0;
		close(fd);
	}
	node.hash = text_hash(identity, length);
	node.kernel = length > name ? text_hash(identity + name, length - name) : node.hash;
	return node;
}

static bool has_node(const struct found_node *nodes, size_t count, uint64_t hash)
{
	for (size_t i = 0; i < count; i++)
		if (nodes[i].hash == hash)
			return true;
	return false;
}

static void merge_nodes(void *context, struct text *mine, const void *theirs, size_t length)
{
	const size_t own = mine->length / sizeof(struct found_node);
	const struct found_node *nodes = theirs;

	/* Each list has no node twice. */
	for (size_t i = 0; i < length / sizeof(struct found_node); i++)
		if (!has_node((const void *)mine->bytes, own, nodes[i].hash))
			text_add_bytes(mine, &nodes[i], sizeof(nodes[i]));
}

/* Task 0: names of the nodes stay here; hashes and kernels go to all tasks. */
static void tell_nodes(struct world *world, const struct found_node *nodes, size_t count,
		       struct text *known)
{
	world->hosts = memory_allocate(count, sizeof(*world->hosts));
	for (size_t i = 0; i < count; i++) {
		struct known_node node = {nodes[i].hash, (uint32_t)i, 1};
		struct known_node *first = (void *)known->bytes;

		memcpy(world->hosts[i], nodes[i].host, sizeof(world->hosts[i]));
		for (size_t k = 0; k < i && node.kernel == i; k++)
			if (nodes[k].kernel == nodes[i].kernel) {
				node.kernel = (uint32_t)k;
				node.nodes = ++first[k].nodes;
			}
		text_add_bytes(known, &node, sizeof(node));
	}
}

/* Notes which nodes share a kernel, where any do. */
static void note_kernels(struct world *world, const struct known_node *nodes, uint32_t count)
{
	world->nodes_on_kernel = 1;
	for (uint32_t i = 0; i < count; i++)
		if (nodes[i].nodes > world->nodes_on_kernel)
			world->nodes_on_kernel = nodes[i].nodes;
	if (world->nodes_on_kernel == 1)
		return;
	world->kernels = memory_allocate(count, sizeof(*world->kernels));
	for (uint32_t i = 0; i < count; i++)
		world->kernels[i] = nodes[i].kernel;
}

/* Numbers the nodes by their hashes and returns this task's node. */
static uint32_t number_nodes(struct world *world)
{
	const struct found_node own = identify(world);
	struct text blob = {0}, known = {0};
	uint32_t number = 0;

	text_add_bytes(&blob, &own, sizeof(own));
	comm_fold(&world->all, &blob, merge_nodes, NULL, NULL);
	if (world->all.rank == 0)
		tell_nodes(world, (void *)blob.bytes, blob.length / sizeof(own), &known);
	comm_share(&world->all, &known, NULL);
	const struct known_node *nodes = (void *)known.bytes;

	while (nodes[number].hash != own.hash)
		number++;
	note_kernels(world, nodes, (uint32_t)(known.length / sizeof(*nodes)));
	text_release(&known);
	text_release(&blob);
	return number;
}

static void merge_runs(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct node_map *map = context;
	struct node_map next = {.runs = (struct node_run *)theirs,
				.count = length / sizeof(struct node_run)};

	node_map_append_map(map, &next);
	text_clear(mine);
	text_add_bytes(mine, map->runs, map->count * sizeof(*map->runs));
}

void world_find_nodes(struct world *world)
{
	struct text blob = {0};
	struct node_map mine = {0};

	world->node = number_nodes(world);
	node_map_append(&mine, world->node, 1);
	text_add_bytes(&blob, mine.runs, mine.count * sizeof(*mine.runs));
	comm_fold(&world->all, &blob, merge_runs, &mine, NULL);
	comm_share(&world->all, &blob, NULL);
	node_map_release(&mine);

	struct node_map all = {.runs = (struct node_run *)(void *)blob.bytes,
			       .count = blob.length / sizeof(struct node_run)};

	node_map_append_map(&world->map, &all);
	text_release(&blob);
	world->slot = node_map_slot(&world->map, (uint32_t)world->all.rank);
	world->node_tasks = node_map_tasks_on(&world->map, world->node);
}

void world_finish(struct world *world)
{
	node_map_release(&world->map);
	free(world->hosts);
	free(world->kernels);
	world->hosts = NULL;
	world->kernels = NULL;
	MPI_Comm_free(&world->all.handle);
	MPI_Finalize();
}

void world_mpi_version(char *buffer, size_t size)
{
	char whole[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;

	MPI_Get_library_version(whole, &length);
	whole[strcspn(whole, "\n")] = '\0';
	for (char *at = whole; *at; at++)
		if (*at == '\t')
			*at = ' ';
	snprintf(buffer, size, "%s", whole);
}
