/* The rate that limits allow a phase. */
#include "result/possible.h"

#include <inttypes.h>

#include "base/units.h"

static const char *const names[] = {"network", "device", "server"};

const char *limit_name(enum limit limit)
{
	return names[limit];
}

void possible_set(struct possible *possible, const struct run *options, uint32_t nodes)
{
	if (options->limits == LIMITS_OFF)
		return;
	possible->bounds[LIMIT_NETWORK] = (struct bound){options->limit_network, nodes};
	possible->bounds[LIMIT_DEVICE] =
		(struct bound){options->limit_device, options->limit_devices};
	possible->bounds[LIMIT_SERVER] =
		(struct bound){options->limit_server, options->limit_servers};
}

double possible_bound(const struct possible *possible, enum limit limit)
{
	return possible->bounds[limit].each * (double)possible->bounds[limit].count;
}

bool possible_least(const struct possible *possible, enum limit *least)
{
	bool known = false;

	for (enum limit limit = 0; limit < LIMITS; limit++) {
		const double bound = possible_bound(possible, limit);

		if (bound <= 0 || (known && bound >= possible_bound(possible, *least)))
			continue;
		*least = limit;
		known = true;
	}
	return known && possible->rate > 0;
}

double possible_share(const struct possible *possible, enum limit limit)
{
	return possible->rate / possible_bound(possible, limit);
}

static void add_rate(struct text *words, double rate)
{
	const double mib = rate / (double)MIB;

	text_add(words, mib < 100 ? "%.3g MiB/s" : "%.0f MiB/s", mib);
}

void possible_add_share(struct text *words, const struct possible *possible, enum limit limit)
{
	const struct bound *bound = &possible->bounds[limit];

	add_rate(words, possible->rate);
	text_add(words, " is %.0f %% of %s ", 100 * possible_share(possible, limit), names[limit]);
	if (bound->count != 1)
		text_add(words, "%" PRIu64 " x ", bound->count);
	add_rate(words, bound->each);
	text_add(words, " (given)");
}

void possible_add_words(struct text *words, const struct possible *possible)
{
	enum limit least;

	if (!possible_least(possible, &least))
		return;
	const double share = possible_share(possible, least);

	if (share > POSSIBLE_ABOVE) {
		possible_add_share(words, possible, least);
		text_add(words, ": not storage");
	} else if (share >= POSSIBLE_LIMITED) {
		text_add(words, "limited by %s (given), %.0f %%", names[least], 100 * share);
	} else {
		text_add(words, "below all limits; next is %s, %.0f %%", names[least], 100 * share);
	}
}
