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

/* Appends the text with names replaced. Lines may be wrapped in the middle of a path. */
void anonymize_text(const struct anonymizer *anonymizer, const char *from, struct text *to);
/*
 * Appends the hash of a mount's source that is a word, such as the name of a share, which no text
 * shows to be a name. False if the text functions serve: for a path, or the type of the mount.
 */
bool anonymize_source(const struct anonymizer *anonymizer, const char *type, const char *source,
		      struct text *to);
/* Replaces names in all texts of a value. */
void anonymize_json(const struct anonymizer *anonymizer, json_t *value);

#endif
