/* Lock files: which jobs use a name. */
#include "base/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/named_file.h"
#include "base/text.h"

enum {
	MOST_BYTES = 64 << 10, /* read of a lock file */
	MOST_LOCKS = 128,      /* of a process, as each keeps a descriptor */
	TRIES = 100,
	PAUSE_NS = 20000000,
};

struct lock_file {
	int fd;
	struct stat file;
	char *path;
	bool writable;	/* else it is another user's, or changed by nobody */
	bool alone;	/* the lock excludes all others */
	bool has_locks; /* the file system has locks */
	bool has_line;	/* at line_at is the line of this process */
	off_t line_at;
};

/* The jobs of a lock file. */
struct jobs {
	struct lock_record *records;
	size_t count;
	bool foreign; /* something else is in the file */
};

static struct jobs read_jobs(int fd)
{
	char *text = memory_allocate(1, MOST_BYTES), *rest = text, *line;
	ssize_t got = pread(fd, text, MOST_BYTES - 1, 0);
	struct jobs jobs = {0};
	struct lock_record record;

	text[got > 0 ? got : 0] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		if (!lock_record_parse(line, &record)) {
			jobs.foreign = true;
			continue;
		}
		jobs.records = memory_grow(jobs.records, (jobs.count + 1) * sizeof(record));
		jobs.records[jobs.count++] = record;
	}
	jobs.foreign &= !jobs.count; /* the last line of a job may be cut */
	free(text);
	return jobs;
}

bool lock_file_has_name(const char *name)
{
	static const char end[] = LOCK_FILE_END;
	const size_t length = strlen(name), behind = sizeof(end) - 1;

	return length >= behind && !memcmp(name + length - behind, end, behind);
}

static bool is_read_only(int error)
{
	return error == EACCES || error == EPERM || error == EROFS;
}

