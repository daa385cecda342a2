/* A phase before the rules: a made-up result, changed by a test and judged. */
#ifndef TESTS_UNIT_COURT_H
#define TESTS_UNIT_COURT_H

#include "report_scene.h"

/* A test on ext4, 64 GiB of memory, that moves 4 MiB for each of 4 tasks. */
struct court {
	struct report_scene scene;
	struct assess_facts facts;
	struct verdict verdicts[VERDICTS];
	size_t count;
};

static inline struct phase_result *open_court(struct court *court, enum phase_kind kind,
					      const char *const *settings)
{
	struct phase_result *phase;

	*court = (struct court){.facts = {.memory_per_node = 64 * GIB, .file_system = "ext4"}};
	scene_start(&court->scene, 2, 2, settings);
	phase = scene_phase(&court->scene, kind, 0, 2.5, 400, 1000000);
	phase->trial = (struct trial){.reads = READS_COUNTED, .pages_seen = true};
	phase->measure->io.read_bytes = phase->measure->bytes;
	return phase;
}

static inline const struct verdict *find_verdict(struct court *court, const char *id)
{
	struct phase_result *phase = &court->scene.phases[0];

	court->count = assess_phase(phase, &court->scene.test, &court->facts, court->verdicts);
	for (size_t i = 0; i < court->count; i++)
		if (!strcmp(court->verdicts[i].id, id))
			return &court->verdicts[i];
	return NULL;
}

static inline const struct verdict *judge(struct court *court, const char *id)
{
	struct phase_result *phase = &court->scene.phases[0];

	if (phase->measure)
		phase_result_fill(phase, phase->measure);
	return find_verdict(court, id);
}

static inline void assert_verdict(struct court *court, const char *id, enum severity severity,
				  const char *words)
{
	const struct verdict *verdict = judge(court, id);

	assert_non_null(verdict);
	if (verdict->severity != severity || !strstr(verdict->meaning, words))
		fail_msg("%s: %s: %s", id, severity_name(verdict->severity), verdict->meaning);
	if (severity >= SEVERITY_WARN)
		assert_true(*verdict->remedy);
}

static inline void close_court(struct court *court)
{
	scene_release(&court->scene);
}

/* True if no rule of this id speaks. */
static inline bool is_silent(struct court *court, const char *id)
{
	return !judge(court, id);
}

#endif
