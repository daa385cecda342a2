/*
 * Describes wrong data. Each sector is examined alone: its stamp, if it has one, says where it
 * belongs. A piece without a stamp is joined to its neighbour if that explains every wrong byte.
 */
#include "content/forms.h"

#include <string.h>

enum {
	FEW = 64,    /* wrong bytes in a sector that is otherwise right */
	SHORT = 8,   /* so few zeros may be single wrong bytes */
	PAGE = 4096, /* data displaced by less are called shifted */
};

/* Why a piece is wrong. */
struct cause {
	enum damage_kind kind;
	struct content_origin origin; /* of the piece's first byte */
};

/* A sector, or the part of it that was read. */
struct piece {
	const unsigned char *found;
	unsigned char expected[SECTOR];
	uint64_t offset, length;
	uint64_t first, last; /* its first and last wrong byte */
	uint64_t wrong;
};

struct examination {
	struct content expected; /* of the current piece: of a repetition that is right */
	const char *bytes;
	uint64_t offset, length;
	content_visit *visit;
	void *context;
	struct piece piece;
	struct content_damage damage; /* the current range, which may go on */
	struct cause cause;	      /* cause of the current range */
	uint64_t end;		      /* end of its last piece; 0: there is no range */
	uint64_t wrong;
};

static bool damage_compare(struct piece *piece)
{
	piece->wrong = 0;
	for (uint64_t i = 0; i < piece->length; i++) {
		if (piece->found[i] == piece->expected[i])
			continue;
		if (!piece->wrong++)
			piece->first = i;
		piece->last = i;
	}
	return piece->wrong == 0;
}

static bool has_origin(enum damage_kind kind)
{
	return kind == DAMAGE_STALE || kind == DAMAGE_MISPLACED || kind == DAMAGE_SHIFTED ||
	       kind == DAMAGE_OTHER_RUN;
}

/* --- causes --------------------------------------------------------------------------------- */

static bool was_never_read(const struct examination *exam)
{
	const struct piece *piece = &exam->piece;
	uint64_t start = piece->offset - exam->offset;
	uint64_t mark = (start + SECTOR - 1) / SECTOR * SECTOR;

	if (mark < start + piece->length)
		return content_is_spoilt(exam->bytes + mark, exam->length - mark);
	return exam->end == piece->offset && exam->cause.kind == DAMAGE_SPOILT;
}

static bool is_zeros(const struct piece *piece)
{
	for (uint64_t i = piece->first; i <= piece->last; i++)
		if (piece->found[i])
			return false;
	return piece->wrong > SHORT || piece->wrong == piece->length;
}

/* The kind of damage of data that lie at `offset` and belong elsewhere. */
static enum damage_kind damage_kind_of(const struct examination *exam,
				       const struct content_origin *origin, uint64_t offset)
{
	const struct content *content = &exam->expected;
	int64_t shift = (int64_t)(content_first_copy(content, offset) - origin->offset);

	if (origin->seed != content->seed)
		return DAMAGE_OTHER_RUN;
	if (origin->file != content->file)
		return DAMAGE_MISPLACED;
	if (origin->repetition != content->repetition)
		return shift ? DAMAGE_MISPLACED : DAMAGE_STALE;
	if (shift % SECTOR || (shift < PAGE && shift > -PAGE))
		return DAMAGE_SHIFTED;
	return DAMAGE_MISPLACED;
}

/* True if all wrong bytes of the piece equal the data at origin. */
static bool explains(const struct examination *exam, const struct content_origin *origin)
{
	const struct piece *piece = &exam->piece;
	struct content content = exam->expected;
	unsigned char elsewhere[SECTOR];

	if (origin->seed != content.seed)
		return false;
	content_select(&content, origin->file, origin->repetition);
	content_fill(&content, elsewhere, origin->offset, piece->length);
	for (uint64_t i = piece->first; i <= piece->last; i++)
		if (piece->found[i] != piece->expected[i] && piece->found[i] != elsewhere[i])
			return false;
	return true;
}

/* True if the piece begins with the stamp of another position. */
static bool has_foreign_stamp(const struct examination *exam, struct content_origin *origin)
{
	const struct piece *piece = &exam->piece;

	return piece->offset % SECTOR == 0 && piece->length >= STAMP_BYTES &&
	       content_learn(piece->found, origin) &&
	       memcmp(piece->found, piece->expected, STAMP_BYTES) != 0;
}

/* True if the piece continues the misplaced data before it. */
static bool goes_on(const struct examination *exam, struct content_origin *origin)
{
	if (exam->end != exam->piece.offset || !has_origin(exam->cause.kind))
		return false;
	*origin = exam->cause.origin;
	origin->offset += exam->piece.offset - exam->damage.offset;
	if (origin->seed != exam->expected.seed)
		return exam->piece.length < SECTOR && exam->piece.wrong > FEW;
	return explains(exam, origin);
}

/*
 * Looks for a misplaced stamp in the piece or in the sector behind it that explains its wrong
 * bytes.
 */
