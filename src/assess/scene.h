/* The facts about a phase that every rule gets. Private to the room. */
#ifndef ASSESS_SCENE_H
#define ASSESS_SCENE_H

#include "assess/verdict.h"

struct scene {
	const struct phase_result *phase;
	const struct measure *measure;
	const struct test *options;
	const struct plan *plan;
	const struct assess_facts *facts;
	bool direct;
	bool in_set; /* other tests of the job run beside it */
};

#endif
