/* Lock files: who excludes whom, what the dead leave, and file systems without locks. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/lock_file.h"

#define PATH "data" LOCK_FILE_END
#define OTHER_KERNEL "00000000-0000-0000-0000-000000000000"

static int no_locks; /* the errno of a file system without locks; 0: it has some */

/* Stands before the C library's: locks fail as the test wishes. */
int fcntl(int fd, int command, ...)
{
	va_list list;
	void *argument;

	va_start(list, command);
	argument = va_arg(list, void *);
	va_end(list);
	if (no_locks && (command == F_OFD_SETLK || command == F_OFD_GETLK)) {
		errno = no_locks;
		return -1;
	}
	return (int)syscall(SYS_fcntl, fd, command, argument);
}

static int enter_folder(void **state)
{
	const char *folder = getenv("TEST_TMPDIR");

	(void)state;
	return folder && chdir(folder) ? -1 : 0;
}

static int begin(void **state)
{
	(void)state;
	no_locks = 0;
	unlink(PATH);
	return 0;
}

static bool is_there(void)
{
	struct stat status;

	return !lstat(PATH, &status);
}

static enum lock_outcome take(struct lock_files *files, bool alone, struct lock_record *other)
{
	struct lock_record own;
	struct lock_wish wish = {.own = &own, .alone = alone, .makes = true};

	lock_record_own(&own, "17");
	return lock_files_take(files, PATH, &wish, other);
}

static void assert_take(struct lock_files *files, bool alone, enum lock_outcome outcome)
{
	struct lock_record other;

	assert_int_equal(take(files, alone, &other), outcome);
}

/* A process that takes the lock, tells how that went, and waits for the word to go on. */
struct holder {
	pid_t pid;
	int out, in;
};

static struct holder start_holder(bool alone, enum lock_outcome wanted)
{
	struct holder holder;
	int out[2], in[2];
	char outcome;

	assert_int_equal(pipe(out) || pipe(in), 0);
	holder.pid = fork();
	if (!holder.pid) {
		struct lock_files files = {0};
		struct lock_record other;

		close(out[0]);
		close(in[1]);
		outcome = (char)take(&files, alone, &other);
		(void)!write(out[1], &outcome, 1);
		(void)!read(in[0], &outcome, 1);
		lock_files_release(&files);
		_exit(0);
	}
	close(out[1]);
	close(in[0]);
	holder.out = out[0];
	holder.in = in[1];
	assert_int_equal(read(holder.out, &outcome, 1), 1);
	assert_int_equal(outcome, wanted);
	return holder;
}

static void end_holder(struct holder *holder, int signal)
{
	if (signal)
		kill(holder->pid, signal);
	else
		assert_int_equal(write(holder->in, "", 1), 1);
	close(holder->in);
	waitpid(holder->pid, NULL, 0);
	close(holder->out);
}

static void one_writer_excludes_all_others_and_removes_its_file(void **state)
{
	struct holder writer = start_holder(true, LOCK_TAKEN);
	struct lock_files files = {0};
	struct lock_record other;

	(void)state;
	assert_int_equal(take(&files, true, &other), LOCK_HELD);
	assert_int_equal(other.pid, writer.pid);
	assert_string_equal(other.job, "17");
	assert_in_range((uintmax_t)(other.since_ns / 1000000000), (uintmax_t)time(NULL) - 100,
			(uintmax_t)time(NULL));
	assert_take(&files, false, LOCK_HELD);
	assert_true(is_there());
	end_holder(&writer, 0);
	assert_false(is_there());
	assert_int_equal(take(&files, true, &other), LOCK_TAKEN);
	assert_int_equal(other.pid, 0);
	lock_files_release(&files);
	assert_false(is_there());
}

static void readers_share_and_the_last_one_removes_the_file(void **state)
{
	struct holder first = start_holder(false, LOCK_TAKEN);
	struct holder second = start_holder(false, LOCK_TAKEN);
	struct lock_files files = {0};
	struct lock_record other;

	(void)state;
	assert_int_equal(take(&files, true, &other), LOCK_HELD);
	end_holder(&first, 0);
	assert_int_equal(take(&files, true, &other), LOCK_HELD);
	assert_int_equal(other.pid, second.pid);
	end_holder(&second, 0);
	assert_false(is_there());
}

