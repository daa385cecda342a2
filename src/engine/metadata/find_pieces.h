/*
 * Work pieces of a find, in a pile: directories still to be read, and names whose status is wanted.
 */
#ifndef ENGINE_METADATA_FIND_PIECES_H
#define ENGINE_METADATA_FIND_PIECES_H

#include <stdbool.h>
#include <string.h>

#include "backends/backend.h"
#include "base/pile.h"
#include "base/text.h"

/* Zero-initialised: no pieces. */
struct pieces {
	struct pile pile;
	struct text piece; /* current piece */
	struct text path;  /* path of an entry of the current directory */
	size_t base;	   /* length of the directory's path, with a slash */
	struct text names; /* names of the current directory to stat; not in the pile yet */
};

/*
 * names NULL: the directory is to be read. Otherwise its names up to `end`, each after its mark and
 * with its NUL.
 */
struct piece {
	const char *directory;
	const char *names, *end;
};

void pieces_release(struct pieces *pieces);

/* Takes the newest piece, valid until the next call. Returns false if there is none. */
bool pieces_take(struct pieces *pieces, struct piece *piece);

/* Sets the current directory for names. */
void pieces_enter(struct pieces *pieces, const char *directory);
/* Returns the path of a name in the current directory, valid until the next call. */
static inline const char *pieces_path(struct pieces *pieces, const char *name)
{
	pieces->path.length = pieces->base;
	text_add_bytes(&pieces->path, name, strlen(name));
	return pieces->path.bytes;
}

void pieces_add_directory(struct pieces *pieces, const char *path);
/*
 * Adds a name of the current directory. Names of one directory share few pieces, up to
 * pieces_end_names().
 */
void pieces_add_name(struct pieces *pieces, const char *name, enum entry_kind kind,
		     bool name_holds);
void pieces_end_names(struct pieces *pieces);

/* Encoding of a name's mark: its kind, and whether the predicates on its name hold. */
enum { MARK = '@', MARK_NAME_HOLDS = 8 }; /* MARK + enum entry_kind, + 8 */

static inline enum entry_kind mark_kind(int mark)
{
	return (enum entry_kind)((mark - MARK) & (MARK_NAME_HOLDS - 1));
}

static inline bool mark_name_holds(int mark)
{
	return (mark - MARK) & MARK_NAME_HOLDS;
}

#endif
