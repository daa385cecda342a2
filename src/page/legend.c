/* The legend of the text and --help=WORD: the meaning of columns, marks and words. */
#include "options/names.h"
#include "page/layout.h"
#include "page/page.h"
#include "page/report.h"

/*
 * The legend of the text explains the columns and marks: those of rows of data, of rows of metadata
 * and loads, of all rows, and of studies.
 */
static const struct legend {
	const char *topics; /* words of --help=WORD that this paragraph explains */
	const char *words;
} legend[] = {
	{"MiB/s MB/s GiB/s GB/s op/s p50 p99 max open trans transfer sync close total",
	 "Rows of data: MiB/s (option unit) is all bytes / total time, op/s all transfers "
	 "/ total time. p50, p99 and max are service times of one transfer. open, "
	 "trans(fer), sync, close and total each last from the first task that begins to "
	 "the last task that ends, so they overlap."},
	{"op/s p50 p99 p99.9 max total done failed response",
	 "Rows of metadata and loads: op/s are operations that succeeded / total time, "
	 "for a find entries / total time. p50, p99, p99.9 and max are service times of "
	 "one operation, for a find of reading one directory. response counts from the "
	 "moment when an operation was due."},
	{"! ? o n - busy median from to",
	 "Do not believe rows with !, and read those with ? with care. Warm-up rows "
	 "have an o. -: not known; p99 needs 368 operations, p99.9 3688, and an interval 6 "
	 "repetitions. Summaries are medians over n repetitions, from and to their 95 % "
	 "interval. busy is the "
	 "share of the time of tasks, times the queue depth, that operations took."},
	{"effic efficiency best study",
	 "Studies: effic(iency) is the rate per task relative to that of the "
	 "fewest tasks, of best is relative to the highest rate. Where two options vary, "
	 "a cell is the median, in brackets its 95 % interval, and p99. best: the interval "
	 "of \"times\" is of at least 90 %, and undecided if it includes 1."},
};

/* Further words of the text, which no legend below it explains. */
static const struct legend terms[] = {
	{"phase rep repetition",
	 "phase: a part of a test that is timed by itself, such as write, read, file-create or "
	 "load. All tasks start it together. rep: the number of the repetition, from 0. Each "
	 "repetition runs all phases of the test."},
	{"test settings plan fsync caches",
	 "The paragraph behind \"test\" is the plan: the interface, the repetitions, the files, "
	 "what each task does in a phase, whether the time includes an fsync, whether memory may "
	 "answer a read, the rate of a load, and the file system, which is named once as long as "
	 "tests stay on it."},
	{"busy slowest",
	 "slowest: the longest single operation with its task, host and offset, then the task "
	 "whose operations took longest, relative to the mean of the others."},
	{"trace then replay recorded",
	 "A load that replays a trace has rows read_then and write_then where the trace "
	 "knows how long its calls took: the same columns of times, as they were when it was "
	 "recorded, of the requests that this load has made."},
	{"issued late lateness drift due",
	 "issued late: by how much operations of a replay, with -v of any load at a rate, were "
	 "issued behind the moments at which they were due, which is part of their response "
	 "times. drift: by how much more with each second; a load that keeps up has none."},
	{"slices slice within wanders",
	 "A phase is counted in slices of equal time. \"within this run only\" is the mean "
	 "rate of the transfers of a phase, without open, sync and close, if they took 1 s or "
	 "longer. It has an interval from the slices, or says that the rate fell, rose or "
	 "changed. It does not predict the next run."},
	{"summary n unit median from to sd min mean pooled",
	 "median: one row for each phase over its n repetitions without warm-up. from and to: "
	 "the 95 % interval of the median, which needs 6 repetitions. sd: standard deviation of "
	 "the rates. pooled: all bytes or operations / all total times."},
	{"verdicts verdict fail warn note good remedy",
	 "verdicts: what rules say of the numbers. fail: do not believe the row (!). warn: read "
	 "it with care (?). note: worth knowing. good: what rules found right, with -v all of "
	 "them. A cause is said once: behind \"such as\" stand the numbers of the first phase "
	 "that has it. --help=C1 explains a rule."},
	{"comparable",
	 "comparable: whether IOR or mdtest would measure the same with these options; a "
	 "keyword names each difference."},
};

enum {
	LEGENDS = sizeof(legend) / sizeof(*legend),
	TERMS = sizeof(terms) / sizeof(*terms),
};

void page_legend(const struct page *page, bool studies, struct text *out)
{
	const bool rows = page->explains[0] || page->explains[1];
	const bool shown[LEGENDS] = {page->explains[0], page->explains[1], rows, studies};

	for (size_t i = 0; page->verbose && i < LEGENDS; i++)
		if (shown[i])
			layout_paragraph(out, "", 0, legend[i].words);
	if (page->verbose && rows)
		text_add(out, "\n");
}

static void explain(const struct legend *paragraph, const char *topic, struct text *out)
{
	if (names_have(paragraph->topics, topic))
		layout_paragraph(out, "", 0, paragraph->words);
}

bool report_explain(const char *topic, struct text *out)
{
	const size_t before = out->length;

	if (!*topic) /* keys ignore "-", so nothing would match the "-" of the legend */
		return false;
	for (size_t i = 0; i < LEGENDS; i++)
		explain(&legend[i], topic, out);
	for (size_t i = 0; i < TERMS; i++)
		explain(&terms[i], topic, out);
	return out->length > before;
}
