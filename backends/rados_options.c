/* The options of the rados backend. */
#include "backends/rados.h"

static const struct option rados_rows[] = {
	STRING(struct backend_options, conf, .group = "rados", .argument = "FILE",
	       .help = "The cluster's configuration, which names its monitors and the keyring. "
		       "Default: CEPH_CONF in the environment, else /etc/ceph/ceph.conf."),
	STRING(struct backend_options, user, .initial = "client.admin", .group = "rados",
	       .help = "The user of the cluster."),
	SIZE(struct backend_options, object_size, .initial = "4MiB", .min = 4096, .group = "rados",
	     .may_vary = true,
	     .help = "A file is cut into objects of so many bytes. A file that is there keeps the "
		     "size it was made with."),
	SECONDS(struct backend_options, timeout, .initial = "60", .max = 86400, .group = "rados",
		.help = "An operation fails that has no answer for so long, as does a start "
			"without the cluster."),
};

const struct option_table rados_options = {
	.prefix = "rados",
	.summary = "Objects of a Ceph cluster, by librados",
	OPTION_ROWS(rados_rows, struct backend_options),
};
