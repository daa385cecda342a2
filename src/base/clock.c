/* Nanoseconds from the processor's counter or CLOCK_MONOTONIC. */
#include "base/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BASELINE_NS UINT64_C(20000000)

/* Reads the counter and CLOCK_MONOTONIC several times and keeps the tightest pair. */
static uint64_t read_pair(uint64_t *ns)
{
	uint64_t best_width = UINT64_MAX;
	uint64_t best_ticks = 0;

	for (int i = 0; i < 8; i++) {
		uint64_t before = clock_read_counter();
		uint64_t now = clock_monotonic_ns();
		uint64_t width = clock_read_counter() - before;

		if (width < best_width) {
			best_width = width;
			best_ticks = before + width / 2;
			*ns = now;
		}
	}
	return best_ticks;
}

static bool kernel_uses_counter(void)
{
	char name[32] = "";
	int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY);

	if (fd < 0)
		return false;
	ssize_t got = read(fd, name, sizeof(name) - 1);
	close(fd);
	name[strcspn(name, "\n")] = '\0';
	return got > 0 && !strcmp(name, CLOCK_COUNTER);
}

void clock_start(struct clock *clock)
{
	memset(clock, 0, sizeof(*clock));
	clock->source = CLOCK_SOURCE_MONOTONIC;
	clock->first_tsc = read_pair(&clock->first_ns);
}

static void measure_cost(struct clock *clock)
{
	enum { READS = 200 };
	double best = 1e9;

	for (int attempt = 0; attempt < 5; attempt++) {
		uint64_t start = clock_now(clock);
		uint64_t end = start;

		for (int i = 0; i < READS; i++)
			end = clock_now(clock);
		if ((double)(end - start) / READS < best)
			best = (double)(end - start) / READS;
	}
	clock->cost_ns = best;
}

static void set_anchor(struct clock *clock)
{
	clock->anchor_tsc = read_pair(&clock->anchor_ns);
	uint64_t ticks = clock->anchor_tsc - clock->first_tsc;
	uint64_t elapsed_ns = clock->anchor_ns - clock->first_ns;

	if (ticks)
		clock->multiplier = (uint64_t)(((unsigned __int128)elapsed_ns << 32) / ticks);
}

int clock_calibrate(struct clock *clock, enum clock_source wanted, struct error *err)
{
	bool trusted = kernel_uses_counter();

	if (wanted == CLOCK_SOURCE_TSC && !trusted)
		return error_input(err, "clock=tsc: the kernel's clocksource is not the "
					"processor's counter on this node; use clock=auto");
	uint64_t elapsed_ns = clock_monotonic_ns() - clock->first_ns;

	if (elapsed_ns < BASELINE_NS) {
		struct timespec rest = {.tv_nsec = (long)(BASELINE_NS - elapsed_ns)};

		nanosleep(&rest, NULL);
	}
	if (wanted == CLOCK_SOURCE_MONOTONIC || !trusted) {
		clock->source = CLOCK_SOURCE_MONOTONIC;
	} else {
		set_anchor(clock);
		clock->source = CLOCK_SOURCE_TSC;
	}
	measure_cost(clock);
	return 0;
}

void clock_anchor(struct clock *clock)
{
	uint64_t monotonic_ns;

	if (clock->source != CLOCK_SOURCE_TSC)
		return;
	uint64_t tsc = read_pair(&monotonic_ns);
	uint64_t elapsed_ns = monotonic_ns - clock->anchor_ns;
	uint64_t by_tsc_ns =
		(uint64_t)(((unsigned __int128)(tsc - clock->anchor_tsc) * clock->multiplier) >>
			   32);
	double gap = (double)by_tsc_ns - (double)elapsed_ns;

	/* Over less than 100 ms the jitter of the readings themselves would dominate. */
	if (elapsed_ns > 100 * 1000000UL) {
		double share = (gap < 0 ? -gap : gap) / (double)elapsed_ns;

		if (share > clock->disagreement)
			clock->disagreement = share;
	}
	set_anchor(clock);
}

const char *clock_source_name(enum clock_source source)
{
	return source == CLOCK_SOURCE_TSC	  ? "tsc"
	       : source == CLOCK_SOURCE_MONOTONIC ? "monotonic"
						  : "auto";
}
