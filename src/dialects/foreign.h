/* Recognises the job files of other programs, so that a message can say what to type. */
#ifndef DIALECTS_FOREIGN_H
#define DIALECTS_FOREIGN_H

/* "fio" or "Vdbench" if the text looks like a job file of that program, otherwise NULL. */
const char *foreign_program(const char *text, const char *end);

#endif
