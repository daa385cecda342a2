/* The list of backends, and with main.c the only file that knows what configure found. */
#include "backends/registry.h"

#include "config.h"

#include "backends/fault.h"
#include "base/text.h"
#include "options/names.h"
#include "site-backends.h"

/* Members of an entry whose backend is built in. */
#define BUILT_IN(name) .backend = &name##_backend, .options = &name##_options

/* Members of an entry that may be missing, as configure found them. */
#define OPTIONAL(NAME) .package = PACKAGE_OF_##NAME, .left_out = LEAVES_OUT_##NAME

extern const struct backend posix_backend, null_backend;
extern const struct backend mpiio_backend, pnetcdf_backend, mmap_backend;
extern const struct option_table posix_options, null_options;
extern const struct backend uring_backend, libaio_backend;
extern const struct option_table uring_options, libaio_options;
extern const struct backend s3_backend;
extern const struct option_table s3_options;
extern const struct backend rados_backend;
extern const struct option_table rados_options;
extern const struct backend nfs_backend;
extern const struct option_table nfs_options;
extern const struct option_table mpiio_options, hdf5_options, pnetcdf_options, mmap_options;
extern const struct backend hdf5_backend;

/* Backends named by configure --with-backend; their struct backend has all other facts. */
#define SITE_DECLARATION(site)                      \
	extern const struct backend site##_backend; \
	extern const struct option_table site##_options;
#define SITE_ENTRY(site) {.name = #site, .backend = &site##_backend, .options = &site##_options},
#define SITE_TABLE(site) &site##_options,

SITE_BACKENDS(SITE_DECLARATION)

const struct registration registry[] = {
	{.name = "posix", BUILT_IN(posix)},
	{.name = "null", BUILT_IN(null)},
	{.name = "fault", .options = &fault_options, .wrapper = true},
	{.name = "mpiio",
	 .aliases = "MPIIO",
	 .options = &mpiio_options,
#ifdef HAVE_BACKEND_MPIIO
	 .backend = &mpiio_backend,
#endif
	 OPTIONAL(MPIIO)},
	{.name = "hdf5",
	 .aliases = "HDF5",
	 .options = &hdf5_options,
#ifdef HAVE_BACKEND_HDF5
	 .backend = &hdf5_backend,
#endif
	 OPTIONAL(HDF5)},
	{.name = "pnetcdf",
	 .aliases = "NCMPI",
	 .options = &pnetcdf_options,
#ifdef HAVE_BACKEND_PNETCDF
	 .backend = &pnetcdf_backend,
#endif
	 OPTIONAL(PNETCDF)},
	{.name = "mmap",
	 .aliases = "MMAP",
	 .options = &mmap_options,
#ifdef HAVE_BACKEND_MMAP
	 .backend = &mmap_backend,
#endif
	 OPTIONAL(MMAP)},
	{.name = "uring",
	 .options = &uring_options,
#ifdef HAVE_BACKEND_URING
	 .backend = &uring_backend,
#endif
	 OPTIONAL(URING)},
	{.name = "libaio",
	 .aliases = "AIO",
	 .options = &libaio_options,
#ifdef HAVE_BACKEND_LIBAIO
	 .backend = &libaio_backend,
#endif
	 OPTIONAL(LIBAIO)},
	{.name = "s3",
	 .aliases = "S3",
	 .options = &s3_options,
#ifdef HAVE_BACKEND_S3
	 .backend = &s3_backend,
#endif
	 OPTIONAL(S3)},
	{.name = "rados",
	 .aliases = "RADOS",
	 .options = &rados_options,
#ifdef HAVE_BACKEND_RADOS
	 .backend = &rados_backend,
#endif
	 OPTIONAL(RADOS)},
	{.name = "nfs",
	 .aliases = "LIBNFS",
	 .options = &nfs_options,
#ifdef HAVE_BACKEND_NFS
	 .backend = &nfs_backend,
#endif
	 OPTIONAL(NFS)},
	{.name = "cephfs", .aliases = "CEPHFS", .planned = true, .package = "libcephfs-dev"},
	SITE_BACKENDS(SITE_ENTRY)};

const size_t registry_count = sizeof(registry) / sizeof(registry[0]);

/* registry[i].options of all entries that have some, in that order; a unit test compares them. */
static const struct option_table *const tables[] = {
	&posix_options,	  &null_options, &fault_options,	   &mpiio_options,  &hdf5_options,
	&pnetcdf_options, &mmap_options, &uring_options,	   &libaio_options, &s3_options,
	&rados_options,	  &nfs_options,	 SITE_BACKENDS(SITE_TABLE)};

#define TABLE_COUNT (sizeof(tables) / sizeof(tables[0]))

const char *registry_aliases(const struct registration *entry)
{
	const char *aliases = entry->backend ? entry->backend->aliases : entry->aliases;

	return aliases ? aliases : "";
}

const struct registration *registry_find(const char *name)
{
	for (size_t i = 0; i < registry_count; i++)
		if (text_same_key(registry[i].name, name) ||
		    names_have(registry_aliases(&registry[i]), name))
			return &registry[i];
	return NULL;
}

/* The entry that a mistyped name or alias probably means, or NULL. */
static const struct registration *guess_entry(const char *name)
{
	struct guess guess;

	guess_start(&guess, name);
	for (size_t i = 0; i < registry_count; i++) {
		guess_offer(&guess, "", registry[i].name);
		guess_offer(&guess, "", registry_aliases(&registry[i]));
	}
	return registry_find(guess.name);
}

static int refuse_unknown(const char *api, struct error *err)
{
	const struct registration *nearest = guess_entry(api);

	if (text_same_key(api, "auto"))
		return error_input(err,
				   "there is no backend \"auto\": iorx measures the one it is "
				   "told; name it, or several as a study, api = [uring libaio]");
	if (nearest && !nearest->wrapper)
		return error_input(err, "there is no backend \"%s\", did you mean %s?", api,
				   nearest->name);
	return error_input(err, "there is no backend \"%s\", --list-backends shows them all", api);
}

static int refuse_planned(const struct registration *entry, struct error *err)
{
	struct text there = {0};

	for (size_t i = 0; i < registry_count; i++)
		if (registry[i].backend)
			text_add(&there, "%s%s", there.length ? ", " : "", registry[i].name);
	error_input(err, "%s is not in this version of iorx; there are %s", entry->name,
		    text_string(&there));
	text_release(&there);
	return -1;
}

static int check_usable(const struct registration *entry, struct error *err)
{
	if (entry->backend)
		return 0;
	if (entry->wrapper)
		return error_input(err,
				   "%s is not a backend of its own: it stands before another "
				   "one when its options ask for it",
				   entry->name);
	if (entry->planned)
		return refuse_planned(entry, err);
	if (entry->left_out)
		return error_input(
			err,
			"%s is not built in: configure was given %s; configure again without that",
			entry->name, entry->left_out);
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
