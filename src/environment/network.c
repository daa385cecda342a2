/* The network cards and InfiniBand ports of this node. */
#include "environment/network.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment/lines.h"

/* Only a real card has a device; bridges, bonds and the ends of containers' links have none. */
static bool is_card(const char *folder, const char *name)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s/device", folder, name);
	return !access(path, F_OK);
}

static bool is_up(const char *folder, const char *name)
{
	char path[600], state[16];

	snprintf(path, sizeof(path), "%s/%s/operstate", folder, name);
	lines_read_file(path, state, sizeof(state));
	return !strncmp(state, "up", 2);
}

/* Other names without a device differ from node to node. */
static bool has_common_name(const char *folder, const char *name)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s/bonding", folder, name);
	return !strncmp(name, "eth", 3) || !access(path, F_OK);
}

static void add_network(struct text *lines, const char *folder, const char *name)
{
	static const char *const facts[] = {"mtu", "speed", "duplex", "tx_queue_len"};
	char key[300], path[600];

	if ((!is_card(folder, name) && !has_common_name(folder, name)) || !is_up(folder, name))
		return;
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		snprintf(key, sizeof(key), "net.%s.%s", name, facts[i]);
		snprintf(path, sizeof(path), "%s/%s/%s", folder, name, facts[i]);
		lines_add_file(lines, key, path);
	}
}

static void add_port(struct text *lines, const char *folder, const char *port)
{
	static const char *const facts[] = {"rate", "state", "link_layer"};
	const char *device = folder + strlen("/sys/class/infiniband/");
	char key[300], path[1000];

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		snprintf(key, sizeof(key), "infiniband.%.*s.%s.%s", (int)strcspn(device, "/"),
			 device, port, facts[i]);
		snprintf(path, sizeof(path), "%s/%s/%s", folder, port, facts[i]);
		lines_add_file(lines, key, path);
	}
}

static void add_infiniband(struct text *lines, const char *folder, const char *name)
{
	char ports[700], key[300];

	snprintf(ports, sizeof(ports), "%s/%s/fw_ver", folder, name);
	snprintf(key, sizeof(key), "infiniband.%s.firmware", name);
	lines_add_file(lines, key, ports);
	snprintf(ports, sizeof(ports), "%s/%s/ports", folder, name);
	lines_each_entry(lines, ports, add_port);
}

void network_add(struct text *lines)
{
	lines_each_entry(lines, "/sys/class/net", add_network);
	lines_each_entry(lines, "/sys/class/infiniband", add_infiniband);
}

static void add_card_speed(struct text *speeds, const char *folder, const char *name)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s/speed", folder, name);
	if (is_card(folder, name) && is_up(folder, name))
		lines_add_file(speeds, name, path);
}

static void add_port_rate(struct text *rates, const char *folder, const char *port)
{
	char path[1000];

	snprintf(path, sizeof(path), "%s/%s/rate", folder, port);
	lines_add_file(rates, port, path);
}

static void add_port_rates(struct text *rates, const char *folder, const char *name)
{
	char ports[700];

	snprintf(ports, sizeof(ports), "%s/%s/ports", folder, name);
	lines_each_entry(rates, ports, add_port_rate);
}

/* The sum of the numbers at the begin of values. A card that does not know its speed says -1. */
static double sum_in(const char *folder, void (*visit)(struct text *, const char *, const char *))
{
	struct text lines = {0};
	double sum = 0;

	lines_each_entry(&lines, folder, visit);
	for (const char *at = text_string(&lines); (at = strchr(at, '='));)
		sum += fmax(0, strtod(++at, NULL));
	text_release(&lines);
	return sum;
}

double network_speed(void)
{
	/* Mbit/s and Gbit/s */
	const double cards = 1e6 / 8 * sum_in("/sys/class/net", add_card_speed);
	const double ports = 1e9 / 8 * sum_in("/sys/class/infiniband", add_port_rates);

	/* Many ports of InfiniBand are network cards too. */
	return cards > ports ? cards : ports;
}
