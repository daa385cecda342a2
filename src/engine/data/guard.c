/* Makes a failure of a mapped file an error like any other. */
#include "engine/data/guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

struct guard {
	sigjmp_buf back;
	const void *volatile address;
	volatile bool caught;
};

/* The handler gets no argument, so it finds the guard of its own thread here. */
static _Thread_local struct guard *armed;

static void guard_take(int number, siginfo_t *info, void *context)
{
	if (!armed || info->si_code <= 0) {
		/* signal of another thread or process: take the default action */
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	armed->address = info->si_addr;
	armed->caught = true;
	siglongjmp(armed->back, 1);
}

bool guard_run(void (*body)(void *context), void *context, const void **address)
{
	struct sigaction action = {.sa_sigaction = guard_take, .sa_flags = SA_SIGINFO};
	struct sigaction before;
	struct guard guard = {.caught = false};

	sigaction(SIGBUS, &action, &before);
	armed = &guard;
	if (sigsetjmp(guard.back, 1) == 0)
		body(context);
	armed = NULL;
	sigaction(SIGBUS, &before, NULL);
	*address = guard.address;
	return !guard.caught;
}
