/* Recognises data of iorx by their stamps. */
#include <string.h>

#include "content/content.h"

bool content_learn(const void *sector, struct content_origin *origin)
{
	struct stamper stamper;

	if (!stamp_read(sector, &stamper, &origin->offset))
		return false;
	origin->seed = stamper.seed;
	origin->file = (uint32_t)stamper.who;
	origin->repetition = (uint32_t)(stamper.who >> 32);
	return true;
}

bool content_recognise(const void *bytes, size_t length)
{
	struct content_origin origin;

	return length >= STAMP_BYTES && content_learn(bytes, &origin) &&
	       !(origin.seed & CONTENT_GUEST);
}

enum content_container content_container_of(const void *bytes, size_t length)
{
	static const char hdf5[] = "\x89HDF\r\n\x1a\n";

	if (length >= strlen(hdf5) && !memcmp(bytes, hdf5, strlen(hdf5)))
		return CONTAINER_HDF5;
	return length > 4 && !memcmp(bytes, "CDF", 3) ? CONTAINER_NETCDF : CONTAINER_NONE;
}

bool content_recognise_inside(const void *bytes, size_t length)
{
	const char *start = bytes;

	if (content_container_of(bytes, length) == CONTAINER_NONE)
		return false;
	for (size_t at = 0; at + STAMP_BYTES <= length; at++)
		if (content_recognise(start + at, length - at))
			return true;
	return false;
}
