/* Damage found by comparing data, in words; shared by all forms of the result. */
#ifndef RECORD_DAMAGE_H
#define RECORD_DAMAGE_H

#include "base/text.h"
#include "result/result.h"

/* Appends the path of the damaged file. */
void damage_path(const struct plan *plan, const struct phase_result *phase,
		 const struct damage *damage, struct text *out);

/*
 * Appends the meaning of the bytes found: "zeros: never written", "belongs to offset 0x1000 of file
 * 3, task 3" …
 */
void damage_meaning(const struct plan *plan, const struct damage *damage, struct text *out);

/* The task whose data an offset of a file holds; UINT64_MAX: the layout has no such offset. */
uint64_t damage_owner(const struct plan *plan, uint32_t file, uint64_t offset);

/* Appends "expected" or "found" bytes in hexadecimal, limited to the damaged range. */
void damage_bytes(const struct damage *damage, const unsigned char *bytes, struct text *out);

/* Appends one sentence on all damage of the phase. */
void damage_summary(const struct plan *plan, const struct phase_result *phase, struct text *out);

/* Appends whether the damaged files stay, and where. */
void damage_evidence(const struct plan *plan, const struct phase_result *phase, struct text *out);

#endif
