/* Words and numbers shared by IOR's text form and IOR's summary. */
#ifndef PAGE_IOR_WORDS_H
#define PAGE_IOR_WORDS_H

#include "page/foreign.h"

#define IOR_VERSION "4.1.0" /* version of IOR whose forms are written */

struct ior_word {
	char text[64];
};

struct ior_word ior_now(void);				/* "Tue Nov  7 10:19:36 2023" */
struct ior_word ior_api(const struct backend *backend); /* "POSIX", "DUMMY" */
uint32_t ior_tasks_per_node(const struct plan *plan);	/* tasks on the first task's node */
uint64_t ior_repetitions(const struct test *test);	/* at most, without warm-ups */

/*
 * Objects with the keys of IOR's JSON, in its order. The caller owns them. The text form prints the
 * same members under other heads.
 */
json_t *ior_head(const struct page *page, const json_t *run);
/* line: of the test. */
json_t *ior_test(const struct test_result *test, const json_t *line);
/* all: with the members that IOR's text lacks. */
json_t *ior_options(const struct plan *plan, const json_t *line, bool all);
/* One phase; NULL: it has no row. */
json_t *ior_result(const struct plan *plan, const json_t *line);

/* Keeps the numbers of a phase for ior_summary_row(). */
void ior_keep(json_t *kept, const json_t *line);
/* The summary of a kind of phase over the complete repetitions; NULL: there is none. */
json_t *ior_summary_row(const struct test_head *test, enum phase_kind kind, const json_t *kept);

#endif
