/* Help, for people and as JSON, made from the tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "options/describe.h"
#include "options/help.h"
#include "tests/unit/fake_vocabulary.h"

static int start(void **state)
{
	static struct text out;

	out = (struct text){0};
	*state = &out;
	return 0;
}

static int stop(void **state)
{
	text_release(*state);
	return 0;
}

static void assert_holds(const struct text *text, const char *part)
{
	if (!strstr(text_string(text), part))
		fail_msg("\"%s\" is missing in:\n%s", part, text_string(text));
}

static void help_on(const char *topic, struct text *out)
{
	struct error err;

	if (help_text(&fake_vocabulary, topic, out, &err))
		fail_msg("%s: %s", topic, err.text);
}

static void assert_flags_in(const struct text *text, enum workload workload)
{
	struct core_tables core;

	core_tables_init(&core, workload);
	for (size_t t = 0; t < core.count; t++)
		for (size_t i = 0; i < core.tables[t].count; i++) {
			struct text flag = {0};

			describe_flag(&core.tables[t], &core.tables[t].rows[i], &flag);
			assert_holds(text, text_string(&flag));
			text_release(&flag);
		}
	core_tables_release(&core);
}

static void assert_all_flags_in(const struct text *text)
{
	assert_flags_in(text, WORKLOAD_DATA);
}

static void help_on_mdtest_has_its_options(void **state)
{
	struct vocabulary names = fake_vocabulary;
	struct error err;

	names.workload = WORKLOAD_METADATA;
	assert_int_equal(help_text(&names, "", *state, &err), 0);
	assert_flags_in(*state, WORKLOAD_METADATA);
	assert_holds(*state, "Usage: mpiexec -n N iorx mdtest [OPTION]...\n");
	assert_holds(*state, "\n  -N, --stride=N ");
	assert_holds(*state, "\n      --num-tasks=N ");
	assert_null(strstr(text_string(*state), "--block-size"));
	assert_null(strstr(text_string(*state), "--script"));
}

static void help_on_load_is_that_of_its_command(void **state)
{
	struct vocabulary load = fake_vocabulary;
	struct text other = {0};
	struct error err;

	load.workload = WORKLOAD_LOAD;
	help_on("load", *state);
	assert_int_equal(help_text(&load, "", &other, &err), 0);
	assert_string_equal(text_string(*state), text_string(&other));
	text_release(&other);
	assert_flags_in(*state, WORKLOAD_LOAD);
	assert_holds(*state, "Usage: mpiexec -n N iorx load [OPTION]...\n");
	assert_holds(*state, "\n  -o, --test-file=PATH ");
	assert_holds(*state, "\n  -f, --script=FILE ");
	assert_null(strstr(text_string(*state), "--block-size"));
}

static void help_has_all_options(void **state)
{
	help_on("", *state);
	assert_all_flags_in(*state);
	assert_holds(*state, "Usage: mpiexec -n N iorx [OPTION]...\n");
	assert_holds(*state, "\nWhat is measured:\n");
	assert_holds(*state,
		     "\n  -t, --transfer-size=SIZE       Bytes moved by one call [256KiB]\n");
}

/* Also: each option of the core on one line, so none is continued at the column of the sentences.
 */
static void help_fits_into_eighty_columns(void **state)
{
	const char *line;

	help_on("", *state);
	help_on("load", *state);
	for (line = text_string(*state); *line; line += strcspn(line, "\n") + 1) {
		if (strcspn(line, "\n") > 80)
			fail_msg("too long: %.*s", (int)strcspn(line, "\n"), line);
		if (strspn(line, " ") >= 30)
			fail_msg("a second line: %.*s", (int)strcspn(line, "\n"), line);
	}
}

static void help_on_a_backend_has_its_options(void **state)
{
	help_on("POSIX", *state);
	assert_string_equal(text_string(*state),
			    "posix: Files of the operating system\n"
			    "\n"
			    "Options:\n"
			    "      --posix.direct             Open files with O_DIRECT\n"
			    "      --posix.stripe=SIZE        Bytes of a stripe [1MiB]\n"
			    "      --posix.command=TEXT       A command\n");
}

static void help_on_a_backend_takes_its_other_name(void **state)
{
	help_on("dummy", *state);
	assert_holds(*state, "null: No storage\n");
	assert_holds(*state, "Also written: --dummy.NAME\n");
}

static void help_on_an_option_is_its_whole_text(void **state)
{
	help_on("transferSize", *state);
	assert_string_equal(text_string(*state),
			    "--transfer-size=SIZE, -t SIZE\n"
			    "\n"
			    "Bytes moved by one call. It must divide the block size.\n"
			    "\n"
			    "Unit: bytes\n"
			    "Default: 256KiB\n"
			    "Least: 1\n"
			    "In a job file: transfer_size = SIZE\n");
}

