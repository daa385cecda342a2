/*
 * The operations of a load on items: small files and directories in a tree of each task. Its trees
 * are made before the load, outside the timed part, and removed after it.
 */
#ifndef ENGINE_LOAD_LOAD_ITEMS_H
#define ENGINE_LOAD_LOAD_ITEMS_H

#include "engine/load/load_loop.h"

/*
 * Makes the trees and items of all tasks. Collective over the test's tasks. A failure is that of
 * the worker.
 */
void load_items_make(struct worker *worker);
/* Removes what load_items_make() and the load made. Other files stay, with the directories above.
 */
int load_items_remove(struct worker *worker, uint64_t repetition, struct error *err);

/*
 * The names of this task's items, for a load that runs. NULL: the load has no such operations.
 * source: the task whose files a mix looks at.
 */
struct load_item_calls *load_item_calls_create(struct worker *worker, uint32_t source);
/* Adds the calls on items to the worker's counters, and frees the names. */
void load_item_calls_release(struct load_item_calls *calls);

/* The whole path of the current item. */
const char *load_items_path(const struct load_item_calls *calls);

/* When an operation was issued and done. */
struct load_times {
	uint64_t issued_ns, end_ns;
};

/* Makes loop->next once, with its data, and compares what it read. Returns 0, or not with *err. */
int load_items_try(struct load_loop *loop, struct load_times *times, struct error *err);

/*
 * Makes loop->next, an operation on an item that was due at due_ns. A failure is counted by errno.
 * Returns false if the load must end.
 */
bool load_items_operate(struct load_loop *loop, uint64_t due_ns);

#endif