static void a_killed_writer_is_named_and_followed(void **state)
{
	struct holder writer = start_holder(true, LOCK_TAKEN);
	struct lock_files files = {0};
	struct lock_record other;

	(void)state;
	end_holder(&writer, SIGKILL);
	assert_true(lock_file_read(PATH, &other));
	assert_int_equal(other.pid, writer.pid);
	memset(&other, 0, sizeof(other));
	assert_int_equal(take(&files, true, &other), LOCK_TAKEN);
	assert_int_equal(other.pid, writer.pid);
	assert_true(lock_file_read(PATH, &other));
	assert_int_equal(other.pid, getpid());
	lock_files_release(&files);
	assert_false(lock_file_read(PATH, &other));
}

static void a_killed_reader_does_not_hide_one_that_lives(void **state)
{
	struct holder first = start_holder(false, LOCK_TAKEN);
	struct holder second = start_holder(false, LOCK_TAKEN);
	struct lock_files files = {0};
	struct lock_record other;

	(void)state;
	end_holder(&first, SIGKILL);
	assert_int_equal(take(&files, true, &other), LOCK_HELD);
	assert_int_equal(other.pid, second.pid);
	end_holder(&second, 0);
	/* The file stays for the sake of the one that was killed. */
	assert_int_equal(take(&files, true, &other), LOCK_TAKEN);
	assert_int_equal(other.pid, first.pid);
	lock_files_release(&files);
}

static void a_process_takes_each_lock_once(void **state)
{
	struct lock_files files = {0};

	(void)state;
	assert_take(&files, true, LOCK_TAKEN);
	assert_take(&files, true, LOCK_TAKEN);
	assert_int_equal(files.count, 1);
	lock_files_release(&files);
	assert_false(is_there());
}

static void many_come_and_go_and_nothing_stays(void **state)
{
	enum { PROCESSES = 8, ROUNDS = 40 };
	int status, failed = 0;

	(void)state;
	for (int i = 0; i < PROCESSES; i++) {
		if (fork())
			continue;
		for (int k = 0; k < ROUNDS; k++) {
			struct lock_files files = {0};
			struct lock_record other;

			/* Readers never exclude each other. */
			if (take(&files, false, &other) != LOCK_TAKEN)
				_exit(1);
			lock_files_release(&files);
		}
		_exit(0);
	}
	while (wait(&status) > 0)
		failed += status != 0;
	assert_int_equal(failed, 0);
	assert_false(is_there());
}

/* Writes a lock file as a process of another host would. */
static void put_foreign(const char *state, const char *kernel)
{
	FILE *file = fopen(PATH, "w");

	assert_non_null(file);
	fprintf(file,
		"iorx %s version=9 host=far pid=4 started=5 kernel=%s processes=pid:[1] job=- "
		"files=0 since=2026-01-02T03:04:05.000000006Z\n",
		state, kernel);
	fclose(file);
}

static bool reaches_none(const char *path)
{
	(void)path;
	return false;
}

static bool look_far;

static enum lock_outcome take_far(struct lock_files *files, bool alone, struct lock_record *other)
{
	struct lock_record own;
	struct lock_wish wish = {.own = &own,
				 .alone = alone,
				 .makes = true,
				 .looks = look_far,
				 .reaches_hosts = reaches_none};

	lock_record_own(&own, NULL);
	return lock_files_take(files, PATH, &wish, other);
}

