/* Checks existing files before a test. */
#include "engine/data/found.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/units.h"
#include "engine/data/data_state.h"
#include "engine/data/files.h"
#include "engine/data/folders.h"
#include "engine/data/holes.h"
#include "engine/data/ior_data.h"
#include "engine/data/maker.h"
#include "engine/data/witness.h"
#include "plan/load.h"

/*
 * Phases that select the path by which a writer or reader sees a file. Only kind and access are
 * used.
 */
static const struct phase_plan writing = {.kind = PHASE_WRITE, .access = ACCESS_WRITE};
static const struct phase_plan reading = {.kind = PHASE_READ, .access = ACCESS_READ};

/* True if the test file must be a block device. */
static bool is_device(const struct worker *worker)
{
	return worker->plan->load && worker->plan->load->allow_device;
}

/*
 * The path must name a regular file: /dev/null would be removed at the end, and a pipe's open would
 * hang.
 */
static int check_kind(const struct worker *worker, struct error *err)
{
	const bool allows_device = is_device(worker);
	struct stat status;

	if (!worker->backend->files)
		return 0;
	if (stat(worker->path, &status)) {
		if (allows_device)
			return error_input(err, "test_file: %s: %s; name a device of this host",
					   worker->path, strerror(errno));
		status.st_mode = S_IFREG;
	}
	if (allows_device && !S_ISBLK(status.st_mode))
		return error_input(err,
				   "allow_device: %s is no block device; leave allow_device out",
				   worker->path);
	if (S_ISREG(status.st_mode) || allows_device)
		return 0;
	if (worker->plan->load && S_ISBLK(status.st_mode))
		return error_input(err,
				   "test_file: %s is a block device; a load may use it with "
				   "allow_device, and what is on it is then lost",
				   worker->path);
	return error_input(err, "test_file: %s is %s; name a file", worker->path,
			   named_file_kind(status.st_mode));
}

/* True if a phase writes into the file. */
static bool is_written(const struct plan *plan)
{
	return plan->test->write_file || (plan->load && plan_load_has(&plan->pattern, LOAD_WRITE));
}

/* Bytes of a private file must not be written where others may read them. */
static int check_copy(const struct worker *worker, struct error *err)
{
	const struct test *test = worker->plan->test;
	struct stat status;

	if (!worker->copies_private || !worker->backend->files || !is_written(worker->plan) ||
	    files_deletes_all(test) || stat(worker->path, &status) || !(status.st_mode & 0044))
		return 0;
	return error_input(err,
			   "content_file: %.200s is private, and its bytes would be written into "
			   "%.200s, which others may read; remove that file, or make it private "
			   "(chmod 600)",
			   test->content_file, worker->path);
}

/*
 * A library with its own format can now check format and layout. An unreadable file that iorx made
 * is damaged, which is no error of the job.
 */
static int check_format(struct worker *worker, struct error *err)
{
	struct backend_open how = worker_open(worker, ACCESS_READ);
	enum maker maker = MADE_OTHER;
	struct error ignored;
	int ret;

	if (!worker->backend->own_format)
		return 0;
	memset((void *)worker->file, 0, worker->backend->file_size);
	ret = worker->backend->open(worker->session, worker->file, &how, err);
	worker->backend->close(worker->file, &ignored);
	if (ret && !maker_recognise(worker, &maker, &ignored) && maker_is_foreign(maker))
		err->kind = ERROR_INPUT;
	return ret ? error_add(err, "test_file: %s: %s cannot use it", worker->path,
			       worker->backend->name)
		   : 0;
}

/* Data must not follow a symbolic link unless its target exists and -E names it. */
static int check_link(const struct worker *worker, struct error *err)
{
	const struct test *test = worker->plan->test;
	struct stat status;

	if (!worker->backend->files || lstat(worker->path, &status) || !S_ISLNK(status.st_mode))
		return 0;
	if (stat(worker->path, &status))
		return error_input(
			err,
			"test_file: %s is a symbolic link to nothing; remove it, or name the file",
			worker->path);
	if (test->use_existing_test_file || files_deletes_all(test))
		return 0;
	return error_input(err, "test_file: %s is a symbolic link; name the file it leads to%s",
			   worker->path, worker->plan->load ? "" : ", or write into that with -E");
}

#define ALLOW_OVERWRITE                                                         \
	"--allow-overwrite on the command line of iorx (iorx-translate --run: " \
	"--iorx=--allow-overwrite)"

