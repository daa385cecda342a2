/*
 * The members of a phase object. record_fields() writes those with a row of numbers; each other
 * member has a function. key is the member's name in owner.
 */
#ifndef RECORD_FIELDS_H
#define RECORD_FIELDS_H

#include "record/record.h"
#include "result/fields.h"

/* One phase and everything else its members need. */
struct recorder {
	struct result_source source;
	const struct verdict *verdicts;
	size_t verdict_count;
};

void record_fields(json_t *owner, const struct result_field *fields,
		   const struct recorder *recorder);

/* The members "node" and "host". */
void record_node(json_t *object, uint32_t node);

/* phase.c */
void record_kind(json_t *owner, const char *key, const struct recorder *recorder);
void record_status(json_t *owner, const char *key, const struct recorder *recorder);
void record_began(json_t *owner, const char *key, const struct recorder *recorder);
void record_beside(json_t *owner, const char *key, const struct recorder *recorder);
void record_cold_method(json_t *owner, const char *key, const struct recorder *recorder);
void record_depths(json_t *owner, const char *key, const struct recorder *recorder);
void record_operations(json_t *owner, const char *key, const struct recorder *recorder);
void record_phase_counters(json_t *owner, const char *key, const struct recorder *recorder);
void record_prefill(json_t *owner, const char *key, const struct recorder *recorder);
void record_settings(json_t *owner, const char *key, const struct recorder *recorder);
void record_outliers(json_t *owner, const char *key, const struct recorder *recorder);
void record_stop(json_t *owner, const char *key, const struct recorder *recorder);
void record_possible(json_t *owner, const char *key, const struct recorder *recorder);
void record_severity(json_t *owner, const char *key, const struct recorder *recorder);
void record_phase_verdicts(json_t *owner, const char *key, const struct recorder *recorder);
/* failure.c */
void record_failure(json_t *owner, const char *key, const struct recorder *recorder);
/* slow.c; null if nothing was compared */
void record_slow(json_t *owner, const char *key, const struct recorder *recorder);
/* timeline.c; null where nothing was measured */
void record_timeline(json_t *owner, const char *key, const struct recorder *recorder);
void record_heatmap(json_t *owner, const char *key, const struct recorder *recorder);
/* verification.c */
void record_damage_kinds(json_t *owner, const char *key, const struct recorder *recorder);
void record_damage_summary(json_t *owner, const char *key, const struct recorder *recorder);
void record_damage_evidence(json_t *owner, const char *key, const struct recorder *recorder);
void record_damage_ranges(json_t *owner, const char *key, const struct recorder *recorder);
/* metadata.c */
void record_form(json_t *owner, const char *key, const struct recorder *recorder);
void record_errors(json_t *owner, const char *key, const struct recorder *recorder);
void record_missing_directories(json_t *owner, const char *key, const struct recorder *recorder);
void record_test_directories(json_t *owner, const char *key, const struct recorder *recorder);
void record_directories(json_t *owner, const char *key, const struct recorder *recorder);
void record_unread(json_t *owner, const char *key, const struct recorder *recorder);

#endif
