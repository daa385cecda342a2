/* api=auto: the first task of each node probes, and every task comes to the same choice. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/probe.h"
#include "run/state.h"

static void merge_probes(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct probe from;

	(void)context;
	memcpy(&from, theirs, length);
	probe_merge((void *)mine->bytes, &from);
}

static bool probes(const struct runner *runner, const struct plan *plan)
{
	return runner->world->slot == 0 && takes_part(runner, plan);
}

static void probe_test(struct runner *runner, size_t number)
{
	const struct plan *plan = &runner->plans[number];
	struct choice *choice = runner->choices[number];

	if (probes(runner, plan)) {
		node_say(&runner->node, ACTIVITY_NAMES);
		if (plan->metadata)
			probe_names(plan, &runner->job->tests[number], &choice->probe);
		else
			probe_run(plan, &runner->job->tests[number], runner->clock, &choice->probe);
	}
	node_say(&runner->node, ACTIVITY_WAITING);
	comm_fold_fixed(&runner->world->all, &choice->probe, sizeof(choice->probe), merge_probes, NULL,
			NULL);
	comm_share_fixed(&runner->world->all, &choice->probe, sizeof(choice->probe), NULL);
	node_say(&runner->node, ACTIVITY_NONE);
}

static void choose(struct runner *runner, size_t number)
{
	struct choice *choice = runner->choices[number];

	if (test_of(&runner->job->tests[number])->queue_depth > 1)
		probe_test(runner, number);
	if (runner->plans[number].metadata)
		choice_make_names(choice);
	else
		choice_make(choice);
}

void choices_init(struct runner *runner)
{
	size_t count = runner->job->test_count;

	runner->choices = memory_allocate(count, sizeof(*runner->choices));
	for (size_t i = 0; i < count; i++)
		if (api_is_auto(test_of(&runner->job->tests[i])))
			runner->choices[i] = memory_allocate(1, sizeof(**runner->choices));
}

void choices_release(struct runner *runner)
{
	for (size_t i = 0; runner->choices && i < runner->job->test_count; i++)
		free(runner->choices[i]);
	free(runner->choices);
	runner->choices = NULL;
}

bool choices_make(struct runner *runner)
{
	bool any = false;

	for (size_t i = 0; i < runner->job->test_count; i++) {
		if (!runner->choices[i])
			continue;
		choose(runner, i);
		any = true;
	}
	return any;
}