static int refuse_foreign(const struct worker *worker, enum maker maker, struct error *err)
{
	const char *key = worker->data->spares_foreign;
	const char *why = maker == MADE_ALIKE
				  ? "holds numbers that count up, as IOR's data with a small seed "
				    "(-G) and those of other programs do"
				  : "was not made by iorx or IOR";

	if (plan_load_uses_found(worker->plan))
		return error_input(
			err,
			"file_size: %s is shorter than the %" PRIu64
			" bytes that the load visits, and %s; make it longer, visit less, "
			"or name another file",
			worker->path, plan_load_end(worker->plan, files_selected(worker)), why);
	if (worker->plan->load && !key)
		return error_input(err,
				   "test_file: %s exists and %s; choose another name, or use the "
				   "file as it is with layout=missing",
				   worker->path, why);
	if (key)
		return error_input(err,
				   "%s: %s %s; a job file may have it overwritten or deleted only "
				   "with " ALLOW_OVERWRITE,
				   key, worker->path, why);
	return error_input(err,
			   "test_file: %s exists and %s; choose another name, or %sreplace it with "
			   "--replace",
			   worker->path, why,
			   worker->backend->whole_files ? ""
							: "overwrite it in place with -E, or ");
}

static uint64_t file_bytes(const struct worker *worker)
{
	return plan_file_bytes(worker->plan, files_selected(worker));
}

/*
 * False if parts of a file were never written: it was only allocated, or laid out by a job that was
 * killed. A load that only allocates its files can use it.
 */
static bool is_filled(const struct worker *worker)
{
	struct holes holes;

	if (!worker->plan->load || plan_load_allocates(worker->plan) || !worker->backend->files ||
	    worker->backend->own_format || content_may_be_holes(&worker->content))
		return true;
	holes_find(worker->path, file_bytes(worker), &holes);
	return !holes.bytes;
}

/* Notes that use_existing_test_file has found a file of another program. */
static void note_foreign(struct worker *worker)
{
	enum maker maker = MADE_OTHER;
	uint64_t bytes, allocated;
	struct error ignored;

	if (!worker->backend->files)
		return;
	/* The stamps of a file with a long header are found through its library only. */
	if (!(worker->backend->own_format ? maker_find(worker, &maker, &bytes, &allocated, &ignored)
					  : maker_recognise(worker, &maker, &ignored)))
		worker->data->found_foreign |= maker_is_foreign(maker);
}

/*
 * True for a file that a killed session of this job may have been writing, without any stamp yet.
 * That session refused files of others under this name.
 */
static bool was_cut_short(const struct worker *worker)
{
	struct stat status;

	const struct moments *made = &worker->data->made;

	return made->from && worker->backend->files && !stat(worker->path, &status) &&
	       S_ISREG(status.st_mode) && status.st_mtime >= made->from &&
	       status.st_mtime <= made->to;
}

static int check_write(struct worker *worker, struct space *space, struct error *err)
{
	const struct test *test = worker->plan->test;
	bool takes_all = test->use_existing_test_file || files_deletes_all(test);
	uint64_t bytes, allocated;
	enum maker maker;

	if (folders_check(worker, err) || check_link(worker, err) || check_kind(worker, err) ||
	    (worker->backend->files && named_file_check_folder("test_file", worker->path, err)) ||
	    folders_permit(worker, W_OK, err))
		return -1;
	if (takes_all && !worker->data->spares_foreign) {
		if (worker->backend->size(worker->session, worker->path, &bytes, &allocated, err)) {
			err->kind = ERROR_NONE;
			return 0; /* no file, or open will report the cause */
		}
		if (bytes && test->use_existing_test_file)
			note_foreign(worker);
		maker = MADE_OURS;
	} else {
		if (!worker->repetition)
			witness_note_checked(worker);
		if (maker_find(worker, &maker, &bytes, &allocated, err)) {
			err->kind = ERROR_INPUT;
			return -1;
		}
		worker->data->file->checked_none |= !worker->repetition && maker == MADE_NOTHING;
	}
	if (maker_is_foreign(maker) && was_cut_short(worker))
		maker = MADE_EMPTY;
	if (maker_is_foreign(maker))
		return refuse_foreign(worker, maker, err);
	if (is_device(worker) && bytes < file_bytes(worker))
		return error_input(err,
				   "file_size: the device %s has %" PRIu64
				   " bytes and the load uses %" PRIu64 "; lower file_size",
				   worker->path, bytes, file_bytes(worker));
	/* A device does not say how much of it was laid out. */
	worker->data->file->fits = maker == MADE_OURS && bytes == file_bytes(worker) &&
				   !is_device(worker) && is_filled(worker);
	if (bytes && test->use_existing_test_file && check_format(worker, err))
		return -1;
	space->reusable_bytes += allocated;
	space->reusable_files += maker != MADE_NOTHING;
	if (maker == MADE_IORS && worker->repetition < 64)
		worker->data->found_iors |= UINT64_C(1) << worker->repetition;
	return 0;
}

static bool found_compares(const struct test *test)
{
	return test->check_read || (test->check_write && !test->read_file);
}

