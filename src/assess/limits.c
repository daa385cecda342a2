/* Rules L1 to L3: rates above what a limit allows. */
#include "assess/limits.h"

#include "assess/judge.h"

bool limit_is_reached(const struct phase_result *phase, enum limit limit, struct verdict *verdict)
{
	const struct possible *possible = &phase->possible;
	const double bound = possible_bound(possible, limit);
	struct text words = {0};
	enum limit least;

	if (bound <= 0 || !possible_least(possible, &least))
		return false;
	const double share = possible_share(possible, limit);
	const bool above = share > POSSIBLE_ABOVE;

	if (!above && (limit != least || share < POSSIBLE_LIMITED))
		return false;
	verdict_prove(verdict, "bytes_per_s", possible->rate);
	verdict_prove(verdict, "limit_bytes_per_s", bound);
	possible_add_share(&words, possible, limit);
	verdict_judge(verdict, above ? SEVERITY_FAIL : SEVERITY_NOTE, "%s%s", text_string(&words),
		      above ? ": not storage" : ": it limits this phase");
	if (above)
		verdict_advise(verdict,
			       "more data than the memory of clients and servers, and cold reads; "
			       "or a limit.%s that is true",
			       limit_name(limit));
	text_release(&words);
	return true;
}
