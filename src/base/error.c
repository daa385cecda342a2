/* Errors, and the end of the program after a bug. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int error_set(struct error *err, int code, const char *format, ...)
{
	va_list arguments;

	err->kind = ERROR_IO;
	err->code = code;
	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	return -1;
}

int error_input(struct error *err, const char *format, ...)
{
	va_list arguments;

	err->kind = ERROR_INPUT;
	err->code = 0;
	va_start(arguments, format);
	vsnprintf(err->text, sizeof(err->text), format, arguments);
	va_end(arguments);
	return -1;
}

int error_add(struct error *err, const char *format, ...)
{
	char context[sizeof(err->text)];
	char whole[2 * sizeof(err->text) + 2];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(context, sizeof(context), format, arguments);
	va_end(arguments);
	snprintf(whole, sizeof(whole), "%s: %s", context, err->text);
	whole[sizeof(err->text) - 1] = '\0';
	memcpy(err->text, whole, sizeof(err->text));
	return -1;
}

_Noreturn void error_bug(const char *file, int line, const char *format, ...)
{
	va_list arguments;

	dprintf(STDERR_FILENO, "iorx: bug at %s:%d: ", file, line);
	va_start(arguments, format);
	vdprintf(STDERR_FILENO, format, arguments);
	va_end(arguments);
	dprintf(STDERR_FILENO, "; please report it\n");
	_exit(4);
}
