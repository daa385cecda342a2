/* The rules on where the bytes of a read came from: evidence decides, not what was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "court.h"
#include "load_scene.h"

static const char *const plain[] = {"repetitions", "1", NULL};
static const char *const direct[] = {"posix.direct", "1", NULL};
static const char *const repeats[] = {"random_offset", "2", NULL};

/* Sets the share of the file that was in the page cache before the phase. */
static void cached_before(struct phase_result *phase, double share)
{
	phase->measure->before = (struct cache_state){
		.files = 1, .bytes = 1000000, .resident = (uint64_t)(share * 1e6)};
}

static void delivered(struct phase_result *phase, double share)
{
	phase->measure->io.read_bytes = (uint64_t)(share * (double)phase->measure->bytes);
}

static void hits_are_judged_where_reads_are_counted(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	assert_verdict(&court, "C1", SEVERITY_GOOD, "0 %");
	delivered(phase, 0.9);
	assert_verdict(&court, "C1", SEVERITY_WARN, "10 %");
	delivered(phase, 0);
	assert_verdict(&court, "C1", SEVERITY_FAIL, "100 %");
	close_court(&court);
}

static void what_was_cached_before_is_judged_where_reads_are_not_counted(void **state)
{
	static const enum reads_counted outcomes[] = {READS_UNKNOWN, READS_NOT_COUNTED};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct court court;
		struct phase_result *phase = open_court(&court, PHASE_READ, plain);

		court.facts.file_system = i ? "fuse.sshfs" : NULL;
		phase->trial = (struct trial){.reads = outcomes[i], .pages_seen = i == 1};
		delivered(phase, 0);
		assert_verdict(&court, "C1", SEVERITY_NOTE, "it is not known how much");
		cached_before(phase, 0.04);
		assert_verdict(&court, "C1", SEVERITY_NOTE, "it is not known how much");
		cached_before(phase, 0.06);
		assert_verdict(&court, "C1", SEVERITY_WARN, "6 % of the files were in");
		cached_before(phase, 0.21);
		assert_verdict(&court, "C1", SEVERITY_FAIL, "21 % of the files were in");
		cached_before(phase, 0);
		assert_verdict(&court, "C1", i ? SEVERITY_GOOD : SEVERITY_NOTE,
			       i ? "nothing of the files was in" : "it is not known");
		/* what was seen was counted */
		cached_before(phase, 1);
		delivered(phase, 1);
		assert_verdict(&court, "C1", SEVERITY_GOOD, "0 %");
		close_court(&court);
	}
}

static void bytes_that_are_read_twice_may_come_from_the_cache(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, repeats);

	(void)state;
	phase->trial = (struct trial){.reads = READS_NOT_COUNTED, .pages_seen = true};
	delivered(phase, 0);
	cached_before(phase, 0);
	assert_verdict(&court, "C1", SEVERITY_NOTE, "it is not known how much");
	phase->trial.reads = READS_COUNTED;
	assert_verdict(&court, "C1", SEVERITY_FAIL, "100 %");
	assert_true(is_silent(&court, "P4"));
	close_court(&court);
	/* a pass after the first */
	phase = open_court(&court, PHASE_READ, plain);
	cached_before(phase, 0);
	phase->measure->bytes *= 2;
	assert_verdict(&court, "C1", SEVERITY_FAIL, "50 %");
	assert_string_equal(judge(&court, "C1")->remedy,
			    "one pass over the files, --posix.direct, or more data than memory");
	close_court(&court);
}

