/* MPI-IO hints: those that a job asks for, also below HDF5 and PnetCDF, and those in effect. */
#ifndef BACKENDS_COMMON_HINTS_H
#define BACKENDS_COMMON_HINTS_H

#include "backends/backend.h"
#include "base/text.h"

/* The row of the member hints_file in the options of the backend `name`. */
#define HINTS_FILE(name)                                                                        \
	STRING(struct backend_options, hints_file, .group = name, .aliases = "hintsFileName",   \
	       .ior_key = "hintsFileName", .letter = 'U', .argument = "FILE",                   \
	       .help = "Read hints from this file, one NAME=VALUE in a line.",                  \
	       .more = "Names may begin with IOR_HINT__MPI__. Environment variables with such " \
		       "names replace what the file says, and " name ".hint.NAME replaces both.")

/*
 * Collects the hints of a hints file, of the environment and of the job. A later one replaces an
 * earlier one of the same name.
 *
 * pairs: the job's hints, lines "name=value". file: a text file of such lines, where "#" starts a
 * comment at the start of a line or behind a blank; NULL: none. spares_private: the file must not
 * be private (base/named_file.h). Names may begin with IOR_HINT__MPI__ in the file, and must in the
 * environment, as in IOR. IOR_HINT__GPFS__ names are skipped. The caller frees *info unless it is
 * MPI_INFO_NULL, which it is after a failure (ERROR_INPUT).
 */
int hints_make(const char *pairs, const char *file, bool spares_private, MPI_Info *info,
	       struct error *err);

/*
 * Lists the hints that hints_make() skips: "IOR_HINT__GPFS__NAME (environment),
 * IOR_HINT__GPFS__NAME (FILE)", or nothing. Backends do not print, so the core reports them once.
 */
void hints_passed_over(const char *file, bool spares_private, struct text *names);

/*
 * Reports all hints in effect as "hint.NAME", and "hint.NAME.asked" if another value was asked for.
 * A hint that was asked for and that the library does not show has the value "not in effect". A
 * library that shows exactly the hints that were asked for may only repeat them; "hints" reports
 * that. Either info may be MPI_INFO_NULL.
 */
void hints_add_settings(MPI_Info asked, MPI_Info effective, settings_add *add,
			struct settings_sink *sink);

#endif
