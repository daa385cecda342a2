/* What a task keeps of the files that data phases move data through. */
#ifndef ENGINE_DATA_DATA_STATE_H
#define ENGINE_DATA_DATA_STATE_H

#include <sys/types.h>

#include "engine/core/worker.h"
#include "engine/data/queue.h"

/* Device and inode tell a file from all others that a node sees at the same time. */
struct file_identity {
	bool known;
	dev_t device;
	uint64_t inode;
};

struct data_state {
	/* of the test */
	const char *spares_foreign; /* the line of a job file by which foreign files must be spared; NULL: none */
	struct queue *queue;        /* NULL: one transfer at a time */
	uint64_t drawn; /* transfers of each file from which reads with repeats draw; 0: those of the plan */

	/* what the check before the test saw under the name of the first repetition */
	struct file_identity checked_file; /* made by iorx or IOR, or empty */
	bool checked_none; /* nothing was there, and no write has begun */

	/* of the files of this repetition */
	bool made_file;      /* this run made the file, or opened it to write */
	bool must_be_new;    /* nothing had that name: the next open makes it, or fails */
	bool made_directory; /* for unique_dir */
	bool found_file;     /* use_existing_test_file met it: it is somebody's and stays */
	uint64_t found_iors; /* bit r: the file of repetition r held data of IOR before this run */
	bool used_empty;     /* the file was there, empty, and is left so: it may carry striping */
	bool replaced;       /* another program took its name, and that was reported */
	struct file_identity own_file; /* the file that this repetition wrote */

	/* of the phase */
	bool file_entered; /* open was called, successful or not: close must follow */
	bool file_open;    /* the open was successful */
	struct file_identity opened_file; /* the file that this phase opened */
	bool has_witness;  /* see witness.h */
	int witness;       /* its descriptor */
	uint64_t pause_ns; /* between two transfers */
	uint64_t missing;  /* bytes behind the file's end, of a read that is compared */
	struct damage damage; /* the range that what follows may join; length 0: none */
	uint64_t wrong_bytes; /* that comparing found */
};

#endif
