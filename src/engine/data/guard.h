/*
 * Makes a failure of a mapped file an error like any other. Where the storage cannot provide a page
 * (the file was cut, the disk is full, the server is gone) the kernel has no call to fail: it sends
 * SIGBUS to the thread that touched it.
 */
#ifndef ENGINE_DATA_GUARD_H
#define ENGINE_DATA_GUARD_H

#include <stdbool.h>

/*
 * Runs body(context). False when SIGBUS ended it in the middle, with the address that was touched:
 * what it held is lost, and only what can be thrown away so may run in it. Costs two system
 * calls per run and nothing inside it. A SIGBUS of another thread ends the process as ever.
 */
bool guard_run(void (*body)(void *context), void *context, const void **address);

#endif
