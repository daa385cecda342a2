/* Counters under the names that Darshan gives them: its modules POSIX, MPI-IO (MPIIO) and HDF5
 * (H5F, H5D). */
#include "record/record.h"

#include <stdio.h>

#include "record/json.h"

/* Adds a member whose name has a module: POSIX_RW_SWITCHES, H5D_RW_SWITCHES. */
static void counters_put(json_t *object, const char *module, const char *name, uint64_t value)
{
	char key[80];

	snprintf(key, sizeof(key), "%s_%s", module, name);
	put_count(object, key, value);
}

static void put_sizes(json_t *object, const char *module, const char *kind,
		      const struct access_counters *of)
{
	static const char *const names[COUNTER_SIZES] = {
		"0_100", "100_1K", "1K_10K",   "10K_100K", "100K_1M",
		"1M_4M", "4M_10M", "10M_100M", "100M_1G",  "1G_PLUS",
	};
	char key[32];

	for (unsigned i = 0; i < COUNTER_SIZES; i++) {
		snprintf(key, sizeof(key), "%s_%s", kind, names[i]);
		counters_put(object, module, key, of->sizes[i]);
	}
}

/* The four most frequent sizes. */
static void put_common(json_t *object, const char *module, const struct counters *counters)
{
	char key[32];

	for (unsigned i = 0; i < 4; i++) {
		snprintf(key, sizeof(key), "ACCESS%u_ACCESS", i + 1);
		counters_put(object, module, key, counters->common[i].bytes);
		snprintf(key, sizeof(key), "ACCESS%u_COUNT", i + 1);
		counters_put(object, module, key, counters->common[i].count);
	}
}

static void put_bytes(json_t *object, const char *module, const struct counters *counters)
{
	counters_put(object, module, "BYTES_READ", counters->reads.bytes);
	counters_put(object, module, "BYTES_WRITTEN", counters->writes.bytes);
	counters_put(object, module, "RW_SWITCHES", counters->switches);
}

/* The offset of the last byte; 0 also where nothing was moved. */
static uint64_t last_byte(const struct access_counters *of)
{
	return of->most ? of->most - 1 : 0;
}

static void put_posix(json_t *object, const struct counters *counters)
{
	const struct access_counters *reads = &counters->reads, *writes = &counters->writes;

	put_count(object, "POSIX_OPENS", counters->opens);
	put_count(object, "POSIX_READS", reads->calls);
	put_count(object, "POSIX_WRITES", writes->calls);
	put_count(object, "POSIX_STATS", counters->stats);
	put_count(object, "POSIX_FSYNCS", counters->syncs);
	put_bytes(object, "POSIX", counters);
	put_count(object, "POSIX_MAX_BYTE_READ", last_byte(reads));
	put_count(object, "POSIX_MAX_BYTE_WRITTEN", last_byte(writes));
	put_count(object, "POSIX_CONSEC_READS", reads->consecutive);
	put_count(object, "POSIX_CONSEC_WRITES", writes->consecutive);
	put_count(object, "POSIX_SEQ_READS", reads->sequential);
	put_count(object, "POSIX_SEQ_WRITES", writes->sequential);
	put_count(object, "POSIX_FILE_NOT_ALIGNED", counters->misaligned);
	put_count(object, "POSIX_FILE_ALIGNMENT", counters->alignment);
	put_sizes(object, "POSIX", "SIZE_READ", reads);
	put_sizes(object, "POSIX", "SIZE_WRITE", writes);
	put_common(object, "POSIX", counters);
}

static void put_calls(json_t *object, const char *kind, const struct access_counters *of,
		      bool collective)
{
	uint64_t together = collective ? of->calls - of->alone : 0;
	char key[32];

	snprintf(key, sizeof(key), "INDEP_%s", kind);
	counters_put(object, "MPIIO", key, of->calls - together);
	snprintf(key, sizeof(key), "COLL_%s", kind);
	counters_put(object, "MPIIO", key, together);
}

static void put_mpiio(json_t *object, const struct counters *counters, const struct plan *plan)
{
	bool together = plan->geometry.shared && plan->geometry.tasks > 1;
	bool collective = plan->test->collective;

	put_count(object, "MPIIO_INDEP_OPENS", together ? 0 : counters->opens);
	put_count(object, "MPIIO_COLL_OPENS", together ? counters->opens : 0);
	put_calls(object, "READS", &counters->reads, collective);
	put_calls(object, "WRITES", &counters->writes, collective);
	put_count(object, "MPIIO_SYNCS", counters->syncs);
	put_bytes(object, "MPIIO", counters);
	put_sizes(object, "MPIIO", "SIZE_READ_AGG", &counters->reads);
	put_sizes(object, "MPIIO", "SIZE_WRITE_AGG", &counters->writes);
	put_common(object, "MPIIO", counters);
}

static void put_hdf5(json_t *object, const struct counters *counters)
{
	put_count(object, "H5F_OPENS", counters->opens);
	put_count(object, "H5F_FLUSHES", counters->syncs);
	put_count(object, "H5D_READS", counters->reads.calls);
	put_count(object, "H5D_WRITES", counters->writes.calls);
	put_bytes(object, "H5D", counters);
	put_sizes(object, "H5D", "SIZE_READ_AGG", &counters->reads);
	put_sizes(object, "H5D", "SIZE_WRITE_AGG", &counters->writes);
	put_common(object, "H5D", counters);
}

void record_counters(json_t *owner, const char *key, const struct counters *counters,
		     const struct plan *plan)
{
	enum backend_layer layer = plan->backend->layer;
	json_t *object = put_object_if(owner, key, counters && layer != LAYER_NONE);

	if (!object)
		return;
	if (layer == LAYER_POSIX)
		put_posix(object, counters);
	else if (layer == LAYER_MPIIO)
		put_mpiio(object, counters, plan);
	else
		put_hdf5(object, counters);
}
