/* The backends that api=auto chooses from. */
#include "options/candidates.h"

#include "base/text.h"

static const char *const names[CANDIDATES] = {"posix", "uring", "libaio"};

const char *candidate_name(enum candidate candidate)
{
	return names[candidate];
}

bool api_is_auto(const struct test *test)
{
	return text_same_key(test->api, "auto");
}

bool api_uses(const struct test *test, const char *backend)
{
	if (!api_is_auto(test))
		return text_same_key(test->api, backend);
	for (enum candidate i = 0; i < CANDIDATES; i++)
		if (text_same_key(names[i], backend))
			return true;
	return false;
}
