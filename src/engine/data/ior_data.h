/* Whether a file holds the data that IOR leaves, or iorx with -l t or -l o. They do not say who
 * wrote them. */
#ifndef ENGINE_DATA_IOR_DATA_H
#define ENGINE_DATA_IOR_DATA_H

#include <stdbool.h>
#include <stddef.h>

enum ior_data {
	IOR_DATA_NONE,
	/* Words that count up as IOR's with a small seed (-G) do. Other programs write such too. */
	IOR_DATA_ALIKE,
	IOR_DATA_SURE,
};

/*
 * fd: the open file. head: its first bytes, as many as a header may take, or all of a shorter file.
 */
enum ior_data ior_data_find(int fd, const char *head, size_t length);

#endif
