/* What a status file tells, and its text. */
#include "engine/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char *const names[STATUS_KINDS] = {"transfers", "directories", "files"};

void status_release(struct status *status)
{
	free(status->entries);
	*status = (struct status){0};
}

const char *status_kind_name(enum status_kind kind)
{
	return names[kind];
}

static struct status_entry *find(const struct status *status, uint64_t repetition, enum status_kind kind)
{
	/* The last ones are asked for most. */
	for (uint64_t i = status->entry_count; i-- > 0;)
		if (status->entries[i].repetition == repetition && status->entries[i].kind == kind)
			return &status->entries[i];
	return NULL;
}

static void add(struct status *status, const struct status_entry *entry)
{
	uint64_t count = status->entry_count + 1;

	status->entries = memory_grow(status->entries, count * sizeof(*entry));
	status->entries[status->entry_count++] = *entry;
}

void status_note(struct status *status, uint64_t repetition, enum status_kind kind, uint64_t count)
{
	struct status_entry *known = find(status, repetition, kind);

	status->number = count;
	if (known)
		known->count = count;
	else
		add(status, &(struct status_entry){repetition, kind, count});
}

uint64_t status_count(const struct status *status, uint64_t repetition, enum status_kind kind)
{
	const struct status_entry *entry = find(status, repetition, kind);

	if (!status->entry_count)
		return status->number;
	return entry ? entry->count : 0;
}

uint64_t status_limit(const struct status *status, uint64_t repetition, enum status_kind kind, uint64_t planned)
{
	uint64_t count = status_count(status, repetition, kind);

	return count && count < planned ? count : planned;
}

static bool all_are_alike(const struct status *status)
{
	for (uint64_t i = 0; i < status->entry_count; i++)
		if (status->entries[i].count != status->number)
			return false;
	return true;
}

void status_print(const struct status *status, struct text *lines)
{
	text_add(lines, "%" PRIu64 "\n", status->number);
	for (uint64_t i = 0; !all_are_alike(status) && i < status->entry_count; i++)
		text_add(lines, "repetition %" PRIu64 " %s %" PRIu64 "\n", status->entries[i].repetition,
			 names[status->entries[i].kind], status->entries[i].count);
}

/* Digits alone, as sscanf takes signs too; returns what follows, or NULL. */
static const char *take_number(const char *at, uint64_t *number)
{
	char *end;

	if (*at < '0' || *at > '9')
		return NULL;
	*number = strtoull(at, &end, 10);
	return end;
}

static const char *take_word(const char *at, const char *word)
{
	size_t length = strlen(word);

	return strncmp(at, word, length) ? NULL : at + length;
}

static const char *take_kind(const char *at, enum status_kind *kind)
{
	const char *rest = NULL;

	for (unsigned i = 0; i < STATUS_KINDS && !rest; i++) {
		rest = take_word(at, names[i]);
		*kind = (enum status_kind)i;
	}
	return rest;
}

/* One line behind the first; returns the next one, or NULL. */
static const char *take_entry(const char *at, struct status_entry *entry)
{
	at = take_word(at, "repetition ");
	if (at)
		at = take_number(at, &entry->repetition);
	if (at)
		at = take_word(at, " ");
	if (at)
		at = take_kind(at, &entry->kind);
	if (at)
		at = take_word(at, " ");
	if (at)
		at = take_number(at, &entry->count);
	return at ? take_word(at, "\n") : NULL;
}

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

bool status_parse(const char *lines, struct status *status)
{
	struct status_entry entry;
	const char *at = take_number(skip_blanks(lines), &status->number);

	if (at)
		at = skip_blanks(at);
	while (at && *at) {
		at = take_entry(at, &entry);
		if (at)
			add(status, &entry);
	}
	if (!at)
		status_release(status);
	return at;
}
