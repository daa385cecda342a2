/*
 * The lock files of a job: task 0 takes them before the first test, and gives them back when all
 * tasks have ended. So several tests of the job, in whatever order they come back to their files,
 * have one lock. Before the tests are checked task 0 only looks at them, as a job that is refused
 * touches nothing; each test checks its files again when it starts.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "engine/data/found.h"
#include "environment/mount.h"
#include "environment/variables.h"
#include "plan/load.h"
#include "plan/workload.h"
#include "run/state.h"

enum {
	LOCK_PATH_SIZE = PLAN_PATH_SIZE + 32,
	MOST_NEEDS = 256, /* for jobs with a name for each of thousands of tests */
};

/* A lock file that the job needs. */
struct need {
	char path[LOCK_PATH_SIZE];
	char name[PLAN_PATH_SIZE];	 /* that the lock is for */
	const char *key;		 /* option that has the name */
	const struct test_spec *spec;	 /* test that has the option; NULL: the job */
	bool alone, makes, looks, keeps; /* as in struct lock_wish */
	uint64_t file_bytes;
};

struct needs {
	struct need *list;
	size_t count;
	size_t no_room; /* locks beyond MOST_NEEDS */
};

static void add_need(struct needs *needs, const struct need *need)
{
	for (size_t i = 0; i < needs->count; i++) {
		struct need *other = &needs->list[i];

		if (other->looks != need->looks || !plan_same_path(other->path, need->path))
			continue;
		other->alone |= need->alone;
		other->makes |= need->makes;
		if (!other->file_bytes)
			other->file_bytes = need->file_bytes;
		return;
	}
	if (needs->count == MOST_NEEDS) {
		needs->no_room += !need->looks;
		return;
	}
	needs->list = memory_grow(needs->list, (needs->count + 1) * sizeof(*need));
	needs->list[needs->count++] = *need;
}

/* Cuts the numbers off the name of a task's file, ".00000003". Returns whether there are any. */
static bool cut_numbers(char *name)
{
	enum { NUMBER = 9 };
	bool cut = false;

	for (size_t length = strlen(name);
	     length > NUMBER && name[length - NUMBER] == '.' &&
	     strspn(name + length - NUMBER + 1, "0123456789") == NUMBER - 1;
	     length -= NUMBER) {
		name[length - NUMBER] = '\0';
		cut = true;
	}
	return cut;
}

/* Replaces the name of a symbolic link by that of its file. */
static void follow_link(char name[PLAN_PATH_SIZE])
{
	struct stat status;
	char *real;

	if (lstat(name, &status) || !S_ISLNK(status.st_mode))
		return;
	real = realpath(name, NULL);
	if (real && strlen(real) < PLAN_PATH_SIZE)
		strcpy(name, real);
	free(real);
}

/*
 * The lock of a file lies beside it. Devices and pipes have none. A file whose name ends in a
 * number may be one of those of another job.
 */
static void need_file(struct needs *needs, struct need need)
{
	struct stat status;

	follow_link(need.name);
	const bool in_dev = !strncmp(need.name, "/dev/", 5) && strncmp(need.name, "/dev/shm/", 9);

	if (in_dev || (!stat(need.name, &status) && !S_ISREG(status.st_mode)))
		return;
	snprintf(need.path, sizeof(need.path), "%s" LOCK_FILE_END, need.name);
	add_need(needs, &need);
	if (!cut_numbers(need.name))
		return;
	snprintf(need.path, sizeof(need.path), "%s" LOCK_FILE_END, need.name);
	need.looks = true;
	add_need(needs, &need);
}

/* The lock beside a part of a path: the parts of the name behind it are joined by '.'. */
static void name_beside(const char *directory, size_t length, char *path)
{
	snprintf(path, LOCK_PATH_SIZE, "%s" LOCK_FILE_END, directory);
	for (char *at = path + length; *at; at++)
		if (at > path + length && *at == '/')
			*at = '.';
}

/* Bytes of the longest part of a path that exists; 0: none but the working directory. */
static size_t existing_part(const char *directory)
{
	char path[PLAN_PATH_SIZE];
	struct stat status;
	size_t length = strlen(directory);

	snprintf(path, sizeof(path), "%s", directory);
	while (length && stat(path, &status)) {
		while (length && path[length] != '/')
			length--;
		path[length] = '\0';
		while (length && path[length - 1] == '/')
			path[--length] = '\0';
	}
	return length;
}

