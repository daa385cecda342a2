/* The s3 backend: objects of a server that speaks the protocol of Amazon S3. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/s3_state.h"

/* Task 0 alone needs the keys in its environment. The other tasks get them by MPI. */
static int s3_prepare_session(const struct backend_start *start, void *blob, size_t *size,
			      struct error *err)
{
	*size = sizeof(struct s3_keys);
	return s3_keys_find(blob, err);
}

/* Takes this task's endpoint out of the list. */
static int choose_endpoint(struct backend_session *session, const struct backend_start *start,
			   struct error *err)
{
	const char *list = start->options->endpoint, *at = list;
	struct text base = {0};
	unsigned count = 1;

	if (!list || !*list) {
		text_add(&base, "https://s3.%s.amazonaws.com", start->options->region);
	} else {
		for (; *at; at++)
			count += *at == ',';
		at = list;
		for (unsigned i = (unsigned)start->task % count; i; i--)
			at = strchr(at, ',') + 1;
		text_add_bytes(&base, at, strcspn(at, ","));
	}
	session->base = base.bytes ? base.bytes : text_copy("");
	text_trim_slashes(session->base);
	at = strstr(session->base, "://");
	session->host = at ? at + 3 : "";
	if ((!strncmp(session->base, "http://", 7) || !strncmp(session->base, "https://", 8)) &&
	    *session->host && !strpbrk(session->host, "/@?# "))
		return 0;
	return error_input(err,
			   "s3.endpoint: \"%.200s\" is no address of a server; write "
			   "http://host:port or https://host, without a path or keys",
			   session->host && strchr(session->host, '@') ? "…" : session->base);
}

/* libcurl leaves a scheme's own port out of the header that is signed. */
static void cut_port(struct backend_session *session)
{
	const char *own = strncmp(session->base, "https", 5) ? ":80" : ":443";
	const size_t length = strlen(session->base), cut = strlen(own);

	if (length > cut && !strcmp(session->base + length - cut, own))
		session->base[length - cut] = '\0';
}

static int s3_start(struct backend_session *session, const struct backend_start *start,
		    struct error *err)
{
	session->options = start->options;
	session->depth = start->queue_depth > 1 ? start->queue_depth : 0;
	memcpy(&session->keys, start->blob, sizeof(session->keys));
	session->signer.keys = &session->keys;
	session->signer.region = start->options->region;
	if (choose_endpoint(session, start, err))
		return -1;
	cut_port(session);
	if (curl_global_init(CURL_GLOBAL_DEFAULT))
		return error_set(err, 0, "libcurl could not be started");
	return s3_calls_create(session, err);
}

static int s3_stop(struct backend_session *session, struct error *err)
{
	if (session->calls)
		s3_drop_queue(session);
	s3_calls_release(session);
	s3_signer_release(&session->signer);
	memset(&session->keys, 0, sizeof(session->keys));
	free(session->base);
	return 0;
}

static uint64_t s3_retries(struct backend_session *session)
{
	return session->retries;
}

const struct backend s3_backend = {
	.name = "s3",
	.aliases = "S3",
	.path_is = "a URL, s3://BUCKET/KEY",
	.options = &s3_options,
	.session_size = sizeof(struct backend_session),
	.file_size = sizeof(struct backend_file),
	.whole_files = true,
	.prefixes = true,
	.prepare = s3_prepare_session,
	.start = s3_start,
	.stop = s3_stop,
	.retries = s3_retries,
	.check = s3_check,
	.open = s3_open,
	.close = s3_close,
	.size = s3_size,
	.is_own = s3_is_own,
	.transfer = s3_transfer,
	.submit = s3_submit,
	.reap = s3_reap,
	.explain = s3_explain,
	.submit_metadata = s3_submit_metadata,
	.reap_metadata = s3_reap,
	.create = s3_create,
	.stat = s3_stat,
	.open_close = s3_open_close,
	.remove = s3_remove,
	.mkdir = s3_mkdir,
	.rmdir = s3_rmdir,
	.list = s3_list,
};
