/*
 * The table of --list-backends: purpose and abilities of each backend, from the operations it
 * defines.
 */
#include "backends/registry.h"

#include <string.h>

enum { COLUMNS = 5 };

/* With blanks between them they fill 80 columns; the last column is not padded. */
static const int widths[COLUMNS] = {8, 8, 20, 17, 23};

/* Length of the words that fit into width. A word is cut only if it is too long by itself. */
static int fitting(const char *words, int width)
{
	int length = (int)strlen(words);
	int fits = width;

	if (length <= width)
		return length;
	while (fits > 0 && words[fits] != ' ')
		fits--;
	return fits ? fits : width;
}

static void registry_list_add_row(struct text *out, const char *const *cells)
{
	const char *rest[COLUMNS];
	bool more = true;

	memcpy(rest, cells, sizeof(rest));
	while (more) {
		struct text line = {0};

		more = false;
		for (int i = 0; i < COLUMNS; i++) {
			int fits = fitting(rest[i], widths[i]);

			text_add(&line, "%-*.*s ", widths[i], fits, rest[i]);
			rest[i] += fits;
			rest[i] += strspn(rest[i], " ");
			more |= *rest[i] != '\0';
		}
		while (line.length && line.bytes[line.length - 1] == ' ')
			line.length--;
		text_add(out, "%.*s\n", (int)line.length, line.bytes);
		text_release(&line);
	}
}

static void add_ability(struct text *words, bool is_there, const char *name)
{
	if (is_there)
		text_add(words, "%s%s", words->length ? ", " : "", name);
}

static void add_abilities(const struct backend *backend, struct text *words)
{
	/* operations that metadata tests may need */
	bool all = backend->create && backend->stat && backend->remove && backend->rename &&
		   backend->mkdir && backend->rmdir && backend->list && backend->open_close;
	bool some = backend->create || backend->stat || backend->remove || backend->mkdir;

	add_ability(words, !backend->single_writer, "shared writes");
	add_ability(words, backend->collective, "collective");
	add_ability(words, backend->strided, "strided");
	add_ability(words, backend->submit != NULL, "queued");
	add_ability(words, option_find(backend->options, "direct") != NULL, "direct");
	add_ability(words, some,
		    !all		      ? "some metadata"
		    : backend->open_directory ? "metadata"
					      : "metadata by full paths");
	add_ability(words, backend->submit_metadata != NULL, "queued metadata");
	add_ability(words, backend->own_format, "own format");
}

static void add_entry(const struct registration *entry, struct text *out)
{
	const char *aliases = registry_aliases(entry);
	struct text abilities = {0};
	const char *cells[COLUMNS] = {entry->name, *aliases ? aliases : "-",
				      entry->package ? entry->package : "-", "-"};

	if (entry->backend) {
		cells[3] = entry->backend->path_is;
		add_abilities(entry->backend, &abilities);
	} else {
		text_add(&abilities, "%s%s",
			 entry->wrapper	   ? "goes before any other"
			 : entry->planned  ? "not in this version"
			 : entry->left_out ? "not built in: configure without "
					   : "not built in: install the package",
			 entry->left_out ? entry->left_out : "");
	}
	cells[4] = text_string(&abilities);
	registry_list_add_row(out, cells);
	text_release(&abilities);
}

void registry_list(struct text *out)
{
	static const char *const heads[COLUMNS] = {"api", "in IOR", "package", "test_file is",
						   "abilities"};

	registry_list_add_row(out, heads);
	for (size_t i = 0; i < registry_count; i++)
		add_entry(&registry[i], out);
	text_add(out,
		 "\nOptions begin with the name (posix.direct); --help=NAME shows those of one.\n");
}

static void registry_list_add_names(struct text *out, bool built_in)
{
	size_t before = out->length;

	for (size_t i = 0; i < registry_count; i++) {
		const struct registration *entry = &registry[i];
		bool may_be = !entry->wrapper && !entry->planned;

		if (may_be && (entry->backend != NULL) == built_in)
			text_add(out, "%s%s", out->length > before ? ", " : "", entry->name);
	}
}

void registry_list_names(struct text *out)
{
	struct text missing = {0};

	registry_list_add_names(out, true);
	registry_list_add_names(&missing, false);
	if (missing.length)
		text_add(out, " (not built in: %s)", text_string(&missing));
	text_release(&missing);
}
