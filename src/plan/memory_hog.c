/* The memory hog: how much memory a test occupies besides its buffers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "plan/plan.h"

/* Parses a share of a node's memory, "80%". */
static int memory_hog_parse_share(const char *text, uint64_t memory, uint64_t *bytes,
				  struct error *err)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || strcmp(end, "%") || !(percent >= 0 && percent <= 100))
		return error_input(err,
				   "memory_per_node: \"%.80s\" is no share of the node's memory; "
				   "write 80%%, or a size such as 64g",
				   text);
	if (!memory)
		return error_input(err, "memory_per_node: the memory of the nodes is not known; "
					"give a size such as 64g");
	*bytes = (uint64_t)((double)memory * percent / 100);
	return 0;
}

static int memory_hog_parse(const char *text, uint64_t memory, uint64_t *bytes, struct error *err)
{
	*bytes = 0;
	if (!text || !*text)
		return 0;
	if (strchr(text, '%'))
		return memory_hog_parse_share(text, memory, bytes, err);
	if (units_parse_size(text, bytes, err))
		return error_add(err, "memory_per_node");
	return 0;
}

int plan_count_memory_hog(struct plan *plan, const struct facts *facts, struct error *err)
{
	enum { RUNTIME_BYTES = 64 << 20 }; /* per task: the program and its MPI library */
	uint64_t memory = facts->memory_per_node, most = plan->most_tasks_on_node;
	const struct test *test = plan->test;
	unsigned __int128 total;

	if (memory_hog_parse(test->memory_per_node, memory, &plan->memory_hog_per_node, err))
		return -1;
	if (!plan->memory_hog_per_node && !test->memory_per_task)
		return 0;
	total = (unsigned __int128)most *
			(test->memory_per_task + plan->memory_per_task + RUNTIME_BYTES) +
		plan->memory_hog_per_node;
	if (!memory || total <= memory)
		return 0;
	return error_input(err,
			   "%s: a memory hog of %" PRIu64 " MiB and the memory that %" PRIu64
			   " tasks need themselves do not fit into the %" PRIu64
			   " MiB of a node or its cgroup; ask for less",
			   plan->memory_hog_per_node ? "memory_per_node" : "memory_per_task",
			   (plan->memory_hog_per_node + most * test->memory_per_task) / MIB, most,
			   memory / MIB);
}
