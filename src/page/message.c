/*
 * Messages for the user on standard error. Each message is one write(), so that messages never mix.
 */
#include "page/message.h"

#include <unistd.h>

#include "base/utf8.h"
#include "page/report.h"

void report_message(const char *kind, const char *text)
{
	struct text line = {0};
	ssize_t written;

	text_add(&line, "iorx: %s: ", kind);
	utf8_printable(&line, text);
	text_add(&line, "\n");
	written = write(STDERR_FILENO, line.bytes, line.length);
	(void)written; /* a failed write to standard error cannot be reported */
	text_release(&line);
}

void message_warn(const struct error *err)
{
	report_message("warning", err->text);
}
