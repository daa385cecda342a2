/* Objects by name. A directory is a prefix; a tree's own directories are objects "PREFIX/". */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backends/s3_state.h"
#include "backends/s3_xml.h"

/* The error says only that there is no object; a missing bucket is another mistake. */
static int check_bucket(struct backend_session *session, const struct s3_name *name,
			struct error *err)
{
	struct s3_name bucket = *name;

	if (!strcmp(session->bucket, name->bucket))
		return 0;
	bucket.key[0] = '\0';
	if (!s3_perform(s3_begin(session), "HEAD", &bucket, err)) {
		memcpy(session->bucket, name->bucket, sizeof(session->bucket));
		return 0;
	}
	return err->code != ENOENT ? -1
				   : error_set(err, ENXIO,
					       "there is no bucket %s at %s; make it first, or "
					       "name another",
					       name->bucket, session->base);
}

int s3_head(struct backend_session *session, const struct s3_name *name, struct s3_call **call,
	    struct error *err)
{
	*call = s3_begin(session);
	if (!s3_perform(*call, "HEAD", name, err))
		return 0;
	if (err->code == ENOENT && !check_bucket(session, name, err))
		error_set(err, ENOENT, "HEAD: there is no such object");
	return -1;
}

static int head_path(struct backend_session *session, const char *path, struct s3_call **call,
		     struct error *err)
{
	struct s3_name name;

	return s3_name_parse(&name, path, err) ? -1 : s3_head(session, &name, call, err);
}

int s3_size(struct backend_session *session, const char *path, uint64_t *bytes, uint64_t *allocated,
	    struct error *err)
{
	struct s3_call *call;

	if (head_path(session, path, &call, err))
		return -1;
	*bytes = *allocated = call->length;
	return 0;
}

int s3_is_own(struct backend_session *session, const char *path, bool *own, struct error *err)
{
	struct s3_call *call;

	if (head_path(session, path, &call, err))
		return -1;
	*own = call->is_marked;
	return 0;
}

/* Makes the name that of the objects below it: KEY/, or nothing for a bucket. */
static int make_prefix(struct s3_name *name, const char *path, struct error *err)
{
	size_t length;

	if (s3_name_parse(name, path, err))
		return -1;
	length = strlen(name->key);
	if (!length || name->key[length - 1] == '/')
		return 0;
	if (length + 1 >= sizeof(name->key))
		return error_set(err, ENAMETOOLONG, "%s", strerror(ENAMETOOLONG));
	strcpy(name->key + length, "/");
	return 0;
}

/* One page of the names below a prefix; token: of the page before. */
static int list_page(struct backend_session *session, const struct s3_name *prefix,
		     const char *delimiter, unsigned most, const char *token, struct s3_call **call,
		     struct error *err)
{
	struct s3_name bucket = *prefix;
	struct text query = {0};
	int ret;

	if (*token) {
		text_add(&query, "continuation-token=");
		s3_encode(&query, token, false);
		text_add(&query, "&");
	}
	text_add(&query, "delimiter=%s&list-type=2&max-keys=%u&prefix=", delimiter, most);
	s3_encode(&query, prefix->key, false);
	bucket.key[0] = '\0';
	*call = s3_begin(session);
	(*call)->query = query.bytes;
	ret = s3_perform(*call, "GET", &bucket, err);
	text_release(&query);
	return ret;
}

/* Gives the names in the elements of a page. Returns false if the receiver wants no more. */
static bool add_entries(const char *xml, const char *element, const char *key,
			const struct s3_name *prefix, enum entry_kind kind, list_add *add,
			struct list_sink *sink, bool *any)
{
	const size_t before = strlen(prefix->key);
	char name[S3_KEY_SIZE];
	const char *inner;
	size_t length;

	while (s3_xml_next(&xml, element, &inner, &length)) {
		if (!s3_xml_value(inner, length, key, name, sizeof(name)) || strlen(name) < before)
			continue;
		*any = true;
		length = strlen(name);
		if (kind == ENTRY_DIRECTORY && name[length - 1] == '/')
			name[length - 1] = '\0';
		if (name[before] && !add(sink, name + before, kind))
			return false;
	}
	return true;
}

