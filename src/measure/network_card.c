/* The speed of this node's network cards, as /sys has it. */
#include "measure/network_card.h"

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The number at the begin of a file; 0: there is none. */
static double read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	double number = 0;

	if (file) {
		if (fscanf(file, "%lf", &number) != 1 || number < 0)
			number = 0;
		fclose(file);
	}
	return number;
}

/* Only real cards have a device. */
static bool is_card(const char *speed)
{
	char device[300];

	snprintf(device, sizeof(device), "%.*s/device", (int)(strrchr(speed, '/') - speed), speed);
	return !access(device, F_OK);
}

static double sum_of(const char *pattern, bool cards)
{
	glob_t found = {0};
	double sum = 0;

	if (!glob(pattern, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (!cards || is_card(found.gl_pathv[i]))
				sum += read_number(found.gl_pathv[i]);
	globfree(&found);
	return sum;
}

double network_card_speed(void)
{
	/* Mbit/s and Gbit/s. A card that is down has speed -1, or cannot be read. */
	const double cards = 1e6 / 8 * sum_of("/sys/class/net/*/speed", true);
	const double ports = 1e9 / 8 * sum_of("/sys/class/infiniband/*/ports/*/rate", false);

	/* Many ports of InfiniBand are network cards too. */
	return cards > ports ? cards : ports;
}
