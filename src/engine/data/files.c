/* Makes, opens, checks and removes the files of a test, outside the timed part. */
#include "engine/data/files.h"

#include <errno.h>

#include "engine/data/data_state.h"
#include "engine/data/witness.h"

bool files_is_keeper(const struct worker *worker)
{
	return plan_sharer(worker->plan, worker->task) == 0;
}

void files_select(struct worker *worker, uint32_t number)
{
	if (worker->plan->own_files == 1)
		return;
	worker->data->file = &worker->data->files[number];
	worker->file = worker_file(worker, number);
	if (worker->table)
		worker->table->file = number;
	plan_path(worker->plan, worker->task, number, worker->repetition, worker->path);
}

void files_each(struct worker *worker, void (*act)(struct worker *worker))
{
	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		act(worker);
	}
	files_select(worker, 0);
}

void files_forget_opened(struct worker *worker)
{
	for (uint32_t i = 0; i < worker->plan->own_files; i++)
		worker->data->files[i].opened.known = false;
}

bool files_fit(const struct worker *worker)
{
	for (uint32_t i = 0; files_is_keeper(worker) && i < worker->plan->own_files; i++)
		if (!worker->data->files[i].fits)
			return false;
	return true;
}

bool files_deletes_all(const struct test *test)
{
	return test->replace || test->semantics == SEMANTICS_IOR;
}

int files_check_alignment(struct worker *worker, struct error *err)
{
	struct backend_alignment alignment;

	if (worker_find_alignment(worker, &alignment, err))
		return -1;
	return worker_check_alignment(worker, &alignment, "transfer_size",
				      worker->plan->test->transfer_size, err);
}

struct backend_open files_open(const struct worker *worker, const struct phase_plan *phase,
			       uint32_t source)
{
	struct backend_open how = worker_open_shared(worker, phase->access, source);

	how.file_size = plan_file_bytes(worker->plan, files_selected(worker));
	if (phase->kind == PHASE_LOAD)
		how.write_sync = (enum write_sync)worker->plan->load->sync;
	return how;
}

int files_check_layout(struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->plan;

	for (unsigned i = 0; i < plan->phase_count && worker->backend->check; i++) {
		struct backend_open how = files_open(worker, &plan->phases[i], worker->task);

		if (worker->backend->check(worker->session, &how, err))
			return -1;
	}
	return 0;
}

static int make_directory(struct worker *worker, struct error *err)
{
	char directory[PLAN_PATH_SIZE];

	if (!worker->plan->directories || worker->data->made_directory || !worker->backend->mkdir)
		return 0;
	plan_directory(worker->plan, worker->task, directory);
	if (!worker->backend->mkdir(worker->session, NULL, directory, 0775, err)) {
		worker->data->made_directory = true;
		return 0;
	}
	if (err->code != EEXIST)
		return error_add(err, "unique_dir: %s", directory);
	err->kind = ERROR_NONE;
	return 0;
}

/* Clears the bit of this repetition. Returns whether it was set. */
static bool take_bit(uint64_t *bits, uint64_t repetition)
{
	const uint64_t bit = repetition < 64 ? UINT64_C(1) << repetition : 0, before = *bits;

	*bits &= ~bit;
	return before & bit;
}

/*
 * Returns true if the existing file at worker->path must stay: it is neither the file that this run
 * wrote last nor the one checked before the test.
 */
static bool is_foreign(const struct worker *worker, const struct file_identity *written,
		       bool checked_none)
{
	const struct file_identity *expected =
		written->known ? written : &worker->data->file->checked;

	return !files_deletes_all(worker->plan->test) &&
	       (checked_none || witness_replaced(worker, expected));
}

static int prepare_file(struct worker *worker, uint64_t repetition, struct error *err)
{
	const struct test *test = worker->plan->test;
	const struct file_identity written = worker->data->file->own;
	const bool checked_none = worker->data->file->checked_none;
	uint64_t bytes, allocated;

	plan_path(worker->plan, worker->task, files_selected(worker), repetition, worker->path);
	worker->data->file->must_be_new = false;
	worker->data->file->own.known = worker->data->file->replaced = false;
	worker->data->file->checked_none = false;
	if (make_directory(worker, err))
		return -1;
	if (!worker->backend->size || worker->backend->no_storage || !files_is_keeper(worker))
		return 0;
	if (worker->backend->size(worker->session, worker->path, &bytes, &allocated, err)) {
		bool absent = err->code == ENOENT;

		worker->data->file->made = worker->data->file->must_be_new = absent;
		worker->measure->files_fresh += absent;
		err->kind = absent ? ERROR_NONE : err->kind;
		return absent ? 0 : -1;
	}
	if (test->use_existing_test_file) {
		/* A file that an earlier repetition of this test made is not foreign. */
		worker->data->found_file |= !worker->data->file->made;
		worker->measure->files_overwritten++;
		return 0;
	}
	if ((!repetition || !test->multi_file) && is_foreign(worker, &written, checked_none))
		return error_set(err, 0, WITNESS_REPLACED);
	/* An empty file may carry striping that was set beforehand, so every repetition uses it. */
	worker->data->file->used_empty =
		worker->backend->truncate && !files_deletes_all(test) &&
		(!bytes || (worker->data->file->used_empty && !test->multi_file));
	if (worker->data->file->used_empty) {
		worker->measure->files_used_empty++;
		return bytes ? worker->backend->truncate(worker->session, worker->path, 0, err) : 0;
	}
	worker->measure->files_recreated++;
	worker->measure->files_of_ior += take_bit(&worker->data->found_iors, repetition);
	if (!worker->backend->remove)
		return error_set(err, 0, "%s exists and %s cannot remove it; use -E", worker->path,
				 worker->backend->name);
	if (worker->backend->remove(worker->session, NULL, worker->path, err))
		return -1;
	worker->data->file->made = worker->data->file->must_be_new = true;
	return 0;
}