/*
 * The lock of a directory lies in it, as its parent may be another file system or not writable. The
 * lock of a missing directory lies beside what will be made. A job that comes later, when the
 * directory is there, looks for such a lock too, and a cleanup takes it, so that it goes as well.
 */
static void need_directory(struct needs *needs, bool cleans, struct need need)
{
	text_trim_slashes(need.name);
	size_t length = existing_part(need.name);
	const bool exists = length == strlen(need.name);

	if (exists)
		snprintf(need.path, sizeof(need.path), "%s/" LOCK_FILE_END, need.name);
	else
		name_beside(need.name, length, need.path);
	add_need(needs, &need);
	for (; exists && length; length--) {
		if (need.name[length - 1] != '/' && length > 1)
			continue;
		name_beside(need.name, length - 1, need.path);
		need.looks = !cleans || access(need.path, F_OK);
		add_need(needs, &need);
	}
}

static void need_trees(struct needs *needs, const struct plan *plan, struct need need)
{
	const struct metadata *test = plan->metadata;
	const char *list = test->cleanup;

	need.alone = test->create || test->rename || test->remove || test->mix || test->cleanup;
	/* A find reads foreign directories too, in which it makes no file. */
	need.makes = !metadata_only_finds(test);
	need.key = list ? "cleanup" : "dir";
	for (uint32_t i = 0; !list && i < plan->path_count; i++) {
		plan_base(plan, i, need.name);
		need_directory(needs, false, need);
	}
	while (list) {
		list = plan_take_path(list, need.name);
		need_directory(needs, true, need);
	}
}

static bool locks_writes(const struct plan *plan)
{
	return plan->test->write_file || plan->names || found_destroys(plan);
}

static void need_test(struct needs *needs, const struct plan *plan, const struct test_spec *spec)
{
	struct need need = {.spec = spec, .key = "test_file", .makes = true};

	if (!plan->backend->files || plan->backend->no_storage)
		return;
	if (plan_traits(plan)->has_names) {
		need_trees(needs, plan, need);
		return;
	}
	need.alone = locks_writes(plan);
	need.keeps = plan_cleans(plan);
	if (plan_load_owns_files(plan) && !need.keeps)
		need.file_bytes = plan->file_size;
	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, need.name);
		need_file(needs, need);
	}
	if (plan->names && load_of(spec)->dir)
		need_trees(needs, plan->names, need);
}

static struct needs find_needs(const struct runner *runner)
{
	const struct job *job = runner->job;
	const char *table = run_of(job)->task_table;
	struct need of_table = {.key = "task_table", .alone = true, .makes = true};
	struct needs needs = {0};

	for (size_t i = 0; i < job->test_count; i++)
		need_test(&needs, &runner->plans[i], &job->tests[i]);
	if (table) {
		snprintf(of_table.name, sizeof(of_table.name), "%s", table);
		need_file(&needs, of_table);
	}
	return needs;
}

static bool has_word(const char *words, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ',') && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* Some file systems, or their mounts, keep locks to the host. */
static bool reaches_hosts(const char *path)
{
	static const char *const local_types[] = {"9p", "beegfs", "virtiofs"};
	static const char *const local_options[] = {"nolock", "local_lock=all", "local_lock=posix",
						    "localflock", "localflocks"};
	struct mount_facts mount;
	bool reaches;

	mount_read(&mount, path);
	reaches = *mount.type && strncmp(mount.type, "fuse", 4);
	for (size_t i = 0; i < sizeof(local_types) / sizeof(*local_types); i++)
		reaches &= strcmp(mount.type, local_types[i]) != 0;
	for (size_t i = 0; i < sizeof(local_options) / sizeof(*local_options); i++)
		reaches &= !has_word(mount.options, local_options[i]);
	return reaches;
}

