/* Callbacks of the watchdog: save the results so far, name the task that hangs. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "plan/load.h"
#include "plan/load_paths.h"
#include "plan/workload.h"
#include "run/state.h"

enum { LONE_TENTHS = 10 };

/* The files that a killed job leaves, each list in words. */
struct leftovers {
	struct text files; /* that the job removes at its end */
	struct text trees; /* the same of metadata tests, as commands */
	struct text kept;  /* that stay anyway */
};

static void add_word(struct text *list, const char *separator, const char *word, const char *end)
{
	text_add(list, "%s%s%s", list->length ? separator : "", word, end);
}

/* Adds a path of the test's files, or the first one of those with numbers behind it. */
static void rescue_add_files(const struct plan *plan, uint32_t number, struct text *list)
{
	struct text name = {0};
	char path[PLAN_PATH_SIZE];
	bool numbered = !plan->geometry.shared || plan->files > 1;

	if (plan->load) {
		load_paths_add_name(plan, number, &name);
		numbered = numbered && load_paths_are_numbered(plan);
	} else {
		plan_base(plan, number, path);
		text_add(&name, "%s", path);
	}
	add_word(list, ", ", text_string(&name), numbered ? ".00000000 etc." : "");
	text_release(&name);
}

static bool makes_files(const struct plan *plan)
{
	return plan->load ? plan_load_owns_files(plan) : plan->test->write_file;
}

static void list_leftovers(const struct plan *plan, struct leftovers *left)
{
	const struct metadata *metadata = plan->metadata;

	if (plan->backend->no_storage || plan_cleans(plan))
		return;
	if (plan->names)
		add_word(&left->files, ", ", plan->names->metadata->dir, "");
	if (metadata && metadata->create && metadata->remove)
		add_word(&left->trees, " and ", "iorx mdtest --cleanup=", metadata->dir);
	else if (metadata && metadata->create)
		add_word(&left->kept, ", ", metadata->dir, "");
	for (uint32_t i = 0; i < plan->path_count && !metadata && makes_files(plan); i++)
		rescue_add_files(plan, i, plan->test->keep_file ? &left->kept : &left->files);
}

/* Launchers wait some 2 s after a signal, and removing many files takes longer. */
static void warn_of_leftovers(const struct runner *runner, int signal)
{
	const struct running running = atomic_load(&runner->running);
	struct leftovers left = {0};
	struct text text = {0};

	for (unsigned i = 0; i < running.count; i++)
		list_leftovers(&runner->plans[running.first + i], &left);
	text_add(&text, "signal %d (%s): the job ends", signal, strsignal(signal));
	if (left.files.length || left.trees.length)
		text_add(&text,
			 " and removes its files. Should the launcher kill it before, remove ");
	if (left.files.length)
		text_add(&text, "what is left of test_file %s, also NAME" LOCK_FILE_END,
			 left.files.bytes);
	if (left.trees.length)
		text_add(&text, "%sthe rest with %s", left.files.length ? ", and " : "",
			 left.trees.bytes);
	if (left.kept.length)
		text_add(&text,
			 "; these files stay: %s, also NAME" LOCK_FILE_END
			 " if the launcher kills the job before its end",
			 left.kept.bytes);
	report_message("warning", text_string(&text));
	text_release(&left.files);
	text_release(&left.trees);
	text_release(&left.kept);
	text_release(&text);
}

/* Names the command that removes what a load leaves. A hang ends a job without any removal. */
static void name_cleanup(const struct runner *runner)
{
	const struct running running = atomic_load(&runner->running);
	struct text text = {0};
	bool any = false;

	for (unsigned i = 0; i < running.count; i++) {
		const struct plan *plan = &runner->plans[running.first + i];

		any |= !plan_cleans(plan) && (plan_load_owns_files(plan) || plan->names);
	}
	text_add(&text, "what stays of the load is removed by: %s",
		 report_cleanup_command(runner->report));
	if (any && *report_cleanup_command(runner->report))
		report_message("warning", text_string(&text));
	text_release(&text);
}

/* The caller has the lock. */
static void make_document(struct runner *runner)
{
	const char *journal = report_journal_name(runner->report);
	struct error ignored = {0};

	results_set_umask(runner);
	if (journal)
		report_rescue(journal, report_document_name(runner->report), &ignored);
}

