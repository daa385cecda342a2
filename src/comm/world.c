/* Who we are: all tasks of the job, and which of them share a node. */
#include "comm/world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* A node as it is found: by the hash of its name, in the order of its first task. */
struct found_node {
	uint64_t hash;
	char host[HOST_NAME_SIZE];
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

static uint64_t node_hash(const struct world *world)
{
	char identity[HOST_NAME_SIZE + 64];
	size_t length = strlen(world->host);
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	memcpy(identity, world->host, length);
	if (fd >= 0) {
		ssize_t got = read(fd, identity + length, sizeof(identity) - length);

		length += got > 0 ? (size_t)got : 0;
		close(fd);
	}
	return text_hash(identity, length);
}

/* A set of 64-bit hashes, open addressing; slots hold an index + 1. */
struct hash_index {
	uint32_t *slots;
	size_t mask;
};

static void index_start(struct hash_index *index, size_t entries)
{
	size_t size = 16;

	while (size < 2 * entries)
		size *= 2;
	index->slots = memory_allocate(size, sizeof(*index->slots));
	index->mask = size - 1;
}

/* Puts position under hash unless the hash is there already; true when it was new. */
static bool index_add(struct hash_index *index, const struct found_node *nodes, uint64_t hash,
		      uint32_t position)
{
	size_t slot = hash & index->mask;

	while (index->slots[slot]) {
		if (nodes[index->slots[slot] - 1].hash == hash)
			return false;
		slot = (slot + 1) & index->mask;
	}
	index->slots[slot] = position + 1;
	return true;
}

static void merge_nodes(void *context, struct text *mine, const void *theirs, size_t length)
{
	size_t own = mine->length / sizeof(struct found_node);
	size_t other = length / sizeof(struct found_node);
	const struct found_node *nodes = theirs;
	struct hash_index index;

	(void)context;
	index_start(&index, own + other);
	for (size_t i = 0; i < own; i++)
		index_add(&index, (void *)mine->bytes,
			  ((const struct found_node *)(void *)mine->bytes)[i].hash, (uint32_t)i);
	for (size_t i = 0; i < other; i++) {
		/* The candidate must stand in the array while the index compares it. */
		uint32_t position = (uint32_t)(mine->length / sizeof(struct found_node));

		if (index_add(&index, (void *)mine->bytes, nodes[i].hash, position))
			text_add_bytes(mine, &nodes[i], sizeof(nodes[i]));
	}
	free(index.slots);
}

/* All nodes' hashes on every task, names on task 0; returns this task's node. */
static uint32_t number_nodes(struct world *world)
{
	struct text blob = {0};
	struct found_node own = {.hash = node_hash(world)};
	struct text hashes = {0};
	uint32_t number = 0;

	memcpy(own.host, world->host, sizeof(own.host));
	text_add_bytes(&blob, &own, sizeof(own));
	comm_fold(&world->all, &blob, merge_nodes, NULL, NULL);
	if (world->all.rank == 0) {
		size_t count = blob.length / sizeof(struct found_node);
		const struct found_node *nodes = (void *)blob.bytes;

		world->hosts = memory_allocate(count, sizeof(*world->hosts));
		for (size_t i = 0; i < count; i++) {
			memcpy(world->hosts[i], nodes[i].host, sizeof(world->hosts[i]));
			text_add_bytes(&hashes, &nodes[i].hash, sizeof(nodes[i].hash));
		}
	}
	comm_share(&world->all, &hashes, NULL);
	while (memcmp(hashes.bytes + number * sizeof(own.hash), &own.hash, sizeof(own.hash)))
		number++;
	text_release(&hashes);
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
	world->hosts = NULL;
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
