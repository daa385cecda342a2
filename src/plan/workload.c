/* The rows that describe the kinds of test: data, metadata and load. */
#include "plan/workload.h"

static int build_data(struct plan *plan, const struct test_spec *spec,
		      const struct backend *backend, const struct facts *facts, struct error *err)
{
	return plan_build(plan, test_of(spec), backend, facts, err);
}

static int build_metadata(struct plan *plan, const struct test_spec *spec,
			  const struct backend *backend, const struct facts *facts,
			  struct error *err)
{
	return plan_build_metadata(plan, test_of(spec), metadata_of(spec), backend, facts, err);
}

static int build_load(struct plan *plan, const struct test_spec *spec,
		      const struct backend *backend, const struct facts *facts, struct error *err)
{
	return plan_build_load(plan, test_of(spec), load_of(spec), backend, facts, err);
}

static const struct workload_traits traits[WORKLOADS] = {
	[WORKLOAD_DATA] = {"IOR", "test_file", "transfers", "data", .build = build_data},
	[WORKLOAD_METADATA] = {"mdtest", "dir", "items", "items", true, true, build_metadata},
	[WORKLOAD_LOAD] = {NULL, "test_file", "transfers", "data", false, true, build_load},
};

const struct workload_traits *plan_traits(const struct plan *plan)
{
	return &traits[plan->load	? WORKLOAD_LOAD
		       : plan->metadata ? WORKLOAD_METADATA
					: WORKLOAD_DATA];
}

int plan_build_test(struct plan *plan, const struct test_spec *spec, const struct backend *backend,
		    const struct facts *facts, struct error *err)
{
	return traits[spec->workload].build(plan, spec, backend, facts, err);
}

bool plan_moves_data(const struct plan *plan)
{
	return plan->load ? load_pattern_moves_data(&plan->pattern) : !plan->metadata;
}

bool plan_makes_files(const struct plan *plan)
{
	return plan->metadata ? plan->metadata->create : plan->test->write_file;
}

bool plan_keeps_count(const struct plan *plan, enum phase_kind kind)
{
	return kind == PHASE_WRITE || kind == PHASE_FILE_CREATE ||
	       (kind == PHASE_DIR_CREATE && plan->metadata->directories_only);
}

double plan_time_limit(const struct plan *plan, enum phase_kind kind)
{
	const bool grows = kind != PHASE_VERIFY && (!plan->metadata || phase_creates_items(kind));

	if (kind == PHASE_MIX)
		return plan->mix.seconds;
	if (kind == PHASE_LOAD && plan->load_seconds > 0)
		return plan->load->warmup_time + plan->load_seconds + plan->load->cooldown;
	if (!grows)
		return 0;
	return plan->test->duration > 0 ? plan->test->duration : plan->test->stonewall;
}
