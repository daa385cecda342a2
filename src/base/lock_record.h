/* Lines of lock files: a job that uses a name, and whether it lives. */
#ifndef BASE_LOCK_RECORD_H
#define BASE_LOCK_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { LOCK_LINE_SIZE = 512 }; /* of a line with its end */

/* A job in a lock file. Texts have no spaces and are "-" where nothing is known. */
struct lock_record {
	bool alone;	    /* the job excludes all others; else it shares */
	bool left;	    /* the job has ended in good order, while others went on */
	char version[32];   /* of iorx */
	char host[64];	    /* of task 0, which holds the lock */
	char kernel[40];    /* boot id of that host */
	char processes[24]; /* the namespace in which pid counts */
	long pid;
	uint64_t started;    /* start of the process in ticks since boot, as in /proc/PID/stat */
	char job[64];	     /* number of the batch job */
	uint64_t file_bytes; /* of each file that the job lays out; 0: it lays out none */
	int64_t since_ns;    /* when the job took the lock, since the epoch */
};

/* Describes this process; job NULL: no batch job. */
void lock_record_own(struct lock_record *own, const char *job);

/* Prints the line of a job with its line end; returns its length. */
int lock_record_print(const struct lock_record *record, char line[LOCK_LINE_SIZE]);
/* Reads a line without its end. Returns false if it is none of a lock file. */
bool lock_record_parse(const char *line, struct lock_record *record);
/* Changes the line at `line_at` of an open lock file into that of a job that has left. */
void lock_record_leave(int fd, off_t line_at);

enum lock_life { LOCK_LIVES, LOCK_IS_DEAD, LOCK_MAY_LIVE };

/* Whether the process of a record lives. Only a process of the same kernel can be seen. */
enum lock_life lock_record_life(const struct lock_record *record, const struct lock_record *own);

#endif
