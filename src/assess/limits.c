/* Rules L1 to L5: rates above what a limit allows. */
#include "assess/limits.h"

#include "assess/judge.h"

/* MPI's network is often not that of the storage, so what was measured there is no accusation. */
static enum severity severity_above(const struct bound *bound, enum limit limit)
{
	if (!bound->measured)
		return SEVERITY_FAIL;
	return limit == LIMIT_NETWORK ? SEVERITY_NOTE : SEVERITY_WARN;
}

/* Returns the end of the sentence on a rate above a limit: "not storage". */
static const char *words_above(const struct bound *bound, enum limit limit)
{
	static const char *const measured[] = {
		[LIMIT_NETWORK] = "the storage has a faster way than MPI",
		[LIMIT_DEVICE] = "more than the target moved when it was measured",
		[LIMIT_SERVER] = "not storage",
		[LIMIT_CLIENT] = "more than the memory of the clients moved",
		[LIMIT_FLOOR] = "faster than one cold read after the other",
	};

	return bound->measured ? measured[limit] : "not storage";
}

bool limit_is_reached(const struct phase_result *phase, enum limit limit, struct verdict *verdict)
{
	const struct possible *possible = &phase->possible;
	const double bound = possible_bound(possible, limit);
	struct text words = {0};
	enum limit least;

	if (bound <= 0 || !possible_least(possible, &least))
		return false;
	const double share = possible_share(possible, limit);
	const bool above = possible_is_above(possible, limit);

	if (!above && (limit != least || share < POSSIBLE_LIMITED))
		return false;
	verdict_prove(verdict, "bytes_per_s", possible->rate);
	verdict_prove(verdict, "limit_bytes_per_s", bound);
	possible_add_share(&words, possible, limit);
	verdict_judge(
		verdict, above ? severity_above(&possible->bounds[limit], limit) : SEVERITY_NOTE,
		"%s: %s", text_string(&words),
		above ? words_above(&possible->bounds[limit], limit) : "it limits this phase");
	if (above && possible->bounds[limit].measured)
		verdict_advise(verdict,
			       "more data than the memory of clients and servers, and cold "
			       "reads; or limits=given, with the limits of the system");
	else if (above)
		verdict_advise(verdict,
			       "more data than the memory of clients and servers, and cold reads; "
			       "or a limit.%s that is true",
			       limit_name(limit));
	text_release(&words);
	return true;
}