/* Thread: a document of many phases takes long, and a watchdog that is silent is taken for dead. */
static void *rescue(void *context)
{
	struct runner *runner = context;

	pthread_mutex_lock(&runner->rescue_lock);
	if (!runner->finished && runner->report)
		make_document(runner);
	pthread_mutex_unlock(&runner->rescue_lock);
	return NULL;
}

void on_signal(void *context, int signal)
{
	struct runner *runner = context;
	pthread_t thread;

	/*
	 * The lock is held while the report is made and ended. Then there is nothing to save, and a
	 * task that hangs with the lock must not keep its watchdog from ending the job.
	 */
	if (!leads(runner) || pthread_mutex_trylock(&runner->rescue_lock))
		return;
	if (!runner->finished && runner->report) {
		if (signal)
			warn_of_leftovers(runner, signal);
		name_cleanup(runner);
		/*
		 * The launcher may leave less than a second. The document is made now and again at
		 * the orderly end.
		 */
		if (signal && !pthread_create(&thread, NULL, rescue, runner))
			pthread_detach(thread);
		else
			make_document(runner);
	}
	pthread_mutex_unlock(&runner->rescue_lock);
}

/* phase: number of its kind, from 1 on; 0: none. */
static void describe_names(const char *dir, uint32_t phase, uint64_t done, struct text *out)
{
	if (!phase)
		text_add(out, " of %s", dir);
	else
		text_add(out, " in the %s phase in %s, %" PRIu64 " operations done",
			 phase_name((enum phase_kind)(phase - 1)), dir, done);
}

const struct plan *plan_of_slot(const struct runner *runner, uint32_t slot, uint32_t *task)
{
	const struct running running = atomic_load(&runner->running);

	for (unsigned i = 0; i < running.count; i++) {
		const struct seats seats = test_seats(runner, running.first + i);
		const int64_t found = seats_task(&seats, runner->world->node, slot);

		if (found == SEATS_NONE)
			continue;
		*task = (uint32_t)found;
		return &runner->plans[running.first + i];
	}
	return NULL;
}

/* Names the test where the job has several. */
static void describe_test(const struct runner *runner, const struct plan *plan, struct text *out)
{
	if (!plan || runner->job->test_count < 2)
		return;
	text_add(out, "test %u", (unsigned)(plan - runner->plans));
	if (plan->test->name)
		text_add(out, " (%s)", plan->test->name);
	text_add(out, ", ");
}

/* Names the task and, where the numbers differ, the rank. A test may leave ranks out. */
static void describe_who(const struct runner *runner, const struct node_slot *slot,
			 const struct plan *plan, uint32_t task, struct text *out)
{
	if (!plan)
		text_add(out, "rank %" PRIu32 " (", slot->rank);
	else if (task == slot->rank)
		text_add(out, "task %" PRIu32 " (", task);
	else
		text_add(out, "task %" PRIu32 " (rank %" PRIu32 ", ", task, slot->rank);
	text_add(out, "pid %d) on %s ", (int)slot->pid, runner->world->host);
}

/* A look at a file in a thread of its own, which the file system may hold for ever. */
struct lone_look {
	char path[PLAN_PATH_SIZE];
	enum access access;
	const char *failed; /* the call that failed; NULL: none */
	int code;	    /* with this errno */
	_Atomic bool over;
};

static void *look_alone(void *argument)
{
	struct lone_look *look = argument;
	const int flags = look->access == ACCESS_WRITE ? O_RDWR : O_RDONLY;
	const int fd = open(look->path, flags | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd < 0)
		look->failed = "open";
	else if (fstat(fd, &status))
		look->failed = "stat";
	else if (look->access == ACCESS_WRITE && fsync(fd))
		look->failed = "sync";
	look->code = errno;
	atomic_store(&look->over, true);
	return NULL;
}

/*
 * A library whose call fails on one task may keep all of them waiting, and nobody learns why. So
 * POSIX is asked about the file.
 */
static void add_cause(const struct plan *plan, enum access access, const char *path,
		      struct text *out)
{
	struct lone_look *look;
	pthread_t thread;