/* A job file may destroy only files of iorx or IOR. */
static int check_owner(struct worker *worker, struct error *err)
{
	uint64_t bytes, allocated;
	enum maker maker;

	if (maker_find(worker, &maker, &bytes, &allocated, err)) {
		err->kind = ERROR_INPUT;
		return -1;
	}
	return maker_is_foreign(maker) ? refuse_foreign(worker, maker, err) : 0;
}

/* Wrong data is shown, and so would be the bytes of a file that iorx did not make. */
static int check_shown(struct worker *worker, struct error *err)
{
	uint64_t bytes, allocated;
	enum maker maker;
	struct stat status;

	if (!worker->data->spares_private || !found_compares(worker->plan->test) ||
	    !worker->backend->files || stat(worker->path, &status) ||
	    !named_file_is_private(&status))
		return 0;
	if (maker_find(worker, &maker, &bytes, &allocated, err)) {
		err->kind = ERROR_INPUT;
		return -1;
	}
	if (!maker_is_foreign(maker))
		return 0;
	return error_input(
		err,
		"test_file: %.300s was not made by iorx, and not everybody may read it; a "
		"job file may have it compared, which shows its bytes, only with "
		"--allow-private on the command line",
		worker->path);
}

/* True if layout=missing finds a file that reaches to the end of the load's region. */
static bool is_found(const struct worker *worker)
{
	const struct plan *plan = worker->plan;
	struct stat status;

	return plan_load_uses_found(plan) && worker->backend->files &&
	       !stat(worker->path, &status) && S_ISREG(status.st_mode) &&
	       (uint64_t)status.st_size >= plan_load_end(plan, files_selected(worker));
}

/* Reading must be allowed for loads that only write too, as backends open files for both. */
static int check_use(const struct worker *worker, struct error *err)
{
	if (!is_found(worker))
		return folders_permit(worker, worker->plan->test->write_file ? W_OK : R_OK, err);
	if (folders_permit(worker, R_OK, err))
		return -1;
	return plan_load_has(&worker->plan->pattern, LOAD_WRITE) ? folders_permit(worker, W_OK, err)
								 : 0;
}

static int refuse_writes(const struct worker *worker, struct error *err)
{
	return error_input(err,
			   "test_file: %s was not made by iorx, and the load writes into it; "
			   "allow that with " ALLOW_OVERWRITE ", or name another file",
			   worker->path);
}

/* Checks a file that layout=missing has found. It is used as it is, whoever made it. */
static int check_found(struct worker *worker, struct space *space, struct error *err)
{
	const bool writes = plan_load_has(&worker->plan->pattern, LOAD_WRITE);
	uint64_t bytes, allocated;
	enum maker maker;

	if (maker_find(worker, &maker, &bytes, &allocated, err)) {
		err->kind = ERROR_INPUT;
		return -1;
	}
	/* A layout of iorx that was killed has left parts of the file unwritten. */
	if (maker == MADE_OURS && !is_filled(worker))
		return check_write(worker, space, err);
	if (check_use(worker, err) || check_shown(worker, err))
		return -1;
	if (writes && maker_is_foreign(maker) && worker->data->spares_foreign)
		return refuse_writes(worker, err);
	worker->data->file->fits = true;
	worker->data->file->foreign = maker_is_foreign(maker);
	worker->data->found_foreign |= worker->data->file->foreign;
	space->reusable_bytes += allocated;
	space->reusable_files++;
	return 0;
}

int found_check_missing(struct worker *worker, struct error *err)
{
	for (uint32_t i = 0; files_is_keeper(worker) && i < worker->plan->own_files; i++) {
		files_select(worker, i);
		if (worker->data->file->foreign)
			return error_input(
				err,
				"test_file: %s was not made by iorx, and other files of the "
				"load are missing, too short or half written; a load writes "
				"either all of its files or none: make the others too, or "
				"name other files",
				worker->path);
	}
	files_select(worker, 0);
	return 0;
}

bool found_destroys(const struct plan *plan)
{
	if (plan->load)
		return plan_load_has(&plan->pattern, LOAD_WRITE);
	return plan->test->semantics == SEMANTICS_IOR && !plan->test->keep_file;
}

/* True if the size of the files decides what is read. */
static bool size_decides(const struct worker *worker)
{
	const struct plan *plan = worker->plan;

	return plan_size_tells(plan) &&
	       (plan->order == ORDER_REPEATS || worker->data->reads_what_is_there);
}

