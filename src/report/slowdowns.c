/* How much slower the tests of a set were than alone. */
#include "report/slowdowns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"
#include "report/json.h"
#include "report/layout.h"
#include "report/table.h"

void slowdowns_release(struct slowdowns *slowdowns)
{
	free(slowdowns->rows);
	*slowdowns = (struct slowdowns){0};
}

static void add_row(struct slowdowns *slowdowns, const struct slowdown_row *row)
{
	slowdowns->rows =
		memory_grow(slowdowns->rows, (slowdowns->count + 1) * sizeof(*slowdowns->rows));
	slowdowns->rows[slowdowns->count++] = *row;
}

void slowdowns_add(struct slowdowns *slowdowns, const struct test_result *test,
		   const struct assessed_summary *assessed)
{
	const struct plan *plan = test->plan;

	for (unsigned i = 0; i < plan->phase_count && test->spec->set.number; i++) {
		const struct rate_summary *summary = &assessed[i].summary;
		struct slowdown_row row = {
			.spec = test->spec,
			.test = test->number,
			.kind = plan->phases[i].kind,
			.beside = plan->phases[i].beside,
			.series = summary->series,
			.rate = summary->rate,
			.p99_ns = summary->times.p99_ns,
		};

		if (plan_is_layout(plan, &plan->phases[i]))
			continue;
		add_row(slowdowns, &row);
		for (unsigned k = 0; k < summary->part_count; k++) {
			row.series = summary->parts[k].series;
			row.rate = summary->parts[k].rate;
			row.p99_ns = summary->parts[k].times.p99_ns;
			add_row(slowdowns, &row);
		}
	}
}

/* A test of a set in one series, and alone. */
struct pair {
	const struct slowdown_row *together, *alone;
	double slowdown;     /* NAN: one of the two has no complete repetition */
	double lower, upper; /* at least 90 %; NAN: not known */
};

static struct pair pair_of(const struct slowdown_row *together, const struct slowdown_row *alone)
{
	const struct spread *a = &together->rate, *b = &alone->rate;
	const bool known = a->count && b->count && a->median > 0;
	const bool bounded = known && a->interval.possible && b->interval.possible;

	return (struct pair){
		.together = together,
		.alone = alone,
		.slowdown = known ? b->median / a->median : NAN,
		/* Both medians are in their 95 % intervals in 90 % of all cases or more. */
		.lower = bounded && a->interval.upper > 0 ? b->interval.lower / a->interval.upper
							  : NAN,
		.upper = bounded && a->interval.lower > 0 ? b->interval.upper / a->interval.lower
							  : NAN,
	};
}

/* A load beside others has a phase for each of theirs, and alone one phase. */
static bool is_same_series(const struct slowdown_row *together, const struct slowdown_row *alone)
{
	return alone->series.operation == together->series.operation &&
	       alone->kind == together->kind &&
	       (*together->beside || alone->series.phase == together->series.phase);
}

/* The row of the same series alone; NULL: none. */
static const struct slowdown_row *find_alone(const struct slowdowns *slowdowns,
					     const struct slowdown_row *together)
{
	for (size_t i = 0; i < slowdowns->count; i++) {
		const struct slowdown_row *row = &slowdowns->rows[i];

		if (row->spec->set.alone && row->spec->set.alone_of == together->test &&
		    is_same_series(together, row))
			return row;
	}
	return NULL;
}

/* Finds the next pair from row *at on, and moves *at behind it. False: there is none. */
static bool next_pair(const struct slowdowns *slowdowns, size_t *at, struct pair *pair)
{
	while (*at < slowdowns->count) {
		const struct slowdown_row *together = &slowdowns->rows[(*at)++];
		const struct slowdown_row *alone = find_alone(slowdowns, together);

		if (!alone)
			continue;
		*pair = pair_of(together, alone);
		return true;
	}
	return false;
}

enum { SLOWDOWN_COLUMNS = 7 };

static const struct column columns[SLOWDOWN_COLUMNS] = {
	{"together", 8, CELL_NUMBER, 0}, {"alone", 7, CELL_NUMBER, 0},
	{"slower", 6, CELL_NUMBER, 0},	 {"from", 5, CELL_NUMBER, 0},
	{"to", 5, CELL_NUMBER, 0},	 {"p99", 6, CELL_TIME, 0},
	{"alone", 6, CELL_TIME, 0},
};

