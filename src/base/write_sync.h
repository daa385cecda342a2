/* Whether a write is durable when it returns: an option of loads, and of a backend's open. */
#ifndef BASE_WRITE_SYNC_H
#define BASE_WRITE_SYNC_H

enum write_sync {
	WRITE_SYNC_NONE,
	WRITE_SYNC_DATA, /* O_DSYNC: the data, and what is needed to read it */
	WRITE_SYNC_FILE, /* O_SYNC: also all other metadata of the file */
};

#endif
