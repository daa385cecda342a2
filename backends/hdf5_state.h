/* The hdf5 backend with its library: session, file, and the functions of each source file. */
#ifndef BACKENDS_HDF5_STATE_H
#define BACKENDS_HDF5_STATE_H

#include <hdf5.h>

#include "backends/common/cause.h"
#include "backends/hdf5.h"

struct backend_session {
	const struct backend_options *options;
	MPI_Info hints; /* hints asked for; MPI_INFO_NULL before start */
	hid_t access;	/* access properties of all files, without the communicator; 0: none */
	bool left_open; /* the library still has a file that it could not close */
};

/* An open file. Identifiers are 0 if unset. */
struct backend_file {
	struct backend_session *session;
	char *path;
	hid_t file;
	bool lost; /* other tasks failed to open it, so a collective close would hang */
	bool collective;
	bool per_segment; /* datasets by segments, else one */
	hid_t *datasets;  /* `count` of them, all alike */
	uint64_t count;
	uint64_t dataset_bytes;
	hid_t type;	/* element type, owned by the library: never closed */
	unsigned shift; /* log2 of the element size */
	hid_t space;	/* dataspace of a dataset; its selection is the transfer's position */
	hid_t memory;	/* dataspace of a buffer, `elements` long */
	hsize_t elements;
	hid_t transfer; /* transfer properties */
	uint64_t define_ns;
};

/*
 * hdf5_error.c: reports the call that just failed with the library's innermost error; returns -1.
 */
int hdf5_failed(struct error *err, const char *call);
/*
 * hdf5_failed() for an open: opens the path itself too, and prefers the errno of that. O_CREAT in
 * flags: the call makes a missing file, so that a missing one is no cause.
 */
int hdf5_failed_path(struct error *err, const char *call, const char *path, int flags);
/* hdf5_failed() for a call on storage. Set errno to 0 before it: it helps to find the cause. */
int hdf5_failed_at(struct error *err, const char *name, const struct cause_call *call);

/* hdf5_properties.c: 0 or -1. The caller closes the property lists. */
int hdf5_check_options(const struct backend_options *options, struct error *err);
/* Bytes of a chunk by chunk_bytes or chunk_size; 0: contiguous. */
uint64_t hdf5_chunk_bytes(const struct backend_options *options);
int hdf5_access_properties(const struct backend_options *options, hid_t *access, struct error *err);
int hdf5_dataset_properties(const struct backend_options *options, hid_t *creation,
			    struct error *err);
int hdf5_transfer_properties(bool collective, hid_t *transfer, struct error *err);
hid_t hdf5_native_type(int element_type);
/* The library's number of an enum hdf5_libver; -1: the library is too old for it. */
int hdf5_bound(int libver);

/* hdf5_datasets.c: number of datasets in a file by the options. */
uint64_t hdf5_dataset_count(const struct backend_options *options, const struct backend_open *how);
/* The next two functions set the members of file from `per_segment` to `memory`. */
int hdf5_make_datasets(struct backend_file *file, const struct backend_open *how,
		       struct error *err);
int hdf5_find_datasets(struct backend_file *file, const struct backend_open *how,
		       struct error *err);
int hdf5_close_datasets(struct backend_file *file, struct error *err);

/* hdf5_file.c and hdf5_settings.c: operations of the contract. */
int hdf5_check(struct backend_session *session, const struct backend_open *how, struct error *err);
int hdf5_open(struct backend_session *session, struct backend_file *file,
	      const struct backend_open *how, struct error *err);
int hdf5_close(struct backend_file *file, struct error *err);
uint64_t hdf5_define_ns(struct backend_file *file);
void hdf5_settings(struct backend_file *file, settings_add *add, struct settings_sink *sink);

#endif