/* Opens a lock file that is there, to write if possible. Only a regular file is one. */
static int open_existing(const char *path, bool *writable)
{
	const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct stat status;
	int fd = -1;

	if (lstat(path, &status))
		return -1;
	if (*writable)
		fd = open(path, O_RDWR | O_APPEND | flags);
	if (!*writable || (fd < 0 && is_read_only(errno))) {
		*writable = false;
		fd = open(path, O_RDONLY | flags);
	}
	if (fd < 0 || (!fstat(fd, &status) && S_ISREG(status.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

bool lock_file_read(const char *path, struct lock_record *record)
{
	bool writable = false, found = false;
	const int fd = open_existing(path, &writable);

	if (fd < 0)
		return false;
	struct jobs jobs = read_jobs(fd);

	for (size_t i = 0; i < jobs.count && !found; i++) {
		*record = jobs.records[i];
		found = !record->left;
	}
	free(jobs.records);
	close(fd);
	return found;
}

/* Returns 0, EAGAIN if another process has a lock that excludes this one, or why there are none. */
static int set_lock(int fd, int how, short type, short *found)
{
	struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
	int ret;

	do
		ret = fcntl(fd, how, &whole);
	while (ret < 0 && errno == EINTR);
	if (found)
		*found = whole.l_type;
	if (!ret)
		return 0;
	return errno == EACCES ? EAGAIN : errno;
}

/* EAGAIN if another process has a lock on the file that excludes one of this type. */
static int look_for_locks(int fd, short type)
{
	short found = F_UNLCK;
	int error = set_lock(fd, F_OFD_GETLK, type, &found);

	return error ? error : found == F_UNLCK ? 0 : EAGAIN;
}

/* A lock that excludes all others. Only a shared one can be had on another user's file. */
static int lock_alone(const struct lock_file *lock)
{
	int error;

	if (lock->writable)
		return set_lock(lock->fd, F_OFD_SETLK, F_WRLCK, NULL);
	error = set_lock(lock->fd, F_OFD_SETLK, F_RDLCK, NULL);
	if (!error && look_for_locks(lock->fd, F_WRLCK)) {
		set_lock(lock->fd, F_OFD_SETLK, F_UNLCK, NULL);
		return EAGAIN;
	}
	return error;
}

static bool is_at_path(const struct lock_file *lock)
{
	struct stat status;

	return !lstat(lock->path, &status) && named_file_same(&status, &lock->file);
}

/*
 * The job that excludes the wish, or NULL. One that is known to live goes before one that may.
 */
static const struct lock_record *find_opponent(const struct jobs *jobs,
					       const struct lock_wish *wish, bool also_dead)
{
	const struct lock_record *found[] = {
		[LOCK_LIVES] = NULL, [LOCK_IS_DEAD] = NULL, [LOCK_MAY_LIVE] = NULL};

	for (size_t i = jobs->count; i > 0; i--) {
		const struct lock_record *record = &jobs->records[i - 1];

		if (!record->left && (wish->alone || record->alone))
			found[lock_record_life(record, wish->own)] = record;
	}
	return found[LOCK_LIVES]      ? found[LOCK_LIVES]
	       : found[LOCK_MAY_LIVE] ? found[LOCK_MAY_LIVE]
	       : also_dead	      ? found[LOCK_IS_DEAD]
				      : NULL;
}

/* The first job that has not left the file, or NULL. */
static const struct lock_record *first_job(const struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		if (!jobs->records[i].left)
			return &jobs->records[i];
	return NULL;
}

/* Writes this process into the file, behind the other jobs or in place of them. */
static void lock_file_write_line(struct lock_file *lock, const struct lock_wish *wish, bool clears)
{
	char line[LOCK_LINE_SIZE];
	struct lock_record record = *wish->own;

	record.alone = wish->alone;
	record.file_bytes = wish->file_bytes;
	const int length = lock_record_print(&record, line);

	lock->has_line = lock->writable && (!clears || wish->keeps || !ftruncate(lock->fd, 0)) &&
			 write(lock->fd, line, (size_t)length) == length;
	lock->line_at = lseek(lock->fd, 0, SEEK_CUR) - length;
}

static enum lock_outcome say(enum lock_outcome outcome, const struct lock_record *record,
			     struct lock_record *other)
{
	if (record)
		*other = *record;
	return outcome;
}

/* For the loop of lock_files_take(): the file was replaced, or a job is coming or going. */
enum { MOVED = LOCK_MAY_BE_HELD + 1, BUSY };

/* True if a job without a lock may live all the same, as its lock is not seen from here. */
static bool may_live_unseen(const struct lock_file *lock, const struct lock_wish *wish,
			    const struct lock_record *record)
{
	return record && strcmp(record->kernel, wish->own->kernel) && wish->reaches_hosts &&
	       !wish->reaches_hosts(lock->path);
}

/* The file is there, and no other process has a lock on it: whoever made it has died. */
static int take_over(struct lock_file *lock, const struct lock_wish *wish, const struct jobs *jobs,
		     struct lock_record *other)
{
	const struct lock_record *dead = first_job(jobs);

	if (may_live_unseen(lock, wish, dead)) {
		if (wish->alone || dead->alone)
			return (int)say(LOCK_MAY_BE_HELD, dead, other);
		dead = NULL;
	}
	if (!lock->writable && wish->alone)
		return unlink(lock->path) ? LOCK_WITHOUT : MOVED;
	lock_file_write_line(lock, wish, dead || !first_job(jobs));
	if (!wish->alone)
		set_lock(lock->fd, F_OFD_SETLK, F_RDLCK, NULL);
	return (int)say(LOCK_TAKEN, dead, other);
}

/* Without locks only the lines of the file and the processes of this host say who uses it. */
static int take_without_locks(struct lock_file *lock, const struct lock_wish *wish,
			      const struct jobs *jobs, struct lock_record *other)
{
	const struct lock_record *opponent = find_opponent(jobs, wish, false);
	bool all_dead = true;

	if (!jobs->count)
		return BUSY; /* its maker has not written its line yet */
	if (opponent)
		return (int)say(lock_record_life(opponent, wish->own) == LOCK_LIVES
					? LOCK_HELD
					: LOCK_MAY_BE_HELD,
				opponent, other);
	for (size_t i = 0; i < jobs->count; i++)
		all_dead &= jobs->records[i].left ||
			    lock_record_life(&jobs->records[i], wish->own) == LOCK_IS_DEAD;
	if (!lock->writable && wish->alone)
		return unlink(lock->path) ? LOCK_WITHOUT : MOVED;
	lock_file_write_line(lock, wish, all_dead);
	return (int)say(LOCK_TAKEN, all_dead ? first_job(jobs) : NULL, other);
}

static int take_existing(struct lock_file *lock, const struct lock_wish *wish,
			 struct lock_record *other)
{
	int error = lock_alone(lock);
	const bool unused = !error;

	if (error == EAGAIN && !wish->alone)
		error = set_lock(lock->fd, F_OFD_SETLK, F_RDLCK, NULL);
	if (!is_at_path(lock))
		return MOVED;
	struct jobs jobs = read_jobs(lock->fd);
	int outcome = LOCK_TAKEN;

	lock->has_locks = !error || error == EAGAIN;
	if (jobs.foreign) {
		outcome = LOCK_FOREIGN;
	} else if (!lock->has_locks) {
		outcome = take_without_locks(lock, wish, &jobs, other);
	} else if (error) {
		const struct lock_record *opponent = find_opponent(&jobs, wish, true);

		/* Without one, a job is just coming or going. */
		outcome = (int)say(opponent ? LOCK_HELD : BUSY, opponent, other);
	} else if (unused) {
		outcome = take_over(lock, wish, &jobs, other);
	} else {
		lock_file_write_line(lock, wish, false);
	}
	free(jobs.records);
	return outcome;
}

static int take_new(struct lock_file *lock, const struct lock_wish *wish)
{
	int error = set_lock(lock->fd, F_OFD_SETLK, F_WRLCK, NULL);

	if (error == EAGAIN)
		return BUSY; /* somebody was quicker */
	if (!is_at_path(lock))
		return MOVED;
	lock->has_locks = !error;
	lock_file_write_line(lock, wish, false);
	if (!lock->has_line) {
		unlink(lock->path);
		return LOCK_WITHOUT;
	}
	if (!wish->alone && lock->has_locks)
		set_lock(lock->fd, F_OFD_SETLK, F_RDLCK, NULL);
	return LOCK_TAKEN;
}

static bool has_already(const struct lock_files *files, const struct lock_file *lock)
{
	for (size_t i = 0; i < files->count; i++)
		if (named_file_same(&files->locks[i].file, &lock->file))
			return true;
	return false;
}

static int lock_file_look_at(const struct lock_file *lock, const struct lock_wish *wish,
			     struct lock_record *other)
{
	const int error = look_for_locks(lock->fd, wish->alone ? F_WRLCK : F_RDLCK);
	const bool has_locks = !error || error == EAGAIN;
	const bool unused = !error && !look_for_locks(lock->fd, F_WRLCK);
	struct jobs jobs = read_jobs(lock->fd);
	const struct lock_record *opponent = find_opponent(&jobs, wish, has_locks);
	int outcome = LOCK_TAKEN;

	if (jobs.foreign)
		outcome = LOCK_FOREIGN;
	else if (error == EAGAIN)
		outcome = opponent ? LOCK_HELD : BUSY;
	else if (opponent && !has_locks)
		outcome = lock_record_life(opponent, wish->own) == LOCK_LIVES ? LOCK_HELD
									      : LOCK_MAY_BE_HELD;
	else if (unused && may_live_unseen(lock, wish, opponent))
		outcome = LOCK_MAY_BE_HELD;
	say((enum lock_outcome)outcome, opponent, other);
	free(jobs.records);
	return outcome;
}

static int take_once(struct lock_files *files, const char *path, const struct lock_wish *wish,
		     struct lock_record *other)
{
	struct lock_file lock = {.fd = -1, .path = text_copy(path), .alone = wish->alone};
	const bool makes = wish->makes && !wish->looks;
	struct stat status;
	int outcome = LOCK_WITHOUT;

	if (makes)
		lock.fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			       0666);
	const bool made = lock.fd >= 0, existed = makes && !made && errno == EEXIST;

	lock.writable = makes;
	if (!made)
		lock.fd = open_existing(path, &lock.writable);
	if (lock.fd < 0 && existed && errno == ENOENT)
		outcome = MOVED;
	else if (lock.fd < 0 && !lstat(path, &status))
		outcome = !S_ISREG(status.st_mode) ? LOCK_FOREIGN
			  : errno == EACCES	   ? LOCK_UNREADABLE
						   : LOCK_WITHOUT;
	if (lock.fd < 0 || fstat(lock.fd, &status)) {
		free(lock.path);
		return outcome;
	}
	/* The jobs of other users must read it, whatever the umask is. */
	if (made)
		fchmod(lock.fd, (status.st_mode & 0777) | 0444);
	lock.file = status;
	if (has_already(files, &lock))
		outcome = LOCK_TAKEN;
	else if (wish->looks)
		outcome = lock_file_look_at(&lock, wish, other);
	else
		outcome = made ? take_new(&lock, wish) : take_existing(&lock, wish, other);
	if (outcome == LOCK_TAKEN && !wish->looks && !has_already(files, &lock)) {
		files->locks = memory_grow(files->locks, (files->count + 1) * sizeof(lock));
		files->locks[files->count++] = lock;
		return outcome;
	}
	close(lock.fd);
	free(lock.path);
	return outcome;
}

enum lock_outcome lock_files_take(struct lock_files *files, const char *path,
				  const struct lock_wish *wish, struct lock_record *other)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	int outcome = LOCK_WITHOUT;

	*other = (struct lock_record){0};
	if (files->count >= MOST_LOCKS) {
		files->no_room += !wish->looks;
		return LOCK_WITHOUT;
	}
	for (int i = 0; i < TRIES; i++) {
		outcome = take_once(files, path, wish, other);
		if (outcome < MOVED)
			return (enum lock_outcome)outcome;
		nanosleep(&pause, NULL);
	}
	/* Some file systems give a file another number at each look. */
	return outcome == BUSY ? LOCK_MAY_BE_HELD : LOCK_WITHOUT;
}

/* Marks this job as one that has left. Returns whether no other job is in the file. */
static bool lock_file_leave(const struct lock_file *lock)
{
	struct jobs jobs;
	bool empty;

	if (lock->has_line)
		lock_record_leave(lock->fd, lock->line_at);
	jobs = read_jobs(lock->fd);
	empty = !first_job(&jobs);
	free(jobs.records);
	return empty;
}

/* True if the file tells of a dead job that laid files out. */
static bool has_record(const struct lock_file *lock)
{
	struct jobs jobs = read_jobs(lock->fd);
	bool found = false;

	for (size_t i = 0; i < jobs.count; i++)
		found |= !jobs.records[i].left && jobs.records[i].file_bytes;
	free(jobs.records);
	return found;
}

/*
 * The last of several jobs to give its lock back is the one that finds no lock of others, and
 * removes the file. A job that was killed beside it stays named in the file.
 */
static void release(struct lock_file *lock, bool keeps)
{
	bool last = lock->alone;

	if (!lock->alone && lock->writable) {
		last = lock_file_leave(lock);
		if (lock->has_locks) {
			set_lock(lock->fd, F_OFD_SETLK, F_UNLCK, NULL);
			last = !set_lock(lock->fd, F_OFD_SETLK, F_WRLCK, NULL) &&
			       lock_file_leave(lock);
		}
	}
	if (last && keeps) {
		lock_file_leave(lock);
		last = !has_record(lock);
	}
	/* A file that cannot be removed says at least that nobody died. */
	if (last && is_at_path(lock) && unlink(lock->path))
		lock_file_leave(lock);
	close(lock->fd);
	free(lock->path);
}

void lock_files_release(struct lock_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		release(&files->locks[i], files->keeps);
	free(files->locks);
	*files = (struct lock_files){0};
}
