/* How much slower the tests of a set were than alone. */
#include "page/slowdowns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "page/layout.h"
#include "page/quotient.h"
#include "page/table.h"
#include "record/json.h"

/* A test of a set in one series, and alone. */
struct pair {
	const struct study_row *together, *alone;
};

/* How many times slower by the rate. At a rate that says nothing. */
static struct quotient slowdown_of(const struct pair *pair)
{
	if (pair->together->asked > 0)
		return (struct quotient){NAN, NAN, NAN};
	return quotient_of(&pair->alone->rate, &pair->together->rate);
}

/* A load beside others has a phase for each of theirs, and alone one phase. */
static bool is_same_series(const struct study_row *together, const struct study_row *alone)
{
	return alone->series.operation == together->series.operation &&
	       alone->kind == together->kind &&
	       (*together->beside || alone->series.phase == together->series.phase);
}

/* The row of the same series alone; NULL: none. */
static const struct study_row *find_alone(const struct studies *tests,
					  const struct study_row *together)
{
	for (size_t i = 0; i < tests->count; i++) {
		const struct study_row *row = &tests->rows[i];

		if (row->spec->set.alone && row->spec->set.alone_of == together->test &&
		    is_same_series(together, row))
			return row;
	}
	return NULL;
}

/* Finds the next pair from row *at on, and moves *at behind it. False: there is none. */
static bool next_pair(const struct studies *tests, size_t *at, struct pair *pair)
{
	while (*at < tests->count) {
		const struct study_row *together = &tests->rows[(*at)++];
		const struct study_row *alone = find_alone(tests, together);

		if (!alone)
			continue;
		*pair = (struct pair){together, alone};
		return true;
	}
	return false;
}

static bool is_known(const struct line_median *a, const struct line_median *b)
{
	return isfinite(a->value) || isfinite(b->value);
}

#define LABEL "%-11.11s %-16.16s"
enum { SLOWDOWN_COLUMNS = 5, LABEL_SIZE = 64 };

static const struct column columns[SLOWDOWN_COLUMNS] = {
	{"together", 8, CELL_NUMBER}, {"alone", 7, CELL_NUMBER}, {"slower", 6, CELL_NUMBER},
	{"from", 6, CELL_NUMBER},     {"to", 6, CELL_NUMBER},
};

static const struct column time_columns[SLOWDOWN_COLUMNS] = {
	{"together", 8, CELL_TIME}, {"alone", 7, CELL_TIME}, {"slower", 6, CELL_NUMBER},
	{"from", 6, CELL_NUMBER},   {"to", 6, CELL_NUMBER},
};

/* Prints a row of the table. name: of the test; "": it stands above. unit 0: response times. */
static void slowdowns_print_row(struct text *out, const char *name, const char *what, double unit,
				const struct line_median *together, const struct line_median *alone)
{
	const bool times = !(unit > 0);
	const struct quotient slower =
		times ? quotient_of(together, alone) : quotient_of(alone, together);
	const double one = times ? 1 : unit;
	const double values[SLOWDOWN_COLUMNS] = {together->value / one, alone->value / one,
						 slower.value, slower.lower, slower.upper};
	const bool is_undecided = quotient_is_undecided(&slower);
	char label[LABEL_SIZE];

	snprintf(label, sizeof(label), LABEL, name, what);
	table_print_row(out, label, times ? time_columns : columns, values, SLOWDOWN_COLUMNS,
			is_undecided ? " undecided" : "");
}

static void add_rate(struct text *out, const struct rate_unit *data, const struct pair *pair,
		     const char *name)
{
	const struct study_row *row = pair->together;
	const struct rate_unit unit = rate_unit_of(row->kind, data);
	char what[32];

	snprintf(what, sizeof(what), "%s%s %s", row->series.part ? "  " : "",
		 row->series.part ? row->series.part : phase_name(row->kind), unit.name);
	slowdowns_print_row(out, name, what, unit.bytes, &row->rate, &pair->alone->rate);
}

/* Appends in how many repetitions the rate was missed; nothing if in none. */
static void add_missed(struct text *out, const struct pair *pair)
{
	const struct study_row *together = pair->together, *alone = pair->alone;
	const double rates[] = {together->rate.value, alone->rate.value};
	char label[LABEL_SIZE], what[48], missed[128], of_alone[64] = "";

	if (!together->missed && !alone->missed)
		return;
	snprintf(what, sizeof(what), "op/s of %s", units_fit_number(together->asked, 6).text);
	snprintf(label, sizeof(label), LABEL, "", what);
	if (alone->missed)
		snprintf(of_alone, sizeof(of_alone), ", alone %" PRIu64 " of %" PRIu64,
			 alone->missed, alone->repetitions);
	snprintf(missed, sizeof(missed), " missed in %" PRIu64 " of %" PRIu64 "%s",
		 together->missed, together->repetitions, of_alone);
	table_print_row(out, label, columns, rates, 2, missed);
}

