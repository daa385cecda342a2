/* Sizes that the plan needs too: of a stamped sector, and of a content buffer. */
#ifndef BASE_CONTENT_ROOM_H
#define BASE_CONTENT_ROOM_H

#include <stdbool.h>
#include <stdint.h>

enum { SECTOR = 512 }; /* bytes that have one stamp */

#define CONTENT_POOL \
	(UINT64_C(1) << 20) /* bytes after which stamped data repeat but for the stamps */

/*
 * Bytes of a buffer for transfers of `length`. In place, a transfer is a window into a pool that is
 * longer by one transfer, and only its stamps are written.
 */
static inline uint64_t content_room(uint64_t length, bool in_place)
{
	const uint64_t page = 4096;
	uint64_t whole = (length + page - 1) / page * page;

	return in_place ? CONTENT_POOL + whole + page : whole;
}

#endif
