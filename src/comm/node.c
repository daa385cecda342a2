/* The memory that the tasks of one node share. */
#include "comm/node.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/error.h"

static size_t round_up(size_t size)
{
	return (size + 127) / 128 * 128;
}

/* Bytes of one task's counts. */
static size_t counts_size(const struct node *node)
{
	return node->words ? round_up(sizeof(struct node_counts) + node->words * sizeof(uint64_t))
			   : 0;
}

/* The counts of the tasks follow their slots. */
static size_t counts_offset(const struct node *node)
{
	return round_up(sizeof(struct node_shared) + node->tasks * sizeof(struct node_slot));
}

static size_t shared_size(const struct node *node)
{
	return counts_offset(node) + node->tasks * counts_size(node);
}

struct node_counts *node_counts(const struct node *node, uint32_t slot)
{
	return (struct node_counts *)((char *)node->shared + counts_offset(node) +
				      slot * counts_size(node));
}

/* A task alone on its node uses its own memory. */
static void use_own_memory(struct node *node)
{
	size_t size = shared_size(node);

	node->shared = aligned_alloc(128, size);
	if (!node->shared)
		BUG("no memory for one slot");
	memset(node->shared, 0, size);
}

/* Slot 0 allocates the memory of all. */
static int share_memory(struct node *node, uint32_t slot, struct error *err)
{
	MPI_Aint bytes = slot == 0 ? (MPI_Aint)shared_size(node) + 128 : 0;
	MPI_Aint size;
	int unit;
	void *base;

	if (MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, node->comm, &base, &node->window)) {
		node->window = MPI_WIN_NULL;
		return error_set(err, 0,
				 "MPI cannot share memory between the tasks of a node "
				 "(MPI_Win_allocate_shared); is /dev/shm full or missing?");
	}
	MPI_Win_shared_query(node->window, 0, &size, &unit, &base);
	node->shared = (struct node_shared *)(((uintptr_t)base + 127) & ~(uintptr_t)127);
	if (slot == 0)
		memset(node->shared, 0, shared_size(node));
	return 0;
}

/* CPUs that the tasks of the node may use together, or fewer if a cgroup has a quota. */
static uint32_t count_cpus(MPI_Comm comm)
{
	enum { MOST = 8192, SIZE = MOST / 8 };
	union {
		unsigned char bytes[SIZE];
		cpu_set_t set;
	} mask = {.bytes = {0}};
	uint64_t limit = cgroup_cpu_limit("");
	uint32_t cpus;

	if (sched_getaffinity(0, sizeof(mask.bytes), &mask.set))
		memset(mask.bytes, 0, sizeof(mask.bytes));
	MPI_Allreduce(MPI_IN_PLACE, mask.bytes, SIZE, MPI_BYTE, MPI_BOR, comm);
	cpus = (uint32_t)CPU_COUNT_S(SIZE, &mask.set);
	/* Tasks that wait without sleeping would use up the cgroup's quota of the working tasks. */
	if (limit && limit / 1000 < cpus)
		cpus = (uint32_t)(limit / 1000);
	MPI_Allreduce(MPI_IN_PLACE, &cpus, 1, MPI_UINT32_T, MPI_MIN, comm);
	return cpus;
}

int node_start(struct node *node, const struct world *world, size_t words, struct error *err)
{
	*node = (struct node){.window = MPI_WIN_NULL, .tasks = world->node_tasks, .words = words};
	MPI_Comm_split(world->all.handle, (int)world->node, world->all.rank, &node->comm);
	MPI_Comm_set_errhandler(node->comm, MPI_ERRORS_RETURN);
	if (node->tasks == 1)
		use_own_memory(node);
	else
		share_memory(node, world->slot, err);
	if (comm_agree_error(&world->all, err))
		return -1;
	node->own = &node->shared->slots[world->slot];
	node->cpus = count_cpus(node->comm);
	MPI_Barrier(node->comm);
	node->own->rank = (uint32_t)world->all.rank;
	node->own->pid = getpid();
	MPI_Barrier(node->comm);
	return 0;
}

/* The word is shared with other processes, hence no FUTEX_PRIVATE_FLAG. */
static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void node_find_leaders(struct node *node, const struct world *world)
{
	if (node->knows_leaders)
		return;
	comm_group(&world->all, world->slot == 0, &node->leaders);
	node->knows_leaders = true;
}

void node_broadcast(struct node *node, void *bytes, size_t size)
{
	struct node_shared *shared = node->shared;
	uint32_t wanted = ++node->news_count;
	uint32_t seen;

	if (size > NODE_NEWS_SIZE)
		BUG("news of %zu bytes", size);
	if (node->leaders.handle != MPI_COMM_NULL) {
		comm_share_fixed(&node->leaders, bytes, size, NULL);
		memcpy(shared->news, bytes, size);
		atomic_store(&shared->news_count, wanted);
		wake_all(&shared->news_count);
		return;
	}
	while ((seen = atomic_load(&shared->news_count)) != wanted)
		sleep_while(&shared->news_count, seen);
	memcpy(bytes, shared->news, size);
}

void node_note_failure(struct node *node, const char *text)
{
	struct node_shared *shared = node->shared;

	if (atomic_fetch_add(&shared->failures, 1))
		return;
	snprintf(shared->failure, sizeof(shared->failure), "%s", text);
	atomic_store(&shared->failure_is_set, true);
}

const char *node_failure(const struct node *node)
{
	return atomic_load(&node->shared->failure_is_set) ? node->shared->failure : NULL;
}

void node_finish(struct node *node)
{
	if (node->window != MPI_WIN_NULL)
		MPI_Win_free(&node->window);
	else
		free(node->shared);
	if (node->comm != MPI_COMM_NULL)
		MPI_Comm_free(&node->comm);
	if (node->knows_leaders)
		comm_release(&node->leaders);
	node->shared = NULL;
	node->own = NULL;
}
