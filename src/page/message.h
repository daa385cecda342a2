/* Messages for the user, on standard error. */
#ifndef PAGE_MESSAGE_H
#define PAGE_MESSAGE_H

#include "page/report.h"

/* Control characters that erase the line of a terminal at its cursor. */
#define MESSAGE_ERASE "\r\033[K"

/*
 * Lets each message begin by erasing the line it is on. Launchers pass on standard output and
 * standard error in any order, so the message does that itself.
 */
void message_erase_live(bool wanted);
/* Prints the error's text as a warning. */
void message_warn(const struct error *err);

#endif
