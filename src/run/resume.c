/* A job that goes on behind the journal of an earlier session: --resume. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/named_file.h"
#include "base/version.h"
#include "engine/data/data_state.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/test_directories.h"
#include "plan/item_walk.h"
#include "plan/workload.h"
#include "record/document.h"
#include "record/journal.h"
#include "record/json.h"
#include "record/line.h"
#include "record/record.h"
#include "record/resume.h"
#include "run/state.h"

/* Task 0: the document of the job; NULL: its name is not known beforehand. */
static const char *document_of(const struct job *job)
{
	for (size_t i = 0; i < job->output_count; i++)
		if (job->outputs[i].format == OUTPUT_JSON)
			return job->outputs[i].path;
	return NULL;
}

static void note(const char *journal, const char *words)
{
	struct text text = {0};

	text_add(&text, "resume: %s%s", journal, words);
	report_message("note", text_string(&text));
	text_release(&text);
}

/* The journal is not there: the job has ended, or has never begun. */
static int resume_without(struct runner *runner, const char *document, struct error *err)
{
	struct resumption *resume = &runner->resume;

	resume->nothing_left = document_is_complete(document, NULL);
	if (resume->nothing_left) {
		note(document, " is there and complete, so nothing is left to do; remove it to "
			       "measure anew");
		return 0;
	}
	if (*run_of(runner->job)->resume)
		return error_input(err,
				   "resume: %.300s is not there; --resume without a name also "
				   "begins a job",
				   resume->journal);
	note(resume->journal, " is not there, so the job begins anew");
	return 0;
}

/* The job came to its end, and was killed before its document had taken the journal's place. */
static int resume_ended(struct runner *runner, const char *document, struct error *err)
{
	const char *journal = runner->resume.journal;
	struct text made = {0};
	int ret = 0;

	runner->resume.nothing_left = true;
	note(journal, " is that of a job that came to its end, so nothing is left to do");
	if (!document_is_complete(document, journal))
		ret = report_finish_journal(journal, &made, err);
	/* A dry run touches nothing, and lines that could not be read stay for their owner. */
	if (!ret && !runner->resume.lines.left_out && !run_of(runner->job)->dry_run &&
	    !run_of(runner->job)->show_plan)
		unlink(journal);
	text_release(&made);
	return ret;
}

/* When the killed session cannot have written any more: an hour behind its last line. */
static time_t last_moment(FILE *journal)
{
	enum { LONGEST_PHASE_S = 3600 };
	struct stat status;

	return fstat(fileno(journal), &status) ? 0 : status.st_mtime + LONGEST_PHASE_S;
}

static void compare_tests(struct runner *runner, struct text *differs)
{
	const struct journal_lines *lines = &runner->resume.lines;
	const size_t tests = runner->job->test_count;

	for (size_t i = 0; i < lines->count; i++) {
		const struct journal_line *line = &lines->list[i];

		if (line->event != EVENT_TEST || line->test >= (json_int_t)tests)
			continue;
		const struct test_result test = {.number = (unsigned)line->test,
						 .spec = &runner->job->tests[line->test],
						 .plan = &runner->plans[line->test]};
		json_t *is = record_test(runner->job, &test, NULL);
		json_t *was = journal_lines_value(lines, line);

		resume_compare(was, is, line->test, differs);
		json_decref(was);
		json_decref(is);
	}
}

/* Refuses the journal of another job. */
static int check_same(struct runner *runner, const json_t *run, struct error *err)
{
	const struct job *job = runner->job;
	struct text differs = {0}, own = {0};
	json_t *is;
	int ret = 0;

	text_add(&own, "%s%s%s", version.number, *version.git ? " " : "", version.git);
	is = json_pack("{sssIsIsIso}", "iorx_version", own.bytes, "tests",
		       (json_int_t)job->test_count, "tasks", (json_int_t)runner->world->all.size,
		       "nodes", (json_int_t)runner->world->map.nodes, "job_text",
		       json_text(job->text));
	resume_compare(run, is, JOURNAL_NO_TEST, &differs);
	compare_tests(runner, &differs);
	/* Files under the names of another job may be those of others. */
	runner->resume.until = differs.length ? 0 : last_moment(runner->resume.file);
	if (differs.length && !run_of(job)->resume_anyway)
		ret = error_input(
			err,
			"resume: %.200s is that of another job: %.400sstart the same job, "
			"or go on all the same with --resume-anyway",
			runner->resume.journal, differs.bytes);
	json_decref(is);
	text_release(&differs);
	text_release(&own);
	return ret;
}