static bool has_one_near(const struct examination *exam, struct content_origin *origin)
{
	const struct piece *piece = &exam->piece;
	uint64_t start = piece->offset - exam->offset;
	uint64_t end = start + piece->length + SECTOR;

	if (end > exam->length)
		end = exam->length;
	for (uint64_t at = start; at + STAMP_BYTES <= end; at++) {
		if (!content_learn(exam->bytes + at, origin))
			continue;
		if (origin->offset == exam->offset + at && origin->seed == exam->expected.seed &&
		    origin->file == exam->expected.file &&
		    origin->repetition == exam->expected.repetition)
			continue; /* this stamp is at its position */
		if (origin->offset < at - start)
			continue;
		origin->offset -= at - start;
		if (explains(exam, origin))
			return true;
	}
	return false;
}

static void find_cause(const struct examination *exam, struct cause *cause)
{
	const struct piece *piece = &exam->piece;

	if (was_never_read(exam))
		cause->kind = DAMAGE_SPOILT;
	else if (is_zeros(piece))
		cause->kind = DAMAGE_ZEROS;
	else if (has_foreign_stamp(exam, &cause->origin) || goes_on(exam, &cause->origin) ||
		 has_one_near(exam, &cause->origin))
		cause->kind = damage_kind_of(exam, &cause->origin, piece->offset);
	else
		cause->kind = piece->wrong <= FEW ? DAMAGE_BITS : DAMAGE_RANDOM;
}

/* --- ranges --------------------------------------------------------------------------------- */

static void close_range(struct examination *exam)
{
	if (exam->end)
		exam->visit(exam->context, &exam->damage);
	exam->end = 0;
}

/* Opens a range from byte `first` to byte `last` of the piece. */
static void open_range(struct examination *exam, const struct cause *cause, uint64_t first,
		       uint64_t last, uint64_t wrong)
{
	const struct piece *piece = &exam->piece;
	struct content_damage *damage = &exam->damage;
	uint64_t shown = last - first + 1;

	close_range(exam);
	*damage = (struct content_damage){
		.offset = piece->offset + first,
		.length = shown,
		.wrong_bytes = wrong,
		.kind = cause->kind,
	};
	if (shown > sizeof(damage->found))
		shown = sizeof(damage->found);
	memcpy(damage->expected, piece->expected + first, shown);
	memcpy(damage->found, piece->found + first, shown);
	exam->cause = *cause;
	exam->end = piece->offset + piece->length;
	if (!has_origin(cause->kind))
		return;
	exam->cause.origin.offset += first;
	damage->origin = exam->cause.origin;
	if (cause->kind == DAMAGE_SHIFTED)
		damage->shift = (int64_t)(damage->offset - damage->origin.offset);
}

static bool is_same(const struct examination *exam, const struct cause *cause)
{
	const struct content_origin *before = &exam->cause.origin, *now = &cause->origin;

	if (exam->end != exam->piece.offset || exam->cause.kind != cause->kind)
		return false;
	return !has_origin(cause->kind) ||
	       (before->seed == now->seed && before->file == now->file &&
		before->repetition == now->repetition &&
		exam->damage.offset - before->offset == exam->piece.offset - now->offset);
}

static void extend_range(struct examination *exam)
{
	const struct piece *piece = &exam->piece;
	struct content_damage *damage = &exam->damage;

	damage->length = piece->offset + piece->last + 1 - damage->offset;
	damage->wrong_bytes += piece->wrong;
	exam->end = piece->offset + piece->length;
}

/* Opens a range of its own for each run of wrong bytes. */
static void open_each(struct examination *exam, const struct cause *cause)
{
	const struct piece *piece = &exam->piece;

	for (uint64_t i = piece->first; i <= piece->last; i++) {
		uint64_t first = i;

		while (i <= piece->last && piece->found[i] != piece->expected[i])
			i++;
		if (i > first)
			open_range(exam, cause, first, i - 1, i - first);
	}
}

static void look_at_piece(struct examination *exam)
{
	struct cause cause = {0};

	if (damage_compare(&exam->piece)) {
		close_range(exam);
		return;
	}
	exam->wrong += exam->piece.wrong;
	find_cause(exam, &cause);
	if (cause.kind == DAMAGE_BITS)
		open_each(exam, &cause);
	else if (is_same(exam, &cause))
		extend_range(exam);
	else
		open_range(exam, &cause, exam->piece.first, exam->piece.last, exam->piece.wrong);
}

uint64_t content_examine(const struct content *content, const void *bytes, uint64_t offset,
			 uint64_t length, content_visit *visit, void *context)
{
	struct examination exam = {
		.expected = *content,
		.bytes = bytes,
		.offset = offset,
		.length = length,
		.visit = visit,
		.context = context,
	};
	struct piece *piece = &exam.piece;

	for (uint64_t at = 0; at < length; at += piece->length) {
		piece->found = (const unsigned char *)bytes + at;
		piece->offset = offset + at;
		piece->length = SECTOR - piece->offset % SECTOR;
		if (piece->length > length - at)
			piece->length = length - at;
		content_expect(content, piece->found, piece->offset, piece->length, &exam.expected);
		content_fill(&exam.expected, piece->expected, piece->offset, piece->length);
		look_at_piece(&exam);
	}
	close_range(&exam);
	return exam.wrong;
}
