/* The options of a load test; load_options.c has their rows. */
#ifndef OPTIONS_LOAD_H
#define OPTIONS_LOAD_H

#include <stdint.h>

#include "base/write_sync.h"
#include "options/option.h"

/* The tasks that share files or a rate. */
enum load_scope { LOAD_SCOPE_TASK, LOAD_SCOPE_NODE, LOAD_SCOPE_TEST };

/* The files that the limit queue_depth is for. */
enum depth_scope { DEPTH_OF_TASK, DEPTH_OF_FILE };

/* How the files are made before the load. */
enum layout_kind { LAYOUT_WRITE, LAYOUT_ALLOCATE, LAYOUT_NONE, LAYOUT_MISSING };

/* When the next operation is due. */
enum arrival_kind {
	ARRIVAL_CLOSED,	 /* a closed loop: when an earlier operation has finished */
	ARRIVAL_EVEN,	 /* all tasks together at equal distances, one after the other */
	ARRIVAL_POISSON, /* each task on its own, with exponentially distributed gaps */
	ARRIVAL_UNIFORM, /* each task on its own, with gaps between 0 and twice their mean */
	ARRIVAL_TRACE,	 /* as a trace says; no value of the option */
};

extern const char *const arrival_names[]; /* "closed", …; ends with NULL */

/* When the requests of a trace are due. */
enum trace_pace {
	TRACE_PACE_RECORDED, /* at its time in the trace */
	TRACE_PACE_THINK,    /* behind the one before, after the pause of the application */
	TRACE_PACE_NONE,     /* at once */
};

/* The treatment of an operation whose time has passed. */
enum late_kind { LATE_QUEUE, LATE_SKIP };

/* Hot blocks of a distribution: the same for all tasks, or others for each. */
enum hot_blocks { HOT_BLOCKS_SAME, HOT_BLOCKS_OWN };

/* Locks around operations. */
enum load_lock { LOAD_LOCK_NONE, LOAD_LOCK_SHARED, LOAD_LOCK_EXCLUSIVE, LOAD_LOCK_READWRITE };

/* The limit that ended a task's load. The names of the limits are those of their options. */
enum load_end {
	LOAD_END_TIME,
	LOAD_END_OPERATIONS,
	LOAD_END_BYTES,
	LOAD_END_PASSES,
	LOAD_END_STEADY,
	LOAD_END_TRACE,
	LOAD_END_BESIDE, /* the end of the phases that the load runs beside */
	LOAD_END_STOP,	 /* a failure, a signal or the deadline */
	LOAD_ENDS
};

extern const char *const load_end_names[LOAD_ENDS]; /* "time", "operation_limit", … */

/*
 * Members are named like the options. struct test has those common to all tests (api, test_file,
 * duration, queue_depth …). The plan parses the texts of operations, sizes, distribution and
 * file_choice.
 */
struct load {
	/* the operations */
	const char *operations;	  /* shares, "read:70, write:30" */
	double random;		  /* share of the runs that begin at a random place */
	const char *write_random; /* the same of runs that begin with a write; NULL: as random */
	uint64_t run_length;	  /* transfers in a row at a random place */
	uint64_t stride;   /* bytes skipped after a transfer that goes on behind the last one */
	const char *sizes; /* "4k" or "4k/40, 16k/60" */
	const char *read_sizes, *write_sizes; /* NULL: as sizes */
	uint64_t align;			      /* of random offsets; 0: the size of the transfer */
	const char *distribution;	      /* of random offsets over a file */
	int hot_blocks;			      /* enum hot_blocks */
	int sync;			      /* enum write_sync */
	int lock;			      /* enum load_lock */
	uint64_t fsync_every; /* writes of a task; 0: none; fsync_per_write makes it 1 */
	bool fsync_data;      /* these are fdatasync */

	/* a trace that says the operations in place of all above */
	const char *trace; /* name of the file; NULL: none */
	int trace_pace;	   /* enum trace_pace */
	double trace_speed;
	double trace_from, trace_until; /* s from its begin; trace_until 0: to its end */
	bool trace_loop;

	/* the pace */
	double rate;	    /* operations/s within rate_scope; 0: as fast as possible */
	uint64_t byte_rate; /* bytes/s within rate_scope; 0: as fast as possible */
	int rate_scope;	    /* enum load_scope */
	int arrival;	    /* enum arrival_kind; job_complete() makes it even if there is a rate */
	int on_late;	    /* enum late_kind */
	const char *curve;  /* points of a curve; within a test made of it one point; NULL: none */
	const char *stop_response; /* the bound that ends a curve, "p99:5ms"; NULL: none */
	const char *search;	   /* the bound whose rate is searched for, "p99<2ms"; NULL: none */
	double think_time;	   /* after each operation of a closed loop */
	uint64_t burst;		   /* operations that are due together; 0: no bursts */
	double burst_pause;	   /* after each burst of a closed loop */

	/* the end; 0: no such limit */
	bool beside; /* it begins and ends with each phase of the other tests of its set */
	double warmup_time, cooldown;
	uint64_t operation_limit, byte_limit, passes; /* of each task */

	/* interval rows */
	double interval;      /* 0: none */
	const char *steady;   /* the bounds that end the load, "range:20%"; NULL: none */
	double steady_window; /* a multiple of interval */

	/* the files */
	uint64_t files; /* of each task, each node or the test */
	int file_scope; /* enum load_scope */
	uint64_t file_size;
	const char *file_choice; /* in_turn, random, or a distribution */
	int depth_scope;	 /* enum depth_scope */
	int layout;		 /* enum layout_kind */
	bool allow_device;	 /* test_file is a block device, whose content is lost */
	bool cleanup;		 /* only removes what an earlier run of the load left */

	/* the region of each file that the load visits; region_size 0: to the end of the file */
	uint64_t region_offset, region_size, region_step;
	bool whole_files; /* each task visits all of the files that it shares */

	/* the items: small files that operations on names are about */
	const char *dir; /* NULL: test_file with .items behind it */
	uint64_t items;	 /* files of each task */
	uint64_t item_bytes;
	uint64_t branch, depth;
};

extern const struct option_table load_options;

/* True if the load's own options give a rate. A curve gives its points rates without them. */
static inline bool load_has_rate(const struct load *load)
{
	return load->rate > 0 || load->byte_rate;
}

#endif