/* The first row of a test has its name, the first one of a phase that of the phase. */
static void add_label(struct text *line, const struct slowdown_row *row, bool is_first)
{
	const char *name = test_of(row->spec)->name;
	char number[24], part[24];

	snprintf(number, sizeof(number), "test %u", row->test);
	snprintf(part, sizeof(part), "  %s", row->series.part ? row->series.part : "");
	text_add(line, "%-11.11s %-11.11s %-5s",
		 !is_first ? ""
		 : name	   ? name
			   : number,
		 row->series.part ? part : phase_name(row->kind),
		 phase_moves_data(row->kind) ? "MiB/s" : "op/s");
}

static void add_line(struct text *out, const struct pair *pair, bool is_first)
{
	const struct slowdown_row *row = pair->together;
	const double unit = phase_moves_data(row->kind) ? (double)MIB : 1;
	const double values[SLOWDOWN_COLUMNS] = {
		row->rate.count ? row->rate.median / unit : NAN,
		pair->alone->rate.count ? pair->alone->rate.median / unit : NAN,
		pair->slowdown,
		pair->lower,
		pair->upper,
		table_time(row->p99_ns),
		table_time(pair->alone->p99_ns)};
	struct text line = {0};

	add_label(&line, row, is_first);
	table_cells(&line, columns, values, SLOWDOWN_COLUMNS, 0);
	layout_line(out, text_string(&line));
	if (*row->beside && !row->series.part) {
		text_clear(&line);
		text_add(&line, "beside %s", row->beside);
		layout_paragraph(out, "", 12, text_string(&line));
	}
	text_release(&line);
}

static void add_head(struct text *out, unsigned set)
{
	struct text head = {0};
	char label[24];

	snprintf(label, sizeof(label), "set %u", set);
	layout_paragraph(out, label, 11,
			 "medians of rates together and alone; slower = alone / together, with an "
			 "interval of at least 90 %; a load at a rate keeps it: compare its p99");
	text_add(&head, "%-11s %-11s %-5s", "test", "phase", "unit");
	table_head(&head, columns, SLOWDOWN_COLUMNS);
	layout_line(out, text_string(&head));
	text_release(&head);
}

void slowdowns_page(const struct slowdowns *slowdowns, struct text *out)
{
	struct pair pair;
	unsigned set = 0, test = 0;

	for (size_t at = 0; next_pair(slowdowns, &at, &pair); test = pair.together->test) {
		const unsigned number = pair.together->spec->set.number;

		if (number != set) {
			text_add(out, "%s", set ? "\n" : "");
			add_head(out, number);
		}
		add_line(out, &pair, number != set || pair.together->test != test);
		set = number;
	}
	if (set)
		text_add(out, "\n");
}

static void put_rate(json_t *object, const char *what, const struct slowdown_row *row)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_%s_per_s", what,
		 phase_moves_data(row->kind) ? "bytes" : "operations");
	put_number_if(object, key, row->rate.count, row->rate.median);
}

static json_t *record_pair(const struct pair *pair)
{
	const struct slowdown_row *row = pair->together;
	json_t *object = json_object(), *interval;

	put_count(object, "set", row->spec->set.number);
	put_count(object, "test", row->test);
	put_count(object, "alone_test", pair->alone->test);
	put_text(object, "name", test_of(row->spec)->name);
	put_text(object, "phase", phase_name(row->kind));
	put_count(object, "phase_index", row->series.phase);
	put_text(object, "part", row->series.part);
	put_text(object, "beside", *row->beside ? row->beside : NULL);
	put_rate(object, "together", row);
	put_rate(object, "alone", pair->alone);
	put_number_if(object, "slowdown", isfinite(pair->slowdown), pair->slowdown);
	interval =
		put_object_if(object, "interval", isfinite(pair->lower) && isfinite(pair->upper));
	if (interval) {
		put_number(interval, "confidence", 0.9);
		put_number(interval, "lower", pair->lower);
		put_number(interval, "upper", pair->upper);
	}
	put_count_if(object, "together_p99_ns", row->p99_ns, row->p99_ns);
	put_count_if(object, "alone_p99_ns", pair->alone->p99_ns, pair->alone->p99_ns);
	return object;
}

json_t *slowdowns_record(const struct slowdowns *slowdowns)
{
	json_t *array = json_array();
	struct pair pair;

	for (size_t at = 0; next_pair(slowdowns, &at, &pair);)
		json_array_append_new(array, record_pair(&pair));
	return array;
}
