/*
 * Messages for the user on standard error. Each message is one write(), so that messages never mix.
 */
#include "page/message.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/utf8.h"
#include "page/report.h"

/* True if the live line may stand where messages appear. */
static atomic_bool erases;

void message_erase_live(bool wanted)
{
	atomic_store(&erases, wanted);
}

void report_message(const char *kind, const char *text)
{
	struct text line = {0};
	ssize_t written;

	text_add(&line, "%siorx: %s: ", atomic_load(&erases) ? MESSAGE_ERASE : "", kind);
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
