/* The version of iorx and how it was built. */
#include "base/version.h"

#include "build-info.h"
#include "config.h"

const struct version version = {
	.number = PACKAGE_VERSION,
	.git = BUILD_GIT,
	.compiler = BUILD_CC ", " __VERSION__,
	.flags = BUILD_CFLAGS,
};
