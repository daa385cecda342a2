/* What the rules write their verdicts with. Private to the room. */
#ifndef ASSESS_JUDGE_H
#define ASSESS_JUDGE_H

#include "assess/verdict.h"

void verdict_prove(struct verdict *verdict, const char *name, double value);
/* A whole sentence, cut where it does not fit. */
void verdict_judge(struct verdict *verdict, enum severity severity, const char *meaning, ...)
	__attribute__((format(printf, 3, 4)));
void verdict_advise(struct verdict *verdict, const char *remedy, ...)
	__attribute__((format(printf, 2, 3)));

#endif
