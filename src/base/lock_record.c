/* Lines of lock files. */
#include "base/lock_record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/version.h"

/* The states of a job in its line, of equal length. */
#define ALONE "alone "
#define SHARES "shares"
#define LEFT "left  "

static uint64_t start_of(long pid)
{
	char path[64], line[1024], *rest;
	uint64_t ticks = 0;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (fd >= 0)
		close(fd);
	line[got > 0 ? got : 0] = '\0';
	/* The name of the program, field 2, may hold anything. */
	rest = strrchr(line, ')');
	for (int field = 2; rest && field < 22; field++)
		rest = strchr(rest + 1, ' ');
	if (rest)
		ticks = strtoull(rest, NULL, 10);
	return ticks;
}

/* Copies a word, with '_' for what would end it. */
static void copy_word(char *word, size_t size, const char *text)
{
	snprintf(word, size, "%.*s", (int)size - 1, text && *text ? text : "-");
	for (char *at = word; *at; at++)
		if (*at <= ' ' || *at >= 127)
			*at = '_';
}

static void read_kernel(char *kernel, size_t size)
{
	char line[64];
	ssize_t got = -1;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		got = read(fd, line, sizeof(line) - 1);
		close(fd);
	}
	line[got > 0 ? got : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	copy_word(kernel, size, line);
}

void lock_record_own(struct lock_record *own, const char *job)
{
	char text[256];
	struct timespec now;
	ssize_t length;

	*own = (struct lock_record){.pid = getpid()};
	own->started = start_of(own->pid);
	copy_word(own->version, sizeof(own->version), version.number);
	text[gethostname(text, sizeof(text) - 1) ? 0 : sizeof(text) - 1] = '\0';
	copy_word(own->host, sizeof(own->host), text);
	read_kernel(own->kernel, sizeof(own->kernel));
	length = readlink("/proc/self/ns/pid", text, sizeof(text) - 1); /* pid:[4026531836] */
	text[length > 0 ? length : 0] = '\0';
	copy_word(own->processes, sizeof(own->processes), text);
	copy_word(own->job, sizeof(own->job), job);
	clock_gettime(CLOCK_REALTIME, &now);
	own->since_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int lock_record_print(const struct lock_record *record, char line[LOCK_LINE_SIZE])
{
	const time_t seconds = (time_t)(record->since_ns / 1000000000);
	char date[32];
	struct tm when;

	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &when));
	return snprintf(line, LOCK_LINE_SIZE,
			"iorx %s version=%s host=%s pid=%ld started=%" PRIu64
			" kernel=%s processes=%s job=%s files=%" PRIu64 " since=%s.%09dZ\n",
			record->alone ? ALONE : SHARES, record->version, record->host, record->pid,
			record->started, record->kernel, record->processes, record->job,
			record->file_bytes, date, (int)(record->since_ns % 1000000000));
}

bool lock_record_parse(const char *line, struct lock_record *record)
{
	char state[8], since[32];
	struct tm when = {0};
	const char *fraction;

	*record = (struct lock_record){0};
	for (const char *at = line; *at; at++)
		if (*at < ' ' || *at >= 127)
			return false;
	if (sscanf(line,
		   "iorx %7s version=%31s host=%63s pid=%ld started=%" SCNu64
		   " kernel=%39s processes=%23s job=%63s files=%" SCNu64 " since=%31s",
		   state, record->version, record->host, &record->pid, &record->started,
		   record->kernel, record->processes, record->job, &record->file_bytes,
		   since) != 10 ||
	    record->pid <= 0)
		return false;
	fraction = strptime(since, "%Y-%m-%dT%H:%M:%S", &when);
	if (!fraction || *fraction != '.')
		return false;
	record->since_ns = (int64_t)timegm(&when) * 1000000000 + strtol(fraction + 1, NULL, 10);
	record->left = !strncmp(LEFT, state, strlen(state));
	record->alone = !strncmp(ALONE, state, strlen(state));
	return record->left || record->alone || !strncmp(SHARES, state, strlen(state));
}

void lock_record_leave(int fd, off_t line_at)
{
	const off_t state_at = line_at + (off_t)strlen("iorx ");

	/* With O_APPEND the kernel would write at the end. */
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_APPEND);
	(void)!pwrite(fd, LEFT, strlen(LEFT), state_at);
}

enum lock_life lock_record_life(const struct lock_record *record, const struct lock_record *own)
{
	uint64_t started;

	if (strcmp(record->kernel, own->kernel) || strcmp(record->processes, own->processes) ||
	    !strcmp(own->kernel, "-") || !strcmp(own->processes, "-"))
		return LOCK_MAY_LIVE;
	if (kill((pid_t)record->pid, 0) && errno == ESRCH)
		return LOCK_IS_DEAD;
	started = start_of(record->pid);
	return started && record->started && started != record->started ? LOCK_IS_DEAD : LOCK_LIVES;
}
