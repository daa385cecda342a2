/* Messages for the user, on standard error. */
#ifndef REPORT_MESSAGE_H
#define REPORT_MESSAGE_H

#include "report/report.h"

/* A warning that is an error's text. */
void message_warn(const struct error *err);

#endif
