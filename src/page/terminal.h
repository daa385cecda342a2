/* Whether a user sees the text while it is written. */
#ifndef PAGE_TERMINAL_H
#define PAGE_TERMINAL_H

/*
 * Columns of the terminal on which standard output (fd 1) or standard error (2) ends; 0: no
 * terminal. Behind an MPI launcher on this node that of the launcher counts.
 */
unsigned terminal_columns(int fd);

#endif
