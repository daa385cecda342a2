/*
 * The summary of a run in the form of IOR's summaryFile: JSON at the end of the job, or CSV with a
 * row for each phase. Only data tests are included.
 */
#ifndef PAGE_IOR_SUMMARY_H
#define PAGE_IOR_SUMMARY_H

#include <jansson.h>

#include "page/page.h"

struct ior_summary {
	bool csv;
	const struct run *run;
	json_t *document, *test; /* test: a member of the document */
};

/* Output that is due at once is appended to `out`. */
void ior_summary_start(struct ior_summary *summary, struct text *out, const struct page *page,
		       const json_t *run);
void ior_summary_test(struct ior_summary *summary, const struct test_result *test,
		      const struct mount_facts *mount, const json_t *line);
void ior_summary_phase(struct ior_summary *summary, struct text *out, const struct test_head *test,
		       const json_t *line);
/* kept: by ior_keep() of the phases of the test. */
void ior_summary_test_end(struct ior_summary *summary, const struct test_head *test,
			  const json_t *kept);
void ior_summary_finish(struct ior_summary *summary, struct text *out); /* releases */

#endif
