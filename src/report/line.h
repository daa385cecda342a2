/* One line of a journal: what it must be before it may stand in a document. */
#ifndef REPORT_LINE_H
#define REPORT_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum event { EVENT_RUN, EVENT_TEST, EVENT_PHASE, EVENT_TEST_END, EVENT_ERROR, EVENT_END, EVENTS };

/* State after the good lines so far: it says which may follow. All zeros before the first line. */
struct line_order {
	bool begun, over, in_test;
	json_int_t tests;      /* of the run */
	json_int_t next_test;  /* the least number that a further test can have */
	json_int_t repetition; /* of the last phase of the test that runs */
	uint64_t phases;       /* of this repetition, a bit each */
};

/* Ends a line that is one JSON object: a hash of its bytes as one more member, and a line feed. */
void line_seal(struct text *line);

/*
 * The value of a line that is as it was written and may stand where it does; the caller owns it.
 * NULL: it may not, and why says so.
 */
json_t *line_read(const char *bytes, size_t length, struct line_order *order, enum event *event,
		  struct text *why);

#endif
