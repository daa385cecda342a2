/*
 * What a mix is told by beside the whole: its kinds of operation, then the response times where a rate says
 * when operations are due.
 */
#ifndef MEASURE_MIX_PART_H
#define MEASURE_MIX_PART_H

#include "measure/measure.h"

enum { MIX_PARTS = MIX_KINDS + 1 };

static inline enum operation mix_part_operation(unsigned part)
{
	static const enum operation operations[MIX_PARTS] = {
		[MIX_CREATE] = OPERATION_CREATE,
		[MIX_STAT] = OPERATION_STAT,
		[MIX_READ] = OPERATION_OPEN_CLOSE,
		[MIX_REMOVE] = OPERATION_REMOVE,
		[MIX_KINDS] = OPERATION_RESPONSE,
	};

	return operations[part];
}

/* "create", … "response" */
static inline const char *mix_part_name(unsigned part)
{
	return part < MIX_KINDS ? mix_kind_name(part) : operation_name(OPERATION_RESPONSE);
}

/* Whether the mix was asked for any of it. */
static inline bool mix_part_is_meant(const struct mix *mix, unsigned part)
{
	return part < MIX_KINDS ? mix->shares[part] > 0 : mix->task_rate > 0;
}

#endif