static void add_responses(struct text *out, const struct pair *pair, const char *name)
{
	const struct study_row *a = pair->together, *b = pair->alone;

	if (is_known(&a->response_p99, &b->response_p99)) {
		slowdowns_print_row(out, name, "p99 response", 0, &a->response_p99,
				    &b->response_p99);
		name = "";
	}
	slowdowns_print_row(out, name, "mean response", 0, &a->response_mean, &b->response_mean);
	add_missed(out, pair);
}

static void slowdowns_add_pair(struct text *out, const struct rate_unit *unit,
			       const struct pair *pair, bool is_first)
{
	const struct study_row *row = pair->together;
	const char *name = test_of(row->spec)->name;
	char number[24];

	snprintf(number, sizeof(number), "test %u", row->test);
	name = !is_first ? "" : name ? name : number;
	if (!(row->asked > 0))
		add_rate(out, unit, pair, name);
	else if (!row->series.part)
		add_responses(out, pair, name);
	if (*row->beside && !row->series.part) {
		struct text beside = {0};

		text_add(&beside, "beside %s", row->beside);
		layout_words(out, "", 12, &beside);
	}
}

static void add_head(struct text *out, unsigned set)
{
	char label[LABEL_SIZE];

	snprintf(label, sizeof(label), "set %u", set);
	layout_paragraph(out, label, 11,
			 "medians; slower: how many times, in an interval of at least 90 %");
	snprintf(label, sizeof(label), LABEL, "test", "phase");
	table_print_head(out, label, columns, SLOWDOWN_COLUMNS);
}

void slowdowns_page(const struct studies *tests, const struct rate_unit *unit, struct text *out)
{
	struct pair pair;
	unsigned set = 0, test = 0;

	for (size_t at = 0; next_pair(tests, &at, &pair); test = pair.together->test) {
		const unsigned number = pair.together->spec->set.number;

		if (number != set) {
			text_add(out, "%s", set ? "\n" : "");
			add_head(out, number);
		}
		slowdowns_add_pair(out, unit, &pair, number != set || pair.together->test != test);
		set = number;
	}
	if (set)
		text_add(out, "\n");
}

static void put_rate(json_t *object, const char *what, const struct study_row *row)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_%s", what, line_unit(row->kind));
	put_number(object, key, row->rate.value);
}

static void put_quotient(json_t *object, const struct quotient *quotient)
{
	json_t *interval;

	put_number(object, "slowdown", quotient->value);
	interval = put_object_if(object, "interval", quotient_is_bounded(quotient));
	if (interval) {
		put_number(interval, "confidence", 0.9);
		put_number(interval, "lower", quotient->lower);
		put_number(interval, "upper", quotient->upper);
	}
}

static void put_response(json_t *object, const char *name, const struct line_median *together,
			 const struct line_median *alone)
{
	const struct quotient quotient = quotient_of(together, alone);
	json_t *response = put_object_if(object, name, is_known(together, alone));

	if (!response)
		return;
	put_number(response, "together_ns", together->value);
	put_number(response, "alone_ns", alone->value);
	put_quotient(response, &quotient);
}

static json_t *record_pair(const struct pair *pair)
{
	const struct study_row *row = pair->together, *alone = pair->alone;
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
	put_count(object, "together_repetitions", row->repetitions);
	put_count(object, "alone_repetitions", alone->repetitions);
	put_number_if(object, "asked_operations_per_s", row->asked > 0, row->asked);
	put_rate(object, "together", row);
	put_rate(object, "alone", alone);
	put_quotient(object, &slowdown);
	put_count_if(object, "together_p99_ns", row->served_p99_ns, row->served_p99_ns);
	put_count_if(object, "alone_p99_ns", alone->served_p99_ns, alone->served_p99_ns);
	put_response(object, "mean_response", &row->response_mean, &alone->response_mean);
	put_response(object, "p99_response", &row->response_p99, &alone->response_p99);
	put_count_if(object, "together_missed", is_judged, row->missed);
	put_count_if(object, "alone_missed", is_judged, alone->missed);
	return object;
}

json_t *slowdowns_record(const struct studies *tests)
{
	json_t *array = json_array();
	struct pair pair;

	for (size_t at = 0; next_pair(tests, &at, &pair);)
		json_array_append_new(array, record_pair(&pair));
	return array;
}
