/* Values of one option table, and the core's own tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "options/foreign.h"
#include "options/test.h"
#include "tests/unit/fake_vocabulary.h"

static const struct origin in_file = {.kind = ORIGIN_FILE, .line = 3, .column = 1};
static const struct origin by_flag = {.kind = ORIGIN_COMMAND_LINE, .line = 1};

struct sample {
	uint64_t size, count;
	int64_t integer;
	unsigned level;
	double seconds;
	bool boolean;
	const char *string, *word;
	int choice;
	const char *hint;
};

static const char *const colours[] = {"red", "dark_green", "blue", NULL};
static const char *const colour_aliases[] = {NULL, "green GRN", NULL};

static const struct option sample_rows[] = {
	SIZE(struct sample, size, .letter = 's', .initial = "4k", .min = 512, .max = 1 << 20),
	COUNT(struct sample, count, .initial = "7", .max = 100),
	INTEGER(struct sample, integer),
	LEVEL(struct sample, level, .letter = 'l', .max = 3),
	SECONDS(struct sample, seconds, .initial = "1.5", .max = 10),
	BOOL(struct sample, boolean, .aliases = "flag ticked"),
	STRING(struct sample, string),
	STRING(struct sample, word, .initial = "abc", .bare = "all"),
	CHOICE(struct sample, choice, colours, .choice_aliases = colour_aliases),
	PAIRS(struct sample, hint, .aliases = "hints"),
};

static const struct option_table sample_table = {
	.prefix = "sample",
	.rows = sample_rows,
	.count = sizeof(sample_rows) / sizeof(sample_rows[0]),
	.values_size = sizeof(struct sample),
};

static int start(void **state)
{
	struct option_set *set = malloc(sizeof(*set));

	option_set_init(set, &sample_table);
	*state = set;
	return 0;
}

static int stop(void **state)
{
	option_set_release(*state);
	free(*state);
	return 0;
}

static const struct sample *sample_of(const struct option_set *set)
{
	return set->values;
}

static void set_ok(struct option_set *set, const char *key, const char *text)
{
	struct error err;

	if (option_set_value(set, option_find(set->table, key), text, in_file, &err))
		fail_msg("%s", err.text);
}

static void assert_refused(struct option_set *set, const char *key, const char *text,
			   const char *message)
{
	struct error err = {0};

	assert_int_equal(option_set_value(set, option_find(set->table, key), text, in_file, &err),
			 -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
}

static void defaults_are_parsed_and_known_as_such(void **state)
{
	const struct option_set *set = *state;

	assert_int_equal(sample_of(set)->size, 4096);
	assert_int_equal(sample_of(set)->count, 7);
	assert_string_equal(sample_of(set)->word, "abc");
	assert_null(sample_of(set)->string);
	assert_int_equal(option_origin(set, &sample_rows[0]).kind, ORIGIN_DEFAULT);
}

static void each_type_takes_its_values(void **state)
{
	struct option_set *set = *state;
	const struct sample *sample = sample_of(set);

	set_ok(set, "size", "64k");
	set_ok(set, "count", "12");
	set_ok(set, "integer", "-3");
	set_ok(set, "level", "2");
	set_ok(set, "seconds", "500ms");
	set_ok(set, "TICKED", "yes");
	set_ok(set, "string", "a b");
	set_ok(set, "choice", "DarkGreen");
	assert_int_equal(sample->size, 65536);
	assert_int_equal(sample->count, 12);
	assert_int_equal(sample->integer, -3);
	assert_int_equal(sample->level, 2);
	assert_true(sample->seconds == 0.5);
	assert_true(sample->boolean);
	assert_string_equal(sample->string, "a b");
	assert_int_equal(sample->choice, 1);
	set_ok(set, "choice", "grn");
	assert_int_equal(sample->choice, 1);
	assert_int_equal(option_origin(set, &sample_rows[0]).line, 3);
}

static void what_is_wrong_is_said_with_the_key_and_the_value(void **state)
{
	struct option_set *set = *state;

	assert_refused(set, "size", "100", "sample.size: 100 is too small; the least is 512");
	assert_refused(set, "size", "2m", "sample.size: 2MiB is too large; the most is 1MiB");
	assert_refused(set, "count", "101", "sample.count: 101 is too large; the most is 100");
	assert_refused(set, "level", "4", "sample.level: 4 is too large; the most is 3");
	assert_refused(set, "seconds", "11", "sample.seconds: 11 is too long; the most is 10 s");
	assert_refused(set, "boolean", "maybe",
		       "sample.boolean: \"maybe\" is not yes or no; write 1 or 0");
	assert_refused(set, "choice", "bleu",
		       "sample.choice: \"bleu\" is none of red, dark_green, "
		       "blue; did you mean blue?");
	assert_refused(set, "choice", "7", "sample.choice: \"7\" is none of red, dark_green, blue");
	assert_refused(
		set, "integer", "x",
		"sample.integer: \"x\" is not a number; write a whole number such as 16 or -1");
	assert_refused(set, "size", NULL, "sample.size: needs a value");
}

static void a_refused_value_changes_nothing(void **state)
{
	struct option_set *set = *state;
	struct error err;

	option_set_value(set, &sample_rows[0], "100", by_flag, &err);
	assert_int_equal(sample_of(set)->size, 4096);
	assert_int_equal(option_origin(set, &sample_rows[0]).kind, ORIGIN_DEFAULT);
}

static void a_bare_flag_means_what_its_type_says(void **state)
{
	struct option_set *set = *state;

	set_ok(set, "boolean", NULL);
	set_ok(set, "word", NULL);
	assert_true(sample_of(set)->boolean);
	assert_string_equal(sample_of(set)->word, "all");
}

static void repeated_levels_count_up_to_the_most(void **state)
{
	struct option_set *set = *state;

	for (unsigned i = 1; i <= 3; i++) {
		set_ok(set, "level", NULL);
		assert_int_equal(sample_of(set)->level, i);
	}
	assert_refused(set, "level", NULL, "sample.level: 4 is too large; the most is 3");
}

static void levels_of_the_command_line_do_not_add_to_the_files(void **state)
{
	struct option_set *set = *state;
	struct error err;

	set_ok(set, "level", "2");
	assert_int_equal(option_set_value(set, &sample_rows[3], NULL, by_flag, &err), 0);
	assert_int_equal(sample_of(set)->level, 1);
}

static void a_copy_has_strings_of_its_own(void **state)
{
	struct option_set *set = *state, copy;

	set_ok(set, "string", "first");
	option_set_copy(&copy, set);
	set_ok(set, "string", "second");
	assert_string_equal(sample_of(&copy)->string, "first");
	assert_int_equal(option_origin(&copy, option_find(&sample_table, "string")).line, 3);
	option_set_release(&copy);
}

static void a_string_may_be_set_to_itself(void **state)
{
	struct option_set *set = *state;

	set_ok(set, "string", "same");
	set_ok(set, "string", sample_of(set)->string);
	assert_string_equal(sample_of(set)->string, "same");
}

static void values_are_written_as_in_a_job_file(void **state)
{
	static const char *const values[] = {"512KiB", "7",   "-3",  "2",   "0.25",
					     "1",      "a b", "abc", "blue"};
	struct option_set *set = *state;
	char buffer[64];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		set_ok(set, sample_rows[i].name, values[i]);
		option_format(set, &sample_rows[i], buffer, sizeof(buffer));
		assert_string_equal(buffer, values[i]);
	}
}

static void short_times_are_written_without_exponent(void **state)
{
	static const struct {
		const char *given, *written;
	} cases[] = {{"20us", "0.00002"},
		     {"1ns", "0.000000001"},
		     {"0", "0"},
		     {"0.0001", "0.0001"},
		     {"0.0000000000000000000000001", "0"}};
	struct option_set *set = *state;
	char buffer[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_ok(set, "seconds", cases[i].given);
		option_format(set, option_find(&sample_table, "seconds"), buffer, sizeof(buffer));
		assert_string_equal(buffer, cases[i].written);
	}
}

/* Pairs */