/* "pid 17 on node3 (job 4711) since 2026-05-01 10:11:12" */
static void describe(const struct lock_record *record, struct text *out)
{
	const time_t seconds = (time_t)(record->since_ns / 1000000000);
	char since[32] = "";
	struct tm when;

	if (!record->pid) {
		text_add(out, "a job that it does not name");
		return;
	}
	if (localtime_r(&seconds, &when))
		strftime(since, sizeof(since), "%Y-%m-%d %H:%M:%S", &when);
	text_add(out, "pid %ld on %s", record->pid, record->host);
	if (strcmp(record->job, "-"))
		text_add(out, " (job %s)", record->job);
	text_add(out, " since %s", since);
}

static int locks_refuse(const struct runner *runner, const struct need *need, const char *who,
			bool lives, struct error *err)
{
	if (lives)
		error_input(err,
			    "%s: another job of iorx uses %.150s: %s holds %.150s; wait for its "
			    "end, choose another name, or start both with --allow-sharing",
			    need->key, need->name, who, need->path);
	else
		error_input(err,
			    "%s: another job of iorx may use %.150s: %.150s is that of %s, which "
			    "cannot be seen from here; remove the lock file if that job has ended, "
			    "else choose another name, or start both with --allow-sharing",
			    need->key, need->name, need->path, who);
	job_add_location(runner->job, need->spec, err);
	return -1;
}

static int take(struct runner *runner, const struct need *need, const struct lock_record *own,
		struct error *err)
{
	const struct lock_wish wish = {
		.own = own,
		.alone = need->alone && !run_of(runner->job)->allow_sharing,
		.makes = need->makes,
		.looks = need->looks,
		.keeps = need->keeps,
		.file_bytes = need->file_bytes,
		.reaches_hosts = reaches_hosts,
	};
	struct text who = {0}, note = {0};
	struct lock_record other;
	int ret = 0;

	atomic_store(&runner->lock_path, need->path);
	const enum lock_outcome outcome =
		lock_files_take(&runner->locks, need->path, &wish, &other);

	atomic_store(&runner->lock_path, NULL);
	describe(&other, &who);
	if (outcome == LOCK_HELD || outcome == LOCK_MAY_BE_HELD)
		ret = locks_refuse(runner, need, who.bytes, outcome == LOCK_HELD, err);
	else if (outcome == LOCK_FOREIGN && !wish.looks)
		text_add(&note,
			 "%s is there and is no lock file of iorx: this job runs without a lock, "
			 "and a second one on %s would not be refused",
			 need->path, need->name);
	else if (outcome == LOCK_UNREADABLE && !wish.looks)
		text_add(&note,
			 "%s is there and this user may not read it: it is not known whether "
			 "another job uses %s, and this job runs without a lock",
			 need->path, need->name);
	else if (outcome == LOCK_TAKEN && other.pid && wish.makes && !wish.looks)
		text_add(&note, "%s was left by a job that died, %s; this job takes it over",
			 need->path, who.bytes);
	if (note.length)
		report_message("note", note.bytes);
	text_release(&who);
	text_release(&note);
	return ret;
}

static void report_no_room(size_t names)
{
	struct text note = {0};

	text_add(&note,
		 "the job uses more files than it can lock: %zu of them have no lock, and a second "
		 "job on these would not be refused",
		 names);
	report_message("note", note.bytes);
	text_release(&note);
}

static int take_all(struct runner *runner, bool looks, struct error *err)
{
	struct needs needs = find_needs(runner);
	struct lock_record own;
	int ret = 0;

	lock_record_own(&own, variables_job_number());
	node_set_activity(&runner->node, ACTIVITY_FILES);
	/* A file that is met again by another name keeps its lock: the stronger come first. */
	for (int alone = 1; alone >= 0; alone--)
		for (size_t i = 0; i < needs.count && !ret; i++) {
			needs.list[i].looks |= looks;
			if (needs.list[i].alone == alone)
				ret = take(runner, &needs.list[i], &own, err);
		}
	node_set_activity(&runner->node, ACTIVITY_NONE);
	if (!looks && !ret && needs.no_room + runner->locks.no_room)
		report_no_room(needs.no_room + runner->locks.no_room);
	free(needs.list);
	return ret;
}

int locks_look(struct runner *runner, struct error *err)
{
	return take_all(runner, true, err);
}

int locks_take(struct runner *runner, struct error *err)
{
	return take_all(runner, false, err);
}
