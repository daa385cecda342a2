/* One line of a journal, checked before it may become part of a document. */
#ifndef REPORT_LINE_H
#define REPORT_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "options/turns.h"

enum { GROUP_MOST = (int)TURNS_MOST > (int)SET_MOST ? TURNS_MOST : SET_MOST };

enum event { EVENT_RUN, EVENT_TEST, EVENT_PHASE, EVENT_TEST_END, EVENT_ERROR, EVENT_END, EVENTS };

/*
 * State after the good lines so far, which decides what may follow. All zeros before the first
 * line.
 */
struct line_order {
	bool begun, over;
	json_int_t tests;     /* number of tests in the run */
	json_int_t next_test; /* least number that a further test can have */
	json_int_t group;     /* of the open tests; 0: none, and one test at most is open */
	struct line_test {
		bool open; /* its phases may follow */
		json_int_t number;
		json_int_t repetition; /* of its last phase */
		uint64_t phases;       /* phases of this repetition, one bit each */
	} test[GROUP_MOST];	       /* by number - first */
	json_int_t first;
};

/* Tests of one group run at the same time or in turns; 0: the test runs alone. */
json_int_t line_group(const json_t *test);

/*
 * Ends a line, which is one JSON object, with a hash of its bytes as a last member and a line feed.
 */
void line_seal(struct text *line);

/*
 * Returns the value of a line that is intact and may stand at its position; the caller owns it.
 * NULL: `why` has the reason.
 */
json_t *line_read(const char *bytes, size_t length, struct line_order *order, enum event *event,
		  struct text *why);

#endif
