/* The rate that limits allow a phase. */
#include "result/possible.h"

#include <inttypes.h>

#include "result/measured.h"
#include "result/rate_unit.h"

static const char *const names[] = {"network", "device", "server", "client", "floor"};

const char *limit_name(enum limit limit)
{
	return names[limit];
}

void possible_set(struct possible *possible, const struct run *options, uint32_t nodes)
{
	possible->unit = (enum unit)options->unit;
	if (options->limits == LIMITS_OFF)
		return;
	possible->bounds[LIMIT_NETWORK] = (struct bound){options->limit_network, nodes, false};
	possible->bounds[LIMIT_DEVICE] =
		(struct bound){options->limit_device, options->limit_devices, false};
	possible->bounds[LIMIT_SERVER] =
		(struct bound){options->limit_server, options->limit_servers, false};
}

void possible_add_measured(struct possible *possible, const struct measured *measured,
			   enum access access, bool any_access)
{
	for (unsigned i = 0; i < measured->count; i++) {
		const struct measured_limit *one = &measured->limits[i];
		struct bound *bound = &possible->bounds[one->limit];
		const bool given = bound->each > 0 && !bound->measured;

		if (given || !one->judges || one->each <= 0 ||
		    (!any_access && !one->any_access && one->access != access) ||
		    one->each * (double)one->count <= bound->each * (double)bound->count)
			continue;
		*bound = (struct bound){one->each, one->count, true};
	}
}

const char *possible_method(const struct possible *possible, enum limit limit)
{
	return possible->bounds[limit].measured ? "measured" : "given";
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

bool possible_is_above(const struct possible *possible, enum limit limit)
{
	return possible_share(possible, limit) > (possible->bounds[limit].measured ? 1.3 : 1.05);
}

void possible_add_rate(struct text *words, double rate, enum unit unit)
{
	const double count = rate / rate_units[unit].bytes;

	text_add(words, count < 100 ? "%.3g %s" : "%.0f %s", count, rate_units[unit].name);
}

void possible_add_share(struct text *words, const struct possible *possible, enum limit limit)
{
	const struct bound *bound = &possible->bounds[limit];

	possible_add_rate(words, possible->rate, possible->unit);
	text_add(words, " is %.0f %% of %s ", 100 * possible_share(possible, limit), names[limit]);
	if (bound->count != 1)
		text_add(words, "%" PRIu64 " x ", bound->count);
	possible_add_rate(words, bound->each, possible->unit);
	text_add(words, " (%s)", possible_method(possible, limit));
}

void possible_add_words(struct text *words, const struct possible *possible)
{
	enum limit least;

	if (!possible_least(possible, &least))
		return;
	const double share = possible_share(possible, least);

	if (share < POSSIBLE_LIMITED)
		text_add(words, "below all limits; next is %s, %.0f %%", names[least], 100 * share);
	else /* the verdict of the limit has the rates and what they mean */
		text_add(words, "%s %s (%s), %.0f %%",
			 possible_is_above(possible, least) ? "above" : "limited by", names[least],
			 possible_method(possible, least), 100 * share);
}
