/* Files by name. A directory is a prefix; a tree's own directories are objects "PREFIX/". */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/rados_state.h"

/* --- heads ---------------------------------------------------------------------------------- */

static void add_number(rados_write_op_t operation, const char *attribute, uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	rados_write_op_setxattr(operation, attribute, digits, strlen(digits));
}

static void add_creation(rados_write_op_t operation, uint64_t object_size, uint64_t reach)
{
	rados_write_op_create(operation, LIBRADOS_CREATE_EXCLUSIVE, NULL);
	add_number(operation, RADOS_MARK, object_size);
	if (reach > object_size)
		add_number(operation, RADOS_REACH, reach);
}

/* Removes a head that has no stripes; otherwise the cluster answers -ECANCELED. */
static void add_removal(rados_write_op_t operation)
{
	rados_write_op_cmpxattr(operation, RADOS_BYTES, LIBRADOS_CMPXATTR_OP_EQ, "", 0);
	rados_write_op_cmpxattr(operation, RADOS_REACH, LIBRADOS_CMPXATTR_OP_EQ, "", 0);
	rados_write_op_remove(operation);
}

static int change_head(struct backend_session *session, const char *name,
		       rados_write_op_t operation)
{
	int ret = rados_write_op_operate(operation, session->heads, name, NULL, 0);

	rados_release_write_op(operation);
	return ret;
}

int rados_make_head(struct backend_session *session, const char *name, uint64_t reach)
{
	rados_write_op_t operation = rados_create_write_op();

	add_creation(operation, session->options->object_size, reach);
	return change_head(session, name, operation);
}

int rados_set_reach(struct backend_session *session, const char *name, uint64_t reach)
{
	rados_write_op_t operation = rados_create_write_op();

	add_number(operation, RADOS_REACH, reach);
	return change_head(session, name, operation);
}

int rados_set_bytes(struct backend_session *session, const char *name, uint64_t bytes)
{
	rados_write_op_t operation = rados_create_write_op();

	if (bytes > 0)
		add_number(operation, RADOS_BYTES, bytes);
	rados_write_op_rmxattr(operation, RADOS_REACH);
	return change_head(session, name, operation);
}

static uint64_t number_in(const char *value, size_t length)
{
	char digits[24] = "";

	if (length < sizeof(digits))
		memcpy(digits, value, length);
	return strtoull(digits, NULL, 10);
}

static void take_attributes(struct rados_head *head, rados_xattrs_iter_t attributes)
{
	const char *name, *value;
	size_t length;

	while (!rados_getxattrs_next(attributes, &name, &value, &length) && name) {
		if (!strcmp(name, RADOS_MARK)) {
			head->is_marked = true;
			head->object_size = number_in(value, length);
		} else if (!strcmp(name, RADOS_BYTES)) {
			head->bytes = number_in(value, length);
		} else if (!strcmp(name, RADOS_REACH)) {
			head->reach = number_in(value, length);
		}
	}
	rados_getxattrs_end(attributes);
}

int rados_read_head(struct backend_session *session, const char *name, struct rados_head *head)
{
	rados_read_op_t operation = rados_create_read_op();
	rados_xattrs_iter_t attributes = NULL;
	int stat_code = 0, attribute_code = 0, ret;
	time_t changed;

	*head = (struct rados_head){0};
	rados_read_op_stat(operation, &head->bytes, &changed, &stat_code);
	rados_read_op_getxattrs(operation, &attributes, &attribute_code);
	ret = rados_read_op_operate(operation, session->heads, name, 0);
	rados_release_read_op(operation);
	if (!ret)
		ret = stat_code ? stat_code : attribute_code;
	if (!ret)
		take_attributes(head, attributes);
	/* an object of another program is one piece */
	if (!head->object_size)
		head->object_size = head->bytes > session->options->object_size
					    ? head->bytes
					    : session->options->object_size;
	return ret;
}

void rados_name_stripe(char stripe[RADOS_STRIPE_SIZE], const char *name, uint64_t number)
{
	snprintf(stripe, RADOS_STRIPE_SIZE, "%s.%08" PRIx64, name, number);
}

int rados_remove_whole(struct backend_session *session, const char *name)
{
	char stripe[RADOS_STRIPE_SIZE];
	struct rados_head head;
	int ret = rados_read_head(session, name, &head);
	const uint64_t reach = head.reach > head.bytes ? head.reach : head.bytes;

	for (uint64_t i = 1; !ret && i * head.object_size < reach; i++) {
		rados_name_stripe(stripe, name, i);
		ret = rados_remove(session->stripes, stripe);
		if (ret == -ENOENT)
			ret = 0; /* a hole */
	}
	return ret ? ret : rados_remove(session->heads, name);
}

/* --- operations ----------------------------------------------------------------------------- */

static int outcome(const struct backend_session *session, const char *call, int ret,
		   struct error *err)
{
	return ret ? rados_refuse(session, call, ret, err) : 0;
}

static int head_of(struct backend_session *session, const char *path, struct rados_head *head,
		   struct error *err)
{
	const char *name = rados_name(session, path, err);

	return name ? outcome(session, "stat", rados_read_head(session, name, head), err) : -1;
}

int rados_names_size(struct backend_session *session, const char *path, uint64_t *bytes,
		     uint64_t *allocated, struct error *err)
{
	struct rados_head head;

	if (head_of(session, path, &head, err))
		return -1;
	*bytes = *allocated = head.bytes;
	return 0;
}

int rados_names_is_own(struct backend_session *session, const char *path, bool *own,
		       struct error *err)
{
	struct rados_head head;

	if (head_of(session, path, &head, err))
		return -1;
	*own = head.is_marked;
	return 0;
}

