/* Hints for MPI-IO: where they come from, which one wins, what is told of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/common/hints.h"
#include "base/text.h"
#include "subject.h"

static const char *value_of(MPI_Info info, const char *name)
{
	static char value[MPI_MAX_INFO_VAL + 1];
	int found;

	MPI_Info_get(info, name, MPI_MAX_INFO_VAL, value, &found);
	return found ? value : "(none)";
}

static int count_of(MPI_Info info)
{
	int count;

	MPI_Info_get_nkeys(info, &count);
	return count;
}

/* A hints file in the scratch folder; `why` is NULL or what its refusal must contain. */
static MPI_Info from_file(struct subject *subject, const char *text, const char *pairs,
			  const char *why)
{
	const char *path = in_scratch(subject, "hints");
	FILE *file = fopen(path, "we");
	struct error err = {0};
	MPI_Info info;
	int ret;

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	ret = hints_make(pairs, path, false, &info, &err);
	assert_int_equal(ret, why ? -1 : 0);
	if (!why)
		return info;
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, why));
	assert_true(info == MPI_INFO_NULL);
	return info;
}

static void without_any_there_are_none(void **state)
{
	struct error err = {0};
	MPI_Info info;

	(void)state;
	assert_ok(hints_make(NULL, NULL, false, &info, err));
	assert_int_equal(err.kind, ERROR_NONE);
	assert_int_equal(count_of(info), 0);
	MPI_Info_free(&info);
}

static void a_file_has_lines_comments_and_either_form_of_names(void **state)
{
	MPI_Info info = from_file(*state,
				  "# tuned\n\n  cb_nodes = 4 \nIOR_HINT__MPI__a=b=c\n"
				  "IOR_HINT__GPFS__x=1\nIOR_HINT__GPFS__y\nc = d#e # f\n\t# g\n",
				  NULL, NULL);

	assert_int_equal(count_of(info), 3);
	assert_string_equal(value_of(info, "c"), "d#e");
	assert_string_equal(value_of(info, "cb_nodes"), "4");
	assert_string_equal(value_of(info, "a"), "b=c");
	MPI_Info_free(&info);
}

static void what_is_passed_over_is_named(void **state)
{
	const char *path = in_scratch(*state, "hints");
	struct text names = {0};
	MPI_Info info;

	info = from_file(*state, "# x\n IOR_HINT__GPFS__x = 1\ncb_nodes=4\n", NULL, NULL);
	MPI_Info_free(&info);
	hints_passed_over(NULL, false, &names);
	assert_int_equal(names.length, 0);
	setenv("IOR_HINT__GPFS__y", "1", 1);
	hints_passed_over(path, false, &names);
	unsetenv("IOR_HINT__GPFS__y");
	assert_memory_equal(text_string(&names),
			    "IOR_HINT__GPFS__y (environment), IOR_HINT__GPFS__x (", 52);
	text_release(&names);
}

static void the_job_wins_over_the_environment_and_that_over_the_file(void **state)
{
	MPI_Info info;

	setenv("IOR_HINT__MPI__two", "environment", 1);
	setenv("IOR_HINT__MPI__three", "environment", 1);
	setenv("IOR_HINT__GPFS__two", "passed over", 1);
	info = from_file(*state, "one=file\ntwo=file\nthree=file\n", "three=job\nfour=job\n", NULL);
	unsetenv("IOR_HINT__MPI__two");
	unsetenv("IOR_HINT__MPI__three");
	unsetenv("IOR_HINT__GPFS__two");
	assert_int_equal(count_of(info), 4);
	assert_string_equal(value_of(info, "one"), "file");
	assert_string_equal(value_of(info, "two"), "environment");
	assert_string_equal(value_of(info, "three"), "job");
	assert_string_equal(value_of(info, "four"), "job");
	MPI_Info_free(&info);
}