static void pair_ok(struct option_set *set, const char *name, const char *value)
{
	struct error err;

	if (option_set_pair(set, option_find(set->table, "hint"), name, value, in_file, &err))
		fail_msg("%s", err.text);
}

static void a_name_has_one_value_and_its_own_spelling(void **state)
{
	struct option_set *set = *state;

	assert_null(sample_of(set)->hint);
	pair_ok(set, "cb_nodes", "4");
	pair_ok(set, "CB_Nodes", "a=b, c");
	pair_ok(set, "cb-nodes.x", "1");
	pair_ok(set, "cb_nodes", "8");
	assert_string_equal(sample_of(set)->hint, "cb_nodes=8\nCB_Nodes=a=b, c\ncb-nodes.x=1\n");
	assert_int_equal(option_origin(set, option_find(set->table, "hints")).line, 3);
}

static void an_empty_value_takes_the_name_away(void **state)
{
	struct option_set *set = *state;

	pair_ok(set, "a", "1");
	pair_ok(set, "b", "2");
	pair_ok(set, "a", "");
	assert_string_equal(sample_of(set)->hint, "b=2\n");
	pair_ok(set, "b", "");
	pair_ok(set, "b", "");
	assert_null(sample_of(set)->hint);
}

static void pairs_are_copied_and_written_as_lines(void **state)
{
	struct option_set *set = *state, copy;
	char buffer[64];

	pair_ok(set, "a", "1");
	option_set_copy(&copy, set);
	pair_ok(set, "a", "2");
	assert_string_equal(sample_of(&copy)->hint, "a=1\n");
	assert_string_equal(option_format(set, option_find(&sample_table, "hint"), buffer,
					  sizeof(buffer)),
			    "a=2\n");
	option_set_release(&copy);
}

