/* The text that says when a load is steady. */
#ifndef OPTIONS_STEADY_H
#define OPTIONS_STEADY_H

#include "base/error.h"

/* The bounds, as shares of the mean rate of the window; negative: no such bound. */
struct steady_rule {
	double range; /* largest minus smallest rate */
	double slope; /* change of the fitted line over the window, up or down */
};

/*
 * Parses "range:20%, slope:10%", or one of the two. Returns 0, or -1 with ERROR_INPUT that shows
 * what is expected.
 */
int steady_parse(const char *text, struct steady_rule *rule, struct error *err);

#endif
