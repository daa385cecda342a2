/*
 * What IOR has and iorx has not, or has elsewhere. A row leaves this table when its option enters one
 * of the core's; the letters are those people still find in batch files, of old versions too.
 */
#include "options/ior_keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "base/text.h"
#include "options/groups.h"

#define OFFSETS "it is content=ior-offset (-l o) now; say that instead"
#define SHARED_POINTER                                                                             \
	"tasks that share a file pointer wait for one another at each transfer, which iorx does "  \
	"not do; remove it, tasks have places of their own in a shared file"
#define LUSTRE                                                                                     \
	"iorx does not set stripes; make an empty file with lfs setstripe first, it is used as it " \
	"is, or set them on its directory; remove the key"

/* Accepted, and without effect: what they ask for is always so. */
static const struct option quit_on_error = {
	.name = "quit_on_error", .type = OPTION_BOOL, .group = GROUP_HOW,
	.help = "Always so: a test ends at its first error"
};
static const struct option show_hints = {
	.name = "show_hints", .type = OPTION_BOOL, .group = GROUP_RESULTS,
	.help = "Always so: results hold the hints in effect"
};
static const struct option summary_always = {
	.name = "summary_always", .type = OPTION_BOOL, .group = GROUP_RESULTS,
	.help = "Always so: each test has a summary"
};
static const struct option platform = {
	.name = "platform", .type = OPTION_STRING, .group = GROUP_RESULTS,
	.help = "Always so: results name the platform"
};

const struct ior_key ior_keys[] = {
	{ .name = "summaryAlways", .needless = &summary_always },
	{ .name = "platform", .needless = &platform },
	{ .name = "useO_DIRECT", .letter = 'B', .instead = "posix.direct" },
	{ .name = "quitOnError", .letter = 'q', .needless = &quit_on_error },
	{ .name = "showHelp", .why = "iorx --help shows it, on the command line; remove it" },
	{ .name = "showHints", .letter = 'H', .needless = &show_hints },
	{ .name = "storeFileOffset", .why = OFFSETS },
	{ .name = "hintsFileName", .letter = 'U', .of_backends = true },
	{ .name = "preallocate", .letter = 'p', .of_backends = true },
	{ .name = "useFileView", .letter = 'V', .of_backends = true },
	{ .name = "useSharedFilePointer", .letter = 'P', .why = SHARED_POINTER },
	{ .name = "individualDataSets", .letter = 'I', .of_backends = true },
	{ .name = "setAlignment", .letter = 'J', .of_backends = true },
	{ .name = "noFill", .letter = 'n', .of_backends = true },
	{ .name = "aio.max-pending", .instead = "queue_depth" },
	{ .name = "lustreStripeCount", .why = LUSTRE },
	{ .name = "lustreStripeSize", .why = LUSTRE },
	{ .name = "lustreStartOST", .why = LUSTRE, .off = "-1" },
	{ .name = "lustreStripeStart", .why = LUSTRE, .off = "-1" },
	{ .name = "lustreIgnoreLocks", .why = LUSTRE },
};

_Static_assert(sizeof(ior_keys) / sizeof(ior_keys[0]) <= IOR_KEYS_MAX, "a bit for each");

const size_t ior_key_count = sizeof(ior_keys) / sizeof(ior_keys[0]);

const struct ior_key *ior_key_find(const char *name)
{
	for (size_t i = 0; i < ior_key_count; i++)
		if (text_same_key(ior_keys[i].name, name))
			return &ior_keys[i];
	return NULL;
}

const struct ior_key *ior_key_find_letter(char letter)
{
	for (size_t i = 0; i < ior_key_count; i++)
		if (letter && ior_keys[i].letter == letter)
			return &ior_keys[i];
	return NULL;
}

/* "0", "0.0", "0k" */
static bool is_zero(const char *value)
{
	char *end;

	if (strtod(value, &end) < 0 || strtod(value, &end) > 0 || end == value)
		return false;
	while (isalpha((unsigned char)*end))
		end++;
	return *end == '\0';
}

bool ior_key_is_off(const struct ior_key *key, const char *value)
{
	static const char *const off[] = { "", "false", "no", "off" };

	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		if (!strcasecmp(value, off[i]))
			return true;
	return is_zero(value) || (key->off && !strcasecmp(value, key->off));
}