static void what_is_no_hint_is_refused_with_its_place(void **state)
{
	char long_name[MPI_MAX_INFO_KEY + 8] = "", *long_value = calloc(1, MPI_MAX_INFO_VAL + 8);

	memset(long_name, 'n', MPI_MAX_INFO_KEY);
	strcat(long_name, "=1\n");
	strcpy(long_value, "v=");
	memset(long_value + 2, 'x', MPI_MAX_INFO_VAL);
	from_file(*state, "a=1\nnonsense\n", NULL,
		  "hints:2: this is no hint, which is written NAME=VALUE");
	from_file(*state, "a=\n", NULL, "hints:1: a hint has no value");
	from_file(*state, "\na b=c\n", NULL, "hints:2: the name of a hint has no blanks");
	from_file(*state, "=1\n", NULL, "hints:1: a hint has no name");
	from_file(*state, long_name, NULL, "names of hints of up to");
	from_file(*state, long_value, NULL, "values of hints of up to");
	from_file(*state, "", "a=1\nb", "hint b: this is no hint");
	setenv("IOR_HINT__MPI__cb_nodes", "", 1);
	from_file(*state, "", NULL,
		  "environment variable IOR_HINT__MPI__cb_nodes: a hint has no value");
	unsetenv("IOR_HINT__MPI__cb_nodes");
	free(long_value);
}

static void a_private_file_of_a_job_file_is_refused(void **state)
{
	struct error err = {0};
	const char *path;
	MPI_Info info = from_file(*state, "cb_nodes=4\n", NULL, NULL);

	MPI_Info_free(&info);
	path = in_scratch(*state, "hints");
	chmod(path, 0640);
	assert_int_equal(hints_make(NULL, path, true, &info, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "not everybody may read it (mode 0640)"));
	assert_ok(hints_make(NULL, path, false, &info, err));
	MPI_Info_free(&info);
	chmod(path, 0644);
	assert_ok(hints_make(NULL, path, true, &info, err));
	MPI_Info_free(&info);
}

static void a_missing_file_is_refused(void **state)
{
	struct error err = {0};
	MPI_Info info;

	assert_int_equal(hints_make(NULL, in_scratch(*state, "none"), false, &info, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "none: No such file or directory"));
}

struct settings_sink {
	struct text told;
};

static void note(struct settings_sink *sink, const char *name, const char *value)
{
	text_add(&sink->told, "%s=%s\n", name, value);
}

static void what_came_of_each_hint_is_told(void **state)
{
	struct settings_sink sink = {0};
	MPI_Info asked, effective;

	(void)state;
	assert_ok(hints_make("same=1\nchanged=1\nlost=1\n", NULL, false, &asked, err));
	assert_ok(hints_make("same=1\nchanged=2\nits_own=3\n", NULL, false, &effective, err));
	hints_add_settings(asked, effective, note, &sink);
	assert_string_equal(text_string(&sink.told),
			    "hint.same=1\nhint.changed=2\nhint.its_own=3\n"
			    "hint.changed.asked=1\nhint.lost=not in effect\nhint.lost.asked=1\n");
	text_clear(&sink.told);
	hints_add_settings(asked, asked, note, &sink);
	assert_non_null(strstr(text_string(&sink.told), "hints=as asked for: "));
	text_clear(&sink.told);
	hints_add_settings(MPI_INFO_NULL, MPI_INFO_NULL, note, &sink);
	assert_string_equal(text_string(&sink.told), "");
	text_release(&sink.told);
	MPI_Info_free(&asked);
	MPI_Info_free(&effective);
}

const struct CMUnitTest hints_tests[] = {
	TEST(without_any_there_are_none),
	TEST(a_file_has_lines_comments_and_either_form_of_names),
	TEST(what_is_passed_over_is_named),
	TEST(the_job_wins_over_the_environment_and_that_over_the_file),
	TEST(what_is_no_hint_is_refused_with_its_place),
	TEST(a_private_file_of_a_job_file_is_refused),
	TEST(a_missing_file_is_refused),
	TEST(what_came_of_each_hint_is_told),
};
const size_t hints_test_count = LENGTH_OF(hints_tests);