int files_prepare(struct worker *worker, uint64_t repetition, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; i < worker->plan->own_files && !ret; i++) {
		files_select(worker, i);
		ret = prepare_file(worker, repetition, err);
	}
	if (!ret)
		files_select(worker, 0);
	return ret;
}

/* Tasks that share a file cannot tell which of them makes it. */
void files_create(struct worker *worker, struct backend_open *how)
{
	bool alone = !how->shared || how->tasks == 1;

	how->create = true;
	how->exclusive = alone && worker->data->file->must_be_new && worker->backend->files;
	how->follows = worker->plan->test->use_existing_test_file;
	worker->data->file->must_be_new = false;
}

void files_explain_open(struct worker *worker, const struct backend_open *how, struct error *err)
{
	const struct error was = *err;
	const bool is_taken =
		how->create && (err->code == ELOOP || (how->exclusive && err->code == EEXIST));

	if (is_taken)
		worker->data->file->made = false;
	if (is_taken || (!how->create && err->code == ENOENT && worker->data->file->own.known))
		error_set(err, was.code, "%.300s: " WITNESS_REPLACED, was.text);
}

/*
 * Leaves a file that another program put there, also if this task opened that one and another task
 * the test's own. If the write failed early there is no file, and some backends report why it could
 * not be removed.
 */
static int remove_file(struct worker *worker, struct error *err)
{
	uint64_t bytes, allocated;
	struct error gone = {0};

	if (worker->data->file->replaced)
		return 0;
	if (witness_replaced(worker, &worker->data->file->own))
		return error_set(err, 0, WITNESS_REPLACED);
	if (worker->data->file->used_empty)
		return worker->backend->truncate(worker->session, worker->path, 0, err);
	if (!worker->backend->remove(worker->session, NULL, worker->path, err))
		return 0;
	if (err->code != ENOENT &&
	    (!worker->backend->size ||
	     !worker->backend->size(worker->session, worker->path, &bytes, &allocated, &gone) ||
	     gone.code != ENOENT))
		return -1;
	err->kind = ERROR_NONE;
	return 0;
}

int files_take_back(struct worker *worker, uint64_t repetition, struct error *err)
{
	int ret = 0;

	worker->repetition = repetition;
	plan_path(worker->plan, worker->task, 0, repetition, worker->path);
	for (uint32_t i = 0; files_is_keeper(worker) && i < worker->plan->own_files; i++) {
		struct error own = {0};

		files_select(worker, i);
		if (!worker->data->file->made || !remove_file(worker, &own))
			continue;
		*err = ret ? *err : own;
		ret = -1;
	}
	return ret;
}

int files_remove(struct worker *worker, uint64_t repetition, struct error *err)
{
	const struct test *test = worker->plan->test;
	int ret = 0;

	if (test->keep_file || (!test->write_file && test->semantics != SEMANTICS_IOR) ||
	    !worker->backend->remove || worker->backend->no_storage)
		return 0;
	plan_path(worker->plan, worker->task, 0, repetition, worker->path);
	if (test->semantics == SEMANTICS_IOR)
		worker->data->file->made = true;
	else if (worker->data->found_file)
		worker->data->file->made = false;
	if (files_is_keeper(worker) && worker->data->file->made)
		ret = remove_file(worker, err);
	worker->data->file->made = false;
	if (worker->data->made_directory && worker->backend->rmdir) {
		char directory[PLAN_PATH_SIZE];
		struct error other = {0};

		plan_directory(worker->plan, worker->task, directory);
		/* The directory stays if foreign files lie in it. That is no error. */
		worker->backend->rmdir(worker->session, NULL, directory, &other);
		worker->data->made_directory = false;
	}
	return ret;
}
