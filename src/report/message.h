/* Messages for the user, on standard error. */
#ifndef REPORT_MESSAGE_H
#define REPORT_MESSAGE_H

#include "report/report.h"

/* Prints the error's text as a warning. */
void message_warn(const struct error *err);

#endif
