/* The operations of a load on small files and directories. */
#include "plan/load/items.h"

void load_items_start(struct load_items *items, const struct load_item_limits *limits)
{
	ring_start(&items->files, &limits->files);
	ring_start(&items->directories, &limits->directories);
	items->bytes = limits->bytes;
	items->others = limits->others;
}

/* Replaces an operation that is not possible now by its counterpart. */
static enum load_kind possible(const struct load_items *items, enum load_kind kind)
{
	switch (kind) {
	case LOAD_CREATE:
		return ring_can_make(&items->files) ? kind : LOAD_UNLINK;
	case LOAD_UNLINK:
		return ring_can_remove(&items->files) ? kind : LOAD_CREATE;
	case LOAD_MKDIR:
		return ring_can_make(&items->directories) ? kind : LOAD_RMDIR;
	case LOAD_RMDIR:
		return ring_can_remove(&items->directories) ? kind : LOAD_MKDIR;
	default:
		return kind;
	}
}

static uint64_t items_bytes_of(const struct load_items *items, enum load_kind kind)
{
	switch (kind) {
	case LOAD_CREATE:
	case LOAD_READ_FILE:
	case LOAD_WRITE_FILE:
	case LOAD_APPEND:
		return items->bytes;
	case LOAD_RMW:
		return 2 * items->bytes;
	default:
		return 0;
	}
}

void load_items_next(const struct load_items *items, enum load_kind kind, double drawn,
		     struct load_item_request *request)
{
	const struct name_ring *files = &items->files, *directories = &items->directories;

	kind = possible(items, kind);
	*request = (struct load_item_request){
		.operation = load_operation(kind),
		.bytes = items_bytes_of(items, kind),
	};
	switch (kind) {
	case LOAD_CREATE:
		request->item = ring_next(files);
		break;
	case LOAD_RENAME:
		request->new_item = ring_next(files);
		request->item = files->first;
		break;
	case LOAD_UNLINK:
		request->item = files->first;
		break;
	case LOAD_MKDIR:
		request->item = ring_next(directories);
		break;
	case LOAD_RMDIR:
		request->item = directories->first;
		break;
	default:
		request->item = items->others ? (uint64_t)(drawn * (double)items->others)
					      : ring_any(files, drawn);
		break;
	}
}

void load_items_done(struct load_items *items, enum operation operation)
{
	switch (operation) {
	case OPERATION_CREATE:
		ring_made(&items->files);
		break;
	case OPERATION_REMOVE:
		ring_removed(&items->files);
		break;
	case OPERATION_RENAME:
		ring_made(&items->files);
		ring_removed(&items->files);
		break;
	case OPERATION_MKDIR:
		ring_made(&items->directories);
		break;
	case OPERATION_RMDIR:
		ring_removed(&items->directories);
		break;
	default:
		break;
	}
}