static void direct_reads_are_good_only_where_the_device_delivered(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, direct);

	(void)state;
	phase->same_kernel = 4;
	court.facts.reads_own_writes = true;
	cached_before(phase, 1);
	assert_verdict(&court, "C1", SEVERITY_GOOD, "direct I/O, and the device delivered");
	assert_true(is_silent(&court, "C4"));
	delivered(phase, 0);
	assert_verdict(&court, "C1", SEVERITY_FAIL, "direct I/O was asked for, but 100 %");
	assert_null(strstr(judge(&court, "C1")->remedy, "posix.direct"));
	/* a client that counts nothing */
	phase->trial.reads = READS_NOT_COUNTED;
	assert_verdict(&court, "C1", SEVERITY_FAIL, "100 % of the files were in");
	cached_before(phase, 0);
	assert_verdict(&court, "C1", SEVERITY_GOOD, "nothing of the files was in");
	court.facts.file_system = "tmpfs";
	assert_verdict(&court, "C1", SEVERITY_WARN, "lives in memory");
	close_court(&court);
}

static void a_read_declared_cold_must_find_no_pages(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	assert_true(is_silent(&court, "C2"));
	cached_before(phase, 1);
	assert_true(is_silent(&court, "C2"));
	phase->cold = true;
	assert_verdict(&court, "C2", SEVERITY_FAIL, "100 % of the files were in");
	cached_before(phase, 0.02);
	assert_verdict(&court, "C2", SEVERITY_WARN, "2 %");
	cached_before(phase, 0.005);
	assert_verdict(&court, "C2", SEVERITY_GOOD, "0.5 %");
	phase->trial.pages_seen = false;
	assert_true(is_silent(&court, "C2"));
	cached_before(phase, 1);
	court.facts.file_system = "tmpfs";
	assert_true(is_silent(&court, "C2"));
	close_court(&court);
	/* direct I/O passed by the pages that were there */
	phase = open_court(&court, PHASE_READ, direct);
	phase->cold = true;
	cached_before(phase, 1);
	assert_true(is_silent(&court, "C2"));
	delivered(phase, 0);
	assert_verdict(&court, "C2", SEVERITY_FAIL, "100 %");
	close_court(&court);
}

static void reads_that_nobody_counts_are_compared_with_a_cold_pilot(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);
	const struct operation_record *record = phase_transfers(phase);
	const double mean = (double)record->histogram.sum_ns / (double)record->histogram.count;

	(void)state;
	delivered(phase, 0);
	phase->trial = (struct trial){.reads = READS_NOT_COUNTED, .pages_seen = true};
	assert_true(is_silent(&court, "C3"));
	phase->trial.pilot_ns = mean;
	assert_verdict(&court, "C3", SEVERITY_GOOD, "when one task alone read");
	phase->trial.pilot_ns = mean / 0.31;
	assert_verdict(&court, "C3", SEVERITY_GOOD, "when one task alone read");
	phase->trial.pilot_ns = mean / 0.29;
	assert_verdict(&court, "C3", SEVERITY_WARN, "a cache answered");
	phase->trial.pilot_ns = mean / 0.09;
	assert_verdict(&court, "C3", SEVERITY_FAIL, "a cache answered");
	/* the device delivered: counters know better */
	delivered(phase, 1);
	assert_true(is_silent(&court, "C3"));
	delivered(phase, 0);
	court.facts.file_system = "tmpfs";
	assert_true(is_silent(&court, "C3"));
	close_court(&court);
}

static void room_in_memory_is_no_question_where_nothing_was_cached(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	phase->same_kernel = 4;
	court.facts.reads_own_writes = true;
	delivered(phase, 0);
	cached_before(phase, 1);
	assert_verdict(&court, "C4", SEVERITY_WARN, "it fits into the cache");
	cached_before(phase, 0);
	assert_true(is_silent(&court, "C4"));
	phase->trial.pages_seen = false; /* overlayfs shows no pages */
	assert_verdict(&court, "C4", SEVERITY_WARN, "it fits into the cache");
	close_court(&court);
}