/* Counts the transfers of the plan that a file holds; with repeats all of the file. */
static int count_held(struct worker *worker, uint64_t bytes, struct error *err)
{
	const struct plan *plan = worker->plan;
	uint64_t *held = &worker->data->held;
	uint64_t count;

	if (!size_decides(worker))
		return 0;
	if (plan->order != ORDER_REPEATS && bytes > plan->file_size)
		bytes = plan->file_size;
	count = bytes / plan->geometry.transfer;
	if (!count || !plan_within(plan, 0, count))
		return error_input(err,
				   "test_file: %s has %" PRIu64
				   " bytes, less than one transfer of %s%s; write it first "
				   "(-w -k), or lower transfer_size",
				   worker->path, bytes,
				   units_show_bytes(plan->geometry.transfer).text,
				   count ? " for each task" : "");
	if (!*held || count < *held)
		*held = count;
	return 0;
}

static int check_read(struct worker *worker, struct error *err)
{
	uint64_t count = worker_known(worker, worker->plan->transfers_per_task);
	uint64_t needed = worker->plan->load ? plan_load_end(worker->plan, files_selected(worker))
					     : plan_end(worker->plan, worker->task, count);
	uint64_t bytes, allocated;

	if (check_kind(worker, err))
		return -1;
	if (worker->backend->size(worker->session, worker->path, &bytes, &allocated, err)) {
		const struct error cause = *err;

		return error_input(err, "test_file: %s cannot be read: %.200s%s", worker->path,
				   cause.text,
				   cause.code != ENOENT ? ""
				   : worker->plan->load ? "; lay it out with layout=write"
							: "; write it first (-w -k)");
	}
	/* When all data is compared, missing data is reported as damage. */
	if (bytes < needed && !size_decides(worker) && !found_compares(worker->plan->test))
		return error_input(
			err,
			"test_file: %s has %" PRIu64 " bytes and the test reads %" PRIu64 "%s; %s",
			worker->path, bytes, needed,
			worker->status
				? " by status_file, whose number is that of the last repetition"
				: "",
			worker->plan->load
				? "lay the files out with layout=write, or lower file_size"
				: "write it first (-w -k), or read less");
	if (count_held(worker, bytes, err) || folders_permit(worker, R_OK, err) ||
	    check_format(worker, err) || check_shown(worker, err))
		return -1;
	return worker->data->spares_foreign && found_destroys(worker->plan)
		       ? check_owner(worker, err)
		       : 0;
}

/* Checks the current file of each repetition. */
static int found_check_file(struct worker *worker, struct space *space, struct error *err)
{
	const struct plan *plan = worker->plan;
	uint64_t repetitions = plan->test->multi_file ? test_repetitions_most(plan->test) : 1;

	for (uint64_t repetition = 0; repetition < repetitions; repetition++) {
		worker->repetition = repetition;
		if (plan->own_files == 1)
			plan_phase_path(plan, plan->test->write_file ? &writing : &reading,
					worker->task, repetition, worker->path);
		if ((is_found(worker)	      ? check_found(worker, space, err)
		     : plan->test->write_file ? check_write(worker, space, err)
					      : check_read(worker, err)) ||
		    check_copy(worker, err))
			return -1;
	}
	return 0;
}

int found_check(struct worker *worker, struct space *space, struct error *err)
{
	const struct plan *plan = worker->plan;

	if (plan->test->cold == COLD_DROP_CACHES && plan->test->read_file &&
	    access("/proc/sys/vm/drop_caches", W_OK))
		return error_input(err,
				   "cold: drop_caches needs to write /proc/sys/vm/drop_caches: %s; "
				   "cold=fadvise does not",
				   strerror(errno));
	if (!worker->backend->size || worker->backend->no_storage || !files_is_keeper(worker))
		return 0;
	for (uint32_t i = 0; i < plan->own_files; i++) {
		files_select(worker, i);
		if (found_check_file(worker, space, err))
			return -1;
	}
	files_select(worker, 0);
	return 0;
}

int found_check_owners(struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->plan;

	if (!worker->data->spares_foreign || !found_destroys(plan) || !worker->backend->size ||
	    worker->backend->no_storage || !files_is_keeper(worker))
		return 0;
	for (uint32_t i = 0; i < plan->own_files; i++) {
		files_select(worker, i);
		plan_path(plan, worker->task, i, 0, worker->path);
		if (!access(worker->path, F_OK) && check_owner(worker, err))
			return -1;
	}
	files_select(worker, 0);
	return 0;
}

int found_check_shared(struct worker *worker, struct error *err)
{
	bool writes = worker->plan->test->write_file;

	if (!worker->backend->size || files_is_keeper(worker))
		return 0;
	plan_phase_path(worker->plan, writes ? &writing : &reading, worker->task, 0, worker->path);
	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		if (folders_check(worker, err) || check_use(worker, err))
			return error_add(err, "task %" PRIu32 " on %s", worker->task, worker->host);
	}
	files_select(worker, 0);
	return 0;
}
