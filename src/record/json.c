/* Values of JSON objects that are always valid. */
#include "record/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

json_t *json_text(const char *text)
{
	struct text repaired = {0};
	json_t *value;

	if (!text)
		return json_null();
	utf8_repair(&repaired, text);
	value = json_stringn(text_string(&repaired), repaired.length);
	text_release(&repaired);
	return value;
}

json_t *json_count(uint64_t value)
{
	return value > INT64_MAX ? json_real((double)value) : json_integer((json_int_t)value);
}

json_t *json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

void put_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, json_text(text));
}

void put_count(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_count(value));
}

void put_integer(json_t *object, const char *key, int64_t value)
{
	json_object_set_new(object, key, json_integer(value));
}

void put_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_number(value));
}

void put_bool(json_t *object, const char *key, bool value)
{
	json_object_set_new(object, key, json_boolean(value));
}

void put_count_if(json_t *object, const char *key, bool known, uint64_t value)
{
	json_object_set_new(object, key, known ? json_count(value) : json_null());
}

void put_number_if(json_t *object, const char *key, bool known, double value)
{
	json_object_set_new(object, key, known ? json_number(value) : json_null());
}

void put_time(json_t *object, const char *key, struct timespec time)
{
	char seconds[40], text[64];
	struct tm parts;

	gmtime_r(&time.tv_sec, &parts);
	strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S", &parts);
	snprintf(text, sizeof(text), "%s.%09ldZ", seconds, time.tv_nsec);
	put_text(object, key, text);
}

json_t *put_object(json_t *object, const char *key)
{
	json_t *member = json_object();

	json_object_set_new(object, key, member);
	return member;
}

json_t *put_object_if(json_t *object, const char *key, bool any)
{
	if (any)
		return put_object(object, key);
	json_object_set_new(object, key, json_null());
	return NULL;
}

json_t *put_array(json_t *object, const char *key)
{
	json_t *member = json_array();

	json_object_set_new(object, key, member);
	return member;
}

void put_lines(json_t *object, const char *key, const char *lines)
{
	json_t *variables = put_object(object, key);
	char name[128], value[1024];

	while (*lines) {
		size_t length = strcspn(lines, "\n");
		size_t split = strcspn(lines, "=\n");

		snprintf(name, sizeof(name), "%.*s", (int)split, lines);
		snprintf(value, sizeof(value), "%.*s",
			 split < length ? (int)(length - split - 1) : 0, lines + split + 1);
		if (length)
			json_object_set_new_nocheck(variables, name, json_text(value));
		lines += length + (lines[length] == '\n');
	}
}
