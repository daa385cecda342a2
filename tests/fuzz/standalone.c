/*
 * Runs a fuzz target over files and folders of inputs, and over some changed copies of each, so
 * that make check needs no libFuzzer. The changes are the same in every run.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define COPIES 200 /* changed ones of each file */

static unsigned inputs;

/* An xorshift generator: the same numbers on every machine. */
static uint64_t next_number(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Bytes that mean something to one of the parsers. */
static uint8_t next_byte(uint64_t *state)
{
	static const char telling[] = "=,#\"' \t\n\r-_.0123456789kmgKiBIORSTARUNop\xff";
	uint64_t number = next_number(state);

	if (number & 1)
		return (uint8_t)telling[(number >> 8) % sizeof(telling)];
	return (uint8_t)(number >> 8);
}

/* Changes one to four places: another byte, one byte more, a piece less. Returns the length. */
static size_t change(uint8_t *bytes, size_t length, uint64_t *state)
{
	for (unsigned times = 1 + next_number(state) % 4; times > 0; times--) {
		size_t place = (size_t)(next_number(state) % (length + 1));
		size_t piece = (size_t)(next_number(state) % (length - place + 1));

		switch (next_number(state) % 3) {
		case 0:
			if (place < length)
				bytes[place] = next_byte(state);
			break;
		case 1:
			memmove(bytes + place + 1, bytes + place, length - place);
			bytes[place] = next_byte(state);
			length++;
			break;
		default:
			memmove(bytes + place, bytes + place + piece, length - place - piece);
			length -= piece;
		}
	}
	return length;
}

static uint8_t *allocate(size_t size)
{
	uint8_t *bytes = malloc(size ? size : 1);

	if (!bytes) {
		perror("malloc");
		exit(1);
	}
	return bytes;
}

/* Exactly as large as the input, so that the address sanitizer sees one byte too many. */
static void run_bytes(const uint8_t *bytes, size_t length)
{
	uint8_t *exact = allocate(length);

	memcpy(exact, bytes, length);
	LLVMFuzzerTestOneInput(exact, length);
	free(exact);
	inputs++;
}

static void run_changed(const uint8_t *bytes, size_t length)
{
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
	uint8_t *changed = allocate(length + 4);

	for (unsigned i = 0; i < COPIES; i++) {
		memcpy(changed, bytes, length);
		run_bytes(changed, change(changed, length, &state));
	}
	free(changed);
}

static void run_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;
	size_t length;
	long size;

	if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
		perror(path);
		exit(1);
	}
	rewind(file);
	bytes = allocate((size_t)size);
	length = fread(bytes, 1, (size_t)size, file);
	fclose(file);
	run_bytes(bytes, length);
	run_changed(bytes, length);
	free(bytes);
}

static void run_path(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	char inner[4096];

	if (!directory) {
		run_file(path);
		return;
	}
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name);
		run_path(inner);
	}
	closedir(directory);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		run_path(argv[i]);
	printf("%u inputs\n", inputs);
	return inputs ? 0 : 1;
}