static void help_knows_letters_and_keys_of_backends(void **state)
{
	help_on("t", *state);
	help_on("posix.stripe", *state);
	assert_holds(*state, "--transfer-size=SIZE, -t SIZE\n");
	assert_holds(*state, "--posix.stripe=SIZE\n");
	assert_holds(*state, "Least: 4KiB\nMost: 1GiB\n");
}

static void help_shows_where_the_name_of_a_pair_stands(void **state)
{
	help_on("null", *state);
	help_on("null.hint", *state);
	assert_holds(*state, "      --null.hint.NAME=VALUE     A hint\n");
	assert_holds(*state, "In a job file: null.hint.NAME = VALUE\n");
}

static void help_takes_flags_and_values(void **state)
{
	help_on("-C", *state);
	assert_holds(*state, "--reorder-tasks, -C\n");
	text_clear(*state);
	help_on("--block-size", *state);
	assert_holds(*state, "--block-size=SIZE, -b SIZE\n");
	text_clear(*state);
	help_on("auto", *state);
	assert_holds(*state, "auto is a value of --repetitions=N, -i N\n");
	assert_holds(*state, "auto is a value of --clock=WHICH\n");
	assert_null(strstr(text_string(*state), "--format"));
	text_clear(*state);
	help_on("Timestamp", *state);
	assert_holds(*state, "Timestamp is a value of --content=WHICH, -l WHICH\n");
}

static void help_shows_the_default_of_a_choice(void **state)
{
	help_on("", *state);
	assert_holds(*state, " Cold reads ([none]|fadvise|drop_caches|command)\n");
}

static void help_on_what_is_not_there_suggests(void **state)
{
	struct error err;

	assert_int_equal(help_text(&fake_vocabulary, "posx", *state, &err), -1);
	assert_string_equal(err.text, "posx: there is no such topic; did you mean posix?");
	assert_int_equal(help_text(&fake_vocabulary, "transfersiz", *state, &err), -1);
	assert_string_equal(err.text, "transfersiz: unknown option; did you mean transfer_size?");
}

/* The option of a list with this key. */
static const json_t *find_key(const json_t *options, const char *key)
{
	const json_t *option;
	size_t i;

	json_array_foreach(options, i,
			   option) if (!strcmp(json_string_value(json_object_get(option, "key")),
					       key)) return option;
	fail_msg("%s is missing", key);
	return NULL;
}

static void assert_member(const json_t *option, const char *name, const char *expected)
{
	char *value = json_dumps(json_object_get(option, name), JSON_ENCODE_ANY | JSON_COMPACT);

	assert_string_equal(value, expected);
	free(value);
}

static void json_has_each_option_with_its_facts(void **state)
{
	const json_t *option, *backend;
	json_t *document;

	help_on("json", *state);
	document = json_loads(text_string(*state), 0, NULL);
	option = find_key(json_object_get(document, "iorx"), "content");
	assert_member(option, "letter", "\"l\"");
	assert_member(option, "default", "\"stamped\"");
	assert_member(option, "aliases", "[\"dataPacketType\"]");
	assert_member(json_array_get(json_object_get(option, "choices"), 0), "aliases",
		      "[\"i\",\"incompressible\"]");
	option = find_key(json_object_get(document, "mdtest"), "stonewall");
	assert_member(option, "letter", "\"W\"");
	backend = json_array_get(json_object_get(document, "backends"), 0);
	assert_member(backend, "name", "\"posix\"");
	option = find_key(json_object_get(backend, "options"), "posix.stripe");
	assert_member(option, "flag", "\"--posix.stripe\"");
	assert_member(option, "min", "4096");
	assert_member(option, "unit", "\"bytes\"");
	backend = json_array_get(json_object_get(document, "backends"), 1);
	assert_member(backend, "aliases", "[\"dummy\"]");
	assert_member(find_key(json_object_get(backend, "options"), "null.hint.NAME"), "type",
		      "\"pairs\"");
	json_decref(document);
}

#define WITH_TEXT(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_TEXT(help_has_all_options),
		WITH_TEXT(help_on_mdtest_has_its_options),
		WITH_TEXT(help_on_load_is_that_of_its_command),
		WITH_TEXT(help_fits_into_eighty_columns),
		WITH_TEXT(help_on_a_backend_has_its_options),
		WITH_TEXT(help_on_a_backend_takes_its_other_name),
		WITH_TEXT(help_on_an_option_is_its_whole_text),
		WITH_TEXT(help_knows_letters_and_keys_of_backends),
		WITH_TEXT(help_shows_where_the_name_of_a_pair_stands),
		WITH_TEXT(help_takes_flags_and_values),
		WITH_TEXT(help_shows_the_default_of_a_choice),
		WITH_TEXT(help_on_what_is_not_there_suggests),
		WITH_TEXT(json_has_each_option_with_its_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
