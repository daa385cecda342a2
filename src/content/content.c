/* What is written into buffers. */
#include "content/content.h"

static uint64_t split_mix(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static uint64_t next(uint64_t s[4])
{
	uint64_t result = rotate(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

void content_prepare(void *buffer, size_t length, uint64_t seed)
{
	uint64_t state[4];

	for (int i = 0; i < 4; i++)
		state[i] = split_mix(&seed);
	for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
		uint64_t word = next(state);
		size_t room = length - at;

		memcpy((char *)buffer + at, &word, room < sizeof(word) ? room : sizeof(word));
	}
}

bool content_recognise(const void *bytes, size_t length)
{
	uint64_t magic;

	if (length < sizeof(magic))
		return false;
	memcpy(&magic, bytes, sizeof(magic));
	return magic == CONTENT_MAGIC;
}

uint64_t content_find_wrong(const struct content *content, const void *bytes, uint64_t length,
			    uint64_t offset, bool small)
{
	char expected[CONTENT_SMALLEST_STAMPED];

	for (uint64_t at = 0; at < length; at += CONTENT_STAMP_EVERY) {
		uint64_t room = length - at;
		uint64_t compared = room < sizeof(expected) ? room : sizeof(expected);

		/* A stamp that the transfer's end cuts off is the start of a whole one. */
		content_stamp(content, expected, small ? compared : sizeof(expected), offset + at);
		if (small && compared > sizeof(uint64_t))
			compared = sizeof(uint64_t);
		if (memcmp(expected, (const char *)bytes + at, compared) != 0)
			return offset + at;
	}
	return UINT64_MAX;
}

bool content_recognise_inside(const void *bytes, size_t length)
{
	static const char hdf5[] = "\x89HDF\r\n\x1a\n";
	const struct content_stamp first = {.magic = CONTENT_MAGIC};
	const char *at = bytes, *end = at + length;

	if (length < sizeof(first) ||
	    (memcmp(at, hdf5, strlen(hdf5)) != 0 && memcmp(at, "CDF", 3) != 0))
		return false;
	while ((at = memmem(at, (size_t)(end - at), &first.magic, sizeof(first.magic)))) {
		struct content_stamp stamp;

		if ((size_t)(end - at) < sizeof(stamp))
			return false;
		memcpy(&stamp, at, sizeof(stamp));
		if (stamp.offset == 0)
			return true;
		at++;
	}
	return false;
}
