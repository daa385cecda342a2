/*
 * Hints: what a job asks of its MPI-IO, also underneath HDF5 and PnetCDF, and what became of it.
 */
#ifndef BACKENDS_COMMON_HINTS_H
#define BACKENDS_COMMON_HINTS_H

#include "backends/backend.h"
#include "base/text.h"

/*
 * The hints of a hints file, of the environment and of the job, where a later one replaces an earlier
 * one of the same name.
 *
 * pairs: the job's, lines "name=value"; file: name of a text file of such lines, in which "#" begins
 * a comment at the start of a line or behind a blank; NULL: none. As IOR's users write them, names in the file may begin with IOR_HINT__MPI__,
 * those in the environment do, and IOR_HINT__GPFS__ ones are passed over. The caller frees *info in
 * any case where it is not MPI_INFO_NULL; on failure, ERROR_INPUT, it is.
 */
int hints_make(const char *pairs, const char *file, MPI_Info *info, struct error *err);

/*
 * Adds "IOR_HINT__GPFS__NAME (environment), IOR_HINT__GPFS__NAME (FILE)": what hints_make() passes over,
 * nothing when there is none. Backends do not print; whoever does says it once.
 */
void hints_passed_over(const char *file, struct text *names);

/*
 * Tells all hints in effect as "hint.NAME", and "hint.NAME.asked" where something else was asked for.
 * A hint that was asked for and that the library does not show has "not in effect" for its value. A
 * library that shows exactly what was asked for may just repeat it, and "hints" says so.
 * Either may be MPI_INFO_NULL.
 */
void hints_tell(MPI_Info asked, MPI_Info effective, settings_tell *tell,
		struct settings_sink *sink);

#endif
