/* The list of workloads. */
#include "engine/works.h"

#include "engine/data/data_work.h"
#include "engine/load/load_mix.h"
#include "engine/load/load_work.h"
#include "engine/metadata/metadata_work.h"

static const struct work *const works[PHASE_WORKS] = {
	[PHASE_WORK_DATA] = &data_work, [PHASE_WORK_METADATA] = &metadata_work,
	[PHASE_WORK_FIND] = &find_work, [PHASE_WORK_LOAD] = &load_work,
	[PHASE_WORK_MIX] = &mix_work,
};

const struct work *works_find(enum phase_kind kind)
{
	return works[phase_traits[kind].work];
}

void works_start(struct worker *worker)
{
	for (unsigned i = 0; i < PHASE_WORKS; i++)
		if (works[i]->start)
			works[i]->start(worker);
}

void works_stop(struct worker *worker)
{
	for (unsigned i = 0; i < PHASE_WORKS; i++)
		if (works[i]->stop)
			works[i]->stop(worker);
}
