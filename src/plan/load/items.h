/*
 * The operations of a load on items: small files, and empty directories, of one task. Which of them
 * exist follows from what was done, without memory for a name. Pure arithmetic.
 */
#ifndef PLAN_LOAD_ITEMS_H
#define PLAN_LOAD_ITEMS_H

#include "pattern/kinds.h"
#include "plan/load/ring.h"

struct load_item_limits {
	struct ring_limits files, directories;
	uint64_t bytes;	 /* of a small file */
	uint64_t others; /* files of another task, which operations that look are about; 0: own */
};

struct load_items {
	struct name_ring files, directories;
	uint64_t others;
	uint64_t bytes;
};

/* An operation on an item. */
struct load_item_request {
	enum operation operation;
	uint64_t item;	   /* number of the file or directory */
	uint64_t new_item; /* of a rename: the number that the file gets */
	uint64_t bytes;	   /* data that moves */
};

/* limits->files.least must be above 0 where operations look at files. */
void load_items_start(struct load_items *items, const struct load_item_limits *limits);

/*
 * The next operation of this kind: creates, makes and renames take the next name, unlinks and
 * removes the oldest, all others any name that exists. drawn: a random number in [0, 1). Where
 * nothing may be removed a name is made instead, and the other way round.
 */
void load_items_next(const struct load_items *items, enum load_kind kind, double drawn,
		     struct load_item_request *request);

/* Notes that the operation was done. After one that failed, the same names are next again. */
void load_items_done(struct load_items *items, enum operation operation);

#endif
