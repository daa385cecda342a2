/* Names of hosts, users and paths in results become hashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page/anonymize.h"

/* A job without options, on two hosts, with names that tests add. */
static struct anonymizer make(void)
{
	static char *names[] = {"proj/My Data/file.a", "node17.site.org", "proj/My Data", "node17",
				"alice"};
	return (struct anonymizer){.wanted = true, .secret = 7, .names = names, .count = 5};
}

static const char *changed(const char *text)
{
	static struct text result;
	const struct anonymizer anonymizer = make();

	text_clear(&result);
	text_add(&result, "%s", text);
	anonymize_text(&anonymizer, &result);
	return text_string(&result);
}

static void assert_stays(const char *text)
{
	assert_string_equal(changed(text), text);
}

/* Nothing of the text stays but what stands around the name. */
static void assert_hidden(const char *format, const char *name)
{
	char text[600], *hidden;
	const char *blank = strchr(format, '#');

	snprintf(text, sizeof(text), "%.*s%s%s", (int)(blank - format), format, name, blank + 1);
	hidden = strdup(changed(text));
	assert_null(strstr(hidden, name));
	assert_memory_equal(hidden, format, (size_t)(blank - format));
	if (strlen(hidden) < strlen(blank + 1) ||
	    strcmp(hidden + strlen(hidden) - strlen(blank + 1), blank + 1))
		fail_msg("%s: %s", text, hidden);
	free(hidden);
}

static void numbers_and_words_stay(void **state)
{
	(void)state;
	assert_stays("write 0: 1024 MiB/s, 3 ops/s; 95 % (n/a), and/or -- 4.18.0-553.5.1.el8");
	assert_stays("write 1 to /proc/sys/vm/drop_caches, /sys/block/sda: yes");
	assert_stays("ext4 at / from tmpfs; no_root_squash, malice");
	assert_stays("");
}

static void paths_are_hidden_wherever_they_begin(void **state)
{
	(void)state;
	assert_hidden("#", "/scratch/alpha/beta");
	assert_hidden("open of #: Permission denied", "/scratch/alpha/beta.00000003");
	assert_hidden("-o=#", "/scratch/alpha");
	assert_hidden("\"#\", 3", "/scratch/alpha");
	assert_hidden("-O2 -ffile-prefix-map=#=.", "/home/alpha");
	assert_hidden("(#)", "/home/alpha");
	assert_hidden("test,#,1", "/home/alpha");
	assert_hidden("-I#", "/usr/local");
}

static void parts_of_one_directory_have_one_hash(void **state)
{
	char first[100];

	(void)state;
	snprintf(first, sizeof(first), "%s", changed("/a/b/one"));
	assert_int_equal(strlen(first), 3 * 10);
	assert_memory_equal(first, changed("/a/b/two"), 20);
	assert_string_not_equal(first, changed("/a/b/two"));
}

static void known_names_are_hidden_as_words(void **state)
{
	(void)state;
	assert_hidden("task 1 on # was slow", "node17");
	assert_hidden("task 1 on #.", "node17");
	assert_hidden("on #, ", "node17.site.org");
	assert_hidden("user #: no", "alice");
	assert_hidden("write of '#': no", "proj/My Data");
	assert_hidden("remove # first", "proj/My Data/file.a.00000001");
	assert_hidden("remove # first", "proj/My Data/other");
	assert_stays("node171 node1 malice");
}

static void servers_and_addresses_are_hidden(void **state)
{
	(void)state;
	assert_hidden("nfs from #, rw", "filer3:/export/home");
	assert_hidden("from # with", "10.1.2.3@o2ib:/lustre");
	assert_hidden("clientaddr=#,rw", "fd00::17");
	assert_hidden("mountaddr=#,rw", "10.0.0.7");
	assert_hidden("tcp://#:48855", "192.0.2.2");
	assert_hidden("package: Open MPI # Distribution", "bob@builder");
}

/* The value of a JSON text after the change. */
static char *json_changed(const char *text)
{
	const struct anonymizer anonymizer = make();
	json_t *value = json_loads(text, 0, NULL);
	char *dump;

	anonymize_line(&anonymizer, value);
	dump = json_dumps(value, JSON_COMPACT);
	json_decref(value);
	return dump;
}

static void words_of_the_program_stay_in_documents(void **state)
{
	char *dump = json_changed("{\"phase\":\"alice\",\"host\":\"alice\",\"text\":\"of alice\"}");

	(void)state;
	assert_non_null(strstr(dump, "\"phase\":\"alice\""));
	assert_null(strstr(dump, "\"host\":\"alice\""));
	assert_null(strstr(dump, "of alice"));
	free(dump);
}

static void schedulers_and_sources_are_hidden_whole(void **state)
{
	char *dump = json_changed(
		"{\"scheduler\":{\"SLURM_JOB_ID\":\"77\",\"SLURM_JOB_NODELIST\":\"n[1-9]\"},"
		"\"common\":{\"target0.source\":\"fs-a,fs-b:/x\",\"target0.file_system\":\"nfs\"},"
		"\"differences\":[{\"key\":\"target0.source\",\"common\":\"fs-a:/x\","
		"\"others\":[{\"value\":\"fs-c\",\"count\":1}]}],"
		"\"variables\":{\"UCX_LOG_FILE\":\"logs/of/bob\",\"UCX_TLS\":\"rc,ud\"},"
		"\"mount\":{\"type\":\"virtiofs\",\"source\":\"secretvol\"},"
		"\"device\":{\"mount\":{\"type\":\"tmpfs\",\"source\":\"tmpfs\"}}}");

	(void)state;
	assert_non_null(strstr(dump, "\"77\""));
	assert_non_null(strstr(dump, "\"key\":\"target0.source\""));
	assert_non_null(strstr(dump, "\"nfs\""));
	assert_non_null(strstr(dump, "\"source\":\"tmpfs\""));
	assert_non_null(strstr(dump, "\"rc,ud\""));
	assert_null(strstr(dump, "n["));
	assert_null(strstr(dump, "fs-"));
	assert_null(strstr(dump, "secretvol"));
	assert_null(strstr(dump, "bob"));
	free(dump);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_words_stay),
		cmocka_unit_test(paths_are_hidden_wherever_they_begin),
		cmocka_unit_test(parts_of_one_directory_have_one_hash),
		cmocka_unit_test(known_names_are_hidden_as_words),
		cmocka_unit_test(servers_and_addresses_are_hidden),
		cmocka_unit_test(words_of_the_program_stay_in_documents),
		cmocka_unit_test(schedulers_and_sources_are_hidden_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
