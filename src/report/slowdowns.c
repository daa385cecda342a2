/* How much slower the tests of a set were than alone. */
#include "report/slowdowns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"
#include "plan/load.h"
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
			.asked = plan_due_rate(plan, plan->phases[i].kind),
			.response = summary->response,
		};

		if (plan_is_layout(plan, &plan->phases[i]))
			continue;
		add_row(slowdowns, &row);
		for (unsigned k = 0; k < summary->part_count; k++) {
			row.series = summary->parts[k].series;
			row.rate = summary->parts[k].rate;
			row.p99_ns = summary->parts[k].times.p99_ns;
			row.response = (struct response_summary){0};
			if (row.series.operation != OPERATION_RESPONSE)
				add_row(slowdowns, &row);
		}
	}
}

/* A test of a set in one series, and alone. */
struct pair {
	const struct slowdown_row *together, *alone;
};

struct quotient {
	double value;	     /* NAN: one of the two has no complete repetition */
	double lower, upper; /* at least 90 %; NAN: not known */
};

static struct quotient divide(const struct spread *over, const struct spread *under)
{
	const struct median_interval *a = &over->interval, *b = &under->interval;
	const bool known = over->count && under->count && under->median > 0;
	const bool bounded = known && a->possible && b->possible;

	/* Both medians are in their 95 % intervals in 90 % of all cases or more. */
	return (struct quotient){
		.value = known ? over->median / under->median : NAN,
		.lower = bounded && b->upper > 0 ? a->lower / b->upper : NAN,
		.upper = bounded && b->lower > 0 ? a->upper / b->lower : NAN,
	};
}

/* How many times slower by the rate. At a rate that says nothing. */
static struct quotient slowdown_of(const struct pair *pair)
{
	if (pair->together->asked > 0)
		return (struct quotient){NAN, NAN, NAN};
	return divide(&pair->alone->rate, &pair->together->rate);
}

static bool is_bounded(const struct quotient *quotient)
{
	return isfinite(quotient->lower) && isfinite(quotient->upper);
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
		*pair = (struct pair){together, alone};
		return true;
	}
	return false;
}

enum { SLOWDOWN_COLUMNS = 5 };

static const struct column columns[SLOWDOWN_COLUMNS] = {
	{"together", 8, CELL_NUMBER, 0}, {"alone", 7, CELL_NUMBER, 0},
	{"slower", 6, CELL_NUMBER, 0},	 {"from", 6, CELL_NUMBER, 0},
	{"to", 6, CELL_NUMBER, 0},
};

static const struct column time_columns[SLOWDOWN_COLUMNS] = {
	{"together", 8, CELL_TIME, 0}, {"alone", 7, CELL_TIME, 0}, {"slower", 6, CELL_NUMBER, 0},
	{"from", 6, CELL_NUMBER, 0},   {"to", 6, CELL_NUMBER, 0},
};

/* One line of the table. */
struct line {
	const char *name; /* of the test; "": it stands above */
	const char *what;
	const struct column *columns;
	double unit;
	const struct spread *together, *alone;
	struct quotient slower;
};

static double in_unit(const struct spread *spread, double unit)
{
	return spread->count ? spread->median / unit : NAN;
}

static void add_cells(struct text *text, const struct line *line, size_t count)
{
	const double values[SLOWDOWN_COLUMNS] = {in_unit(line->together, line->unit),
						 in_unit(line->alone, line->unit),
						 line->slower.value, line->slower.lower,
						 line->slower.upper};

	text_add(text, "%-11.11s %-16.16s", line->name, line->what);
	table_cells(text, line->columns, values, count, 0);
}

static void add_line(struct text *out, const struct line *line)
{
	struct text text = {0};

	add_cells(&text, line, SLOWDOWN_COLUMNS);
	if (is_bounded(&line->slower) && line->slower.lower <= 1 && line->slower.upper >= 1)
		text_add(&text, " undecided");
	layout_line(out, text_string(&text));
	text_release(&text);
}

static void add_rate(struct text *out, const struct pair *pair, const char *name)
{
	const struct slowdown_row *row = pair->together;
	const bool data = phase_moves_data(row->kind);
	char what[32];

	snprintf(what, sizeof(what), "%s%s %s", row->series.part ? "  " : "",
		 row->series.part ? row->series.part : phase_name(row->kind),
		 data ? "MiB/s" : "op/s");
	add_line(out, &(struct line){name, what, columns, data ? (double)MIB : 1, &row->rate,
				     &pair->alone->rate, slowdown_of(pair)});
}

