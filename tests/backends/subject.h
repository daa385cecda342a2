/* One backend under test: its options, a session of it, and short forms of what tests do with it.
 */
#ifndef TESTS_BACKENDS_SUBJECT_H
#define TESTS_BACKENDS_SUBJECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/backend.h"
#include "backends/registry.h"

#define PAGE 4096
#define SKIPPED 77 /* exit code of a child that may not do what its test needs */

struct subject {
	const char *label; /* "posix", "posix behind fault" */
	const struct registration *entry;
	bool wrapped;
	const struct backend *backend; /* entry's, or the wrapper */
	struct backend wrapper;
	struct option_set options, faults;
	struct backend_start start, inner_start;
	struct backend_session *session; /* NULL while not started */
	bool entered;			 /* start was called: stop must follow */
	unsigned descriptors;		 /* open when the test began */
	const char *scratch;		 /* this task's own, made and removed with each test */
	const char *server; /* what stands before a local path in the URL of a file; "" for none */
	/* bytes that a file made now will have; for formats that make room first */
	uint64_t planned;
};

/* cmocka's fixtures: `prepared` leaves the session to the test, `started` starts it. */
int subject_prepared(void **state);
int subject_started(void **state);
int subject_finished(void **state); /* fails when a descriptor is still open */

void subject_option(struct subject *subject, const char *key, const char *value);
void subject_fault(struct subject *subject, const char *key, const char *value);

/* As the backend's, with state allocated: stop, close and close_directory free it in any case. */
int subject_start(struct subject *subject, struct error *err);
int subject_stop(struct subject *subject, struct error *err);
int file_try(struct subject *subject, const char *path, enum access access,
	     struct backend_file **file, struct error *err);
int file_close(struct subject *subject, struct backend_file *file, struct error *err);

/* A file to write is made when it is not there. Any failure fails the test. */
struct backend_file *file_open(struct subject *subject, const char *path, enum access access);
void file_done(struct subject *subject, struct backend_file *file);
struct backend_directory *directory_open(struct subject *subject, const char *path);
void directory_done(struct subject *subject, struct backend_directory *directory);

int64_t move(struct subject *subject, struct backend_file *file, enum access access, void *buffer,
	     uint64_t offset, uint64_t length, struct error *err);
void file_put(struct subject *subject, const char *path, const void *bytes, size_t length);
uint64_t file_size(struct subject *subject, const char *path);
/* Its size is `bytes`, or more where the format has parts of its own. */
void assert_size(struct subject *subject, const char *path, uint64_t bytes);

/* "<scratch>/name"; a few of them stay valid at a time. */
const char *in_scratch(struct subject *subject, const char *name);
/* The same name for the system, behind the server's back. */
const char *in_local_scratch(struct subject *subject, const char *name);

/* Page-aligned, to be freed; pattern() makes bytes that depend on seed and place. */
void *buffer_make(size_t length);
void pattern(void *buffer, size_t length, uint64_t seed);

/* Runs a function in a child process and returns what waitpid() says of its end. */
int in_child(void (*run)(struct subject *subject), struct subject *subject);

/* A backend without this has no such case: tests/totals does not count it. */
#define only_with(condition)                                         \
	do {                                                         \
		if (!(condition)) {                                  \
			print_message("only with %s\n", #condition); \
			skip();                                      \
		}                                                    \
	} while (0)

/* `needed` says in the log what a person can do so that the case runs. */
#define skip_unless(condition, needed)                       \
	do {                                                 \
		if (!(condition)) {                          \
			print_message("needs %s\n", needed); \
			skip();                              \
		}                                            \
	} while (0)

#define assert_ok(call)                                       \
	do {                                                  \
		struct error error_ = {0};                    \
		struct error *err = &error_;                  \
		if ((call) < 0)                               \
			fail_msg("%s: %s", #call, err->text); \
	} while (0)

/* `call` uses a variable err. */
#define assert_fails(call, errno_code)                   \
	do {                                             \
		struct error error_ = {0};               \
		struct error *err = &error_;             \
		assert_int_equal((call), -1);            \
		assert_int_equal(err->kind, ERROR_IO);   \
		assert_int_equal(err->code, errno_code); \
		assert_true(err->text[0]);               \
	} while (0)

/* For every backend; the last one for those behind a fault wrapper only. */
extern const struct CMUnitTest data_tests[], together_tests[], metadata_tests[], queue_tests[],
	queued_metadata_tests[], fault_tests[];
extern const size_t data_test_count, together_test_count, metadata_test_count, queue_test_count,
	queued_metadata_test_count, fault_test_count;

/* Run once; wrapper_tests and hints_tests take only the scratch folder from their subject. */
extern const struct CMUnitTest registry_tests[], wrapper_tests[], null_tests[], session_tests[],
	hints_tests[];
extern const size_t registry_test_count, wrapper_test_count, null_test_count, session_test_count,
	hints_test_count;

#define TEST(name)                                                   \
	{                                                            \
#name, name, subject_started, subject_finished, NULL \
	}
#define TEST_PREPARED(name)                                           \
	{                                                             \
#name, name, subject_prepared, subject_finished, NULL \
	}
#define LENGTH_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
