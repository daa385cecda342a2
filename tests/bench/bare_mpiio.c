/*
 * The least an MPI program can do to time independent transfers: MPI_File_open, MPI_File_write_at
 * or MPI_File_read_at and one clock read in a loop, MPI_File_close.
 */
#include "shared_file.h"

struct place {
	MPI_File file;
};

static int enter(struct place *place, const struct job *job)
{
	return MPI_File_open(MPI_COMM_WORLD, job->name,
			     job->writes ? MPI_MODE_RDWR : MPI_MODE_RDONLY, MPI_INFO_NULL,
			     &place->file);
}

static int leave(struct place *place)
{
	return MPI_File_close(&place->file);
}

static int move(struct place *place, const struct job *job, uint64_t at, void *buffer)
{
	int count = (int)job->length, moved;
	MPI_Status status;
	int code = job->writes ? MPI_File_write_at(place->file, (MPI_Offset)at, buffer, count,
						   MPI_BYTE, &status)
			       : MPI_File_read_at(place->file, (MPI_Offset)at, buffer, count,
						  MPI_BYTE, &status);

	MPI_Get_count(&status, MPI_BYTE, &moved);
	return code != MPI_SUCCESS || moved != count ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct place place;

	return shared_file_main(argc, argv, &place);
}