/*
 * The path that a test needs before its repetition; false if it makes its files, or needs none.
 * names: of a metadata test.
 */
static bool needed_path(const struct plan *plan, const struct metadata *names, uint64_t repetition,
			char *path)
{
	const struct phase_plan reading = {.kind = PHASE_READ, .access = ACCESS_READ};

	if (!plan->backend->files || plan_cleans(plan))
		return false;
	if (!names) {
		plan_phase_path(plan, &reading, 0, repetition, path);
		return !plan->test->write_file;
	}
	if (names->create || metadata_only_finds(names))
		return false;
	char target[PLAN_PATH_SIZE];
	struct tree_path *tree = memory_allocate(1, sizeof(*tree));

	plan_base(plan, 0, target);
	tree_path_start(tree, &plan->tree,
			&(struct item_owner){.target = target,
					     .repetition = repetition,
					     .unique = names->unique_dir,
					     .shared = names->shared_file});
	tree_path_test(tree, 0);
	snprintf(path, PLAN_PATH_SIZE, "%s", tree->path);
	free(tree);
	return true;
}

/* True if a test makes the files that another one needs, and leaves them. */
static bool leaves_to(const struct plan *maker, const struct plan *user)
{
	char own[PLAN_PATH_SIZE], other[PLAN_PATH_SIZE];

	if (plan_traits(maker)->has_names != plan_traits(user)->has_names)
		return false;
	if (maker->metadata ? !maker->metadata->create || maker->metadata->remove
			    : !maker->test->write_file || !maker->test->keep_file)
		return false;
	plan_base(maker, 0, own);
	plan_base(user, 0, other);
	return plan_same_path(own, other);
}

/* Lets the members of the test's set make repetitions from `from` on again. */
static void make_again(struct runner *runner, size_t number, uint64_t from)
{
	struct recorded *recorded = runner->resume.recorded;
	const unsigned set = runner->job->tests[number].set.number;
	struct text words = {0};

	for (size_t i = 0; i < runner->job->test_count; i++) {
		if (i != number && (!set || runner->job->tests[i].set.number != set))
			continue;
		recorded[i].over = false;
		if (recorded[i].repetitions > from)
			recorded[i].repetitions = from;
	}
	text_add(&words,
		 ": files of test %zu that a later test needs are gone or used up, so it makes its "
		 "repetitions from %" PRIu64 " on again, which replace those before",
		 number, from);
	note(runner->resume.journal, text_string(&words));
	text_release(&words);
}

/* A test that is to come may need what a finished one has left, and what is gone meanwhile. */
static void find_gone(struct runner *runner)
{
	struct recorded *recorded = runner->resume.recorded;
	char path[PLAN_PATH_SIZE];

	for (size_t i = 0; i < runner->job->test_count; i++) {
		const struct plan *plan = &runner->plans[i];
		const struct metadata *names = metadata_of(&runner->job->tests[i]);
		const uint64_t next = recorded[i].repetitions;

		if (recorded[i].over || !needed_path(plan, names, next, path) ||
		    (!access(path, F_OK) && !(names && names->remove && recorded[i].begun)))
			continue;
		for (size_t k = i; k-- > 0;) {
			if (!recorded[k].over || !leaves_to(&runner->plans[k], plan))
				continue;
			const bool each = names || plan->test->multi_file;

			const uint64_t made = recorded[k].repetitions;

			make_again(runner, k, each ? next : made - (made > 0));
			break;
		}
	}
}

