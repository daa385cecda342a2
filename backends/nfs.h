/* Options of the nfs backend. */
#ifndef BACKENDS_NFS_H
#define BACKENDS_NFS_H

#include "options/option.h"

struct backend_options {
	double timeout;
};

extern const struct option_table nfs_options;

#endif