int s3_list(struct backend_session *session, struct backend_directory *directory, const char *path,
	    list_add *add, struct list_sink *sink, struct error *err)
{
	enum { PAGE = 1000 };
	char token[2048] = "";
	struct s3_name prefix;
	struct s3_call *call;
	bool any = false;

	if (make_prefix(&prefix, path, err))
		return -1;
	do {
		struct text page;
		bool more;

		if (list_page(session, &prefix, "%2F", PAGE, token, &call, err))
			return -1;
		page = call->answer; /* the receiver may make requests of its own */
		call->answer = (struct text){0};
		more = add_entries(text_string(&page), "Contents", "Key", &prefix, ENTRY_FILE, add,
				   sink, &any) &&
		       add_entries(text_string(&page), "CommonPrefixes", "Prefix", &prefix,
				   ENTRY_DIRECTORY, add, sink, &any);
		s3_xml_value(text_string(&page), page.length, "NextContinuationToken", token,
			     sizeof(token));
		text_release(&page);
		if (!more)
			return 0;
	} while (*token);
	return any || !*prefix.key
		       ? 0
		       : error_set(err, ENOENT, "GET: there is no object below the prefix");
}

/* Looks for objects below a prefix: 0 for none, 1 for its own alone, 2 for others. */
static int look_below(struct backend_session *session, const struct s3_name *prefix,
		      struct error *err)
{
	const char *xml, *inner;
	char key[S3_KEY_SIZE];
	struct s3_call *call;
	size_t length;
	int found = 0;

	if (list_page(session, prefix, "", 2, "", &call, err))
		return -1;
	xml = text_string(&call->answer);
	while (s3_xml_next(&xml, "Contents", &inner, &length) && found < 2) {
		s3_xml_value(inner, length, "Key", key, sizeof(key));
		found = strcmp(key, prefix->key) ? 2 : 1;
	}
	return found;
}

static int put_empty(struct backend_session *session, const struct s3_name *name, struct error *err)
{
	struct s3_call *call = s3_begin(session);

	call->marks = call->must_be_new = true;
	return s3_perform(call, "PUT", name, err);
}

int s3_create(struct backend_session *session, struct backend_directory *directory,
	      const char *path, mode_t mode, struct error *err)
{
	struct s3_name name;

	return s3_name_parse(&name, path, err) ? -1 : put_empty(session, &name, err);
}

int s3_stat(struct backend_session *session, struct backend_directory *directory, const char *path,
	    struct stat *status, struct error *err)
{
	struct s3_name name;
	struct s3_call *call;
	int below;

	*status = (struct stat){.st_mode = S_IFREG | 0600, .st_nlink = 1};
	if (!head_path(session, path, &call, err)) {
		status->st_size = (off_t)call->length;
		return 0;
	}
	if (err->code != ENOENT || make_prefix(&name, path, err))
		return -1;
	below = look_below(session, &name, err);
	if (below < 0)
		return -1;
	status->st_mode = S_IFDIR | 0700;
	return below ? 0 : error_set(err, ENOENT, "HEAD: there is no such object or prefix");
}

int s3_open_close(struct backend_session *session, struct backend_directory *directory,
		  const char *path, enum access access, struct error *err)
{
	struct s3_call *call;

	return head_path(session, path, &call, err);
}

int s3_remove(struct backend_session *session, struct backend_directory *directory,
	      const char *path, struct error *err)
{
	struct s3_name name;

	return s3_name_parse(&name, path, err)
		       ? -1
		       : s3_perform(s3_begin(session), "DELETE", &name, err);
}

int s3_mkdir(struct backend_session *session, struct backend_directory *directory, const char *path,
	     mode_t mode, struct error *err)
{
	struct s3_name name;

	return make_prefix(&name, path, err) ? -1 : put_empty(session, &name, err);
}

int s3_rmdir(struct backend_session *session, struct backend_directory *directory, const char *path,
	     struct error *err)
{
	struct s3_name name;
	int below;

	if (make_prefix(&name, path, err))
		return -1;
	below = look_below(session, &name, err);
	if (below < 0)
		return -1;
	if (!below)
		return error_set(err, ENOENT, "DELETE: there is no object below the prefix");
	if (below > 1)
		return error_set(err, ENOTEMPTY, "DELETE: there are objects below the prefix");
	return s3_perform(s3_begin(session), "DELETE", &name, err);
}
