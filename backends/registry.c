/* The list of backends, and with main.c the only file that knows what configure found. */
#include "backends/registry.h"

#include <stdlib.h>
#include <string.h>

#include "backends/fault.h"
#include "base/text.h"

/* What an entry that is compiled in has in addition. */
#define BUILT_IN(name) .backend = &name##_backend, .options = &name##_options

extern const struct backend posix_backend, null_backend;
extern const struct option_table posix_options, null_options;

const struct registration registry[] = {
	{ .name = "posix", .aliases = "POSIX", BUILT_IN(posix),
	  .summary = "Files through the operating system: open, pread, pwrite" },
	{ .name = "null", .aliases = "DUMMY", BUILT_IN(null),
	  .summary = "No storage: every operation succeeds and does nothing" },
	{ .name = "fault", .options = &fault_options, .wrapper = true,
	  .summary = "Stands before any other and makes chosen operations fail" },
	{ .name = "mpiio", .aliases = "MPIIO", .planned = true, .summary = "MPI-IO" },
	{ .name = "hdf5", .aliases = "HDF5", .planned = true, .package = "libhdf5-openmpi-dev",
	  .summary = "Parallel HDF5" },
	{ .name = "pnetcdf", .aliases = "NCMPI", .planned = true, .package = "libpnetcdf-dev",
	  .summary = "Parallel netCDF" },
	{ .name = "mmap", .aliases = "MMAP", .planned = true, .summary = "Memory-mapped files" },
	{ .name = "uring", .planned = true, .package = "liburing-dev",
	  .summary = "Queued transfers by io_uring" },
	{ .name = "libaio", .aliases = "AIO", .planned = true, .package = "libaio-dev",
	  .summary = "Queued transfers by Linux AIO" },
	{ .name = "rados", .aliases = "RADOS", .planned = true, .package = "librados-dev",
	  .summary = "Ceph objects" },
	{ .name = "cephfs", .aliases = "CEPHFS", .planned = true, .package = "libcephfs-dev",
	  .summary = "The Ceph file system without a mount" },
	{ .name = "libnfs", .aliases = "LIBNFS", .planned = true, .package = "libnfs-dev",
	  .summary = "NFS without a mount" },
	{ .name = "s3", .aliases = "S3", .planned = true, .summary = "S3 objects" },
};

const size_t registry_count = sizeof(registry) / sizeof(registry[0]);

/* registry[i].options of all entries that have some, in that order; a unit test compares them. */
static const struct option_table *const tables[] = {
	&posix_options,
	&null_options,
	&fault_options,
};

#define TABLE_COUNT (sizeof(tables) / sizeof(tables[0]))

/* True for any of the blank-separated words. */
static bool is_one_of(const char *words, const char *name)
{
	char *copy = text_copy(words ? words : "");
	char *rest = copy;
	bool found = false;

	for (char *word; !found && (word = strsep(&rest, " "));)
		found = *word && text_same_key(word, name);
	free(copy);
	return found;
}

const struct registration *registry_find(const char *name)
{
	for (size_t i = 0; i < registry_count; i++)
		if (text_same_key(registry[i].name, name) || is_one_of(registry[i].aliases, name))
			return &registry[i];
	return NULL;
}

static int refuse_unknown(const char *api, struct error *err)
{
	const struct registration *nearest = NULL;
	unsigned best = 3; /* more changes than two: another word */

	for (size_t i = 0; i < registry_count; i++) {
		unsigned distance = text_distance(registry[i].name, api, best);

		if (!registry[i].wrapper && distance < best) {
			best = distance;
			nearest = &registry[i];
		}
	}
	if (nearest)
		return error_input(err, "there is no backend \"%s\", did you mean %s?", api,
				   nearest->name);
	return error_input(err, "there is no backend \"%s\", --list-backends shows them all", api);
}

static int check_usable(const struct registration *entry, struct error *err)
{
	if (entry->backend)
		return 0;
	if (entry->wrapper)
		return error_input(err, "%s is not a backend of its own: it stands before another "
				   "one when its options ask for it", entry->name);
	if (entry->planned)
		return error_input(err, "%s is not in this version of iorx", entry->name);
	return error_input(err, "%s is not built in; install %s and configure again", entry->name,
			   entry->package);
}

const struct backend *registry_backend(const char *api, struct error *err)
{
	const struct registration *entry = registry_find(api);

	if (!entry)
		refuse_unknown(api, err);
	else if (check_usable(entry, err) == 0)
		return entry->backend;
	return NULL;
}

int registry_table(const struct registration *entry)
{
	for (size_t i = 0; entry->options && i < TABLE_COUNT; i++)
		if (tables[i] == entry->options)
			return (int)i;
	return -1;
}

static int check_api(const char *name, struct error *err)
{
	return registry_backend(name, err) ? 0 : -1;
}

static int find_api(const char *name)
{
	const struct registration *entry = registry_find(name);

	return entry ? registry_table(entry) : -1;
}

static const struct vocabulary words = {
	.tables = tables,
	.count = TABLE_COUNT,
	.check_api = check_api,
	.find_api = find_api,
};

const struct vocabulary *registry_vocabulary(void)
{
	return &words;
}
