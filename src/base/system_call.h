/*
 * System calls as the kernel has them, in the caller's own code.
 *
 * After a system call the processor has forgotten where calls return to: each function between the
 * call and the loop that times it costs some 8 ns on current servers, and in a process with threads
 * the C library's are points of cancellation besides, two locked instructions. For the loops that
 * are measured only; everybody else uses the C library.
 */
#ifndef BASE_SYSTEM_CALL_H
#define BASE_SYSTEM_CALL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(__linux__) && defined(__x86_64__) && defined(__LP64__)
#include <sys/syscall.h>

/* The kernel's answer: a count, or -errno. */
static inline __attribute__((always_inline)) int64_t
system_call_4(long number, long a, const void *b, uint64_t c, uint64_t d)
{
	register uint64_t fourth __asm__("r10") = d;
	int64_t result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "memory");
	return result;
}

#define SYSTEM_CALL_6

static inline __attribute__((always_inline)) int64_t
system_call_6(long number, long a, long b, long c, long d, const void *e, long f)
{
	register long fourth __asm__("r10") = d;
	register const void *fifth __asm__("r8") = e;
	register long sixth __asm__("r9") = f;
	int64_t result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
}

static inline int64_t system_pread(int fd, void *buffer, uint64_t length, uint64_t offset)
{
	return system_call_4(SYS_pread64, fd, buffer, length, offset);
}

static inline int64_t system_pwrite(int fd, const void *buffer, uint64_t length, uint64_t offset)
{
	return system_call_4(SYS_pwrite64, fd, buffer, length, offset);
}

/* Names, relative to `at` as openat() and the like have it. */

static inline int system_openat(int at, const char *name, int flags, mode_t mode)
{
	return (int)system_call_4(SYS_openat, at, name, (uint64_t)flags, mode);
}

static inline int system_close(int fd)
{
	return (int)system_call_4(SYS_close, fd, NULL, 0, 0);
}

static inline int system_fstatat(int at, const char *name, struct stat *status, int flags)
{
	return (int)system_call_4(SYS_newfstatat, at, name, (uintptr_t)status, (uint64_t)flags);
}

static inline int system_unlinkat(int at, const char *name, int flags)
{
	return (int)system_call_4(SYS_unlinkat, at, name, (uint64_t)flags, 0);
}

static inline int system_mkdirat(int at, const char *name, mode_t mode)
{
	return (int)system_call_4(SYS_mkdirat, at, name, mode, 0);
}
#else
#include <errno.h>
#include <fcntl.h>

static inline int64_t system_pread(int fd, void *buffer, uint64_t length, uint64_t offset)
{
	ssize_t got = pread(fd, buffer, length, (off_t)offset);

	return got < 0 ? -errno : got;
}

static inline int64_t system_pwrite(int fd, const void *buffer, uint64_t length, uint64_t offset)
{
	ssize_t put = pwrite(fd, buffer, length, (off_t)offset);

	return put < 0 ? -errno : put;
}

static inline int system_openat(int at, const char *name, int flags, mode_t mode)
{
	int fd = openat(at, name, flags, mode);

	return fd < 0 ? -errno : fd;
}

static inline int system_close(int fd)
{
	return close(fd) < 0 ? -errno : 0;
}

static inline int system_fstatat(int at, const char *name, struct stat *status, int flags)
{
	return fstatat(at, name, status, flags) < 0 ? -errno : 0;
}

static inline int system_unlinkat(int at, const char *name, int flags)
{
	return unlinkat(at, name, flags) < 0 ? -errno : 0;
}

static inline int system_mkdirat(int at, const char *name, mode_t mode)
{
	return mkdirat(at, name, mode) < 0 ? -errno : 0;
}
#endif

#endif
