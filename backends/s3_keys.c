/* Credentials: from the environment, else from a profile file as the programs of AWS keep it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/s3_state.h"

enum { LINE_SIZE = 4400 };

static bool s3_keys_put(char *to, size_t size, const char *value)
{
	const size_t length = value ? strlen(value) : 0;

	if (length >= size)
		return false;
	memcpy(to, value ? value : "", length + 1);
	return true;
}

/* Returns the value of a line "name = value", cut at its end, or NULL. */
static char *s3_keys_value_of(char *line, const char *name)
{
	char *value = line + strspn(line, " \t");
	const size_t length = strlen(name);

	if (strncmp(value, name, length))
		return NULL;
	value += length + strspn(value + length, " \t");
	if (*value++ != '=')
		return NULL;
	value += strspn(value, " \t");
	value[strcspn(value, " \t\r\n")] = '\0';
	return value;
}

static void read_profile(FILE *file, const char *profile, struct s3_keys *keys)
{
	char line[LINE_SIZE], *value;
	const size_t length = strlen(profile);
	bool is_inside = false;

	while (fgets(line, sizeof(line), file)) {
		if (*line == '[')
			is_inside = !strncmp(line + 1, profile, length) && line[length + 1] == ']';
		else if (is_inside && (value = s3_keys_value_of(line, "aws_access_key_id")))
			s3_keys_put(keys->id, sizeof(keys->id), value);
		else if (is_inside && (value = s3_keys_value_of(line, "aws_secret_access_key")))
			s3_keys_put(keys->secret, sizeof(keys->secret), value);
		else if (is_inside && (value = s3_keys_value_of(line, "aws_session_token")))
			s3_keys_put(keys->token, sizeof(keys->token), value);
	}
	memset(line, 0, sizeof(line));
}

static const char *from_environment(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value && *value ? value : otherwise;
}

static void find_profile(struct s3_keys *keys, const char *profile, char *path, size_t size)
{
	const char *given = from_environment("AWS_SHARED_CREDENTIALS_FILE", NULL);
	FILE *file;

	snprintf(path, size, "%s%s", given ? given : from_environment("HOME", ""),
		 given ? "" : "/.aws/credentials");
	file = fopen(path, "re");
	if (!file)
		return;
	read_profile(file, profile, keys);
	fclose(file);
}

int s3_keys_find(struct s3_keys *keys, struct error *err)
{
	const char *profile = from_environment("AWS_PROFILE", "default");
	const char *id = from_environment("AWS_ACCESS_KEY_ID", NULL);
	char path[4096];

	memset(keys, 0, sizeof(*keys));
	if (!id) {
		find_profile(keys, profile, path, sizeof(path));
		if (*keys->id && *keys->secret)
			return 0;
		return error_input(err,
				   "s3: there are no keys: set AWS_ACCESS_KEY_ID and "
				   "AWS_SECRET_ACCESS_KEY for task 0, or write the profile %.60s "
				   "into %.300s",
				   profile, path);
	}
	if (s3_keys_put(keys->id, sizeof(keys->id), id) &&
	    s3_keys_put(keys->secret, sizeof(keys->secret), getenv("AWS_SECRET_ACCESS_KEY")) &&
	    s3_keys_put(keys->token, sizeof(keys->token), getenv("AWS_SESSION_TOKEN")) &&
	    *keys->secret)
		return 0;
	return error_input(err, "s3: AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not, "
				"or one of the keys is too long; set both");
}
