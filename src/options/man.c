/* --man: the man pages, in roff with the man macros; no dates, so that they change only with us. */
#include <string.h>

#include "options/describe.h"
#include "options/help.h"

/* Text of ours in roff: a word that starts with "-" keeps its dashes, nothing becomes a request. */
static void add_escaped(struct text *out, const char *string)
{
	bool flag = false;

	for (const char *at = string; *at; at++) {
		bool starts = at == string || at[-1] == ' ';

		if (starts)
			flag = *at == '-' || *at == '/';
		if (at == string && (*at == '.' || *at == '\''))
			text_add(out, "\\&");
		if (*at == '\\')
			text_add(out, "\\e");
		else if (*at == '-' && flag)
			text_add(out, "\\-");
		else
			text_add_bytes(out, at, 1);
	}
}

static void add_line(struct text *out, const char *string)
{
	add_escaped(out, string);
	text_add(out, "\n");
}

/* A sentence of a row, which has no full stop when it is the help line. */
static void add_sentence(struct text *out, const char *string)
{
	size_t length = strlen(string);

	add_escaped(out, string);
	text_add(out, length && string[length - 1] == '.' ? "\n" : ".\n");
}

static void add_bold_flag(struct text *out, const struct option_table *table,
			  const struct option *row)
{
	struct text flag = { 0 };

	if (row->letter)
		text_add(out, "\\fB\\-%c\\fR, ", row->letter);
	describe_flag(table, row, &flag);
	text_add(out, "\\fB");
	add_escaped(out, text_string(&flag));
	text_add(out, "\\fR");
	text_clear(&flag);
	describe_argument(row, &flag);
	if (flag.length)
		text_add(out, "\\fI%s\\fR", text_string(&flag));
	text_add(out, "\n");
	text_release(&flag);
}

static void add_limit(struct text *out, const struct option *row, const char *word, uint64_t limit)
{
	char shown[32];

	if (limit)
		text_add(out, "%s: %s.\n", word,
			 option_format_number(row, limit, shown, sizeof(shown)));
}

static void add_facts(struct text *out, const struct option_table *table, const struct option *row)
{
	const char *initial = describe_default(row);

	if (row->choices) {
		text_add(out, "One of ");
		describe_choices(row, ", ", out);
		text_add(out, ".\n");
	}
	if (row->command_line_only)
		text_add(out, "On the command line only.\n");
	else
		text_add(out, "Key: %s%s%s%s.\n", table->prefix, *table->prefix ? "." : "",
			 row->name, row->type == OPTION_PAIRS ? ".NAME" : "");
	if (row->aliases)
		text_add(out, "Also: %s.\n", row->aliases);
	if (initial)
		text_add(out, "Default: %s.\n", initial);
	else if (row->type != OPTION_STRING && row->type != OPTION_BOOL &&
		 row->type != OPTION_PAIRS)
		text_add(out, "Default: 0.\n");
	if (row->unit)
		text_add(out, "Unit: %s.\n", row->unit);
	add_limit(out, row, "Least", row->min);
	add_limit(out, row, "Most", row->max);
}

static void add_row(struct text *out, const struct option_table *table, const struct option *row)
{
	text_add(out, ".TP\n");
	add_bold_flag(out, table, row);
	add_sentence(out, row->help);
	if (row->more)
		add_sentence(out, row->more);
	add_facts(out, table, row);
}

static bool in_group(const struct option_table *table, const struct option *row, const char *group)
{
	return !strcmp(describe_group(table, row), group);
}

static void add_options(struct text *out, const struct option_table *const *tables, size_t count)
{
	const char *groups[GROUPS_MAX];
	size_t group_count = describe_groups(tables, count, groups);

	text_add(out, ".SH OPTIONS\n");
	for (size_t g = 0; g < group_count; g++) {
		if (strcmp(groups[g], "Options"))
			text_add(out, ".SS %s\n", groups[g]);
		for (size_t t = 0; t < count; t++)
			for (size_t i = 0; i < tables[t]->count; i++)
				if (in_group(tables[t], &tables[t]->rows[i], groups[g]))
					add_row(out, tables[t], &tables[t]->rows[i]);
	}
}