static void room_in_memory_is_a_note_where_a_second_read_is_no_faster(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	phase->same_kernel = 4;
	court.facts.reads_own_writes = true;
	delivered(phase, 0);
	phase->trial = (struct trial){.reads = READS_NOT_COUNTED, .floor_ns = 2e6, .hot_ns = 2e6};
	assert_verdict(&court, "C4", SEVERITY_NOTE, "a second read was no faster");
	phase->trial.hot_ns = 1.3e6;
	assert_verdict(&court, "C4", SEVERITY_WARN, "it fits into the cache");
	phase->trial.hot_ns = 0; /* not known */
	assert_verdict(&court, "C4", SEVERITY_WARN, "it fits into the cache");
	close_court(&court);
}

/* Makes the phase of the court a load of its files that read, and wrote, so many bytes. */
static void make_load(struct court *court, struct load *load, uint64_t read, uint64_t written)
{
	struct phase_result *phase = &court->scene.phases[0];
	struct plan *plan = &court->scene.plan;

	*load = (struct load){0};
	load_scene(&plan->pattern, &(struct load_words){0});
	plan->load = load;
	plan->own_files = 1;
	plan->phases[phase->index].kind = phase->kind = PHASE_LOAD;
	measure_record(phase->measure, OPERATION_DEFINE)->operation = OPERATION_MIXED;
	phase->measure->counters.reads.bytes = read;
	phase->measure->counters.writes.bytes = written;
	phase->measure->io.read_bytes = 0;
}

static void close_load(struct court *court)
{
	court->scene.plan.load = NULL;
	close_court(court);
}

static void reads_of_a_load_had_room_unless_a_device_delivered_them(void **state)
{
	struct court court;
	struct load load;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	make_load(&court, &load, MIB, 0);
	assert_verdict(&court, "C4", SEVERITY_WARN, "they fit into the cache");
	phase->measure->io.read_bytes = MIB;
	assert_true(is_silent(&court, "C4"));
	phase->measure->io.read_bytes = (uint64_t)(0.94 * MIB);
	assert_verdict(&court, "C4", SEVERITY_WARN, "they fit into the cache");
	phase->trial.floor_ns = phase->trial.hot_ns = 2e6;
	assert_verdict(&court, "C4", SEVERITY_NOTE, "a second read was no faster");
	close_load(&court);
}

static void reads_of_a_cold_load_had_room_once_it_moved_more_than_its_files(void **state)
{
	struct court court;
	struct load load;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	make_load(&court, &load, court.scene.plan.bytes, 0);
	cached_before(phase, 0);
	assert_verdict(&court, "C4", SEVERITY_WARN, "they fit into the cache");
	phase->cold = true;
	assert_true(is_silent(&court, "C4"));
	cached_before(phase, 0.5);
	assert_verdict(&court, "C4", SEVERITY_WARN, "they fit into the cache");
	cached_before(phase, 0);
	phase->measure->counters.reads.bytes *= 2;
	assert_verdict(&court, "C4", SEVERITY_WARN, "they fit into the cache");
	close_load(&court);
}

static void writes_of_a_load_had_room_unless_each_was_synced(void **state)
{
	struct court court;
	struct load load;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	make_load(&court, &load, 0, MIB);
	assert_verdict(&court, "C4", SEVERITY_WARN, "they fit into the cache");
	load.fsync_every = 2;
	assert_verdict(&court, "C4", SEVERITY_WARN, "they fit into the cache");
	load.fsync_every = 1;
	assert_true(is_silent(&court, "C4"));
	load.fsync_every = 0;
	load.sync = WRITE_SYNC_DATA;
	assert_true(is_silent(&court, "C4"));
	/* what was written may still serve reads */
	phase->measure->counters.reads.bytes = MIB;
	assert_verdict(&court, "C4", SEVERITY_WARN, "they fit into the cache");
	close_load(&court);
}

