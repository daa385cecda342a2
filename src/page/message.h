/* Messages for the user, on standard error. */
#ifndef PAGE_MESSAGE_H
#define PAGE_MESSAGE_H

#include "page/report.h"

/* What a terminal takes to erase the line that the cursor is on. */
#define MESSAGE_ERASE "\r\033[K"

/*
 * Lets each message begin by erasing the line it is on. Launchers pass on standard output and
 * standard error in any order, so the message does that itself.
 */
void message_erase_live(bool wanted);
/* Prints the error's text as a warning. */
void message_warn(const struct error *err);

#endif
