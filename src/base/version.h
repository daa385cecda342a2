/* The version of iorx and how it was built. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

struct version {
	const char *number;   /* "0.1.0" */
	const char *git;      /* git describe of the source, "" if unknown */
	const char *compiler; /* command and version */
	const char *flags;
};

extern const struct version version;

#endif
