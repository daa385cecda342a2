/*
 * api=auto: from what short probes saw to the backend that runs. Pure functions of plain numbers, so
 * that every task comes to the same choice. engine/probe.c fills the numbers on the first task of
 * each node.
 */
#ifndef PLAN_CHOICE_H
#define PLAN_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/backend.h"
#include "options/candidates.h"

enum { PROBE_WHY_SIZE = 200 };

/* One candidate over the nodes that probed. */
struct candidate_probe {
	uint32_t nodes; /* on which it ran */
	/* seconds per transfer, of a node's better rounds, summed over the nodes; 0: nothing moved */
	double transfer_s[ACCESS_COUNT];
	char why_not[PROBE_WHY_SIZE]; /* of the first node on which it did not run, else "" */
};

/* Plain memory of one size, which travels. All zeros: nobody probed. */
struct probe {
	uint32_t nodes;  /* that probed */
	double seconds;  /* the longest probe took */
	uint64_t length; /* of a transfer, bytes */
	uint64_t depth;  /* transfers in flight */
	char why_not[PROBE_WHY_SIZE]; /* why there was nothing to try, else "" */
	struct candidate_probe candidates[CANDIDATES];
};

/* The probe of further nodes; commutative but for the texts. */
void probe_merge(struct probe *into, const struct probe *from);

/* Transfers per second of one task, mean over the nodes (harmonic); 0: not known. */
double probe_rate(const struct probe *probe, enum candidate candidate, enum access access);

/* How fast a candidate moves what the test moves, posix is 1; 0: not known, or not on every node. */
double probe_speed(const struct probe *probe, enum candidate candidate);

struct choice {
	bool made; /* false where nothing may be touched: --show-plan and --dry-run */
	enum candidate chosen;
	struct probe probe;
	char why[512]; /* one phrase: "uring 0.04 of posix here, libaio is not built in; …" */
};

/* From choice->probe: posix unless another is clearly faster. */
void choice_make(struct choice *choice);
/* The same for a metadata test: the queue, where every node has it. */
void choice_make_names(struct choice *choice);

#endif
