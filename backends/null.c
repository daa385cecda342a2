/* The null backend: moves and stores nothing, so that what remains is iorx and MPI themselves. */
#include "backends/backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MICROSECOND_NS 1000

struct backend_options {
	uint64_t delay_create, delay_close, delay_sync, delay_xfer;
	bool delay_only_rank0;
};

struct backend_session {
	const struct backend_options *options;
	bool delays;		 /* the delays apply to this task */
	uint64_t transfer_delay; /* us; settled at start */
	/* ring of operations submitted and not yet reaped */
	struct completion *ring;
	uint64_t depth, first, held;
};

struct backend_file {
	struct backend_session *session;
};

struct backend_directory {
	char nothing;
};

#define DELAY(member, text)                                                                     \
	COUNT(struct backend_options, member, .unit = "us", .max = 3600000000, .group = "null", \
	      .help = text)

static const struct option null_rows[] = {
	DELAY(delay_create, "Sleep in each open, create and metadata completion, in microseconds."),
	DELAY(delay_close, "Sleep in each close, in microseconds."),
	DELAY(delay_sync, "Sleep in each sync, in microseconds."),
	DELAY(delay_xfer, "Sleep in each transfer or its completion, in microseconds."),
	BOOL(struct backend_options, delay_only_rank0, .group = "null",
	     .help = "Only task 0 takes the delays."),
};

const struct option_table null_options = {
	.prefix = "null",
	.prefix_aliases = "dummy",
	.summary = "No storage: every operation succeeds and does nothing",
	OPTION_ROWS(null_rows, struct backend_options),
};

static void delay_us(uint64_t us)
{
	struct timespec left = {.tv_sec = (time_t)(us / 1000000),
				.tv_nsec = (long)(us % 1000000) * MICROSECOND_NS};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static int delay(const struct backend_session *session, uint64_t us)
{
	if (us && session->delays)
		delay_us(us);
	return 0;
}

static int null_start(struct backend_session *session, const struct backend_start *start,
		      struct error *err)
{
	session->options = start->options;
	session->depth = start->queue_depth;
	session->delays = !start->options->delay_only_rank0 || start->task == 0;
	session->transfer_delay = session->delays ? start->options->delay_xfer : 0;
	session->ring = calloc(session->depth, sizeof(*session->ring));
	return session->ring ? 0 : error_set(err, ENOMEM, "no memory for a queue");
}

static int null_stop(struct backend_session *session, struct error *err)
{
	free(session->ring);
	return 0;
}

static int null_open(struct backend_session *session, struct backend_file *file,
		     const struct backend_open *how, struct error *err)
{
	file->session = session;
	return delay(session, session->options->delay_create);
}

static int null_close(struct backend_file *file, struct error *err)
{
	return delay(file->session, file->session->options->delay_close);
}

static int null_sync(struct backend_file *file, struct error *err)
{
	return delay(file->session, file->session->options->delay_sync);
}

static int64_t null_transfer(struct backend_file *file, const struct transfer *transfer,
			     struct error *err)
{
	const uint64_t delay = file->session->transfer_delay;

	if (__builtin_expect(delay != 0, 0))
		delay_us(delay);
	return (int64_t)transfer->length;
}

static inline __attribute__((always_inline)) void hold(struct backend_session *session,
						       uint64_t cookie, uint64_t result)
{
	uint64_t at = session->first + session->held++;

	session->ring[at < session->depth ? at : at - session->depth] = (struct completion){
		.cookie = cookie,
		.result = (int64_t)result,
	};
}

static inline __attribute__((always_inline)) int give_back(struct backend_session *session,
							   struct completion *completions,
							   unsigned maximum)
{
	unsigned count = 0;

	for (; count < maximum && session->held; count++, session->held--) {
		completions[count] = session->ring[session->first++];
		if (session->first == session->depth)
			session->first = 0;
	}
	return (int)count;
}

static int null_submit(struct backend_session *session, const struct transfer *transfers,
		       unsigned count, struct error *err)
{
	unsigned taken = 0;

	for (; taken < count && session->held < session->depth; taken++)
		hold(session, transfers[taken].cookie, transfers[taken].length);
	return (int)taken;
}

static int null_reap(struct backend_session *session, struct completion *completions,
		     unsigned minimum, unsigned maximum, struct error *err)
{
	if (__builtin_expect(session->transfer_delay != 0, 0))
		delay_us(session->transfer_delay);
	return give_back(session, completions, maximum);
}

static int null_open_directory(struct backend_session *session, struct backend_directory *directory,
			       const char *path, struct error *err)
{
	return 0;
}

static int null_close_directory(struct backend_directory *directory, struct error *err)
{
	return 0;
}

/* create, mknod and mkdir */
static int null_make(struct backend_session *session, struct backend_directory *directory,
		     const char *name, mode_t mode, struct error *err)
{
	return delay(session, session->options->delay_create);
}

static int null_stat(struct backend_session *session, struct backend_directory *directory,
		     const char *name, struct stat *status, struct error *err)
{
	memset(status, 0, sizeof(*status));
	return 0;
}

static int null_open_close(struct backend_session *session, struct backend_directory *directory,
			   const char *name, enum access access, struct error *err)
{
	delay(session, session->options->delay_create);
	return delay(session, session->options->delay_close);
}

static int null_chmod(struct backend_session *session, struct backend_directory *directory,
		      const char *name, mode_t mode, struct error *err)
{
	return 0;
}

/* access, remove and rmdir */
static int null_unmake(struct backend_session *session, struct backend_directory *directory,
		       const char *name, struct error *err)
{
	return 0;
}

static int null_rename(struct backend_session *session, struct backend_directory *from_directory,
		       const char *from, struct backend_directory *to_directory, const char *to,
		       struct error *err)
{
	return 0;
}

static int null_list(struct backend_session *session, struct backend_directory *directory,
		     const char *name, list_add *add, struct list_sink *sink, struct error *err)
{
	return 0;
}

static int null_submit_metadata(struct backend_session *session,
				const struct metadata_operation *operations, unsigned count,
				struct error *err)
{
	unsigned taken = 0;

	for (; taken < count && session->held < session->depth; taken++)
		hold(session, operations[taken].cookie, 0);
	return (int)taken;
}

static int null_reap_metadata(struct backend_session *session, struct completion *completions,
			      unsigned minimum, unsigned maximum, struct error *err)
{
	delay(session, session->options->delay_create);
	return give_back(session, completions, maximum);
}

const struct backend null_backend = {
	.name = "null",
	.aliases = "DUMMY",
	.random_access = true,
	.path_is = "any name, nothing is made of it",
	.options = &null_options,
	.session_size = sizeof(struct backend_session),
	.file_size = sizeof(struct backend_file),
	.directory_size = sizeof(struct backend_directory),
	.ignores_buffers = true,
	.opens_relative = true,
	.no_storage = true,
	.start = null_start,
	.stop = null_stop,
	.open = null_open,
	.close = null_close,
	.sync = null_sync,
	.transfer = null_transfer,
	.submit = null_submit,
	.reap = null_reap,
	.open_directory = null_open_directory,
	.close_directory = null_close_directory,
	.create = null_make,
	.mknod = null_make,
	.stat = null_stat,
	.open_close = null_open_close,
	.access = null_unmake,
	.chmod = null_chmod,
	.remove = null_unmake,
	.rename = null_rename,
	.mkdir = null_make,
	.rmdir = null_unmake,
	.list = null_list,
	.submit_metadata = null_submit_metadata,
	.reap_metadata = null_reap_metadata,
};
