/* Functions with which the rules write their verdicts. Private to the room. */
#ifndef ASSESS_JUDGE_H
#define ASSESS_JUDGE_H

#include "assess/verdict.h"

void verdict_prove(struct verdict *verdict, const char *name, double value);
/* Sets the severity and the meaning, a whole sentence that is cut where it does not fit. */
void verdict_judge(struct verdict *verdict, enum severity severity, const char *meaning, ...)
	__attribute__((format(printf, 3, 4)));
void verdict_advise(struct verdict *verdict, const char *remedy, ...)
	__attribute__((format(printf, 2, 3)));

/* ", --uring.direct" for a remedy, where the test's backend has such an option; "" elsewhere. */
enum { DIRECT_SIZE = 64 };
const char *verdict_or_direct(const struct plan *plan, char text[DIRECT_SIZE]);

#endif
