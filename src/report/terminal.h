/* Whether somebody sees the text while it is written. */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H

/*
 * Columns of the terminal on which standard output ends, 0 when it is none. Behind an MPI launcher the
 * launcher's standard output counts, where it runs on this node.
 */
unsigned terminal_columns(void);

#endif
