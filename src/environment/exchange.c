/* Brings the environments of all nodes to task 0. */
#include "environment/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "environment/gather.h"
#include "environment/lines.h"

/* The message by which a node reports its facts. */
struct report_of_node {
	struct lines_hash hash;
	uint32_t node;
	uint32_t rank; /* its first task */
	struct gather_seconds took;
};

static void exchange_append(void *context, struct text *mine, const void *theirs, size_t length)
{
	text_add_bytes(mine, theirs, length);
}

static double exchange_now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct gather_seconds gather_here(const struct node *node, const char *const *paths,
					 size_t path_count, struct text *lines)
{
	const double began = exchange_now(CLOCK_MONOTONIC),
		     busy = exchange_now(CLOCK_THREAD_CPUTIME_ID);
	pid_t *tasks = memory_allocate(node->tasks, sizeof(*tasks));

	for (uint32_t i = 0; i < node->tasks; i++)
		tasks[i] = node->shared->slots[i].pid;
	gather_node(lines, &(struct gather_request){tasks, node->tasks, paths, path_count});
	free(tasks);
	return (struct gather_seconds){.wall = exchange_now(CLOCK_MONOTONIC) - began,
				       .cpu = exchange_now(CLOCK_THREAD_CPUTIME_ID) - busy};
}

/* Nodes with one hash, and the task that can say what it stands for. */
struct group {
	struct lines_hash hash;
	uint32_t rank;

	struct like_nodes nodes;
};

static int compare_groups(const void *a, const void *b)
{
	const struct group *one = a, *other = b;

	if (one->nodes.count != other->nodes.count)
		return one->nodes.count > other->nodes.count ? -1 : 1;
	return (one->rank > other->rank) - (one->rank < other->rank);
}

static struct group *find_group(struct group *groups, size_t *count, const struct lines_hash *hash)
{
	for (size_t i = 0; i < *count; i++)
		if (!memcmp(&groups[i].hash, hash, sizeof(*hash)))
			return &groups[i];
	groups[*count].hash = *hash;
	return &groups[(*count)++];
}

static struct group *group_nodes(const struct text *reports, struct environments *environments,
				 size_t *count)
{
	const struct report_of_node *of = (const void *)reports->bytes;
	const size_t nodes = reports->length / sizeof(*of);
	struct group *groups = memory_allocate(nodes, sizeof(*groups));

	*count = 0;
	for (size_t i = 0; i < nodes; i++) {
		struct group *group = find_group(groups, count, &of[i].hash);
		struct like_nodes *own = &group->nodes;

		if (!own->count)
			group->rank = of[i].rank;
		/* Doubles when the count is a power of two. */
		if (!(own->count & (own->count - 1)))
			own->nodes = memory_grow(own->nodes, (own->count ? 2 * own->count : 1) *
								     sizeof(*own->nodes));
		own->nodes[own->count++] = of[i].node;
		environments->took.wall = fmax(environments->took.wall, of[i].took.wall);
		environments->took.cpu = fmax(environments->took.cpu, of[i].took.cpu);
	}
	qsort(groups, *count, sizeof(*groups), compare_groups);
	return groups;
}

/* Whether this task was asked for its text. */
static bool is_asked(const struct text *asked, uint32_t rank)
{
	const uint32_t *ranks = (const void *)asked->bytes;

	for (size_t i = 0; i < asked->length / sizeof(*ranks); i++)
		if (ranks[i] == rank)
			return true;
	return false;
}

/* A text as it travels: the rank of its task and its length stand before it. */
struct text_head {
	uint32_t rank, length;
};

static void take_texts(const struct text *texts, struct group *groups, size_t count)
{
	struct text_head head;

	for (size_t at = 0; at + sizeof(head) <= texts->length; at += head.length) {
		memcpy(&head, texts->bytes + at, sizeof(head));
		at += sizeof(head);
		for (size_t i = 0; i < count; i++)
			if (groups[i].rank == head.rank)
				text_add_bytes(&groups[i].nodes.lines, texts->bytes + at,
					       head.length);
	}
}

/* Hands the groups whose texts are here to the comparison. */
static void exchange_finish(struct environments *environments, struct group *groups, size_t count,
			    size_t asked)
{
	struct like_nodes *nodes = memory_allocate(asked ? asked : 1, sizeof(*nodes));

	for (size_t i = 0; i < count; i++)
		if (i < asked) {
			nodes[i] = groups[i].nodes;
		} else {
			environments->unheard += groups[i].nodes.count;
			free(groups[i].nodes.nodes);
		}
	environments_compare(environments, nodes, asked);
}

void environments_gather(const struct world *world, const struct node *node,
			 const char *const *paths, size_t path_count,
			 struct environments *environments)
{
	const uint32_t rank = (uint32_t)world->all.rank;
	struct text lines = {0}, blob = {0}, asked = {0};
	struct group *groups = NULL;
	size_t count = 0;

	*environments = (struct environments){0};
	if (!world->slot) {
		struct report_of_node own = {.node = world->node, .rank = rank};

		own.took = gather_here(node, paths, path_count, &lines);
		own.hash = lines_hash(&lines);
		text_add_bytes(&blob, &own, sizeof(own));
	}
	comm_fold(&world->all, &blob, exchange_append, NULL, NULL);
	if (!rank) {
		groups = group_nodes(&blob, environments, &count);
		for (size_t i = 0; i < count && i < EXCHANGE_TEXTS; i++)
			text_add_bytes(&asked, &groups[i].rank, sizeof(rank));
	}
	comm_share(&world->all, &asked, NULL);
	text_clear(&blob);
	if (!world->slot && is_asked(&asked, rank)) {
		const struct text_head head = {rank, (uint32_t)lines.length};

		text_add_bytes(&blob, &head, sizeof(head));
		text_add_bytes(&blob, text_string(&lines), lines.length);
	}
	comm_fold(&world->all, &blob, exchange_append, NULL, NULL);
	if (!rank) {
		take_texts(&blob, groups, count);
		exchange_finish(environments, groups, count, asked.length / sizeof(rank));
	}
	free(groups);
	text_release(&lines);
	text_release(&blob);
	text_release(&asked);
}
