/* The vector types of sectors_loops.h: 64 bytes as 8 lanes, however wide the registers are. */
#ifndef CONTENT_ROWS_H
#define CONTENT_ROWS_H

#include <stdint.h>

#include "content/stamp.h"

enum { LANES = 8, ROWS = SECTOR / (LANES * 8) };

typedef uint64_t row __attribute__((vector_size(LANES * 8)));
typedef uint64_t words __attribute__((vector_size(STAMP_BYTES)));

/* Unaligned access to a row or to words. */
struct row_at {
	row row;
} __attribute__((packed, aligned(1), may_alias));
struct words_at {
	words words;
} __attribute__((packed, aligned(1), may_alias));

struct lanes {
	row a, b;
};

/* Start values of the lanes: digits of pi, so that no value was picked on purpose. */
#define ROW_CONSTANTS_A                                                                           \
	UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344), UINT64_C(0xa4093822299f31d0), \
		UINT64_C(0x082efa98ec4e6c89), UINT64_C(0x452821e638d01377),                       \
		UINT64_C(0xbe5466cf34e90c6c), UINT64_C(0xc0ac29b7c97c50dd),                       \
		UINT64_C(0x3f84d5b5b5470917)
#define ROW_CONSTANTS_B                                                                           \
	UINT64_C(0x9216d5d98979fb1b), UINT64_C(0xd1310ba698dfb5ac), UINT64_C(0x2ffd72dbd01adfb7), \
		UINT64_C(0xb8e1afed6a267e96), UINT64_C(0xba7c9045f12c7f99),                       \
		UINT64_C(0x24a19947b3916cf7), UINT64_C(0x0801f2e2858efc16),                       \
		UINT64_C(0x636920d871574e69)

#endif
