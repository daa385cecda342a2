/*
 * Makes a failure of a mapped file an error like any other. Where the storage cannot provide a page
 * (the file was cut, the disk is full, the server is gone) the kernel has no call to fail: it sends
 * SIGBUS to the thread that touched it.
 */
#ifndef ENGINE_DATA_GUARD_H
#define ENGINE_DATA_GUARD_H

#include <stdbool.h>

/*
 * Runs body(context). Returns false if SIGBUS ended it, with the address that was accessed. The
 * body may then own nothing that must be released. Costs two system calls per run. A SIGBUS of
 * another thread ends the process as usual.
 */
bool guard_run(void (*body)(void *context), void *context, const void **address);

#endif
