/* Rules C1, C2, C3, P4 and P5: where the bytes of a read came from. Private to the room. */
#ifndef ASSESS_READS_H
#define ASSESS_READS_H

#include "assess/scene.h"

/* True if cachestat, which sees pages of this file system, saw at most 1 % before the read. */
bool reads_found_no_pages(const struct scene *scene);
/* True if the kernel counted nearly every byte of the reads, whatever the trial found. */
bool reads_were_delivered(const struct scene *scene);

/* C1: the share of a read phase that came from this client's page cache. */
bool reads_were_cached(const struct scene *scene, struct verdict *verdict);
/* C2: a read was declared cold, and pages of its files were in the cache. */
bool reads_were_not_cold(const struct scene *scene, struct verdict *verdict);
/* C3: reads that nobody counts took much less time than one task needs from cold storage. */
bool reads_were_too_fast(const struct scene *scene, struct verdict *verdict);
/* P4: the device delivered less than was read, and no cache did: the files are compressed. */
bool reads_were_compressed(const struct scene *scene, struct verdict *verdict);
/* P5: holes were read. */
bool reads_were_holes(const struct scene *scene, struct verdict *verdict);

#endif
