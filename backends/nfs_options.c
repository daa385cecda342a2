/* The options of the nfs backend. */
#include "backends/nfs.h"

static const struct option nfs_rows[] = {
	SECONDS(struct backend_options, timeout, .initial = "60", .max = 86400, .group = "nfs",
		.help = "The server is given up if it cannot be connected to, or no byte comes "
			"from it or goes to it, for this long while a call waits.",
		.more = "All else stands in the name of the file, "
			"nfs://SERVER/EXPORT/PATH?uid=N&gid=N&nfsport=N&mountport=N. Without the "
			"ports the server's portmapper is asked."),
};

const struct option_table nfs_options = {
	.prefix = "nfs",
	.summary = "Files of an NFS server without a mount, by libnfs",
	OPTION_ROWS(nfs_rows, struct backend_options),
};
