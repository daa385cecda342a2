/* Any bytes as a job file: a job that holds together, or a sentence. */
#include <stdint.h>

#include "check_job.h"
#include "dialects/dialect.h"
#include "tests/unit/fake_vocabulary.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct error err = {0};
	struct job job;

	job_init(&job, &fake_vocabulary);
	if (script_parse("job.ior", (const char *)bytes, length, &job, &err))
		check_error(&err, "job.ior:");
	else
		check_job(&job);
	job_release(&job);
	return 0;
}
