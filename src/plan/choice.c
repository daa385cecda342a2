/* api=auto: from what short probes saw to the backend that runs. */
#include "plan/choice.h"

#include <stdio.h>
#include <string.h>

/* Below this noise could have made the difference, and posix is what most programs use. */
#define CLEARLY_FASTER 1.10

static void keep_first(char *into, const char *from, size_t size)
{
	if (!*into)
		memcpy(into, from, size);
}

void probe_merge(struct probe *into, const struct probe *from)
{
	into->nodes += from->nodes;
	into->seconds = from->seconds > into->seconds ? from->seconds : into->seconds;
	into->length = from->length > into->length ? from->length : into->length;
	into->depth = from->depth > into->depth ? from->depth : into->depth;
	keep_first(into->why_not, from->why_not, sizeof(into->why_not));
	for (int i = 0; i < CANDIDATES; i++) {
		struct candidate_probe *mine = &into->candidates[i];
		const struct candidate_probe *theirs = &from->candidates[i];

		mine->nodes += theirs->nodes;
		for (int access = 0; access < ACCESS_COUNT; access++)
			mine->transfer_s[access] += theirs->transfer_s[access];
		keep_first(mine->why_not, theirs->why_not, sizeof(mine->why_not));
	}
}

double probe_rate(const struct probe *probe, enum candidate candidate, enum access access)
{
	const struct candidate_probe *figures = &probe->candidates[candidate];

	return figures->transfer_s[access] > 0 ? figures->nodes / figures->transfer_s[access] : 0;
}

/* A test that writes and reads moves as much each way: the times add up. */
static double seconds(const struct probe *probe, enum candidate candidate)
{
	const struct candidate_probe *figures = &probe->candidates[candidate];

	if (!probe->nodes || figures->nodes != probe->nodes)
		return 0;
	return figures->transfer_s[ACCESS_WRITE] + figures->transfer_s[ACCESS_READ];
}

double probe_speed(const struct probe *probe, enum candidate candidate)
{
	double own = seconds(probe, candidate);

	return own > 0 ? seconds(probe, CANDIDATE_POSIX) / own : 0;
}

/* A gain in one direction is no excuse for a loss in the other. */
static bool loses_somewhere(const struct probe *probe, enum candidate candidate)
{
	for (int access = 0; access < ACCESS_COUNT; access++)
		if (probe_rate(probe, candidate, access) < probe_rate(probe, CANDIDATE_POSIX, access))
			return true;
	return false;
}

static void explain(struct choice *choice, enum candidate candidate)
{
	const struct candidate_probe *figures = &choice->probe.candidates[candidate];
	size_t used = strlen(choice->why), room = sizeof(choice->why) - used;
	const char *between = used ? ", " : "";
	double speed = probe_speed(&choice->probe, candidate);

	if (speed > 0)
		snprintf(choice->why + used, room, "%s%s %.2f of posix here", between,
			 candidate_name(candidate), speed);
	else
		snprintf(choice->why + used, room, "%s%s did not run: %s", between,
			 candidate_name(candidate), figures->why_not);
}

static const char *why_nothing_ran(const struct probe *probe)
{
	if (!probe->nodes)
		return "one transfer at a time needs no queue";
	return *probe->why_not ? probe->why_not : probe->candidates[CANDIDATE_POSIX].why_not;
}

void choice_make(struct choice *choice)
{
	const struct probe *probe = &choice->probe;
	double best = CLEARLY_FASTER;

	choice->made = true;
	choice->chosen = CANDIDATE_POSIX;
	choice->why[0] = '\0';
	if (!probe_speed(probe, CANDIDATE_POSIX)) {
		snprintf(choice->why, sizeof(choice->why), "%s", why_nothing_ran(probe));
		return;
	}
	for (enum candidate i = CANDIDATE_POSIX + 1; i < CANDIDATES; i++) {
		double speed = probe_speed(probe, i);

		explain(choice, i);
		if (speed > best && !loses_somewhere(probe, i)) {
			best = speed;
			choice->chosen = i;
		}
	}
}

void choice_make_names(struct choice *choice)
{
	const struct probe *probe = &choice->probe;
	const struct candidate_probe *uring = &probe->candidates[CANDIDATE_URING];
	bool queues = probe->nodes && uring->nodes == probe->nodes;

	choice->made = true;
	choice->chosen = queues ? CANDIDATE_URING : CANDIDATE_POSIX;
	if (queues || !probe->nodes)
		snprintf(choice->why, sizeof(choice->why), "%s",
			 queues ? "it takes names in a queue" : "one name at a time needs no queue");
	else
		snprintf(choice->why, sizeof(choice->why),
			 "names go one at a time, as uring did not run: %s", uring->why_not);
}