static const char head[] =
	".TH IORX 1 \"\" iorx \"User Commands\"\n"
	".SH NAME\n"
	"iorx \\- measure how fast parallel programs write and read files\n"
	".SH SYNOPSIS\n"
	".B mpiexec \\-n\n"
	".I N\n"
	".B iorx\n"
	".RI [ OPTION ]...\n"
	".br\n"
	".B mpiexec \\-n\n"
	".I N\n"
	".B iorx \\-f\n"
	".I FILE\n"
	".RI [ OPTION ]...\n"
	".SH DESCRIPTION\n"
	".B iorx\n"
	"writes and reads files from many tasks at once, through one of several storage interfaces,\n"
	"measures every operation, and says how fast it was and whether to believe it.\n"
	"It is started by an MPI launcher; without one it runs with one task.\n"
	"It reads the job files and takes the flags of IOR.\n"
	".PP\n"
	"A file consists of segments; a segment holds one block of each task, or, with a file for\n"
	"each task, one block; a block is moved in transfers.\n"
	".PP\n"
	"Sizes are 1024-based however they are written: 4k, 4K, 4KB and 4KiB are 4096 bytes;\n"
	"decimals are allowed (1.5g).\n"
	"Times are seconds, or have a unit: 500ms, 5m, 2h.\n"
	"Flags may be written\n"
	".BR \"\\-b 4k\" , \" \\-b=4k\" , \" \\-b4k\" , \" \\-\\-block\\-size 4k\" \" or\"\n"
	".BR \\-\\-block\\-size=4k ;\n"
	"those without a value may be grouped\n"
	".RB ( \\-wk ).\n"
	"Names of options match without case, dashes and underscores.\n"
	".PP\n"
	".BI \\-O \" key=value,key=value\"\n"
	"sets several options by their keys; a comma separates only where a key and an equal sign\n"
	"follow.\n";

static const char job_files[] =
	".SH JOB FILES\n"
	"A job file holds blocks of lines between\n"
	".B IOR START\n"
	"and\n"
	".BR \"IOR STOP\" ;\n"
	"text outside is ignored.\n"
	"In a block, a line is empty, a comment that starts with #, the word\n"
	".BR RUN ,\n"
	"or key = value pairs with commas between them.\n"
	"RUN closes a test; all settings stay for the next one.\n"
	"Text after the last RUN is a test too, and a block without RUN is one.\n"
	"Values in quotes may hold blanks, commas and #.\n"
	"Options of a backend are written with its name: posix.direct = 1.\n"
	"Flags on the command line override every test of the file.\n"
	".PP\n"
	".nf\n"
	"IOR START\n"
	"    # first write, then read what another node wrote\n"
	"    api = posix, testFile = /scratch/testFile\n"
	"    blockSize = 1g, transferSize = 1m\n"
	"    writeFile = 1, keepFile = 1\n"
	"RUN\n"
	"    writeFile = 0, readFile = 1, reorderTasks = 1\n"
	"RUN\n"
	"IOR STOP\n"
	".fi\n";

static const char tail[] =
	".SH EXIT STATUS\n"
	".TP\n"
	"0\n"
	"Everything asked for was done, or a deadline ended it early.\n"
	".TP\n"
	"1\n"
	"An operation on storage failed, data was lost, a signal or a hang ended the job, or\n"
	"results could not be written.\n"
	".TP\n"
	"2\n"
	"The job or an option is wrong; nothing was touched.\n"
	".TP\n"
	"3\n"
	"A trust rule failed under\n"
	".BR \\-\\-strict .\n"
	".TP\n"
	"4\n"
	"A bug in iorx; please report it.\n"
	".SH FILES\n"
	".TP\n"
	"iorx\\-DATE\\-TIME.json\n"
	"The results, in the working directory, unless\n"
	".B \\-\\-output\n"
	"names other files.\n"
	".TP\n"
	"iorx\\-DATE\\-TIME.jsonl\n"
	"The journal: one line for each finished phase, complete also after a crash.\n"
	".SH ENVIRONMENT\n"
	".TP\n"
	"SLURM_JOB_END_TIME\n"
	"The deadline, in seconds since the epoch, unless\n"
	".B \\-\\-deadline\n"
	"is given.\n"
	".SH EXAMPLES\n"
	"Four tasks write and read 1 GiB each in transfers of 1 MiB:\n"
	".PP\n"
	".nf\n"
	"    mpiexec \\-n 4 iorx \\-b 1g \\-t 1m \\-o /scratch/testFile\n"
	".fi\n"
	".PP\n"
	"A file for each task, an fsync at the end, five times, and reads from another node:\n"
	".PP\n"
	".nf\n"
	"    mpiexec \\-n 64 iorx \\-F \\-e \\-C \\-i 5 \\-b 16g \\-t 4m \\-o /scratch/testFile\n"
	".fi\n"
	".PP\n"
	"What would a job file do?\n"
	".PP\n"
	".nf\n"
	"    mpiexec \\-n 4 iorx \\-f job.ior \\-\\-dry\\-run \\-\\-show\\-plan\n"
	".fi\n";

/* Pages of all backends, those that are not built in among them. */
static void add_references(struct text *out, const struct vocabulary *vocabulary)
{
	for (size_t i = 0; i < vocabulary->count; i++)
		text_add(out, ".BR iorx\\-%s (7)%s\n", vocabulary->tables[i]->prefix,
			 i + 1 < vocabulary->count ? "," : "");
}

static void add_backends(struct text *out, const struct vocabulary *vocabulary)
{
	text_add(out, ".SH BACKENDS\n"
		      "What a file is and how it is reached is a backend's; its options start with "
		      "its name.\n");
	for (size_t i = 0; i < vocabulary->count; i++) {
		text_add(out, ".TP\n.BR iorx\\-%s (7)\n", vocabulary->tables[i]->prefix);
		add_sentence(out, vocabulary->tables[i]->summary);
	}
}

