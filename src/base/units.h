/* Parses and prints sizes, times, rates and counts. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

/*
 * Sizes are 1024-based however they are written: 4k = 4K = 4KB = 4KiB = 4096. Suffixes
 * k m g t p e with or without "B" or "iB", any case, or a bare "b"; decimals are allowed where the
 * product is a whole number of bytes (1.5k). Negative numbers, empty text, overflow of 2^63 and
 * anything left over are errors. Returns 0, or -1 with ERROR_INPUT and a text that shows where the
 * mistake is.
 */
int units_parse_size(const char *text, uint64_t *bytes, struct error *err);

/*
 * Parses "30", "1.5", "500ms", "20us", "30s", "5m", "2h" or "1d"; a bare number is in seconds.
 * Negative values and NaN are errors.
 */
int units_parse_seconds(const char *text, double *seconds, struct error *err);

/* Parses a whole number. A size suffix is allowed, as in 1k tasks and 4Ki repetitions. */
int units_parse_count(const char *text, uint64_t *count, struct error *err);

/*
 * Parses a rate per second: 0 (no rate) or at least one in eleven days; "0.5", "200", "2k" for
 * 2000, "2Ki" for 2048. More digits than a double holds are rounded.
 */
int units_parse_rate(const char *text, double *per_second, struct error *err);

/*
 * Parses bytes per second: "1100MiB/s" (1024-based), "12.5GB/s" (1000-based, as networks are sold),
 * "100Gbit/s", or a bare number of bytes. "/s" may be missing, but not from "12.5G/s". Units that
 * may mean bits or bytes, "100G" or "100Gb/s", are errors.
 */
int units_parse_speed(const char *text, double *bytes_per_second, struct error *err);
/* Parses a size per second, "10m", "10MB/s", or bits as a speed has them. "10Mb/s" is an error. */
int units_parse_byte_rate(const char *text, uint64_t *bytes_per_second, struct error *err);
/* The shortest form with at most three decimals in a unit that is exact, or bytes: "12.5GB/s". */
char *units_format_speed(double bytes_per_second, char *buffer, size_t size);

/* Parses a decimal whole number with an optional sign. */
int units_parse_integer(const char *text, int64_t *value, struct error *err);

/* Parses a share, "5%" or "0.05". Negative values and NaN are errors. */
int units_parse_share(const char *text, double *share, struct error *err);

/* Parses 1 true yes on, 0 false no off, in any case. */
int units_parse_bool(const char *text, bool *value, struct error *err);

/* The shortest exact form, "1MiB", "47008", "1536KiB"; returns buffer. */
char *units_format_size(uint64_t bytes, char *buffer, size_t size);

/*
 * A number printed for people. Use it within the expression that makes it: units_show_ns(ns).text
 */
struct units_text {
	char text[32];
};

/* At most four digits: "1 MiB", "9.244 GiB" */
struct units_text units_show_bytes(uint64_t bytes);
/* Three digits and the unit: "812 ns", "1.24 ms", "12.3 s" */
struct units_text units_show_ns(uint64_t ns);
struct units_text units_show_seconds(double seconds);
/* For a table's cell: "812ns", with fewer digits if `width` requires it. */
struct units_text units_fit_ns(uint64_t ns, unsigned width);
/*
 * At most `width` characters, as many decimals as fit: "0.1234", "1234.5", "123456", "1.23M". "-"
 * when the value is not finite.
 */
struct units_text units_fit_number(double value, unsigned width);

/* Appends a speed in bytes and in bits: "10 GB/s (80 Gbit/s)" */
void units_add_speed(struct text *out, double bytes_per_second);

#endif
