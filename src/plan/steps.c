/* The steps of a set. */
#include "plan/steps.h"

#include <stdio.h>
#include <string.h>

const struct phase_plan *plan_step(const struct plan *plan, unsigned step)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (!plan_is_layout(plan, &plan->phases[i]) && !step--)
			return &plan->phases[i];
	return NULL;
}

const struct phase_plan *plan_layout(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan_is_layout(plan, &plan->phases[i]))
			return &plan->phases[i];
	return NULL;
}

unsigned plans_steps(const struct plan *plans, unsigned count)
{
	unsigned steps = 0;

	for (unsigned i = 0; i < count; i++)
		while (plan_step(&plans[i], steps))
			steps++;
	return steps;
}

bool plans_have_beside(const struct plan *plans, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < plans[i].phase_count; k++)
			if (*plans[i].phases[k].beside)
				return true;
	return false;
}

static bool is_beside(const struct plan *plan)
{
	return plan->load && plan->load->beside;
}

/* Adds "write of checkpoint" to the text, or ", …" where it has no room. */
static void steps_add_phase(char *text, size_t size, const struct phase_plan *phase,
			    const struct plan *plan, unsigned number)
{
	const char *name = plan->test->name;
	const size_t used = strlen(text);
	char words[64];

	if (name)
		snprintf(words, sizeof(words), "%s of %s", phase_name(phase->kind), name);
	else
		snprintf(words, sizeof(words), "%s of test %u", phase_name(phase->kind), number);
	if (used + strlen(words) + sizeof(", , …") > size)
		snprintf(words, sizeof(words), "…");
	if (!strstr(text, "…"))
		snprintf(text + used, size - used, "%s%s", used ? ", " : "", words);
}

/* Names the phases of a step that a load runs beside. */
static void name_phases(const struct plan *plans, unsigned count, unsigned number, unsigned step,
			struct phase_plan *load)
{
	for (unsigned i = 0; i < count; i++) {
		const struct phase_plan *phase = plan_step(&plans[i], step);

		if (phase && !is_beside(&plans[i]))
			steps_add_phase(load->beside, sizeof(load->beside), phase, &plans[i],
					number + i);
	}
}

void plans_put_beside(struct plan *plans, unsigned count, unsigned number)
{
	unsigned steps = 0;

	for (unsigned i = 0; i < count; i++)
		while (!is_beside(&plans[i]) && plan_step(&plans[i], steps))
			steps++;
	for (unsigned i = 0; i < count; i++) {
		struct plan *plan = &plans[i];
		const unsigned last = plan->phase_count - 1; /* the load phase */

		if (!is_beside(plan))
			continue;
		plan->load_seconds = 0;
		for (unsigned step = 0; step < steps && last + step < PLAN_PHASES; step++) {
			plan->phases[last + step] = plan->phases[last];
			*plan->phases[last + step].beside = '\0';
			name_phases(plans, count, number, step, &plan->phases[last + step]);
			plan->phase_count = last + step + 1;
		}
	}
}