static void lines_are_taken_apart_again(void **state)
{
	const char *lines = "a=1\nlong=x=y\n", *none = NULL;
	struct option_pair pair;

	(void)state;
	assert_false(option_pair_next(&none, &pair));
	assert_true(option_pair_next(&lines, &pair));
	assert_int_equal(pair.name_length, 1);
	assert_int_equal(pair.value_length, 1);
	assert_true(option_pair_next(&lines, &pair));
	assert_memory_equal(pair.name, "long=x=y\n", 9);
	assert_int_equal(pair.name_length, 4);
	assert_int_equal(pair.value_length, 3);
	assert_false(option_pair_next(&lines, &pair));
}

static void assert_pair_refused(struct option_set *set, const char *name, const char *value,
				const char *message)
{
	const struct option *row = option_find(set->table, "hint");
	struct error err = {0};

	assert_int_equal(option_set_pair(set, row, name, value, in_file, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	assert_string_equal(sample_of(set)->hint, "a=1\n");
}

static void pairs_that_are_no_line_are_refused(void **state)
{
	struct option_set *set = *state;

	pair_ok(set, "a", "1");
	assert_refused(set, "hint", "a=1", "sample.hint: a point and a name are missing after it");
	assert_refused(set, "hint", NULL, "sample.hint: needs a value");
	assert_pair_refused(set, "", "1", "sample.hint: the name after the point is missing");
	assert_pair_refused(set, "a=b", "1",
			    "sample.hint: a name must not hold \"=\" or a control character");
	assert_pair_refused(set, "a\nb", "1",
			    "sample.hint: a name must not hold \"=\" or a control character");
	assert_pair_refused(set, "a", NULL, "sample.hint: a needs a value");
	assert_pair_refused(set, "a", "1\n2",
			    "sample.hint: the value of a holds a control character");
}

/* The core's tables */

static const struct option_table *const core[] = {&test_options, &run_options};

static void no_two_options_share_a_name_or_a_letter(void **state)
{
	(void)state;
	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; i < core[t]->count; i++) {
			const struct option *row = &core[t]->rows[i];

			assert_ptr_equal(option_find(core[t], row->name), row);
			assert_null(option_find(core[1 - t], row->name));
			if (!row->letter)
				continue;
			assert_ptr_equal(option_find_letter(core[t], row->letter), row);
			assert_null(option_find_letter(core[1 - t], row->letter));
			assert_int_not_equal(row->letter, 'O');
		}
}

/* Bytes from one row's member to the next; padding is less than eight of them. */
static void assert_no_gap(const struct option_table *table)
{
	for (size_t from = 0; from < table->values_size;) {
		size_t next = table->values_size;

		for (size_t i = 0; i < table->count; i++)
			if (table->rows[i].offset > from && table->rows[i].offset < next)
				next = table->rows[i].offset;
		assert_true(next - from <= 8);
		from = next;
	}
}

static void every_member_has_a_row(void **state)
{
	(void)state;
	assert_no_gap(&test_options);
	assert_no_gap(&run_options);
}

static void every_row_has_a_group_and_help(void **state)
{
	(void)state;
	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; i < core[t]->count; i++) {
			assert_non_null(core[t]->rows[i].group);
			assert_non_null(core[t]->rows[i].help);
		}
}

static void the_clocks_are_in_the_order_of_their_enum(void **state)
{
	const struct option *row = option_find(&run_options, "clock");

	(void)state;
	assert_string_equal(row->choices[CLOCK_SOURCE_AUTO], "auto");
	assert_string_equal(row->choices[CLOCK_SOURCE_TSC], "tsc");
	assert_string_equal(row->choices[CLOCK_SOURCE_MONOTONIC], "monotonic");
}

static void what_iorx_has_is_not_called_foreign(void **state)
{
	const struct option_table *ior = foreign_options(WORKLOAD_DATA);

	(void)state;
	for (size_t i = 0; i < ior->count; i++)
		for (size_t t = 0; t < 2; t++) {
			assert_null(option_find(core[t], ior->rows[i].name));
			assert_null(option_find_letter(core[t], ior->rows[i].letter));
		}
}

static void assert_not_found(const char *name, const char *message)
{
	struct error err;
	struct key key;

	assert_int_equal(vocabulary_find(&fake_vocabulary, name, &key, &err), -1);
	assert_string_equal(err.text, message);
}

