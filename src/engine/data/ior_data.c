/* IOR's data in files of any layout, looked at in samples. */
#include "engine/data/ior_data.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "content/content.h"
#include "content/ior_words.h"

enum { SAMPLES = 16, SAMPLE_BYTES = 4096 };

/* Checks samples of a file that consists of words only, and its end. */
static bool fits_all_over(int fd, uint64_t size, struct ior_words *words)
{
	const uint64_t step = size / SAMPLES / SAMPLE_BYTES * SAMPLE_BYTES;
	char bytes[SAMPLE_BYTES];

	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint64_t offset =
			i == SAMPLES - 1 ? (size - 1) / SAMPLE_BYTES * SAMPLE_BYTES : i * step;
		ssize_t got = pread(fd, bytes, sizeof(bytes), (off_t)offset);

		if (got <= 0 || !ior_words_fit(words, offset, bytes, (size_t)got))
			return false;
	}
	return true;
}

static bool holds(const char *head, size_t length, const char *name)
{
	return memmem(head, length, name, strlen(name)) != NULL;
}

/*
 * Finds the first words that count up after a library's header, and the words that continue them.
 */
static bool find_words(const char *head, size_t length, struct ior_words *words)
{
	size_t at = 0;

	while (at + IOR_WORDS_LEAST <= length &&
	       !ior_words_begin(words, head + at, IOR_WORDS_LEAST))
		at += 4;
	if (at + IOR_WORDS_LEAST > length)
		return false;
	for (size_t done = 0; at + done + SAMPLE_BYTES <= length; done += SAMPLE_BYTES)
		if (!ior_words_fit(words, done, head + at + done, SAMPLE_BYTES))
			break;
	return true;
}

/* True for a file of IOR's words without a library's header. */
static bool is_of_words(int fd, const char *head, size_t length, uint64_t size,
			struct ior_words *words)
{
	return ior_words_begin(words, head, length < SAMPLE_BYTES ? length : SAMPLE_BYTES) &&
	       fits_all_over(fd, size, words);
}

enum ior_data ior_data_find(int fd, const char *head, size_t length)
{
	const enum content_container container = content_container_of(head, length);
	struct ior_words words;
	struct stat status;

	if (container == CONTAINER_HDF5 && holds(head, length, "Dataset-0000.0000"))
		return IOR_DATA_SURE;
	if (fstat(fd, &status))
		return IOR_DATA_NONE;
	if (container == CONTAINER_NONE
		    ? !is_of_words(fd, head, length, (uint64_t)status.st_size, &words)
		    : !find_words(head, length, &words))
		return IOR_DATA_NONE;
	if ((container == CONTAINER_NETCDF && holds(head, length, "data_var")) ||
	    ior_words_prove(&words, (uint64_t)status.st_size / 8, (uint64_t)status.st_mtime))
		return IOR_DATA_SURE;
	return container == CONTAINER_NONE ? IOR_DATA_ALIKE : IOR_DATA_NONE;
}
