/* Checks before a test that its device has queues to poll, as else each transfer would fail. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "backends/uring_state.h"
#include "base/near.h"

char uring_read_digit(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char digit = '\0';

	if (fd < 0)
		return digit;
	if (read(fd, &digit, 1) != 1)
		digit = '\0';
	close(fd);
	return digit;
}

int uring_check_polling(const char *path, struct error *err)
{
	/* of a disk, and of a partition's disk */
	static const char *const queues[] = {
		"/sys/dev/block/%u:%u/queue/io_poll",
		"/sys/dev/block/%u:%u/../queue/io_poll",
	};
	char name[64], near[NEAR_SIZE];
	struct stat status;

	if (near_path(path, near, &status) < 0)
		return 0; /* the open will report the reason */
	dev_t device = S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev;

	for (unsigned i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), queues[i], major(device), minor(device));
		if (uring_read_digit(name) == '0')
			return error_input(err,
					   "uring.iopoll: the device has no poll queues (%s "
					   "is 0): leave uring.iopoll out, or give it some "
					   "(nvme.poll_queues=N at boot)",
					   name);
	}
	return 0;
}
