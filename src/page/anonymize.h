/*
 * Replaces names of hosts, users and paths in results by hashes, for --anonymize. A hash begins
 * with "x" and depends on a secret of the job, so that equal names are equal within one job only.
 */
#ifndef PAGE_ANONYMIZE_H
#define PAGE_ANONYMIZE_H

#include <jansson.h>

#include "comm/world.h"
#include "options/job.h"

/* All zeros replaces nothing. */
struct anonymizer {
	bool wanted;
	uint64_t secret;
	char **names; /* the longest first */
	size_t count;
	char (*hosts)[HOST_NAME_SIZE]; /* hashes by node; NULL: names are not known */
};

/*
 * Takes the names of hosts, of the user, and those that options have. ERROR_INPUT if the name of a
 * file is a plain word that results have too, ERROR_IO if the kernel gives no random secret. hosts:
 * by node; NULL: not known.
 */
int anonymizer_init(struct anonymizer *anonymizer, const struct job *job,
		    const char (*hosts)[HOST_NAME_SIZE], uint32_t host_count, struct error *err);
/* Adds a name that is no plain word, such as the source of a mount. */
void anonymizer_add(struct anonymizer *anonymizer, const char *name);
void anonymizer_release(struct anonymizer *anonymizer);

/* Replaces names in words from no line, before they are wrapped. NULL: replaces nothing. */
void anonymize_text(const struct anonymizer *anonymizer, struct text *words);
/* Replaces names in all texts of a line. Its hashes would not be found again by their members. */
void anonymize_line(const struct anonymizer *anonymizer, json_t *line);

#endif