static void note_progress(const struct runner *runner)
{
	const struct resumption *resume = &runner->resume;
	uint64_t done = 0, over = 0;
	struct text words = {0};

	for (size_t i = 0; i < runner->job->test_count; i++) {
		done += resume->recorded[i].repetitions;
		over += resume->recorded[i].over;
	}
	text_add(&words,
		 ": session %u goes on behind %" PRIu64 " repetition%s; %" PRIu64 " of %zu test%s "
		 "over; a repetition that was cut short begins anew, a load from its start",
		 resume->session, done, done == 1 ? "" : "s", over, runner->job->test_count,
		 runner->job->test_count == 1 ? "" : "s");
	note(resume->journal, text_string(&words));
	text_release(&words);
}

/* The time of a line, in seconds since the epoch. */
static time_t time_of(const char *text)
{
	struct tm parts = {0};

	return strptime(text, "%Y-%m-%dT%H:%M:%S", &parts) ? timegm(&parts) : 0;
}

static int take_over(struct runner *runner, struct error *err)
{
	struct resumption *resume = &runner->resume;
	const struct job *job = runner->job;
	json_t *run = journal_lines_value(&resume->lines, &resume->lines.list[0]);
	const struct journal_line *failed;
	int ret;

	resume->seed = line_count(run, "seed");
	resume->began = time_of(line_text(run, "began"));
	resume->session = resume->lines.sessions + 1;
	resume->recorded = memory_allocate(job->test_count, sizeof(*resume->recorded));
	failed = resume_read(&resume->lines, job, runner->plans, resume->recorded);
	ret = failed ? error_input(err,
				   "resume: %.300s: line %" PRIu64 " reports a failure or wrong "
				   "data, behind which no job goes on; iorx --finish=%.300s makes "
				   "its document",
				   resume->journal, failed->number, resume->journal)
		     : check_same(runner, run, err);
	json_decref(run);
	if (ret)
		return ret;
	find_gone(runner);
	note_progress(runner);
	return 0;
}

/* A job that was killed while it wrote its first line has measured nothing. */
static bool holds_nothing(const struct journal_lines *lines)
{
	static const char first[] = "{\"schema\":{\"name\":\"" SCHEMA_NAME "\"";
	char bytes[sizeof(first)] = "";
	size_t got;

	if (lines->count || lines->end)
		return false;
	rewind(lines->file);
	got = fread(bytes, 1, sizeof(first) - 1, lines->file);
	return !strncmp(bytes, first, got);
}

/* A last line without its newline will be cut away, so what it says is made again. */
static void drop_unended(struct journal_lines *lines)
{
	const size_t count = lines->count;

	lines->count = 0;
	for (size_t i = 0; i < count; i++)
		if (lines->list[i].offset < lines->end)
			lines->list[lines->count++] = lines->list[i];
}

static int read_journal(struct runner *runner, const char *document, struct error *err)
{
	struct resumption *resume = &runner->resume;
	const struct journal_line *end;
	int fd = named_file_open(resume->journal, false, err);

	if (fd < 0 && err->code == ENOENT) {
		*err = (struct error){0};
		return resume_without(runner, document, err);
	}
	if (fd < 0)
		return error_add(err, "resume: %.300s", resume->journal);
	resume->file = fdopen(fd, "r");
	const int ret = journal_lines_read(&resume->lines, resume->file, resume->journal, err);

	resume->before =
		(struct journal_before){resume->journal, resume->lines.end, resume->lines.size};
	if (ret && holds_nothing(&resume->lines)) {
		*err = (struct error){0};
		note(resume->journal, " holds nothing, so the job begins anew");
		return 0;
	}
	if (ret)
		return error_add(err, "resume");
	drop_unended(&resume->lines);
	end = journal_lines_find(&resume->lines, 0, EVENT_END);
	return end && end->complete ? resume_ended(runner, document, err) : take_over(runner, err);
}

/* Task 0 finds out how far the job is. */
static int look(struct runner *runner, struct error *err)
{
	const char *document = document_of(runner->job);

	if (run_of(runner->job)->anonymize)
		return error_input(err, "resume: each session hides names in its own way, so a "
					"job cannot go on; leave anonymize or resume out");
	if (!document)
		return error_input(err, "resume: the name of the journal is not known; name the "
					"document with output=NAME.json, or the journal with "
					"--resume=NAME.jsonl");
	runner->resume.journal = journal_name(document);
	return read_journal(runner, document, err);
}

