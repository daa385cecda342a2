/* Metadata operations that failed. */

#include "engine/metadata/tolerate.h"
#include "engine/metadata/metadata_state.h"

#include <errno.h>

/* Returns true for errors that every further item would meet. */
static bool is_full(int code)
{
	return code == ENOSPC || code == EDQUOT || code == EMLINK || code == EROFS;
}

void tolerate_all(struct worker *worker, const char *path, const char *call,
		  const struct error *err)
{
	struct measure *measure = worker->measure;
	unsigned code = err->code > 0 && err->code < ERRNOS ? (unsigned)err->code : 0;

	if (!measure->failed_operations++)
		worker_note(worker, path, &worker->metadata->odd, err, call, UINT64_MAX, 0);
	measure->errors[code]++;
}

bool tolerate(struct worker *worker, const char *path, const char *call, enum creates creates,
	      const struct error *err)
{
	struct measure *measure = worker->measure;
	/* An item of another program must not be taken for one of this test. */
	bool meets_others = creates == CREATES_ITEM && err->code == EEXIST;

	tolerate_all(worker, path, call, err);
	measure->left_tasks = measure->failed_operations >= worker->trees->metadata->max_errors;
	worker->metadata->met_others |= meets_others;
	if (creates && (is_full(err->code) || meets_others || measure->left_tasks))
		worker->metadata->incomplete = true;
	return !worker->metadata->incomplete && !measure->left_tasks;
}

void tolerate_end(struct worker *worker, uint64_t succeeded)
{
	struct measure *measure = worker->measure;
	uint64_t tried = succeeded + measure->failed_operations;

	if (!worker->metadata->incomplete && !measure->left_tasks)
		return;
	if (measure->expected_operations > tried)
		measure->untried_operations = measure->expected_operations - tried;
	else
		measure->left_tasks = 0; /* no operation was left */
}
