/* A pile of pieces of work. */
#include "base/pile.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { MARK = sizeof(uint32_t), FIRST_ROOM = 4096 };

void pile_release(struct pile *pile)
{
	free(pile->bytes);
	*pile = (struct pile){0};
}

void pile_clear(struct pile *pile)
{
	pile->from = pile->to = 0;
	pile->count = 0;
}

static void pile_mark(char *at, size_t length)
{
	uint32_t word = (uint32_t)length;

	memcpy(at, &word, MARK);
}

static size_t marked(const char *at)
{
	uint32_t word;

	memcpy(&word, at, MARK);
	return word;
}

/* Makes room for a piece at the end. Space that given pieces left at the front is reused first. */
static char *make_room(struct pile *pile, size_t length)
{
	size_t used = pile->to - pile->from;

	if (pile->room - pile->to < length && pile->from) {
		memmove(pile->bytes, pile->bytes + pile->from, used);
		pile->from = 0;
		pile->to = used;
	}
	if (pile->room - pile->to < length) {
		pile->room = 2 * (used + length) + FIRST_ROOM;
		pile->bytes = memory_grow(pile->bytes, pile->room);
	}
	pile->to += length;
	return pile->bytes + pile->to - length;
}

char *pile_add(struct pile *pile, size_t length)
{
	if (length > UINT32_MAX)
		BUG("a piece of work of %zu bytes", length);
	char *at = make_room(pile, length + 2 * MARK);

	pile_mark(at, length);
	pile_mark(at + MARK + length, length);
	pile->count++;
	return at + MARK;
}

const char *pile_take(struct pile *pile, size_t *length)
{
	if (!pile->count)
		return NULL;
	*length = marked(pile->bytes + pile->to - MARK);
	pile->to -= *length + 2 * MARK;
	pile->count--;
	return pile->bytes + pile->to + MARK;
}

void pile_give(struct pile *pile, uint64_t count, size_t most_bytes, struct text *block)
{
	size_t end = pile->from;

	for (uint64_t given = 0; given < count && pile->count; given++) {
		size_t next = end + marked(pile->bytes + end) + 2 * MARK;

		if (given && next - pile->from > most_bytes)
			break;
		end = next;
		pile->count--;
	}
	text_add_bytes(block, pile->bytes + pile->from, end - pile->from);
	pile->from = end;
}

uint64_t pile_put(struct pile *pile, const char *block, size_t length)
{
	uint64_t count = 0;

	memcpy(make_room(pile, length), block, length);
	for (size_t at = 0; at < length; at += marked(block + at) + 2 * MARK)
		count++;
	pile->count += count;
	return count;
}