/* Appends in how many repetitions the rate was missed; nothing if in none. */
static void add_missed(struct text *out, const struct pair *pair)
{
	const struct slowdown_row *together = pair->together, *alone = pair->alone;
	char what[48];
	struct text text = {0};

	if (!together->response.missed && !alone->response.missed)
		return;
	snprintf(what, sizeof(what), "op/s of %s", units_fit_number(together->asked, 6).text);
	add_cells(&text,
		  &(struct line){"", what, columns, 1, &together->rate, &alone->rate,
				 slowdown_of(pair)},
		  2);
	text_add(&text, " missed in %zu of %zu", together->response.missed, together->rate.count);
	if (alone->response.missed)
		text_add(&text, ", alone %zu of %zu", alone->response.missed, alone->rate.count);
	layout_line(out, text_string(&text));
	text_release(&text);
}

static void add_responses(struct text *out, const struct pair *pair, const char *name)
{
	const struct response_summary *a = &pair->together->response, *b = &pair->alone->response;

	if (a->p99_ns.count || b->p99_ns.count) {
		add_line(out, &(struct line){name, "p99 response", time_columns, 1, &a->p99_ns,
					     &b->p99_ns, divide(&a->p99_ns, &b->p99_ns)});
		name = "";
	}
	add_line(out, &(struct line){name, "mean response", time_columns, 1, &a->mean_ns,
				     &b->mean_ns, divide(&a->mean_ns, &b->mean_ns)});
	add_missed(out, pair);
}

static void add_pair(struct text *out, const struct pair *pair, bool is_first)
{
	const struct slowdown_row *row = pair->together;
	const char *name = test_of(row->spec)->name;
	char number[24];

	snprintf(number, sizeof(number), "test %u", row->test);
	name = !is_first ? "" : name ? name : number;
	if (!(row->asked > 0))
		add_rate(out, pair, name);
	else if (!row->series.part)
		add_responses(out, pair, name);
	if (*row->beside && !row->series.part) {
		struct text beside = {0};

		text_add(&beside, "beside %s", row->beside);
		layout_paragraph(out, "", 12, text_string(&beside));
		text_release(&beside);
	}
}

static void add_head(struct text *out, unsigned set)
{
	struct text head = {0};
	char label[24];

	snprintf(label, sizeof(label), "set %u", set);
	layout_paragraph(
		out, label, 11,
		"medians together and alone; slower = alone / together of rates, together / "
		"alone of response times, with an interval of at least 90 %");
	text_add(&head, "%-11s %-16s", "test", "phase");
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
		add_pair(out, &pair, number != set || pair.together->test != test);
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

static void put_quotient(json_t *object, const struct quotient *quotient)
{
	json_t *interval;

	put_number_if(object, "slowdown", isfinite(quotient->value), quotient->value);
	interval = put_object_if(object, "interval", is_bounded(quotient));
	if (interval) {
		put_number(interval, "confidence", 0.9);
		put_number(interval, "lower", quotient->lower);
		put_number(interval, "upper", quotient->upper);
	}
}

static void put_response(json_t *object, const char *name, const struct spread *together,
			 const struct spread *alone)
{
	const struct quotient quotient = divide(together, alone);
	json_t *response = put_object_if(object, name, together->count || alone->count);

	if (!response)
		return;
	put_number_if(response, "together_ns", together->count, together->median);
	put_number_if(response, "alone_ns", alone->count, alone->median);
	put_quotient(response, &quotient);
}

static json_t *record_pair(const struct pair *pair)
{
	const struct slowdown_row *row = pair->together, *alone = pair->alone;
	const struct quotient slowdown = slowdown_of(pair);
	/* A mix makes its operations however late. */
	const bool is_judged = row->kind == PHASE_LOAD && row->asked > 0 && !row->series.part;
	json_t *object = json_object();

	put_count(object, "set", row->spec->set.number);
	put_count(object, "test", row->test);
	put_count(object, "alone_test", alone->test);
	put_text(object, "name", test_of(row->spec)->name);
	put_text(object, "phase", phase_name(row->kind));
	put_count(object, "phase_index", row->series.phase);
	put_text(object, "part", row->series.part);
	put_text(object, "beside", *row->beside ? row->beside : NULL);
	put_count(object, "together_repetitions", row->rate.count);
	put_count(object, "alone_repetitions", alone->rate.count);
	put_number_if(object, "asked_operations_per_s", row->asked > 0, row->asked);
	put_rate(object, "together", row);
	put_rate(object, "alone", alone);
	put_quotient(object, &slowdown);
	put_count_if(object, "together_p99_ns", row->p99_ns, row->p99_ns);
	put_count_if(object, "alone_p99_ns", alone->p99_ns, alone->p99_ns);
	put_response(object, "mean_response", &row->response.mean_ns, &alone->response.mean_ns);
	put_response(object, "p99_response", &row->response.p99_ns, &alone->response.p99_ns);
	put_count_if(object, "together_missed", is_judged, row->response.missed);
	put_count_if(object, "alone_missed", is_judged, alone->response.missed);
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
