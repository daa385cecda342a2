/* Messages for the user, on standard error. */
#ifndef PAGE_MESSAGE_H
#define PAGE_MESSAGE_H

#include "page/report.h"

/* Prints the error's text as a warning. */
void message_warn(const struct error *err);

#endif