int rados_names_create(struct backend_session *session, struct backend_directory *directory,
		       const char *path, mode_t mode, struct error *err)
{
	const char *name = rados_name(session, path, err);

	return name ? outcome(session, "create", rados_make_head(session, name, 0), err) : -1;
}

/* The name of a directory's own object: NAME/, or nothing for a pool. */
static int make_prefix(struct backend_session *session, const char *path,
		       char prefix[RADOS_NAME_SIZE], struct error *err)
{
	const char *name = rados_name(session, path, err);
	size_t length;

	if (!name)
		return -1;
	length = strlen(name);
	snprintf(prefix, RADOS_NAME_SIZE, "%s%s", name,
		 length && name[length - 1] != '/' ? "/" : "");
	return 0;
}

int rados_names_stat(struct backend_session *session, struct backend_directory *directory,
		     const char *path, struct stat *status, struct error *err)
{
	char prefix[RADOS_NAME_SIZE];
	struct rados_head head;
	int ret;

	*status = (struct stat){.st_mode = S_IFREG | 0600, .st_nlink = 1};
	if (!head_of(session, path, &head, err)) {
		status->st_size = (off_t)head.bytes;
		return 0;
	}
	if (err->code != ENOENT || make_prefix(session, path, prefix, err))
		return -1;
	status->st_mode = S_IFDIR | 0700;
	ret = *prefix ? rados_read_head(session, prefix, &head) : 0;
	return outcome(session, "stat", ret, err);
}

/* RADOS opens nothing: this asks whether the object is there. */
int rados_names_open_close(struct backend_session *session, struct backend_directory *directory,
			   const char *path, enum access access, struct error *err)
{
	struct rados_head head;

	return head_of(session, path, &head, err);
}

int rados_names_remove(struct backend_session *session, struct backend_directory *directory,
		       const char *path, struct error *err)
{
	const char *name = rados_name(session, path, err);
	rados_write_op_t operation;
	int ret;

	if (!name)
		return -1;
	operation = rados_create_write_op();
	add_removal(operation);
	ret = change_head(session, name, operation);
	if (ret == -ECANCELED)
		ret = rados_remove_whole(session, name);
	return outcome(session, "remove", ret, err);
}

int rados_names_mkdir(struct backend_session *session, struct backend_directory *directory,
		      const char *path, mode_t mode, struct error *err)
{
	char prefix[RADOS_NAME_SIZE];

	if (make_prefix(session, path, prefix, err))
		return -1;
	return outcome(session, "create", rados_make_head(session, prefix, 0), err);
}

/* What lies below the prefix stays, and needs no directory. */
int rados_names_rmdir(struct backend_session *session, struct backend_directory *directory,
		      const char *path, struct error *err)
{
	char prefix[RADOS_NAME_SIZE];

	if (make_prefix(session, path, prefix, err))
		return -1;
	return outcome(session, "remove", rados_remove(session->heads, prefix), err);
}

/* A directory is listed where its own object is. All names of the pool are read. */
int rados_names_list(struct backend_session *session, struct backend_directory *directory,
		     const char *path, list_add *add, struct list_sink *sink, struct error *err)
{
	char prefix[RADOS_NAME_SIZE];
	rados_list_ctx_t names;
	const char *name;
	size_t length;
	int ret;

	if (make_prefix(session, path, prefix, err))
		return -1;
	length = strlen(prefix);
	ret = rados_nobjects_list_open(session->heads, &names);
	if (ret)
		return outcome(session, "list", ret, err);
	while (!(ret = rados_nobjects_list_next(names, &name, NULL, NULL))) {
		char entry[RADOS_NAME_SIZE];
		const char *slash;

		if (strncmp(name, prefix, length) || !name[length] || strlen(name) >= sizeof(entry))
			continue;
		strcpy(entry, name + length);
		slash = strchr(entry, '/');
		if (slash && slash[1])
			continue;
		entry[slash ? slash - entry : (ptrdiff_t)strlen(entry)] = '\0';
		if (!add(sink, entry, slash ? ENTRY_DIRECTORY : ENTRY_FILE))
			break;
	}
	rados_nobjects_list_close(names);
	return ret && ret != -ENOENT ? outcome(session, "list", ret, err) : 0;
}

/* --- the queue ------------------------------------------------------------------------------ */

static int send_change(struct rados_call *call, enum metadata_kind kind,
		       rados_completion_t completion)
{
	rados_write_op_t operation = rados_create_write_op();
	int ret;

	if (kind == METADATA_CREATE)
		add_creation(operation, call->session->options->object_size, 0);
	else
		add_removal(operation);
	ret = rados_aio_write_op_operate(operation, call->session->heads, completion, call->name,
					 NULL, 0);
	rados_release_write_op(operation);
	return ret;
}

/* Directories are never queued, as the plan has no phases of them. */
int rados_names_submit(struct backend_session *session, const struct metadata_operation *operations,
		       unsigned count, struct error *err)
{
	for (unsigned i = 0; i < count; i++) {
		const struct metadata_operation *operation = &operations[i];
		struct rados_call *call = &session->calls[operation->cookie];
		const char *name = rados_name(session, operation->name, err);
		rados_completion_t completion;

		if (!name)
			return i ? (int)i : -1;
		strcpy(call->name, name);
		call->transfer = (struct transfer){.cookie = operation->cookie};
		rados_queue_start(call, 1);
		completion = rados_queue_add(call, 0);
		rados_queue_sent(call, operation->kind == METADATA_CREATE ||
						       operation->kind == METADATA_REMOVE
					       ? send_change(call, operation->kind, completion)
					       : rados_aio_stat(session->heads, call->name,
								completion, NULL, NULL));
	}
	return (int)count;
}
