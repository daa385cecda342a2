/* Agreement of all tasks of a test at the end of a step. */
#include "engine/core/agree.h"

#include <string.h>

void agreement_start(struct agreement *agreement, const struct worker *worker)
{
	*agreement = (struct agreement){
		.failure = worker->failure,
		.failed_tasks = worker_failed(worker),
		.stop = atomic_load(&worker->node->shared->stop),
		.least_done = worker->written,
		.most_done = worker->written,
		.signal = atomic_load(&worker->node->shared->signal),
		.least_inode = UINT64_MAX,
	};
}

/* Input errors come before I/O errors, and earlier failures before later ones. */
static bool comes_first(const struct failure *a, const struct failure *b)
{
	if (b->error.kind == ERROR_NONE)
		return true;
	if (a->error.kind != b->error.kind)
		return a->error.kind == ERROR_INPUT;
	return a->at_ns < b->at_ns || (a->at_ns == b->at_ns && a->task < b->task);
}

static void merge(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct agreement *into = (void *)mine->bytes;
	struct agreement from;

	memcpy(&from, theirs, sizeof(from));
	if (from.failure.error.kind != ERROR_NONE && comes_first(&from.failure, &into->failure))
		into->failure = from.failure;
	into->failed_tasks += from.failed_tasks;
	if (from.odd.error.kind != ERROR_NONE && comes_first(&from.odd, &into->odd))
		into->odd = from.odd;
	into->failed_operations += from.failed_operations;
	if (from.stop > into->stop)
		into->stop = from.stop;
	if (from.signal)
		into->signal = from.signal;
	into->incomplete |= from.incomplete;
	into->met_others |= from.met_others;
	into->wrong_bytes += from.wrong_bytes;
	if (from.least_done < into->least_done)
		into->least_done = from.least_done;
	if (from.most_done > into->most_done)
		into->most_done = from.most_done;
	if (from.least_inode < into->least_inode)
		into->least_inode = from.least_inode;
	if (from.most_inode > into->most_inode)
		into->most_inode = from.most_inode;
	if (from.least_transfers < into->least_transfers)
		into->least_transfers = from.least_transfers;
	into->reusable_bytes += from.reusable_bytes;
	into->reusable_files += from.reusable_files;
}

void agree(struct worker *worker, struct agreement *agreement)
{
	node_set_activity(worker->node, ACTIVITY_WAITING);
	comm_fold_fixed(&worker->crew->comm, agreement, sizeof(*agreement), merge, NULL,
			worker->idle);
	comm_share_fixed(&worker->crew->comm, agreement, sizeof(*agreement), worker->idle);
}

void agree_on_stop(struct worker *worker, struct agreement *agreement)
{
	uint64_t most[] = {agreement->stop, agreement->signal};

	if (worker->set == worker->crew)
		return;
	comm_most_of_late(&worker->set->comm, most, 2, worker->idle);
	agreement->stop = (enum stop_reason)most[0];
	agreement->signal = (uint32_t)most[1];
}

bool agreement_is_well(const struct agreement *agreement)
{
	return agreement->failure.error.kind == ERROR_NONE && agreement->stop == STOP_NONE;
}

bool agreement_is_deadline(const struct agreement *agreement)
{
	return agreement->failure.error.kind == ERROR_NONE && agreement->stop == STOP_DEADLINE;
}
