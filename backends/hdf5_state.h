/* The hdf5 backend with its library: session, file, and what each part of it does. */
#ifndef BACKENDS_HDF5_STATE_H
#define BACKENDS_HDF5_STATE_H

#include <hdf5.h>

#include "backends/hdf5.h"

struct backend_session {
	const struct backend_options *options;
	MPI_Info hints; /* asked for; MPI_INFO_NULL while not started */
	hid_t access;   /* what all files are opened with, but for who shares them; 0: none */
	bool left_open; /* the library still has a file that it could not close */
};

/* Identifiers are 0 while there is none. */
struct backend_file {
	struct backend_session *session;
	hid_t file;
	bool lost; /* others could not open it: its collective close would wait for them for ever */
	bool collective;
	bool per_segment; /* datasets by segments, else one */
	hid_t *datasets;  /* `count` of them, all alike */
	uint64_t count;
	uint64_t dataset_bytes;
	hid_t type;      /* of an element; the library's own, not to be closed */
	unsigned shift;  /* log2 of its size */
	hid_t space;     /* of a dataset; its selection is the transfer's place */
	hid_t memory;    /* of a buffer, `elements` long */
	hsize_t elements;
	hid_t transfer;  /* how transfers are done */
	uint64_t define_ns;
};

/* hdf5_error.c: -1 with the innermost that the library says of the call that has just failed. */
int hdf5_failed(struct error *err, const char *call);
/* The same for one that opens a path, which is asked itself when the library does not say why. */
int hdf5_failed_path(struct error *err, const char *call, const char *path, int flags);

/* hdf5_properties.c: 0 or -1; what is made is the caller's to close. */
int hdf5_check_options(const struct backend_options *options, struct error *err);
/* Bytes of a chunk by either option; 0: contiguous. */
uint64_t hdf5_chunk_bytes(const struct backend_options *options);
int hdf5_access_properties(const struct backend_options *options, hid_t *access, struct error *err);
int hdf5_dataset_properties(const struct backend_options *options, hid_t *creation,
			    struct error *err);
int hdf5_transfer_properties(bool collective, hid_t *transfer, struct error *err);
hid_t hdf5_native_type(int element_type);
/* The library's number of an enum hdf5_libver; -1: it is too old to know it. */
int hdf5_bound(int libver);

/* hdf5_datasets.c: how many a file has by the options. */
uint64_t hdf5_dataset_count(const struct backend_options *options, const struct backend_open *how);
/* Fill in everything of file from `per_segment` on, up to `memory`. */
int hdf5_make_datasets(struct backend_file *file, const struct backend_open *how,
		       struct error *err);
int hdf5_find_datasets(struct backend_file *file, const struct backend_open *how,
		       struct error *err);
int hdf5_close_datasets(struct backend_file *file, struct error *err);

/* hdf5_file.c and hdf5_settings.c: the contract's. */
int hdf5_check(struct backend_session *session, const struct backend_open *how, struct error *err);
int hdf5_open(struct backend_session *session, struct backend_file *file,
	      const struct backend_open *how, struct error *err);
int hdf5_close(struct backend_file *file, struct error *err);
uint64_t hdf5_define_ns(struct backend_file *file);
void hdf5_settings(struct backend_file *file, settings_tell *tell, struct settings_sink *sink);

#endif
