/* Functions with which the rules write their verdicts. */
#include "assess/judge.h"

#include <stdarg.h>
#include <stdio.h>

void verdict_prove(struct verdict *verdict, const char *name, double value)
{
	verdict->evidence[verdict->evidence_count++] = (struct evidence){name, value};
}

void verdict_judge(struct verdict *verdict, enum severity severity, const char *meaning, ...)
{
	va_list arguments;

	verdict->severity = severity;
	va_start(arguments, meaning);
	vsnprintf(verdict->meaning, sizeof(verdict->meaning), meaning, arguments);
	va_end(arguments);
}

void verdict_advise(struct verdict *verdict, const char *remedy, ...)
{
	va_list arguments;

	va_start(arguments, remedy);
	vsnprintf(verdict->remedy, sizeof(verdict->remedy), remedy, arguments);
	va_end(arguments);
}

const char *verdict_or_direct(const struct plan *plan, char text[DIRECT_SIZE])
{
	const struct backend *backend = plan->backend;

	*text = '\0';
	if (option_find(backend->options, "direct"))
		snprintf(text, DIRECT_SIZE, ", --%s.direct", backend->options->prefix);
	return text;
}
