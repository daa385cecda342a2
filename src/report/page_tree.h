/* The head of a metadata test: what it is to do. */
#ifndef REPORT_PAGE_TREE_H
#define REPORT_PAGE_TREE_H

#include "report/page.h"

/* The lines with labels, without title and options of the backend. */
void page_tree_settings(struct text *out, const struct test_result *test);

#endif
