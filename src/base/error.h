/*
 * Errors: the function that detects a failure describes it once, and callers pass it up unchanged.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

enum error_kind {
	ERROR_NONE,
	ERROR_INPUT, /* the job, an option or the plan: nothing was touched, exit code 2 */
	ERROR_IO,    /* an operation on storage failed, exit code 1 */
};

struct error {
	enum error_kind kind;
	int code;	/* errno value, 0 when the cause has none */
	char text[600]; /* what failed, why, what to do; no newline or final full stop */
};

/*
 * Each of these fills *err and returns -1, so that a failure is one line:
 *	return error_set(err, errno, "pwrite: %s", strerror(errno));
 */
int error_set(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int error_input(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "<context>: " before the text that is already there; returns -1. */
int error_add(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports a bug of iorx: prints one line to stderr and ends the process with exit code 4. */
_Noreturn void error_bug(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
#define BUG(...) error_bug(__FILE__, __LINE__, __VA_ARGS__)

#endif
