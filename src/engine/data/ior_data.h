/* Whether a file holds the data that IOR leaves, or iorx with -l t or -l o. They do not say who
 * wrote them. */
#ifndef ENGINE_DATA_IOR_DATA_H
#define ENGINE_DATA_IOR_DATA_H

#include <stdbool.h>
#include <stddef.h>

/*
 * fd: the open file. head: its first bytes, as many as a header may take, or all of a shorter file.
 */
bool ior_data_recognised(int fd, const char *head, size_t length);

/*
 * True if the file of this name holds words as IOR's. Where it is not recognised they prove
 * nothing: with a small seed (-G) or short transfers a user may have such numbers too.
 */
bool ior_data_resembled(const char *path);

#endif
