/*
 * The clock of a node against that of node 0, as arithmetic: bounds from messages there and back, and
 * the offset at a moment between two estimates. No MPI.
 */
#ifndef COMM_NODE_TIME_H
#define COMM_NODE_TIME_H

#include <stdatomic.h>
#include <stdint.h>

/* What must be added to this clock to get the other one lies between them. */
struct offset_bounds {
	int64_t least, most;
};

extern const struct offset_bounds offset_unknown;

/*
 * One message there and back: the other clock showed `theirs_ns` some time between `before_ns` and
 * `after_ns` of this one. Several narrow the bounds further than the fastest alone: one may have been
 * fast on its way there, another on its way back.
 */
void offset_narrow(struct offset_bounds *bounds, uint64_t before_ns, uint64_t theirs_ns,
		   uint64_t after_ns);
int64_t offset_middle(const struct offset_bounds *bounds);
uint64_t offset_uncertainty(const struct offset_bounds *bounds); /* half of their distance */

/* What is known of a node's clock since one moment; all 0: nothing, or it is node 0's. */
struct node_time {
	_Atomic uint64_t at_ns;    /* on the node's clock; 0: not estimated */
	_Atomic int64_t offset_ns; /* add to it to get node 0's */
	_Atomic uint64_t residual_ns;
};

/* Estimates around a phase. */
enum node_time_when { NODE_TIME_BEFORE, NODE_TIME_AFTER, NODE_TIMES };

/*
 * The offset at a moment of the node's clock: on the line through both estimates, or the first alone
 * while there is no second.
 */
int64_t node_time_offset(const struct node_time times[NODE_TIMES], uint64_t at_ns);
/* The larger uncertainty of both. */
uint64_t node_time_residual(const struct node_time times[NODE_TIMES]);
/* How far the offset moved from one to the other, without its sign. */
uint64_t node_time_drift(const struct node_time times[NODE_TIMES]);

#endif
