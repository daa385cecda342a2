/* Any bytes as a size, a time or a number: what is accepted can be written and read again. */
#include <math.h>
#include <stdint.h>

#include "base/text.h"
#include "base/units.h"
#include "check_job.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_size(const char *text)
{
	uint64_t bytes = 0, again = 0;
	struct error err = {0};
	char written[32];

	if (units_parse_size(text, &bytes, &err)) {
		MUST(err.kind == ERROR_INPUT && *err.text);
		return;
	}
	MUST(bytes <= INT64_MAX);
	MUST(!units_parse_size(units_format_size(bytes, written, sizeof(written)), &again, &err));
	MUST(bytes == again);
}

static void check_seconds(const char *text)
{
	struct error err = {0};
	double seconds = -1;

	if (units_parse_seconds(text, &seconds, &err))
		MUST(err.kind == ERROR_INPUT && *err.text);
	else
		MUST(isfinite(seconds) && seconds >= 0);
}

static void check_rate(const char *text)
{
	struct error err = {0};
	double rate = -1;

	if (units_parse_rate(text, &rate, &err))
		MUST(err.kind == ERROR_INPUT && *err.text);
	else
		MUST(rate == 0 || (isfinite(rate) && rate >= 1e-6));
}

static void check_numbers(const char *text)
{
	struct error err = {0};
	uint64_t count;
	int64_t integer;
	bool boolean;

	if (!units_parse_count(text, &count, &err))
		MUST(count <= INT64_MAX);
	units_parse_integer(text, &integer, &err);
	units_parse_bool(text, &boolean, &err);
}

static void check_formats(const char *text)
{
	uint64_t ns = text_hash(text, strlen(text)) >> (text[0] & 63);

	MUST(strlen(units_show_ns(ns).text) <= 7);
	MUST(strlen(units_fit_ns(ns, 5).text) <= 6);
	MUST(*units_show_bytes(ns).text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char *text = text_copy_n((const char *)bytes, length);

	check_size(text);
	check_seconds(text);
	check_rate(text);
	check_numbers(text);
	check_formats(text);
	free(text);
	return 0;
}