enum exit_code resume_start(struct runner *runner)
{
	struct resumption *resume = &runner->resume;
	const struct comm *all = &runner->world->all;
	const size_t tests = runner->job->test_count;
	struct {
		struct error err;
		bool nothing_left, goes_on;
		unsigned session;
		time_t began, until;
	} head = {.goes_on = false};

	resume->session = 1;
	if (!run_of(runner->job)->resume || job_cleans_loads(runner->job))
		return EXIT_GOOD;
	if (leads(runner)) {
		look(runner, &head.err);
		head.nothing_left = resume->nothing_left;
		head.goes_on = resume->recorded != NULL;
		head.session = resume->session;
		head.began = resume->began;
		head.until = resume->until;
	}
	comm_share_fixed(all, &head, sizeof(head), NULL);
	if (head.err.kind != ERROR_NONE) {
		if (leads(runner))
			report_message("error", head.err.text);
		return head.err.kind == ERROR_INPUT ? EXIT_INPUT : EXIT_IO;
	}
	resume->nothing_left = head.nothing_left;
	resume->session = head.session;
	resume->began = head.began;
	resume->until = head.until;
	if (!head.goes_on)
		return EXIT_GOOD;
	if (!resume->recorded)
		resume->recorded = memory_allocate(tests, sizeof(*resume->recorded));
	comm_share_fixed(all, resume->recorded, tests * sizeof(*resume->recorded), NULL);
	return EXIT_GOOD;
}

void resume_release(struct runner *runner)
{
	struct resumption *resume = &runner->resume;

	journal_lines_release(&resume->lines);
	if (resume->file)
		fclose(resume->file);
	free(resume->journal);
	free(resume->recorded);
	*resume = (struct resumption){0};
}

struct recorded resume_recorded(const struct runner *runner, unsigned number)
{
	return runner->resume.recorded ? runner->resume.recorded[number] : (struct recorded){0};
}

/* --- tests ---------------------------------------------------------------------------------- */

/* Calls act with each phase of the tests that stays, on task 0. */
static void each_phase(const struct runner *runner, unsigned first, unsigned count,
		       void (*act)(void *context, const struct journal_line *line, json_t *phase),
		       void *context)
{
	const struct journal_lines *lines = &runner->resume.lines;

	for (size_t i = 0; i < lines->count; i++) {
		const struct journal_line *line = &lines->list[i];

		if (line->event != EVENT_PHASE || line->test < first ||
		    line->test >= first + count ||
		    line->repetition >= resume_recorded(runner, (unsigned)line->test).repetitions)
			continue;
		json_t *phase = journal_lines_value(lines, line);

		act(context, line, phase);
		json_decref(phase);
	}
}

static void replay_phase(void *context, const struct journal_line *line, json_t *phase)
{
	struct runner *runner = context;

	judge_recall(runner, line_text(phase, "severity"));
	report_line(runner->report, (unsigned)line->test, LINE_PHASE, json_incref(phase));
}

static void restore_phase(void *context, const struct journal_line *line, json_t *phase)
{
	struct test_run *run = context;
	const enum phase_kind kind = run->plan->phases[line->phase % PLAN_PHASES].kind;
	const double seconds = line_number(phase, "intervals/total_s");

	if (resume_restore(&run->result, phase, line->session) && seconds > run->longest[kind])
		run->longest[kind] = seconds;
}

/* True if the journal has the line of the test itself. */
static bool has_line(const struct runner *runner, unsigned number)
{
	const struct journal_lines *lines = &runner->resume.lines;

	for (size_t i = 0; i < lines->count; i++)
		if (lines->list[i].event == EVENT_TEST && lines->list[i].test == number)
			return true;
	return false;
}

void resume_report_test(struct test_run *run)
{
	struct runner *runner = run->runner;

	report_replay(runner->report, has_line(runner, run->number));
	report_test(runner->report, &run->result, &run->mount);
	report_replay(runner->report, true);
	each_phase(runner, run->number, 1, replay_phase, runner);
	report_replay(runner->report, false);
}