static void a_mistyped_key_gets_a_suggestion(void **state)
{
	(void)state;
	assert_not_found("transfersiz", "transfersiz: unknown option; did you mean transfer_size?");
	assert_not_found("trasfer", "trasfer: unknown option; did you mean transfer_size?");
	assert_not_found("blok-size", "blok-size: unknown option; did you mean block_size?");
	assert_not_found("odirect", "odirect: unknown option; did you mean posix.direct?");
	assert_not_found("zebra", "zebra: unknown option; --help shows all");
	assert_not_found("posix.strip", "posix.strip: unknown option; did you mean posix.stripe?");
	assert_not_found("posix.xyzzy",
			 "posix.xyzzy: unknown option; --help=posix shows those of posix");
	assert_not_found("posx.direct",
			 "posx.direct: there is no backend posx; did you mean posix?");
	assert_not_found("xyzzy.direct", "xyzzy.direct: there is no backend xyzzy; --list-backends "
					 "shows them");
	assert_not_found("--", "the name of an option is missing");
}

static void the_name_in_a_key_stays_as_it_is(void **state)
{
	struct error err;
	struct key key;

	(void)state;
	assert_int_equal(vocabulary_find(&fake_vocabulary, "--Dummy.HINT.cb_Nodes.x", &key, &err),
			 0);
	assert_string_equal(key.row->name, "hint");
	assert_string_equal(key.pair_name, "cb_Nodes.x");
	assert_int_equal(vocabulary_find(&fake_vocabulary, "null.hint", &key, &err), 0);
	assert_null(key.pair_name);
	assert_not_found("null.hnt.cb_Nodes",
			 "null.hnt.cb_Nodes: unknown option; did you mean null.hint.cb_Nodes?");
	assert_not_found("hint.cb_Nodes",
			 "hint.cb_Nodes: unknown option; did you mean null.hint.cb_Nodes?");
	assert_not_found("posix.direct.x",
			 "posix.direct.x: unknown option; --help=posix shows those of posix");
}

static void what_only_ior_has_is_said_so(void **state)
{
	struct error err;
	struct key key;

	(void)state;
	assert_int_equal(vocabulary_find_letter(&fake_vocabulary, 'P', &key, &err), -1);
	assert_non_null(strstr(err.text, "-P: useSharedFilePointer: tasks that share"));
}

static void old_names_lead_to_what_iorx_has(void **state)
{
	struct error err;
	struct key key;

	(void)state;
	assert_int_equal(vocabulary_find(&fake_vocabulary, "useO_DIRECT", &key, &err), 0);
	assert_int_equal(key.scope, KEY_BACKEND);
	assert_string_equal(key.row->name, "direct");
	assert_int_equal(vocabulary_find(&fake_vocabulary, "--dummy.delay-xfer", &key, &err), 0);
	assert_int_equal(key.backend, 1);
	assert_int_equal(vocabulary_find(&fake_vocabulary, "reorderTasksConstant", &key, &err), 0);
	assert_string_equal(key.row->name, "reorder_tasks");
}

#define WITH_SAMPLE(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SAMPLE(defaults_are_parsed_and_known_as_such),
		WITH_SAMPLE(each_type_takes_its_values),
		WITH_SAMPLE(what_is_wrong_is_said_with_the_key_and_the_value),
		WITH_SAMPLE(a_refused_value_changes_nothing),
		WITH_SAMPLE(a_bare_flag_means_what_its_type_says),
		WITH_SAMPLE(repeated_levels_count_up_to_the_most),
		WITH_SAMPLE(levels_of_the_command_line_do_not_add_to_the_files),
		WITH_SAMPLE(a_copy_has_strings_of_its_own),
		WITH_SAMPLE(a_string_may_be_set_to_itself),
		WITH_SAMPLE(values_are_written_as_in_a_job_file),
		WITH_SAMPLE(short_times_are_written_without_exponent),
		WITH_SAMPLE(a_name_has_one_value_and_its_own_spelling),
		WITH_SAMPLE(an_empty_value_takes_the_name_away),
		WITH_SAMPLE(pairs_are_copied_and_written_as_lines),
		WITH_SAMPLE(pairs_that_are_no_line_are_refused),
		cmocka_unit_test(lines_are_taken_apart_again),
		cmocka_unit_test(no_two_options_share_a_name_or_a_letter),
		cmocka_unit_test(every_member_has_a_row),
		cmocka_unit_test(every_row_has_a_group_and_help),
		cmocka_unit_test(the_clocks_are_in_the_order_of_their_enum),
		cmocka_unit_test(what_iorx_has_is_not_called_foreign),
		cmocka_unit_test(a_mistyped_key_gets_a_suggestion),
		cmocka_unit_test(the_name_in_a_key_stays_as_it_is),
		cmocka_unit_test(what_only_ior_has_is_said_so),
		cmocka_unit_test(old_names_lead_to_what_iorx_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
