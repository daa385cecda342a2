/* api=auto of a metadata test: which candidate takes its operations on names in a queue here. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/registry.h"
#include "base/memory.h"
#include "engine/names/metadata_loop.h"
#include "engine/probe.h"

/* A session alone, that is asked for each kind the plan queues. */
static int try_queue(const struct plan *plan, const struct test_spec *spec,
		     const struct backend *backend, struct error *err)
{
	const struct backend_start start = {
		.comm = MPI_COMM_SELF,
		.tasks = 1,
		.queue_depth = plan->test->queue_depth,
		.options = test_spec_set(spec, backend->options)->values,
	};
	struct worker worker = {
		.plan = plan,
		.backend = backend,
		.session = memory_allocate(1, backend->session_size),
	};
	struct error ignored;
	int ret = backend->start ? backend->start(worker.session, &start, NULL, 0, err) : 0;

	if (!ret)
		ret = names_queued_check(&worker, err);
	if (backend->stop)
		backend->stop(worker.session, &ignored);
	free(worker.session);
	return ret;
}

static int try_one(const struct plan *plan, const struct test_spec *spec, enum candidate candidate,
		   struct error *err)
{
	const struct backend *backend = registry_backend(candidate_name(candidate), err);

	if (!backend)
		return -1;
	if (candidate == CANDIDATE_POSIX)
		return 0;
	if (!backend->submit_names)
		return error_input(err, "%s does one operation on names at a time", backend->name);
	return try_queue(plan, spec, backend, err);
}

void probe_names(const struct plan *plan, const struct test_spec *spec, struct probe *probe)
{
	*probe = (struct probe){.nodes = 1, .depth = plan->test->queue_depth};
	for (enum candidate i = 0; i < CANDIDATES; i++) {
		struct candidate_probe *figures = &probe->candidates[i];
		struct error err = {0};

		figures->nodes = !try_one(plan, spec, i, &err);
		if (!figures->nodes)
			snprintf(figures->why_not, sizeof(figures->why_not), "%.*s",
				 PROBE_WHY_SIZE - 1, err.text);
	}
}