void resume_test(struct test_run *run)
{
	if (leads(run->runner))
		each_phase(run->runner, run->number, 1, restore_phase, run);
}

/* Puts a phase into the text that goes to the first tasks of all members. */
static void pack_phase(void *context, const struct journal_line *line, json_t *phase)
{
	json_t *letter = json_pack("{sisO}", "session", (int)line->session, "phase", phase);
	char *words = json_dumps(letter, JSON_COMPACT);

	text_add((struct text *)context, "%s\n", words);
	free(words);
	json_decref(letter);
}

static void unpack_phases(struct test_run *run, const struct text *lines)
{
	for (size_t at = 0; at < lines->length;) {
		json_error_t where;
		json_t *letter = json_loadb(lines->bytes + at, lines->length - at,
					    JSON_DISABLE_EOF_CHECK, &where);
		json_t *phase = json_object_get(letter, "phase");
		const struct journal_line line = {.session =
							  (unsigned)line_count(letter, "session"),
						  .phase = line_count(phase, "phase_index")};

		if (line_count(phase, "test") == run->number)
			restore_phase(run, &line, phase);
		json_decref(letter);
		at += (size_t)where.position + 1;
	}
}

void resume_set(struct runner *runner, unsigned first, unsigned count, struct test_run *own)
{
	struct text lines = {0};

	if (leads(runner))
		each_phase(runner, first, count, pack_phase, &lines);
	comm_share(&runner->world->all, &lines, NULL);
	if (own && leads_test(own))
		unpack_phases(own, &lines);
	text_release(&lines);
}

/* Task 0 reports the end of a test that an earlier session reached. Returns its line. */
static json_t *replay_end(struct runner *runner, unsigned number)
{
	const struct journal_lines *lines = &runner->resume.lines;

	for (size_t i = 0; i < lines->count; i++) {
		const struct journal_line *line = &lines->list[i];

		if (line->event != EVENT_TEST_END || line->test != number)
			continue;
		json_t *end = journal_lines_value(lines, line);

		report_replay(runner->report, true);
		report_line(runner->report, number, LINE_TEST_END, json_incref(end));
		report_replay(runner->report, false);
		return end;
	}
	return NULL;
}

/* Task 0 reports tests that are over as if they had run now. */
static void replay_visit(struct runner *runner, const struct visit *visit)
{
	const bool is_set = runner->job->tests[visit->first].set.number;
	json_t **ends = memory_allocate(visit->count, sizeof(*ends));

	if (is_set)
		report_set_start(runner->report, visit->first, visit->count);
	for (unsigned i = 0; i < visit->count; i++) {
		struct test_run run;

		test_init(&run, runner, visit->first + i);
		test_read_mount(&run);
		resume_report_test(&run);
	}
	for (unsigned i = 0; i < visit->count; i++)
		ends[i] = replay_end(runner, visit->first + i);
	live_test_ended(runner, visit->first);
	ladder_add(runner, visit->first, visit->count, ends);
	for (unsigned i = 0; i < visit->count; i++)
		json_decref(ends[i]);
	free(ends);
	if (is_set)
		report_set_end(runner->report);
}

bool resume_visit(struct runner *runner, const struct visit *visit, bool *wanted)
{
	if (!runner->resume.recorded || !schedule_was_made(visit, runner->resume.recorded, wanted))
		return false;
	if (!*wanted && leads(runner))
		replay_visit(runner, visit);
	return true;
}

int resume_clear(struct test_run *run, struct error *err)
{
	const struct plan *trees = run->worker.trees;
	const struct metadata *names = metadata_of(run->spec);
	const bool stay = names && !names->remove;
	const uint64_t end = stay ? test_repetitions_most(run->test) : run->count + 1;
	int ret = 0;

	if (!trees || !trees->metadata || !trees->metadata->create)
		return 0;
	for (uint64_t i = run->count; i < end && !ret; i++) {
		run->worker.metadata->test_directories = trees->tree.trees;
		ret = test_directories_clean_up(&run->worker, i, err);
	}
	return ret;
}
