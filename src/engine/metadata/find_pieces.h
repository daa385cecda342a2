/* A find's pieces of work, in a pile: directories still to be read, and names whose status is wanted. */
#ifndef ENGINE_METADATA_FIND_PIECES_H
#define ENGINE_METADATA_FIND_PIECES_H

#include <stdbool.h>
#include <string.h>

#include "backends/backend.h"
#include "base/pile.h"
#include "base/text.h"

/* All zeros is none. */
struct pieces {
	struct pile pile;
	struct text piece; /* in hand */
	struct text path;  /* of an entry, made from its directory's */
	size_t base;       /* length of that one's, with a slash behind it */
	struct text names; /* whose status is wanted, of the directory in hand: not in the pile yet */
};

/* names: NULL, the directory is to be read; else its names up to `end`, each behind its mark and with its NUL. */
struct piece {
	const char *directory;
	const char *names, *end;
};

void pieces_release(struct pieces *pieces);

/* The newest; good until the next one. False: there is none. */
bool pieces_take(struct pieces *pieces, struct piece *piece);

/* Names are from now on of this directory. */
void pieces_enter(struct pieces *pieces, const char *directory);
/* The path of a name in it; good until the next one. */
static inline const char *pieces_path(struct pieces *pieces, const char *name)
{
	pieces->path.length = pieces->base;
	text_add_bytes(&pieces->path, name, strlen(name));
	return pieces->path.bytes;
}

void pieces_add_directory(struct pieces *pieces, const char *path);
/* Of the directory in hand; those of one directory go into few pieces, up to pieces_end_names(). */
void pieces_add_name(struct pieces *pieces, const char *name, enum entry_kind kind, bool name_holds);
void pieces_end_names(struct pieces *pieces);

/* What a name's mark says. */
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