	if (!plan->backend->files || !plan->backend->may_hide_errors)
		return;
	look = memory_allocate(1, sizeof(*look)); /* the thread may never end and needs it */
	snprintf(look->path, sizeof(look->path), "%s", path);
	look->access = access;
	if (pthread_create(&thread, NULL, look_alone, look)) {
		free(look);
		return;
	}
	for (int i = 0; i < LONE_TENTHS && !atomic_load(&look->over); i++)
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	if (atomic_load(&look->over) && look->failed)
		text_add(out, ", which POSIX cannot %s: %s", look->failed, strerror(look->code));
}

/*
 * Describes the call, file and offset a task hangs in, as far as its slot and the plan know them.
 */
static void describe_hang(const struct runner *runner, const struct node_slot *slot,
			  const struct plan *plan, uint32_t task, struct text *out)
{
	uint32_t phase = atomic_load(&slot->phase);
	enum activity activity = (enum activity)atomic_load(&slot->activity);
	uint64_t done = atomic_load(&slot->operations);
	char path[PLAN_PATH_SIZE];
	struct phase_plan kind = {.kind = phase ? (enum phase_kind)(phase - 1) : PHASE_WRITE};
	kind.access = kind.kind == PHASE_WRITE ? ACCESS_WRITE : ACCESS_READ;
	uint32_t source = plan_source(plan, &kind, atomic_load(&runner->repetition), task);
	const uint64_t held = atomic_load(&slot->held);
	const uint64_t all =
		held ? plan_within(plan, source, held) : plan_transfers_of(plan, source);
	const bool is_load = kind.kind == PHASE_LOAD;
	struct placement at;
	uint64_t index = done;
	const uint32_t file = plan_file_at(plan, source, &index);

	if (plan_traits(plan)->has_names) {
		describe_names(plan->metadata->dir, phase, done, out);
		return;
	}
	if (plan->names && activity == ACTIVITY_METADATA) {
		text_add(out, " on small files in %s", plan->names->metadata->dir);
		return;
	}
	plan_phase_path(plan, &kind, source, atomic_load(&runner->repetition), path);
	if (!phase) {
		if (activity == ACTIVITY_FILES)
			text_add(out, " of %s", path);
		return;
	}
	text_add(out, " in the %s phase", phase_name(kind.kind));
	/* A load goes from file to file; its layout writes them one after the other. */
	if (plan->own_files > 1 && is_load)
		return;
	if (plan->own_files > 1 && done < all)
		plan_path(plan, source, file, 0, path);
	text_add(out, " of %s", path);
	if (activity == ACTIVITY_OPEN || activity == ACTIVITY_SYNC || activity == ACTIVITY_CLOSE)
		add_cause(plan, kind.access, path, out);
	/* The places of a load are not those of the plan. */
	if (done >= all || is_load)
		return;
	plan_locate_in(plan, source, file, index, held, &at);
	text_add(out, ", %" PRIu64 " of %" PRIu64 " transfers done, next at offset %" PRIu64, done,
		 all, at.offset);
}

void on_hang(void *context, const struct node_slot *slot, bool runs, double seconds)
{
	struct runner *runner = context;
	const char *failure = node_failure(&runner->node);
	const char *lock = atomic_load(&runner->lock_path);
	struct text text = {0};
	time_t since = time(NULL) - (time_t)seconds;
	struct tm when;
	char clock_text[16] = "";
	uint32_t task = 0;
	const struct plan *plan =
		plan_of_slot(runner, (uint32_t)(slot - runner->node.shared->slots), &task);

	if (localtime_r(&since, &when))
		strftime(clock_text, sizeof(clock_text), "%H:%M:%S", &when);
	describe_test(runner, plan, &text);
	describe_who(runner, slot, plan, task, &text);
	if (runs)
		text_add(&text, "makes no progress in %s",
			 activity_name(atomic_load(&slot->activity)));
	else
		text_add(&text, "does not run (stopped?), last seen in %s",
			 activity_name(atomic_load(&slot->activity)));
	if (plan)
		describe_hang(runner, slot, plan, task, &text);
	else if (lock)
		text_add(&text, " of %s", lock);
	text_add(&text, "; since %s, %.0f s", clock_text, seconds);
	if (failure)
		text_add(&text, ", after %s", failure);
	text_add(&text, "; the job is ended, %s",
		 runner->job->no_document ? "no document was asked for (output=none)"
					  : "finished phases are on disk");
	report_message("error", text_string(&text));
	text_release(&text);
	on_signal(context, 0);
}
