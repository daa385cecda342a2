/* Whether a user sees the text while it is written. */
#ifndef PAGE_TERMINAL_H
#define PAGE_TERMINAL_H

/*
 * Columns of the terminal on which standard output ends; 0: no terminal. Behind an MPI launcher on
 * this node the launcher's standard output counts.
 */
unsigned terminal_columns(void);

#endif
