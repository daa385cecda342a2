/* The list of backends: names, what is said of those that are not there, the vocabulary. */
#include <stdio.h>
#include <string.h>

#include "subject.h"

static void every_name_and_alias_in_any_case_finds_its_entry(void **state)
{
	(void)state;
	assert_string_equal(registry_find("posix")->name, "posix");
	assert_string_equal(registry_find("POSIX")->name, "posix");
	assert_string_equal(registry_find("dummy")->name, "null");
	assert_string_equal(registry_find("NCMPI")->name, "pnetcdf");
	assert_string_equal(registry_find("aio")->name, "libaio");
	assert_string_equal(registry_find("MpiIO")->name, "mpiio");
	assert_null(registry_find("posi"));
	assert_null(registry_find(""));
}

static void an_entry_says_the_same_as_its_backend(void **state)
{
	(void)state;
	for (size_t i = 0; i < registry_count; i++) {
		const struct registration *entry = &registry[i];

		assert_ptr_equal(registry_find(entry->name), entry);
		if (entry->planned)
			assert_true(!entry->backend && !entry->options);
		if (!entry->backend)
			continue;
		assert_string_equal(entry->name, entry->backend->name);
		if (entry->aliases)
			assert_string_equal(entry->aliases, registry_aliases(entry));
		assert_ptr_equal(entry->options, entry->backend->options);
		assert_string_equal(entry->options->prefix, entry->name);
	}
}

static void the_vocabulary_has_every_table_in_the_order_of_the_registry(void **state)
{
	const struct vocabulary *words = registry_vocabulary();
	size_t next = 0;

	(void)state;
	for (size_t i = 0; i < registry_count; i++) {
		int expected = registry[i].options ? (int)next : -1;

		assert_int_equal(registry_table(&registry[i]), expected);
		assert_int_equal(words->find_api(registry[i].name), expected);
		if (registry[i].options)
			assert_ptr_equal(words->tables[next++], registry[i].options);
	}
	assert_int_equal(words->count, next);
	assert_int_equal(words->find_api("DUMMY"), words->find_api("null"));
	assert_int_equal(words->find_api("nonsense"), -1);
}

static void check_refused(const char *api, const char *text)
{
	struct error err = {0};

	assert_int_equal(registry_vocabulary()->check_api(api, &err), -1);
	assert_null(registry_backend(api, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, text);
}

static void check_planned(const char *api, const char *name)
{
	char text[600];
	size_t used = (size_t)snprintf(text, sizeof(text),
				       "%s is not in this version of iorx; "
				       "there are ",
				       name);
	const char *between = "";

	for (size_t i = 0; i < registry_count; i++) {
		if (!registry[i].backend)
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", between,
					 registry[i].name);
		between = ", ";
	}
	check_refused(api, text);
}

static void what_is_not_there_is_told_as_it_is(void **state)
{
	(void)state;
	check_planned("cephfs", "cephfs");
	check_refused("posxi", "there is no backend \"posxi\", did you mean posix?");
	check_refused("dumy", "there is no backend \"dumy\", did you mean null?");
	check_refused("foo", "there is no backend \"foo\", --list-backends shows them all");
	check_refused("floppydisk",
		      "there is no backend \"floppydisk\", --list-backends shows them all");
	check_refused("Auto", "there is no backend \"auto\": iorx measures the one it is told; "
			      "name it, or several as a study, api = [uring libaio]");
	check_refused("fault", "fault is not a backend of its own: it stands before another one "
			       "when its options ask for it");
}

static void what_is_there_is_found(void **state)
{
	struct error err = {0};

	(void)state;
	assert_string_equal(registry_backend("POSIX", &err)->name, "posix");
	assert_string_equal(registry_backend("Dummy", &err)->name, "null");
	assert_int_equal(registry_vocabulary()->check_api("Posix", &err), 0);
}

const struct CMUnitTest registry_tests[] = {
	cmocka_unit_test(every_name_and_alias_in_any_case_finds_its_entry),
	cmocka_unit_test(an_entry_says_the_same_as_its_backend),
	cmocka_unit_test(the_vocabulary_has_every_table_in_the_order_of_the_registry),
	cmocka_unit_test(what_is_not_there_is_told_as_it_is),
	cmocka_unit_test(what_is_there_is_found),
};
const size_t registry_test_count = LENGTH_OF(registry_tests);