static void nodes_of_one_kernel_share_its_memory(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	phase->same_kernel = 4;
	court.facts.reads_own_writes = true;
	delivered(phase, 0);
	const double one = judge(&court, "C4")->evidence[0].value;

	court.facts.nodes_on_kernel = 2;
	assert_true(judge(&court, "C4")->evidence[0].value == 2 * one);
	court.facts.memory_per_node = (uint64_t)one; /* the two have twice as much data */
	assert_true(is_silent(&court, "C4"));
	close_court(&court);
}

static void what_nobody_cached_or_delivered_was_compressed(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);

	(void)state;
	cached_before(phase, 0);
	delivered(phase, 0.16);
	assert_verdict(&court, "P4", SEVERITY_WARN, "the device delivered 16 % of the bytes");
	assert_true(is_silent(&court, "C1"));
	delivered(phase, 0.81);
	assert_true(is_silent(&court, "P4"));
	assert_verdict(&court, "C1", SEVERITY_WARN, "19 %");
	delivered(phase, 0.16);
	cached_before(phase, 0.02);
	assert_true(is_silent(&court, "P4"));
	assert_verdict(&court, "C1", SEVERITY_FAIL, "84 %");
	cached_before(phase, 0);
	phase->trial.pages_seen = false;
	assert_true(is_silent(&court, "P4"));
	phase->trial = (struct trial){.reads = READS_NOT_COUNTED, .pages_seen = true};
	assert_true(is_silent(&court, "P4"));
	close_court(&court);
}

static void holes_are_no_storage(void **state)
{
	struct court court;
	struct phase_result *phase = open_court(&court, PHASE_READ, plain);
	const uint64_t bytes = phase->measure->bytes;

	(void)state;
	/* two nodes looked at the shared file */
	phase->measure->source = (struct source_state){2, 2 * bytes, 2 * bytes / 2};
	cached_before(phase, 0);
	delivered(phase, 0.5);
	assert_verdict(&court, "P5", SEVERITY_FAIL, "50 % of the bytes read are holes");
	assert_true(is_silent(&court, "C1") && is_silent(&court, "P4"));
	cached_before(phase, 1); /* pages of holes */
	assert_true(is_silent(&court, "C1"));
	/* holes do not explain what more is missing */
	delivered(phase, 0);
	assert_verdict(&court, "C1", SEVERITY_FAIL, "100 %");
	phase->measure->source.holes = 2 * bytes / 50;
	delivered(phase, 0.98);
	assert_verdict(&court, "P5", SEVERITY_WARN, "2 % of the bytes read are holes");
	phase->measure->source.holes = 2 * bytes / 200;
	assert_true(is_silent(&court, "P5"));
	/* A phase that ends early may have read only what is there. */
	phase->measure->source.holes = 2 * bytes / 2;
	phase->measure->bytes = bytes / 2;
	assert_true(is_silent(&court, "P5"));
	close_court(&court);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hits_are_judged_where_reads_are_counted),
		cmocka_unit_test(what_was_cached_before_is_judged_where_reads_are_not_counted),
		cmocka_unit_test(bytes_that_are_read_twice_may_come_from_the_cache),
		cmocka_unit_test(direct_reads_are_good_only_where_the_device_delivered),
		cmocka_unit_test(a_read_declared_cold_must_find_no_pages),
		cmocka_unit_test(reads_that_nobody_counts_are_compared_with_a_cold_pilot),
		cmocka_unit_test(room_in_memory_is_no_question_where_nothing_was_cached),
		cmocka_unit_test(room_in_memory_is_a_note_where_a_second_read_is_no_faster),
		cmocka_unit_test(reads_of_a_load_had_room_unless_a_device_delivered_them),
		cmocka_unit_test(reads_of_a_cold_load_had_room_once_it_moved_more_than_its_files),
		cmocka_unit_test(writes_of_a_load_had_room_unless_each_was_synced),
		cmocka_unit_test(nodes_of_one_kernel_share_its_memory),
		cmocka_unit_test(what_nobody_cached_or_delivered_was_compressed),
		cmocka_unit_test(holes_are_no_storage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
