/* Names and values of the options that lists vary, as views print them. */
#include "options/varied.h"

#include <string.h>

const char *varied_value(const struct test_spec *spec, const struct varied *varied, char *buffer)
{
	return option_format(test_spec_set(spec + varied->owner, varied->table), varied->row,
			     buffer, VARIED_VALUE_SIZE);
}

/* A copy of a member has "#2" behind the name of the member. */
static int name_length(const struct test_spec *spec)
{
	const char *name = test_of(spec)->name;

	return (int)(spec->set.copy > 1 ? strrchr(name, '#') - name : (ptrdiff_t)strlen(name));
}

void varied_name(const struct test_spec *spec, const struct varied *varied, bool own_prefix,
		 struct text *out)
{
	const struct test_spec *owner = spec + varied->owner;
	const bool core = varied->table == &test_options;
	const bool own = !own_prefix && varied->table == workload_words[owner->workload].options;

	if (varied->owner)
		text_add(out, "%.*s.", name_length(owner), test_of(owner)->name);
	if (!core && !own)
		text_add(out, "%s.", varied->table->prefix);
	text_add(out, "%s", varied->row->name);
}

/* True for an option of this name that the test itself has from the core. */
static bool is_core(const struct varied *varied, const char *name)
{
	return !varied->owner && varied->table == &test_options && !strcmp(varied->row->name, name);
}

bool varied_is_tasks(const struct varied *varied)
{
	return is_core(varied, "num_tasks");
}

void varied_word(const struct test_spec *spec, const struct varied *varied, struct text *out)
{
	const bool plain = is_core(varied, "api") || is_core(varied, "transfer_size");
	char value[VARIED_VALUE_SIZE];

	varied_value(spec, varied, value);
	if (varied_is_tasks(varied)) {
		text_add(out, "%s task%s", value, strcmp(value, "1") ? "s" : "");
		return;
	}
	if (!plain) {
		varied_name(spec, varied, false, out);
		text_add(out, "=");
	}
	text_add(out, "%s", value);
}

void varied_values(const struct test_spec *spec, const struct varied *except, struct text *out)
{
	char value[VARIED_VALUE_SIZE];

	for (size_t i = 0; i < spec->study.count; i++) {
		const struct varied *varied = &spec->study.options[i];

		if (varied == except)
			continue;
		text_add(out, "%s", out->length ? ", " : "");
		varied_name(spec, varied, false, out);
		text_add(out, "=%s", varied_value(spec, varied, value));
	}
}