static void main_page(const struct vocabulary *vocabulary, struct text *out)
{
	struct core_tables core;

	core_tables_init(&core, WORKLOAD_DATA);
	text_add(out, "%s", head);
	add_options(out, core.list, core.count);
	core_tables_release(&core);
	add_backends(out, vocabulary);
	text_add(out, "%s%s.SH SEE ALSO\n", job_files, tail);
	text_add(out, ".BR iorx\\-mdtest (1),\n");
	add_references(out, vocabulary);
}

static const char metadata_head[] =
	".TH IORX-MDTEST 1 \"\" iorx \"User Commands\"\n"
	".SH NAME\n"
	"iorx\\-mdtest \\- measure how fast parallel programs create, find and remove files\n"
	".SH SYNOPSIS\n"
	".B mpiexec \\-n\n"
	".I N\n"
	".B iorx mdtest\n"
	".RI [ OPTION ]...\n"
	".SH DESCRIPTION\n"
	".B iorx mdtest\n"
	"creates, stats, opens, renames and removes files and directories from many tasks at once,\n"
	"measures every operation, and says how fast it was and whether to believe it.\n"
	"It takes the flags of mdtest; a link to\n"
	".B iorx\n"
	"with the name mdtest does the same.\n"
	"In job files, blocks between\n"
	".B MDTEST START\n"
	"and\n"
	".B MDTEST STOP\n"
	"hold such tests, with the keys that stand below; elsewhere a key is written with\n"
	".B metadata.\n"
	"before it.\n"
	".PP\n"
	"Task p of N makes its items in directories of a tree,\n"
	".PP\n"
	".nf\n"
	"    DIR/test\\-dir.REPETITION\\-K/mdtest_tree.0/mdtest_tree.2/file.mdtest.P.ITEM\n"
	".fi\n"
	".PP\n"
	"(with a tree for each task mdtest_tree.P.0/mdtest_tree.P.2/\\|...);\n"
	"in each test\\-dir an empty file .iorx\\-mdtest tells that it is of iorx.\n"
	"A rate is all operations that succeeded through the time from the common start to the end of\n"
	"the last task.\n"
	"An operation that fails is counted by its cause, is in no rate, and makes the exit status 1.\n";

static void metadata_page(struct text *out)
{
	struct core_tables core;

	core_tables_init(&core, WORKLOAD_METADATA);
	text_add(out, "%s", metadata_head);
	add_options(out, core.list, core.count);
	core_tables_release(&core);
	text_add(out, ".SS Without effect, as it is always so\n");
	for (const struct metadata_letter *known = metadata_letters; known->letter; known++)
		if (known->needless) {
			text_add(out, ".TP\n.B \\-%c\n", known->letter);
			add_line(out, known->needless->help);
		}
	text_add(out, ".SS The same with a number\n");
	for (const struct metadata_letter *known = metadata_letters; known->letter; known++)
		if (known->level)
			text_add(out, ".TP\n.BI \\-%c \" N\"\n.B \\-\\-%s=N\n", known->letter, known->level);
	text_add(out, ".SH SEE ALSO\n.BR iorx (1)\n");
}

static void backend_page(const struct option_table *table, struct text *out)
{
	text_add(out, ".TH IORX-");
	for (const char *at = table->prefix; *at; at++)
		text_add(out, "%c", *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
	text_add(out, " 7 \"\" iorx \"iorx backends\"\n.SH NAME\niorx\\-%s \\- ", table->prefix);
	add_line(out, table->summary);
	text_add(out, ".SH SYNOPSIS\n.B iorx\n.RB [ \\-\\-%s.\\fINAME\\fR[=\\fIVALUE\\fR] ]...\n",
		 table->prefix);
	text_add(out, ".SH DESCRIPTION\n");
	add_sentence(out, table->summary);
	text_add(out, "Its options are written \\-\\-%s.\\fINAME\\fR on the command line and "
		      "%s.\\fINAME\\fR in job files.\n", table->prefix, table->prefix);
	if (table->prefix_aliases)
		text_add(out, "Instead of %s the prefix may be %s.\n", table->prefix,
			 table->prefix_aliases);
	add_options(out, &table, 1);
	text_add(out, ".SH SEE ALSO\n.BR iorx (1)\n");
}

int help_man(const struct vocabulary *vocabulary, const char *page, struct text *out,
	     struct error *err)
{
	int table = vocabulary_find_prefix(vocabulary, page);

	if (!*page) {
		main_page(vocabulary, out);
		return 0;
	}
	if (!strcmp(page, "mdtest")) {
		metadata_page(out);
		return 0;
	}
	if (table < 0)
		return error_input(err, "man: there is no page \"%.40s\"; write nothing for "
					"iorx(1), or the name of a backend", page);
	backend_page(vocabulary->tables[table], out);
	return 0;
}