static void a_free_lock_of_another_host_is_judged_by_the_file_system(void **state)
{
	struct lock_files files = {0};
	struct lock_record other;

	(void)state;
	put_foreign("alone ", OTHER_KERNEL);
	assert_int_equal(take_far(&files, true, &other), LOCK_MAY_BE_HELD);
	assert_string_equal(other.host, "far");
	assert_true(other.since_ns == INT64_C(1767323045000000006));
	look_far = true;
	assert_int_equal(take_far(&files, true, &other), LOCK_MAY_BE_HELD);
	look_far = false;
	assert_int_equal(take_far(&files, false, &other), LOCK_MAY_BE_HELD);
	/* Where all hosts see each other's locks, the one that has none is dead. */
	assert_int_equal(take(&files, true, &other), LOCK_TAKEN);
	assert_string_equal(other.host, "far");
	lock_files_release(&files);
	put_foreign("shares", OTHER_KERNEL);
	assert_int_equal(take_far(&files, false, &other), LOCK_TAKEN);
	lock_files_release(&files);
	assert_true(is_there());
	put_foreign("left  ", OTHER_KERNEL);
	assert_int_equal(take_far(&files, true, &other), LOCK_TAKEN);
	assert_int_equal(other.pid, 0);
	lock_files_release(&files);
}

static void without_locks_the_process_of_the_holder_decides(void **state)
{
	static const int causes[] = {ENOLCK, EOPNOTSUPP, EINVAL, ENOSYS};
	struct lock_files files = {0};
	struct lock_record other;

	(void)state;
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++) {
		no_locks = causes[i];
		struct holder writer = start_holder(true, LOCK_TAKEN);

		assert_int_equal(take(&files, true, &other), LOCK_HELD);
		assert_int_equal(other.pid, writer.pid);
		assert_take(&files, false, LOCK_HELD);
		end_holder(&writer, SIGKILL);
		assert_int_equal(take(&files, true, &other), LOCK_TAKEN);
		assert_int_equal(other.pid, writer.pid);
		lock_files_release(&files);
		assert_false(is_there());
		put_foreign("alone ", OTHER_KERNEL);
		assert_take(&files, true, LOCK_MAY_BE_HELD);
		unlink(PATH);
		struct holder first = start_holder(false, LOCK_TAKEN);
		struct holder second = start_holder(false, LOCK_TAKEN);

		end_holder(&first, 0);
		assert_int_equal(take(&files, true, &other), LOCK_HELD);
		assert_int_equal(other.pid, second.pid);
		end_holder(&second, 0);
		assert_false(is_there());
	}
}

static void a_file_of_somebody_else_is_not_touched(void **state)
{
	struct lock_files files = {0};
	struct lock_record other;
	struct stat status;
	FILE *file = fopen(PATH, "w");

	(void)state;
	fputs("my notes\n", file);
	fclose(file);
	assert_take(&files, true, LOCK_FOREIGN);
	assert_false(lock_file_read(PATH, &other));
	assert_int_equal(stat(PATH, &status), 0);
	assert_int_equal(status.st_size, 9);
	unlink(PATH);
	assert_int_equal(symlink("elsewhere", PATH), 0);
	assert_take(&files, true, LOCK_FOREIGN);
	assert_int_equal(access("elsewhere", F_OK), -1);
	unlink(PATH);
	assert_int_equal(mkfifo(PATH, 0666), 0);
	assert_take(&files, true, LOCK_FOREIGN);
	unlink(PATH);
	/* Left by a full disk, or by a job that was killed before it wrote its line. */
	fclose(fopen(PATH, "w"));
	assert_take(&files, true, LOCK_TAKEN);
	lock_files_release(&files);
	assert_false(is_there());
}

