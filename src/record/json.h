/*
 * Values of JSON objects that are always valid: strings are repaired UTF-8, numbers are finite or
 * null, counts keep all 64 bits. Keys are literals.
 */
#ifndef RECORD_JSON_H
#define RECORD_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

json_t *json_text(const char *text); /* NULL: null */
json_t *json_count(uint64_t value);
json_t *json_number(double value); /* null when it is not finite */

void put_text(json_t *object, const char *key, const char *text);
void put_count(json_t *object, const char *key, uint64_t value);
void put_integer(json_t *object, const char *key, int64_t value);
void put_number(json_t *object, const char *key, double value);
void put_bool(json_t *object, const char *key, bool value);
/* Adds null where the value is not known. */
void put_count_if(json_t *object, const char *key, bool known, uint64_t value);
void put_number_if(json_t *object, const char *key, bool known, double value);
/* "2026-11-20T20:55:53.123456789Z" */
void put_time(json_t *object, const char *key, struct timespec time);
/* Adds a new object or array as a member; the parent owns it. */
json_t *put_object(json_t *object, const char *key);
json_t *put_array(json_t *object, const char *key);
/* As put_object() if `any`. Otherwise the member is null and NULL is returned. */
json_t *put_object_if(json_t *object, const char *key, bool any);
/* Adds "name=value" lines as an object of strings. */
void put_lines(json_t *object, const char *key, const char *lines);

#endif
