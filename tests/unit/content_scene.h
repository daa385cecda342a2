/* What the tests of content share: some files' bytes, and damage as it is told. */
#ifndef TESTS_UNIT_CONTENT_SCENE_H
#define TESTS_UNIT_CONTENT_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "content/content.h"

enum { KIB = 1024, MIB = 1 << 20, SEED = 4711 };

static inline uint64_t roll(uint64_t *state, uint64_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*state >> 33) % below;
}

static inline struct content start_as(struct content_setup setup)
{
	struct content content;
	struct error err = {0};

	setup.seed = setup.seed ? setup.seed : SEED;
	assert_int_equal(content_start(&content, &setup, &err), 0);
	content_select(&content, 3, 1);
	return content;
}

static inline struct content start(enum content_kind kind)
{
	return start_as((struct content_setup){.kind = kind});
}

/* The bytes of a range in one piece. */
static inline char *make(const struct content *content, uint64_t offset, uint64_t length)
{
	char *bytes = malloc(length ? length : 1);

	content_fill(content, bytes, offset, length);
	return bytes;
}

#endif
