/* Work pieces of a find, as bytes that can be sent to other tasks. */
#include "engine/metadata/find_pieces.h"

#include <string.h>

/*
 * Format of a directory: its letter and path. Format of names: their letter, the directory's path,
 * and for each name a mark and the name. Every text ends with its NUL.
 */
enum { PIECE_DIRECTORY = 'd', PIECE_NAMES = 'n' };
enum { NAMES_BYTES = 8192 }; /* bytes of names in a piece */

void pieces_release(struct pieces *pieces)
{
	pile_release(&pieces->pile);
	text_release(&pieces->piece);
	text_release(&pieces->path);
	text_release(&pieces->names);
}

bool pieces_take(struct pieces *pieces, struct piece *piece)
{
	size_t length;
	const char *bytes = pile_take(&pieces->pile, &length);

	if (!bytes)
		return false;
	text_clear(&pieces->piece);
	text_add_bytes(&pieces->piece, bytes, length);
	bytes = pieces->piece.bytes;
	*piece = (struct piece){.directory = bytes + 1};
	if (*bytes == PIECE_NAMES) {
		piece->names = piece->directory + strlen(piece->directory) + 1;
		piece->end = bytes + length;
	}
	return true;
}

void pieces_enter(struct pieces *pieces, const char *directory)
{
	text_clear(&pieces->path);
	text_add_bytes(&pieces->path, directory, strlen(directory));
	if (pieces->path.bytes[pieces->path.length - 1] != '/')
		text_add_bytes(&pieces->path, "/", 1);
	pieces->base = pieces->path.length;
}

void pieces_add_directory(struct pieces *pieces, const char *path)
{
	size_t length = strlen(path) + 1;
	char *piece = pile_add(&pieces->pile, 1 + length);

	*piece = PIECE_DIRECTORY;
	memcpy(piece + 1, path, length);
}

void pieces_add_name(struct pieces *pieces, const char *name, enum entry_kind kind, bool name_holds)
{
	char letter = PIECE_NAMES,
	     mark = (char)(MARK + (int)kind + (name_holds ? MARK_NAME_HOLDS : 0));
	size_t length = strlen(name) + 1;

	if (pieces->names.length + length > NAMES_BYTES)
		pieces_end_names(pieces);
	if (!pieces->names.length) {
		pieces_path(pieces, "");
		text_add_bytes(&pieces->names, &letter, 1);
		text_add_bytes(&pieces->names, pieces->path.bytes, pieces->base + 1);
	}
	text_add_bytes(&pieces->names, &mark, 1);
	text_add_bytes(&pieces->names, name, length);
}

void pieces_end_names(struct pieces *pieces)
{
	if (!pieces->names.length)
		return;
	memcpy(pile_add(&pieces->pile, pieces->names.length), pieces->names.bytes,
	       pieces->names.length);
	text_clear(&pieces->names);
}
