/* Prints sizes, times, rates and counts. */
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *units_format_speed(double bytes_per_second, char *buffer, size_t size)
{
	static const struct {
		const char *name;
		double bytes;
	} units[] = {{"GiB", 1024. * 1024 * 1024},
		     {"GB", 1e9},
		     {"MiB", 1024. * 1024},
		     {"MB", 1e6},
		     {"KiB", 1024},
		     {"kB", 1e3}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const double count = bytes_per_second / units[i].bytes;

		if (count < 1 || round(count * 1000) != count * 1000)
			continue;
		snprintf(buffer, size, "%.15g%s/s", count, units[i].name);
		return buffer;
	}
	snprintf(buffer, size, "%.15g", bytes_per_second);
	return buffer;
}

char *units_format_size(uint64_t bytes, char *buffer, size_t size)
{
	static const char *const names[] = {"", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	unsigned unit = 0;

	while (bytes && bytes % 1024 == 0 && unit < 6) {
		bytes /= 1024;
		unit++;
	}
	snprintf(buffer, size, "%llu%s", (unsigned long long)bytes, names[unit]);
	return buffer;
}

void units_add_speed(struct text *out, double bytes_per_second)
{
	static const struct {
		const char *prefix;
		double factor;
	} units[] = {{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}};
	unsigned unit = 0;

	while (unit < 3 && bytes_per_second < units[unit].factor)
		unit++;
	const double count = bytes_per_second / units[unit].factor;

	text_add(out, "%.4g %sB/s (%.4g %sbit/s)", count, units[unit].prefix, 8 * count,
		 units[unit].prefix);
}

struct units_text units_show_bytes(uint64_t bytes)
{
	static const char *const names[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	struct units_text shown;
	double value = (double)bytes;
	unsigned unit = 0;

	for (; value >= 1024 && unit < 6; unit++)
		value /= 1024;
	snprintf(shown.text, sizeof(shown.text), "%.4g %s", value,
		 bytes == 1 ? "byte" : names[unit]);
	return shown;
}

/* gap: the text between the number and its unit. */
static struct units_text show_time(uint64_t ns, const char *gap, size_t width)
{
	static const struct {
		const char *name;
		double ns, below; /* below: first value that would need one digit too many */
	} units[] = {
		{"ns", 1, 999.5},    {"us", 1e3, 999.5},     {"ms", 1e6, 999.5},
		{"s", 1e9, 99999.5}, {"h", 3600e9, 99999.5}, {"y", 365.25 * 86400e9, 1e9},
	};
	struct units_text shown;
	size_t unit = 0;

	while ((double)ns / units[unit].ns >= units[unit].below)
		unit++;
	double value = (double)ns / units[unit].ns;
	int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;

	do {
		snprintf(shown.text, sizeof(shown.text), "%.*f%s%s", decimals, value, gap,
			 units[unit].name);
	} while (strlen(shown.text) > width && decimals-- > 0);
	return shown;
}

struct units_text units_show_ns(uint64_t ns)
{
	return show_time(ns, " ", SIZE_MAX);
}

struct units_text units_show_seconds(double seconds)
{
	return units_show_ns((uint64_t)llround(seconds * 1e9));
}

struct units_text units_fit_ns(uint64_t ns, unsigned width)
{
	return show_time(ns, "", width);
}

/* Prints as many decimals as fit; false if not even the whole part fits. */
static bool fit_decimals(double value, unsigned width, struct units_text *shown)
{
	for (int decimals = 4; decimals >= 0; decimals--)
		if (snprintf(shown->text, sizeof(shown->text), "%.*f", decimals, value) <=
		    (int)width)
			return true;
	return false;
}

struct units_text units_fit_number(double value, unsigned width)
{
	static const char suffixes[] = "kMGTPE";
	struct units_text shown = {"-"};

	if (!isfinite(value) || fabs(value) >= 1e21)
		return shown;
	if (value == 0)
		return (struct units_text){"0"};
	if (fit_decimals(value, width, &shown))
		return shown;
	for (const char *suffix = suffixes; *suffix; suffix++) {
		value /= 1000;
		if (fabs(value) >= 1000 || !fit_decimals(value, width - 1, &shown))
			continue;
		const size_t length = strlen(shown.text);

		shown.text[length] = *suffix;
		shown.text[length + 1] = '\0';
		return shown;
	}
	return (struct units_text){"-"};
}
