/* Commands that are printed for a shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "page/command.h"

static void assert_word(const char *word, const char *shown)
{
	struct text text = {0};

	command_add_word(&text, word);
	assert_string_equal(text_string(&text), shown);
	text_release(&text);
}

static void words_are_quoted_where_a_shell_needs_it(void **state)
{
	(void)state;
	assert_word("a/b.%t@c", "a/b.%t@c");
	assert_word("--sizes=4k/40,64k/60", "--sizes=4k/40,64k/60");
	assert_word("", "''");
	assert_word("a b", "'a b'");
	assert_word("~", "'~'");
	assert_word("it's $HOME", "'it'\\''s $HOME'");
	assert_word("\xc3\xa4", "'\xc3\xa4'");
	assert_word("a\nb'\\", "$'a\\012b\\'\\\\'");
	assert_word("\xff", "$'\\377'");
}

static void a_job_is_shown_byte_for_byte(void **state)
{
	char *argv[] = {"iorx", "-o", "caf\xe9"};
	struct text text = {0};

	(void)state;
	command_add_job(&text, "--block-size=1m", 3, argv);
	assert_string_equal(text_string(&text),
			    "IORX_OPTIONS='--block-size=1m' iorx -o $'caf\\351'");
	text_release(&text);
}

static void assert_cleanup(uint64_t tasks, const char *environment, char *const *argv,
			   const char *shown)
{
	struct text text = {0};
	int argc = 0;

	while (argv[argc])
		argc++;
	command_add_cleanup(&text, tasks, environment, argc, argv, false);
	assert_string_equal(text_string(&text), shown);
	text_release(&text);
}

static void a_cleanup_has_the_words_of_its_load(void **state)
{
	(void)state;
	assert_cleanup(1, NULL, (char *[]){"iorx", "load", "-o", "a b", NULL},
		       "iorx load --cleanup -o 'a b'");
	assert_cleanup(4, NULL, (char *[]){"./iorx", "-f", "job", NULL},
		       "mpirun -np 4 ./iorx --load.cleanup -f job");
	assert_cleanup(2, "--file-size=1m", (char *[]){"iorx", "mdtest", "-f", "job", NULL},
		       "IORX_OPTIONS=--file-size=1m mpirun -np 2 iorx mdtest --load.cleanup -f "
		       "job");
}

static void a_cleanup_names_no_file_for_results(void **state)
{
	(void)state;
	assert_cleanup(1, NULL,
		       (char *[]){"iorx", "load", "--output=a.json", "-o", "l", "--rate=9", NULL},
		       "iorx load --cleanup -o l --rate=9");
}

/* The word is for the files that were seen when it was given. */
static void a_cleanup_takes_no_foreign_files_unasked(void **state)
{
	char *const words[] = {"iorx", "load", "-O", "allow_overwrite=1", NULL};
	struct text text = {0};

	(void)state;
	command_add_cleanup(&text, 1, NULL, 4, words, true);
	assert_string_equal(text.bytes, "iorx load --cleanup -O allow_overwrite=1 "
					"--allow-overwrite=0");
	text_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_quoted_where_a_shell_needs_it),
		cmocka_unit_test(a_job_is_shown_byte_for_byte),
		cmocka_unit_test(a_cleanup_has_the_words_of_its_load),
		cmocka_unit_test(a_cleanup_names_no_file_for_results),
		cmocka_unit_test(a_cleanup_takes_no_foreign_files_unasked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
