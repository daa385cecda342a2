/* Runs a fuzz target over files and folders of inputs, so that make check needs no libFuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static unsigned inputs;

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
	/* exactly as large as the input, so that the address sanitizer sees one byte too many */
	bytes = malloc(size ? (size_t)size : 1);
	if (!bytes) {
		perror(path);
		exit(1);
	}
	length = fread(bytes, 1, (size_t)size, file);
	fclose(file);
	LLVMFuzzerTestOneInput(bytes, length);
	free(bytes);
	inputs++;
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
