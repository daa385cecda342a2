/* The workloads of a metadata test: one kind of operation on a tree, a walk over it, a mix on its
 * files. */
#ifndef ENGINE_METADATA_METADATA_WORK_H
#define ENGINE_METADATA_METADATA_WORK_H

#include "engine/core/work.h"

extern const struct work metadata_work, find_work;

/* Steps that the mix of engine/load shares. */
void metadata_reset_state(struct worker *worker);
learner *metadata_choose_learner(const struct plan *plan, const struct phase_plan *phase);
int metadata_prepare_phase(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			   uint64_t repetition, const struct content_origin *lesson,
			   struct error *err);
void metadata_begin(struct worker *worker, struct stamps *stamps);
void metadata_end(struct worker *worker, struct stamps *stamps);
void metadata_conclude(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		       const struct agreement *end);
void metadata_keep(struct worker *worker, const struct phase_plan *phase);

/* Adds what failed in this phase to an agreement, for each work on trees. */
void metadata_agree(struct worker *worker, struct agreement *end);

#endif
