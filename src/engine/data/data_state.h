/* State of a task about the files of data phases. */
#ifndef ENGINE_DATA_DATA_STATE_H
#define ENGINE_DATA_DATA_STATE_H

#include <sys/types.h>
#include <time.h>

#include "engine/core/worker.h"
#include "engine/data/queue.h"

/* Device and inode identify a file among all that a node sees at the same time. */
struct file_identity {
	bool known;
	dev_t device;
	uint64_t inode;
};

/* State of one file of a task. A test other than a load has one file of each task. */
struct data_file {
	/* found by the check before the test, under the name of the first repetition */
	struct file_identity checked; /* made by iorx or IOR, or empty */
	bool fits;		      /* can be used as it is, without a layout */
	bool foreign;		      /* made by another program, and used as it is */
	bool checked_none;	      /* nothing was there, and no write has begun */

	/* of this repetition */
	bool made;		  /* this run made the file, or opened it to write */
	bool must_be_new;	  /* nothing had that name: the next open makes it, or fails */
	bool used_empty;	  /* it existed empty and stays empty: it may carry striping */
	bool replaced;		  /* another program replaced it, and that was reported */
	struct file_identity own; /* the file that this repetition wrote */

	/* of the phase */
	bool entered;		     /* open was called, successful or not: close must follow */
	bool is_open;		     /* the open was successful */
	struct file_identity opened; /* the file that this phase opened */
	bool has_witness;	     /* see witness.h */
	int witness;		     /* descriptor of the witness */
};

struct moments {
	time_t from, to;
};

struct data_state {
	/* for the whole test */
	const char *spares_foreign; /* job file line by which foreign files must stay; NULL: none */
	struct moments made;	    /* when killed sessions of the job wrote files; 0: never */
	bool found_foreign;	    /* after the check: any task uses a file of another program */
	bool spares_private; /* a job file names test_file: no bytes of private files are shown */
	struct queue *queue; /* NULL: one transfer at a time */
	/* the status file of a read is missing, so it ends where the shortest file does */
	bool reads_what_is_there;
	uint64_t held; /* transfers of each file, where they decide; 0: those of the plan */
	struct data_file *files; /* plan->own_files */
	struct data_file *file;	 /* the current one of them, see files_select() */

	/* of this repetition's files */
	bool made_directory; /* this run made the directory for unique_dir */
	bool found_file;     /* use_existing_test_file found a foreign file, which stays */
	uint64_t found_iors; /* bit r: the file of repetition r held data of IOR before this run */

	/* of the phase */
	uint64_t pause_ns;    /* pause between two transfers */
	uint64_t missing;     /* bytes past the end of the file, of a compared read */
	struct damage damage; /* last damaged range, which the next may extend; length 0: none */
	uint64_t wrong_bytes; /* wrong bytes that comparing found */
};

#endif