static void another_user_is_told_of_a_lock_file_that_he_cannot_read(void **state)
{
	const mode_t mask = umask(0077);
	const bool is_root = !geteuid();
	struct lock_files files = {0};
	struct stat status;

	(void)state;
	assert_take(&files, true, LOCK_TAKEN);
	umask(mask);
	assert_int_equal(stat(PATH, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0644);
	lock_files_release(&files);
	put_foreign("alone ", OTHER_KERNEL);
	assert_int_equal(chmod(PATH, 0) || chmod(".", 0755), 0);
	assert_int_equal(is_root && seteuid(65534), 0);
	assert_take(&files, true, LOCK_UNREADABLE);
	assert_take(&files, false, LOCK_UNREADABLE);
	assert_int_equal(is_root && seteuid(0), 0);
}

static void a_look_changes_nothing(void **state)
{
	struct lock_record own, other;
	const struct lock_wish wish = {.own = &own, .alone = true, .makes = true, .looks = true};
	struct lock_files files = {0};

	(void)state;
	lock_record_own(&own, NULL);
	assert_int_equal(lock_files_take(&files, PATH, &wish, &other), LOCK_WITHOUT);
	assert_false(is_there());
	struct holder writer = start_holder(true, LOCK_TAKEN);

	assert_int_equal(lock_files_take(&files, PATH, &wish, &other), LOCK_HELD);
	assert_int_equal(other.pid, writer.pid);
	end_holder(&writer, SIGKILL);
	assert_int_equal(lock_files_take(&files, PATH, &wish, &other), LOCK_TAKEN);
	assert_int_equal(files.count, 0);
	assert_true(is_there());
}

/* Another user's reader holds the lock, and has no line as it may not write one. */
static void a_dead_writer_excludes_nobody_beside_a_reader(void **state)
{
	struct flock shared = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
	struct holder writer = start_holder(true, LOCK_TAKEN);
	struct lock_files files = {0};
	struct lock_record own, other;
	struct lock_wish wish = {.own = &own, .looks = true};

	(void)state;
	end_holder(&writer, SIGKILL);
	const int reader = open(PATH, O_RDONLY | O_CLOEXEC);

	assert_int_equal(fcntl(reader, F_OFD_SETLK, &shared), 0);
	lock_record_own(&own, NULL);
	assert_int_equal(lock_files_take(&files, PATH, &wish, &other), LOCK_TAKEN);
	assert_take(&files, false, LOCK_TAKEN);
	lock_files_release(&files);
	wish.alone = true;
	assert_int_equal(lock_files_take(&files, PATH, &wish, &other), LOCK_HELD);
	assert_take(&files, true, LOCK_HELD);
	close(reader);
}

static void a_folder_that_is_missing_has_no_lock(void **state)
{
	struct lock_files files = {0};
	struct lock_record own, other;
	const struct lock_wish wish = {.own = &own, .alone = true, .makes = true};

	(void)state;
	lock_record_own(&own, "a job\nof two lines");
	assert_string_equal(own.job, "a_job_of_two_lines");
	const uint64_t before = (uint64_t)time(NULL);

	assert_int_equal(lock_files_take(&files, "nowhere/x" LOCK_FILE_END, &wish, &other),
			 LOCK_WITHOUT);
	for (int i = 0; i < 99; i++)
		lock_files_take(&files, "nowhere/x" LOCK_FILE_END, &wish, &other);
	/* Nobody waits for it: 100 waits would take 200 s. */
	assert_in_range((uint64_t)time(NULL) - before, 0, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(one_writer_excludes_all_others_and_removes_its_file, begin),
		cmocka_unit_test_setup(readers_share_and_the_last_one_removes_the_file, begin),
		cmocka_unit_test_setup(a_killed_writer_is_named_and_followed, begin),
		cmocka_unit_test_setup(a_killed_reader_does_not_hide_one_that_lives, begin),
		cmocka_unit_test_setup(a_process_takes_each_lock_once, begin),
		cmocka_unit_test_setup(many_come_and_go_and_nothing_stays, begin),
		cmocka_unit_test_setup(a_free_lock_of_another_host_is_judged_by_the_file_system,
				       begin),
		cmocka_unit_test_setup(without_locks_the_process_of_the_holder_decides, begin),
		cmocka_unit_test_setup(a_file_of_somebody_else_is_not_touched, begin),
		cmocka_unit_test_setup(another_user_is_told_of_a_lock_file_that_he_cannot_read,
				       begin),
		cmocka_unit_test_setup(a_look_changes_nothing, begin),
		cmocka_unit_test_setup(a_dead_writer_excludes_nobody_beside_a_reader, begin),
		cmocka_unit_test_setup(a_folder_that_is_missing_has_no_lock, begin),
	};

	return cmocka_run_group_tests(tests, enter_folder, NULL);
}
