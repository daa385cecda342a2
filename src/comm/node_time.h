/*
 * The offset of a node's clock to node 0's, as arithmetic without MPI: bounds from round trips, and
 * the offset at a moment between two estimates.
 */
#ifndef COMM_NODE_TIME_H
#define COMM_NODE_TIME_H

#include <stdatomic.h>
#include <stdint.h>

/* Bounds of the offset that must be added to this clock to get the other clock. */
struct offset_bounds {
	int64_t least, most;
};

extern const struct offset_bounds offset_unknown;

/*
 * Narrows the bounds by one round trip: the other clock showed `theirs_ns` at some time between
 * `before_ns` and `after_ns` of this clock. Several trips give tighter bounds than the fastest
 * alone: one may be fast on its way there, another on its way back.
 */
void offset_narrow(struct offset_bounds *bounds, uint64_t before_ns, uint64_t theirs_ns,
		   uint64_t after_ns);
int64_t offset_middle(const struct offset_bounds *bounds);
uint64_t offset_uncertainty(const struct offset_bounds *bounds); /* half of the bounds' distance */

/* An estimate of a node's clock offset; all zeros: not estimated, or node 0 itself. */
struct node_time {
	_Atomic uint64_t at_ns;	   /* on the node's clock; 0: not estimated */
	_Atomic int64_t offset_ns; /* add to it to get node 0's */
	_Atomic uint64_t residual_ns;
};

/* The estimates before and after a phase. */
enum node_time_when { NODE_TIME_BEFORE, NODE_TIME_AFTER, NODE_TIMES };

/*
 * The offset at a time of the node's clock, on the line through both estimates. With one estimate
 * the offset is constant.
 */
int64_t node_time_offset(const struct node_time times[NODE_TIMES], uint64_t at_ns);
/* The larger uncertainty of the two estimates. */
uint64_t node_time_residual(const struct node_time times[NODE_TIMES]);
/* The absolute change of the offset from the first estimate to the second. */
uint64_t node_time_drift(const struct node_time times[NODE_TIMES]);

#endif
