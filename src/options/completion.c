/* --completion: a script by which the shell completes options, choices and names of backends. */
#include <string.h>

#include "options/describe.h"
#include "options/help.h"
#include "options/test.h"

/* Bash takes "--clock=ts" for three words, and hands over the last. */
static const char head[] =
	"# bash completion for iorx; made from its option tables by iorx --completion=bash\n"
	"_iorx()\n"
	"{\n"
	"	local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words=\n"
	"	if [ \"$current\" = = ]; then\n"
	"		current=\n"
	"	elif [ \"$option\" = = ]; then\n"
	"		option=${COMP_WORDS[COMP_CWORD-2]}\n"
	"	fi\n"
	"	case $option in\n";

static const char tail[] =
	"	if [ $COMP_CWORD = 1 ] && [ -n \"$current\" ] && [[ mdtest = \"$current\"* ]]; then\n"
	"		words=mdtest\n"
	"	fi\n"
	"	if [ -z \"$words\" ] && [ \"${COMP_WORDS[COMP_CWORD]}\" != = ]; then\n"
	"		words=$flags\n"
	"	fi\n"
	"	COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
	"	case ${COMPREPLY[*]} in\n"
	"	*= | *.) compopt -o nospace ;;\n"
	"	esac\n"
	"}\n"
	"complete -F _iorx iorx mdtest\n";

/* The name of a pair is the user's: its flag is completed as far as the point before it. */
static void add_flag(const struct option_table *table, const struct option *row, struct text *out)
{
	struct text flag = { 0 };

	describe_flag(table, row, &flag);
	if (row->type == OPTION_PAIRS)
		flag.bytes[flag.length - strlen("NAME")] = '\0';
	text_add(out, " %s%s", text_string(&flag),
		 option_may_be_bare(row) || row->type == OPTION_PAIRS ? "" : "=");
	text_release(&flag);
}

static void add_flags(const struct option_table *table, struct text *out)
{
	for (size_t i = 0; i < table->count; i++)
		add_flag(table, &table->rows[i], out);
}

static void add_apis(const struct vocabulary *vocabulary, struct text *out)
{
	for (size_t i = 0; i < vocabulary->count; i++) {
		const char *name = vocabulary->tables[i]->prefix;
		struct error ignored;

		if (!vocabulary->check_api(name, &ignored))
			text_add(out, "%s%s", i ? " " : "", name);
	}
}

/* A branch of the case, for options whose values the shell can complete. */
static void add_case(const struct vocabulary *vocabulary, const struct option_table *table,
		     const struct option *row, struct text *out)
{
	bool api = !*table->prefix && !strcmp(row->name, "api");

	if (!api && !row->choices && !describe_is_file(row))
		return;
	text_add(out, "	");
	if (row->letter)
		text_add(out, "-%c | ", row->letter);
	describe_flag(table, row, out);
	if (describe_is_file(row)) {
		text_add(out, ") COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n");
		return;
	}
	text_add(out, ") words=\"");
	if (api)
		add_apis(vocabulary, out);
	describe_choices(row, " ", out);
	text_add(out, "\" ;;\n");
}

static void add_cases(const struct vocabulary *vocabulary, const struct option_table *table,
		      struct text *out)
{
	for (size_t i = 0; i < table->count; i++)
		add_case(vocabulary, table, &table->rows[i], out);
}

int help_completion(const struct vocabulary *vocabulary, const char *shell, struct text *out,
		    struct error *err)
{
	struct core_tables core, names;

	if (strcmp(shell, "bash"))
		return error_input(err, "completion: there is none for \"%.40s\"; write bash",
				   shell);
	text_add(out, "%s", head);
	core_tables_init(&core, WORKLOAD_DATA);
	core_tables_init(&names, WORKLOAD_METADATA);
	for (size_t i = 0; i < core.count; i++)
		add_cases(vocabulary, core.list[i], out);
	for (size_t i = 0; i < vocabulary->count; i++)
		add_cases(vocabulary, vocabulary->tables[i], out);
	text_add(out, "	esac\n	local flags=\"");
	for (size_t i = 0; i < core.count; i++)
		add_flags(core.list[i], out);
	for (size_t i = 0; i < vocabulary->count; i++)
		add_flags(vocabulary->tables[i], out);
	text_add(out, "\"\n	if [ \"${COMP_WORDS[1]}\" = mdtest ] || [ \"${COMP_WORDS[0]##*/}\" = mdtest ]; then\n"
		      "		flags=\"");
	for (size_t i = 0; i < names.count; i++)
		add_flags(names.list[i], out);
	text_add(out, "\"\n	fi\n%s", tail);
	core_tables_release(&core);
	core_tables_release(&names);
	return 0;
}
