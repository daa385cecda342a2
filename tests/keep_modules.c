/*
 * Only in builds with sanitizers: modules stay loaded, so that the leak checker can still tell
 * whose memory is left and tests/lsan.supp can name the MPI library.
 */
int dlclose(void *handle);

int dlclose(void *handle)
{
	(void)handle;
	return 0;
}
