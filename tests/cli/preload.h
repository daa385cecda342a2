/* What libraries for LD_PRELOAD have in common: the call behind their own, and names with 64 at the
 * end. */
#ifndef TESTS_CLI_PRELOAD_H
#define TESTS_CLI_PRELOAD_H

#include <dlfcn.h>
#include <features.h>
#include <stddef.h>

#if !__GLIBC_PREREQ(2, 33) || !defined(__LP64__)
#error "stat() must be a function of the C library, and the calls with 64 the same as those without"
#endif

/* The C library's own function of this name. */
#define NEXT(name)                                                         \
	__extension__({                                                    \
		static __typeof__(&name) next;                             \
		if (!next)                                                 \
			next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
		next;                                                      \
	})

/* name64 is the same function as name. */
#define TWIN(name) extern __typeof__(name##64) name##64 __attribute__((alias(#name)))
#pragma GCC diagnostic ignored "-Wattribute-alias"
#pragma GCC diagnostic ignored "-Wnonnull-compare"

#endif
