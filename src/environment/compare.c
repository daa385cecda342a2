/* Where nodes differ. */
#include "environment/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* One line of a group, split at its first '='. */
struct entry {
	const char *key, *value;
	const struct like_nodes *group;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;
	const int keys = strcmp(one->key, other->key);

	return keys ? keys : strcmp(one->value, other->value);
}

static size_t count_lines(const struct like_nodes *groups, size_t count)
{
	size_t lines = 0;

	for (size_t i = 0; i < count; i++)
		for (const char *at = text_string(&groups[i].lines); (at = strchr(at, '\n')); at++)
			lines++;
	return lines;
}

/* Splits the texts in place. */
static size_t split_lines(struct like_nodes *groups, size_t count, struct entry *entries)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		for (char *rest = groups[i].lines.bytes, *line;
		     rest && (line = strsep(&rest, "\n")) && *line;) {
			char *value = strchr(line, '=');

			if (!value)
				continue;
			*value++ = '\0';
			entries[found++] = (struct entry){line, value, &groups[i]};
		}
	return found;
}

static int compare_numbers(const void *a, const void *b)
{
	const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return (one > other) - (one < other);
}

static void add_nodes(struct differing_value *value, const struct like_nodes *group)
{
	value->nodes =
		memory_grow(value->nodes, (value->count + group->count) * sizeof(*value->nodes));
	memcpy(value->nodes + value->count, group->nodes, group->count * sizeof(*value->nodes));
	value->count += group->count;
	qsort(value->nodes, value->count, sizeof(*value->nodes), compare_numbers);
}

static bool has_key(const struct entry *entries, size_t count, const struct like_nodes *group)
{
	for (size_t i = 0; i < count; i++)
		if (entries[i].group == group)
			return true;
	return false;
}

static int compare_values(const void *a, const void *b)
{
	const struct differing_value *one = a, *other = b;

	if (one->count != other->count)
		return one->count > other->count ? -1 : 1;
	return compare_numbers(one->nodes, other->nodes);
}

/* Tallies the values of one key, which `count` sorted entries have. */
static struct differing_key tally(const struct environments *all, const struct entry *entries,
				  size_t count)
{
	struct differing_key key = {.key = entries->key};
	struct differing_value missing = {0};

	key.values = memory_allocate(count + 1, sizeof(*key.values));
	for (size_t i = 0; i < count; i++) {
		if (!i || strcmp(entries[i].value, entries[i - 1].value))
			key.values[key.count++].value = entries[i].value;
		add_nodes(&key.values[key.count - 1], entries[i].group);
	}
	for (size_t i = 0; i < all->group_count && count < all->group_count; i++)
		if (!has_key(entries, count, &all->groups[i]))
			add_nodes(&missing, &all->groups[i]);
	if (missing.count)
		key.values[key.count++] = missing;
	qsort(key.values, key.count, sizeof(*key.values), compare_values);
	return key;
}

static void release_key(struct differing_key *key)
{
	for (size_t i = 0; i < key->count; i++)
		free(key->values[i].nodes);
	free(key->values);
}

static void take_key(struct environments *environments, const struct entry *entries, size_t count)
{
	struct differing_key key = tally(environments, entries, count);

	if (key.values->value)
		text_add(&environments->common, "%s=%s\n", key.key, key.values->value);
	if (key.count == 1) {
		release_key(&key);
		return;
	}
	environments->keys = memory_grow(environments->keys, (environments->key_count + 1) *
								     sizeof(*environments->keys));
	environments->keys[environments->key_count++] = key;
}

void environments_compare(struct environments *environments, struct like_nodes *groups,
			  size_t count)
{
	struct entry *entries = memory_allocate(count_lines(groups, count) + 1, sizeof(*entries));
	const size_t lines = split_lines(groups, count, entries);

	environments->groups = groups;
	environments->group_count = count;
	environments->nodes = 0;
	for (size_t i = 0; i < count; i++)
		environments->nodes += groups[i].count;
	qsort(entries, lines, sizeof(*entries), compare_entries);
	for (size_t i = 0, next; i < lines; i = next) {
		for (next = i + 1; next < lines && !strcmp(entries[next].key, entries[i].key);)
			next++;
		take_key(environments, entries + i, next - i);
	}
	free(entries);
}

void environments_release(struct environments *environments)
{
	for (size_t i = 0; i < environments->key_count; i++)
		release_key(&environments->keys[i]);
	for (size_t i = 0; i < environments->group_count; i++) {
		text_release(&environments->groups[i].lines);
		free(environments->groups[i].nodes);
	}
	free(environments->keys);
	free(environments->groups);
	text_release(&environments->common);
	*environments = (struct environments){0};
}

size_t environments_value(const struct differing_key *key, uint32_t node)
{
	for (size_t i = 0; i < key->count; i++)
		if (bsearch(&node, key->values[i].nodes, key->values[i].count, sizeof(node),
			    compare_numbers))
			return i;
	return 0;
}
