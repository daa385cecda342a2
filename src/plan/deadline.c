/* The deadline: the point in time by which the whole job must be over. */
#include "plan/deadline.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"

/*
 * Thirty years, the limit of every other time too. A later date is most likely given in
 * milliseconds.
 */
static const double LONGEST_SECONDS = 1e9;

static int parse_local(const char *text, double *deadline)
{
	struct tm when = {0};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M", &when);

	if (end && *end == ':')
		end = strptime(end, ":%S", &when);
	if (!end || *end)
		return -1;
	when.tm_isdst = -1;
	*deadline = (double)mktime(&when);
	return 0;
}

static int parse_epoch(const char *text, double *deadline)
{
	char *end;

	*deadline = strtod(text, &end);
	return end == text || *end || strspn(text, "0123456789.") != strlen(text) ? -1 : 0;
}

int deadline_parse(const char *text, double now, double *deadline, struct error *err)
{
	if (*text == '+') {
		double seconds;

		if (units_parse_seconds(text + 1, &seconds, err))
			return error_add(err, "deadline");
		*deadline = now + seconds;
	} else if (parse_local(text, deadline) && parse_epoch(text, deadline)) {
		return error_input(err,
				   "deadline: \"%s\" is no time; write +30m, 2026-11-20T18:00:00 "
				   "or seconds since the epoch",
				   text);
	}
	if (*deadline <= now)
		return error_input(err, "deadline: %s has passed; write +30m for a time from now",
				   text);
	if (*deadline - now > LONGEST_SECONDS)
		return error_input(err,
				   "deadline: %s is more than thirty years away; a number is "
				   "seconds since the epoch, not milliseconds",
				   text);
	return 0;
}

double deadline_needed(double longest_before)
{
	return longest_before > 0 ? 1.1 * longest_before + 1 : 0;
}
